/** The loop around SUNDIALS' steps. */
#include "sundials_run.h"
#include "base.h"
#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum {
  MAX_DEGREE = 12, /* of an interpolant: Adams */
  FEW = 2,         /* values that a step is asked for ahead of its polynomial */
  MAX_BRIEF = 1000 /* roots in the first step after a restart, in a row; for each contact 8 more */
};

/* A solver, and the run that it is in. */
typedef struct {
  const sal_sundials_settings *settings;
  const sal_sundials_package *of;
  const sal_setup *setup;
  int n;
  SUNContext context;
  const uint16_t
      *order; /* of the library's vectors, where its matrices are bands; NULL: as the states */
  double *at, *slope, *end, *rows; /* [n] as the states are; [n][sal_engine_row] a Jacobian */
  N_Vector y, value;               /* [n] */
  SUNMatrix matrix;
  SUNLinearSolver linear;
  SUNNonlinearSolver fixed_point;
  void *memory;
  sal_engine_run *run;

  int brief;    /* roots in a row, each in the first step after a restart */
  bool rooted;  /* it is to be made anew, see keeps_root */
  bool bounded; /* its first step is given */
  int n_gap;    /* gaps that the solver watches */
  int n_room;   /* room for this many */
  int *rises;   /* [n_room] */
  bool *fired;  /* [n_room] */

  /* The last step, as a polynomial in t - t1, made when it is asked for more than a FEW values. */
  double t1;
  int asked, degree;
  double *c; /* [MAX_DEGREE + 1][n] */
} solver;

static bool is_finite(int n, const double x[])
{
  bool all = true;

  for (int i = 0; i < n; ++i) all = all && isfinite(x[i]);
  return all;
}

static int state_of(const solver *s, int i) { return s->order ? s->order[i] : i; }

/* A vector of the library in the order of the states, into room [n] where that is another one. */
static const double *states_of(const solver *s, N_Vector y, double room[])
{
  for (int i = 0; i < s->n && s->order; ++i) room[s->order[i]] = NV_Ith_S(y, i);
  return s->order ? room : NV_DATA_S(y);
}

/* Above 0: the library tries a shorter step; below, it gives up. */
static int rhs(realtype t, N_Vector y, N_Vector dy, void *user)
{
  const solver *s = user;

  if (sal_engine_halts(s->run)) return -1;
  sal_engine_rhs(s->run, t, states_of(s, y, s->at), s->order ? s->slope : NV_DATA_S(dy));
  for (int i = 0; i < s->n && s->order; ++i) NV_Ith_S(dy, i) = s->slope[s->order[i]];
  return !is_finite(s->n, NV_DATA_S(dy));
}

static int band_jacobian(const solver *s, realtype t, N_Vector y, SUNMatrix matrix)
{
  const int row = sal_engine_row(s->setup->model), lower = s->setup->model->band.lower;
  bool good = true;

  sal_engine_jacobian(s->run, t, states_of(s, y, s->at), s->rows);
  for (int i = 0; i < s->n; ++i)
    for (int j = 0; j < s->n; ++j) {
      if (i - j > lower || j - i > s->setup->model->band.upper) continue;
      SM_ELEMENT_B(matrix, i, j) = s->rows[i * row + j - i + lower];
      good = good && isfinite(SM_ELEMENT_B(matrix, i, j));
    }
  return !good;
}

/* Columns lie one after the other in the library's matrix. */
static int jacobian(realtype t, N_Vector y, N_Vector dy, SUNMatrix matrix, void *user, N_Vector a,
                    N_Vector b, N_Vector c)
{
  const solver *s = user;

  (void)dy, (void)a, (void)b, (void)c;
  if (sal_engine_has_band(s->setup->model)) return band_jacobian(s, t, y, matrix);
  double *J = SM_DATA_D(matrix);
  sal_engine_jacobian(s->run, t, NV_DATA_S(y), J);
  for (int i = 0; i < s->n; ++i)
    for (int j = 0; j < i; ++j) {
      const double lower = J[i * s->n + j];
      J[i * s->n + j] = J[j * s->n + i];
      J[j * s->n + i] = lower;
    }
  return !is_finite(s->n * s->n, J);
}

static int gaps(realtype t, N_Vector y, realtype *gap, void *user)
{
  const solver *s = user;

  sal_engine_gaps(s->run, t, states_of(s, y, s->at), gap);
  return !is_finite(s->n_gap, gap);
}

/* Discards messages of the library; its return code is as exact. */
static void hear(int code, const char *module, const char *function, char *text, void *user)
{
  (void)code, (void)module, (void)function, (void)text, (void)user;
}

/* ---- values between the ends of a step -------------------------------------------------------- */

static bool value_by_library(const solver *s, double t, int k)
{
  return s->of->derivative(s->memory, t, k, s->value) >= 0;
}

/* Taylor's polynomial of the interpolant about t1, which is the interpolant. */
static bool form_polynomial(solver *s)
{
  double factorial = 1;
  bool good = true;

  s->degree = s->settings->degree;
  if (s->of->last_order) good = s->of->last_order(s->memory, &s->degree) >= 0;
  for (int k = 0; k <= s->degree; ++k) {
    factorial *= k ? k : 1;
    good = good && value_by_library(s, s->t1, k);
    for (int i = 0; i < s->n; ++i) s->c[k * s->n + i] = NV_Ith_S(s->value, i) / factorial;
  }
  return good;
}

static void value_at(void *with, double t, double y[])
{
  solver *s = with;

  if (s->asked < FEW) {
    const bool good = value_by_library(s, t, 0);
    for (int i = 0; i < s->n; ++i) y[state_of(s, i)] = good ? NV_Ith_S(s->value, i) : NAN;
  } else {
    if (s->asked == FEW && !form_polynomial(s)) s->c[0] = NAN;
    for (int i = 0; i < s->n; ++i) {
      double *const to = &y[state_of(s, i)];
      *to = s->c[s->degree * s->n + i];
      for (int k = s->degree - 1; k >= 0; --k) *to = *to * (t - s->t1) + s->c[k * s->n + i];
    }
  }
  s->asked += s->asked <= FEW;
}

static bool attach_algebra(const solver *s)
{
  if (s->fixed_point) return s->of->fixed_point(s->memory, s->fixed_point) >= 0;
  return !s->linear || (s->of->linear(s->memory, s->linear, s->matrix) >= 0 &&
                        s->of->jacobian(s->memory, jacobian) >= 0);
}

/* Makes a solver with all settings that the runs of a setup share. */
static bool make_memory(solver *s)
{
  const sal_setup *u = s->setup;

  s->n_gap = 0;
  for (int i = 0; i < s->n; ++i) NV_DATA_S(s->value)[i] = sal_setup_atol(u, state_of(s, i));
  s->memory = s->of->create(s->settings->setting, rhs, s->y, s->context);
  return s->memory && s->of->listener(s->memory, hear, s) >= 0 && s->of->user(s->memory, s) >= 0 &&
         s->of->tolerances(s->memory, u->rtol, s->value) >= 0 &&
         (!s->of->most_order || u->max_order <= 0 || u->max_order >= u->method->order ||
          s->of->most_order(s->memory, u->max_order) >= 0) &&
         attach_algebra(s);
}

/* Room for the gaps of the run. */
static bool make_room(solver *s)
{
  const int n = s->run->n_gap;

  if (n <= s->n_room) return true;
  sal_free_all(s->rises, s->fired);
  s->rises = sal_alloc((size_t)n, sizeof *s->rises);
  s->fired = sal_alloc((size_t)n, sizeof *s->fired);
  s->n_room = s->rises && s->fired ? n : 0;
  return n <= s->n_room;
}

/* Gives the solver what is the run's: gaps, and sizes of steps. */
static bool prepare(solver *s)
{
  const sal_engine_run *run = s->run;
  const int n = run->n_gap;
  bool good = true;

  if (n != s->n_gap) {
    s->n_gap = n;
    good = make_room(s) && s->of->roots(s->memory, n, n ? gaps : NULL) >= 0;
    for (int k = 0; good && k < n; ++k) s->rises[k] = -1;
    good = good && (n == 0 || s->of->direction(s->memory, s->rises) >= 0);
  }
  good = good && s->of->longest(s->memory, isfinite(run->hmax) ? run->hmax : 0) >= 0;
  return good && (s->setup->fixed_step <= 0 || s->of->fixed(s->memory, s->setup->fixed_step) >= 0);
}

static bool give_up(const solver *s, int code)
{
  const sal_sundials_flag *flag = s->of->flag;

  while (flag->code && flag->code != code) ++flag;
  s->run->outcome = flag->code ? flag->outcome : SAL_OUT_LIBRARY;
  s->run->reason = flag->code ? flag->reason : SAL_LIBRARY_OTHER;
  return false;
}

/* The first step, where the run bounds it; else it is the library's. */
static int bound_first(solver *s)
{
  const bool bounds = isfinite(s->run->first), bounded = s->bounded;

  s->bounded = bounds;
  return bounds || bounded ? s->of->first(s->memory, bounds ? s->run->first : 0) : 0;
}

/* A value of 0 where the solver starts is none of its roots until it has left 0. */
static int begin(solver *s)
{
  const sal_engine_run *run = s->run;
  int code = 0;

  for (int i = 0; i < s->n; ++i) NV_Ith_S(s->y, i) = run->y[state_of(s, i)];
  if (s->rooted) {
    s->of->free(&s->memory);
    if (!make_memory(s) || !prepare(s)) return CV_MEM_FAIL;
  }
  s->rooted = false;
  if ((code = s->of->begin(s->memory, rhs, run->t, s->y)) < 0) return code;
  if ((code = bound_first(s)) < 0) return code;
  return s->of->stop(s->memory, run->t_end);
}

/* A first step over a whole flight has a root where it starts, and a loose tolerance lets it pass: such
 * roots follow each other with hardly any time between. */
static bool is_chatter(solver *s, int64_t steps)
{
  const sal_setup *u = s->setup;
  const int contact = u->n_guard > u->model->n_guard ? u->n_guard : u->model->n_guard;

  s->brief = steps > 1 ? 0 : s->brief + 1;
  return s->brief > MAX_BRIEF + 8 * contact;
}

static bool meet_event(solver *s, int64_t steps)
{
  if (s->of->rises(s->memory, s->rises) < 0) return give_up(s, 0);
  if (is_chatter(s, steps)) {
    s->run->outcome = SAL_OUT_LIBRARY;
    s->run->reason = SAL_LIBRARY_ROOT_CHATTER;
    return false;
  }
  for (int k = 0; k < s->n_gap; ++k) s->fired[k] = s->rises[k] != 0;
  return sal_engine_meet(s->run, s->t1, states_of(s, s->y, s->end), s->fired, value_at, s);
}

/* After a step that the run has not taken: does it go on from where it stands? */
static bool retry(const solver *s)
{
  if (!sal_engine_begins_anew(s->run)) return false;
  --s->run->steps;
  ++s->run->failed;
  return true;
}

/* The rest of the interval is below the resolution of time. */
static void value_stays(void *with, double t, double y[])
{
  const solver *s = with;

  (void)t;
  for (int i = 0; i < s->n; ++i) y[state_of(s, i)] = NV_Ith_S(s->y, i);
}

/* From a start to the next event, or to the end of the run: false. */
static bool advance_to_event(solver *s)
{
  sal_engine_run *run = s->run;
  sal_sundials_counts c = {0};
  const int64_t was[] = {run->steps, run->failed, run->factorisations, run->solves};
  int code = begin(s);

  if (code < 0) return give_up(s, code);
  for (;;) {
    code = s->of->evolve(s->memory, run->t_end, s->y, &s->t1, CV_ONE_STEP);
    s->of->count(s->memory, &c);
    run->steps = was[0] + c.steps;
    run->failed = was[1] + c.failed;
    run->factorisations = was[2] + (s->settings->newton ? c.factorisations : 0);
    run->solves = was[3] + (s->settings->newton ? c.solves : 0);
    if (code == s->of->too_close)
      return sal_engine_advance(run, run->t_end, run->y, value_stays, s);
    if (code < 0) return give_up(s, code);
    if (s->t1 <= run->t && code != CV_ROOT_RETURN) {
      run->outcome = SAL_OUT_UNDERFLOW;
      return false;
    }
    s->rooted = code == CV_ROOT_RETURN && s->of->keeps_root;
    s->asked = 0;
    if (code == CV_ROOT_RETURN) return meet_event(s, c.steps) || retry(s);
    if (!sal_engine_advance(run, s->t1, states_of(s, s->y, s->end), value_at, s)) return retry(s);
  }
}

void sal_sundials_run(sal_engine_run *run, void *own)
{
  solver *s = own;

  s->run = run;
  s->brief = 0;
  if (s->setup->fixed_step > 0 && !s->of->fixed) {
    run->outcome = SAL_OUT_LIBRARY;
    run->reason = SAL_LIBRARY_CV_NO_FIXED_STEPS;
  } else if (!prepare(s)) {
    run->outcome = SAL_OUT_LIBRARY;
    run->reason = SAL_LIBRARY_UNPREPARED;
  } else {
    while (advance_to_event(s)) continue;
  }
}

void sal_sundials_close(void *own)
{
  solver *s = own;

  if (!s) return;
  if (s->memory) s->of->free(&s->memory);
  if (s->fixed_point) SUNNonlinSolFree(s->fixed_point);
  if (s->linear) SUNLinSolFree(s->linear);
  if (s->matrix) SUNMatDestroy(s->matrix);
  if (s->value) N_VDestroy(s->value);
  if (s->y) N_VDestroy(s->y);
  if (s->context) SUNContext_Free(&s->context);
  sal_free_all(s->rises, s->fired, s->c, s->at, s->slope, s->end, s->rows, s);
}

/* The library's solver of bands, whose vectors are in their order. */
static bool make_bands(solver *s)
{
  const sal_model *m = s->setup->model;
  const size_t n = (size_t)s->n;

  s->order = m->band.order;
  s->at = sal_alloc(n, sizeof *s->at);
  s->slope = sal_alloc(n, sizeof *s->slope);
  s->end = sal_alloc(n, sizeof *s->end);
  s->rows = sal_alloc(n * (size_t)sal_engine_row(m), sizeof *s->rows);
  s->matrix = SUNBandMatrix(s->n, m->band.upper, m->band.lower, s->context);
  s->linear = s->matrix ? SUNLinSol_Band(s->y, s->matrix, s->context) : NULL;
  return s->at && s->slope && s->end && s->rows && s->linear;
}

static bool make_algebra(solver *s)
{
  if (s->settings->newton && sal_engine_has_band(s->setup->model)) return make_bands(s);
  if (s->settings->newton) {
    s->matrix = SUNDenseMatrix(s->n, s->n, s->context);
    s->linear = s->matrix ? SUNLinSol_Dense(s->y, s->matrix, s->context) : NULL;
    return s->linear != NULL;
  }
  if (s->of->fixed_point) s->fixed_point = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
  return s->fixed_point || !s->of->fixed_point;
}

static bool make_solver(solver *s)
{
  s->c = sal_alloc((size_t)s->n * (MAX_DEGREE + 1), sizeof *s->c);
  if (!s->c || SUNContext_Create(NULL, &s->context) < 0) return false;
  s->y = N_VNew_Serial(s->n, s->context);
  s->value = N_VNew_Serial(s->n, s->context);
  if (!s->y || !s->value) return false;
  N_VConst(0, s->y);
  return make_algebra(s) && make_memory(s);
}

void *sal_sundials_open(const sal_setup *setup, int n)
{
  solver *s = sal_alloc(1, sizeof *s);

  if (!s) return NULL;
  s->settings = setup->method->engine->settings;
  s->of = s->settings->package;
  s->setup = setup;
  s->n = n;
  if (make_solver(s)) return s;
  sal_sundials_close(s);
  return NULL;
}
