/** Models with one fault each: what a run makes of it, and what the checks of the suite say.  And
 *  contacts that end a run, wherever it stands when they close.
 */
#include "models/flow_check.h"
#include "run_one.h"
#include "sal_test.h"
#include "stages.h"
#include <math.h>
#include <string.h>

/* ---- a ball that falls onto a floor, with faults -------------------------------------------- */

enum { Y, V, N_STATE };
enum { FAULT, DEPTH, N_PARAM };

/** The fault; DEPTH is how deep a jump leaves the ball, or the error of a gap or an entry. */
typedef enum {
  NONE,
  NAN_SLOPE,   /* everywhere */
  NAN_BELOW,   /* where the ball is lower than DEPTH */
  NAN_GAP,     /* always */
  ONE_SIDED,   /* the gap is DEPTH for ever */
  WRONG_ENTRY, /* of the Jacobian: d V' / d V */
  WRONG_RATE,  /* without dh/dt */
  DEEP_JUMP,   /* into the floor */
  NO_REBOUND,  /* the contact opens again, and the ball goes on falling */
  SHARES,      /* the right-hand side changes its arguments */
} fault;

static bool has(const sal_phase *s, fault f) { return s->p[FAULT] == (double)f; }

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const bool lost = has(s, NAN_SLOPE) || (has(s, NAN_BELOW) && y[Y] < s->p[DEPTH]);

  (void)t;
  dy[Y] = y[V];
  dy[V] = lost ? NAN : -1 - 0.5 * y[V];
  if (has(s, SHARES)) ((sal_v *)(uintptr_t)y)[V] += 1;
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)t, (void)y;
  J[0] = J[2] = 0;
  J[1] = 1;
  J[3] = has(s, WRONG_ENTRY) ? -0.5 + s->p[DEPTH] : -0.5;
}

/* The floor sinks slowly. */
static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  gap[0] = has(s, NAN_GAP) ? NAN : has(s, ONE_SIDED) ? s->p[DEPTH] : y[Y] + 0.125 * t;
  rate[0] = has(s, ONE_SIDED) ? 0 : has(s, WRONG_RATE) ? dy[Y] : dy[Y] + 0.125;
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  (void)k;
  if (!lanes || !s->closed[0]) return;
  y[Y] = -0.125 * t - (has(s, DEEP_JUMP) ? s->p[DEPTH] : 0);
  y[V] = has(s, NO_REBOUND) || has(s, DEEP_JUMP) ? y[V] : -0.5 * y[V];
  s->closed[0] = 0;
}

SAL_FLOW(bad_ball, N_STATE, .jac = jac, .guard = guard, .jump = jump);

static const sal_model ball = {
    .name = "bad-ball",
    .resets = true,
    .n_state = N_STATE,
    .velocity = {[Y] = 1 + V},
    .n_guard = 1,
    .n_param = N_PARAM,
    .span = 4,
    .state = {{.name = "y"}, {.name = "v"}},
    .w1 = (const struct sal_flow_w1 *)&bad_ball_w1,
};

/** The same ball on a soft floor of no stiffness, for strategies that apply no jump. */
static sal_model soft_ball(void)
{
  sal_model soft = ball;

  soft.resets = false;
  return soft;
}

/** And one whose floor ends the run. */
static sal_model last_ball(void)
{
  sal_model last = ball;
  last.contact[0] = (sal_contact){"fall", "rise", .ends = true};
  return last;
}

/* ---- every pair that can run a model -------------------------------------------------------- */

typedef void check_run(sal_setup *u, const double param[]);

static void for_every_pair(const sal_model *model, const double param[], check_run *check)
{
  for (int m = 0; sal_registry_methods[m]; ++m)
    for (int k = 0; sal_registry_strategies[k]; ++k) {
      const sal_strategy *s = sal_registry_strategies[k];
      sal_setup u = {.model = model,
                     .method = sal_registry_methods[m],
                     .strategy = s,
                     .rtol = 1e-6,
                     .atol = 1e-6,
                     .t_end = model->span,
                     .zone = 5e-4,
                     .zone_in_time = !s->in_gap,
                     .fixed_step = s->fixed ? 2e-3 : 0,
                     .max_attempts = 200000};
      if (s->zoned && !s->held) continue; /* as its source prints it, faults included */
      if (sal_strategy_drives(s, u.method) && sal_strategy_meets_jumps(s, model)) check(&u, param);
    }
}

static sal_record drop(const sal_setup *u, const double param[], sal_events *log)
{
  static const double start[] = {1, 0};

  return run_one(u, param, start, NULL, log);
}

static void expect(bool fine, const sal_setup *u, const char *what, int line)
{
  if (!fine) printf("\n    %s, %s: %s", u->strategy->name, u->method->name, what);
  CU_assertImplementation(fine, (unsigned)line, what, __FILE__, "", CU_FALSE);
}
#define EXPECT(fine) expect(fine, u, #fine, __LINE__)

/* Time at which the ball without fault touches the floor. */
static double impact_time(void)
{
  const double none[] = {NONE, 0};
  sal_event event[1] = {0};
  sal_events log = {.event = event, .capacity = 1};
  const sal_setup u = {.model = &ball,
                       .method = sal_registry_method("dop853"),
                       .strategy = sal_registry_strategy("event"),
                       .rtol = 1e-12,
                       .atol = 1e-12,
                       .t_end = 4};

  drop(&u, none, &log);
  return log.n > 0 ? event[0].t : NAN;
}

/* ---- numbers that are none ------------------------------------------------------------------ */

static void is_not_finite(sal_setup *u, const double param[])
{
  const sal_record r = drop(u, param, NULL);

  EXPECT(outcome(&r) == SAL_OUT_NOT_FINITE);
  EXPECT(r.value[SAL_METRIC_T_REACHED] == 0);
}

/* The state before is a number still: the step that leaves it can only shrink. */
static void stops_before(sal_setup *u, const double param[])
{
  const sal_record r = drop(u, param, NULL);
  const int o = outcome(&r);

  EXPECT(o == SAL_OUT_NOT_FINITE || o == SAL_OUT_UNDERFLOW);
  EXPECT(r.value[SAL_METRIC_T_REACHED] > 1 && r.value[SAL_METRIC_T_REACHED] < 1.3);
}

static void a_slope_that_is_no_number_ends_the_run(void)
{
  const sal_model soft = soft_ball();

  for_every_pair(&soft, (const double[]){NAN_SLOPE, 0}, is_not_finite);
  for_every_pair(&soft, (const double[]){NAN_BELOW, 0.5}, stops_before);
}

static void meets_nothing(sal_setup *u, const double param[])
{
  const sal_record r = drop(u, param, NULL);

  EXPECT(outcome(&r) == SAL_OUT_DONE && n_event(&r) == 0);
  EXPECT(r.value[SAL_METRIC_T_REACHED] == u->t_end && r.value[SAL_METRIC_STEPS] > 0);
  EXPECT(!u->strategy->held || r.value[SAL_METRIC_GAPS] >= r.value[SAL_METRIC_STEPS]);
}

static void a_gap_that_keeps_its_sign_is_no_event(void)
{
  const sal_model soft = soft_ball();

  for_every_pair(&soft, (const double[]){ONE_SIDED, 1}, meets_nothing);
  for_every_pair(&soft, (const double[]){ONE_SIDED, 1e-300}, meets_nothing);
  for_every_pair(&soft, (const double[]){ONE_SIDED, -1}, meets_nothing);
}

/* It is on neither side.  A strategy that locates the contact reports it, at the first step or as a surface that
 * a projection never reached; others cannot detect it. */
static void says_that_it_is_lost(sal_setup *u, const double param[])
{
  const sal_record r = drop(u, param, NULL);

  if (!u->strategy->held)
    EXPECT(outcome(&r) == SAL_OUT_DONE);
  else if (!u->strategy->zoned)
    EXPECT(outcome(&r) == SAL_OUT_NOT_FINITE && r.value[SAL_METRIC_T_REACHED] == 0);
  else
    EXPECT(n_event(&r) == 0 && r.value[SAL_METRIC_UNMET] == 1);
}

static void a_gap_that_is_no_number_is_told(void)
{
  const sal_model soft = soft_ball();

  for_every_pair(&soft, (const double[]){NAN_GAP, 0}, says_that_it_is_lost);
}

/* ---- derivatives ---------------------------------------------------------------------------- */

static flow_point somewhere(fault f, double depth)
{
  return (flow_point){
      .t = 0.3, .param = {f, depth}, .y = {0.7, -0.4}, .tangent = {0.6, -0.2}, .held = true};
}

static bool names(const flow_verdict *v, const char *const words[])
{
  bool all = true;

  for (int i = 0; words[i]; ++i) all = all && strstr(v->text, words[i]);
  return all;
}

static void a_wrong_jacobian_is_named(void)
{
  flow_point at = somewhere(NONE, 0);
  flow_verdict v = flow_check_jacobian(&ball, 1, &at);

  CU_ASSERT(v.text[0] == '\0' && v.size >= 1);
  for (int digit = 0; digit < 7; ++digit) {
    at = somewhere(WRONG_ENTRY, pow(10, -digit));
    v = flow_check_jacobian(&ball, 1, &at);
    CU_ASSERT(names(&v, (const char *const[]){"bad-ball", "J[1][1]", "d(v')/d(v)", "-0.5", NULL}));
  }
}

static void a_wrong_rate_is_named(void)
{
  flow_point at = somewhere(NONE, 0);
  flow_verdict v = flow_check_rate(&ball, 1, &at);

  CU_ASSERT(v.text[0] == '\0' && v.size > 0.5);
  at = somewhere(WRONG_RATE, 0);
  v = flow_check_rate(&ball, 1, &at);
  CU_ASSERT(names(&v, (const char *const[]){"bad-ball", "contact 0", "0.6", "0.725", NULL}));
}

static void a_bad_slope_is_named(void)
{
  flow_point at = somewhere(NONE, 0);
  flow_verdict v = flow_check_slope(&ball, 1, &at);

  CU_ASSERT(v.text[0] == '\0' && v.size > 0.5);
  at = somewhere(NAN_SLOPE, 0);
  v = flow_check_slope(&ball, 1, &at);
  CU_ASSERT(names(&v, (const char *const[]){"bad-ball", "v' is", "nan", NULL}));
  at = somewhere(SHARES, 0);
  v = flow_check_slope(&ball, 1, &at);
  CU_ASSERT(names(&v, (const char *const[]){"bad-ball", "changes its arguments", NULL}));
}

static double kinetic(const void *inner, const double p[], double t, const double y[],
                      const bool closed[])
{
  (void)inner, (void)t, (void)closed;
  return p[DEPTH] > 0 ? NAN : 0.5 * y[V] * y[V];
}

static void a_wrong_invariant_is_named(void)
{
  sal_model lossy = ball;
  flow_point at = somewhere(NONE, 0);

  lossy.energy = kinetic;
  const flow_verdict v = flow_check_energy(&lossy, 1, &at);
  CU_ASSERT(names(&v, (const char *const[]){"bad-ball", "invariant", "0.08", "0.32", NULL}));
  at = somewhere(NONE, 1);
  const flow_verdict none = flow_check_energy(&lossy, 1, &at);
  CU_ASSERT(none.text[0] == '\0' && none.size == 0);
}

/* ---- jumps ---------------------------------------------------------------------------------- */

static void is_a_bad_jump(sal_setup *u, const double param[])
{
  if (u->strategy->zoned) return; /* a projection goes on from either side */
  const sal_record r = drop(u, param, NULL);

  EXPECT(outcome(&r) == SAL_OUT_BAD_JUMP && n_event(&r) == 1);
  EXPECT(fabs(r.value[SAL_METRIC_T_REACHED] - impact_time()) < 1e-3);
}

/* The same impact again and again: the contact is kept closed, where nothing holds it. */
static void is_kept_closed(sal_setup *u, const double param[])
{
  if (u->strategy->zoned) return;
  sal_event event[8] = {0};
  sal_events log = {.event = event, .capacity = 8};
  const sal_record r = drop(u, param, &log);

  EXPECT(outcome(&r) == SAL_OUT_ZENO && r.value[SAL_METRIC_ZENO] == 1);
  EXPECT(n_event(&r) == 3 && fabs(event[2].t - impact_time()) < 1e-3);
}

static void a_jump_to_the_wrong_side_is_an_outcome(void)
{
  for (int digit = 0; digit < 7; digit += 2)
    for_every_pair(&ball, (const double[]){DEEP_JUMP, pow(10, -digit)}, is_a_bad_jump);
}

static void a_contact_opened_without_rebound_is_kept_closed(void)
{
  for_every_pair(&ball, (const double[]){NO_REBOUND, 0}, is_kept_closed);
}

/* ---- contacts that end a run ---------------------------------------------------------------- */

enum { MESH = 100 };

/* y(t) of free fall from 1 against drag. */
static double fall(double t) { return 1 - 2 * t + 4 * (1 - exp(-0.5 * t)); }

/* The reference ended at the impact or a little before or after it, and was held there. */
static void check_end(sal_setup *u, const double param[], double late)
{
  static const double start[] = {1, 0};
  double state[(MESH + 1) * N_STATE], end[N_STATE], right[MESH + 8] = {0};
  const double ends = impact_time(), h = u->t_end / MESH;
  const double sharp = u->strategy->zoned ? 2e-3 : 2e-4;
  sal_samples samples = {.n_mesh = MESH, .state = state};
  const sal_score score = {right, MESH, 0.01, 0.05};
  const sal_job job = {
      .param = param, .initial = start, .score = &score, .samples = &samples, .end = end};
  sal_record r;

  for (int j = 0; j < MESH + 8; ++j) right[j] = fall(fmin(h * j, ends + late));
  run_batch(u, 1, 1, &job, &r);
  EXPECT(outcome(&r) == SAL_OUT_ENDED && n_event(&r) == 1);
  EXPECT(fabs(r.value[SAL_METRIC_T_REACHED] - ends) < sharp);
  EXPECT(fabs(end[Y] + 0.125 * ends) < sharp);
  for (int j = 0; j <= MESH; ++j) {
    const double t = h * j;
    if (t > ends + sharp) EXPECT(state[j * N_STATE + Y] == end[Y]);
    EXPECT(fabs(state[j * N_STATE + Y] - fall(fmin(t, ends))) < sharp);
  }
  EXPECT(r.value[SAL_METRIC_MAX_ERROR] < sharp + 2 * fabs(late) && r.value[SAL_METRIC_IAE] > 0);
  EXPECT(r.value[SAL_METRIC_END_ERROR] < sharp + 2 * fabs(late));
  EXPECT(late == 0 || r.value[SAL_METRIC_END_ERROR] > 0.5 * fabs(late));
}

static void ends_at_the_floor(sal_setup *u, const double param[])
{
  check_end(u, param, 0);
  check_end(u, param, 0.01);
  check_end(u, param, -0.01);
}

/* The ball begins in the floor: nothing is integrated, and every sample is the start. */
static void ends_at_once(sal_setup *u, const double param[])
{
  static const double under[] = {-1, 0.5};
  double state[(MESH + 1) * N_STATE], end[N_STATE];
  sal_samples samples = {.n_mesh = MESH, .state = state};
  const sal_job job = {.param = param, .initial = under, .samples = &samples, .end = end};
  sal_record r;

  run_batch(u, 1, 1, &job, &r);
  EXPECT(outcome(&r) == SAL_OUT_ENDED);
  EXPECT(r.value[SAL_METRIC_T_REACHED] == 0 && r.value[SAL_METRIC_STEPS] == 0);
  EXPECT(end[Y] == -1 && end[V] == 0.5);
  for (int j = 0; j <= MESH; ++j)
    EXPECT(state[j * N_STATE + Y] == -1 && state[j * N_STATE + V] == 0.5);
}

static void a_contact_may_end_the_run(void)
{
  const sal_model last = last_ball();

  for_every_pair(&last, (const double[]){NONE, 0}, ends_at_the_floor);
}

static void a_run_may_end_where_it_begins(void)
{
  const sal_model last = last_ball();

  for_every_pair(&last, (const double[]){NONE, 0}, ends_at_once);
}

SAL_TEST_MAIN("bad models", NULL,
              {"a slope that is not a number ends the run", a_slope_that_is_no_number_ends_the_run},
              {"a gap that keeps its sign is not an event", a_gap_that_keeps_its_sign_is_no_event},
              {"a gap that is not a number is reported", a_gap_that_is_no_number_is_told},
              {"a wrong Jacobian is named", a_wrong_jacobian_is_named},
              {"a wrong rate is named", a_wrong_rate_is_named},
              {"a bad slope is named", a_bad_slope_is_named},
              {"a wrong invariant is named", a_wrong_invariant_is_named},
              {"a jump to the wrong side is an outcome", a_jump_to_the_wrong_side_is_an_outcome},
              {"a contact opened without rebound is kept closed",
               a_contact_opened_without_rebound_is_kept_closed},
              {"a contact may end the run", a_contact_may_end_the_run},
              {"a run may end where it begins", a_run_may_end_where_it_begins})
