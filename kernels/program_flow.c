/** The flow that runs programs, in all lanes at once (lane half). */
#include "lane_functions.h"
#include "program_paired.h"
#include "stages.h"

/** Input of a program besides its registers. */
typedef struct {
  const sal_phase *s;
  sal_m closing; /* lanes in which the contact that jumps has closed */
} context;

#define MASK(register) sal_bits(register)
#define PUT(mask) sal_from_bits(mask)
#define PHASE at->s
#define CLOSING at->closing
#define SAL_PROGRAM_VALUE(does, range) (does)
#define SAL_PROGRAM_CODE paired
#define SAL_PROGRAM_NUMBER sal_v
#define SAL_PROGRAM_WITH_PAIRS

/* NOLINTNEXTLINE(readability-function-size): four places for each operation */
static void execute(const sal_program *program, const context *at, sal_v r[]){
#include "program_loop.def"
}

/* Inputs that are the same in all stages of a step. */
SAL_INLINE void load_fixed(const sal_flow_programs *f, const sal_program *program, const sal_v p[],
                           const sal_v q[], sal_v r[])
{
  for (int i = 0; i < program->n_word; ++i) r[program->word[i]] = p[program->word[i]];
  for (int i = 0; i < f->n_discrete; ++i) r[f->n_words + f->n_continuous + i] = q[i];
  for (int i = 0; i < program->n_constant; ++i)
    r[program->first_constant + i] = sal_set(program->constant[i]);
}

/* n: the continuous states, f->n_continuous. */
SAL_INLINE void load_state(const sal_flow_programs *f, const int n, sal_v t, const sal_v y[],
                           sal_v r[])
{
  SAL_UNROLL for (int i = 0; i < n; ++i) r[f->n_words + i] = y[i];
  r[f->n_words + n + f->n_discrete] = t;
}

SAL_INLINE void load(const sal_flow_programs *f, const sal_program *program, const sal_v p[],
                     sal_v t, const sal_v y[], const sal_v q[], sal_v r[])
{
  load_fixed(f, program, p, q, r);
  load_state(f, f->n_continuous, t, y, r);
}

static void run(const sal_phase *s, const sal_program *program, sal_v t, const sal_v y[],
                sal_v out[])
{
  const context at = {s, sal_none()};
  sal_v *r = SAL_PROGRAM_ROOM(sal_v, program);

  load(s->inner, program, s->p, t, y, s->q, r);
  execute(program, &at, r);
  for (int i = 0; i < program->n_out; ++i) out[i] = r[program->out[i]];
}

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  run(s, &((const sal_flow_programs *)s->inner)->rhs, t, y, dy);
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const sal_flow_programs *f = s->inner;

  for (int part = 0; part < f->n_jac; J += f->jac[part++].n_out) run(s, &f->jac[part], t, y, J);
}

static void by_time(const sal_phase *s, sal_v t, const sal_v y[], sal_v T[])
{
  run(s, &((const sal_flow_programs *)s->inner)->by_time, t, y, T);
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  const sal_flow_programs *f = s->inner;
  const context at = {s, sal_none()};
  const int slope = f->n_words + f->n_continuous + f->n_discrete + 1;
  sal_v *r = SAL_PROGRAM_ROOM(sal_v, &f->guard);

  if (f->n_guard == 0) return;
  load(f, &f->guard, s->p, t, y, s->q, r);
  for (int i = 0; i < f->n_continuous; ++i) r[slope + i] = dy[i];
  execute(&f->guard, &at, r);
  for (int k = 0; k < f->n_guard; ++k) {
    gap[k] = r[f->guard.out[k]];
    rate[k] = r[f->guard.out[f->n_guard + k]];
  }
  if (f->contacts && f->contacts->release) sal_program_release(s, t, y, dy, gap, rate);
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const sal_flow_programs *f = s->inner;
  const sal_jump_program *j = &f->jump[k];
  const context at = {s, lanes & s->closed[k]};
  sal_v *r = SAL_PROGRAM_ROOM(sal_v, &j->program);

  if (j->joint) {
    sal_program_joint(s, k, lanes, t, y);
    return;
  }
  load(f, &j->program, s->p, t, y, y + f->n_continuous, r);
  execute(&j->program, &at, r);
  for (int i = 0; i < j->n_value; ++i)
    y[j->value[i]] = sal_sel(lanes, r[j->program.out[i]], y[j->value[i]]);
  for (int i = 0; i < j->n_mode; ++i) {
    sal_m *closed = &s->closed[j->mode[i]];
    *closed = sal_pick(lanes, MASK(r[j->program.out[j->n_value + i]]), *closed);
  }
}

/* One lane after the other. */
static void joint_slope(const sal_phase *s, int k, sal_m lanes, sal_v t, const sal_v y[],
                        const sal_v x[], sal_v dt, sal_v out[])
{
  const sal_flow_programs *f = s->inner;
  const int n = f->n_continuous + f->n_discrete;
  double along[SAL_MAX_STATE], by[SAL_MAX_STATE];
  sal_program_lane at;

  for (int lane = 0; lane < SAL_LANES; ++lane) {
    if (!SAL_AT(lanes, lane)) continue;
    sal_program_take_lane(s, lane, y, y + f->n_continuous, &at);
    for (int i = 0; i < n; ++i) along[i] = SAL_AT(x[i], lane);
    f->contacts->slope(f, at.words, SAL_AT(t, lane), at.y, at.closed, k, SAL_AT(s->rests, lane),
                       along, SAL_AT(dt, lane), by);
    for (int i = 0; i < n; ++i) SAL_AT(out[i], lane) = by[i];
  }
}

void sal_program_jump_slope(const sal_phase *s, int k, sal_m lanes, sal_v t, const sal_v y[],
                            const sal_v x[], sal_v dt, sal_v out[])
{
  const sal_flow_programs *f = s->inner;
  const sal_jump_program *j = &f->jump[k];
  const context at = {s, lanes & s->closed[k]};
  const int n = f->n_continuous + f->n_discrete, slope = f->n_words + n + 1;
  sal_v *r = SAL_PROGRAM_ROOM(sal_v, &j->slope);

  if (j->joint) {
    joint_slope(s, k, lanes, t, y, x, dt, out);
    return;
  }
  load(f, &j->slope, s->p, t, y, y + f->n_continuous, r);
  for (int i = 0; i < n; ++i) r[slope + i] = out[i] = x[i];
  r[slope + n] = dt;
  execute(&j->slope, &at, r);
  for (int i = 0; i < j->n_value; ++i) out[j->value[i]] = r[j->slope.out[i]];
}

/* Right-hand sides of a step, in registers that keep what does not change. */
typedef struct {
  context at;
  const sal_flow_programs *flow;
  sal_v *r;
} stepping;

static int n_of(const sal_phase *s) { return ((const stepping *)s->inner)->flow->n_continuous; }

/* With the number n of states compiled in: loops over an unknown one cost as much as some operations. */
#define STAGES(name, n)                                                                            \
  static void rhs_##name(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])                 \
  {                                                                                                \
    const stepping *w = s->inner;                                                                  \
    load_state(w->flow, (n), t, y, w->r);                                                          \
    execute(&w->flow->rhs, &w->at, w->r);                                                          \
    SAL_UNROLL for (int i = 0; i < (n); ++i) dy[i] = w->r[w->flow->rhs.out[i]];                    \
  }                                                                                                \
  static void stages_##name(const sal_phase *s, const sal_step *step,                              \
                            const sal_stage_table *table, int from, int to, sal_v k[], sal_v x[])  \
  {                                                                                                \
    sal_stages(rhs_##name, (n), s, step, table, from, to, k, x);                                   \
  }
STAGES(2, 2)
STAGES(4, 4)
STAGES(6, 6)
STAGES(many, n_of(s))

static void stages(const sal_phase *s, const sal_step *step, const sal_stage_table *table, int from,
                   int to, sal_v k[], sal_v x[])
{
  static __typeof__(stages_many) *const few[] = {[2] = stages_2, [4] = stages_4, [6] = stages_6};
  const sal_flow_programs *f = s->inner;
  const size_t n = (size_t)f->n_continuous;
  const stepping w = {{s, sal_none()}, f, SAL_PROGRAM_ROOM(sal_v, &f->rhs)};

  load_fixed(f, &f->rhs, s->p, s->q, w.r);
  (n < sizeof few / sizeof *few && few[n] ? few[n] : stages_many)(&(sal_phase){.inner = &w}, step,
                                                                  table, from, to, k, x);
}

#define PROGRAM_FLOW(name, ...)                                                                    \
  const sal_flow SAL_FN(name) = {.rhs = rhs,                                                       \
                                 .stages = stages,                                                 \
                                 .by_time = by_time,                                               \
                                 .guard = guard,                                                   \
                                 .range = sal_program_range,                                       \
                                 .jump = jump,                                                     \
                                 __VA_ARGS__}
PROGRAM_FLOW(sal_program_flow, .jac = jac);
PROGRAM_FLOW(sal_program_flow_wide, .jac = NULL);

#if SAL_LANES == 1
/* The phase at y in a mode, for which there is room; all contacts are open where closed is NULL. */
static sal_phase phase_at(const sal_flow_programs *of, const double words[], const double y[],
                          const bool closed[], bool held, sal_m mode[])
{
  for (int k = 0; k < of->n_guard; ++k) mode[k] = SAL_MASK(closed && closed[k]);
  return (sal_phase){.n_guard = of->n_guard,
                     .p = words,
                     .q = y + of->n_continuous,
                     .closed = mode,
                     .held = SAL_MASK(held),
                     .inner = of};
}

void sal_program_run(const sal_flow_programs *of, const sal_program *program, const double words[],
                     double t, const double y[], const bool closed[], double out[])
{
  sal_m mode[SAL_MAX_GUARD];
  const sal_phase s = phase_at(of, words, y, closed, true, mode);

  run(&s, program, t, y, out);
}

void sal_program_run_free(const sal_flow_programs *of, const sal_program *program,
                          const double words[], double t, const double y[], double out[])
{
  sal_m mode[SAL_MAX_GUARD];
  const sal_phase s = phase_at(of, words, y, NULL, false, mode);

  run(&s, program, t, y, out);
}

void sal_program_jump(const sal_flow_programs *of, int k, const double words[], double t,
                      double y[], bool closed[])
{
  sal_m mode[SAL_MAX_GUARD] = {0};
  sal_phase s = phase_at(of, words, y, closed, true, mode);

  jump(&s, k, ~sal_none(), t, y);
  for (int j = 0; j < of->n_guard; ++j) closed[j] = mode[j] != 0;
}

void sal_program_gaps(const sal_flow_programs *of, const double words[], double t, const double y[],
                      const double dy[], const bool closed[], double gap[], double rate[])
{
  sal_m mode[SAL_MAX_GUARD];
  const sal_phase s = phase_at(of, words, y, closed, closed != NULL, mode);

  guard(&s, t, y, dy, gap, rate);
}

/* A stop within `margin` of *since may or may not have been passed, by rounding: *since moves on. */
double sal_program_next_stop(const sal_flow_programs *of, const sal_program *program,
                             const double words[], double t, double *since)
{
  enum { RESOLUTION = 128, TRIES = 8 };
  const double y[SAL_MAX_STATE] = {0};
  double out[2 * SAL_PROGRAM_STOPS] = {0}, size = sal_abs(t), next = INFINITY;
  const int n = program->n_out / 2;
  bool near = true;

  sal_program_run(of, program, words, t, y, NULL, out);
  for (int i = n; i < 2 * n; ++i)
    if (out[i] > size && out[i] < INFINITY) size = out[i];
  const double margin = RESOLUTION * sal_lane_spacing(size);
  *since = t;
  for (int try = 0; try < TRIES && near; ++try) {
    *since += margin;
    sal_program_run(of, program, words, *since, y, NULL, out);
    near = false;
    for (int i = 0; i < n; ++i) near = near || sal_abs(out[i] - *since) <= 0.5 * margin;
  }
  for (int i = 0; i < n; ++i)
    if (out[i] > *since && out[i] < next) next = out[i];
  return next;
}
#endif
