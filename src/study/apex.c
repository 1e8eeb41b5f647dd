/** Zeros of the states' slopes, all of them together in lanes: each value is a run from the start.
 */
#include "family.h"
#include "memory.h"
#include "model_point.h"
#include <math.h>

enum { MESH = 96, ROUNDS = 6, MOST_PHASES = 16 };

/* Where one state has one maximum, or none. */
typedef struct {
  int state;
  double lo, hi, f_lo, f_hi, y_lo, y_hi; /* times, slopes and values there */
  int stayed;                            /* of the Illinois method: which end, and how often */
} bracket;

typedef struct {
  const sal_setup *setup;
  const double *param, *start;
  const bool *closed;
  int width, n_state, n_guard, n;
  bracket *b;   /* [n] */
  double *mesh; /* [MESH + 1][n_state] */
  double *end;  /* [2 n][n_state] */
  bool *mode;   /* [2 n][n_guard] */
  sal_job *job; /* [2 n] */
  sal_record *record;
  void *work;
  double *apex;
} search;

static sal_err create(search *s, int n_phase)
{
  const size_t most = (size_t)s->n_state * (size_t)n_phase, ns = (size_t)s->n_state;

  s->b = sal_alloc(most, sizeof *s->b);
  s->mesh = sal_alloc((MESH + 1) * ns, sizeof *s->mesh);
  s->end = sal_alloc(2 * most * ns, sizeof *s->end);
  s->mode = sal_alloc(2 * most * (size_t)s->n_guard, sizeof *s->mode);
  s->job = sal_alloc(2 * most, sizeof *s->job);
  s->record = sal_alloc(2 * most + 1, sizeof *s->record);
  s->work = sal_alloc(sal_integrate_bytes(s->setup, s->width), 1);
  if (s->b && s->mesh && s->end && s->mode && s->job && s->record && s->work) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "no memory for the apexes of an orbit");
}

static void drop(search *s)
{
  void *const own[] = {s->b, s->mesh, s->end, s->mode, s->job, s->record, s->work};

  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) sal_free(own[i]);
}

static void rise(search *s, int i, double value)
{
  if (!(value <= s->apex[i])) s->apex[i] = value;
}

static void run_mesh(search *s)
{
  sal_samples samples = {.n_mesh = MESH, .state = s->mesh};
  const sal_job job = {
      .param = s->param, .initial = s->start, .closed = s->closed, .samples = &samples};

  sal_integrate(s->setup, s->width, 1, &job, s->record, s->work);
  for (int j = 0; j <= MESH; ++j)
    for (int i = 0; i < s->n_state; ++i) rise(s, i, s->mesh[j * s->n_state + i]);
}

/* The bracket of state i in the phase from t0 to t1: the neighbours of the largest value there. */
static bracket bracket_in(const search *s, int i, double t0, double t1)
{
  const double h = s->setup->t_end / MESH, inside = 1e-9 * (t1 - t0);
  bracket b = {.state = i, .lo = t0, .hi = t1};
  int best = -1;

  for (int j = 0; j <= MESH; ++j)
    if (j * h > t0 && j * h < t1 &&
        (best < 0 || s->mesh[j * s->n_state + i] > s->mesh[best * s->n_state + i]))
      best = j;
  if (best >= 0) {
    b.lo = fmax(t0, (best - 1) * h);
    b.hi = fmin(t1, (best + 1) * h);
  }
  b.lo = fmax(b.lo, t0 + inside);
  b.hi = fmin(b.hi, t1 - inside);
  return b;
}

static void make_brackets(search *s, int n_phase, const sal_events *log)
{
  for (int p = 0; p < n_phase; ++p) {
    const double t0 = p > 0 ? log->event[p - 1].t : 0;
    const double t1 = p < log->n ? log->event[p].t : s->setup->t_end;
    for (int i = 0; i < sal_model_continuous(s->setup->model) && t1 - t0 > 1e-9 * s->setup->t_end;
         ++i)
      s->b[s->n++] = bracket_in(s, i, t0, t1);
  }
}

static void ask(const search *s, int at, double t)
{
  s->job[at] = (sal_job){.param = s->param,
                         .initial = s->start,
                         .closed = s->closed,
                         .t_end = t,
                         .end = s->end + (int64_t)at * s->n_state,
                         .end_closed = s->mode + (int64_t)at * s->n_guard};
}

/* The slope of the state there; its value counts as a candidate. */
static double answer(search *s, int at, int i)
{
  double f[SAL_MAX_STATE];

  rise(s, i, s->end[(int64_t)at * s->n_state + i]);
  sal_model_field(s->setup->model, s->param, s->mode + (int64_t)at * s->n_guard, s->job[at].t_end,
                  s->end + (int64_t)at * s->n_state, f);
  return f[i];
}

/* Between its ends a maximum is below both tangents: brackets that cannot have the largest value go. */
static void drop_low(search *s)
{
  int kept = 0;

  for (int k = 0; k < s->n; ++k) {
    const bracket b = s->b[k];
    const double t = (b.y_hi - b.y_lo - b.f_hi * (b.hi - b.lo)) / (b.f_lo - b.f_hi);
    if (b.y_lo + b.f_lo * t >= s->apex[b.state]) s->b[kept++] = b;
  }
  s->n = kept;
}

static void run_ends(search *s)
{
  int kept = 0;

  for (int k = 0; k < s->n; ++k) {
    ask(s, 2 * k, s->b[k].lo);
    ask(s, 2 * k + 1, s->b[k].hi);
  }
  sal_integrate(s->setup, s->width, 2 * (int64_t)s->n, s->job, s->record, s->work);
  for (int k = 0; k < s->n; ++k) {
    bracket b = s->b[k];
    b.f_lo = answer(s, 2 * k, b.state);
    b.f_hi = answer(s, 2 * k + 1, b.state);
    b.y_lo = s->end[2 * (int64_t)k * s->n_state + b.state];
    b.y_hi = s->end[(2 * (int64_t)k + 1) * s->n_state + b.state];
    if (b.f_lo > 0 && b.f_hi < 0) s->b[kept++] = b;
  }
  s->n = kept;
  drop_low(s);
}

static double guess(const bracket *b)
{
  const double t = b->lo - b->f_lo * (b->hi - b->lo) / (b->f_hi - b->f_lo);

  return t > b->lo && t < b->hi ? t : 0.5 * (b->lo + b->hi);
}

static void narrow(bracket *b, double t, double f)
{
  if (f > 0) {
    b->lo = t;
    b->f_lo = f;
    b->stayed = b->stayed > 0 ? b->stayed + 1 : 1;
    if (b->stayed > 1) b->f_hi *= 0.5;
  } else {
    b->hi = t;
    b->f_hi = f;
    b->stayed = b->stayed < 0 ? b->stayed - 1 : -1;
    if (b->stayed < -1) b->f_lo *= 0.5;
  }
}

static void run_round(search *s)
{
  for (int k = 0; k < s->n; ++k) ask(s, k, guess(&s->b[k]));
  sal_integrate(s->setup, s->width, s->n, s->job, s->record, s->work);
  for (int k = 0; k < s->n; ++k) {
    const double f = answer(s, k, s->b[k].state);
    if (f != 0) narrow(&s->b[k], s->job[k].t_end, f);
  }
}

sal_err sal_apex_find(const sal_setup *setup, int width, const double param[], const double start[],
                      const bool closed[], const sal_events *log, double apex[])
{
  const int n_phase = (int)(log->n < MOST_PHASES ? log->n + 1 : MOST_PHASES);
  SAL_OWN_BY(drop)
  search s = {.setup = setup,
              .param = param,
              .start = start,
              .closed = closed,
              .width = width,
              .n_state = setup->model->n_state,
              .n_guard = setup->n_guard > 0 ? setup->n_guard : setup->model->n_guard,
              .apex = apex};

  for (int i = 0; i < s.n_state; ++i) apex[i] = start[i];
  SAL_TRY(create(&s, n_phase));
  run_mesh(&s);
  make_brackets(&s, n_phase, log);
  run_ends(&s);
  for (int round = 0; round < ROUNDS && s.n > 0; ++round) run_round(&s);
  return SAL_OK;
}
