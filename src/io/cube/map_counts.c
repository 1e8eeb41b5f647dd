/** @file src/io/cube/map_counts.c
 *  How many cells of a cube its map answers.  Maps of older programs do not say by which error they
 *  are, and not always why a cell has no winner: there it follows from the errors of the references.
 */
#include "dataset.h"
#include "h5.h"
#include "map_frame.h"
#include "memory.h"
#include "metric.h"

/* What is counted, question by question; `reference` and `outcome` are there where the map does not
 * say why a cell has no winner. */
typedef struct {
  int n_error;
  double error[SAL_MAX_QUESTION];
  sal_map_count *count;
  double *reference; /* [n_cell] its error in the scored state */
  double *outcome;   /* [n_cell] of the reference */
} counting;

/* n_error 0: the file has no map by error. */
static sal_err count_map_errors(const sal_h5 *file, int *n_error)
{
  SAL_DATASET(set);
  bool there;

  *n_error = 0;
  SAL_TRY(sal_h5_has(file, "map", &there));
  if (there) SAL_TRY(sal_h5_has(file, "map/by_error_best", &there));
  if (!there) return SAL_OK;
  SAL_TRY(sal_dataset_open(file, "map/error", &set));
  if (set.n > SAL_MAX_QUESTION)
    return sal_fail(SAL_ERR_INPUT, "%s: the map answers %lld errors; allowed: up to %d", file->path,
                    (long long)set.n, SAL_MAX_QUESTION);
  *n_error = (int)set.n;
  return SAL_OK;
}

/* The error that the map was made by; `said`: it says so itself. */
static sal_err read_error_metric(const sal_h5 *file, const sal_error_metric **by, bool *said)
{
  SAL_OWN char *name = NULL;

  *by = sal_error_metrics;
  SAL_HID group = H5Gopen2(file->id, "map", H5P_DEFAULT);
  SAL_TRY_H5(file, group);
  *said = H5Aexists(group, SAL_MAP_ERROR_METRIC) > 0;
  if (!*said) return SAL_OK;
  SAL_TRY(sal_h5_text_get(file, group, SAL_MAP_ERROR_METRIC, &name));
  *by = sal_error_metric_named(name);
  if (*by) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: the map is by '%s', which is unknown", file->path, name);
}

static sal_err read_references(const sal_h5 *file, int64_t n_cell, counting *m)
{
  const char *reference = sal_metrics_of_cell[SAL_CELL_REFERENCE_ERROR_WATCHED].name,
             *outcome = sal_metrics_of_cell[SAL_CELL_REFERENCE_OUTCOME].name;
  bool there;

  SAL_TRY(sal_h5_has(file, reference, &there));
  if (!there) reference = sal_metrics_of_cell[SAL_CELL_REFERENCE_ERROR].name; /* of an older cube */
  SAL_TRY_ROOM(file, m->reference, n_cell);
  SAL_TRY_ROOM(file, m->outcome, n_cell);
  SAL_TRY(sal_dataset_read_column(file, reference, n_cell, 1, m->reference));
  return sal_dataset_read_column(file, outcome, n_cell, 1, m->outcome);
}

static void count_best(void *with, int64_t first, int64_t n, const double value[])
{
  const counting *m = with;

  for (int64_t i = 0; i < n; ++i) m->count[(first + i) % m->n_error].answered += value[i] > 0;
}

static void count_reasons(void *with, int64_t first, int64_t n, const double value[])
{
  const counting *m = with;

  for (int64_t i = 0; i < n; ++i)
    m->count[(first + i) % m->n_error].no_reference += value[i] == SAL_REASON_NO_REFERENCE;
}

/* A reference that is worse than an error cannot tell whether a contender reaches it. */
static void count_references(const counting *m, int64_t n_cell)
{
  for (int64_t c = 0; c < n_cell; ++c)
    for (int e = 0; e < m->n_error; ++e)
      m->count[e].no_reference +=
          !(sal_metric_finished(m->outcome[c]) && m->reference[c] <= m->error[e]);
}

static sal_err count_map(const sal_h5 *file, int64_t n_cell, bool said, counting *m)
{
  const int64_t n = n_cell * m->n_error;

  SAL_TRY(sal_dataset_read_column(file, "map/error", m->n_error, 1, m->error));
  for (int e = 0; e < m->n_error; ++e) m->count[e] = (sal_map_count){.error = m->error[e]};
  SAL_TRY(sal_dataset_walk(file, "map/by_error_best", n, count_best, m));
  if (said) {
    SAL_TRY(sal_dataset_walk(file, "map/by_error_reason", n, count_reasons, m));
  } else {
    SAL_TRY(read_references(file, n_cell, m));
    count_references(m, n_cell);
  }
  for (int e = 0; e < m->n_error; ++e)
    m->count[e].no_contender = n_cell - m->count[e].answered - m->count[e].no_reference;
  return SAL_OK;
}

sal_err sal_map_counts_read(const sal_h5 *file, int64_t n_cell, int *n, const sal_error_metric **by,
                            sal_map_count count[SAL_MAX_QUESTION])
{
  counting m = {.count = count};
  bool said;

  *n = 0;
  SAL_TRY(count_map_errors(file, &m.n_error));
  if (m.n_error == 0) return SAL_OK;
  SAL_TRY(read_error_metric(file, by, &said));
  const sal_err err = count_map(file, n_cell, said, &m);
  if (err == SAL_OK) *n = m.n_error;
  sal_free(m.reference);
  sal_free(m.outcome);
  return err;
}
