/** Contact problems against their own conditions, exact cases, permutations and mirror images. */
#include "contact_friction.h"
#include "contact_lemke.h"
#include "contact_solve.h"
#include "sal_test.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 256 };
static double dense[4 * MOST * MOST], lower[MOST * MOST], q[2 * MOST], z[2 * MOST], w[2 * MOST];
static bool active[MOST];
static double work[40 * MOST * MOST];

/* A reproducible number in [-1, 1). */
static double chance(void)
{
  static uint64_t state = 11;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-52 - 1;
}

/* Solves W = dense [m][m] in its band from a given set; checks the conditions by the dense matrix. */
static void solve_from(int m, int band, bool all)
{
  const sal_contact_problem p = {.m = m, .band = band, .W = lower, .q = q};
  double unit = 0, worst = 0;

  for (int i = 0; i < m; ++i) {
    active[i] = all || chance() > 0;
    unit = fmax(unit, fabs(q[i]));
    for (int j = i > band ? i - band : 0; j <= i; ++j) lower[(i + 1) * band + j] = dense[i * m + j];
  }
  CU_ASSERT_TRUE(sal_contact_solve_words(m, band) <= sizeof work / sizeof *work);
  CU_ASSERT_TRUE(sal_contact_solve(&p, active, z, work));
  for (int i = 0; i < m; ++i) {
    w[i] = q[i];
    for (int j = 0; j < m; ++j) w[i] += dense[i * m + j] * z[j];
    worst = fmax(worst, fabs(fmin(w[i], z[i] * dense[i * m + i])));
  }
  CU_ASSERT_TRUE(worst <= 1e-10 * unit);
}

static void solve(int m, int band) { solve_from(m, band, true); }

/* Beads in a row, of which each strikes the next. */
static void chain(int m)
{
  memset(dense, 0, sizeof dense);
  for (int i = 0; i < m; ++i) {
    dense[i * m + i] = 2 + chance() / 2;
    if (i > 0) dense[i * m + i - 1] = dense[(i - 1) * m + i] = -0.7 - chance() / 4;
    q[i] = chance();
  }
}

static double foot(int m, int i) { return m > 1 ? -1 + 2. * i / (m - 1) : 0; }

/* A rigid bar of mass 1 and inertia 1/3 on m feet, under a load 1 at `at`. */
static void feet(int m, double at)
{
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) dense[i * m + j] = 1 + 3 * foot(m, i) * foot(m, j);
    q[i] = -1 - 3 * at * foot(m, i);
  }
}

static void test_chains(void)
{
  static double kept[MOST];

  for (int m = 1; m <= 128; ++m) {
    chain(m);
    solve(m, m > 1);
    memcpy(kept, z, sizeof kept);
    double pushes = 0, opens = 0, off = 0;
    for (int i = 0; i < m; ++i) pushes += z[i] > 0, opens += z[i] == 0;
    if (m > 40) CU_ASSERT_TRUE(pushes > m / 8. && opens > m / 8.);
    solve_from(m, m - 1, false);
    for (int i = 0; i < m; ++i) off = fmax(off, fabs(z[i] - kept[i]));
    CU_ASSERT_TRUE(off < 1e-13);
  }
}

/* Blocks of weight 1 on the floor and on one another: contact i carries m - i of them. */
static void test_columns(void)
{
  for (int m = 1; m <= 128; ++m) {
    double off = 0;
    memset(dense, 0, sizeof dense);
    for (int i = 0; i < m; ++i) {
      dense[i * m + i] = i ? 2 : 1;
      if (i > 0) dense[i * m + i - 1] = dense[(i - 1) * m + i] = -1;
      q[i] = i ? 0 : -1;
    }
    solve(m, m > 1);
    for (int i = 0; i < m; ++i) off = fmax(off, fabs(z[i] - (m - i)));
    CU_ASSERT_TRUE(off <= 1e-13 * m * m);
  }
}

/* Permuted rows permute the answer; the load is carried where the feet can carry it. */
static void test_feet(void)
{
  static double kept[MOST], was[MOST * MOST], load[MOST];
  static int order[MOST];

  for (int m = 4; m <= 64; m = m < 16 ? m + 1 : 2 * m)
    for (double at = -1.2; at < 1.3; at += 0.3) {
      double sum = 0, moment = 0, off = 0, mirrored = 0;
      feet(m, at);
      solve(m, m - 1);
      for (int i = 0; i < m; ++i) sum += z[i], moment += z[i] * foot(m, i);
      if (fabs(at) < 1) CU_ASSERT_TRUE(fabs(sum - 1) + fabs(moment - at) < 1e-12);
      memcpy(kept, z, sizeof kept);
      solve_from(m, m - 1, false); /* nor does the set to begin with matter */
      for (int i = 0; i < m; ++i) off = fmax(off, fabs(z[i] - kept[i]));
      memcpy(was, dense, sizeof was);
      memcpy(load, q, sizeof load);
      for (int i = 0; i < m; ++i) order[i] = i;
      for (int i = m - 1; i > 0; --i) {
        const int k = (int)((chance() + 1) / 2 * (i + 1)), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
      }
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) dense[i * m + j] = was[order[i] * m + order[j]];
        q[i] = load[order[i]];
      }
      solve(m, m - 1);
      for (int i = 0; i < m; ++i) off = fmax(off, fabs(z[i] - kept[order[i]]));
      feet(m, -at);
      solve(m, m - 1);
      for (int i = 0; i < m; ++i) mirrored = fmax(mirrored, fabs(z[i] - kept[m - 1 - i]));
      CU_ASSERT_TRUE(off < 1e-13);
      CU_ASSERT_TRUE(mirrored < 1e-13);
    }
}

static void test_exact(void)
{
  feet(4, 0);
  for (int i = 0; i < 4; ++i) q[i] *= 9.81;
  solve(4, 3);
  for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(z[i], 9.81 / 4, 1e-13);
  feet(3, 0.8); /* the norm is least with nothing on the far foot */
  solve(3, 2);
  CU_ASSERT_DOUBLE_EQUAL(z[0], 0, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(z[1], 0.2, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(z[2], 0.8, 1e-13);
  feet(3, 0.5);
  solve(3, 2);
  for (int i = 0; i < 3; ++i) CU_ASSERT_DOUBLE_EQUAL(z[i], 1. / 3 + (i - 1) / 4., 1e-13);
  for (int i = 0; i < 4; ++i)
    dense[i] = 1 + (i % 3 ? -1 : 1) * 0.25 / 0.17; /* a block on its corners */
  q[0] = q[1] = -9.81;
  solve(2, 1);
  CU_ASSERT_DOUBLE_EQUAL(z[0], 9.81 / 2, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(z[1], 9.81 / 2, 1e-13);
}

/* W = A' A of any rank, with a known solution; W z is unique, and no solution known is smaller. */
static void test_semidefinite(void)
{
  static double A[MOST], known[MOST];

  for (int k = 0; k < 400; ++k) {
    const int m = 1 + k % 24, rank = 1 + k % 7;
    double norm = 0, least = 0, off = 0, unit = 1;
    memset(dense, 0, sizeof dense);
    for (int r = 0; r < rank; ++r) {
      for (int i = 0; i < m; ++i) A[i] = chance();
      for (int i = 0; i < m * m; ++i) dense[i] += A[i / m] * A[i % m];
    }
    for (int i = 0; i < m; ++i) {
      known[i] = chance() > 0 ? 1 + chance() : 0;
      norm += known[i] * known[i];
    }
    for (int i = 0; i < m; ++i) {
      q[i] = known[i] > 0 || chance() > 0 ? 0 : 1 + chance();
      for (int j = 0; j < m; ++j) q[i] -= dense[i * m + j] * known[j];
      unit = fmax(unit, fabs(q[i]));
    }
    solve(m, m - 1);
    for (int i = 0; i < m; ++i) {
      double change = 0;
      for (int j = 0; j < m; ++j) change += dense[i * m + j] * (z[j] - known[j]);
      off = fmax(off, fabs(change));
      least += z[i] * z[i];
    }
    CU_ASSERT_TRUE(off < 1e-10 * unit);
    CU_ASSERT_TRUE(least <= norm * (1 + 1e-9) + 1e-9);
  }
}

static void test_unsolvable(void)
{
  const sal_contact_problem p = {.m = 2, .band = 1, .W = lower, .q = q};

  memset(lower, 0, sizeof lower);
  q[0] = -1;
  q[1] = 1;
  active[0] = active[1] = true;
  CU_ASSERT_FALSE(sal_contact_solve(&p, active, z, work));
  q[0] = 0;
  active[0] = active[1] = true;
  CU_ASSERT_TRUE(sal_contact_solve(&p, active, z, work));
  CU_ASSERT_TRUE(z[0] == 0 && z[1] == 0);
}

/* The method by itself, where many bases are degenerate. */
static void test_lemke(void)
{
  for (int m = 2; m <= 64; m *= 2)
    for (int k = -2; k <= 2; ++k) {
      double worst = 0;
      feet(m, k * 0.25);
      CU_ASSERT_TRUE(sal_contact_lemke(m, dense, q, z, work));
      for (int i = 0; i < m; ++i) {
        double rate = q[i];
        for (int j = 0; j < m; ++j) rate += dense[i * m + j] * z[j];
        worst = fmax(worst, fabs(fmin(rate, z[i])));
      }
      CU_ASSERT_TRUE(worst < 1e-12);
    }
}

/* Feet of a table whose centre is `high` above the floor, which falls and slides. */
static sal_contact_rubbing table(int m, double high, double falls, double slides, double mu)
{
  static double all[MOST], sense[MOST];
  const int n = 2 * m;

  for (int i = 0; i < m; ++i) {
    const double a = foot(m, i);
    all[i] = mu;
    sense[i] = 0;
    for (int j = 0; j < m; ++j) {
      const double b = foot(m, j);
      dense[2 * i * n + 2 * j] = 1 + 3 * a * b;
      dense[(2 * i + 1) * n + 2 * j + 1] = 1 + 3 * high * high;
      dense[2 * i * n + 2 * j + 1] = 3 * a * high;
      dense[(2 * i + 1) * n + 2 * j] = 3 * b * high;
    }
    q[2 * i] = -falls;
    q[2 * i + 1] = slides;
  }
  return (sal_contact_rubbing){.m = m, .W = dense, .u = q, .mu = all, .sense = sense};
}

static void rub(const sal_contact_rubbing *p, int slides[])
{
  memset(z, 0, sizeof z);
  CU_ASSERT_TRUE(sal_contact_friction_words(p->m) <= sizeof work / sizeof *work);
  CU_ASSERT_TRUE(sal_contact_friction(p, z, slides, work));
  CU_ASSERT_TRUE(sal_contact_friction_residual(p, z, w) <= (p->m <= 12 ? 1e-14 : 1e-10));
}

static void test_friction(void)
{
  static double kept[2 * MOST];
  static int slides[MOST];

  for (int m = 2; m <= 64; m *= 2) {
    sal_contact_rubbing p = table(m, 0.2, 1, 0.5, 0.3);
    rub(&p, slides);
    memcpy(kept, z, sizeof kept);
    double off = 0;
    CU_ASSERT_TRUE(slides[0] == 1 && z[1] < 0);
    p = table(m, -0.2, 1, -0.5, 0.3); /* seen in a mirror, feet from right to left */
    rub(&p, slides);
    for (int i = 0; i < m; ++i) {
      off = fmax(off, fabs(z[2 * i] - kept[2 * i]));
      off = fmax(off, fabs(z[2 * i + 1] + kept[2 * i + 1]));
    }
    CU_ASSERT_TRUE(off < (m > 12 ? 1e-10 : 1e-13));
    p = table(m, 0, 1, 0.5, 0.3); /* slides on at 0.5 - 0.3 */
    rub(&p, slides);
    CU_ASSERT_DOUBLE_EQUAL(w[1], 0.2, 1e-10);
    p = table(m, 0, 1, 0.5, 0.6); /* stops */
    rub(&p, slides);
    CU_ASSERT_DOUBLE_EQUAL(w[1], 0, 1e-10);
    CU_ASSERT_TRUE(slides[0] == 0 && slides[m - 1] == 0);
    if (m <= 12) CU_ASSERT_DOUBLE_EQUAL(z[1], -0.5 / m, 1e-13);
    p = table(m, 0.2, 1, 0, 0.01); /* lands flat */
    rub(&p, slides);
    CU_ASSERT_TRUE(slides[0] == 0 && fabs(w[0]) < 1e-10 && fabs(z[1]) < 1e-10);
    p = table(m, 0.2, 0, 0, 0.5); /* at rest without a load: sticks */
    rub(&p, slides);
    CU_ASSERT_TRUE(slides[0] == 0 && z[0] == 0 && z[1] == 0);
  }
}

/* A given sense of sliding drags without regard to the rate along. */
static void test_sliding(void)
{
  double sense[] = {1, 1, 1};
  int slides[3];
  sal_contact_rubbing p = table(3, 0, 9.81, 0, 0.3);

  p.sense = sense;
  rub(&p, slides);
  CU_ASSERT_DOUBLE_EQUAL(z[0] + z[2] + z[4], 9.81, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(z[0], 9.81 / 3, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(z[1], -0.3 * z[0], 1e-15);
}

/* Contacts alone: each as two of them that have nothing in common, which Lemke's method solves. */
static void test_one_as_two(void)
{
  int modes[4] = {0};

  for (int i = 0; i < 2000; ++i) {
    const double a = 1.2 + chance(), d = 1.2 + chance(), b = 0.9 * chance() * sqrt(a * d);
    const double mu = 0.6 + chance() / 2, way = i % 4 ? 0 : chance() < 0 ? -1 : 1;
    const double both[] = {mu, mu}, ways[] = {way, way}, un = chance(), ut = chance();
    const double one[] = {a, b, b, d}, u[] = {un, ut, un, ut};
    const double two[] = {a, b, 0, 0, b, d, 0, 0, 0, 0, a, b, 0, 0, b, d};
    double r[2] = {0}, rr[4] = {0};
    int slides[1] = {0}, slides_two[2] = {0};
    if (!(mu * fabs(b) < 0.5 * a)) continue; /* friction may lift it */
    const sal_contact_rubbing p = {.m = 1, .W = one, .u = u, .mu = both, .sense = ways};
    const sal_contact_rubbing pp = {.m = 2, .W = two, .u = u, .mu = both, .sense = ways};
    CU_ASSERT_TRUE_FATAL(sal_contact_friction(&p, r, slides, work));
    CU_ASSERT_TRUE_FATAL(sal_contact_friction(&pp, rr, slides_two, work));
    for (int k = 0; k < 2; ++k) CU_ASSERT_TRUE(fabs(r[k] - rr[k]) <= 1e-12 * (1 + fabs(rr[k])));
    CU_ASSERT_EQUAL(slides[0], slides_two[0]);
    ++modes[r[0] == 0 ? 3 : 1 + slides[0]];
  }
  for (int k = 0; k < 4; ++k) CU_ASSERT_TRUE(modes[k] > 100);
}

/* Velocities after an impact of m contacts whose normals have a component upwards, M = 1; `mirror`: seen in a mirror. */
static double impact(int m, int n, const double G[], const double v[], double e, const double mu[],
                     bool mirror, int slides[])
{
  static const double sense[MOST];
  double energy = 0;

  for (int i = 0; i < 2 * m; ++i) {
    const double side = mirror && i % 2 ? -1 : 1;
    q[i] = z[i] = 0;
    for (int l = 0; l < n; ++l) q[i] += side * G[i * n + l] * v[l];
    if (i % 2 == 0) q[i] *= 1 + e;
    for (int j = 0; j < 2 * m; ++j) {
      const double other = mirror && j % 2 ? -1 : 1;
      dense[i * 2 * m + j] = 0;
      for (int l = 0; l < n; ++l)
        dense[i * 2 * m + j] += side * other * G[i * n + l] * G[j * n + l];
    }
  }
  const sal_contact_rubbing p = {.m = m, .W = dense, .u = q, .mu = mu, .sense = sense};
  CU_ASSERT_TRUE(sal_contact_friction(&p, z, slides, work));
  CU_ASSERT_TRUE(sal_contact_friction_residual(&p, z, w) <= 1e-10);
  for (int l = 0; l < n; ++l) {
    double after = v[l];
    for (int i = 0; i < 2 * m; ++i) after += (mirror && i % 2 ? -1 : 1) * G[i * n + l] * z[i];
    energy += after * after;
  }
  return energy;
}

/* Impacts of 1 to 32 contacts: plastic ones with friction, others without.  Energy does not rise, and is lost. */
static void test_impacts(void)
{
  static double G[64 * 16], v[16], mu[32];
  static int slides[2][32];
  double lost = 0;
  int n_slide = 0;

  for (int k = 0; k < 10000; ++k) {
    const int m = 1 + k % 32, n = 2 + (int)(7 * (chance() + 1));
    const bool rubs = k / 32 % 2;
    double before = 0;
    for (int i = 0; i < 2 * m * n; ++i) G[i] = i % (2 * n) ? chance() : fabs(chance());
    for (int i = 0; i < n; ++i) v[i] = chance(), before += v[i] * v[i];
    for (int i = 0; i < m; ++i) mu[i] = rubs ? chance() + 1 : 0;
    const double e = rubs ? 0 : (chance() + 1) / 2;
    const double after = impact(m, n, G, v, e, mu, false, slides[0]);
    CU_ASSERT_TRUE(after <= before * (1 + 1e-9));
    lost += 1 - after / before;
    if (k >= 1000) continue;
    CU_ASSERT_DOUBLE_EQUAL(impact(m, n, G, v, e, mu, true, slides[1]), after, 1e-8);
    for (int i = 0; i < m; ++i) n_slide += slides[0][i] != 0;
    for (int i = 0; i < m; ++i) CU_ASSERT_EQUAL(slides[1][i], -slides[0][i]);
  }
  CU_ASSERT_TRUE(lost > 1000 && n_slide > 1000);
}

static double seconds(void)
{
  struct timespec t;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void report(const char *what, int m, int band)
{
  const sal_contact_problem p = {.m = m, .band = band, .W = lower, .q = q};
  const int times = m > 32 ? 200 : 2000;
  double best = INFINITY;

  solve(m, band);
  for (int k = 0; k < 5; ++k) {
    const double from = seconds();
    for (int i = 0; i < times; ++i) {
      for (int j = 0; j < m; ++j) active[j] = true;
      sal_contact_solve(&p, active, z, work);
    }
    best = fmin(best, (seconds() - from) / times);
  }
  printf("    %s of %d: %.2f us a solve\n", what, m, 1e6 * best);
}

static void test_cost(void)
{
  const int lengths[] = {8, 64, 128}, tables[] = {8, 32};

  printf("\n");
  for (int k = 0; k < 3; ++k) {
    const int m = lengths[k];
    memset(dense, 0, sizeof dense);
    for (int i = 0; i < m; ++i) {
      dense[i * m + i] = i ? 2 : 1;
      if (i > 0) dense[i * m + i - 1] = dense[(i - 1) * m + i] = -1;
      q[i] = i ? 0 : -1;
    }
    report("column at rest", m, 1);
    chain(m);
    report("chain", m, 1);
  }
  for (int k = 0; k < 2; ++k) {
    feet(tables[k], 0.3);
    report("feet", tables[k], tables[k] - 1);
  }
}

SAL_TEST_MAIN("contact_solve", NULL, {"chains", test_chains}, {"columns", test_columns},
              {"feet", test_feet}, {"exact cases", test_exact}, {"semidefinite", test_semidefinite},
              {"unsolvable", test_unsolvable}, {"lemke", test_lemke}, {"friction", test_friction},
              {"given sense", test_sliding}, {"one as two", test_one_as_two},
              {"impacts", test_impacts}, {"cost", test_cost})
