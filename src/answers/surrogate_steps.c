/** Tolerances between levels. */
#include "base.h"
#include "between_levels.h"
#include "scalar_math.h"

static const double decades_of_try = 0.75, same = 1e-9;

enum { FIRST_ROOM = 256 };

static double level_tolerance(const sal_sweep *s, const sal_surrogate_steps *l, int j)
{
  return s->tolerance[l->level[j]];
}

static sal_err add_step(sal_surrogate_steps *l, sal_surrogate_step step)
{
  if (l->n == l->room) {
    const int room = l->room ? 2 * l->room : FIRST_ROOM;
    sal_surrogate_step *at = sal_alloc((size_t)room, sizeof *at);
    if (!at) return sal_fail(SAL_ERR_MEMORY, "no memory for tolerances");
    if (l->n) memcpy(at, l->at, (size_t)l->n * sizeof *at);
    sal_free(l->at);
    l->at = at;
    l->room = room;
  }
  l->at[l->n++] = step;
  return SAL_OK;
}

static void sort_levels(const sal_sweep *s, sal_surrogate_steps *l)
{
  l->n_level = l->n_all = s->n_tolerance;
  for (int i = 0; i < l->n_level; ++i) {
    int j = i;
    for (; j > 0 && s->tolerance[l->level[j - 1]] < s->tolerance[i]; --j)
      l->level[j] = l->level[j - 1];
    l->level[j] = i;
  }
  for (int i = 0; i < l->n_level; ++i) {
    l->place[i] = i;
    l->decades[i] = -sal_scalar_log10(level_tolerance(s, l, i));
  }
}

static sal_err add_candidates(const sal_sweep *s, sal_surrogate_steps *l)
{
  for (int j = 0; j + 1 < l->n_level; ++j) {
    const double from = level_tolerance(s, l, j), to = level_tolerance(s, l, j + 1);
    const int n = (int)fmax(1, round(sal_sweep_decade_parts(s) * sal_scalar_log10(from / to)));
    for (int i = 0; i < n; ++i) {
      const double share = (double)i / n;
      SAL_TRY(add_step(l, (sal_surrogate_step){from * sal_scalar_pow(to / from, share), j, share,
                                               -1, i == 0 ? l->level[j] : -1}));
    }
  }
  const int last = l->n_level - 1;
  SAL_TRY(
      add_step(l, (sal_surrogate_step){level_tolerance(s, l, last), last, 0, -1, l->level[last]}));
  l->n_candidate = l->n;
  return SAL_OK;
}

static bool is_same(double a, double b) { return fabs(a / b - 1) < same; }

/* The step of a tolerance, which is added where there is none; -1: tighter than the last level. */
static sal_err find_step(const sal_sweep *s, sal_surrogate_steps *l, double tolerance, int *out)
{
  const double last = level_tolerance(s, l, l->n_level - 1);
  int j = 0;

  *out = -1;
  if (tolerance < last && !is_same(tolerance, last)) return SAL_OK;
  for (int i = 0; i < l->n; ++i)
    if (is_same(tolerance, l->at[i].tolerance)) {
      *out = i;
      return SAL_OK;
    }
  while (level_tolerance(s, l, j + 1) > tolerance) ++j;
  const double from = level_tolerance(s, l, j), to = level_tolerance(s, l, j + 1);
  *out = l->n;
  return add_step(
      l, (sal_surrogate_step){
             tolerance, j, sal_scalar_log(from / tolerance) / sal_scalar_log(from / to), -1, -1});
}

/* Steps that this adds get their next ones, too. */
static sal_err link_tries(const sal_sweep *s, sal_surrogate_steps *l)
{
  int next;

  for (int i = 0; i < l->n; ++i) {
    SAL_TRY(find_step(s, l, l->at[i].tolerance * sal_scalar_pow(10, -decades_of_try), &next));
    l->at[i].next = next;
  }
  return SAL_OK;
}

sal_err sal_surrogate_steps_create(const sal_sweep *s, sal_surrogate_steps *l)
{
  *l = (sal_surrogate_steps){0};
  sort_levels(s, l);
  SAL_TRY(add_candidates(s, l));
  return link_tries(s, l);
}

sal_err sal_surrogate_steps_thin(const sal_sweep *s, int parity, sal_surrogate_steps *l)
{
  *l = (sal_surrogate_steps){0};
  sort_levels(s, l);
  const int first = parity < l->n_all ? parity : 0;
  l->n_level = 0;
  for (int i = first; i < l->n_all; ++i) {
    const int run = l->level[i]; /* of all: as yet only those before it have been replaced */
    const bool left_out = (i - first) % 2;
    if (left_out && i + 1 == l->n_all) break;
    double share = 0;
    if (left_out) {
      share = (l->decades[i] - l->decades[i - 1]) / (l->decades[i + 1] - l->decades[i - 1]);
    } else {
      l->place[l->n_level] = i;
      l->level[l->n_level++] = run;
    }
    SAL_TRY(add_step(l, (sal_surrogate_step){s->tolerance[run], l->n_level - 1, share, -1, run}));
  }
  l->n_candidate = l->n;
  return SAL_OK;
}

void sal_surrogate_steps_free(sal_surrogate_steps *l)
{
  sal_free(l->at);
  *l = (sal_surrogate_steps){0};
}
