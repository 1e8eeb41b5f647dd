/** From pilots to the configurations that other cells need. */
#include "pilots.h"
#include "base.h"
#include "config.h"
#include "scalar_math.h"
#include "work.h"

enum { WORD = 64 };

struct sal_pilots {
  const sal_sweep *sweep;
  int64_t n;
  int words;        /* of a pilot */
  double *place;    /* [n][n_column] in the unit box */
  uint64_t *useful; /* [n][words] */
};

int64_t sal_pilots_whole(const sal_sweep *sweep)
{
  const sal_pilot_setup *s = &sweep->pilots;
  const int64_t whole = s->cells > 0 ? s->cells + s->validation : 0;

  return whole < sweep->n_cell ? whole : sweep->n_cell;
}

/* The place of a cell in the unit box, [n_column]. */
static void find_place(const sal_sweep *sweep, int64_t cell, double place[])
{
  const sal_axis *axis = &sweep->axis[0];

  for (int c = 0; c < axis->n_column; ++c) {
    const double x = sal_axis_value(axis, cell, c), lo = axis->lo[c], hi = axis->hi[c];
    const double range = axis->log[c] ? sal_scalar_log(hi / lo) : hi - lo;
    const double from = axis->log[c] ? sal_scalar_log(x / lo) : x - lo;
    place[c] = range > 0 ? from / range : 0;
  }
}

sal_err sal_pilots_create(const sal_sweep *sweep, sal_pilots **out)
{
  const int columns = sweep->axis[0].n_column;
  sal_pilots *s = *out = sal_alloc(1, sizeof *s);

  if (!s) return sal_fail(SAL_ERR_MEMORY, "no memory for pilots");
  *s = (sal_pilots){.sweep = sweep,
                    .n = sweep->pilots.cells,
                    .words = (sal_config_count(sweep) + WORD - 1) / WORD};
  s->place = sal_alloc((size_t)(s->n * columns), sizeof *s->place);
  s->useful = sal_alloc((size_t)(s->n * s->words), sizeof *s->useful);
  if (!s->place || !s->useful) {
    sal_pilots_free(out);
    return sal_fail(SAL_ERR_MEMORY, "no memory for pilots");
  }
  memset(s->useful, 0, (size_t)(s->n * s->words) * sizeof *s->useful);
  for (int64_t i = 0; i < s->n; ++i) find_place(sweep, i, s->place + i * columns);
  return SAL_OK;
}

void sal_pilots_free(sal_pilots **pilots)
{
  if (!*pilots) return;
  sal_free_all((*pilots)->place, (*pilots)->useful, *pilots);
  *pilots = NULL;
}

uint64_t *sal_pilots_known(sal_pilots *s, int64_t *n)
{
  *n = s->n * s->words;
  return s->useful;
}

/* Works of a cell's configurations, and the errors that they are asked for. */
typedef struct {
  const sal_sweep *sweep;
  const sal_record *record;
  double truth;
  sal_work_weights weights;
} answers;

static answers answers_of(const sal_sweep *sweep, const sal_cell_record *cell,
                          const sal_record record[])
{
  return (answers){.sweep = sweep,
                   .record = record,
                   .truth =
                       sal_error_metric_truth(sal_error_metrics, &sweep->orbit, sweep->t_end, cell),
                   .weights = sal_work_presets(sweep)};
}

/* Work of a configuration whose error is as asked; infinite: it is not. */
static double work_for(const answers *a, int config, double asked)
{
  const sal_record *r = &a->record[config];

  if (!sal_metric_finished(r->value[SAL_METRIC_OUTCOME]) ||
      !(r->value[sal_error_metrics->error] + a->truth <= asked))
    return INFINITY;
  return sal_work_of(&a->weights, sal_error_metrics, r);
}

/* Least work for an error, of all configurations or the useful ones; infinite: no configuration reaches it. */
static double least_work(const answers *a, double asked, const bool useful[])
{
  double least = INFINITY;

  for (int k = 0; k < sal_config_count(a->sweep); ++k)
    if (!useful || useful[k]) least = fmin(least, work_for(a, k, asked));
  return least;
}

/* The errors that are asked for, half a decade apart: error [SAL_MAX_STAIR]; returns how many. */
static int list_errors(const sal_sweep *sweep, double error[])
{
  const double half_decade = 3.1622776601683795, loosest = 1.001 * sweep->cutoff.loosest;
  double asked = sweep->cutoff.error;
  int n = 0;

  for (; n < SAL_MAX_STAIR && !(loosest > 0 && asked > loosest); asked *= half_decade)
    error[n++] = asked;
  return n;
}

/* Its pair at so many tolerances on either side, too. */
static void mark_around(sal_pilots *s, uint64_t word[], int config)
{
  const sal_sweep *sweep = s->sweep;
  const int rank = sal_cutoff_looser_count(sweep, config), pairs = sal_config_pairs(sweep);

  for (int k = config % pairs; k < sal_config_count(sweep); k += pairs) {
    const int away = sal_cutoff_looser_count(sweep, k) - rank;
    if (away <= sweep->pilots.tolerances && -away <= sweep->pilots.tolerances)
      word[k / WORD] |= UINT64_C(1) << k % WORD;
  }
}

void sal_pilots_add(sal_pilots *s, int64_t pilot, const sal_cell_record *cell,
                    const sal_record record[])
{
  const answers a = answers_of(s->sweep, cell, record);
  double error[SAL_MAX_STAIR];
  const int n = list_errors(s->sweep, error);

  for (int i = 0; i < n; ++i) {
    const double most = s->sweep->pilots.within * least_work(&a, error[i], NULL);
    for (int k = 0; k < sal_config_count(s->sweep) && isfinite(most); ++k)
      if (work_for(&a, k, error[i]) <= most) mark_around(s, s->useful + pilot * s->words, k);
  }
}

/* The nearest pilots of a cell, near [most]; returns how many.  At equal distances the first one is nearer. */
static int find_nearest(const sal_pilots *s, int64_t cell, int most, int64_t near[])
{
  const int columns = s->sweep->axis[0].n_column;
  double place[SAL_MAX_COLUMN], distance[SAL_MAX_NEAREST];
  int n = 0;

  assert(most >= 1 && most <= SAL_MAX_NEAREST);
  find_place(s->sweep, cell, place);
  for (int64_t i = 0; i < s->n; ++i) {
    double d = 0;
    for (int c = 0; c < columns; ++c) {
      const double by = s->place[i * columns + c] - place[c];
      d += by * by;
    }
    if (n > 0 && n == most && d >= distance[n - 1]) continue;
    int at = n < most ? n++ : n - 1;
    for (; at > 0 && distance[at - 1] > d; --at) {
      distance[at] = distance[at - 1];
      near[at] = near[at - 1];
    }
    distance[at] = d;
    near[at] = i;
  }
  return n;
}

void sal_pilots_useful(const sal_pilots *s, int64_t cell, bool useful[])
{
  const int configs = sal_config_count(s->sweep);
  int64_t near[SAL_MAX_NEAREST];
  const int n = find_nearest(s, cell, s->sweep->pilots.nearest, near);
  bool any = false;

  for (int k = 0; k < configs; ++k) {
    uint64_t word = 0;
    for (int i = 0; i < n; ++i) word |= s->useful[near[i] * s->words + k / WORD];
    useful[k] = word >> k % WORD & 1;
    any = any || useful[k];
  }
  for (int k = 0; k < configs && !any; ++k) useful[k] = true;
}

static sal_err add_ratio(sal_pilots_validation *validation, double ratio)
{
  const int64_t n = validation->lost - validation->unanswered;

  if (n == validation->room) {
    const int64_t room = n > 0 ? 2 * n : 64;
    double *more = sal_alloc((size_t)room, sizeof *more);
    if (!more) return sal_fail(SAL_ERR_MEMORY, "no memory for a validation");
    for (int64_t i = 0; i < n; ++i) more[i] = validation->ratio[i];
    sal_free(validation->ratio);
    validation->ratio = more;
    validation->room = room;
  }
  int64_t at = n;
  for (; at > 0 && validation->ratio[at - 1] > ratio; --at)
    validation->ratio[at] = validation->ratio[at - 1];
  validation->ratio[at] = ratio;
  return SAL_OK;
}

static sal_err ask(const answers *a, double error, const bool useful[],
                   sal_pilots_validation *validation)
{
  const double best = least_work(a, error, NULL), left = least_work(a, error, useful);

  if (isinf(best)) return SAL_OK;
  ++validation->questions;
  if (left <= best) return SAL_OK;
  if (isfinite(left)) SAL_TRY(add_ratio(validation, left / best));
  validation->unanswered += isinf(left);
  ++validation->lost;
  return SAL_OK;
}

sal_err sal_pilots_validation_add(const sal_pilots *s, int64_t cell, const sal_cell_record *figures,
                                  const sal_record record[], sal_pilots_validation *validation)
{
  const answers a = answers_of(s->sweep, figures, record);
  SAL_OWN bool *useful = sal_alloc((size_t)sal_config_count(s->sweep), sizeof *useful);
  double error[SAL_MAX_STAIR];
  const int n = list_errors(s->sweep, error);

  if (!useful) return sal_fail(SAL_ERR_MEMORY, "no memory for a validation");
  sal_pilots_useful(s, cell, useful);
  ++validation->cells;
  for (int i = 0; i < n; ++i) SAL_TRY(ask(&a, error[i], useful, validation));
  return SAL_OK;
}

void sal_pilots_validation_free(sal_pilots_validation *validation)
{
  sal_free(validation->ratio);
  *validation = (sal_pilots_validation){0};
}
