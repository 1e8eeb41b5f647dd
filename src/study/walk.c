/** A point of a walk: correction, tangent, multipliers. */
#include "walk.h"
#include "base.h"
#include "scalar_math.h"
#include <lapacke.h>

sal_err sal_walk_create(const sal_walk_setup *setup, sal_walk_test *test, sal_walk *out)
{
  double range[SAL_BRANCH_PARAMS];

  for (int i = 0; i < SAL_BRANCH_PARAMS; ++i) range[i] = setup->to[i] - setup->from[i];
  *out = (sal_walk){.setup = setup, .test = test};
  SAL_TRY(sal_fixed_point_create(setup->family, setup->holds, setup->lambda, range, &out->system));
  const int n = out->system.n_unknown;
  out->work = sal_alloc(sal_curve_bytes(n), 1);
  out->curve = (sal_curve){.n = n, .evaluate = sal_fixed_point_evaluate, .work = out->work};
  if (!out->work) {
    sal_walk_free(out);
    return sal_fail(SAL_ERR_MEMORY, "no memory for a walk along a curve");
  }
  for (int j = 0; j < n; ++j) out->scale[j] = j < out->system.n ? 1 : range[j - out->system.n];
  return SAL_OK;
}

void sal_walk_free(sal_walk *walk)
{
  sal_fixed_point_free(&walk->system);
  sal_free(walk->work);
  walk->work = NULL;
}

sal_err sal_walk_point_create(const sal_walk *walk, sal_walk_point *out)
{
  *out =
      (sal_walk_point){.row = sal_alloc((size_t)walk->setup->family->layout.width, sizeof(double))};
  return out->row ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a point of a branch");
}

void sal_walk_point_free(sal_walk_point *point)
{
  sal_free(point->row);
  point->row = NULL;
}

void sal_walk_point_copy(const sal_walk *walk, const sal_walk_point *from, sal_walk_point *to)
{
  double *row = to->row;

  *to = *from;
  to->row = row;
  memcpy(row, from->row, (size_t)walk->setup->family->layout.width * sizeof *row);
}

/* A multiplier counts as outside the unit circle by more than rounding; on a curve of folds or period
 * doublings the one that is held on the circle does not. */
static void judge(const sal_walk *w, sal_walk_point *p)
{
  const sal_branch_layout *l = &w->setup->family->layout;
  const double held = w->setup->holds == SAL_FIXED_PLAIN ? 0 : 1e-7;

  p->point.n_unstable = 0;
  if (!sal_fixed_point_multipliers(w->system.n, w->system.value[0].derivative, p->row + l->re,
                                   p->row + l->im))
    for (int i = 0; i < l->n_multiplier; ++i) p->row[l->re + i] = p->row[l->im + i] = NAN;
  for (int i = 0; i < l->n_multiplier; ++i)
    p->point.n_unstable += sal_scalar_hypot(p->row[l->re + i], p->row[l->im + i]) >= 1 + held;
  p->point.stable = p->point.n_unstable == 0 && !isnan(p->row[l->re]);
}

/* Are apexes needed to find where a requested value is reached? */
static bool asks_for_apex(const sal_walk_setup *s)
{
  const sal_branch_layout *l = &s->family->layout;
  bool any = false;

  for (int i = 0; i < s->n_user; ++i) {
    const sal_branch_quantity q = s->user[i].quantity;
    any = any || (q.kind == SAL_BRANCH_IS_IN_ROW && q.at >= l->apex && q.at < l->re);
  }
  return any;
}

sal_err sal_walk_complete(const sal_walk *w, sal_walk_point *p)
{
  const sal_family *f = w->setup->family;
  sal_family_start at = {.x = p->z};

  memcpy(at.lambda, p->point.lambda, sizeof at.lambda);
  return asks_for_apex(w->setup) ? SAL_OK : f->describe(f->context, &at, true, p->row);
}

static sal_err describe(sal_walk *w, sal_walk_point *p)
{
  const sal_fixed_point *s = &w->system;
  const sal_family_value *v = &s->value[0];
  sal_family_start at = {.x = p->z};

  memcpy(p->size, v->size, (size_t)s->n * sizeof *p->size);
  p->split = v->split;
  p->sequence = v->sequence;
  p->point = (sal_branch_point){.type = SAL_BRANCH_REGULAR,
                                .period = v->period,
                                .residual = w->report.residual,
                                .admissible = v->admissible,
                                .transversality = v->transversality,
                                .n_event = v->n_event,
                                .words = ""};
  memcpy(p->point.lambda, s->lambda, sizeof s->lambda);
  memcpy(p->point.lambda, p->z + s->n, (size_t)s->n_free * sizeof *p->z);
  if (v->transversality > w->transversal) w->transversal = v->transversality;
  memcpy(at.lambda, p->point.lambda, sizeof at.lambda);
  SAL_TRY(s->family->describe(s->family->context, &at, asks_for_apex(w->setup), p->row));
  judge(w, p);
  return SAL_OK;
}

sal_err sal_walk_correct(sal_walk *w, const double direction[], double most, sal_walk_point *p,
                         bool *made)
{
  double det = 0;

  *made = false;
  w->curve.context = &w->system; /* the walk may have moved */
  w->curve.scale = w->scale;
  SAL_TRY(sal_curve_correct(&w->curve, direction, most, p->z, &w->report));
  if (w->report.flaw[0]) return SAL_OK;
  if (!sal_curve_tangent(&w->curve, direction, p->t, &det)) {
    snprintf(w->report.flaw, sizeof w->report.flaw, "the branch has no tangent there");
    return SAL_OK;
  }
  SAL_TRY(describe(w, p));
  w->test(w, det, p);
  *made = true;
  return SAL_OK;
}

void sal_walk_stand_at(sal_walk *w, sal_walk_point *p)
{
  memcpy(w->scale, p->size, (size_t)w->system.n * sizeof *p->size);
  memcpy(w->null, p->null, sizeof p->null);
  const double length = sqrt(sal_curve_dot(&w->curve, p->t, p->t));
  for (int j = 0; j < w->curve.n; ++j) p->t[j] /= length;
}
