/** Orbits with tangent vectors, run as configurations run. */
#include "base.h"
#include "cell_cycle.h"

/* A batch of orbits by one configuration. */
typedef struct {
  sal_setup setup; /* of the model with vectors */
  sal_tangent_model tangent;
  const sal_model *model;
  const sal_config_unknowns *of;
  int width;
  bool stops;                    /* from return to return */
  double *full, *step, *product; /* [n][model.n_state], [n][m][m] twice */
  bool *mode;                    /* [n][n_guard] */
} batch;

static void prepare(const sal_setup *setup, const sal_config_unknowns *of, batch *b)
{
  b->model = setup->model;
  b->of = of;
  b->stops = setup->strategy->held && !setup->model->section.period;
  b->setup = *setup;
  sal_tangent_model_make(b->model, of->n, &b->tangent);
  b->setup.model = &b->tangent.model;
  b->setup.every_contact = true;
  if (b->stops) b->setup.stop = (sal_stop){b->model->section.contact, b->model->section.closes, 1};
}

/* Vectors make a first-order system of a second-order one, and an engine stops at no section. */
static bool fits(const sal_setup *setup, const sal_config_unknowns *of)
{
  return !setup->method->second_order && !setup->method->engine && of->n >= 1 &&
         of->n <= sal_tangent_model_most(setup->model);
}

size_t sal_config_multiplier_bytes(const sal_setup *setup, const sal_config_unknowns *unknowns,
                                   int width)
{
  batch b;

  if (!fits(setup, unknowns)) return 0;
  prepare(setup, unknowns, &b);
  return sal_integrate_bytes(&b.setup, width);
}

/* ---- from the end of a run to the derivative of the map ---- */

/* Dh of the section's contact and f ahead of it, at a point with the mode after it. */
static void look_ahead(const batch *b, const sal_config_orbit *o, const double y[], double f[],
                       double gradient[])
{
  const sal_model *m = b->model;
  const int n = sal_model_continuous(m), k = m->section.contact;
  bool ahead[SAL_MAX_GUARD];
  double gap[SAL_MAX_GUARD], still[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];
  double slope[SAL_MAX_STATE] = {0};

  memcpy(ahead, o->closed, (size_t)sal_model_guards(m, o->param) * sizeof *ahead);
  ahead[k] = !m->section.closes;
  sal_model_field(m, o->param, ahead, 0, y, f);
  sal_model_rates(m, o->param, ahead, 0, y, slope, gap, still);
  for (int j = 0; j < n; ++j) {
    slope[j] = 1;
    sal_model_rates(m, o->param, ahead, 0, y, slope, gap, rate);
    slope[j] = 0;
    gradient[j] = rate[k] - still[k];
  }
}

/* Puts the ends of vectors v [n_vector][n_state] onto the section, along the flow. */
static void put_on_section(const batch *b, const sal_config_orbit *o, double v[])
{
  const int n = sal_model_continuous(b->model);
  double f[SAL_MAX_STATE], gradient[SAL_MAX_STATE], speed = 0;

  look_ahead(b, o, o->state, f, gradient);
  for (int j = 0; j < n; ++j) speed += gradient[j] * f[j];
  for (int c = 0; c < b->of->n; ++c) {
    double off = 0;
    for (int j = 0; j < n; ++j) off += gradient[j] * v[c * b->model->n_state + j];
    for (int j = 0; j < n; ++j) v[c * b->model->n_state + j] -= f[j] * off / speed;
  }
}

/* product <- D product, where D is that of the run that has ended, at full; y receives the state. */
static void take_run(const batch *b, int64_t i, const sal_config_orbit *o, bool first, double y[])
{
  const int m = b->of->n, ns = b->model->n_state;
  double v[SAL_MAX_STATE], old[SAL_MAX_STATE];
  double *product = b->product + i * m * m, *step = b->step + i * m * m;

  sal_tangent_model_read(&b->tangent, b->full + i * b->tangent.model.n_state, y, v, NULL);
  if (!b->stops && !b->model->section.period) put_on_section(b, o, v);
  for (int c = 0; c < m; ++c)
    for (int r = 0; r < m; ++r) step[r * m + c] = v[c * ns + b->of->state[r]];
  if (first) {
    memcpy(product, step, (size_t)(m * m) * sizeof *product);
    return;
  }
  for (int c = 0; c < m; ++c) {
    for (int r = 0; r < m; ++r) old[r] = product[r * m + c];
    for (int r = 0; r < m; ++r) {
      product[r * m + c] = 0;
      for (int k = 0; k < m; ++k) product[r * m + c] += step[r * m + k] * old[k];
    }
  }
}

static void load(const batch *b, int64_t i, const double y[])
{
  const int ns = b->model->n_state;
  double v[SAL_MAX_STATE] = {0};

  for (int c = 0; c < b->of->n; ++c) v[c * ns + b->of->state[c]] = 1;
  sal_tangent_model_load(&b->tangent, y, v, b->full + i * b->tangent.model.n_state);
}

static sal_job job_of(const batch *b, int64_t i, const sal_config_orbit *o)
{
  double *full = b->full + i * b->tangent.model.n_state;
  sal_job job = {.param = o->param, .initial = full, .end = full};

  if (b->setup.strategy->held) job.closed = job.end_closed = b->mode + i * b->setup.n_guard;
  if (!b->model->section.period) job.changed = 1 + b->model->section.contact;
  if (!b->stops) job.t_end = o->period;
  return job;
}

static bool came_back(const batch *b, const sal_record *r)
{
  const double outcome = r->value[SAL_METRIC_OUTCOME];

  return b->stops ? outcome == SAL_OUT_ENDED : outcome == SAL_OUT_DONE;
}

/* By how much a run of the orbit's period has missed the section at its end, in time, along the flow. */
static double time_off_section(const batch *b, const sal_config_orbit *o, const double y[])
{
  const int n = sal_model_continuous(b->model);
  double f[SAL_MAX_STATE], gradient[SAL_MAX_STATE], speed = 0, off = 0;

  look_ahead(b, o, o->state, f, gradient);
  for (int j = 0; j < n; ++j) {
    speed += gradient[j] * f[j];
    off += gradient[j] * (y[j] - o->state[j]);
  }
  return off / speed;
}

/* Subtracts the time to a visit from the period; `left` before the first: all of it. */
static void take_time(const batch *b, const sal_config_orbit *o, const sal_record *r,
                      const double y[], double *left)
{
  if (b->model->section.period)
    *left = NAN;
  else if (b->stops)
    *left -= r->value[SAL_METRIC_T_REACHED];
  else
    *left = time_off_section(b, o, y);
}

/* One run more of each orbit that has returns left: at `visit` of them. */
static void run_visit(batch *b, int visit, int64_t n, const sal_config_orbit orbit[], bool alive[],
                      sal_config_report report[], void *work)
{
  sal_job job[SAL_TILE_MOST];
  sal_record record[SAL_TILE_MOST];
  int64_t index[SAL_TILE_MOST], live = 0;
  double y[SAL_MAX_STATE];

  for (int64_t i = 0; i < n; ++i) {
    if (!alive[i] || visit >= (b->stops ? orbit[i].returns : 1)) continue;
    index[live] = i;
    job[live++] = job_of(b, i, &orbit[i]);
  }
  sal_integrate(&b->setup, b->width, live, job, record, work);
  for (int64_t k = 0; k < live; ++k) {
    const int64_t i = index[k];
    report[i].rhs += record[k].value[SAL_METRIC_RHS] * (1 + b->of->n);
    alive[i] = came_back(b, &record[k]);
    if (!alive[i]) continue;
    take_run(b, i, &orbit[i], visit == 0, y);
    take_time(b, &orbit[i], &record[k], y, &report[i].period_error);
    load(b, i, y);
  }
}

static void find_leading(const batch *b, int64_t i, sal_config_report *report)
{
  sal_multipliers all;

  if (!sal_multipliers_find(b->of->n, b->product + i * b->of->n * b->of->n, b->of->n, NULL, &all) ||
      all.n == 0)
    return;
  report->re = all.re[0];
  report->im = fabs(all.im[0]);
}

void sal_config_multiplier_run(const sal_setup *setup, const sal_config_unknowns *unknowns,
                               int width, int64_t n, const sal_config_orbit orbit[],
                               sal_config_report report[], double room[], bool modes[], void *work)
{
  bool alive[SAL_TILE_MOST];
  batch b;
  int most = 0;

  for (int64_t i = 0; i < n; ++i) report[i] = (sal_config_report){NAN, NAN, 0, NAN};
  if (!fits(setup, unknowns)) return;
  prepare(setup, unknowns, &b);
  const int64_t square = (int64_t)unknowns->n * unknowns->n;
  b.width = width;
  b.full = room;
  b.step = b.full + n * b.tangent.model.n_state;
  b.product = b.step + n * square;
  b.mode = modes;
  for (int64_t i = 0; i < n; ++i) {
    alive[i] = true;
    report[i].period_error = orbit[i].period;
    load(&b, i, orbit[i].state);
    memcpy(b.mode + i * setup->n_guard, orbit[i].closed, (size_t)setup->n_guard * sizeof *modes);
    if (orbit[i].returns > most) most = orbit[i].returns;
  }
  for (int visit = 0; visit < most; ++visit) run_visit(&b, visit, n, orbit, alive, report, work);
  for (int64_t i = 0; i < n; ++i)
    if (alive[i])
      find_leading(&b, i, &report[i]);
    else
      report[i].period_error = NAN;
}
