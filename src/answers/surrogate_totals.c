/** From planes at a place to choices. */
#include "surrogate_totals.h"
#include "base.h"
#include "config.h"
#include "scalar_math.h"

static const double shared =
    0.5; /* of the misses that follow each other for one reason, elsewhere than between the same levels */

sal_err sal_surrogate_totals_create(const sal_sweep *s, const sal_surrogate_steps *steps,
                                    sal_surrogate_totals *out)
{
  const size_t n = (size_t)sal_config_pairs(s), each = (size_t)steps->n * sizeof(double);

  *out = (sal_surrogate_totals){.sweep = s, .steps = steps, .n_pair = (int)n};
  out->allowed = sal_alloc(n, sizeof *out->allowed);
  out->ln_error = sal_alloc(n, each);
  out->work = sal_alloc(n, each);
  out->probability = sal_alloc(n, each);
  out->scatter = sal_alloc(n, each);
  out->share = sal_alloc(n, each);
  out->shift = sal_alloc(n, each);
  out->spread = sal_alloc(n, each);
  return out->allowed && out->ln_error && out->work && out->probability && out->scatter &&
                 out->share && out->shift && out->spread
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "no memory for an answer");
}

void sal_surrogate_totals_free(sal_surrogate_totals *t)
{
  sal_free_all(t->allowed, t->ln_error, t->work, t->probability, t->scatter, t->share, t->shift,
               t->spread);
  *t = (sal_surrogate_totals){0};
}

void sal_surrogate_totals_between(sal_surrogate_totals *t, const sal_between_levels *between)
{
  t->between = between;
  for (int pair = 0; pair < t->n_pair; ++pair)
    for (int i = 0; i < t->steps->n; ++i) {
      const int at = pair * t->steps->n + i;
      if (!sal_between_levels_at(between, t->steps, &t->steps->at[i], pair, &t->shift[at],
                                 &t->spread[at]))
        t->spread[at] = NAN;
    }
}

/* The configuration of a pair at a level. */
static int config_of(const sal_surrogate_totals *t, int pair, int level)
{
  return t->steps->level[level] * t->n_pair + pair;
}

static double between(double share, double a, double b)
{
  return share == 0 ? a : (1 - share) * a + share * b;
}

/* ln error but for its shift, its scatter's logarithm, the work's logarithm and the share are linear between levels. */
static void place_pair(sal_surrogate_totals *t, int pair)
{
  const sal_surrogate_steps *l = t->steps;
  const sal_local_forecast *f = t->at;

  for (int i = 0; i < l->n; ++i) {
    const sal_surrogate_step *s = &l->at[i];
    const int at = config_of(t, pair, s->level), to = pair * l->n + i;
    const int next = s->share > 0 ? config_of(t, pair, s->level + 1) : at;
    t->ln_error[to] = t->work[to] = NAN;
    if (!f->fits[at] || !f->fits[next] || isnan(t->spread[to])) continue;
    t->ln_error[to] = between(s->share, f->ln_error[at], f->ln_error[next]) + t->shift[to];
    t->work[to] = sal_scalar_exp(between(s->share, f->ln_expected[at], f->ln_expected[next]));
    t->scatter[to] = s->share == 0
                         ? f->scatter[at]
                         : sal_scalar_exp(between(s->share, sal_scalar_log(f->scatter[at]),
                                                  sal_scalar_log(f->scatter[next])));
    t->share[to] = between(s->share, f->share[at], f->share[next]);
  }
}

void sal_surrogate_totals_place(sal_surrogate_totals *t, const sal_local_forecast *forecast,
                                const bool method[], const bool strategy[])
{
  t->at = forecast;
  t->fallback = 0;
  for (int pair = 0; pair < t->n_pair; ++pair) {
    const sal_config c = sal_config_decode(t->sweep, pair);
    t->allowed[pair] = (!method || method[c.method]) && (!strategy || strategy[c.strategy]);
    if (!t->allowed[pair]) continue;
    place_pair(t, pair);
    for (int i = 0; i < t->steps->n_level; ++i) {
      const int at = config_of(t, pair, i);
      if (forecast->fits[at])
        t->fallback = fmax(t->fallback, sal_scalar_exp(forecast->ln_work[at]));
    }
  }
}

void sal_surrogate_totals_error(sal_surrogate_totals *t, const sal_error_shape *shape,
                                double ln_error, double width)
{
  for (int pair = 0; pair < t->n_pair; ++pair)
    for (int i = 0; i < t->steps->n && t->allowed[pair]; ++i) {
      const int at = pair * t->steps->n + i;
      const double above = ln_error - t->ln_error[at], scatter = width * t->scatter[at];
      t->probability[at] =
          isnan(above)
              ? NAN
              : t->share[at] * (t->spread[at] > 0
                                    ? sal_between_levels_below(t->between, shape, above, scatter,
                                                               width * t->spread[at])
                                    : sal_error_shape_below(shape, above / scatter));
    }
}

/* How much of the misses of two attempts that follow each other has one reason. */
static double shared_by(const sal_surrogate_step *a, const sal_surrogate_step *b)
{
  return a->share > 0 && b->share > 0 && a->level == b->level ? 1 : shared;
}

/* Expected total work of a step, or something above `most` where it is more than that. */
static double total_of(const sal_surrogate_totals *t, int pair, int step, double most)
{
  const double *work = &t->work[(int64_t)pair * t->steps->n],
               *p = &t->probability[(int64_t)pair * t->steps->n];
  double sum = work[step], missed = 1 - p[step];

  for (int k = t->steps->at[step].next; missed > 0 && sum <= most; k = t->steps->at[k].next) {
    if (k < 0 || isnan(work[k])) return sum + missed * t->fallback;
    const double misses = 1 - p[k], one = shared_by(&t->steps->at[step], &t->steps->at[k]);
    sum += missed * work[k];
    missed = one * fmin(missed, misses) + (1 - one) * missed * misses;
    step = k;
  }
  return sum;
}

/* From the tightest on: its attempts are few, and what they take bounds the others'. */
/* The candidate of a pair with the least expected total work; among equals the looser tolerance. */
static sal_surrogate_pick least_of_pair(const sal_surrogate_totals *t, int pair)
{
  const double *work = &t->work[(int64_t)pair * t->steps->n];
  sal_surrogate_pick best = {pair, -1, INFINITY};

  for (int i = t->steps->n_candidate - 1; i >= 0 && t->allowed[pair]; --i) {
    if (isnan(work[i]) || work[i] > best.total) continue;
    const double total = total_of(t, pair, i, best.total);
    if (total <= best.total) best = (sal_surrogate_pick){pair, i, total};
  }
  return best;
}

sal_surrogate_pick sal_surrogate_totals_sure(const sal_surrogate_totals *t, int pair,
                                             double probability)
{
  const double *work = &t->work[(int64_t)pair * t->steps->n],
               *p = &t->probability[(int64_t)pair * t->steps->n];
  sal_surrogate_pick best = {pair, -1, NAN};

  for (int i = 0; i < t->steps->n_candidate && t->allowed[pair]; ++i)
    if (p[i] >= probability && (best.step < 0 || work[i] < work[best.step])) best.step = i;
  return best;
}

sal_surrogate_pick sal_surrogate_totals_best(const sal_surrogate_totals *t)
{
  sal_surrogate_pick best = {-1, -1, INFINITY};

  for (int pair = 0; pair < t->n_pair; ++pair) {
    const sal_surrogate_pick own = least_of_pair(t, pair);
    if (own.step >= 0 && own.total < best.total) best = own;
  }
  return best;
}

static double work_of(const sal_surrogate_totals *t, sal_surrogate_pick pick)
{
  return pick.step < 0 ? INFINITY : t->work[pick.pair * t->steps->n + pick.step];
}

sal_surrogate_pick sal_surrogate_totals_surest(const sal_surrogate_totals *t, double probability)
{
  sal_surrogate_pick best = {-1, -1, NAN};

  for (int pair = 0; pair < t->n_pair; ++pair) {
    const sal_surrogate_pick own = sal_surrogate_totals_sure(t, pair, probability);
    if (work_of(t, own) < work_of(t, best)) best = own;
  }
  return best;
}

/* Sums of weights differ by rounding where probabilities are the same. */
static const double same_probability = 1e-12, half = 0.5, clearly_half = 0.51;

sal_surrogate_pick sal_surrogate_totals_likely(const sal_surrogate_totals *t)
{
  sal_surrogate_pick best = {-1, -1, NAN};
  double most = -1;

  for (int pair = 0; pair < t->n_pair; ++pair)
    for (int i = 0; i < t->steps->n_candidate && t->allowed[pair]; ++i) {
      const double p = t->probability[pair * t->steps->n + i];
      const sal_surrogate_pick this = {pair, i, NAN};
      const bool same = fabs(p - most) <= same_probability;
      if (same ? !(work_of(t, this) < work_of(t, best)) : !(p > most)) continue;
      best = this;
      if (p > most) most = p;
    }
  return best;
}

/* Is one clearly above a half, so that the likeliest is? */
static bool any_likely(const sal_surrogate_totals *t)
{
  for (int pair = 0; pair < t->n_pair; ++pair)
    for (int i = t->steps->n_candidate - 1; i >= 0 && t->allowed[pair]; --i)
      if (t->probability[pair * t->steps->n + i] > clearly_half) return true;
  return false;
}

bool sal_surrogate_totals_unanswered(const sal_surrogate_totals *t)
{
  if (any_likely(t)) return false;
  const sal_surrogate_pick likely = sal_surrogate_totals_likely(t);

  return likely.step < 0 || t->probability[likely.pair * t->steps->n + likely.step] < half;
}

void sal_surrogate_totals_levels(const sal_surrogate_totals *t, double total[],
                                 double probability[])
{
  for (int k = 0; k < t->steps->n_level * t->n_pair; ++k) total[k] = probability[k] = NAN;
  for (int pair = 0; pair < t->n_pair; ++pair)
    for (int i = 0; i < t->steps->n_candidate && t->allowed[pair]; ++i) {
      const int at = pair * t->steps->n + i;
      if (t->steps->at[i].share > 0 || isnan(t->work[at])) continue;
      const int k = config_of(t, pair, t->steps->at[i].level);
      total[k] = total_of(t, pair, i, INFINITY);
      probability[k] = t->probability[at];
    }
}

sal_surrogate_choice sal_surrogate_totals_choice(const sal_surrogate_totals *t,
                                                 sal_surrogate_pick pick)
{
  if (pick.step < 0)
    return (sal_surrogate_choice){
        .pair = -1, .tolerance = NAN, .probability = NAN, .error = NAN, .work = NAN, .total = NAN};
  const int at = pick.pair * t->steps->n + pick.step;
  return (sal_surrogate_choice){.pair = pick.pair,
                                .tolerance = t->steps->at[pick.step].tolerance,
                                .probability = t->probability[at],
                                .error = sal_scalar_exp(t->ln_error[at]),
                                .work = t->work[at],
                                .total = total_of(t, pick.pair, pick.step, INFINITY)};
}
