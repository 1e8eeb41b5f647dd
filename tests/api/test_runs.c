/** The C library: many runs, against single trajectories and closed forms; what is refused. */
#include "memory.h"
#include "parameter_column.h"
#include "registry.h"
#include "sal_test.h"
#include "saltus.h"
#include "trajectory.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 61, SAMPLES = 40, EVENTS = 3, STATES = 4 };

static saltus_model *monopod;
static int n_param;
static double param[RUNS][SAL_MAX_PARAM];

static bool says(const char *words) { return strstr(saltus_message(), words) != NULL; }

/* Hoppers whose leg becomes stiffer from run to run. */
static int setup(void)
{
  double initial[SAL_MAX_STATE], preset[SAL_MAX_PARAM + SAL_MAX_OPTION];
  const sal_model *m = sal_registry_model("monopod");

  if (saltus_model_open("monopod", &monopod) != SALTUS_OK) return 1;
  sal_parameter_presets(m, preset, initial);
  n_param = m->n_param + m->n_option;
  double *row = param[0];
  for (int i = 0; i < RUNS; ++i, row += n_param)
    for (int p = 0; p < n_param; ++p)
      row[p] =
          preset[p] * (p < m->n_param && strcmp(m->param[p].name, "k") == 0 ? 1 + i * 0.01 : 1);
  return 0;
}

typedef struct {
  double end[RUNS][STATES], state[RUNS][SAMPLES + 1][STATES], after[RUNS][EVENTS][STATES];
  saltus_figures figures[RUNS];
  saltus_event event[RUNS][EVENTS];
} results;

static saltus_status run(const saltus_setup *how, results *r)
{
  memset(r, 0, sizeof *r);
  const saltus_runs runs = {.n = RUNS,
                            .param = param[0],
                            .end = r->end[0],
                            .figures = r->figures,
                            .samples = SAMPLES,
                            .state = r->state[0][0],
                            .most_events = EVENTS,
                            .event = r->event[0],
                            .event_state = r->after[0][0]};
  return saltus_integrate(monopod, how, &runs);
}

static void runs_are_the_trajectories_of_the_program(void)
{
  static results r;
  const saltus_setup how = {.solver = "dop853", .rtol = 1e-7, .t_end = 10};
  const sal_setup same = {.model = sal_registry_model("monopod"),
                          .method = sal_registry_method("dop853"),
                          .strategy = sal_registry_strategy("event"),
                          .rtol = 1e-7,
                          .atol = 1e-7,
                          .t_end = 10};
  double initial[SAL_MAX_STATE], preset[SAL_MAX_PARAM + SAL_MAX_OPTION];

  sal_parameter_presets(same.model, preset, initial);
  CU_ASSERT_FATAL(run(&how, &r) == SALTUS_OK);
  for (int i = 0; i < RUNS; i += 20) {
    sal_trajectory tr;
    CU_ASSERT_FATAL(
        sal_trajectory_run(&same, param[0] + i * n_param, initial, 10.0 / SAMPLES, &tr) == SAL_OK);
    CU_ASSERT(memcmp(r.end[i], tr.end, sizeof r.end[i]) == 0);
    CU_ASSERT(memcmp(r.state[i], tr.state, sizeof r.state[i]) == 0);
    CU_ASSERT(r.figures[i].events == tr.n_event && tr.n_event > 0);
    CU_ASSERT(r.figures[i].evaluations == (int64_t)tr.record.value[SAL_METRIC_RHS]);
    CU_ASSERT(r.figures[i].steps == (int64_t)tr.record.value[SAL_METRIC_STEPS]);
    CU_ASSERT(r.figures[i].completed == 1 && r.figures[i].t == 10);
    for (int e = 0; e < EVENTS && e < tr.n_event; ++e) {
      CU_ASSERT(r.event[i][e].t == tr.event[e].t && r.event[i][e].closes == tr.event[e].closes);
      CU_ASSERT(memcmp(r.after[i][e], tr.event[e].y, sizeof r.after[i][e]) == 0);
    }
    sal_trajectory_free(&tr);
  }
}

static void lanes_and_threads_change_no_bit(void)
{
  static results one, other;
  static const int lanes[] = {1, 4, 8, 0}, threads[] = {1, 3, 8};

  CU_ASSERT_FATAL(run(&(saltus_setup){.lanes = 1, .t_end = 8}, &one) == SALTUS_OK);
  for (int l = 0; l < 4; ++l)
    for (int t = 0; t < 3; ++t) {
      const saltus_setup how = {.lanes = lanes[l], .threads = threads[t], .t_end = 8};
      CU_ASSERT_FATAL(run(&how, &other) == SALTUS_OK);
      CU_ASSERT(memcmp(&one, &other, sizeof one) == 0);
    }
  CU_ASSERT(memcmp(one.end[0], one.end[RUNS - 1], sizeof one.end[0]) != 0);
}

/* Dropped from height h, e of the speed is left by each impact: the first one at sqrt(2 h / g), the next one
 * 2 e times as much later. */
static void a_ball_from_a_text_bounces_as_it_must(void)
{
  static const char text[] =
      "equations: 1\n"
      "name: my-ball\n"
      "span: 1\n"
      "parameters: {e: {preset: 0.5, allowed: [0, 1]}}\n"
      "states: {y: {unit: m, preset: 1}, v: {unit: m/s, preset: 0, rate_of: y}}\n"
      "contacts:\n"
      "  floor: {names: [impact, leap], gap: y, closes: {y: 0, v: -e * v}}\n"
      "flow: {y: v, v: -9.81}\n";
  const double e[3] = {0.5, 0.7, 0.9}, height[3][2] = {{1, 0}, {1, 0}, {0.3, 0}};
  saltus_event event[3][4] = {{{0}}};
  saltus_figures figures[3] = {{0}};
  saltus_model *ball;
  const saltus_runs runs = {.n = 3,
                            .param = e,
                            .initial = height[0],
                            .figures = figures,
                            .most_events = 4,
                            .event = event[0]};
  const long before = sal_memory_live();

  CU_ASSERT_FATAL(saltus_model_parse(text, &ball) == SALTUS_OK);
  CU_ASSERT_STRING_EQUAL(saltus_model_state(ball, 1).unit, "m/s");
  CU_ASSERT_FATAL(saltus_integrate(ball, &(saltus_setup){.rtol = 1e-10}, &runs) == SALTUS_OK);
  for (int i = 0; i < 3; ++i) {
    const double first = sqrt(2 * height[i][0] / 9.81), second = first * (1 + 2 * e[i]);
    int met = 0;
    for (int k = 0; k < 4 && k < figures[i].events; ++k) {
      if (!event[i][k].closes) continue;
      CU_ASSERT_DOUBLE_EQUAL(event[i][k].t, met == 0 ? first : second, 1e-9);
      if (++met == 2) break;
    }
    CU_ASSERT(met == 2 || second > 1);
  }
  saltus_model_close(ball);
  CU_ASSERT(sal_memory_live() == before);
}

/* A refused call runs nothing. */
static void refused(const saltus_setup *how, const saltus_runs *runs, const char *words)
{
  CU_ASSERT(saltus_integrate(monopod, how, runs) == SALTUS_INVALID);
  CU_ASSERT(says(words));
  if (!says(words)) fprintf(stderr, "'%s' is not in '%s'\n", words, saltus_message());
}

static void what_is_not_allowed_is_refused_before_anything_runs(void)
{
  const long before = sal_memory_live();
  double end[RUNS][STATES] = {{7}}, bad[RUNS * SAL_MAX_PARAM];
  const saltus_runs runs = {.n = 1, .end = end[0]};

  refused(&(saltus_setup){.solver = "ode54"}, &runs, "did you mean 'ode45'?");
  refused(&(saltus_setup){.solver = "no.yaml"}, &(saltus_runs){.n = -1}, "n = -1");
  refused(&(saltus_setup){.strategy = "evnt"}, &runs, "did you mean 'event'?");
  refused(&(saltus_setup){.rtol = 2}, &runs, "rtol: tolerance = 2 is out of range");
  refused(&(saltus_setup){.atol = -1e-6}, &runs, "atol");
  refused(&(saltus_setup){.t_end = -1}, &runs, "t_end = -1 is out of range");
  refused(&(saltus_setup){.t_end = NAN}, &runs, "t_end = nan");
  refused(&(saltus_setup){.lanes = 3}, &runs, "lanes = 3");
  refused(&(saltus_setup){.threads = -2}, &runs, "threads = -2");
  refused(NULL, &(saltus_runs){.n = 1, .state = end[0]}, "samples = 0");
  refused(NULL, &(saltus_runs){.n = 1, .event_state = end[0]}, "`event`");
  memcpy(bad, param, sizeof bad);
  bad[17 * n_param] = NAN;
  refused(NULL, &(saltus_runs){.n = RUNS, .param = bad, .end = end[0]},
          "in run 17, counted from 0");
  CU_ASSERT(end[0][0] == 7);
  CU_ASSERT(saltus_integrate(monopod, NULL, &(saltus_runs){.n = 0}) == SALTUS_OK);
  CU_ASSERT(sal_memory_live() == before);
}

static void *run_here(void *status)
{
  *(saltus_status *)status = saltus_integrate(monopod, NULL, &(saltus_runs){.n = 1});
  return says("stack of this thread has") ? status : NULL;
}

static void small_stacks_are_refused(void)
{
  saltus_status status = SALTUS_OK;
  pthread_attr_t attr;
  pthread_t thread;
  void *told;

  for (int size = 256; size <= 8192; size *= 32) { /* kB */
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, (size_t)size << 10);
    CU_ASSERT_FATAL(pthread_create(&thread, &attr, run_here, &status) == 0);
    pthread_join(thread, &told);
    pthread_attr_destroy(&attr);
    CU_ASSERT(status == (size == 256 ? SALTUS_INVALID : SALTUS_OK));
    CU_ASSERT(told == (size == 256 ? &status : NULL));
  }
  setenv("OMP_STACKSIZE", "256k", 1);
  refused(&(saltus_setup){.threads = 2}, &(saltus_runs){.n = 1}, "stacks of threads have 256 kB");
  CU_ASSERT(saltus_integrate(monopod, NULL, &(saltus_runs){.n = 1}) == SALTUS_OK);
  setenv("OMP_STACKSIZE", "2M", 1);
  CU_ASSERT(saltus_integrate(monopod, &(saltus_setup){.threads = 2}, &(saltus_runs){.n = 1}) ==
            SALTUS_OK);
  unsetenv("OMP_STACKSIZE");
  refused(&(saltus_setup){.threads = 1025}, &(saltus_runs){.n = 1}, "threads = 1025");
}

static void a_halt_that_is_raised_ends_all_runs(void)
{
  static results r;
  const int halt = 1;

  CU_ASSERT(run(&(saltus_setup){.halt = &halt}, &r) == SALTUS_HALTED);
  CU_ASSERT(says("61 of 61 runs"));
  CU_ASSERT(r.figures[RUNS - 1].outcome == -1 && !r.figures[RUNS - 1].completed);
}

static void a_budget_ends_a_run(void)
{
  for (int large = 0; large < 2; ++large) {
    saltus_figures f = {0};
    const saltus_setup setup = {.rtol = 1e-9, .budget = large ? 1e7 : 500};
    CU_ASSERT(saltus_integrate(monopod, &setup, &(saltus_runs){.n = 1, .figures = &f}) ==
              SALTUS_OK);
    CU_ASSERT_STRING_EQUAL(saltus_outcome(f.outcome, NULL), large ? "done" : "over_budget");
    CU_ASSERT(large ? f.evaluations > 1000 : f.evaluations > 500 && f.evaluations < 600);
    CU_ASSERT(f.completed == large && (f.t < 50) == !large);
  }
  refused(&(saltus_setup){.budget = -1}, &(saltus_runs){.n = 1}, "budget = -1");
}

SAL_TEST_MAIN("C library: runs", setup,
              {"runs are the program's trajectories", runs_are_the_trajectories_of_the_program},
              {"lanes and threads change no bit", lanes_and_threads_change_no_bit},
              {"a ball from a text", a_ball_from_a_text_bounces_as_it_must},
              {"what is not allowed is refused",
               what_is_not_allowed_is_refused_before_anything_runs},
              {"small stacks are refused", small_stacks_are_refused},
              {"a budget ends a run", a_budget_ends_a_run},
              {"a halt ends all runs", a_halt_that_is_raised_ends_all_runs})
