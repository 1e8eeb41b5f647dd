/** Attempts run at the point, each beside another run: those of a schedule, or without cells all pairs. */
#include "base.h"
#include "check_run.h"

/* After the last attempt of the schedule the same solver runs at a tenth of its tolerance, as long as that halves the error. */
static bool next_attempt(const sal_advice *a, sal_surrogate_choice *next)
{
  const sal_surrogate_answer *found = a->answer;
  const int n = a->n_here, of_its_own = n - found->n_attempt;
  const sal_check *last = n > 0 ? &a->here[n - 1] : NULL;

  if (of_its_own < 0) {
    *next = found->attempts[n];
    return true;
  }
  assert(last);
  *next = sal_check_tenth(last->tried);
  const bool halved = of_its_own == 0 || last->difference <= a->here[n - 2].difference / 2;
  return halved && !isnan(last->difference) && next->tolerance > 1.5 * SAL_CHECK_TIGHTEST &&
         n < SAL_CHECK_HERE;
}

/* Where no configuration answers though references reach the error, the most probable one is tried. */
static bool begin_attempts(sal_surrogate_answer *found)
{
  if (found->best.pair >= 0) return true;
  if (found->reason != SAL_REASON_NO_CONFIG || found->likely.pair < 0) return false;
  found->attempts[0] = found->likely;
  found->n_attempt = 1;
  found->fallback = NAN;
  return true;
}

sal_err sal_check_attempts(sal_advice *a)
{
  sal_surrogate_answer *found = a->answer;
  sal_surrogate_choice next;

  a->n_here = 0;
  a->hit = -1;
  if (!a->source.by->trajectory || !begin_attempts(found)) return SAL_OK;
  while (next_attempt(a, &next)) {
    const sal_surrogate_choice beside = sal_check_tenth(next);
    sal_check *c = &a->here[a->n_here];
    SAL_TRY(sal_check_both(a, &next, &beside, a->budget, true, c));
    ++a->n_here;
    if (c->verdict == SAL_CHECK_HIT) {
      found->best = next;
      a->hit = a->n_here - 1;
    }
    if (c->verdict == SAL_CHECK_HIT || sal_check_is_halted(c)) return SAL_OK;
  }
  found->best.pair = -1;
  return SAL_OK;
}

static const double loosest = 1e-2, decade = 10;

static bool is_incompatible(const sal_sweep *s, int pair)
{
  return s->incompatible[pair / s->n_method][pair % s->n_method];
}

static bool steps_in_time(const sal_sweep *s, int pair)
{
  return sal_config_solver(s, pair)->captures;
}

/* An attempt beside the next compatible pair at a tenth: errors of other solvers are others.  Time stepping, of first order, checks
 * itself alone. */
static sal_err try_alone(sal_advice *a, int pair, double tolerance)
{
  const sal_sweep *s = &a->cube.sweep;
  sal_surrogate_choice *best = &a->answer->best;
  const sal_surrogate_choice tried = {
      .pair = pair, .tolerance = tolerance, .probability = NAN, .total = NAN};
  sal_surrogate_choice beside = sal_check_tenth(tried);
  sal_check *c = &a->here[a->n_here];

  do beside.pair = (beside.pair + 1) % sal_config_pairs(s);
  while (is_incompatible(s, beside.pair) ||
         (steps_in_time(s, beside.pair) && !steps_in_time(s, pair)));
  SAL_TRY(sal_check_both(a, &tried, &beside, best->pair < 0 ? 0 : best->work, false, c));
  ++a->n_here;
  if (c->verdict != SAL_CHECK_HIT || (best->pair >= 0 && c->work[0] >= best->work)) return SAL_OK;
  a->hit = a->n_here - 1;
  *best = tried;
  best->error = c->difference;
  best->work = c->work[0];
  return SAL_OK;
}

sal_err sal_check_alone(sal_advice *a)
{
  const sal_sweep *s = &a->cube.sweep;
  double tolerance = fmin(a->question.error, loosest);
  int left = 2; /* tolerances from the first hit on: another solver may take less at the next */
  int each = 0; /* attempts at a tolerance */

  a->hit = -1;
  for (int pair = 0; pair < sal_config_pairs(s); ++pair) each += !is_incompatible(s, pair);
  if (each > SAL_CHECK_HERE)
    return sal_fail(SAL_ERR_INPUT, "%d solvers and strategies at the point alone; allowed: %d",
                    each, SAL_CHECK_HERE);
  for (a->n_here = 0;
       tolerance > 1.5 * SAL_CHECK_TIGHTEST && left > 0 && a->n_here + each <= SAL_CHECK_HERE;
       tolerance /= decade) {
    for (int pair = 0; pair < sal_config_pairs(s); ++pair) {
      if (is_incompatible(s, pair)) continue;
      SAL_TRY(try_alone(a, pair, tolerance));
      if (sal_check_is_halted(&a->here[a->n_here - 1])) return SAL_OK;
    }
    left -= a->answer->best.pair >= 0;
  }
  return SAL_OK;
}
