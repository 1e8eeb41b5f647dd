/** A surrogate's answers at points that fill a box. */
#include "base.h"
#include "config.h"
#include "scalar_math.h"
#include "surrogate.h"

enum { POINTS = SAL_SURROGATE_BOX_POINTS };

/** Results at the points: the answers there, and the different ones among them. */
typedef struct {
  sal_surrogate *surrogate;
  const sal_surrogate_question *question;
  sal_surrogate_box *box;
  double fill[SAL_MAX_QUANTITY]; /* a_k of the sequence */
  sal_surrogate_choice best[POINTS];
  int n_met;
  sal_surrogate_choice met[POINTS];
  sal_box_range probability[POINTS], work[POINTS]; /* of each that was met */
  double more[POINTS];
  sal_surrogate_answer answer;
} query;

/* The root by Newton's method. */
void sal_surrogate_box_sequence(int n, double fill[])
{
  double g = 2;

  for (int i = 0; i < 60; ++i) {
    const double power = sal_scalar_pow(g, n);
    g -= (power * g - g - 1) / ((n + 1) * power - 1);
  }
  for (int k = 0; k < n; ++k) fill[k] = sal_scalar_pow(g, -(k + 1));
}

/* Where nothing was said, the ends of the coordinate; nothing may lie outside of them. */
static sal_err settle_range(const char *where, const sal_sweep *s,
                            const sal_surrogate_coordinate *at, double *lo, double *hi)
{
  const double ends[] = {sal_surrogate_coordinate_value(at, 0),
                         sal_surrogate_coordinate_value(at, 1)};
  const double slack = 1e-9 * fmax(fabs(ends[0]), fabs(ends[1]));

  if (isnan(*lo)) *lo = ends[0], *hi = ends[1];
  if (*lo >= ends[0] - slack && *hi <= ends[1] + slack) return SAL_OK;
  return sal_fail(SAL_ERR_USAGE,
                  "%s: %s = %.6g .. %.6g reaches out of this cube, which has %.6g .. %.6g", where,
                  sal_parameter_column_name(s->model, at->column), *lo, *hi, ends[0], ends[1]);
}

sal_err sal_surrogate_box_settle(const sal_surrogate_coordinates *c, const char *where, double lo[],
                                 double hi[])
{
  for (int k = 0; k < c->n; ++k)
    SAL_TRY(settle_range(where, c->sweep, &c->at[k], &lo[c->at[k].column], &hi[c->at[k].column]));
  return SAL_OK;
}

static sal_err settle_box(const query *a, const char *where, const double lo[], const double hi[])
{
  const sal_surrogate_coordinates *c = sal_surrogate_coordinates_of(a->surrogate);

  for (int k = 0; k < SAL_MAX_QUANTITY; ++k) {
    a->box->lo[k] = k < sal_parameter_column_count(c->sweep->model) ? lo[k] : 0;
    a->box->hi[k] = k < sal_parameter_column_count(c->sweep->model) ? hi[k] : 0;
  }
  return sal_surrogate_box_settle(c, where, a->box->lo, a->box->hi);
}

/* Asks at the i-th point. */
static sal_err ask_point(query *a, int i)
{
  const sal_surrogate_coordinates *c = sal_surrogate_coordinates_of(a->surrogate);
  double value[SAL_MAX_QUANTITY];

  for (int k = 0; k < SAL_MAX_QUANTITY; ++k) value[k] = a->box->lo[k];
  for (int k = 0; k < c->n; ++k) {
    const sal_surrogate_coordinate *at = &c->at[k];
    const double lo = sal_surrogate_coordinate_of(at, a->box->lo[at->column]),
                 hi = sal_surrogate_coordinate_of(at, a->box->hi[at->column]);
    const double step = 0.5 + i * a->fill[k], share = step - floor(step);
    if (hi > lo) value[at->column] = sal_surrogate_coordinate_value(at, lo + share * (hi - lo));
  }
  return sal_surrogate_ask(a->surrogate, value, a->question, &a->answer);
}

static void meet(query *a, const sal_surrogate_choice *best)
{
  for (int i = 0; i < a->n_met; ++i)
    if (a->met[i].pair == best->pair && a->met[i].tolerance == best->tolerance) return;
  a->met[a->n_met++] = *best;
}

static void widen(sal_box_range *r, double x, int n)
{
  r->least = fmin(r->least, x);
  r->most = fmax(r->most, x);
  r->mean += (x - r->mean) / n;
}

static const sal_box_range nothing = {INFINITY, 0, -INFINITY};

static sal_err find_answers(query *a)
{
  sal_surrogate_box *box = a->box;
  int missing = 0;

  box->probability = box->work = box->total = nothing;
  for (int i = 0; i < POINTS; ++i) {
    SAL_TRY(ask_point(a, i));
    const sal_surrogate_choice *best = &a->answer.best;
    a->best[i] = *best;
    missing += best->pair < 0 && sal_reason_lacks_reference(a->answer.reason);
    if (best->pair < 0) continue;
    const int n = ++box->n_answered;
    widen(&box->probability, best->probability, n);
    widen(&box->work, best->work, n);
    widen(&box->total, best->total, n);
    meet(a, best);
  }
  box->unverified = (double)missing / POINTS;
  return SAL_OK;
}

/* Shares of pairs, the largest first, of equals the first in the order of the sweep. */
static void rank_winners(query *a, int n_pair)
{
  sal_surrogate_box *box = a->box;

  for (int pair = 0; pair < n_pair; ++pair) {
    int n = 0;
    for (int i = 0; i < POINTS; ++i) n += a->best[i].pair == pair;
    if (n == 0) continue;
    const sal_box_winner own = {pair, (double)n / POINTS};
    int at = box->n_winner < SAL_SURROGATE_BOX_WINNERS ? box->n_winner : SAL_SURROGATE_BOX_WINNERS;
    ++box->n_winner;
    for (; at > 0 && box->winner[at - 1].share < own.share; --at)
      if (at < SAL_SURROGATE_BOX_WINNERS) box->winner[at] = box->winner[at - 1];
    if (at < SAL_SURROGATE_BOX_WINNERS) box->winner[at] = own;
  }
}

/* Evaluates each answer that was found at all points; `more` is NaN where it has no plane. */
static sal_err weigh_answers(query *a)
{
  int n = 0;

  for (int m = 0; m < a->n_met; ++m) a->probability[m] = a->work[m] = nothing;
  for (int i = 0; i < POINTS; ++i) {
    if (a->best[i].pair < 0) continue;
    SAL_TRY(ask_point(a, i));
    ++n;
    for (int m = 0; m < a->n_met; ++m) {
      const sal_surrogate_choice c =
          sal_surrogate_candidate(a->surrogate, a->met[m].pair, a->met[m].tolerance);
      a->more[m] += (c.total / a->best[i].total - 1 - a->more[m]) / n;
      widen(&a->probability[m], c.probability, n);
      widen(&a->work[m], c.work, n);
    }
  }
  return SAL_OK;
}

static void choose_one(query *a)
{
  sal_surrogate_box *box = a->box;
  int best = -1;

  for (int m = 0; m < a->n_met; ++m)
    if (!isnan(a->more[m]) && (best < 0 || a->more[m] < a->more[best])) best = m;
  box->pair = -1;
  if (best < 0) return;
  box->pair = a->met[best].pair;
  box->tolerance = a->met[best].tolerance;
  box->more = a->more[best];
  box->one_probability = a->probability[best];
  box->one_work = a->work[best];
}

sal_err sal_surrogate_box_ask(sal_surrogate *surrogate, const char *where, const double lo[],
                              const double hi[], const sal_surrogate_question *question,
                              sal_surrogate_box *box)
{
  SAL_OWN query *a = sal_alloc(1, sizeof *a);

  *box = (sal_surrogate_box){.pair = -1};
  if (!a) return sal_fail(SAL_ERR_MEMORY, "no memory for a box");
  a->surrogate = surrogate;
  a->question = question;
  a->box = box;
  SAL_TRY(settle_box(a, where, lo, hi));
  sal_surrogate_box_sequence(sal_surrogate_coordinates_of(surrogate)->n, a->fill);
  SAL_TRY(find_answers(a));
  rank_winners(a, sal_config_pairs(sal_surrogate_coordinates_of(surrogate)->sweep));
  SAL_TRY(weigh_answers(a));
  choose_one(a);
  return SAL_OK;
}
