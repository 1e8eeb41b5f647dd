/** Ratios of counts, and the largest of them. */
#include "why.h"

#define SAL_WHY_ROW(id, word, sentence) {word, sentence},
const struct sal_why_text sal_why_texts[SAL_N_WHY] = {SAL_WHY_CAUSES(SAL_WHY_ROW)};
#undef SAL_WHY_ROW

/* Shares that make a cause: of the growth that accuracy would ask for, of steps that are refused beyond those of the
 * best, of work that is not in f; and of steps beside those of the best. */
static const double no_growth = 0.5, many_refused = 0.25, much_algebra = 0.3, many_steps = 1.5;

static double refused_share(const sal_why_run *r) { return r->refused / r->attempts; }

static bool is_held(const sal_why_side *side)
{
  return !side->method->implicit && side->run.growth < no_growth / (side->method->order + 1);
}

static sal_why_cause cause_of_steps(const sal_why_side *best, const sal_why_side *other)
{
  const sal_method *m = other->method;

  if (refused_share(&other->run) > refused_share(&best->run) + many_refused) return SAL_WHY_REFUSED;
  return m->order < best->method->order ? SAL_WHY_ORDER : SAL_WHY_ACCURACY;
}

sal_why sal_why_of(const sal_why_side *best, const sal_why_side *other)
{
  const sal_why_run *a = &best->run, *b = &other->run;
  sal_why w = {.steps = b->attempts / a->attempts,
               .each = (b->work / b->attempts) / (a->work / a->attempts),
               .misses = (other->total / other->work) / (best->total / best->work)};

  if (w.steps > many_steps && is_held(other))
    w.cause = SAL_WHY_STABILITY;
  else if (w.misses > w.steps && w.misses > w.each)
    w.cause = SAL_WHY_MISSES;
  else if (w.steps >= w.each)
    w.cause = cause_of_steps(best, other);
  else
    w.cause = 1 - b->rhs / b->work > much_algebra ? SAL_WHY_ALGEBRA : SAL_WHY_EVALUATIONS;
  return w;
}
