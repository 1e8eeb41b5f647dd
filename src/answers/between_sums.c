/** Levels that are left out. */
#include "base.h"
#include "quantiles.h"
#include "scalar_math.h"
#include "surrogate_view.h"

/* Errors are rougher over narrower gaps: measured over half as wide ones again, the power is half of that from three levels to one, and
 * never above that of a curve whose slope jumps. */
static const double narrower = 0.5, most_power = 1, least_square = 1e-8;
/* A spread is taken together with that of all pairs, which counts as so many residuals. */
static const double prior = 16;
enum { MOST_SHAPE = 1 << 15 };

sal_err sal_between_sums_create(const sal_surrogate_steps *steps, int n_pair, int most,
                                sal_between_sums *s)
{
  const size_t n = (size_t)n_pair, levels = n * (size_t)steps->n_level;

  *s = (sal_between_sums){.steps = steps, .n_pair = n_pair, .room = most};
  s->residual = sal_alloc(levels, (size_t)most * sizeof *s->residual);
  s->noise = sal_alloc(levels, sizeof *s->noise);
  s->rise = sal_alloc(n, sizeof *s->rise);
  s->width = sal_alloc(n, sizeof *s->width);
  return s->residual && s->noise && s->rise && s->width
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "no memory for tolerances between levels");
}

void sal_between_sums_free(sal_between_sums *s)
{
  sal_free_all(s->residual, s->noise, s->rise, s->width);
  *s = (sal_between_sums){0};
}

/* ln error of a pair at level j above the line between the levels `reach` looser and tighter; NaN where there is none.
 * *noise: the variance that it has by the planes alone. */
static double off_line(const sal_between_sums *s, const sal_local_forecast *f, int pair, int j,
                       int reach, double *noise)
{
  const int level[] = {j, j - reach, j + reach};
  double weight[] = {1, 0, 0}, sum = 0;

  if (level[1] < 0 || level[2] >= s->steps->n_level) return NAN;
  weight[2] = -(s->steps->decades[j] - s->steps->decades[level[1]]) /
              (s->steps->decades[level[2]] - s->steps->decades[level[1]]);
  weight[1] = -1 - weight[2];
  *noise = 0;
  for (int i = 0; i < 3; ++i) {
    const int at = s->steps->level[level[i]] * s->n_pair + pair;
    if (!f->fits[at]) return NAN;
    sum += weight[i] * f->ln_error[at];
    *noise += weight[i] * weight[i] * f->scatter[at] * f->scatter[at] / f->effective[at];
  }
  return sum;
}

void sal_between_sums_add(sal_between_sums *s, const sal_local_forecast *f)
{
  const int n_level = s->steps->n_level;
  double noise = 0;

  for (int pair = 0; pair < s->n_pair; ++pair)
    for (int j = 0; j < n_level; ++j) {
      const int at = pair * n_level + j;
      const double one = off_line(s, f, pair, j, 1, &noise);
      s->residual[(int64_t)at * s->room + s->n] = one;
      if (isnan(one)) continue;
      s->noise[at] += noise;
      const double three = off_line(s, f, pair, j, 2, &noise);
      if (isnan(three)) continue;
      s->rise[pair] +=
          sal_scalar_log((three * three + least_square) / (one * one + least_square)) / 2;
      s->width[pair] += sal_scalar_log((s->steps->decades[j + 2] - s->steps->decades[j - 2]) /
                                       (s->steps->decades[j + 1] - s->steps->decades[j - 1]));
    }
  ++s->n;
}

/* Residuals of the levels in and next to the gaps of a part, as amid a gap of one decade. */
typedef struct {
  int64_t n;
  double *value; /* room for those of all levels */
  double noise;  /* mean variance by the planes alone */
} sample;

static void take_sample(const sal_between_sums *s, const sal_between_levels *b, int pair, int part,
                        sample *of)
{
  const int n_level = s->steps->n_level;

  of->n = 0;
  of->noise = 0;
  for (int j = 1; j + 1 < n_level; ++j) {
    bool near = false;
    for (int gap = j - 2; gap <= j + 1; ++gap)
      near = near ||
             (gap >= 0 && gap + 1 < n_level && sal_between_levels_part(b, n_level, gap) == part);
    if (!near) continue;
    const int at = pair * n_level + j;
    const double scale =
        sal_scalar_pow(s->steps->decades[j + 1] - s->steps->decades[j - 1], -b->power[pair]);
    for (int i = 0; i < s->n; ++i) {
      const double r = s->residual[(int64_t)at * s->room + i];
      if (!isnan(r)) of->value[of->n++] = scale * r;
    }
    of->noise += scale * scale * s->noise[at];
  }
  if (of->n > 0) of->noise /= (double)of->n;
}

/* Median, and mean square around it. */
static double square_of(const sample *of, double *median)
{
  double sum = 0;

  *median = of->n > 0 ? sal_quantiles_select(of->n, of->value, of->n / 2) : 0;
  for (int64_t i = 0; i < of->n; ++i) sum += (of->value[i] - *median) * (of->value[i] - *median);
  return of->n > 0 ? sum / (double)of->n : 0;
}

/* Every so many residuals, in units of their root mean square. */
static void add_to_shape(const sample *of, double median, double square, int64_t stride,
                         sample *all)
{
  if (!(square > 0)) return;
  for (int64_t i = 0; i < of->n; i += stride)
    all->value[all->n++] = (of->value[i] - median) / sqrt(square);
}

/* Spreads of pairs with few residuals come near the mean one of a part; NaN where no pair has any. */
static void share_spreads(sal_between_levels *b, const double count[])
{
  for (int part = 0; part < b->n_part; ++part) {
    double sum = 0, n = 0;
    for (int pair = 0; pair < b->n_pair; ++pair) {
      const int at = pair * b->n_part + part;
      if (count[at] > 0) sum += b->spread[at] * b->spread[at], ++n;
    }
    for (int pair = 0; pair < b->n_pair; ++pair) {
      const int at = pair * b->n_part + part;
      const double own = b->spread[at] * b->spread[at];
      b->spread[at] = sqrt((count[at] * own + prior * sum / n) / (count[at] + prior));
    }
  }
}

static void make_shape(sample *all, sal_between_levels *b)
{
  sal_quantiles_sort(all->n, all->value);
  for (int i = 0; i < SAL_BETWEEN_QUANTILES; ++i)
    b->at[i] =
        all->n > 0 ? sal_quantiles_at(all->n, all->value, (i + 0.5) / SAL_BETWEEN_QUANTILES) : 0;
}

/* How many gaps share one entry is given by the room. */
static int count_parts(int n_pair, int n_level)
{
  const int most = SAL_BETWEEN_ROOM / n_pair, n = n_level > 2 ? n_level - 1 : 0;

  return n < most ? n : most;
}

sal_err sal_between_sums_make(const sal_between_sums *s, sal_between_levels *b)
{
  const int n_level = s->steps->n_level;
  const int64_t most = (int64_t)n_level * s->n, total = 4 * most * s->n_pair;
  const int64_t stride = 1 + total / MOST_SHAPE;
  SAL_OWN double *own = sal_alloc((size_t)most + 1, sizeof *own);
  SAL_OWN double *shape =
      sal_alloc((size_t)(total / stride) + (size_t)(s->n_pair * n_level) + 1, sizeof *shape);
  SAL_OWN double *count = sal_alloc((size_t)(s->n_pair * n_level) + 1, sizeof *count);
  sample of = {.value = own}, all = {.value = shape};

  if (!own || !shape || !count)
    return sal_fail(SAL_ERR_MEMORY, "no memory for tolerances between levels");
  *b = (sal_between_levels){.n_pair = s->n_pair, .n_part = count_parts(s->n_pair, n_level)};
  for (int pair = 0; pair < s->n_pair; ++pair) {
    const double power = s->width[pair] > 0 ? narrower * s->rise[pair] / s->width[pair] : 0;
    b->power[pair] = fmin(fmax(power, 0), most_power);
    for (int part = 0; part < b->n_part; ++part) {
      const int at = pair * b->n_part + part;
      take_sample(s, b, pair, part, &of);
      const double square = square_of(&of, &b->shift[at]);
      count[at] = (double)of.n;
      b->spread[at] = sqrt(fmax(square - of.noise, 0));
      add_to_shape(&of, b->shift[at], square, stride, &all);
    }
  }
  share_spreads(b, count);
  make_shape(&all, b);
  return SAL_OK;
}
