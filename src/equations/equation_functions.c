/** The descriptor's functions: each runs a program at width 1. */
#include "equation_programs.h"

static double run_single(const void *inner, sal_equation_single single, const double param[],
                         double t, const double y[], const bool closed[])
{
  const sal_equation_programs *p = inner;
  double value;

  sal_program_run(&p->flow, &p->single[single], param, t, y, closed, &value);
  return value;
}

/* Runs a program that does not depend on states. */
static void run_parameters(const sal_equation_programs *p, const sal_program *program,
                           const double param[], double out[])
{
  const double y[SAL_MAX_STATE] = {0};

  sal_program_run(&p->flow, program, param, 0, y, NULL, out);
}

static void constants(const void *inner, const double param[], double c[])
{
  const sal_equation_programs *p = inner;

  run_parameters(p, &p->constants, param, c);
}

/* A mask's bits, as a number: all set is NaN. */
static const char *flaw(const void *inner, const double param[])
{
  const sal_equation_programs *p = inner;
  double found[SAL_EQUATION_FLAWS];

  run_parameters(p, &p->flaws, param, found);
  for (int i = 0; i < p->flaws.n_out; ++i)
    if (isnan(found[i])) return p->sentence[i];
  return NULL;
}

static bool equilibrium(const void *inner, const double param[], sal_equilibrium which, double y[])
{
  const sal_equation_programs *p = inner;
  const bool published = which == SAL_EQUILIBRIUM_PUBLISHED && p->equilibrium[1].code;
  bool finite = true;

  run_parameters(p, &p->equilibrium[published], param, y);
  for (int i = 0; i < p->equilibrium[published].n_out; ++i) finite &= isfinite(y[i]) != 0;
  return finite;
}

static void begin(const void *inner, const double param[], double y[])
{
  const sal_equation_programs *p = inner;
  double discrete[SAL_MAX_STATE];

  sal_program_run(&p->flow, &p->begin, param, 0, y, NULL, discrete);
  memcpy(y + p->flow.n_continuous, discrete, (size_t)p->begin.n_out * sizeof *y);
}

static double longest_step(const void *inner, const double param[], const double y[])
{
  const double step = run_single(inner, SAL_EQUATION_LONGEST_STEP, param, 0, y, NULL);

  return step > 0 ? step : INFINITY;
}

static double next_stop(const void *inner, const double param[], double t, double *since)
{
  const sal_equation_programs *p = inner;

  return sal_program_next_stop(&p->flow, &p->stops, param, t, since);
}

static double period(const void *inner, const double param[])
{
  const double y[SAL_MAX_STATE] = {0};
  const double value = run_single(inner, SAL_EQUATION_PERIOD, param, 0, y, NULL);

  return value > 0 ? value : INFINITY;
}

static double energy(const void *inner, const double param[], double t, const double y[],
                     const bool closed[])
{
  return run_single(inner, SAL_EQUATION_ENERGY, param, t, y, closed);
}

static double mechanical(const void *inner, const double param[], const double y[],
                         const bool closed[])
{
  return run_single(inner, SAL_EQUATION_MECHANICAL, param, 0, y, closed);
}

static double kinetic(const void *inner, const double param[], const double y[])
{
  return run_single(inner, SAL_EQUATION_KINETIC, param, 0, y, NULL);
}

static double adhesion(const void *inner, const double param[], const double y[],
                       const bool closed[])
{
  return run_single(inner, SAL_EQUATION_ADHESION, param, 0, y, closed);
}

static double admissible(const void *inner, const double param[], const double y[])
{
  return run_single(inner, SAL_EQUATION_ADMISSIBLE, param, 0, y, NULL);
}

static void from_physical(const void *inner, const double value[], double param[],
                          sal_scales *scales)
{
  const sal_equation_programs *p = inner;
  double out[SAL_MAX_PARAM + 2];

  sal_program_run(&p->quantities, &p->conversion, value, 0, NULL, NULL, out);
  for (int i = 0; i < p->n_follow; ++i) param[p->follows[i]] = out[i];
  *scales = (sal_scales){.second = out[p->n_follow], .metre = out[p->n_follow + 1]};
}

void sal_equation_functions(const sal_equation_programs *p, sal_model *m)
{
  const sal_program *single = p->single;

  m->n_const = p->n_const;
  if (p->n_const > 0) m->constants = constants;
  if (p->flaws.n_out > 0) m->flaw = flaw;
  if (p->equilibrium[0].code) m->equilibrium = equilibrium;
  if (single[SAL_EQUATION_LONGEST_STEP].code) m->longest_step = longest_step;
  if (p->begin.code) m->begin = begin;
  if (p->stops.code) m->next_stop = next_stop;
  if (single[SAL_EQUATION_PERIOD].code) m->section.period = period;
  if (single[SAL_EQUATION_ENERGY].code) m->energy = energy;
  if (single[SAL_EQUATION_MECHANICAL].code) m->mechanical = mechanical;
  if (single[SAL_EQUATION_KINETIC].code) m->kinetic = kinetic;
  if (single[SAL_EQUATION_ADHESION].code) m->adhesion = adhesion;
  if (single[SAL_EQUATION_ADMISSIBLE].code) m->admissible.value = admissible;
  if (m->physical) ((sal_physical *)m->physical)->from_physical = from_physical;
}
