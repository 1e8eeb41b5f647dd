/** The flow of width 1 around functions of plain numbers. */
#include "scalar_flow.h"
#include "stages.h"

static sal_scalar_phase phase_of(const sal_phase *s)
{
  const sal_scalar_functions *f = s->inner;

  return (sal_scalar_phase){.n_guard = s->n_guard,
                            .p = s->p,
                            .q = s->q,
                            .closed = s->closed,
                            .held = s->held != 0,
                            .rests = s->rests != 0,
                            .memory = s->memory,
                            .inner = f->inner};
}

static void rhs(const sal_phase *s, double t, const double y[], double dy[])
{
  const sal_scalar_functions *f = s->inner;
  const sal_scalar_phase phase = phase_of(s);

  f->rhs(&phase, t, y, dy);
}

static void stages(const sal_phase *s, const sal_step *step, const sal_stage_table *table, int from,
                   int to, double k[], double x[])
{
  sal_stages(rhs, ((const sal_scalar_functions *)s->inner)->n, s, step, table, from, to, k, x);
}

static void jac(const sal_phase *s, double t, const double y[], double J[])
{
  const sal_scalar_functions *f = s->inner;
  const sal_scalar_phase phase = phase_of(s);

  f->jac(&phase, t, y, J);
}

static void guard(const sal_phase *s, double t, const double y[], const double dy[], double gap[],
                  double rate[])
{
  const sal_scalar_functions *f = s->inner;
  const sal_scalar_phase phase = phase_of(s);

  if (f->guard) f->guard(&phase, t, y, dy, gap, rate);
}

static void jump(sal_phase *s, int k, int64_t lanes, double t, double y[])
{
  const sal_scalar_functions *f = s->inner;
  sal_scalar_phase phase = phase_of(s);

  if (lanes && f->jump) f->jump(&phase, k, t, y);
}

const sal_flow SAL_FN(sal_scalar_flow) = {
    .rhs = rhs, .stages = stages, .jac = jac, .guard = guard, .jump = jump};
const sal_flow SAL_FN(sal_scalar_plain) = {
    .rhs = rhs, .stages = stages, .guard = guard, .jump = jump};
