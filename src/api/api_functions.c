/** A model of the caller's functions: one more source of descriptors, at width 1. */
#include "api.h"
#include "base.h"
#include "scalar_flow.h"
#include <float.h>

enum { NAME = 64 };

/* A jump leads off a surface where the gap is so many times what it was before, and so many times its rounding. */
enum { BEYOND = 4, ROUNDINGS = 64 };

/* The cube root of the rounding unit: a central difference is best with it. */
static const double step = 6e-6;

struct sal_api_functions {
  saltus_functions given;
  saltus_contact contact[SAL_MAX_CONTACT];
  sal_scalar_functions scalar;
  sal_model model;
  atomic_int failed;  /* a function has said so: none is called again until it is cleared */
  atomic_int advised; /* saltus_advise is running them */
  char name[NAME], state[SAL_MAX_STATE][16], param[SAL_MAX_PARAM][16];
  char closes[SAL_MAX_CONTACT][32], opens[SAL_MAX_CONTACT][32];
};

/* The functions that this thread is in, and that call the library again; NULL: in none. */
static _Thread_local const sal_api_functions *entered;

static const sal_api_functions *functions_of(const sal_scalar_phase *s) { return s->inner; }

static void fill_nan(int n, double value[])
{
  for (int i = 0; i < n; ++i) value[i] = NAN;
}

static bool has_failed(const sal_api_functions *f)
{
  return atomic_load_explicit(&f->failed, memory_order_relaxed) != 0;
}

static void note(const sal_api_functions *f, int failed)
{
  if (failed) atomic_store_explicit((atomic_int *)&f->failed, 1, memory_order_relaxed);
}

static const sal_api_functions *enter(const sal_api_functions *f)
{
  const sal_api_functions *before = entered;

  entered = f;
  return before;
}

static void leave(const sal_api_functions *before, const sal_api_functions *f, int failed)
{
  entered = before;
  note(f, failed);
}

static void slope_at(const sal_api_functions *f, const double p[], const int closed[], double t,
                     const double y[], double slope[])
{
  if (!has_failed(f)) {
    const sal_api_functions *before = enter(f);
    leave(before, f, f->given.f(f->given.with, t, y, p, closed, slope));
  }
  if (has_failed(f)) fill_nan(f->given.n_state, slope);
}

static void gaps_at(const sal_api_functions *f, const double p[], double t, const double y[],
                    double gap[])
{
  if (!has_failed(f)) {
    const sal_api_functions *before = enter(f);
    leave(before, f, f->given.gaps(f->given.with, t, y, p, gap));
  }
  if (has_failed(f)) fill_nan(f->given.n_contact, gap);
}

/* The mode that f is to be evaluated in: the frozen one, or that of the gaps. */
static void mode_at(const sal_scalar_phase *s, double t, const double y[],
                    int closed[SAL_MAX_CONTACT])
{
  const sal_api_functions *f = functions_of(s);
  double gap[SAL_MAX_CONTACT] = {0};

  if (f->given.n_contact > 0 && !s->held) gaps_at(f, s->p, t, y, gap);
  for (int k = 0; k < f->given.n_contact; ++k)
    closed[k] = s->held ? s->closed[k] != 0 : gap[k] <= 0;
}

static void rhs(const sal_scalar_phase *s, double t, const double y[], double dy[])
{
  int closed[SAL_MAX_CONTACT];

  mode_at(s, t, y, closed);
  slope_at(functions_of(s), s->p, closed, t, y, dy);
}

static void jac(const sal_scalar_phase *s, double t, const double y[], double J[])
{
  const sal_api_functions *f = functions_of(s);
  const int n = f->given.n_state;
  double x[SAL_MAX_STATE], up[SAL_MAX_STATE] = {0}, down[SAL_MAX_STATE] = {0};
  int closed[SAL_MAX_CONTACT];

  mode_at(s, t, y, closed);
  memcpy(x, y, (size_t)n * sizeof *x);
  for (int j = 0; j < n; ++j) {
    const double h = step * fmax(1, fabs(y[j]));
    x[j] = y[j] + h;
    slope_at(f, s->p, closed, t, x, up);
    x[j] = y[j] - h;
    slope_at(f, s->p, closed, t, x, down);
    x[j] = y[j];
    for (int i = 0; i < n; ++i) J[i * n + j] = (up[i] - down[i]) / (2 * h);
  }
}

/* Adds to the rates the central difference of the gaps between (t, y) -+ (ahead, along dy). */
static void add_difference(const sal_scalar_phase *s, double t, double ahead, const double y[],
                           double along, const double dy[], double rate[])
{
  const sal_api_functions *f = functions_of(s);
  double there[SAL_MAX_STATE], up[SAL_MAX_CONTACT] = {0}, down[SAL_MAX_CONTACT] = {0};

  for (int i = 0; i < f->given.n_state; ++i) there[i] = y[i] + along * dy[i];
  gaps_at(f, s->p, t + ahead, there, up);
  for (int i = 0; i < f->given.n_state; ++i) there[i] = y[i] - along * dy[i];
  gaps_at(f, s->p, t - ahead, there, down);
  for (int k = 0; k < f->given.n_contact; ++k)
    rate[k] += (up[k] - down[k]) / (2 * (along > 0 ? along : ahead));
}

/* Along a slope, time and states at once; one that changes the states so little that rounding would hide it has steps of its
 * own for either. */
static void guard(const sal_scalar_phase *s, double t, const double y[], const double dy[],
                  double gap[], double rate[])
{
  const sal_api_functions *f = functions_of(s);
  double size = 1, speed = 0;

  gaps_at(f, s->p, t, y, gap);
  for (int i = 0; i < f->given.n_state; ++i) {
    size = fmax(size, fabs(y[i]));
    speed = fmax(speed, fabs(dy[i]));
  }
  const double h = step * size / fmax(1, speed);
  const bool slow = speed < 0x1p-7;
  for (int k = 0; k < f->given.n_contact; ++k) rate[k] = 0;
  add_difference(s, t, h, y, slow ? 0 : h, dy, rate);
  if (slow && speed > 0) add_difference(s, t, 0, y, step * size / speed, dy, rate);
}

/* How fast the gap of contact k opens, once it is open. */
static double speed_of(const sal_scalar_phase *s, int k, double t, const double y[])
{
  const sal_api_functions *f = functions_of(s);
  double dy[SAL_MAX_STATE] = {0}, gap[SAL_MAX_CONTACT] = {0}, rate[SAL_MAX_CONTACT] = {0};
  int closed[SAL_MAX_CONTACT];

  for (int i = 0; i < f->given.n_contact; ++i) closed[i] = s->closed[i] != 0;
  closed[k] = 0;
  slope_at(f, s->p, closed, t, y, dy);
  guard(s, t, y, dy, gap, rate);
  return rate[k];
}

/* The rounding of gap k at (t, y): that of the terms it is made of. */
static double rounding_of(const sal_scalar_phase *s, int k, double t, const double y[])
{
  const sal_api_functions *f = functions_of(s);
  double x[SAL_MAX_STATE], up[SAL_MAX_CONTACT] = {0}, down[SAL_MAX_CONTACT] = {0}, sum = 0;

  memcpy(x, y, (size_t)f->given.n_state * sizeof *x);
  for (int i = 0; i < f->given.n_state; ++i) {
    const double h = step * fmax(1, fabs(y[i]));
    x[i] = y[i] + h;
    gaps_at(f, s->p, t, x, up);
    x[i] = y[i] - h;
    gaps_at(f, s->p, t, x, down);
    x[i] = y[i];
    sum += fabs(up[k] - down[k]) / (2 * h) * fabs(y[i]);
  }
  return sum * DBL_EPSILON;
}

/* 1, -1: a jump has led from gap `before`, about 0, clearly to that side of the surface; 0: to none. */
static int side_of(const sal_scalar_phase *s, int k, double t, const double y[], double before)
{
  double gap[SAL_MAX_CONTACT] = {0};

  gaps_at(functions_of(s), s->p, t, y, gap);
  if (!(fabs(gap[k]) > BEYOND * fabs(before))) return 0;
  if (!(fabs(gap[k]) > ROUNDINGS * rounding_of(s, k, t, y))) return 0;
  return gap[k] > 0 ? 1 : -1;
}

/* A contact comes to rest: infinitely many resets follow in no time.  The states that its speed depends on are
 * taken between before [n] and y, the first reset, to where it is 0, or just below. */
static void rest(const sal_scalar_phase *s, int k, double t, const double before[], double y[])
{
  const sal_api_functions *f = functions_of(s);
  const double from = speed_of(s, k, t, before), to = speed_of(s, k, t, y);
  const double share = from / (from - to) * (1 - 0x1p-20);
  double after[SAL_MAX_STATE];

  if (!(from < 0 && to > 0)) return;
  memcpy(after, y, (size_t)f->given.n_state * sizeof *y);
  for (int i = 0; i < f->given.n_state; ++i) {
    const double here = after[i];
    if (here == before[i]) continue;
    after[i] = before[i];
    if (speed_of(s, k, t, after) != to) y[i] = before[i] + share * (here - before[i]);
    after[i] = here;
  }
}

/* The side that the jump leads to is the mode. On the surface a wall that holds nothing opens itself again. */
static void jump(sal_scalar_phase *s, int k, double t, double y[])
{
  const sal_api_functions *f = functions_of(s);
  const bool closes = s->closed[k] != 0;
  const saltus_contact *c = &f->given.contact[k];
  double gap[SAL_MAX_CONTACT] = {0}, before[SAL_MAX_STATE];

  if (!(c->resets & (closes ? SALTUS_CLOSING : SALTUS_OPENING)) || has_failed(f)) return;
  gaps_at(f, s->p, t, y, gap);
  memcpy(before, y, (size_t)f->given.n_state * sizeof *y);
  const sal_api_functions *outer = enter(f);
  leave(outer, f, f->given.jump(f->given.with, k, closes, t, y, s->p));
  if (has_failed(f)) fill_nan(f->given.n_state, y);
  const int side = side_of(s, k, t, y, gap[k]);
  if (s->rests)
    rest(s, k, t, before, y);
  else if (side != 0)
    s->closed[k] = side > 0 ? 0 : -1;
  else if (closes && speed_of(s, k, t, y) > 0)
    s->closed[k] = 0;
}

static void name_fields(sal_api_functions *f)
{
  const saltus_functions *g = &f->given;
  sal_model *m = &f->model;

  for (int i = 0; i < g->n_state; ++i) {
    const double at = g->initial[i];
    snprintf(f->state[i], sizeof f->state[i], "y%d", i);
    m->state[i] = (sal_field){.name = f->state[i],
                              .unit = "1",
                              .what = "state",
                              .preset = at,
                              .lo = at,
                              .hi = at,
                              .least = -INFINITY,
                              .most = INFINITY};
  }
  for (int i = 0; i < g->n_param; ++i) {
    snprintf(f->param[i], sizeof f->param[i], "p%d", i);
    m->param[i] = m->state[0];
    m->param[i].name = f->param[i];
    m->param[i].what = "parameter";
    m->param[i].preset = m->param[i].lo = m->param[i].hi = g->param[i];
  }
}

static void name_contacts(sal_api_functions *f)
{
  for (int k = 0; k < f->given.n_contact; ++k) {
    const saltus_contact *c = &f->given.contact[k];
    snprintf(f->closes[k], sizeof f->closes[k], "contact %d closes", k);
    snprintf(f->opens[k], sizeof f->opens[k], "contact %d opens", k);
    f->model.contact[k] =
        (sal_contact){.closes = f->closes[k],
                      .opens = f->opens[k],
                      .ends = c->ends,
                      .kind = c->resets & SALTUS_CLOSING ? SAL_CONTACT_RIGID : SAL_CONTACT_SURFACE};
    f->model.resets |= c->resets != 0;
  }
}

static void describe(sal_api_functions *f)
{
  const saltus_functions *g = &f->given;

  snprintf(f->name, sizeof f->name, "%s", g->name ? g->name : "functions");
  f->scalar = (sal_scalar_functions){.n = g->n_state,
                                     .rhs = rhs,
                                     .jac = jac,
                                     .guard = g->n_contact > 0 ? guard : NULL,
                                     .jump = g->n_contact > 0 ? jump : NULL,
                                     .inner = f};
  f->model = (sal_model){.name = f->name,
                         .title = "functions of a program",
                         .source = "the program that calls",
                         .n_state = g->n_state,
                         .n_guard = g->n_contact,
                         .n_param = g->n_param,
                         .span = g->span,
                         .time = "1",
                         .inner = &f->scalar,
                         .w1 = &sal_scalar_flow_w1};
  name_fields(f);
  name_contacts(f);
}

static sal_err check_contacts(const saltus_functions *g)
{
  if (g->n_contact < 0 || g->n_contact > SAL_MAX_CONTACT)
    return sal_fail(SAL_ERR_USAGE, "functions: %d contacts; allowed: 0 to %d", g->n_contact,
                    SAL_MAX_CONTACT);
  if (g->n_contact > 0 && (!g->gaps || !g->contact))
    return sal_fail(SAL_ERR_USAGE, "functions: gaps and contact are needed with contacts");
  for (int k = 0; k < g->n_contact; ++k) {
    const saltus_contact *c = &g->contact[k];
    if (c->resets & ~(SALTUS_CLOSING | SALTUS_OPENING))
      return sal_fail(SAL_ERR_USAGE,
                      "functions: contact %d: resets = %d; allowed: 0, SALTUS_CLOSING, "
                      "SALTUS_OPENING, and both",
                      k, c->resets);
    if (c->ends != 0 && c->ends != 1)
      return sal_fail(SAL_ERR_USAGE, "functions: contact %d: ends = %d; allowed: 0, 1", k, c->ends);
    if (c->resets && !g->jump)
      return sal_fail(SAL_ERR_USAGE, "functions: contact %d resets, and jump is NULL", k);
  }
  return SAL_OK;
}

static sal_err check_functions(const saltus_functions *g)
{
  SAL_TRY(sal_api_given("functions", g));
  if (!g->f || !g->initial || (g->n_param > 0 && !g->param))
    return sal_fail(SAL_ERR_USAGE, "functions: f, initial and, with parameters, param are needed");
  if (g->n_state < 1 || g->n_state > SAL_MAX_STATE)
    return sal_fail(SAL_ERR_USAGE, "functions: %d states; allowed: 1 to %d", g->n_state,
                    SAL_MAX_STATE);
  if (g->n_param < 0 || g->n_param > SAL_MAX_PARAM)
    return sal_fail(SAL_ERR_USAGE, "functions: %d parameters; allowed: 0 to %d", g->n_param,
                    SAL_MAX_PARAM);
  SAL_TRY(check_contacts(g));
  for (int i = 0; i < g->n_state; ++i)
    if (!isfinite(g->initial[i]))
      return sal_fail(SAL_ERR_USAGE, "functions: initial[%d] = %g; allowed: any finite number", i,
                      g->initial[i]);
  return SAL_OK;
}

sal_err sal_api_functions_new(const saltus_functions *g, sal_api_functions **out)
{
  SAL_TRY(check_functions(g));
  sal_api_functions *f = sal_alloc(1, sizeof *f);
  if (!f) return sal_fail(SAL_ERR_MEMORY, "no memory for a model of functions");
  f->given = *g;
  memcpy(f->contact, g->contact ? g->contact : f->contact,
         (size_t)g->n_contact * sizeof *g->contact);
  f->given.contact = f->contact;
  describe(f);
  f->given.initial = f->given.param = NULL; /* which have been read */
  *out = f;
  return SAL_OK;
}

sal_err sal_api_functions_outside(const char *name)
{
  if (!entered || atomic_load(&entered->advised) == 0) return SAL_OK;
  return sal_fail(
      SAL_ERR_USAGE,
      "%s: is called by a function of model %s, which saltus_advise runs; allowed: after "
      "that has returned",
      name, entered->name);
}

void sal_api_functions_advise(const saltus_model *model, int advised)
{
  if (model->functions) atomic_store(&model->functions->advised, advised);
}

void sal_api_functions_begin(const saltus_model *model)
{
  if (model->functions) atomic_store(&model->functions->failed, 0);
}

saltus_status sal_api_functions_status(const saltus_model *model, sal_err err)
{
  if (!model->functions || !has_failed(model->functions)) return sal_api_status(err);
  sal_err_clear();
  (void)sal_fail(SAL_ERR_INPUT, "model %s: one of its functions has failed", model->model->name);
  return SALTUS_FAILED;
}

void sal_api_functions_free(sal_api_functions *functions) { sal_free(functions); }

const sal_model *sal_api_functions_model(const sal_api_functions *functions)
{
  return &functions->model;
}
