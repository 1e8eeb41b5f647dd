/** Continuation, on maps whose bifurcations are known in closed form. */
#include "memory.h"
#include "sal_test.h"
#include "walk.h"
#include <math.h>
#include <string.h>

/* A map of one or two coordinates, and its derivative, at lambda. */
typedef struct {
  int n, iterate;
  void (*map)(const double x[], const double lambda[], double image[], double J[]);
  double (*admissible)(const double x[]);
  uint64_t (*sequence)(const double x[]);
  const char *(*flaw)(const double x[], const double lambda[]);
} made_up;

/* x -> a x (1 - x): fixed point 1 - 1/a, multiplier 2 - a. */
static void logistic(const double x[], const double l[], double y[], double J[])
{
  y[0] = l[0] * x[0] * (1 - x[0]);
  J[0] = l[0] * (1 - 2 * x[0]);
}

/* Henon, b = 0.3: folds at a = -(1 - b)^2 / 4, period doubling at 3 (1 - b)^2 / 4. */
static void henon(const double x[], const double l[], double y[], double J[])
{
  y[0] = 1 - l[0] * x[0] * x[0] + x[1];
  y[1] = 0.3 * x[0];
  J[0] = -2 * l[0] * x[0];
  J[1] = 1;
  J[2] = 0.3;
  J[3] = 0;
}

/* Delayed logistic map: fixed point 1 - 1/a, multipliers of modulus sqrt(a - 1); torus at a = 2. */
static void delayed(const double x[], const double l[], double y[], double J[])
{
  y[0] = l[0] * x[0] * (1 - x[1]);
  y[1] = x[0];
  J[0] = l[0] * (1 - x[1]);
  J[1] = -l[0] * x[0];
  J[2] = 1;
  J[3] = 0;
}

/* x -> x + a + b x - x^3: folds on 27 a^2 = 4 b^3, which meet in a cusp at 0. */
static void cusp(const double x[], const double l[], double y[], double J[])
{
  y[0] = x[0] + l[0] + l[1] * x[0] - x[0] * x[0] * x[0];
  J[0] = 1 + l[1] - 3 * x[0] * x[0];
}

/* Fixed points on the circle x^2 + lambda^2 = 1. */
static void circle(const double x[], const double l[], double y[], double J[])
{
  y[0] = x[0] + 0.1 * (1 - x[0] * x[0] - l[0] * l[0]);
  J[0] = 1 - 0.2 * x[0];
}

static double half(const double x[]) { return x[0] - 0.5; }
static uint64_t sequence_of_half(const double x[]) { return x[0] > 0.5; }
static const char *no_orbit_above(const double x[], const double l[])
{
  (void)x;
  return l[0] > 1.5 ? "the foot never leaves" : NULL;
}

static void evaluate_one(const made_up *m, const sal_family_start *s, sal_family_value *v)
{
  const int n = m->n;
  const char *flaw = m->flaw ? m->flaw(s->x, s->lambda) : NULL;
  double x[2] = {s->x[0], n > 1 ? s->x[1] : 0}, D[4] = {1, 0, 0, 1};

  snprintf(v->flaw, sizeof v->flaw, "%s", flaw ? flaw : "");
  if (n == 1) D[1] = D[2] = D[3] = 0;
  for (int k = 0; k < m->iterate; ++k) {
    double y[2] = {0}, J[4] = {0}, product[4] = {0};
    m->map(x, s->lambda, y, J);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int h = 0; h < n; ++h) product[i * n + j] += J[i * n + h] * D[h * n + j];
    memcpy(D, product, sizeof D);
    memcpy(x, y, sizeof x);
  }
  memcpy(v->image, x, (size_t)n * sizeof *x);
  if (v->derivative) memcpy(v->derivative, D, (size_t)(n * n) * sizeof *D);
  for (int i = 0; v->size && i < n; ++i) v->size[i] = 1;
  v->period = m->iterate;
  v->admissible = m->admissible ? m->admissible(s->x) : NAN;
  v->sequence = m->sequence ? m->sequence(s->x) : 0;
  v->transversality = 1;
  v->split = NAN;
  v->n_event = 1;
}

static sal_err evaluate(void *context, int count, const sal_family_start start[],
                        sal_family_value out[])
{
  for (int i = 0; i < count; ++i) evaluate_one(context, &start[i], &out[i]);
  return SAL_OK;
}

static sal_err describe(void *context, const sal_family_start *at, bool apexes, double row[])
{
  (void)apexes;
  memcpy(row, at->x, (size_t)((const made_up *)context)->n * sizeof *row);
  return SAL_OK;
}

static sal_family family_of(made_up *m)
{
  return (sal_family){.n = m->n,
                      .layout = sal_branch_layout_make(m->n, m->n, 0),
                      .context = m,
                      .evaluate = evaluate,
                      .describe = describe};
}

static sal_continuation settings(const sal_family *f, double from, double to, double lambda,
                                 const double *x)
{
  return (sal_continuation){.walk = {.family = f,
                                     .lambda = {lambda, 0},
                                     .from = {from, -1},
                                     .to = {to, 1},
                                     .ds = 0.01,
                                     .ds_min = 1e-7,
                                     .ds_max = 0.05},
                            .n_most = 1000,
                            .x = x};
}

static int64_t find(const sal_branch *b, sal_branch_type type, int which)
{
  for (int64_t i = 0; i < b->n; ++i)
    if (b->point[i].type == type && which-- == 0) return i;
  return -1;
}

static int count_of(const sal_branch *b, sal_branch_type type)
{
  int n = 0;

  for (int64_t i = 0; i < b->n; ++i) n += b->point[i].type == type;
  return n;
}

static void period_doubling_is_located_and_stability_changes_there(void)
{
  made_up m = {.n = 1, .iterate = 1, .map = logistic};
  const sal_family f = family_of(&m);
  const double x = 0.6;
  sal_branch b;
  sal_continuation c = settings(&f, 1.2, 3.6, 2.5, &x);

  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&c, &b), SAL_OK);
  CU_ASSERT_EQUAL(count_of(&b, SAL_BRANCH_DOUBLING), 1);
  CU_ASSERT_EQUAL(count_of(&b, SAL_BRANCH_END), 2);
  CU_ASSERT_EQUAL(count_of(&b, SAL_BRANCH_LIMIT), 0);
  const int64_t at = find(&b, SAL_BRANCH_DOUBLING, 0);
  CU_ASSERT_DOUBLE_EQUAL(b.point[at].lambda[0], 3, 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(sal_branch_row(&b, at)[0], 2.0 / 3, 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(b.point[0].lambda[0], 1.2, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(b.point[b.n - 1].lambda[0], 3.6, 1e-12);
  for (int64_t i = 0; i < b.n; ++i) {
    const double a = b.point[i].lambda[0];
    CU_ASSERT_DOUBLE_EQUAL(sal_branch_row(&b, i)[0], 1 - 1 / a, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(sal_branch_row(&b, i)[b.layout.re], 2 - a, 1e-11);
    if (i != at) CU_ASSERT_EQUAL(b.point[i].stable, a < 3);
    if (i > 0) CU_ASSERT(b.point[i].arc > b.point[i - 1].arc);
  }
  CU_ASSERT(b.n > 20);
  sal_branch_free(&b);
}

static void branch_of_twice_the_period_leaves_at_a_doubling(void)
{
  made_up m = {.n = 1, .iterate = 1, .map = logistic}, twice = m;
  const sal_family f = family_of(&m);
  const double x = 2.0 / 3, lambda[] = {3, 0};
  double v[2] = {0};
  sal_branch b;

  twice.iterate = 2;
  const sal_family g = family_of(&twice);
  sal_continuation c = settings(&g, 2.9, 3.6, 3, &x);
  CU_ASSERT_EQUAL_FATAL(sal_leave_doubling(&f, &x, lambda, v), SAL_OK);
  c.leaves = true;
  c.direction = v;
  c.ahead = c.walk.ds;
  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&c, &b), SAL_OK);
  /* the cycle's multiplier is 4 + 2 a - a^2; it doubles at 1 + sqrt(6) */
  const int64_t at = find(&b, SAL_BRANCH_DOUBLING, 0);
  CU_ASSERT_FATAL(at > 0);
  CU_ASSERT_DOUBLE_EQUAL(b.point[at].lambda[0], 1 + sqrt(6), 1e-10);
  for (int64_t i = 0; i < b.n; ++i) {
    const double a = b.point[i].lambda[0], y = sal_branch_row(&b, i)[0];
    CU_ASSERT(fabs(y - (1 - 1 / a)) > 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(sal_branch_row(&b, i)[b.layout.re], 4 + 2 * a - a * a, 1e-9);
  }
  sal_branch_free(&b);
}

static void fold_is_rounded_and_located(void)
{
  made_up m = {.n = 2, .iterate = 1, .map = henon};
  const sal_family f = family_of(&m);
  const double x[2] = {0.6, 0.18};
  sal_branch b;
  sal_continuation c = settings(&f, -0.5, 1.4, 1.0, x);

  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&c, &b), SAL_OK);
  const int64_t lp = find(&b, SAL_BRANCH_LIMIT, 0), pd = find(&b, SAL_BRANCH_DOUBLING, 0);
  CU_ASSERT_FATAL(lp > 0 && pd > 0);
  CU_ASSERT_DOUBLE_EQUAL(b.point[lp].lambda[0], -0.1225, 1e-11);
  CU_ASSERT_DOUBLE_EQUAL(sal_branch_row(&b, lp)[0], 1 / (1 - 0.3) * 2, 1e-7);
  CU_ASSERT_DOUBLE_EQUAL(b.point[pd].lambda[0], 0.3675, 1e-10);
  CU_ASSERT_EQUAL(count_of(&b, SAL_BRANCH_LIMIT), 1);
  CU_ASSERT_EQUAL(count_of(&b, SAL_BRANCH_CROSSING), 0);
  sal_branch_free(&b);
}

static void torus_is_located(void)
{
  made_up m = {.n = 2, .iterate = 1, .map = delayed};
  const sal_family f = family_of(&m);
  const double x[2] = {0.4, 0.4};
  sal_branch b;
  sal_continuation c = settings(&f, 1.1, 2.4, 1.7, x);

  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&c, &b), SAL_OK);
  const int64_t at = find(&b, SAL_BRANCH_TORUS, 0);
  CU_ASSERT_FATAL(at > 0);
  CU_ASSERT_DOUBLE_EQUAL(b.point[at].lambda[0], 2, 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(fabs(sal_branch_row(&b, at)[b.layout.im]), sqrt(0.75), 1e-9);
  CU_ASSERT_EQUAL(b.point[b.n - 1].n_unstable, 2);
  sal_branch_free(&b);
}

static void closed_branch_ends_where_it_began(void)
{
  made_up m = {.n = 1, .iterate = 1, .map = circle};
  const sal_family f = family_of(&m);
  const double x = 1;
  sal_branch b;
  sal_continuation c = settings(&f, -2, 2, 0, &x);

  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&c, &b), SAL_OK);
  CU_ASSERT_EQUAL(count_of(&b, SAL_BRANCH_LIMIT), 2);
  CU_ASSERT_DOUBLE_EQUAL(fabs(b.point[find(&b, SAL_BRANCH_LIMIT, 0)].lambda[0]), 1, 1e-12);
  CU_ASSERT_STRING_EQUAL(b.point[0].words, "the branch is closed");
  sal_branch_free(&b);
}

static void borders_and_values_asked_for_are_located(void)
{
  made_up m = {.n = 1, .iterate = 1, .map = logistic, .admissible = half};
  const sal_family f = family_of(&m);
  const double x = 0.6;
  const sal_walk_user u[2] = {{{SAL_BRANCH_IS_PARAM, 0}, 2.75, false, "a=2.75"},
                              {{SAL_BRANCH_IS_IN_ROW, 0}, 0.65, true, "x=0.65"}};
  sal_branch b;
  sal_continuation c = settings(&f, 1.2, 3.6, 2.5, &x);

  c.walk.user = u;
  c.walk.n_user = 2;
  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&c, &b), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(b.point[find(&b, SAL_BRANCH_ADMISSIBLE, 0)].lambda[0], 2, 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(b.point[find(&b, SAL_BRANCH_USER, 0)].lambda[0], 2.75, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(b.point[b.n - 1].lambda[0], 1 / 0.35, 1e-10);
  CU_ASSERT_EQUAL(b.point[b.n - 1].type, SAL_BRANCH_USER);
  sal_branch_free(&b);
  m.sequence = sequence_of_half;
  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&c, &b), SAL_OK);
  CU_ASSERT_EQUAL(count_of(&b, SAL_BRANCH_ADMISSIBLE), 1);
  CU_ASSERT_EQUAL(count_of(&b, SAL_BRANCH_SHORT), 0);
  sal_branch_free(&b);
  m.admissible = NULL;
  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&c, &b), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(count_of(&b, SAL_BRANCH_SHORT), 1);
  CU_ASSERT_DOUBLE_EQUAL(b.point[find(&b, SAL_BRANCH_SHORT, 0)].lambda[0], 2, 1e-10);
  sal_branch_free(&b);
}

static void branch_that_ends_says_why(void)
{
  made_up m = {.n = 1, .iterate = 1, .map = logistic, .flaw = no_orbit_above};
  const sal_family f = family_of(&m);
  const double x = 0.3;
  sal_branch b;
  sal_continuation c = settings(&f, 1.1, 3.6, 1.4, &x);

  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&c, &b), SAL_OK);
  const sal_branch_point *last = &b.point[b.n - 1];
  CU_ASSERT_EQUAL(last->type, SAL_BRANCH_FAILED);
  CU_ASSERT_PTR_NOT_NULL(strstr(last->words, "the foot never leaves"));
  CU_ASSERT_DOUBLE_EQUAL(last->lambda[0], 1.5, 1e-6);
  sal_branch_free(&b);
  c.walk.lambda[0] = 2;
  CU_ASSERT_EQUAL(sal_continuation_run(&c, &b), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "no orbit at the start: the foot never leaves"));
  sal_err_clear();
  sal_branch_free(&b);
}

static void curve_of_folds_has_a_cusp(void)
{
  made_up m = {.n = 1, .iterate = 1, .map = cusp};
  const sal_family f = family_of(&m);
  const double x = 0.5;
  sal_branch b;
  sal_continuation c = settings(&f, -1, 1, -0.2, &x);

  c.walk.holds = SAL_FIXED_LIMIT;
  c.walk.lambda[1] = 0.7;
  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&c, &b), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(count_of(&b, SAL_BRANCH_CUSP), 1);
  const sal_branch_point *at = &b.point[find(&b, SAL_BRANCH_CUSP, 0)];
  CU_ASSERT_DOUBLE_EQUAL(at->lambda[0], 0, 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(at->lambda[1], 0, 1e-10);
  for (int64_t i = 0; i < b.n; ++i) {
    const double a = b.point[i].lambda[0], d = b.point[i].lambda[1];
    CU_ASSERT_DOUBLE_EQUAL(27 * a * a, 4 * d * d * d, 1e-10);
  }
  CU_ASSERT(b.n > 20);
  sal_branch_free(&b);
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN("continuation", NULL,
              {"a period doubling is located, and stability changes there",
               period_doubling_is_located_and_stability_changes_there},
              {"the branch of twice the period leaves at a doubling",
               branch_of_twice_the_period_leaves_at_a_doubling},
              {"a fold is rounded and located", fold_is_rounded_and_located},
              {"a pair on the unit circle is located", torus_is_located},
              {"a closed branch ends where it began", closed_branch_ends_where_it_began},
              {"borders, and values asked for, are located",
               borders_and_values_asked_for_are_located},
              {"a branch that ends gives the reason", branch_that_ends_says_why},
              {"a curve of folds has a cusp", curve_of_folds_has_a_cusp},
              {"memory comes back", memory_comes_back})
