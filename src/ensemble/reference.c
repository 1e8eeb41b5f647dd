/** Certified and published references. */
#include "reference.h"
#include "base.h"
#include "compatibility.h"
#include "registry.h"
#include "run_setup.h"
#include "tile_rows.h"
#include "tile_tasks.h"
#include "watched.h"
#include <float.h>

bool sal_reference_alloc(const sal_sweep *sweep, sal_reference *r)
{
  const size_t n = (size_t)sweep->n_mesh;

  *r = (sal_reference){0};
  r->watch = sal_alloc((n + 8) * (size_t)sal_model_n_watched(sweep->model), sizeof *r->watch);
  r->state = sal_alloc((n + 1) * (size_t)sweep->model->n_state, sizeof *r->state);
  if (sweep->measured) {
    r->measure = sal_alloc(sal_measured_words(sweep->measured), sizeof *r->measure);
    r->measure_apart = sal_alloc((size_t)sweep->measured->n_column, sizeof *r->measure_apart);
  }
  return r->watch && r->state && (!sweep->measured || (r->measure && r->measure_apart));
}

size_t sal_reference_size(const sal_sweep *sweep)
{
  const size_t n = (size_t)sweep->n_mesh, state = (size_t)sweep->model->n_state;

  const size_t measures =
      sweep->measured ? sal_measured_words(sweep->measured) + (size_t)sweep->measured->n_column : 0;

  const size_t watched = (n + 8) * (size_t)sal_model_n_watched(sweep->model);

  return (watched + (n + 1) * state + measures) * sizeof(double);
}

void sal_reference_free(sal_reference *r)
{
  sal_free_all(r->watch, r->state, r->measure, r->measure_apart);
  *r = (sal_reference){0};
}

/* A certified reference uses the model's own Jacobian where it has one, the paper's the Jacobian
 * of the sweep. */
static sal_setup setup_of(const sal_sweep *sweep, const sal_method *method, double tolerance)
{
  sal_setup setup = sal_run_setup(sweep, method, sal_registry_strategy("event"), tolerance);

  if (sweep->reference == SAL_REFERENCE_CERTIFIED) setup.jacobian = SAL_JACOBIAN_ANALYTIC;
  return setup;
}

/* The methods that may run: of a certified reference all that are tried in turn. */
static const sal_method *method_at(const sal_sweep *sweep, int i)
{
  const sal_method *member[SAL_MAX_REFERENCE];

  if (sweep->reference == SAL_REFERENCE_CERTIFIED)
    return sal_registry_reference_at(sweep->model, i);
  return i < sal_sweep_references(sweep, member) ? member[i] : NULL;
}

size_t sal_reference_bytes(const sal_sweep *sweep, int width)
{
  size_t most = 0;

  for (int i = 0; method_at(sweep, i); ++i) {
    const sal_setup setup = setup_of(sweep, method_at(sweep, i), sweep->reference_tolerance);
    const size_t bytes = sal_integrate_bytes(&setup, width);
    if (bytes > most) most = bytes;
  }
  return most;
}

/* The cells of a call, or as many as a batch takes. */
typedef struct {
  const sal_sweep *sweep;
  int width;
  const double *param, *initial; /* of all cells */
  sal_reference *out, *spare;
  void *work;
  sal_lane_use *use;
} batch;

static void take_watched(const sal_sweep *sweep, sal_reference *r)
{
  const sal_model *m = sweep->model;

  for (int i = 0; i < sal_model_n_watched(m); ++i)
    for (int64_t j = 0; j <= sweep->n_mesh; ++j)
      r->watch[i * (sweep->n_mesh + 8) + j] = r->state[j * m->n_state + sal_model_watched(m, i)];
}

/* One setup on the cells that are listed.  labour: what to expect of each; then what it was. */
static void run_member(const batch *b, sal_setup setup, int64_t count, const int64_t cell[],
                       sal_reference to[], double labour[])
{
  const sal_sweep *sweep = b->sweep;
  const sal_model *m = sweep->model;
  sal_job job[SAL_TILE_MOST];
  sal_samples samples[SAL_TILE_MOST];
  sal_measured measured[SAL_TILE_MOST];
  sal_record record[SAL_TILE_MOST];
  int64_t order[SAL_TILE_MOST];

  sal_tile_tasks_costly_first(count, labour, order);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t i = cell[order[k]];
    samples[k] = (sal_samples){.n_mesh = sweep->n_mesh, .state = to[i].state};
    const double *param = b->param + i * (m->n_param + m->n_option);
    measured[k] = (sal_measured){.list = sweep->measured, .param = param, .value = to[i].measure};
    job[k] = (sal_job){.param = param,
                       .initial = b->initial + i * m->n_state,
                       .samples = &samples[k],
                       .measured = sweep->measured ? &measured[k] : NULL,
                       .budget = sweep->budget.work};
  }
  setup.use = b->use;
  sal_integrate(&setup, b->width, count, job, record, b->work);
  for (int64_t k = 0; k < count; ++k) {
    sal_reference *r = &to[cell[order[k]]];
    const double *value = record[k].value;
    r->method = setup.method;
    r->outcome = (sal_outcome)value[SAL_METRIC_OUTCOME];
    r->events = (int64_t)value[SAL_METRIC_EVENTS];
    r->reached = value[SAL_METRIC_T_REACHED];
    r->work = labour[order[k]] = value[SAL_METRIC_RHS];
    take_watched(sweep, r);
  }
}

static void note_first(sal_reference *r)
{
  r->first = r->outcome;
  r->first_reached = r->reached;
}

/* NaN when a difference is. */
static double largest_difference(int64_t n, const double a[], const double b[])
{
  double largest = 0;

  for (int64_t i = 0; i < n; ++i) {
    const double apart = fabs(a[i] - b[i]);
    if (isnan(apart)) return NAN;
    if (apart > largest) largest = apart;
  }
  return largest;
}

/* Raises the errors of a reference to its distance from another run; NaN stays. */
static void note_distance(const sal_sweep *sweep, const sal_reference *other, sal_reference *out)
{
  const sal_model *m = sweep->model;
  const int64_t n = (sweep->n_mesh + 1) * m->n_state;
  const double all = largest_difference(n, out->state, other->state);
  double one = 0;

  for (int64_t j = 0; j < n; j += m->n_state) {
    const double apart = sal_model_apart(m, out->state + j, other->state + j);
    if (!(apart <= one)) one = apart;
  }

  if (!(all <= out->error) && !isnan(out->error)) out->error = all;
  if (!(one <= out->error_watched) && !isnan(out->error_watched)) out->error_watched = one;
  for (int i = 0; sweep->measured && i < sweep->measured->n_column; ++i)
    out->measure_apart[i] = fabs(out->measure[i] - other->measure[i]);
}

#define ASIDE 0x1p-30 /* in time, of the neighbour that shows how fast errors grow */

/* Where a field or a gap depends on time, sine and cosine of it are as wrong as time is rounded, for both
 * runs of a certificate alike, and impacts make that grow. */
static bool is_rounded_in_time(const sal_model *m) { return m->resets && !m->autonomous; }

/* The start of a neighbour that is ASIDE earlier or later on its way, on this side of all surfaces. */
static void step_aside(const sal_model *m, const double param[], const double y[], double beside[])
{
  double f[SAL_MAX_STATE], gap;

  sal_model_rhs(m, param, 0, y, f);
  for (int side = -1; side <= 1; side += 2) {
    memcpy(beside, y, (size_t)m->n_state * sizeof *y);
    for (int i = 0; i < sal_model_continuous(m); ++i) beside[i] += side * ASIDE * f[i];
    if (sal_model_beyond(m, param, beside, NULL, &gap) < 0) return;
  }
}

static double median(double a, double b, double c) { return fmax(fmin(a, b), fmin(fmax(a, b), c)); }

/* Largest distance of state i on the mesh over ASIDE.  A single point may lie between an impact and the
 * neighbour's, which is not growth: the middle one of three counts. */
static double growth_of(const sal_sweep *sweep, int i, const double a[], const double b[])
{
  const int64_t n = sweep->model->n_state;
  double most = 0;

  for (int64_t j = 1; j < sweep->n_mesh; ++j) {
    double apart[3];
    for (int k = 0; k < 3; ++k)
      apart[k] = fabs(a[(j + k - 1) * n + i] - b[(j + k - 1) * n + i]) / ASIDE;
    most = fmax(most, median(apart[0], apart[1], apart[2]));
  }
  return most;
}

/* Raises the errors of a reference to what some spacings of time make of it at the neighbour's pace. */
static void raise_to_rounding(const sal_sweep *sweep, const sal_reference *beside,
                              sal_reference *out)
{
  const double some = 4 * DBL_EPSILON * fmax(out->reached, 0);
  const sal_model *m = sweep->model;
  double floor[SAL_MAX_STATE], mean = 0;

  if (beside->outcome != out->outcome) return;
  for (int i = 0; i < sal_model_continuous(m); ++i) {
    floor[i] = some * growth_of(sweep, i, out->state, beside->state);
    if (floor[i] > out->error) out->error = floor[i];
  }
  for (int i = 0; i < sal_model_n_watched(m); ++i)
    mean += floor[sal_model_watched(m, i)] / sal_model_n_watched(m);
  if (mean > out->error_watched) out->error_watched = mean;
}

static void note_rounding(const batch *b, const sal_method *method, int64_t count,
                          const int64_t cell[])
{
  const sal_model *m = b->sweep->model;
  double labour[SAL_TILE_MOST] = {0};
  batch beside = *b;

  if (!is_rounded_in_time(m)) return;
  SAL_OWN double *start = sal_alloc(SAL_TILE_MOST * (size_t)m->n_state, sizeof *start);
  beside.initial = start;
  for (int64_t k = 0; k < count && !start; ++k) b->out[cell[k]].error = NAN; /* it is unknown */
  if (!start) return;
  for (int64_t k = 0; k < count; ++k)
    step_aside(m, b->param + cell[k] * (m->n_param + m->n_option),
               b->initial + cell[k] * m->n_state, start + cell[k] * m->n_state);
  run_member(&beside, setup_of(b->sweep, method, b->sweep->reference_tolerance), count, cell,
             b->spare, labour);
  for (int64_t k = 0; k < count; ++k)
    raise_to_rounding(b->sweep, &b->spare[cell[k]], &b->out[cell[k]]);
}

/* The run that `out` is compared with, and the distance of the two; unknown where `out` has failed. */
static void compare_cells(const batch *b, const sal_method *method, int64_t count,
                          const int64_t cell[], double labour[])
{
  const sal_setup close =
      sal_certificate_close(setup_of(b->sweep, method, 10 * b->sweep->reference_tolerance));
  int64_t ended[SAL_TILE_MOST], n = 0;

  for (int64_t k = 0; k < count; ++k) {
    sal_reference *r = &b->out[cell[k]];
    const bool has_end = sal_metric_finished(r->outcome);
    r->error = r->error_watched = has_end ? 0 : NAN;
    for (int i = 0; b->sweep->measured && i < b->sweep->measured->n_column; ++i)
      r->measure_apart[i] = NAN;
    labour[n] = labour[k];
    if (has_end) ended[n++] = cell[k];
  }
  if (n == 0) return;
  run_member(b, close, n, ended, b->spare, labour);
  for (int64_t k = 0; k < n; ++k) note_distance(b->sweep, &b->spare[ended[k]], &b->out[ended[k]]);
  note_rounding(b, method, n, ended);
}

/* Cells whose reference has not come to its end, or is not confirmed by the other run.  A start beyond a surface is one for all
 * methods, and work beyond the budget is not a failure of this one. */
static int64_t list_failed(int64_t count, const sal_reference out[], int64_t cell[])
{
  int64_t n = 0;

  for (int64_t i = 0; i < count; ++i) {
    const sal_outcome end = out[i].outcome;
    if (end == SAL_OUT_PENETRATES || end == SAL_OUT_HALTED || end == SAL_OUT_OVER_BUDGET) continue;
    if (!sal_metric_finished(end) || isnan(out[i].error)) cell[n++] = i;
  }
  return n;
}

/* Replaces the reference of failed cells by a run of another method that comes to the end. */
static void try_other(const batch *b, const sal_method *method, int64_t count, const int64_t cell[])
{
  double labour[SAL_TILE_MOST] = {0};
  int64_t better[SAL_TILE_MOST], n = 0;

  run_member(b, setup_of(b->sweep, method, b->sweep->reference_tolerance), count, cell, b->spare,
             labour);
  for (int64_t k = 0; k < count; ++k) {
    sal_reference *out = &b->out[cell[k]], *spare = &b->spare[cell[k]], was = *out;
    if (!sal_metric_finished(spare->outcome)) continue;
    *out = *spare;
    *spare = was;
    out->first = was.first;
    out->first_reached = was.first_reached;
    labour[n] = out->work;
    better[n++] = cell[k];
  }
  if (n > 0) compare_cells(b, method, n, better, labour);
}

static bool can_run(const sal_sweep *sweep, const sal_method *method)
{
  char text[SAL_COMPATIBILITY_TEXT];
  const sal_setup setup = setup_of(sweep, method, sweep->reference_tolerance);

  return !sal_compatibility_flaw(&setup, text);
}

static void run_certified(const batch *b, int64_t count)
{
  double labour[SAL_TILE_MOST] = {0};
  int64_t cell[SAL_TILE_MOST] = {0};
  const sal_method *own = method_at(b->sweep, 0), *other;

  for (int64_t i = 0; i < count; ++i) cell[i] = i;
  run_member(b, setup_of(b->sweep, own, b->sweep->reference_tolerance), count, cell, b->out,
             labour);
  for (int64_t i = 0; i < count; ++i) note_first(&b->out[i]);
  compare_cells(b, own, count, cell, labour);
  for (int i = 1; (other = method_at(b->sweep, i)) != NULL; ++i) {
    const int64_t n = list_failed(count, b->out, cell);
    if (n > 0 && can_run(b->sweep, other)) try_other(b, other, n, cell);
  }
}

/* The mean fails when one of the four does, and ends where one of them ends. */
static int gravity_of(sal_outcome outcome)
{
  return outcome == SAL_OUT_DONE ? 0 : outcome == SAL_OUT_ENDED ? 1 : 2;
}

/* Takes a share of this member into the mean. */
static void add_to_mean(const sal_sweep *sweep, double weight, const sal_reference *member,
                        sal_reference *mean)
{
  const int64_t n = (sweep->n_mesh + 1) * sweep->model->n_state;

  for (int64_t i = 0; i < n; ++i) mean->state[i] += weight * member->state[i];
  if (gravity_of(member->outcome) >= gravity_of(mean->outcome)) mean->outcome = member->outcome;
  mean->reached = fmin(mean->reached, member->reached);
  mean->events = member->events;
}

static void begin_mean(const sal_sweep *sweep, sal_reference *mean)
{
  const size_t n = ((size_t)sweep->n_mesh + 1) * (size_t)sweep->model->n_state;

  memset(mean->state, 0, n * sizeof *mean->state);
  mean->method = NULL;
  mean->outcome = SAL_OUT_DONE;
  mean->reached = INFINITY;
  mean->error = mean->error_watched = 0;
}

/* Two passes, since the distance from the mean is known only when all four have run; a second run
 * costs time but no memory, and is the one that leaps over nothing. */
static void run_paper(const batch *b, int64_t count)
{
  const sal_sweep *sweep = b->sweep;
  double labour[SAL_TILE_MOST] = {0};
  int64_t cell[SAL_TILE_MOST];
  const sal_method *member[SAL_MAX_REFERENCE];
  const int n = sal_sweep_references(sweep, member);
  const double weight = 1.0 / n;

  for (int64_t i = 0; i < count; ++i) begin_mean(sweep, &b->out[cell[i] = i]);
  for (int k = 0; k < 2 * n; ++k) {
    const sal_setup own = setup_of(sweep, member[k % n], sweep->reference_tolerance);
    run_member(b, k < n ? own : sal_certificate_close(own), count, cell, b->spare, labour);
    for (int64_t i = 0; i < count; ++i) {
      if (k < n) add_to_mean(sweep, weight, &b->spare[i], &b->out[i]);
      if (k == n - 1) take_watched(sweep, &b->out[i]);
      if (k >= n) note_distance(sweep, &b->spare[i], &b->out[i]);
    }
  }
  for (int64_t i = 0; i < count; ++i) note_first(&b->out[i]);
}

void sal_reference_run(const sal_sweep *sweep, int width, int64_t count, const double param[],
                       const double initial[], sal_reference reference[], sal_reference spare[],
                       void *work, sal_lane_use *use)
{
  const sal_model *m = sweep->model;
  const int n_p = m->n_param + m->n_option;

  for (int64_t first = 0; first < count; first += SAL_TILE_MOST) {
    const int64_t here = count - first < SAL_TILE_MOST ? count - first : SAL_TILE_MOST;
    const batch b = {sweep,
                     width,
                     param + first * n_p,
                     initial + first * m->n_state,
                     reference + first,
                     spare + first,
                     work,
                     use};
    (sweep->reference == SAL_REFERENCE_PAPER ? run_paper : run_certified)(&b, here);
  }
}

void sal_reference_put_measures(const sal_sweep *sweep, const sal_reference *r, double row[])
{
  const double *const from[] = {r->measure, r->measure_apart};
  const int metric[] = {SAL_ROW_MEASURES, SAL_ROW_MEASURE_ERRORS};

  for (int k = 0; k < 2; ++k)
    memcpy(row + sal_tile_rows_at(sweep, SAL_METRICS_BEFORE_ROWS + metric[k]), from[k],
           (size_t)sweep->measured->n_column * sizeof *row);
}
