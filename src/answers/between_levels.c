/** Errors between two levels. */
#include "between_levels.h"
#include "scalar_math.h"

int sal_between_levels_part(const sal_between_levels *b, int n_level, int gap)
{
  return gap * b->n_part / (n_level - 1);
}

bool sal_between_levels_at(const sal_between_levels *b, const sal_surrogate_steps *l,
                           const sal_surrogate_step *step, int pair, double *shift, double *spread)
{
  *shift = *spread = 0;
  if (step->share == 0) return true;
  if (b->n_part == 0) return false;
  const int from = l->place[step->level], to = l->place[step->level + 1];
  const double width = l->decades[to] - l->decades[from];
  const double amid = 4 * step->share * (1 - step->share);
  const double scale = sal_scalar_pow(width * amid, b->power[pair]) / (to - from);

  for (int gap = from; gap < to; ++gap) {
    const int at = pair * b->n_part + sal_between_levels_part(b, l->n_all, gap);
    *shift += scale * b->shift[at];
    *spread += scale * b->spread[at];
  }
  return !isnan(*spread);
}

double sal_between_levels_below(const sal_between_levels *b, const sal_error_shape *shape,
                                double above, double scatter, double spread)
{
  static const double same = 1e-9;
  const int last = SAL_BETWEEN_QUANTILES - 1;
  const double most = sal_error_shape_below(shape, (above - spread * b->at[0]) / scatter);
  const double least = sal_error_shape_below(shape, (above - spread * b->at[last]) / scatter);
  double sum = most + least;

  if (most - least <= same) return least;
  for (int i = 1; i < last; ++i)
    sum += sal_error_shape_below(shape, (above - spread * b->at[i]) / scatter);
  return sum / SAL_BETWEEN_QUANTILES;
}
