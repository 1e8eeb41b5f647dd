/** Models from files as flows: gaps and their rates, f and J at a single point and in the memory of a
 *  trajectory, jumps.
 */
#include "differences.h"
#include "integrate.h"
#include "model_text.h"

/* A point near the initial state. */
typedef struct {
  const sal_model *m;
  double param[SAL_MAX_P], y[SAL_MAX_STATE], slope[SAL_MAX_STATE];
  bool closed[8];
} point;

static point point_of(const sal_model_file *file, bool closed, double by)
{
  point at = {.m = sal_model_file_model(file)};
  unsigned seed = 5;
  const int n = sal_model_continuous(at.m);

  for (int i = 0; i < at.m->n_param; ++i) at.param[i] = at.m->param[i].preset;
  at.param[at.m->n_param] = 1; /* tires only push */
  for (int i = 0; i < at.m->n_state; ++i) {
    at.y[i] = at.m->state[i].preset;
    if (i < n) at.y[i] += by * (2 * i < n ? 0.02 : 1) * draw(&seed), at.slope[i] = draw(&seed);
  }
  for (int k = 0; k < 8; ++k) at.closed[k] = closed;
  return at;
}

static void gaps_along(const point *at, double by, double gap[])
{
  double y[SAL_MAX_STATE], rate[SAL_MAX_GUARD];

  memcpy(y, at->y, sizeof y);
  for (int i = 0; i < sal_model_continuous(at->m); ++i) y[i] += by * at->slope[i];
  sal_model_rates(at->m, at->param, at->closed, 0, y, at->slope, gap, rate);
}

static void check_rates(const char *name, bool closed, double by, double h)
{
  sal_model_file *file = read_model(name);
  const point at = point_of(file, closed, by);
  static double gap[6][SAL_MAX_GUARD], here[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];

  sal_model_rates(at.m, at.param, at.closed, 0, at.y, at.slope, here, rate);
  for (int i = 0; i < 6; ++i) gaps_along(&at, sixth_order_at[i] * h, gap[i]);
  double most = 0;
  for (int k = 0; k < at.m->n_guard; ++k) {
    const double f[6] = {gap[0][k], gap[1][k], gap[2][k], gap[3][k], gap[4][k], gap[5][k]};
    const double d = sixth_order(f, h);
    most = fmax(most, fabs(rate[k]));
    CU_ASSERT_DOUBLE_EQUAL(rate[k], d, 1e-8 * (1 + fabs(rate[k])));
  }
  CU_ASSERT(most > 1e-3);
  sal_model_file_free(file);
}

static void rates_are_those_of_the_gaps(void)
{
  check_rates("hopping-leg-dae.yaml", false, 1, 1e-2);
  check_rates("hopping-leg-dae.yaml", true, 1, 1e-2); /* of the multiplier */
  check_rates("vehicle.yaml", true, 0.2, 1e-4);
  check_rates("vehicle.yaml", false, 0.2, 1e-4);
  check_rates("double-pendulum-cartesian.yaml", false, 1, 1e-4);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Tires that may pull have no gaps that matter. */
static void bilateral_tires_stay(void)
{
  sal_model_file *file = read_model("vehicle.yaml");
  point at = point_of(file, true, 0.2);
  double gap[SAL_MAX_GUARD], f[2][SAL_MAX_STATE];
  const bool open[8] = {false};

  at.param[at.m->n_param] = 0;
  sal_model_gaps(at.m, at.param, 0, at.y, gap);
  for (int k = 0; k < 4; ++k) CU_ASSERT(gap[k] < 0);
  sal_model_field(at.m, at.param, at.closed, 0, at.y, f[0]);
  sal_model_field(at.m, at.param, open, 0, at.y, f[1]);
  CU_ASSERT_EQUAL(memcmp(f[0], f[1], 36 * sizeof(double)), 0);
  at.param[at.m->n_param] = 1;
  sal_model_field(at.m, at.param, open, 0, at.y, f[1]);
  CU_ASSERT(fabs(f[0][20] - f[1][20]) > 0 || fabs(f[0][22] - f[1][22]) > 0);
  sal_model_file_free(file);
}

/* In the coordinates that the pendulum has chosen, other ones describe the same state. */
static void another_partition_is_the_same_point(void)
{
  sal_model_file *file = read_model("double-pendulum-cartesian.yaml");
  point at = point_of(file, false, 0);
  double before[7], f[4], gap[1], rate[1], slope[4] = {0};

  at.y[0] -= 0.8; /* both rods turn on */
  at.y[1] -= 0.9;
  memcpy(before, at.y, sizeof before);
  sal_model_rates(at.m, at.param, at.closed, 0, at.y, slope, gap, rate);
  at.closed[0] = true;
  sal_model_jump(at.m, at.param, 0, at.closed, 0, at.y);
  CU_ASSERT_FALSE(at.closed[0]);
  CU_ASSERT(before[4] != at.y[4] || before[5] != at.y[5]);
  sal_model_rates(at.m, at.param, at.closed, 0, at.y, slope, gap, rate);
  CU_ASSERT_DOUBLE_EQUAL(gap[0], log(1.25), 1e-12);
  sal_model_field(at.m, at.param, at.closed, 0, at.y, f);
  CU_ASSERT(isfinite(f[2]) && isfinite(f[3]));
  /* and back again by the same solver */
  solver s = open_solver(file);
  const int v[2] = {(int)before[4], (int)before[5]}, w[2] = {(int)at.y[4], (int)at.y[5]};
  sal_reduced_choose(s.r, v);
  CU_ASSERT(sal_reduced_move(s.r, before, before + 2));
  CU_ASSERT_DOUBLE_EQUAL(s.r->q[w[0]], at.y[0], 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(s.r->q[w[1]], at.y[1], 1e-12);
  close_solver(&s);
  sal_model_file_free(file);
}

static void a_landing_stops_the_foot(void)
{
  sal_model_file *file = read_model("hopping-leg-dae.yaml");
  point at = point_of(file, true, 0);
  double y[4] = {0.1, 1e-9, -1, -2};

  sal_model_jump(at.m, at.param, 0, at.closed, 0, y);
  CU_ASSERT(at.closed[0]);
  CU_ASSERT(y[0] == 0.1 && y[1] == 0 && y[3] == 0);
  CU_ASSERT_DOUBLE_EQUAL(y[2], -1, 1e-14); /* the hip goes on */
  sal_model_file_free(file);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("flow", NULL, {"rates are those of the gaps", rates_are_those_of_the_gaps},
              {"bilateral tires stay", bilateral_tires_stay},
              {"another partition is the same point", another_partition_is_the_same_point},
              {"a landing stops the foot", a_landing_stops_the_foot})
