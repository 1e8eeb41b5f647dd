/** The C library: models, what they say of themselves, and what is refused. */
#include "memory.h"
#include "registry.h"
#include "sal_test.h"
#include "saltus.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool says(const char *words) { return strstr(saltus_message(), words) != NULL; }

static void every_name_opens_a_model_and_is_listed_once(void)
{
  const long before = sal_memory_live();
  int n = 0;

  for (; saltus_name(SALTUS_MODELS, n); ++n) {
    saltus_model *m;
    CU_ASSERT_FATAL(saltus_model_open(saltus_name(SALTUS_MODELS, n), &m) == SALTUS_OK);
    const saltus_model_facts f = saltus_model_about(m);
    CU_ASSERT_STRING_EQUAL(f.name, saltus_name(SALTUS_MODELS, n));
    CU_ASSERT(f.span > 0 && f.n_state > 0 && f.watched < f.n_state);
    for (int i = 0; i < f.n_param; ++i) {
      const saltus_quantity q = saltus_model_param(m, i);
      CU_ASSERT(q.name && q.unit && q.least <= q.preset && q.preset <= q.most);
    }
    CU_ASSERT(saltus_model_param(m, f.n_param).name == NULL);
    CU_ASSERT(saltus_model_state(m, f.n_state).name == NULL &&
              saltus_model_state(m, -1).name == NULL);
    saltus_model_close(m);
  }
  CU_ASSERT(n == SAL_N_MODEL);
  CU_ASSERT_STRING_EQUAL(saltus_name(SALTUS_SOLVERS, 0), sal_registry_methods[0]->name);
  CU_ASSERT(saltus_name(SALTUS_SOLVERS, SAL_N_METHOD) == NULL);
  CU_ASSERT(saltus_name(SALTUS_STRATEGIES, -1) == NULL);
  CU_ASSERT(sal_memory_live() == before);
}

static void options_are_words_by_number(void)
{
  int options = 0;

  for (int i = 0; i < SAL_N_MODEL; ++i) {
    const sal_model *m = sal_registry_models[i];
    saltus_model *model;
    CU_ASSERT_FATAL(saltus_model_open(m->name, &model) == SALTUS_OK);
    for (int o = 0; o < m->n_option; ++o, ++options) {
      const saltus_quantity q = saltus_model_param(model, m->n_param + o);
      CU_ASSERT_STRING_EQUAL(q.name, m->option[o].name);
      CU_ASSERT_FATAL(q.word != NULL);
      CU_ASSERT_STRING_EQUAL(q.word[0], m->option[o].choice[0]);
      CU_ASSERT(q.preset == 0 && q.word[(int)q.most] && !q.word[(int)q.most + 1]);
    }
    saltus_model_close(model);
  }
  CU_ASSERT(options > 0);
}

static void events_have_their_names(void)
{
  saltus_model *m;

  CU_ASSERT_FATAL(saltus_model_open("monopod", &m) == SALTUS_OK);
  CU_ASSERT_STRING_EQUAL(saltus_model_event(m, 0, 1),
                         sal_registry_model("monopod")->contact[0].closes);
  CU_ASSERT_STRING_EQUAL(saltus_model_event(m, 0, 0),
                         sal_registry_model("monopod")->contact[0].opens);
  CU_ASSERT(saltus_model_event(m, saltus_model_about(m).n_contact, 1) == NULL);
  saltus_model_close(m);
}

static void what_is_no_model_is_refused_and_hands_out_nothing(void)
{
  const long before = sal_memory_live();
  saltus_model *m = (saltus_model *)&m;

  CU_ASSERT(saltus_model_open("monopd", &m) == SALTUS_INVALID && m == NULL);
  CU_ASSERT(says("unknown model 'monopd'") && says("did you mean 'monopod'?"));
  CU_ASSERT(saltus_model_open(NULL, &m) == SALTUS_INVALID && m == NULL && says("name is NULL"));
  CU_ASSERT(saltus_model_open("nowhere.yaml", &m) == SALTUS_FILE && says("nowhere.yaml"));
  CU_ASSERT(saltus_model_open("evil.so", &m) == SALTUS_INVALID &&
            says("none is compiled or loaded"));
  CU_ASSERT(saltus_model_parse("equations: 1\nname: x\nstates: {y: {preset: 1}}\nflow: {y: -z}\n",
                               &m) == SALTUS_INVALID);
  CU_ASSERT(m == NULL && says("text:4") && says("'z'"));
  CU_ASSERT(saltus_model_parse(NULL, &m) == SALTUS_INVALID);
  CU_ASSERT(saltus_model_open("decay", &m) == SALTUS_OK);
  CU_ASSERT_STRING_EQUAL(saltus_message(), "");
  saltus_model_close(m);
  saltus_model_close(NULL);
  CU_ASSERT(sal_memory_live() == before);
}

static void outcomes_have_words(void)
{
  const char *sentence;

  CU_ASSERT_STRING_EQUAL(saltus_outcome(0, NULL), "done");
  CU_ASSERT_STRING_EQUAL(saltus_outcome(-1, &sentence), "halted");
  CU_ASSERT(strstr(sentence, "asked") != NULL);
  CU_ASSERT_STRING_EQUAL(saltus_outcome(1000, &sentence), "unknown");
}

/* A status with a message, or nothing at all. */
static void no_pointer_may_be_null_and_crash(void)
{
  const saltus_functions empty = {.n_state = 1};
  double one = 1;
  const saltus_runs runs = {.n = 1};
  saltus_model *m, *none = NULL;
  saltus_cube *c;
  saltus_answer a;

  CU_ASSERT_FATAL(saltus_model_open("decay", &m) == SALTUS_OK);
  const saltus_status status[] = {
      saltus_model_open(NULL, &none),
      saltus_model_open("decay", NULL),
      saltus_model_parse(NULL, &none),
      saltus_model_parse("x: 1\n", NULL),
      saltus_model_of_functions(NULL, &none),
      saltus_model_of_functions(&empty, NULL),
      saltus_model_of_functions(&empty, &none),
      saltus_integrate(NULL, NULL, &runs),
      saltus_integrate(m, NULL, NULL),
      saltus_cube_open(NULL, NULL, &c),
      saltus_cube_open("x.h5", NULL, NULL),
      saltus_cube_ask(NULL, "b=1", 1, 0, &a),
      saltus_cube_costs(NULL, 1, &one, 1, &one, &one, &one),
      saltus_cube_runs(NULL, 1, (int64_t[]){0}, &one, &one),
      saltus_advise(NULL, &(saltus_around){.error = 1}, &a),
      saltus_advise(m, NULL, &a),
      saltus_advise(m, &(saltus_around){.error = 1}, NULL),
  };
  for (size_t i = 0; i < sizeof status / sizeof *status; ++i)
    CU_ASSERT(status[i] == SALTUS_INVALID);
  CU_ASSERT(saltus_advise(m, NULL, &a) == SALTUS_INVALID && says("advise: around is NULL"));
  CU_ASSERT(saltus_integrate(NULL, NULL, &runs) == SALTUS_INVALID && says("model is NULL"));
  CU_ASSERT(saltus_model_about(NULL).name == NULL && saltus_model_about(NULL).n_state == 0);
  CU_ASSERT(saltus_model_param(NULL, 0).name == NULL && saltus_model_state(NULL, 0).name == NULL);
  CU_ASSERT(saltus_model_event(NULL, 0, 1) == NULL && saltus_cube_axis(NULL, 0).name == NULL);
  CU_ASSERT(saltus_cube_config(NULL, 0).solver == NULL);
  CU_ASSERT(saltus_integrate(m, NULL, &runs) == SALTUS_OK);
  saltus_cube_close(NULL);
  saltus_model_close(NULL);
  saltus_model_close(m);
}

static void a_wrong_variable_of_the_environment_is_refused(void)
{
  saltus_cube *c;

  setenv("SALTUS_ROWS_MEMORY", "much", 1);
  CU_ASSERT(saltus_cube_open("none.h5", NULL, &c) == SALTUS_INVALID && says("SALTUS_ROWS_MEMORY"));
  unsetenv("SALTUS_ROWS_MEMORY");
  CU_ASSERT(saltus_cube_open("none.h5", NULL, &c) != SALTUS_OK && says("none.h5"));
}

/* Three rates of decay, and five. */
static void a_text_has_the_members_of_its_counts(void)
{
  saltus_model *preset, *five = NULL;
  double end[5];

  CU_ASSERT_FATAL(saltus_model_parse("equations: 1\nname: rates\nspan: 1\n"
                                     "counts: {n: {preset: 3, range: [1, 9], allowed: [1, 9]}}\n"
                                     "states: {x: {for: i in 1..n, preset: 1}}\n"
                                     "flow: {x: {for: i in 1..n, is: -i * x(i)}}\n",
                                     &preset) == SALTUS_OK);
  CU_ASSERT(saltus_model_about(preset).n_state == 3 && saltus_model_about(preset).n_count == 1);
  CU_ASSERT(saltus_model_members(preset, (double[]){10}, &five) == SALTUS_INVALID && !five);
  CU_ASSERT(says("allowed: from 1 to 9"));
  CU_ASSERT_FATAL(saltus_model_members(preset, (double[]){5}, &five) == SALTUS_OK);
  saltus_model_close(preset);
  CU_ASSERT(saltus_model_about(five).n_state == 5);
  CU_ASSERT(saltus_integrate(five, NULL, &(saltus_runs){.n = 1, .end = end}) == SALTUS_OK);
  for (int i = 0; i < 5; ++i) CU_ASSERT(fabs(end[i] - exp(-1 - i)) < 1e-5);
  CU_ASSERT(saltus_model_members(NULL, (double[]){5}, &preset) == SALTUS_INVALID);
  saltus_model_close(five);
  CU_ASSERT_FATAL(saltus_model_open("monopod", &five) == SALTUS_OK);
  CU_ASSERT(saltus_model_members(five, (double[]){5}, &preset) == SALTUS_INVALID);
  CU_ASSERT(says("model monopod has no counts"));
  saltus_model_close(five);
}

/* Errors grow by e^12 here: no tolerance that follows from the error alone reaches it. */
static void tolerances_follow_the_first_cells(void)
{
  saltus_model *m;
  saltus_answer a;

  CU_ASSERT_FATAL(
      saltus_model_parse("equations: 1\nname: grows\nspan: 1\nstates: {y: {preset: 1}}\n"
                         "parameters: {k: {preset: 12, range: [1, 20]}}\nflow: {y: k * y}\n",
                         &m) == SALTUS_OK);
  alarm(10000);
  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 1e-2}, &a) == SALTUS_OK);
  CU_ASSERT(a.estimated_error <= 1e-2 && a.attempts <= 2);
  CU_ASSERT(alarm(0) > 0); /* the timer is the caller's */
  saltus_model_close(m);
}

/* Errors grow by e^11 at the point, and by so much more in most cells around it that their references do not reach the error; x is
 * the cosine of time. */
static void solvers_run_at_the_point_alone_where_references_fail(void)
{
  saltus_model *m;
  saltus_answer a;
  double end[1];

  CU_ASSERT_FATAL(
      saltus_model_parse("equations: 1\nname: parts\nspan: 22\nstates: {x: {preset: 1}}\n"
                         "parameters: {a: {preset: 0.9, range: [0.85, 0.95]}}\n"
                         "flow: {x: (0.5 + 6000 * (a - 0.9)^2) * (x - cos(t)) - sin(t)}\n",
                         &m) == SALTUS_OK);
  CU_ASSERT_FATAL(saltus_advise(m, &(saltus_around){.error = 1e-3}, &a) == SALTUS_OK);
  CU_ASSERT(a.n_attempt == 0 && a.attempts > 1 && isnan(a.best.probability));
  CU_ASSERT(a.estimated_error == a.best.error && a.estimated_error <= 1e-3);
  const saltus_setup setup = {
      .solver = a.best.solver, .strategy = a.best.strategy, .rtol = a.best.rtol};
  CU_ASSERT(saltus_integrate(m, &setup, &(saltus_runs){.n = 1, .end = end}) == SALTUS_OK);
  CU_ASSERT(fabs(end[0] - cos(22)) <= 1e-3);
  saltus_model_close(m);
}

/* With its preset the discrete state would let x grow without bounds before the end. */
static void advice_begins_with_the_discrete_states_that_follow(void)
{
  saltus_model *m;
  saltus_answer a;

  CU_ASSERT_FATAL(
      saltus_model_parse(
          "equations: 1\nname: turned\nspan: 3\nstates: {x: {preset: 1}, v: {preset: 1}}\n"
          "discrete: {s: {preset: -1, values: [-1, 1], start: 1 if v > 0 else -1}}\n"
          "flow: {x: -x if s > 0 else x^2, v: -v}\n",
          &m) == SALTUS_OK);
  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 1e-2}, &a) == SALTUS_OK);
  const double start[] = {1, 1, 1};
  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 1e-2, .initial = start}, &a) ==
                SALTUS_INVALID &&
            says("initial: s follows from the other initial states"));
  saltus_model_close(m);
}

/* Ample time changes nothing; without any, no cell counts, nor has a run at the point an end. */
static void advice_keeps_the_time_it_was_given(void)
{
  const int halt = 1;
  saltus_model *m;
  saltus_answer any, ample, a;

  CU_ASSERT_FATAL(saltus_model_open("decay", &m) == SALTUS_OK);
  CU_ASSERT_FATAL(saltus_advise(m, &(saltus_around){.error = 1e-2}, &any) == SALTUS_OK);
  CU_ASSERT_FATAL(saltus_advise(m, &(saltus_around){.error = 1e-2, .seconds = 1e4}, &ample) ==
                  SALTUS_OK);
  CU_ASSERT(ample.best.total == any.best.total && ample.best.probability == any.best.probability);
  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 1e-2, .seconds = 1e-6}, &a) ==
                SALTUS_INVALID &&
            says("allowed: more time"));
  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 1e-2, .seconds = 1e4, .halt = &halt}, &a) ==
            SALTUS_HALTED);
  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 1e-2, .seconds = -1}, &a) == SALTUS_INVALID);
  saltus_model_close(m);
}

SAL_TEST_MAIN("C library: models", NULL,
              {"every name opens a model", every_name_opens_a_model_and_is_listed_once},
              {"advice begins with the discrete states that follow",
               advice_begins_with_the_discrete_states_that_follow},
              {"options are words by number", options_are_words_by_number},
              {"events have names", events_have_their_names},
              {"an invalid model is refused", what_is_no_model_is_refused_and_hands_out_nothing},
              {"no pointer may be NULL and crash", no_pointer_may_be_null_and_crash},
              {"a wrong variable of the environment is refused",
               a_wrong_variable_of_the_environment_is_refused},
              {"outcomes have words", outcomes_have_words},
              {"a text has the members of its counts", a_text_has_the_members_of_its_counts},
              {"tolerances follow the first cells", tolerances_follow_the_first_cells},
              {"solvers run at the point alone where references fail",
               solvers_run_at_the_point_alone_where_references_fail},
              {"advice keeps the time it was given", advice_keeps_the_time_it_was_given})
