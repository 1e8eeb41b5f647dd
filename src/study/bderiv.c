/** B-derivatives, in two passes: the events first, then the variation from one to the next. */
#include "bderiv.h"
#include "base.h"
#include "corner.h"
#include "lost.h"
#include "variation.h"
#include <float.h>

/* Events no farther apart than the strategy's resolution of time belong together. */
static double time_resolution(double t) { return 128 * DBL_EPSILON * t; }

static sal_err fail_no_derivatives(void)
{
  return sal_fail(SAL_ERR_MEMORY, "no memory for the derivatives between the events");
}

static sal_err ended_early(sal_outcome why, double t, const char *fault)
{
  return sal_fail(SAL_ERR_INPUT,
                  "no B-derivative: the trajectory ended early, at t = %.10g: %s%s%s", t,
                  sal_metric_outcomes[why].what, fault[0] ? "; " : "", fault);
}

static sal_err check_record(const sal_bderiv *b, const sal_trajectory *tr)
{
  const sal_record *r = &tr->record;
  const sal_outcome end = (sal_outcome)r->value[SAL_METRIC_OUTCOME];
  const int k = sal_trajectory_ending(tr, b->setup->model, b->param, b->initial);

  if (k >= 0)
    return sal_fail(SAL_ERR_INPUT,
                    "no B-derivative: contact %d ends the run at t = %.10g (%s); end before that",
                    k, r->value[SAL_METRIC_T_REACHED],
                    sal_model_contact(b->setup->model, k)->closes);
  char text[SAL_LOST_FAULT];
  if (end != SAL_OUT_DONE)
    return ended_early(end, r->value[SAL_METRIC_T_REACHED],
                       sal_lost_fault(tr, b->setup->model, b->param, text));
  if (r->value[SAL_METRIC_ZENO] > 0)
    return sal_fail(
        SAL_ERR_INPUT,
        "no B-derivative: a contact comes to rest by infinitely many impacts; end before that");
  return SAL_OK;
}

/* A start on a surface moves into either mode, and neither way is a derivative of the other. */
static sal_err check_start(const sal_bderiv *b)
{
  double gap[SAL_MAX_GUARD];

  sal_model_gaps(b->setup->model, b->param, 0, b->initial, gap);
  for (int k = 0; k < sal_model_guards(b->setup->model, b->param); ++k)
    if (gap[k] == 0)
      return sal_fail(SAL_ERR_INPUT,
                      "no B-derivative: contact %d touches at the start; begin elsewhere", k);
  if (b->n_instant > 0 && b->instant[0].t <= time_resolution(b->setup->t_end))
    return sal_fail(SAL_ERR_INPUT,
                    "no B-derivative: contact %d changes at the start, t = %.3g; begin elsewhere",
                    b->instant[0].contact[0], b->instant[0].t);
  return SAL_OK;
}

static sal_err touches_at_end(const sal_bderiv *b, int k)
{
  return sal_fail(SAL_ERR_INPUT,
                  "no B-derivative: contact %d changes at the end, t = %.10g; end earlier or later",
                  k, b->setup->t_end);
}

/* At t_end some neighbouring trajectories have changed modes and others have not. */
static sal_err check_last(const sal_bderiv *b)
{
  const sal_bderiv_instant *last = b->n_instant > 0 ? &b->instant[b->n_instant - 1] : NULL;
  const double t = b->setup->t_end;

  return last && last->t >= t - 2 * time_resolution(t) ? touches_at_end(b, last->contact[0])
                                                       : SAL_OK;
}

/* The same holds when a surface lies just ahead. */
static sal_err check_end(const sal_bderiv *b, const bool closed[])
{
  const sal_model *m = b->setup->model;
  const double t = b->setup->t_end;
  double dy[SAL_MAX_STATE], gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];

  sal_model_field(m, b->param, closed, t, b->end, dy);
  sal_model_rates(m, b->param, closed, t, b->end, dy, gap, rate);
  for (int k = 0; k < sal_model_guards(m, b->param); ++k) {
    const double nears = closed[k] ? rate[k] : -rate[k];
    if (nears > 0 && fabs(gap[k]) <= nears * time_resolution(t)) return touches_at_end(b, k);
  }
  return SAL_OK;
}

static sal_err check_instant(const sal_bderiv *b, const sal_bderiv_instant *at)
{
  bool met[SAL_MAX_GUARD] = {false};

  for (int i = 0; i < at->n; ++i) {
    if (met[at->contact[i]])
      return sal_fail(
          SAL_ERR_INPUT,
          "no B-derivative: contact %d is grazed at t = %.10g, where it closes and opens at once",
          at->contact[i], at->t);
    met[at->contact[i]] = true;
  }
  if (b->setup->model->resets && at->n > 1)
    return sal_fail(SAL_ERR_INPUT,
                    "no B-derivative: contacts %d and %d reset the state at the same time, t = "
                    "%.10g, and the order matters",
                    at->contact[0], at->contact[1], at->t);
  return SAL_OK;
}

static sal_err fail_at_corner(const sal_corner *c, sal_corner_end why,
                              const sal_corner_fault *fault)
{
  if (why == SAL_CORNER_GRAZED)
    return sal_fail(SAL_ERR_INPUT,
                    "no B-derivative: contact %d is grazed at t = %.10g: its gap changes at a rate "
                    "of only %.3g",
                    fault->contact, c->t, fault->rate);
  return sal_fail(SAL_ERR_INPUT,
                  "no B-derivative: contact %d is not crossed at t = %.10g: a field beside it "
                  "leads back, at a rate of %.3g",
                  fault->contact, c->t, fault->rate);
}

/* From the mode ahead of instant i to the one after it. */
static void change_mode(const sal_bderiv *b, int64_t i, bool closed[])
{
  const sal_model *m = b->setup->model;
  const sal_bderiv_instant *at = &b->instant[i];
  double y[SAL_MAX_STATE];

  for (int j = 0; j < at->n; ++j) closed[at->contact[j]] = !closed[at->contact[j]];
  if (!m->resets) return;
  memcpy(y, b->before + i * m->n_state, (size_t)m->n_state * sizeof *y);
  sal_model_jump(m, b->param, at->contact[0], closed, at->t, y);
}

/* Divides the log into instants. */
static void group_events(const sal_trajectory *tr, sal_bderiv *b)
{
  for (int64_t e = 0, last; e < tr->n_event; e = last) {
    const double t = tr->event[e].t;
    for (last = e; last < tr->n_event && tr->event[last].t - t <= time_resolution(t); ++last)
      b->contact[last] = tr->event[last].guard;
    const int n = (int)(last - e);
    b->instant[b->n_instant++] = (sal_bderiv_instant){t, n, b->contact + e};
    if (n > b->n_most) b->n_most = n;
  }
}

/* The variation between instant i - 1 and instant i, or the end. */
static sal_err run_variation(const sal_bderiv *b, const sal_trajectory *tr, int64_t i,
                             const bool closed[], void *work)
{
  const int64_t n = b->setup->model->n_state;
  const sal_event *last =
      i > 0 ? &tr->event[b->instant[i - 1].contact - b->contact + b->instant[i - 1].n - 1] : NULL;
  const double t0 = last ? last->t : 0;
  const double t1 = i < b->n_instant ? b->instant[i].t : b->setup->t_end;
  double y[SAL_MAX_STATE];

  memcpy(y, last ? last->y : b->initial, (size_t)n * sizeof *y);
  const sal_outcome end =
      sal_variation_run(b->setup, b->param, closed, t0, t1, y, b->phi + i * n * n, work);
  if (end != SAL_OUT_DONE) return ended_early(end, t0, "");
  if (i < b->n_instant) memcpy(b->before + i * n, y, (size_t)n * sizeof *y);
  return SAL_OK;
}

static sal_err chain_variations(sal_bderiv *b, const sal_trajectory *tr, void *work)
{
  bool closed[SAL_MAX_GUARD] = {false};

  SAL_TRY(check_start(b));
  SAL_TRY(check_last(b));
  for (int64_t i = 0; i < b->n_instant; ++i) SAL_TRY(check_instant(b, &b->instant[i]));
  sal_model_mode(b->setup->model, b->param, 0, b->initial, closed);
  for (int64_t i = 0; i <= b->n_instant; ++i) {
    SAL_TRY(run_variation(b, tr, i, closed, work));
    if (i < b->n_instant) change_mode(b, i, closed);
  }
  return check_end(b, closed);
}

static sal_err build_bderiv(sal_bderiv *b, const sal_trajectory *tr)
{
  const size_t n = (size_t)b->setup->model->n_state, most = (size_t)tr->n_event;

  SAL_TRY(check_record(b, tr));
  memcpy(b->end, tr->state + n, n * sizeof *b->end);
  b->instant = sal_alloc(most, sizeof *b->instant);
  b->contact = sal_alloc(most, sizeof *b->contact);
  if (!b->instant || !b->contact) return fail_no_derivatives();
  group_events(tr, b);
  b->before = sal_alloc((size_t)b->n_instant * n, sizeof *b->before);
  b->phi = sal_alloc(((size_t)b->n_instant + 1) * n * n, sizeof *b->phi);
  b->work = sal_alloc(sal_corner_bytes(b->n_most), 1);
  SAL_OWN void *work = sal_alloc(sal_variation_bytes(b->setup), 1);
  return b->before && b->phi && b->work && work ? chain_variations(b, tr, work)
                                                : fail_no_derivatives();
}

sal_err sal_bderiv_create(const sal_setup *setup, const double param[], const double initial[],
                          sal_bderiv *out)
{
  SAL_OWN_BY(sal_trajectory_free) sal_trajectory tr = {0};

  *out = (sal_bderiv){.setup = setup, .param = param, .initial = initial};
  if (setup->model->n_discrete > 0 && setup->model->n_memory > 0)
    return sal_fail(SAL_ERR_USAGE,
                    "model %s chooses its coordinates anew on the way: a point alone does not say "
                    "which assembly is meant, and a B-derivative is made of such points",
                    setup->model->name);
  if (sal_model_has_mass(setup->model))
    return sal_fail(SAL_ERR_USAGE,
                    "model %s has a mass matrix, which a B-derivative does not carry",
                    setup->model->name);
  if (setup->method->engine)
    return sal_fail(SAL_ERR_USAGE,
                    "method %s sets its own steps, and the variational equation of a B-derivative "
                    "goes along steps of ours",
                    setup->method->name);
  if (setup->method->second_order)
    return sal_fail(SAL_ERR_USAGE,
                    "method %s is for second-order systems, and the variational equation of a "
                    "B-derivative is none",
                    setup->method->name);
  if (!sal_variation_works(setup->model))
    return sal_fail(SAL_ERR_USAGE, "model %s has %d states; a B-derivative takes at most %d",
                    setup->model->name, setup->model->n_state,
                    (SAL_MAX_DENSE - 1) / 2 - setup->model->resets);
  SAL_TRY(sal_trajectory_run(setup, param, initial, setup->t_end, &tr));
  const sal_err err = build_bderiv(out, &tr);
  if (err != SAL_OK) sal_bderiv_free(out);
  return err;
}

void sal_bderiv_free(sal_bderiv *b)
{
  sal_free_all(b->instant, b->contact, b->before, b->phi, b->work);
  *b = (sal_bderiv){0};
}

static void multiply_vector(int n, const double A[], double v[])
{
  double product[SAL_MAX_STATE] = {0};

  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) product[i] += A[i * n + j] * v[j];
  memcpy(v, product, (size_t)n * sizeof *v);
}

sal_err sal_bderiv_map(const sal_bderiv *b, const double from[], double to[], int order[])
{
  const sal_model *m = b->setup->model;
  const int n = m->n_state;
  bool closed[SAL_MAX_GUARD] = {false};
  sal_corner_fault fault;

  memmove(to, from, (size_t)n * sizeof *to);
  sal_model_mode(m, b->param, 0, b->initial, closed);
  for (int64_t i = 0; i < b->n_instant; ++i) {
    const sal_bderiv_instant *at = &b->instant[i];
    const sal_corner corner = {.model = m,
                               .param = b->param,
                               .t = at->t,
                               .y = b->before + i * n,
                               .closed = closed,
                               .n = at->n,
                               .contact = at->contact,
                               .least = sqrt(b->setup->rtol)};
    multiply_vector(n, b->phi + i * n * n, to);
    const sal_corner_end end = sal_corner_map(
        &corner, to, order ? order + (at->contact - b->contact) : NULL, &fault, b->work);
    if (end != SAL_CORNER_CROSSED) return fail_at_corner(&corner, end, &fault);
    change_mode(b, i, closed);
  }
  multiply_vector(n, b->phi + b->n_instant * n * n, to);
  for (int i = 0; i < n; ++i)
    if (!isfinite(to[i]))
      return sal_fail(SAL_ERR_INPUT, "no B-derivative: it is too large for a number");
  return SAL_OK;
}

static double vector_norm(int n, const double v[])
{
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += v[i] * v[i];
  return sqrt(sum);
}

/* to(e + f) for two rows of the matrix, e_i and f_j with signs: |to(e + f) - to(e) - to(f)|. */
static sal_err apart_from_sum(const sal_bderiv *b, const double matrix[], int e, int f, double *out)
{
  const int n = b->setup->model->n_state;
  double from[SAL_MAX_STATE] = {0}, to[SAL_MAX_STATE];

  from[e % n] = e < n ? 1 : -1;
  from[f % n] = f < n ? 1 : -1;
  SAL_TRY(sal_bderiv_map(b, from, to, NULL));
  for (int i = 0; i < n; ++i) to[i] -= matrix[e * n + i] + matrix[f * n + i];
  *out = vector_norm(n, to);
  return SAL_OK;
}

sal_err sal_bderiv_measure(const sal_bderiv *b, const double matrix[], sal_bderiv_defect *out)
{
  const int n = b->setup->model->n_state;
  double scale = 0, sum[SAL_MAX_STATE], apart;

  *out = (sal_bderiv_defect){0};
  for (int e = 0; e < n; ++e) {
    for (int i = 0; i < n; ++i) sum[i] = matrix[e * n + i] + matrix[(n + e) * n + i];
    out->antisymmetry = fmax(out->antisymmetry, vector_norm(n, sum));
  }
  for (int e = 0; e < 2 * n; ++e) {
    scale = fmax(scale, vector_norm(n, matrix + (size_t)e * (size_t)n));
    for (int f = e % n + 1; f < n; ++f)
      for (int minus = 0; minus < 2; ++minus) {
        SAL_TRY(apart_from_sum(b, matrix, e, f + minus * n, &apart));
        out->superposition = fmax(out->superposition, apart);
      }
  }
  if (scale > 0) {
    out->antisymmetry /= scale;
    out->superposition /= scale;
  }
  return SAL_OK;
}
