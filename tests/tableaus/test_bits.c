/** Solvers from texts: the constants and the runs of the program's own pairs, and the same bits at every width.
 */
#define SAL_LANES 1 /* the constants of tableau.h */
#include "kernels/run_one.h"
#include "methods/tableau.h"
#include "solver_text.h"

enum { JOBS = 7, MESH = 50 };

/** Results of a batch. */
typedef struct {
  sal_record record[JOBS];
  double state[JOBS][(MESH + 1) * 4];
} harvest;

static void reap(const sal_setup *setup, int width, harvest *out)
{
  double param[JOBS][SAL_MAX_PARAM + SAL_MAX_OPTION], initial[JOBS][SAL_MAX_STATE];
  sal_samples samples[JOBS];
  sal_job job[JOBS];
  const sal_model *m = setup->model;

  memset(out, 0, sizeof *out);
  for (int i = 0; i < JOBS; ++i) {
    for (int k = 0; k < m->n_param; ++k) param[i][k] = m->param[k].preset * (1 + 0.01 * i);
    for (int k = 0; k < m->n_option; ++k) param[i][m->n_param + k] = 0;
    for (int k = 0; k < m->n_state; ++k) initial[i][k] = m->state[k].preset * (1 + 0.02 * i);
    samples[i] = (sal_samples){.n_mesh = MESH, .state = out->state[i]};
    job[i] = (sal_job){.param = param[i], .initial = initial[i], .samples = &samples[i]};
  }
  run_batch(setup, width, JOBS, job, out->record);
}

static bool same(const harvest *a, const harvest *b)
{
  bool all = memcmp(a->state, b->state, sizeof a->state) == 0;

  for (int i = 0; i < JOBS; ++i)
    for (int k = 0; k < SAL_N_METRIC; ++k) {
      const double x = a->record[i].value[k], y = b->record[i].value[k];
      all &= memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y));
    }
  return all;
}

typedef void check_setup(const sal_setup *setup);

/* On systems with impacts, on a smooth one, by strategies that locate, project or read the mode. */
static void for_every_run(const sal_method *method, check_setup *check)
{
  static const char *const models[] = {"monopod", "vibro-impact", "stick-slip", "decay"};
  static const char *const strategies[] = {"event", "switch", "ess", "ess2"};

  for (size_t m = 0; m < sizeof models / sizeof *models; ++m)
    for (size_t s = 0; s < sizeof strategies / sizeof *strategies; ++s) {
      sal_setup setup = config(models[m], "ode45", strategies[s], 1e-6, 6);
      setup.method = method;
      setup.max_attempts = 20000;
      if (setup.model->resets && s > 0) continue;
      setup.n_guard = setup.model->n_guard;
      check(&setup);
    }
}

static harvest one, other;
static int with_steps;

static void check_widths(const sal_setup *setup)
{
  reap(setup, 1, &one);
  with_steps += one.record[0].value[SAL_METRIC_STEPS] > 10;
  for (int width = 4; width <= 8; width *= 2) {
    if (width > sal_integrate_widest()) continue;
    reap(setup, width, &other);
    CU_ASSERT(same(&one, &other));
  }
}

static void every_width_has_the_same_bits(void)
{
  static const char *const names[] = {"dormand-prince", "bogacki-shampine", "ros34pw2",
                                      "rosenbrock23"};

  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    sal_tableau_text *solver = solver_named(names[i]);
    with_steps = 0;
    for_every_run(&solver->method, check_widths);
    CU_ASSERT(with_steps >= 8);
    sal_tableau_text_free(solver);
  }
}

static const sal_method *built;

static void check_built(const sal_setup *setup)
{
  sal_setup own = *setup;

  own.method = built;
  reap(setup, 1, &one);
  reap(&own, 1, &other);
  CU_ASSERT(same(&one, &other));
  reap(&own, sal_integrate_widest(), &other);
  CU_ASSERT(same(&one, &other));
}

static void compare_constants(const sal_tableau *a, const sal_tableau *b)
{
  CU_ASSERT(a->stages == b->stages && a->degree == b->degree);
  CU_ASSERT(memcmp(&a->table, &b->table, sizeof a->table) == 0);
  for (int i = 0; i < a->stages; ++i) CU_ASSERT_EQUAL(a->e[i], b->e[i]);
  for (int i = 0; i < a->stages; ++i)
    for (int j = 0; j < a->degree; ++j) CU_ASSERT_EQUAL(a->dense[i][j], b->dense[i][j]);
  CU_ASSERT(a->power == b->power && a->shrink == b->shrink && a->later == b->later);
}

static void a_text_has_the_bits_of_the_pair_of_the_program(void)
{
  static const struct {
    const char *text, *method;
    const sal_tableau *table;
  } pairs[] = {{"dormand-prince", "ode45", &sal_tableau_ode45},
               {"bogacki-shampine", "ode23", &sal_tableau_ode23}};

  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
    sal_tableau_text *solver = solver_named(pairs[i].text);
    compare_constants(solver->method.inner, pairs[i].table);
    built = sal_registry_method(pairs[i].method);
    for_every_run(&solver->method, check_built);
    sal_tableau_text_free(solver);
  }
}

/* The stages of ode23s are made in another order, so its last bits are others, and no more than these. */
static void a_text_of_ode23s_takes_its_steps(void)
{
  sal_tableau_text *solver = solver_named("rosenbrock23");
  sal_setup setup = config("vibro-impact", "ode23s", "event", 1e-6, 6);

  setup.n_guard = setup.model->n_guard;
  setup.max_attempts = 20000;
  reap(&setup, 1, &one);
  setup.method = &solver->method;
  reap(&setup, 1, &other);
  for (int i = 0; i < JOBS; ++i) {
    static const int counts[] = {SAL_METRIC_STEPS, SAL_METRIC_FAILED, SAL_METRIC_EVENTS};
    for (int k = 0; k < 3; ++k)
      CU_ASSERT_EQUAL(one.record[i].value[counts[k]], other.record[i].value[counts[k]]);
    for (int k = 0; k < (MESH + 1) * 2; ++k)
      CU_ASSERT_DOUBLE_EQUAL(one.state[i][k], other.state[i][k], 1e-9);
  }
  CU_ASSERT(!same(&one, &other) && one.record[0].value[SAL_METRIC_EVENTS] > 1);
  sal_tableau_text_free(solver);
}

SAL_TEST_MAIN("bits of solvers from texts", NULL,
              {"every width has the same bits", every_width_has_the_same_bits},
              {"a text has the bits of the pair of the program",
               a_text_has_the_bits_of_the_pair_of_the_program},
              {"a text of ode23s takes its steps", a_text_of_ode23s_takes_its_steps})
