/** The difference of what two configurations take, at the cells around a place. */
#include "surrogate_view.h"

/* Differences of works that do not scatter at all are known to a hundredth of a percent. */
static const double least_scatter = 1e-4, most = 0.9999;

/* A configuration between two tolerances, and what a smaller error costs it. */
typedef struct {
  int at; /* the configuration at the nearest of the sweep's tolerances: means of two would scatter less than a run */
  double trade; /* -d ln W / d ln E */
} runner;

static runner runner_of(const sal_surrogate_view *v, sal_surrogate_pick pick)
{
  const sal_surrogate_steps *l = &v->steps;
  const sal_local_forecast *f = &v->forecast;
  const sal_surrogate_step *s = &l->at[pick.step];
  const int level = s->level + 1 < l->n_level || s->level == 0 ? s->level : s->level - 1;
  const int pairs = v->totals.n_pair, near = s->share > 0.5 ? s->level + 1 : s->level;
  runner r = {l->level[near] * pairs + pick.pair, 0};

  if (l->n_level < 2) return r;
  const int loose = l->level[level] * pairs + pick.pair,
            tight = l->level[level + 1] * pairs + pick.pair;
  if (!f->fits[loose] || !f->fits[tight]) return r;
  const double gained = f->ln_error[loose] - f->ln_error[tight],
               paid = f->ln_work[tight] - f->ln_work[loose];
  if (gained > 0 && paid > 0) r.trade = fmin(paid / gained, 1);
  return r;
}

/* Work for an error in a cell, as a logarithm; NaN where it does not count. */
static double cost_of(const runner *r, double asked, const double ln_error[],
                      const double ln_work[])
{
  return ln_work[r->at] + r->trade * (ln_error[r->at] - asked);
}

/* Two configurations, and the planes of their place. */
typedef struct {
  sal_surrogate_view *view;
  double ln_error; /* asked for */
  runner a, b;
} race;

/* How much more the first takes in a cell, as a logarithm; NaN where not both count. */
static double difference_in(const race *r, int i)
{
  const sal_local_forecast *f = &r->view->forecast;

  return cost_of(&r->a, r->ln_error, f->error[i], f->work[i]) -
         cost_of(&r->b, r->ln_error, f->error[i], f->work[i]);
}

/* Fits the plane through the difference, where both count: its value at the place, and the mean square by which another cell is
 * off it, for as many degrees of freedom as are left and with the plane's own variance. */
typedef struct {
  double at, square;
} forecast;

static forecast forecast_of(const race *r)
{
  const sal_local_plane *p = &r->view->plane;
  const bool *missing = r->view->forecast.missing;
  double beta[SAL_SURROGATE_MOST_COORDINATES + 1] = {0}, sum = 0, weights = 0, squares = 0;

  for (int i = 0; i < p->n; ++i)
    for (int t = 0; t < p->n_term && !missing[i]; ++t)
      beta[t] += p->own[(int64_t)t * p->n + i] * difference_in(r, i);
  for (int i = 0; i < p->n; ++i) {
    if (missing[i]) continue;
    double off = difference_in(r, i);
    for (int t = 0; t < p->n_term; ++t) off -= p->x[(int64_t)i * p->n_term + t] * beta[t];
    sum += p->w[i] * (off * off);
    weights += p->w[i];
    squares += p->w[i] * p->w[i];
  }
  const double effective = weights * weights / squares, left = effective - p->n_term;
  return (forecast){beta[0], left > 1 ? sum / weights * (effective + p->n_term) / left : NAN};
}

/* The share of Student's distribution with 4 degrees of freedom up to t. */
static double below_in_student(double t)
{
  const double u = 1 + t * t / 4;

  return 0.5 + 0.375 * t / sqrt(u) * (1 - t * t / (12 * u));
}

static double confidence_of(sal_surrogate_view *v, double ln_error, sal_surrogate_pick first,
                            sal_surrogate_pick second)
{
  const race r = {v, ln_error, runner_of(v, first), runner_of(v, second)};

  for (int i = 0; i < v->forecast.n; ++i) v->forecast.missing[i] = isnan(difference_in(&r, i));
  if (!sal_local_plane_without(&v->plane, v->forecast.missing)) return NAN;
  const forecast more = forecast_of(&r);
  const double scatter = fmax(sqrt(more.square), least_scatter);
  return fmax(fmin(below_in_student(-more.at / scatter), most), 1 - most);
}

void sal_confidence_compare(sal_surrogate_view *v, double ln_error, const sal_surrogate_pick p[3],
                            bool both, sal_answer *a)
{
  if (p[1].step < 0) return;
  a->reason = SAL_REASON_WORK;
  a->runner_up = p[1].pair;
  a->margin = p[1].total / p[0].total - 1;
  a->confidence = confidence_of(v, ln_error, p[0], p[1]);
  if (p[2].step < 0) return;
  a->other = p[2].pair;
  a->other_margin = p[2].total / p[0].total - 1;
  if (a->other == a->runner_up)
    a->other_confidence = a->confidence;
  else if (both)
    a->other_confidence = confidence_of(v, ln_error, p[0], p[2]);
}
