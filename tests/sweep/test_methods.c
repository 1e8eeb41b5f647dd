/** Methods of other libraries in sweeps: by name, by options, and by name alone where this build lacks
 *  the library.
 */
#include "argument.h"
#include "compatibility.h"
#include "config.h"
#include "made_up_libraries.h"
#include "providers.h"
#include "refuse.h"
#include "registry.h"
#include <math.h>

#define HEAD "model: decay\nt_end: 1\nmesh: 0.01\nstrategies: [switch]\nrtol: [1e-3]\n"
#define MINE                                                                                       \
  "libraries:\n  - {name: mine, library: made-up, options: '-h 0.02'}\nsolvers: [ode45, mine, "    \
  "made-up-rk4]\n"

static bool said(sal_err err, const char *a, const char *b)
{
  const bool right = err != SAL_OK && strstr(sal_err_message(), a) && strstr(sal_err_message(), b);
  if (!right) fprintf(stderr, "\n    %s\n", sal_err_message());
  sal_err_clear();
  return right;
}

static void ours_come_first_then_those_of_libraries(void)
{
  const char *names[SAL_METHOD_NAMES_MOST + 1];
  const int n = sal_method_names_gather(names);
  CU_ASSERT_EQUAL_FATAL(n, SAL_N_METHOD + 1);
  CU_ASSERT_PTR_NULL(sal_method_names_at(n));
  for (int i = 0; i < SAL_N_METHOD; ++i)
    CU_ASSERT_STRING_EQUAL(names[i], sal_registry_methods[i]->name);
  CU_ASSERT_STRING_EQUAL(names[n - 1], "made-up-rk4");
  CU_ASSERT_PTR_NULL(names[n]);
  CU_ASSERT_PTR_EQUAL(sal_method_names_find("made-up-rk4"), sal_method_names_at(n - 1));
  CU_ASSERT_PTR_EQUAL(sal_method_names_find("ode45"), sal_registry_method("ode45"));
  CU_ASSERT_PTR_NULL(sal_method_names_find("made-up"));
}

static void what_a_build_lacks_is_said_with_what_to_do(void)
{
  const sal_method *method;
  char text[SAL_METHOD_NAMES_TEXT];
  CU_ASSERT_PTR_NULL(sal_method_names_missing("ode46", text));
  CU_ASSERT_PTR_NULL(sal_method_names_missing("made-up-rk5", text));
  CU_ASSERT_PTR_NULL(sal_method_names_missing("absentia", text));
  CU_ASSERT(said(sal_argument_method("--method", "absent-bdf", &method),
                 "--method: 'absent-bdf' needs Absent, which this build lacks",
                 "configure with -DABSENT=ON"));
  CU_ASSERT(said(sal_argument_method("--method", "made-up-rk5", &method), "allowed: ode23, ode45",
                 "did you mean 'made-up-rk4'?"));
  refuse_text(HEAD "solvers: [ode45, absent-bdf]\n", "s.yaml:6", "entry 2 of solvers",
              "needs Absent", "-DABSENT=ON");
  refuse_text(HEAD "solvers:\n  - ode45\n  - made-up-rk\n", "s.yaml:8", "entry 2 of solvers",
              "unknown word", "did you mean 'made-up-rk4'?");
}

static void options_make_methods_that_the_sweep_owns(void)
{
  const long live = sal_memory_live();
  sal_sweep s = accept_with(HEAD MINE, 0, NULL);
  CU_ASSERT_EQUAL_FATAL(s.n_method, 3);
  CU_ASSERT(s.n_choice == 1 && made_up_live == 1 && !s.results);
  CU_ASSERT_PTR_EQUAL(s.method[1], s.choice[0].made);
  CU_ASSERT_STRING_EQUAL(s.method[1]->name, "mine");
  CU_ASSERT_EQUAL(*(const double *)s.method[1]->engine->settings, 0.02);
  CU_ASSERT_PTR_EQUAL(s.method[2], sal_method_names_find("made-up-rk4"));
  CU_ASSERT(sal_sweep_has_engine(&s) && sal_sweep_asks(&s, SAL_GROUP_LIBRARY));
  CU_ASSERT_PTR_NOT_NULL(strstr(s.settled, "options: -h 0.02"));
  CU_ASSERT_PTR_EQUAL(sal_config_solver(&s, 1), s.method[1]);

  const char *set[] = {"libraries=[{name: mine, library: Made-Up, options: '-h 0.5'}]"};
  sal_sweep other = accept_with(HEAD MINE, 1, set);
  CU_ASSERT_EQUAL(*(const double *)other.method[1]->engine->settings, 0.5);
  CU_ASSERT_STRING_NOT_EQUAL(other.settled, s.settled);
  sal_sweep again = accept_with(other.text, 0, NULL);
  CU_ASSERT_STRING_EQUAL(again.settled, other.settled);
  CU_ASSERT_EQUAL(made_up_live, 3);
  sal_sweep_free(&again);
  sal_sweep_free(&other);
  sal_sweep_free(&s);
  CU_ASSERT(made_up_live == 0 && sal_memory_live() == live);
}

static void faults_of_options_are_told_by_line(void)
{
#define ENTRY(text) HEAD "solvers: [mine]\nlibraries:\n  - " text "\n"
  refuse_text(ENTRY("{name: mine, library: Made-Up, options: '-k 1'}"), "s.yaml:8",
              "entry 1 of libraries", "has no option '-k 1'");
  refuse_text(ENTRY("{name: mine, library: Mad-Up, options: ''}"), "s.yaml:8",
              "libraries.library: unknown library 'Mad-Up'", "did you mean 'Made-Up'?");
  refuse_text(ENTRY("{name: mine, library: absent, options: ''}"), "s.yaml:8",
              "entry 1 of libraries: 'mine' needs Absent", "-DABSENT=ON");
  refuse_text(ENTRY("{name: ode45, library: Made-Up, options: '-h 1'}"), "s.yaml:8",
              "libraries.name: 'ode45' is taken");
  refuse_text(ENTRY("{name: made-up-rk4, library: Made-Up, options: '-h 1'}"), "s.yaml:8",
              "'made-up-rk4' is taken");
  refuse_text(ENTRY("{name: libraries, library: Made-Up, options: '-h 1'}"), "s.yaml:8",
              "is taken");
  refuse_text(ENTRY("{name: 'a:b', library: Made-Up, options: '-h 1'}"), "s.yaml:8",
              "'a:b' is not a name", "a letter first");
  refuse_text(ENTRY("{name: mine, library: Made-Up, option: '-h 1'}"), "s.yaml:8",
              "unknown key of entry 1 of libraries 'option'", "did you mean 'options'?");
  refuse_text(ENTRY("{name: mine, library: Made-Up}"), "s.yaml:8",
              "required key 'libraries.options' is missing");
  refuse_text(ENTRY("{name: mine, library: Made-Up, options: [1]}"), "s.yaml:8",
              "libraries.options: a list; expected: text");
  refuse_text(ENTRY("mine"), "s.yaml:8", "entry 1 of libraries", "a mapping");
  refuse_text(HEAD "solvers: [mine]\nlibraries: mine\n", "s.yaml:7",
              "libraries: a single value; expected: a list");
  refuse_text(ENTRY("{name: mine, library: Made-Up, options: '-h 1'}\n"
                    "  - {name: mine, library: Made-Up, options: '-h 2'}"),
              "s.yaml:9", "duplicate 'mine' in libraries");
  refuse_text(HEAD "solvers: [min]\nlibraries:\n"
                   "  - {name: mine, library: Made-Up, options: '-h 1'}\n",
              "s.yaml:6", "unknown word 'min'", "did you mean 'mine'?");
  CU_ASSERT_EQUAL(made_up_live, 0);
}

static void words_stand_for_many(void)
{
  sal_sweep s = accept_with(HEAD "unsupported: leave-out\nsolvers: [all, libraries]\n", 0, NULL);
  CU_ASSERT_EQUAL(s.n_method, SAL_N_METHOD + 1);
  CU_ASSERT_PTR_NULL(strstr(s.text, "libraries"));
  sal_sweep_free(&s);
  s = accept_with(HEAD "unsupported: leave-out\nsolvers: all\n", 0, NULL);
  CU_ASSERT(s.n_method == SAL_N_METHOD && !sal_sweep_has_engine(&s));
  sal_sweep_free(&s);
  s = accept_with(HEAD "libraries: [{name: mine, library: made-up, options: -h 1}]\n"
                       "solvers: libraries\n",
                  0, NULL);
  CU_ASSERT_EQUAL_FATAL(s.n_method, 2);
  CU_ASSERT_STRING_EQUAL(s.method[0]->name, "made-up-rk4");
  CU_ASSERT_STRING_EQUAL(s.method[1]->name, "mine");
  sal_sweep_free(&s);
  refuse_text(HEAD "solvers: [made-up-rk4, libraries]\n", "s.yaml:6", "duplicate 'made-up-rk4'");
}

static void results_are_read_without_the_library(void)
{
  static const char *text = HEAD "libraries:\n"
                                 "  - {name: mine, library: made-up, options: -k TOL}\n"
                                 "  - {name: other, library: absent, options: -fast}\n"
                                 "solvers: [ode45, absent-bdf, mine, other, made-up-rk4]\n";
  const long live = sal_memory_live();
  sal_sweep s;
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse_results("c.h5", text, &s), SAL_OK);
  CU_ASSERT(s.results && s.n_method == 5 && s.n_choice == 3 && made_up_live == 0);
  static const bool by_name[] = {false, true, true, true, false};
  for (int i = 0; i < 5; ++i)
    CU_ASSERT_EQUAL(strcmp(s.method[i]->title, "known by name alone") == 0, by_name[i]);
  CU_ASSERT_STRING_EQUAL(s.method[1]->name, "absent-bdf");
  CU_ASSERT_STRING_EQUAL(s.method[1]->engine->library, "Absent");
  CU_ASSERT_STRING_EQUAL(s.method[2]->engine->select, "-k TOL");
  CU_ASSERT_STRING_EQUAL(s.method[3]->engine->library, "Absent");
  CU_ASSERT(sal_sweep_asks(&s, SAL_GROUP_LIBRARY));
  sal_sweep_free(&s);
  refuse_text(HEAD "solvers: [ode45, absent-bdf]\n", "s.yaml:6", "needs Absent");
  sal_err_clear();
  CU_ASSERT(said(sal_sweep_parse_results("c.h5", HEAD "solvers: [ode46]\n", &s),
                 "unknown word 'ode46'", "did you mean 'ode45'?"));
  CU_ASSERT_EQUAL(sal_memory_live(), live);
}

static void both_readings_say_the_same(void)
{
  sal_sweep run = accept_with(HEAD MINE, 0, NULL), read;
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse_results("c.h5", run.text, &read), SAL_OK);
  CU_ASSERT_STRING_EQUAL(run.settled, read.settled);
  CU_ASSERT(read.n_method == 3 && !read.choice[0].made && run.choice[0].made);
  sal_sweep_free(&read);
  sal_sweep_free(&run);
}

/* One run of `decay`, whose solution is the exponential function. */
static sal_record run_with(const sal_method *method, double *end)
{
  const sal_model *m = sal_registry_model("decay");
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0}, initial[SAL_MAX_STATE];
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) initial[i] = m->state[i].preset;
  const sal_setup setup = {.model = m,
                           .method = method,
                           .strategy = sal_registry_strategy("switch"),
                           .rtol = 1e-6,
                           .atol = 1e-6,
                           .t_end = 1};
  double y[SAL_MAX_STATE] = {0};
  const sal_job job = {.param = param, .initial = initial, .end = y};
  void *work = sal_alloc(sal_integrate_bytes(&setup, 1), 1);
  sal_record out;
  sal_integrate(&setup, 1, 1, &job, &out, work);
  sal_free(work);
  *end = y[m->watch] / initial[m->watch];
  return out;
}

static void a_method_by_options_runs_and_one_by_name_does_not(void)
{
  double mine, theirs, none;
  sal_sweep s = accept_with(HEAD MINE, 0, NULL), read;
  sal_record r = run_with(s.method[1], &mine);
  CU_ASSERT_EQUAL(r.value[SAL_METRIC_OUTCOME], SAL_OUT_DONE);
  CU_ASSERT_EQUAL(r.value[SAL_METRIC_STEPS], 50);
  r = run_with(s.method[2], &theirs);
  CU_ASSERT_EQUAL(r.value[SAL_METRIC_STEPS], 100);
  CU_ASSERT(fabs(mine - theirs) < 1e-6 && mine != theirs && mine < 0.999);
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse_results("c.h5", s.text, &read), SAL_OK);
  r = run_with(read.method[1], &none);
  CU_ASSERT_EQUAL(r.value[SAL_METRIC_OUTCOME], SAL_OUT_LIBRARY);
  CU_ASSERT_EQUAL(r.value[SAL_METRIC_REASON], SAL_LIBRARY_UNPREPARED);
  sal_sweep_free(&read);
  sal_sweep_free(&s);
}

static void engines_go_where_their_steps_may(void)
{
#define MONOPOD "model: monopod\nt_end: 5\nrtol: [1e-3]\nsolvers: [made-up-rk4]\n"
  refuse_text(MONOPOD "strategies: [event, ess2]\n", "s.yaml:5", "strategy ess2",
              "made-up-rk4 sets its own steps");
  refuse_text(MONOPOD "strategies: [ess]\n", "s.yaml:5", "strategy ess",
              "made-up-rk4 sets its own steps");
  sal_sweep s =
      accept_with(MONOPOD "strategies: [switch, event, ess2]\nunsupported: leave-out\n", 0, NULL);
  CU_ASSERT(!s.incompatible[0][0] && !s.incompatible[1][0] && s.incompatible[2][0]);
  sal_sweep_free(&s);
  const sal_method *method = sal_method_names_find("made-up-rk4");
  CU_ASSERT(said(sal_argument_own_method("--method", method), "--method: made-up-rk4",
                 "sets its own steps"));
  CU_ASSERT_EQUAL(sal_argument_own_method("--method", sal_registry_method("ode45")), SAL_OK);
  const sal_setup like = {.model = sal_registry_model("monopod")};
  sal_setup out;
  CU_ASSERT(said(sal_config_parse("--against", "event:made-up-rk4:1e-3", &like, &out),
                 "--against: made-up-rk4", "sets its own steps"));
}

static int take_made_up(void)
{
  sal_providers_set(made_up_libraries);
  return 0;
}

SAL_TEST_MAIN("methods", take_made_up,
              {"ours come first, then those of libraries", ours_come_first_then_those_of_libraries},
              {"what a build lacks is said with what to do",
               what_a_build_lacks_is_said_with_what_to_do},
              {"options make methods that the sweep owns",
               options_make_methods_that_the_sweep_owns},
              {"faults of options are reported by line", faults_of_options_are_told_by_line},
              {"words stand for many", words_stand_for_many},
              {"results are read without the library", results_are_read_without_the_library},
              {"both readings say the same", both_readings_say_the_same},
              {"a method by options runs, one by name does not",
               a_method_by_options_runs_and_one_by_name_does_not},
              {"engines go where their steps may", engines_go_where_their_steps_may})
