/** The hopping leg against its closed forms between events, and against certified orbits: those of
 *  section 4.2 and of the branches, by both rules of release.
 */
#include "kernels/run_one.h"
#include "sal_test.h"
#include "zana.h"
#include <complex.h>

enum { M, MU, K, DF, DG, G, L0, RELEASE, N_ALL };
enum { ZU, ZL, VU, VL, N_STATE };
enum { FOOT, LOAD, N_GUARD };
enum { PAPER, UNILATERAL };
enum { MOST = 8 };

static const bool in_flight[] = {false, false}, in_stance[] = {true, true};

/** One flight: from where the foot is released to where it is again. */
typedef struct {
  sal_event event[MOST];
  double at_events[MOST][2 * N_STATE];
  sal_events log;
  sal_record record;
  double end[N_STATE];
  bool closed[N_GUARD];
} flight;

/* Only mu, D_F and D_G are left. */
static void dimensionless(double mu, double DF_, double DG_, int rule, double p[])
{
  const double value[N_ALL] = {1, mu, 1, 2 * DF_, 2 * DG_, 1, 0, rule};

  memcpy(p, value, sizeof value);
}

/* lam of a foot on the ground. */
static double pull(const double p[], const double y[])
{
  return p[K] * (y[ZU] - p[L0]) + p[DG] * y[VU] - (1 - p[MU]) * p[M] * p[G];
}

static void run_from(const char *method, double tol, const double p[], const bool mode[],
                     const double start[], double t_end, flight *out)
{
  sal_setup setup = config("hopping-leg", method, "event", tol, t_end);

  setup.every_contact = true;
  setup.stop = (sal_stop){.contact = FOOT, .closes = false, .count = 1};
  out->log = (sal_events){
      .event = out->event, .capacity = MOST, .state = *out->at_events, .n_state = N_STATE};
  const sal_job job = {.param = p,
                       .initial = start,
                       .events = &out->log,
                       .end = out->end,
                       .closed = mode,
                       .end_closed = out->closed};
  run_batch(&setup, 1, 1, &job, &out->record);
}

static void flight_once(const char *method, double tol, const double p[], double zU, double vU,
                        double t_end, flight *out)
{
  run_from(method, tol, p, in_flight, (double[]){zU, 0, vU, 0}, t_end, out);
}

/* A flight has a touchdown and a release, and between them the load where it comes late. */
static bool is_flight(const flight *h, bool late)
{
  return outcome(&h->record) == SAL_OUT_ENDED && h->log.n == 2 + late && h->event[0].closes &&
         h->event[0].guard == FOOT && h->event[1].guard == (late ? LOAD : FOOT) &&
         h->event[1].closes == late && h->event[1 + late].guard == FOOT &&
         !h->event[1 + late].closes && !h->closed[FOOT] && !h->closed[LOAD];
}

static double closure(const flight *h, double zU, double vU)
{
  return fmax(fabs(h->end[ZU] - zU), fabs(h->end[VU] - vU));
}

/* ---- closed forms --------------------------------------------------------------------------- */

/** x, x' a time t after (x0, v0) of m x'' + d x' + k x = 0. */
static void ring(double m, double d, double k, double x0, double v0, double t, double out[])
{
  const double complex r = (-d + csqrt(d * d - 4 * m * k)) / (2 * m), s = (-d / m) - r;
  const double complex a = (v0 - s * x0) / (r - s), b = x0 - a;

  out[0] = creal(a * cexp(r * t) + b * cexp(s * t));
  out[1] = creal(a * r * cexp(r * t) + b * s * cexp(s * t));
}

/* The centre of mass falls; the leg rings about its free length. */
static void flight_is_a_fall_and_a_ringing_leg(void)
{
  const double p[N_ALL] = {60, 0.7, 9000, 140, -90, 9.8, 0.8, PAPER};
  const double start[N_STATE] = {1.9, 1, -1, 2}, t = 0.3, mu = p[MU];
  const double c = mu * start[ZU] + (1 - mu) * start[ZL], w = mu * start[VU] + (1 - mu) * start[VL];
  double s[2];
  flight h;

  run_from("dop853", 1e-12, p, in_flight, start, t, &h);
  ring(mu * (1 - mu) * p[M], p[DF], p[K], start[ZU] - start[ZL] - p[L0], start[VU] - start[VL], t,
       s);
  CU_ASSERT(outcome(&h.record) == SAL_OUT_DONE && h.log.n == 0);
  CU_ASSERT_DOUBLE_EQUAL(mu * h.end[ZU] + (1 - mu) * h.end[ZL], c + w * t - p[G] * t * t / 2,
                         1e-11);
  CU_ASSERT_DOUBLE_EQUAL(h.end[ZU] - h.end[ZL] - p[L0], s[0], 1e-11);
  CU_ASSERT_DOUBLE_EQUAL(h.end[VU] - h.end[VL], s[1], 1e-10);
  CU_ASSERT(fabs(s[0]) > 1e-3 && fabs(s[1]) > 1e-2);
}

/* A glued foot stands as one with a load does, a sliding one is pushed by the whole weight. */
static void stance_is_a_ringing_mass(void)
{
  const bool late[] = {true, false};
  const double p[N_ALL] = {60, 0.7, 9000, 140, -90, 9.8, 0.8, PAPER};
  const double low[N_STATE] = {0.7, 0, -0.5, 0}, high[N_STATE] = {0.83, 0, -1, 0};
  const double rest = p[L0] - p[MU] * p[M] * p[G] / p[K], t = 0.01;
  double s[2];
  flight h;

  run_from("dop853", 1e-12, p, in_stance, low, 5 * t, &h);
  ring(p[MU] * p[M], p[DG], p[K], low[ZU] - rest, low[VU], 5 * t, s);
  CU_ASSERT(outcome(&h.record) == SAL_OUT_DONE && h.log.n == 0 && pull(p, h.end) < 0);
  CU_ASSERT_DOUBLE_EQUAL(h.end[ZU] - rest, s[0], 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(h.end[VU], s[1], 1e-11);
  CU_ASSERT(h.end[ZL] == 0 && h.end[VL] == 0);
  for (int rule = PAPER; rule <= UNILATERAL; ++rule) {
    double q[N_ALL];
    memcpy(q, p, sizeof q);
    q[RELEASE] = rule;
    run_from("dop853", 1e-12, q, late, high, t, &h);
    ring(p[MU] * p[M], p[DG], p[K], high[ZU] - rest, high[VU], t, s);
    CU_ASSERT(outcome(&h.record) == SAL_OUT_DONE && h.log.n == 0 && pull(q, h.end) > 0);
    CU_ASSERT_DOUBLE_EQUAL(h.end[VU], rule == PAPER ? s[1] : high[VU] - p[G] / p[MU] * t, 1e-12);
  }
  CU_ASSERT(fabs(high[VU] - p[G] / p[MU] * t - s[1]) > 1e-3);
}

/* ---- section 4.2 ---------------------------------------------------------------------------- */

static zana_table orbit;

static void paper_parameters(double free_length, double p[])
{
  static const char *const name[] = {"m", "mu", "k", "dF", "dG", "g"};

  for (int i = M; i <= G; ++i) p[i] = zana_entry(&orbit, name[i], 0);
  p[L0] = free_length;
  p[RELEASE] = PAPER;
}

/* In SI units with a leg of length 0 or 1, and without dimensions. */
static void the_orbit_of_section_4_2_is_met(void)
{
  zana_read("orbit42.csv", &orbit);
  const double t_F = zana_entry(&orbit, "tF", 0), t_p = zana_entry(&orbit, "tp", 0);
  const double alpha = zana_entry(&orbit, "alpha", 0), g = zana_entry(&orbit, "g", 0);

  for (int form = 0; form < 3; ++form) {
    const double T = form == 2 ? alpha : 1, X = form == 2 ? alpha * alpha / g : 1; /* units */
    const double length = form == 1 ? 1 : 0;
    double p[N_ALL];
    flight h;
    paper_parameters(length, p);
    if (form == 2)
      dimensionless(p[MU], zana_entry(&orbit, "DF", 0), zana_entry(&orbit, "DG", 0), 0, p);
    const double zU = X * zana_entry(&orbit, "x0_release", ZU) + length;
    const double vU = X / T * zana_entry(&orbit, "x0_release", VU);
    CU_ASSERT_DOUBLE_EQUAL(pull(p, (double[]){zU, 0, vU, 0}) / p[K], 0, 1e-15);
    flight_once("dop853", 1e-12, p, zU, vU, 1.5 * T, &h);
    CU_ASSERT_FATAL(is_flight(&h, false));
    CU_ASSERT_DOUBLE_EQUAL(h.event[0].t / T, t_F, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(h.event[1].t / T, t_p, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL((h.event[0].y[ZU] - length) / X,
                           zana_entry(&orbit, "x_touchdown_plus", ZU), 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(h.event[0].y[VU] * T / X, zana_entry(&orbit, "x_touchdown_plus", VU),
                           1e-10);
    CU_ASSERT_DOUBLE_EQUAL(h.event[0].rate * T / X, zana_entry(&orbit, "x_touchdown_minus", VL),
                           1e-9); /* the foot's velocity ahead of touchdown */
    CU_ASSERT(h.event[0].y[ZL] == 0 && h.event[0].y[VL] == 0);
    CU_ASSERT(closure(&h, zU, vU) < 1e-10 && h.end[ZL] == 0 && h.end[VL] == 0);
  }
}

static void every_method_follows_it(void)
{
  const double t_F = zana_entry(&orbit, "tF", 0), t_p = zana_entry(&orbit, "tp", 0);
  const double zU = zana_entry(&orbit, "x0_release", ZU), vU = zana_entry(&orbit, "x0_release", VU);
  double p[N_ALL], worst = 0;

  paper_parameters(0, p);
  for (int i = 0; sal_registry_methods[i]; ++i)
    for (int digits = 3; digits <= 7; digits += 2) {
      const double tol = pow(10, -digits);
      flight h;
      flight_once(sal_registry_methods[i]->name, tol, p, zU, vU, 1.5, &h);
      CU_ASSERT_FATAL(is_flight(&h, false));
      const double off = fmax(fabs(h.event[0].t - t_F), fabs(h.event[1].t - t_p));
      CU_ASSERT(off < 30 * tol);
      worst = fmax(worst, off);
    }
  CU_ASSERT(worst > 1e-8);
}

/* By differences along the line of release, k dz + dG dv = 0. */
static void its_multiplier_is_that_of_the_paper(void)
{
  const double zU = zana_entry(&orbit, "x0_release", ZU), vU = zana_entry(&orbit, "x0_release", VU);
  const double d = 1e-5;
  double p[N_ALL];
  flight up, down;

  paper_parameters(0, p);
  flight_once("dop853", 1e-13, p, zU - p[DG] / p[K] * d, vU + d, 1.5, &up);
  flight_once("dop853", 1e-13, p, zU + p[DG] / p[K] * d, vU - d, 1.5, &down);
  CU_ASSERT_FATAL(is_flight(&up, false) && is_flight(&down, false));
  CU_ASSERT_DOUBLE_EQUAL((up.end[VU] - down.end[VU]) / (2 * d), zana_entry(&orbit, "multiplier", 0),
                         1e-8);
  CU_ASSERT_DOUBLE_EQUAL(pull(p, up.end), 0, 1e-8);
}

/* ---- branches ------------------------------------------------------------------------------- */

/* Every row starts on its orbit and comes back, with the load late where the data say so. */
static void check_branch(const char *file, int least_late)
{
  static zana_table rows;
  int late = 0;

  zana_read(file, &rows);
  for (int i = 0; i < rows.n_row; ++i) {
    const double mu = zana_value(&rows, i, "mu"), m = zana_entry(&orbit, "m", 0);
    const double k = zana_entry(&orbit, "k", 0), dF = zana_entry(&orbit, "dF", 0);
    const double p[N_ALL] = {m, mu, k, dF, zana_value(&rows, i, "d_G"), 9.81, 0, PAPER};
    const double zU = zana_value(&rows, i, "zU0"), vU = zana_value(&rows, i, "vU0");
    const double t_p = zana_value(&rows, i, "t_p");
    const bool pulled = zana_value(&rows, i, "lambda_td_plus") > 0;
    flight h;
    flight_once("dop853", 1e-12, p, zU, vU, 1.2 * t_p + 0.1, &h);
    CU_ASSERT_FATAL(is_flight(&h, pulled));
    CU_ASSERT_DOUBLE_EQUAL(h.event[0].t, zana_value(&rows, i, "t_F"), 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(h.event[1 + pulled].t, t_p, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(pull(p, h.event[0].y), zana_value(&rows, i, "lambda_td_plus"), 1e-8 * k);
    CU_ASSERT(closure(&h, zU, vU) < 1e-8 * fmax(1, vU));
    CU_ASSERT(vU > 1e-3);
    late += pulled;
  }
  CU_ASSERT(rows.n_row > 70 && late >= least_late);
}

static void rows_of_mu_08_are_periodic(void) { check_branch("branch_mu0p8.csv", 40); }
static void rows_of_mu_095_are_periodic(void) { check_branch("branch_mu0p95.csv", 40); }

/* ---- both rules of release ------------------------------------------------------------------ */

static void both_rules_are_as_in_the_data(void)
{
  static zana_table rows;
  const double D_F = 1 / sqrt(200);
  double slid = 0;

  zana_read("unilateral_variant.csv", &rows);
  for (int i = 0; i < rows.n_row; ++i) {
    const int rule = strcmp(zana_word(&rows, i, "rule"), "paper") == 0 ? PAPER : UNILATERAL;
    const double mu = zana_value(&rows, i, "mu"), D_G = zana_value(&rows, i, "D_G");
    const double vU = zana_value(&rows, i, "v0_nondim"), zU = (1 - mu) - 2 * D_G * vU;
    const double T = zana_value(&rows, i, "T_nondim"), tau = zana_value(&rows, i, "tau_nondim");
    const bool late = zana_value(&rows, i, "lambda_td_plus_nondim") > 0;
    double p[N_ALL];
    flight h;
    dimensionless(mu, D_F, D_G, rule, p);
    flight_once("dop853", 1e-12, p, zU, vU, 1.5 * (T + tau), &h);
    CU_ASSERT_FATAL(is_flight(&h, late));
    CU_ASSERT_DOUBLE_EQUAL(h.event[0].t, T, 1e-10 + 1e-11 * T); /* 12 digits */
    CU_ASSERT_DOUBLE_EQUAL(h.event[1 + late].t, T + tau, 1e-10 + 1e-11 * T);
    CU_ASSERT_DOUBLE_EQUAL(pull(p, h.event[0].y), zana_value(&rows, i, "lambda_td_plus_nondim"),
                           1e-8);
    CU_ASSERT(closure(&h, zU, vU) < 1e-9);
    if (rule == PAPER || !late) continue;
    const double slides = h.event[1].t - h.event[0].t;
    CU_ASSERT_DOUBLE_EQUAL(slides, zana_value(&rows, i, "sliding_time_nondim"), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(h.event[1].y[VU], h.event[0].y[VU] - slides / mu, 1e-11);
    slid = fmax(slid, slides);
  }
  CU_ASSERT(rows.n_row > 20 && slid > 0.03);
}

/* lam rises through 0 while the body sinks: the foot would be pressed down in flight, so it stays. */
static void a_foot_that_would_not_rise_stays(void)
{
  for (int rule = PAPER; rule <= UNILATERAL; ++rule)
    for (int i = 0; sal_registry_methods[i]; ++i) {
      double p[N_ALL], y[N_STATE] = {0, 0, -0.3, 0};
      flight h;
      dimensionless(0.6, 0.05, -0.3, rule, p);
      y[ZU] = (1 - p[MU]) - p[DG] * y[VU] - 1e-3; /* lam = -1e-3 */
      sal_setup setup = config("hopping-leg", sal_registry_methods[i]->name, "event", 1e-8, 2);
      h.log = (sal_events){
          .event = h.event, .capacity = MOST, .state = *h.at_events, .n_state = N_STATE};
      const sal_job job = {.param = p, .initial = y, .events = &h.log, .end = h.end};
      run_batch(&setup, 1, 1, &job, &h.record);
      CU_ASSERT(outcome(&h.record) == SAL_OUT_DONE && h.log.n >= 2);
      CU_ASSERT(h.event[0].guard == FOOT && !h.event[0].closes && h.event[0].t < 0.01);
      CU_ASSERT(h.event[1].guard == LOAD && h.event[1].closes && h.event[1].t > 0.1);
      CU_ASSERT(h.event[1].y[ZL] == 0 && h.event[1].y[VU] < 0);
      CU_ASSERT_DOUBLE_EQUAL(pull(p, h.event[1].y), 0, 1e-7);
    }
}

/* Where both fields pull the foot up at touchdown, a unilateral one leaves at once. */
static void a_foot_that_is_pulled_up_only_touches(void)
{
  for (int rule = PAPER; rule <= UNILATERAL; ++rule) {
    double p[N_ALL];
    flight h;
    const double start[N_STATE] = {1.2, 0.05, 0.8, -1};
    dimensionless(0.7, 0.05, -0.05, rule, p);
    run_from("dop853", 1e-10, p, in_flight, start, 0.2, &h);
    CU_ASSERT(outcome(&h.record) == SAL_OUT_DONE);
    CU_ASSERT(h.log.n == 1 && h.event[0].guard == FOOT && h.event[0].closes);
    CU_ASSERT(pull(p, h.event[0].y) > 0.1 && h.event[0].y[VL] == 0);
    CU_ASSERT(h.closed[FOOT] == (rule == PAPER) && !h.closed[LOAD]);
    CU_ASSERT(rule == PAPER ? h.end[ZL] == 0 : h.end[ZL] > 1e-3);
  }
}

/* ---- anywhere ------------------------------------------------------------------------------- */

/* A start with the foot on the ground and moving down: it lands there and then.  Below the ground there
 * is none. */
static void a_run_may_begin_on_the_ground_not_below(void)
{
  double p[N_ALL];
  flight h;
  sal_setup setup = config("hopping-leg", "dop853", "event", 1e-10, 20);

  dimensionless(0.8, 0.0707, -0.0377, PAPER, p);
  h.log =
      (sal_events){.event = h.event, .capacity = MOST, .state = *h.at_events, .n_state = N_STATE};
  const sal_job job = {
      .param = p, .initial = (double[]){-1.5, 0, 0, -1}, .events = &h.log, .end = h.end};
  sal_job below = job;
  sal_record refused;
  run_batch(&setup, 1, 1, &job, &h.record);
  CU_ASSERT(outcome(&h.record) == SAL_OUT_DONE && h.log.n > 3);
  CU_ASSERT(h.event[0].guard == FOOT && h.event[0].closes && h.event[0].t == 0);
  CU_ASSERT(h.event[0].y[ZL] == 0 && h.event[0].y[VL] == 0 && h.event[0].y[ZU] == -1.5);
  CU_ASSERT(h.event[1].guard == FOOT && !h.event[1].closes && h.event[1].y[ZL] == 0);
  CU_ASSERT_DOUBLE_EQUAL(pull(p, h.event[1].y), 0, 1e-8);
  CU_ASSERT(h.event[2].t - h.event[1].t > 0.5);
  below.initial = (double[]){-2, -0.5, 0, -1};
  below.events = NULL;
  run_batch(&setup, 1, 1, &below, &refused);
  CU_ASSERT(outcome(&refused) == SAL_OUT_PENETRATES && refused.value[SAL_METRIC_T_REACHED] == 0);
}

/* The orbit attracts: the preset comes to it. */
static void the_preset_comes_to_the_orbit(void)
{
  const sal_model *m = sal_registry_model("hopping-leg");
  sal_setup setup = config("hopping-leg", "dop853", "event", 1e-10, 40);
  double p[N_ALL] = {0}, y[N_STATE];
  static sal_event event[400];
  sal_events log = {.event = event, .capacity = 400};

  for (int i = 0; i < m->n_param; ++i) p[i] = m->param[i].preset;
  for (int i = 0; i < N_STATE; ++i) y[i] = m->state[i].preset;
  const sal_record r = run_one(&setup, p, y, NULL, &log);
  CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_DONE && log.n > 100 && log.n < 400);
  const sal_event *last = &event[log.n - 1], *before = &event[log.n - 3];
  CU_ASSERT_DOUBLE_EQUAL(last->t - before->t, zana_entry(&orbit, "tp", 0), 1e-8);
  CU_ASSERT(fabs(event[2].t - event[0].t - zana_entry(&orbit, "tp", 0)) > 1e-3);
}

/* Begun with a leg that pulls the foot up, in flight and in stance: it is in the air at once, unless
 * it is glued. */
static void a_start_on_a_stretched_leg(void)
{
  for (int rule = PAPER; rule <= UNILATERAL; ++rule)
    for (int i = 0; sal_registry_methods[i]; ++i) {
      sal_setup setup = config("hopping-leg", sal_registry_methods[i]->name, "event", 1e-6, 0.2);
      double p[N_ALL], end[N_STATE];
      bool closed[N_GUARD] = {false};
      dimensionless(0.7, 0.05, -0.05, rule, p);
      const sal_job job = {
          .param = p, .initial = (double[]){1.6, 0, 0, 0}, .end = end, .end_closed = closed};
      sal_record r;
      run_batch(&setup, 1, 1, &job, &r);
      CU_ASSERT(outcome(&r) == SAL_OUT_DONE && n_event(&r) == (rule == UNILATERAL));
      CU_ASSERT(closed[FOOT] == (rule == PAPER) && !closed[LOAD]);
      CU_ASSERT(rule == PAPER ? end[ZL] == 0 : end[ZL] > 0.01);
    }
}

static void what_makes_no_sense_is_refused(void)
{
  static const struct {
    int which;
    double value;
  } bad[] = {{M, 0}, {MU, 0}, {MU, 1}, {K, 0}, {DG, 1}};
  const sal_model *m = sal_registry_model("hopping-leg");
  double p[N_ALL];

  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    dimensionless(0.8, 0.1, -0.1, PAPER, p);
    CU_ASSERT_PTR_NULL(m->flaw(m->inner, p));
    p[bad[i].which] = bad[i].value;
    CU_ASSERT_PTR_NOT_NULL(m->flaw(m->inner, p));
  }
  CU_ASSERT(m->section.contact == FOOT && !m->section.closes);
}

SAL_TEST_MAIN("hopping leg", NULL,
              {"flight is a fall and a ringing leg", flight_is_a_fall_and_a_ringing_leg},
              {"stance is a ringing mass", stance_is_a_ringing_mass},
              {"the orbit of section 4.2 is met", the_orbit_of_section_4_2_is_met},
              {"every method follows it", every_method_follows_it},
              {"its multiplier is that of the paper", its_multiplier_is_that_of_the_paper},
              {"rows of mu = 0.8 are periodic", rows_of_mu_08_are_periodic},
              {"rows of mu = 0.95 are periodic", rows_of_mu_095_are_periodic},
              {"both rules are as in the data", both_rules_are_as_in_the_data},
              {"a foot that would not rise stays", a_foot_that_would_not_rise_stays},
              {"a foot that is pulled up only touches", a_foot_that_is_pulled_up_only_touches},
              {"a run may begin on the ground, not below", a_run_may_begin_on_the_ground_not_below},
              {"a start on a stretched leg", a_start_on_a_stretched_leg},
              {"the preset comes to the orbit", the_preset_comes_to_the_orbit},
              {"what makes no sense is refused", what_makes_no_sense_is_refused})
