/** The monopod whose leg takes energy in flight and feeds it in stance: its cycles, and where its rest
 *  loses stability.
 */
#include "kernels/run_one.h"
#include "model_point.h"
#include "sal_test.h"
#include "zana.h"

enum { B, M1, K, F, ZETA_F, ZETA_G, ADHESION, N_ALL };
enum { Y1, V1, Y2, V2, N_STATE };
enum { MOST = 4096, MESH = 8192 };

static const double drop[N_STATE] = {0.5, 0, 1.5, 0};

static void powered(double zeta_F, double zeta_G, double p[])
{
  const double value[N_ALL] = {1951, 1.88, 22.8, 0.051, zeta_F, zeta_G, 0};

  memcpy(p, value, sizeof value);
}

/** From touchdown to touchdown. */
typedef struct {
  double period, stance, apex, end[N_STATE];
} cycle;

static cycle run_cycle(const double p[], const double touchdown[], double about)
{
  static double state[(MESH + 1) * N_STATE];
  const bool closed[] = {true};
  sal_event event[2] = {0};
  cycle c = {.apex = -1};
  sal_events log = {.event = event, .capacity = 2};
  sal_samples samples = {.n_mesh = MESH, .state = state};
  sal_setup setup = config("monopod", "dop853", "event", 1e-12, 1.2 * about);
  sal_record r;
  const sal_job job = {.param = p,
                       .initial = touchdown,
                       .samples = &samples,
                       .events = &log,
                       .end = c.end,
                       .closed = closed};

  setup.stop = (sal_stop){.contact = 0, .closes = true, .count = 1};
  run_batch(&setup, 1, 1, &job, &r);
  CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_ENDED && log.n == 2 && !event[0].closes);
  c.stance = event[0].t;
  c.period = event[1].t;
  for (int i = 0; i <= MESH; ++i) c.apex = fmax(c.apex, state[i * N_STATE + Y1]);
  return c;
}

/* How fast touchdowns come together: from differences well above rounding and well below 1. */
static double rate_of_approach(int n, const sal_event touchdown[])
{
  for (int i = 2; i < n; ++i) {
    const double a = touchdown[i - 1].y[V1] - touchdown[i - 2].y[V1];
    const double b = touchdown[i].y[V1] - touchdown[i - 1].y[V1];
    if (fabs(a) < 1e-8 && fabs(a) > 1e-9) return b / a;
  }
  return NAN;
}

/* Falls until it repeats one flight again and again. */
static void the_nine_cycles_are_met(void)
{
  static const struct {
    double zeta_F, zeta_G, period, stance, apex, multiplier;
  } known[] = {{0, -0.02, 10.37308, 2.9336, 0.3774, 0.3513},
               {0, -0.03, 11.36748, 2.8114, 0.4823, -0.4397},
               {0.02, -0.02, 6.04052, 3.6500, 0.0386, 0.8736},
               {0.02, -0.05, 11.40736, 2.8715, 0.4768, 0.5007},
               {0.05, -0.03, 6.11389, 3.5817, 0.0421, 0.7943},
               {0.05, -0.05, 9.48124, 3.0072, 0.2730, 0.8865},
               {0.1, -0.03, 6.07316, 3.6309, 0.0386, 0.9191},
               {0.1, -0.05, 8.53591, 3.0976, 0.1953, 0.9711},
               {0.2, -0.03, 5.67135, 3.8942, 0.0227, 0.9588}};
  static sal_event event[MOST];
  static double at_events[MOST][2 * N_STATE];

  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    const double span = known[i].multiplier < 0.95 ? 2500 : 7000;
    const sal_setup setup = config("monopod", "dop853", "event", 1e-12, span);
    sal_events log = {.event = event, .capacity = MOST, .state = *at_events, .n_state = N_STATE};
    double p[N_ALL];
    int n = 0;
    powered(known[i].zeta_F, known[i].zeta_G, p);
    const sal_record r = run_one(&setup, p, drop, NULL, &log);
    CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_DONE && log.n < MOST);
    for (int k = 0; k < log.n; ++k)
      if (event[k].closes) event[n++] = event[k];
    const cycle c = run_cycle(p, event[n - 1].y, known[i].period);
    CU_ASSERT_DOUBLE_EQUAL(c.period, known[i].period, 6e-6);
    CU_ASSERT_DOUBLE_EQUAL(c.stance, known[i].stance, 6e-5);
    CU_ASSERT_DOUBLE_EQUAL(c.apex, known[i].apex, 6e-5);
    CU_ASSERT_DOUBLE_EQUAL(rate_of_approach(n, event), known[i].multiplier, 1e-4);
    for (int j = V1; j < N_STATE; ++j) CU_ASSERT_DOUBLE_EQUAL(c.end[j], event[n - 1].y[j], 1e-7);
  }
}

/* The data have ten digits; what is lost of them grows where the toe only just leaves the ground. */
static void rows_of_the_branches_are_periodic(void)
{
  static zana_table rows;
  double fast = 0;

  zana_read("powered_monopod_branches.csv", &rows);
  for (int i = 0; i < rows.n_row; ++i) {
    const double v1 = zana_value(&rows, i, "v1_td");
    const double y[N_STATE] = {0, v1, zana_value(&rows, i, "y2_td"), zana_value(&rows, i, "v2_td")};
    double p[N_ALL];
    powered(zana_value(&rows, i, "zeta_F"), zana_value(&rows, i, "zeta_G"), p);
    const cycle c = run_cycle(p, y, zana_value(&rows, i, "period"));
    const double tol = 1e-8 * fmax(1, 1e-2 / fabs(v1));
    CU_ASSERT_DOUBLE_EQUAL(c.period, zana_value(&rows, i, "period"), 10 * tol);
    CU_ASSERT_DOUBLE_EQUAL(c.stance, zana_value(&rows, i, "stance_time"), 10 * tol);
    CU_ASSERT_DOUBLE_EQUAL(c.apex, zana_value(&rows, i, "apex_y1"), 1e-5);
    for (int j = V1; j < N_STATE; ++j) CU_ASSERT_DOUBLE_EQUAL(c.end[j], y[j], 10 * tol);
    fast = fmax(fast, fabs(v1));
  }
  CU_ASSERT(rows.n_row >= 70 && fast > 0.1);
}

/* Coefficients c [5] of det(x I - J) = sum c_i x^(4-i), by Faddeev and LeVerrier. */
static void characteristic(const double J[16], double c[5])
{
  double M[16] = {0};

  c[0] = 1;
  for (int k = 1; k <= 4; ++k) {
    double next[16], trace = 0;
    for (int i = 0; i < 4; ++i) M[i * 4 + i] += c[k - 1];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        next[i * 4 + j] = 0;
        for (int l = 0; l < 4; ++l) next[i * 4 + j] += J[i * 4 + l] * M[l * 4 + j];
      }
    for (int i = 0; i < 4; ++i) trace += next[i * 4 + i];
    c[k] = -trace / k;
    memcpy(M, next, sizeof M);
  }
}

/* Hurwitz: below 0 where a pair of eigenvalues of the stance at rest has crossed the imaginary axis. */
static double hurwitz(double zeta_F, double zeta_G)
{
  double p[N_ALL], y[N_STATE], J[16], c[5];

  powered(zeta_F, zeta_G, p);
  CU_ASSERT(sal_registry_model("monopod")->equilibrium(NULL, p, SAL_EQUILIBRIUM_TRUE, y));
  CU_ASSERT_DOUBLE_EQUAL(y[Y1], -0.01160, 1e-5);
  sal_model_jacobian(sal_registry_model("monopod"), p, 0, y, true, J);
  characteristic(J, c);
  CU_ASSERT(c[1] > 0 && c[4] > 0);
  return c[1] * c[2] * c[3] - c[3] * c[3] - c[1] * c[1] * c[4];
}

static void rest_loses_its_stability_where_it_should(void)
{
  double low = -0.1, high = 0;

  CU_ASSERT(hurwitz(0.1, low) < 0 && hurwitz(0.1, high) > 0);
  for (int i = 0; i < 60; ++i) {
    const double mid = (low + high) / 2;
    *(hurwitz(0.1, mid) < 0 ? &low : &high) = mid;
  }
  CU_ASSERT_DOUBLE_EQUAL(low, -0.0153293399, 1e-10);
  CU_ASSERT_EQUAL(hurwitz(0.1, -0.015), hurwitz(0, -0.015)); /* in flight it is another matter */
}

/* Weaker than that, it comes to rest; stronger, it bounces for ever from the same drop. */
static void a_leg_that_feeds_too_little_comes_to_rest(void)
{
  static sal_event event[MOST];
  static double at_events[MOST][2 * N_STATE];
  const sal_setup setup = config("monopod", "dop853", "event", 1e-9, 2500);

  for (int strong = 0; strong < 2; ++strong) {
    double p[N_ALL];
    sal_events log = {.event = event, .capacity = MOST, .state = *at_events, .n_state = N_STATE};
    powered(0.02, strong ? -0.02 : -0.005, p);
    const sal_record r = run_one(&setup, p, drop, NULL, &log);
    CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_DONE && log.n > 20 && log.n < MOST);
    CU_ASSERT(strong ? event[log.n - 1].t > 2490 : event[log.n - 1].t < 1500);
  }
}

SAL_TEST_MAIN("powered monopod", NULL, {"the nine cycles are met", the_nine_cycles_are_met},
              {"rows of the branches are periodic", rows_of_the_branches_are_periodic},
              {"rest loses its stability where it should",
               rest_loses_its_stability_where_it_should},
              {"a leg that feeds too little comes to rest",
               a_leg_that_feeds_too_little_comes_to_rest})
