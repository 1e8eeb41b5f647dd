/** Branches of the hopping leg against the certified ones of tests/data/zana: Zana, Bodor, Bencsik &
 *  Zelei (2018), section 4.3.
 */
#include "family.h"
#include "memory.h"
#include "registry.h"
#include "sal_test.h"
#include "walk.h"
#include "zana.h"
#include <math.h>

enum { DF = 3, DG = 4, LEAST_ROW = 2, MARKS = 14 };

/* Units of the tables: m = 75, k = 15000, g = 9.81; rates in 1 / s. */
static const double second = 0.070710678118654752, metre = 9.81 / 200, D_F = 0.070710678118654752;

typedef struct {
  sal_cycle_family family;
  sal_continuation c;
  double x[4];
  sal_walk_user user[SAL_WALK_USERS];
} study;

/* The dimensionless leg; a guess with the start velocity v0 at D_G; parameters are dG = 2 D_G, dF. */
static void prepare(study *s, double mu, double DF_, double DG_, double v0, int returns, int rule)
{
  const double p[] = {1, mu, 1, 2 * DF_, 2 * DG_, 1, 0, rule};
  const double y[] = {1 - mu - 2 * DG_ * v0, 0, v0, 0};
  const int at[] = {DG, DF};
  const sal_return_setup r = {.model = sal_registry_model("hopping-leg"),
                              .method = sal_registry_method("dop853"),
                              .rtol = 1e-13,
                              .atol = 1e-14,
                              .returns = returns,
                              .t_most = 200};

  memset(s, 0, sizeof *s);
  CU_ASSERT_EQUAL_FATAL(sal_cycle_family_create(&r, p, 2, at, y, &s->family), SAL_OK);
  sal_cycle_family_read(&s->family, y, s->x);
  s->c = (sal_continuation){.walk = {.family = &s->family.family,
                                     .lambda = {2 * DG_, 2 * DF_},
                                     .from = {-0.2, 0.05},
                                     .to = {-1e-6, 0.4},
                                     .ds = 0.02,
                                     .ds_min = 1e-8,
                                     .ds_max = 0.2,
                                     .user = s->user},
                            .n_most = 400,
                            .x = s->x};
}

static void mark(study *s, enum sal_branch_place kind, int at, double value, bool stops)
{
  s->user[s->c.walk.n_user++] = (sal_walk_user){{kind, at}, value, stops, "asked for"};
}

static int64_t nearest(const sal_branch *b, sal_branch_type type, double flight)
{
  int64_t best = -1;

  for (int64_t i = 0; i < b->n; ++i)
    if (b->point[i].type == type &&
        (best < 0 || fabs(sal_branch_row(b, i)[b->layout.open] - flight) <
                         fabs(sal_branch_row(b, best)[b->layout.open] - flight)))
      best = i;
  CU_ASSERT_FATAL(best >= 0);
  return best;
}

static int count_of(const sal_branch *b, sal_branch_type type)
{
  int n = 0;

  for (int64_t i = 0; i < b->n; ++i) n += b->point[i].type == type;
  return n;
}

static void close_to(double a, double b, double tolerance)
{
  CU_ASSERT_DOUBLE_EQUAL(a, b, tolerance);
  if (!(fabs(a - b) <= tolerance)) printf("\n    %.16g is not %.16g", a, b);
}

static void compare_row(const zana_table *t, int row, const sal_branch *b)
{
  const int64_t i = nearest(b, SAL_BRANCH_USER, zana_value(t, row, "t_F") / second);
  const sal_branch_point *p = &b->point[i];
  const double *r = sal_branch_row(b, i);
  const double apex = zana_value(t, row, "apex_zU"), lam = 15000 * metre;

  close_to(r[b->layout.open] * second, zana_value(t, row, "t_F"), 1e-11);
  close_to(p->period * second, zana_value(t, row, "t_p"), 1e-8);
  close_to(p->lambda[0] / 2, zana_value(t, row, "D_G"), 1e-9);
  close_to(r[b->layout.re], zana_value(t, row, "multiplier"), 1e-8);
  close_to(r[b->layout.apex] * metre, apex, 1e-8 * fmax(1, apex));
  close_to(r[b->layout.apex + 1] * metre, zana_value(t, row, "apex_zL"), 1e-8 * fmax(1, apex));
  close_to(r[2] * metre / second, zana_value(t, row, "vU0"), 1e-8 * fmax(1, apex));
  close_to(r[b->layout.loss], zana_value(t, row, "Tc_over_T"), 1e-8);
  close_to(p->admissible * lam, zana_value(t, row, "lambda_td_plus"), 1e-4);
  CU_ASSERT_EQUAL(p->stable, zana_value(t, row, "stable") != 0);
  CU_ASSERT(p->residual < 1e-10 && fabs(r[b->layout.re + 1]) < 1e-9);
}

/* Every special point of the table lies on the branch, and no other one of its type. */
static void compare_special(double mu, const sal_branch *b)
{
  zana_table t;
  int n[2] = {0, 0};

  zana_read("special_points.csv", &t);
  for (int row = 0; row < t.n_row; ++row) {
    const bool fold = strcmp(zana_word(&t, row, "type"), "LP") == 0;
    const double flight = zana_value(&t, row, "T_nondim");
    if (zana_value(&t, row, "mu") != mu) continue;
    const int64_t i = nearest(b, fold ? SAL_BRANCH_LIMIT : SAL_BRANCH_ADMISSIBLE, flight);
    close_to(b->point[i].lambda[0] / 2, zana_value(&t, row, "D_G"), 1e-11);
    close_to(sal_branch_row(b, i)[b->layout.open], flight, 1e-7);
    close_to(sal_branch_row(b, i)[b->layout.re], zana_value(&t, row, "multiplier"), 1e-8);
    ++n[fold];
  }
  CU_ASSERT_EQUAL(count_of(b, SAL_BRANCH_LIMIT), n[1]);
  CU_ASSERT_EQUAL(count_of(b, SAL_BRANCH_ADMISSIBLE), n[0]);
  CU_ASSERT_EQUAL(count_of(b, SAL_BRANCH_SHORT) + count_of(b, SAL_BRANCH_GRAZING), 0);
}

static void compare_branch(double mu, double DG_, double v0, const char *file)
{
  static study s;
  zana_table t;
  sal_branch b;
  int rows[MARKS], n = 0;

  prepare(&s, mu, D_F, DG_, v0, 1, 0);
  zana_read(file, &t);
  for (int k = 0; k < MARKS; ++k)
    rows[n++] = LEAST_ROW + k * (t.n_row - 1 - LEAST_ROW) / (MARKS - 1);
  for (int k = 0; k < n; ++k)
    mark(&s, SAL_BRANCH_IS_IN_ROW, s.family.family.layout.open,
         zana_value(&t, rows[k], "t_F") / second, k == 0 || k == n - 1);
  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&s.c, &b), SAL_OK);
  for (int k = 0; k < n; ++k) compare_row(&t, rows[k], &b);
  compare_special(mu, &b);
  CU_ASSERT_EQUAL(count_of(&b, SAL_BRANCH_USER), n);
  CU_ASSERT_EQUAL(count_of(&b, SAL_BRANCH_FAILED), 0);
  sal_branch_free(&b);
  sal_cycle_family_free(&s.family);
}

static void branch_of_mu_0p8_is_the_certified_one(void)
{
  compare_branch(0.8, -0.0377123616632825346, 2.5089, "branch_mu0p8.csv");
}

static void branch_of_mu_0p95_is_the_certified_one(void)
{
  compare_branch(0.95, -0.00966975907171, 2.69, "branch_mu0p95.csv");
}

/* Spec: t_F -> 0 and t_F -> infinity. */
static void ends_of_the_branch_follow_the_asymptotics(void)
{
  static study s;
  sal_branch b;
  const double mu = 0.8, T = 0.02, D_end = -0.06075417117788582, tau_end = 2.93831415342;

  prepare(&s, mu, D_F, -0.0377123616632825346, 2.5089, 1, 0);
  mark(&s, SAL_BRANCH_IS_IN_ROW, s.family.family.layout.open, T, true);
  mark(&s, SAL_BRANCH_IS_IN_ROW, s.family.family.layout.open, 150, true);
  s.c.walk.to[0] = -1e-12;
  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&s.c, &b), SAL_OK);
  const int64_t small = nearest(&b, SAL_BRANCH_USER, T), large = nearest(&b, SAL_BRANCH_USER, 150);
  const double *r = sal_branch_row(&b, small);
  close_to(r[2] / (T / (3 * mu)), 1, 0.02);
  close_to(b.point[small].lambda[0] / 2 / (-D_F * T * T * T / (9 * acos(-1) * pow(mu, 1.5))), 1,
           0.05);
  close_to((1 - r[b.layout.re]) / (6 * D_F * T / mu), 1, 0.05);
  r = sal_branch_row(&b, large);
  close_to(b.point[large].lambda[0] / 2, D_end, 1e-3);
  CU_ASSERT(b.point[large].lambda[0] / 2 > D_end);
  close_to(b.point[large].period - r[b.layout.open], tau_end, 0.03);
  CU_ASSERT(r[b.layout.re] > 0.99 && r[b.layout.re] < 1);
  sal_branch_free(&b);
  sal_cycle_family_free(&s.family);
}

/* mu = 0.6, D_F = 0.05: the first two pairs of folds, and the period doublings between them. */
static void period_doublings_are_the_certified_ones(void)
{
  static study s;
  zana_table t;
  sal_branch b;
  int n = 0;

  prepare(&s, 0.6, 0.05, -0.1, 3.9, 1, 0);
  mark(&s, SAL_BRANCH_IS_IN_ROW, s.family.family.layout.open, 9.5, true);
  s.c.walk.from[0] = -0.5;
  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&s.c, &b), SAL_OK);
  zana_read("special_points_offbranch.csv", &t);
  for (int row = 0; row < t.n_row; ++row) {
    const bool fold = strcmp(zana_word(&t, row, "type"), "LP") == 0;
    const double flight = strtod(zana_word(&t, row, "T_nondim"), NULL);
    if (zana_value(&t, row, "mu") != 0.6) continue;
    const int64_t i = nearest(&b, fold ? SAL_BRANCH_LIMIT : SAL_BRANCH_DOUBLING, flight);
    close_to(b.point[i].lambda[0] / 2, zana_value(&t, row, "D_G"), 1e-10);
    close_to(sal_branch_row(&b, i)[b.layout.open], flight, 1e-7);
    close_to(sal_branch_row(&b, i)[b.layout.re], fold ? 1 : -1, 1e-9);
    n += !fold;
  }
  CU_ASSERT(n > 0 && count_of(&b, SAL_BRANCH_DOUBLING) == n);
  sal_branch_free(&b);
  sal_cycle_family_free(&s.family);
}

static void orbits_of_two_flights_leave_at_a_period_doubling(void)
{
  static study one, two;
  sal_branch b;
  const double D_PD = -0.117083940916074674, v0 = 4.06668779240618833, T = 5.35205654092360906;
  const double lambda[] = {2 * D_PD, 0.1};
  double v[5] = {0};

  prepare(&one, 0.6, 0.05, D_PD, v0, 1, 0);
  prepare(&two, 0.6, 0.05, D_PD, v0, 2, 0);
  CU_ASSERT_EQUAL_FATAL(sal_leave_doubling(&one.family.family, one.x, lambda, v), SAL_OK);
  two.c.leaves = true;
  two.c.direction = v;
  two.c.ahead = two.c.walk.ds;
  two.c.n_most = 10;
  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&two.c, &b), SAL_OK);
  const double *r = sal_branch_row(&b, b.n - 1), *phase = r + b.layout.phase;
  close_to(b.point[0].period, 2 * (T + 2.86730027818), 0.1);
  CU_ASSERT(fabs(phase[0] - phase[2]) > 0.05); /* two flights that differ */
  CU_ASSERT(b.point[b.n - 1].n_event >= 4 && b.point[b.n - 1].residual < 1e-10);
  CU_ASSERT(b.n >= 10);
  sal_branch_free(&b);
  sal_cycle_family_free(&two.family);
  sal_cycle_family_free(&one.family);
}

/* From a fold of mu = 0.8: the curve of folds in the plane of D_G and D_F, and the two cusps on it. */
static void folds_meet_in_the_certified_cusps(void)
{
  static study s;
  zana_table t;
  double v0[2] = {1.8, 3.6};
  const double flight[2] = {2.2814944144997914881, 5.8807769371164074454};
  const double D_G[2] = {-0.035439034174461023, -0.038760085102058759};
  int found = 0;

  zana_read("special_points_offbranch.csv", &t);
  for (int k = 0; k < 2; ++k) {
    sal_branch b;
    v0[k] = k == 0 ? 0.88671148293206494 * second / metre : 2.5044735744309839 * second / metre;
    prepare(&s, 0.8, D_F, D_G[k], v0[k], 1, 0);
    s.c.walk.holds = SAL_FIXED_LIMIT;
    s.c.n_most = 40;
    CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&s.c, &b), SAL_OK);
    for (int64_t i = 0; i < b.n; ++i) {
      const sal_branch_point *p = &b.point[i];
      close_to(sal_branch_row(&b, i)[b.layout.re], 1, 1e-8);
      for (int row = 0; row < t.n_row && p->type == SAL_BRANCH_CUSP; ++row) {
        if (zana_value(&t, row, "mu") != 0.8) continue;
        if (fabs(p->lambda[1] / 2 - zana_value(&t, row, "D_F")) > 1e-3) continue;
        close_to(p->lambda[1] / 2, zana_value(&t, row, "D_F"), 1e-9);
        close_to(p->lambda[0] / 2, zana_value(&t, row, "D_G"), 1e-9);
        ++found;
      }
    }
    CU_ASSERT(b.n > 20 && flight[k] > 0);
    sal_branch_free(&b);
    sal_cycle_family_free(&s.family);
  }
  CU_ASSERT_EQUAL(found, 2);
}

/* The strictly unilateral foot: the same points where the ground only pushes, others where not. */
static void unilateral_rule_leaves_the_published_branch(void)
{
  static study s;
  zana_table t;
  sal_branch b;
  const double D_G = -0.05;

  zana_read("unilateral_variant.csv", &t);
  for (int rule = 0; rule < 2; ++rule) {
    prepare(&s, 0.8, D_F, -0.0377123616632825346, 2.5089, 1, rule);
    s.c.walk.from[0] = 2 * D_G;
    s.c.way = SAL_CONTINUATION_BOTH;
    CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&s.c, &b), SAL_OK);
    const int64_t i = b.point[0].type == SAL_BRANCH_END ? 0 : b.n - 1;
    close_to(b.point[i].lambda[0] / 2, D_G, 1e-12);
    close_to(sal_branch_row(&b, i)[b.layout.open], rule ? 9.703 : 11.313, 1e-3);
    close_to(sal_branch_row(&b, i)[b.layout.re], rule ? 0.9088 : 0.9306, 1e-4);
    CU_ASSERT_EQUAL(count_of(&b, SAL_BRANCH_ADMISSIBLE), 3);
    sal_branch_free(&b);
    sal_cycle_family_free(&s.family);
  }
}

/* An oscillator that swings between its walls without touching them: x has the amplitude
 * a / sqrt((1 - w^2)^2 + (2 zeta w)^2), and grazes the walls where that is their distance 1. */
static void branch_ends_where_the_orbit_grazes(void)
{
  enum { A = 2 };
  static sal_cycle_family f;
  sal_branch b;
  const double zeta = 0.05, w = 1.8, size = hypot(1 - w * w, 2 * zeta * w);
  const double p[] = {zeta, w, 1, 1, 0.8}, y[] = {-0.44, 0.064};
  const int at = A;
  const sal_return_setup r = {.model = sal_registry_model("vibro-impact"),
                              .method = sal_registry_method("dop853"),
                              .rtol = 1e-12,
                              .atol = 1e-12};
  sal_continuation c = {.walk = {.lambda = {1, 0},
                                 .from = {0.5, 0},
                                 .to = {3, 1},
                                 .ds = 0.02,
                                 .ds_min = 1e-7,
                                 .ds_max = 0.2},
                        .n_most = 100,
                        .x = y};

  CU_ASSERT_EQUAL_FATAL(sal_cycle_family_create(&r, p, 1, &at, y, &f), SAL_OK);
  c.walk.family = &f.family;
  CU_ASSERT_EQUAL_FATAL(sal_continuation_run(&c, &b), SAL_OK);
  CU_ASSERT_EQUAL(b.point[b.n - 2].type, SAL_BRANCH_GRAZING);
  CU_ASSERT_EQUAL(b.point[b.n - 1].type, SAL_BRANCH_FAILED);
  close_to(b.point[b.n - 1].lambda[0], size, 1e-9);
  CU_ASSERT_PTR_NOT_NULL(strstr(b.point[b.n - 1].words, "tangentially"));
  close_to(sal_branch_row(&b, b.n - 1)[b.layout.apex], 1, 1e-9);
  sal_branch_free(&b);
  sal_cycle_family_free(&f);
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN(
    "branches of the hopping leg", NULL,
    {"the branch of mu = 0.8 is the certified one", branch_of_mu_0p8_is_the_certified_one},
    {"the branch of mu = 0.95 is the certified one", branch_of_mu_0p95_is_the_certified_one},
    {"the branch's ends follow the asymptotics", ends_of_the_branch_follow_the_asymptotics},
    {"period doublings are the certified ones", period_doublings_are_the_certified_ones},
    {"orbits of two flights leave at a doubling", orbits_of_two_flights_leave_at_a_period_doubling},
    {"folds meet in the certified cusps", folds_meet_in_the_certified_cusps},
    {"the unilateral rule leaves the published branch",
     unilateral_rule_leaves_the_published_branch},
    {"a branch ends where the orbit grazes", branch_ends_where_the_orbit_grazes},
    {"memory comes back", memory_comes_back})
