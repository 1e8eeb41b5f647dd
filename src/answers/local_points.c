/** Planes through points. */
#include "base.h"
#include "config.h"
#include "local_forecast.h"
#include "scalar_math.h"

/* p_tot of (36); a criterion without weight does not matter, also when it is missing. */
static double points_of(const sal_performance_table *t, int64_t at, const sal_weights *w)
{
  if (!isfinite(t->error[at]) || !(t->work[at] > 0)) return NAN;
  return (w->sd > 0 ? w->sd * t->sd[at] : 0) + (w->dt > 0 ? w->dt * t->dt[at] : 0) +
         (w->iae > 0 ? w->iae * t->iae[at] : 0);
}

/* Expected points, work and error of configuration k; false where it has too few cells with points. */
static bool expect_points(sal_local_plane *p, const sal_performance_table *t, int k,
                          const sal_weights *weights, bool missing[], sal_surrogate_points *out)
{
  double work = 0, error = 0;
  bool gaps = false;

  for (int i = 0; i < p->n; ++i) {
    missing[i] = isnan(points_of(t, (int64_t)i * t->n_config + k, weights));
    gaps = gaps || missing[i];
  }
  if (gaps && !sal_local_plane_without(p, missing)) return false;
  const double *b = gaps ? p->own : p->b;
  out->points = 0;
  for (int i = 0; i < p->n; ++i) {
    const int64_t at = (int64_t)i * t->n_config + k;
    if (missing[i]) continue;
    out->points += b[i] * points_of(t, at, weights);
    work += b[i] * sal_scalar_log(t->work[at]);
    error += b[i] * sal_scalar_log(fmax(t->error[at], 1e-16));
  }
  out->work = sal_scalar_exp(work);
  out->error = sal_scalar_exp(error);
  return true;
}

static bool is_better(const sal_surrogate_points *a, const sal_surrogate_points *b)
{
  return a->points != b->points ? a->points > b->points : a->work < b->work;
}

static void rank(sal_local_plane *p, const sal_performance_table *t, const sal_question *q,
                 bool missing[], int *n, sal_surrogate_points out[])
{
  const int pairs = sal_config_pairs(t->sweep);

  for (int pair = 0; pair < pairs; ++pair) {
    const sal_config c = sal_config_decode(t->sweep, pair);
    sal_surrogate_points own = {.pair = pair};
    if ((q->method && !q->method[c.method]) || (q->strategy && !q->strategy[c.strategy]) ||
        !expect_points(p, t, q->tolerance * pairs + pair, &q->weights, missing, &own))
      continue;
    int i = (*n)++;
    for (; i > 0 && is_better(&own, &out[i - 1]); --i) out[i] = out[i - 1];
    out[i] = own;
  }
}

sal_err sal_local_points(sal_local_plane *p, const sal_nearest *list,
                         const sal_performance_source *scored, const sal_question *q, int *n,
                         sal_surrogate_points out[])
{
  SAL_OWN int64_t *cell = sal_alloc((size_t)p->n, sizeof *cell);
  SAL_OWN bool *missing = sal_alloc((size_t)p->n, sizeof *missing);
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};

  if (!cell || !missing) return sal_fail(SAL_ERR_MEMORY, "no memory for points");
  SAL_TRY(sal_performance_create(scored->sweep, p->n, &scored->weights, true, false, &rows));
  for (int i = 0; i < p->n; ++i) cell[i] = list->at[i].cell;
  SAL_TRY(scored->read(scored->with, p->n, cell, &rows));
  *n = 0;
  rank(p, &rows, q, missing, n, out);
  return SAL_OK;
}
