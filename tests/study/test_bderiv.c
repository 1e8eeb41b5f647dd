/** B-derivatives of whole trajectories against closed forms and against differences. */
#include "bderiv_differences.h"
#include "kernels/bounces.h"
#include "kernels/directions.h"
#include "kernels/octants.h"
#include "kernels/run_one.h"
#include "memory.h"
#include "parameter_column.h"
#include "sal_test.h"
#include "sweep.h"
#include <string.h>

/** A derivative and what it borrows. */
typedef struct {
  sal_setup setup;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_bderiv b;
} derived;

static void begin(derived *d, const char *model, double t_end)
{
  d->setup = config(model, "dop853", "event", 1e-13, t_end);
  sal_parameter_presets(d->setup.model, d->param, d->initial);
}

static void derive(derived *d)
{
  d->setup.n_guard = sal_model_guards(d->setup.model, d->param);
  const sal_err err = sal_bderiv_create(&d->setup, d->param, d->initial, &d->b);
  if (err != SAL_OK) fprintf(stderr, "\n    %s\n", sal_err_message());
  CU_ASSERT_EQUAL_FATAL(err, SAL_OK);
}

static void map(const derived *d, const double from[], double to[])
{
  CU_ASSERT_EQUAL_FATAL(sal_bderiv_map(&d->b, from, to, NULL), SAL_OK);
}

/* Along every state; matrix[j] is the image of e_j, and it is linear. */
static void map_units(const derived *d, double matrix[])
{
  const int n = d->setup.model->n_state;

  for (int j = 0; j < n; ++j) {
    double unit[SAL_MAX_STATE] = {0};
    unit[j] = 1;
    map(d, unit, matrix + (size_t)j * (size_t)n);
  }
}

static void agree(int n, const double a[], const double b[], double tolerance)
{
  CU_ASSERT(distance(n, a, b) < tolerance * length_of(n, b));
  CU_ASSERT(length_of(n, b) > 0.01);
}

/* ---- single events ---- */

static void decay_has_no_events(void)
{
  derived d;
  double to[1];

  begin(&d, "decay", 2);
  derive(&d);
  map(&d, (double[]){-3}, to);
  CU_ASSERT_EQUAL(d.b.n_instant, 0);
  CU_ASSERT_DOUBLE_EQUAL(to[0], -3 * exp(-2), 1e-13);
  sal_bderiv_free(&d.b);
}

/* The mass on its spring from (z, v) in flight, down, through the stance, and up to time T. */
static void flight(const double p[], long double z, long double v, long double T, long double end[])
{
  const long double g = p[0], w = sqrtl(p[1] / p[2]), l0 = p[3], a = g / (w * w);
  const long double V = sqrtl(v * v + 2 * g * (z - l0)), down = (v + V) / g;
  const long double stance = (2 * acosl(-1) - 2 * atanl(w * V / g)) / w, s = T - down - stance;

  end[0] = l0 + V * s - g * s * s / 2;
  end[1] = V - g * s;
  CU_ASSERT(a > 0 && s > 0 && V - g * s > -V); /* it is up in the air again */
}

static void hopper_through_touchdown_and_liftoff(void)
{
  const long double h = 1e-6L;
  derived d;
  double found[4] = {0}, truth[4];

  begin(&d, "hopper1d", 0.9);
  d.initial[1] = 0.4;
  derive(&d);
  CU_ASSERT_EQUAL(d.b.n_instant, 2);
  map_units(&d, found);
  for (int j = 0; j < 2; ++j) {
    long double up[2], down[2];
    flight(d.param, d.initial[0] + (j ? 0 : h), d.initial[1] + (j ? h : 0), 0.9L, up);
    flight(d.param, d.initial[0] - (j ? 0 : h), d.initial[1] - (j ? h : 0), 0.9L, down);
    for (int i = 0; i < 2; ++i) truth[2 * j + i] = (double)((up[i] - down[i]) / (2 * h));
  }
  agree(4, found, truth, 1e-10);
  sal_bderiv_free(&d.b);
}

/* The damper makes the force jump, so that the saltation matrix is none of identity. */
static void damped_ground_through_four_bounces(void)
{
  const double h = 0x1p-16;
  derived d;
  double found[4] = {0}, truth[4];

  begin(&d, "linear-ground", 10);
  d.param[2] = 2;
  derive(&d);
  CU_ASSERT(d.b.n_instant >= 8);
  map_units(&d, found);
  for (int j = 0; j < 2; ++j) {
    long double end[2][2];
    const double y = d.initial[0], v = d.initial[1];
    const bounces up = bounces_solve(d.param, y + (j ? 0 : h), v + (j ? h : 0), 10);
    const bounces down = bounces_solve(d.param, y - (j ? 0 : h), v - (j ? h : 0), 10);
    CU_ASSERT(up.n == d.b.n_instant + 1 && down.n == up.n);
    bounces_at(&up, 10, end[0]);
    bounces_at(&down, 10, end[1]);
    for (int i = 0; i < 2; ++i) truth[2 * j + i] = (double)((end[0][i] - end[1][i]) / (2 * h));
  }
  agree(4, found, truth, 1e-7);
  sal_bderiv_free(&d.b);
}

/* With V the speed of the first impact: s after the last of m impacts the ball is at
 * e^m V s - g s^2 / 2. */
static void ball_through_impacts(int m, double T)
{
  derived d;
  double found[4] = {0}, truth[4], flights = 1, speed = 1;

  begin(&d, "bouncing-ball", T);
  d.initial[1] = 0.3;
  derive(&d);
  CU_ASSERT_EQUAL(d.b.n_instant, m);
  map_units(&d, found);
  const double g = d.param[0], e = d.param[1], y = d.initial[0], v = d.initial[1];
  for (int i = 1; i < m; ++i) flights += 2 * pow(e, i);
  for (int i = 0; i < m; ++i) speed *= e;
  const double V = sqrt(v * v + 2 * g * y), s = T - (v + flights * V) / g;
  const double dV[] = {g / V, v / V}, dt[] = {flights / V, (1 + flights * v / V) / g};
  for (size_t j = 0; j < 2; ++j) {
    truth[2 * j] = speed * s * dV[j] - (speed * V - g * s) * dt[j];
    truth[2 * j + 1] = speed * dV[j] + g * dt[j];
  }
  agree(4, found, truth, 1e-10);
  sal_bderiv_free(&d.b);
}

static void ball_through_one_two_and_three_impacts(void)
{
  ball_through_impacts(1, 1);
  ball_through_impacts(2, 1.5);
  ball_through_impacts(3, 2);
}

/* ---- affine3 ---- */

/* exp(A t) v by Taylor's series in small pieces. */
static void flow(const double A[9], double t, double v[3])
{
  enum { PIECES = 64, TERMS = 12 };

  for (int piece = 0; piece < PIECES; ++piece) {
    double term[3] = {v[0], v[1], v[2]};
    for (int k = 1; k <= TERMS; ++k) {
      double next[3] = {0};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) next[i] += A[3 * i + j] * term[j] * t / PIECES / k;
      for (int i = 0; i < 3; ++i) v[i] += term[i] = next[i];
    }
  }
}

/* The four fields on the way, as the paper's table has them, and the planes between them, known to
 * 18 digits; a plane is crossed by delta + (F- - F+) tau. */
static void affine3_is_a_chain_of_exponentials(void)
{
  static const double A[4][9] = {{0, -1, 0, 1, 0, 0, 0, 0, -1},
                                 {0, 1, 0, -1, 0, 0, 0, 0, -1},
                                 {0, 1, 0, -1, 0, 0, 0, 0, 3},
                                 {10, 0, 0, 0, 1, 0, 0, 0, 3}};
  static const struct {
    double t;
    int plane;
    double jump[3]; /* F- - F+ */
    double rate;    /* of that coordinate before */
  } at[3] = {
      {0.209588078334644671, 1, {0, -2 * 0.173864417907084697, 0}, 1 - 0.173864417907084697},
      {0.262364264467491052, 2, {0}, -1},
      {0.369207153821750016,
       0,
       {0.173864417907084697, -0.173864417907084697, 0},
       1 + 0.173864417907084697},
  };
  derived d;

  begin(&d, "affine3", 0.5);
  derive(&d);
  CU_ASSERT_EQUAL_FATAL(d.b.n_instant, 3);
  for (int j = 0; j < 3; ++j) {
    double unit[3] = {0}, found[3], truth[3] = {0}, t = 0;
    unit[j] = truth[j] = 1;
    for (int i = 0; i < 3; ++i) {
      flow(A[i], at[i].t - t, truth);
      const double tau = -truth[at[i].plane] / at[i].rate;
      for (int k = 0; k < 3; ++k) truth[k] += tau * at[i].jump[k];
      t = at[i].t;
    }
    flow(A[3], 0.5 - t, truth);
    map(&d, unit, found);
    agree(3, found, truth, 1e-12);
  }
  sal_bderiv_free(&d.b);
}

/* One decade of the step is one decade of the difference, within `slack`. */
static void falls_linearly(const difference_row row[], int first, int last, double slack)
{
  for (int s = first; s <= last; ++s) {
    CU_ASSERT_EQUAL(row[s].failed, 0);
    CU_ASSERT(row[s].worst >= row[s].mean && row[s].mean > 0);
    if (s == first) continue;
    CU_ASSERT(row[s - 1].mean > (10 - slack) * row[s].mean);
    CU_ASSERT(row[s - 1].mean < (10 + slack) * row[s].mean);
  }
}

static void affine3_is_the_limit_of_differences(void)
{
  enum { N = 3, DIRECTIONS = 50 };
  difference_row row[DIFFERENCE_STEPS];
  double from[DIRECTIONS * N], to[DIRECTIONS * N];
  uint64_t random = 5;
  derived d;

  begin(&d, "affine3", 0.5);
  derive(&d);
  for (int i = 0; i < DIRECTIONS; ++i) {
    random_direction(&random, N, from + (size_t)i * N);
    map(&d, from + (size_t)i * N, to + (size_t)i * N);
  }
  CU_ASSERT_EQUAL_FATAL(check_differences(&d.b, DIRECTIONS, from, to, row), SAL_OK);
  falls_linearly(row, 0, DIFFERENCE_STEPS - 1, 0.5);
  CU_ASSERT(row[0].mean > 1e-3 && row[0].mean < 0.1);
  CU_ASSERT(row[5].worst < 1e-6);
  sal_bderiv_free(&d.b);
}

static void neighbours_that_end_early_do_not_count(void)
{
  const double from[] = {1, 0, 0, 0, 0, 1};
  double to[6];
  difference_row row[DIFFERENCE_STEPS];
  derived d;

  begin(&d, "affine3", 0.5);
  derive(&d);
  for (size_t i = 0; i < 2; ++i) map(&d, from + 3 * i, to + 3 * i);
  d.setup.max_attempts = 5;
  CU_ASSERT_EQUAL_FATAL(check_differences(&d.b, 2, from, to, row), SAL_OK);
  for (int s = 0; s < DIFFERENCE_STEPS; ++s)
    CU_ASSERT(row[s].failed == 2 && isnan(row[s].mean) && isnan(row[s].worst));
  sal_bderiv_free(&d.b);
}

/* ---- corners ---- */

/* Three surfaces at once: the flow is that of a polygon, the derivative has six pieces. */
static void octants_hit_all_six_orders(void)
{
  enum { N = OCTANTS_N, SYSTEMS = 10, DIRECTIONS = 20 };
  int hit[6] = {0};
  double mean[DIFFERENCE_STEPS] = {0}, to[DIRECTIONS * N], from[DIRECTIONS * N], F[N], bend = 0;
  uint64_t random = 2;
  difference_row row[DIFFERENCE_STEPS];

  for (int seed = 0; seed < SYSTEMS; ++seed) {
    derived d = {.param = {seed, 0.2, OCTANTS_USUAL}};
    sal_bderiv_defect defect;
    double matrix[2 * N * N];
    d.setup = config("affine3", "dop853", "event", 1e-13, 0.7);
    d.setup.model = &octants;
    octants_field(seed, 0, F);
    for (int i = 0; i < N; ++i) d.initial[i] = -0.3 * F[i];
    derive(&d);
    CU_ASSERT_FATAL(d.b.n_instant == 1 && d.b.instant[0].n == 3);
    for (int i = 0; i < DIRECTIONS; ++i) {
      double *v = from + (size_t)i * N;
      int order[N];
      random_direction(&random, N, v);
      CU_ASSERT_EQUAL_FATAL(sal_bderiv_map(&d.b, v, to + (size_t)i * N, order), SAL_OK);
      ++hit[2 * order[0] + (order[1] > order[2])];
    }
    CU_ASSERT_EQUAL_FATAL(check_differences(&d.b, DIRECTIONS, from, to, row), SAL_OK);
    falls_linearly(row, 0, DIFFERENCE_STEPS - 2, 2);
    for (int s = 0; s < DIFFERENCE_STEPS; ++s) mean[s] += row[s].mean / SYSTEMS;
    for (int i = 0; i < 2 * N; ++i) {
      double unit[N] = {0};
      unit[i % N] = i < N ? 1 : -1;
      map(&d, unit, matrix + (size_t)i * N);
    }
    CU_ASSERT_EQUAL_FATAL(sal_bderiv_measure(&d.b, matrix, &defect), SAL_OK);
    bend = fmax(bend, fmin(defect.antisymmetry, defect.superposition));
    sal_bderiv_free(&d.b);
  }
  for (int i = 0; i < 6; ++i) CU_ASSERT(hit[i] > 0);
  CU_ASSERT(bend > 0.1);
  for (int s = 1; s < DIFFERENCE_STEPS; ++s)
    CU_ASSERT(mean[s - 1] > 9.5 * mean[s] && mean[s - 1] < 10.5 * mean[s]);
}

/* Position surfaces of a second-order system: whatever the order, the map is linear. */
static void level_plate_lands_linearly(double n)
{
  enum { N = 6, DIRECTIONS = 10 };
  double from[DIRECTIONS * N], to[DIRECTIONS * N], matrix[2 * N * N];
  uint64_t random = 9;
  difference_row row[DIFFERENCE_STEPS];
  sal_bderiv_defect defect;
  derived d;

  begin(&d, "plate", 1);
  d.param[0] = n;
  memcpy(d.initial, (double[]){0, 2.5, 0, 0, 0, 0}, N * sizeof(double));
  derive(&d);
  CU_ASSERT_EQUAL_FATAL(d.b.n_instant, 2);
  for (int i = 0; i < 2; ++i) CU_ASSERT_EQUAL(d.b.instant[i].n, (int)n);
  for (int i = 0; i < DIRECTIONS; ++i) {
    random_direction(&random, N, from + (size_t)i * N);
    map(&d, from + (size_t)i * N, to + (size_t)i * N);
  }
  CU_ASSERT_EQUAL_FATAL(check_differences(&d.b, DIRECTIONS, from, to, row), SAL_OK);
  falls_linearly(row, 0, 4, 0.6);
  CU_ASSERT(row[4].mean < 2e-6 && row[4].mean > 1e-8);
  for (int i = 0; i < 2 * N; ++i) {
    double unit[N] = {0};
    unit[i % N] = i < N ? 1 : -1;
    map(&d, unit, matrix + (size_t)i * N);
  }
  CU_ASSERT_EQUAL_FATAL(sal_bderiv_measure(&d.b, matrix, &defect), SAL_OK);
  CU_ASSERT(defect.antisymmetry < 1e-13 && defect.superposition < 1e-12);
  CU_ASSERT(length_of(N * N, matrix) > 1);
  sal_bderiv_free(&d.b);
}

static void plates_land_level_on_many_springs(void)
{
  for (int i = 0; i < 4; ++i) level_plate_lands_linearly((double[]){2, 10, 50, 200}[i]);
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN("B-derivative", NULL, {"decay has no events", decay_has_no_events},
              {"hopper through touchdown and liftoff", hopper_through_touchdown_and_liftoff},
              {"damped ground through four bounces", damped_ground_through_four_bounces},
              {"ball through one, two and three impacts", ball_through_one_two_and_three_impacts},
              {"affine3 is a chain of exponentials", affine3_is_a_chain_of_exponentials},
              {"affine3 is the limit of differences", affine3_is_the_limit_of_differences},
              {"neighbours that end early do not count", neighbours_that_end_early_do_not_count},
              {"octants hit all six orders", octants_hit_all_six_orders},
              {"plates land level on many springs", plates_land_level_on_many_springs},
              {"memory comes back", memory_comes_back})
