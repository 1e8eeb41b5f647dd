/** @file src/io/cube/map_counts.c
 *  How many cells of a cube its map answers.  Maps of older programs do not say by which error they
 *  are, and not always why a cell has no winner: there it follows from the errors of the references.
 */
#include "map_counts.h"
#include "dataset.h"
#include "h5_text.h"
#include "memory.h"
#include "metric.h"

/* Columns that tell why cells of a map have no winner. */
typedef struct {
  int     n_error;
  double  error[SAL_MAX_QUESTION];
  double *best;      /* [n_cell][n_error], 0: none */
  double *reason;    /* [n_cell][n_error]; NULL: not said, and the two below tell */
  double *reference; /* [n_cell] its error in the scored state */
  double *outcome;   /* [n_cell] of the reference */
} map_columns;

/* n_error 0: the file has no map by error. */
static sal_err count_map_errors(const sal_h5 *file, int *n_error)
{
  sal_dataset set;
  bool        there;

  *n_error = 0;
  SAL_TRY(sal_h5_has(file, "map", &there));
  if (there) SAL_TRY(sal_h5_has(file, "map/by_error_best", &there));
  if (!there) return SAL_OK;
  SAL_TRY(sal_dataset_open(file, "map/error", &set));
  const int64_t n = set.n;
  sal_dataset_close(&set);
  if (n > SAL_MAX_QUESTION)
    return sal_fail(SAL_ERR_INPUT, "%s: the map answers %lld errors; allowed: up to %d", file->path,
                    (long long)n, SAL_MAX_QUESTION);
  *n_error = (int)n;
  return SAL_OK;
}

/* The error that the map was made by; `said`: it says so itself. */
static sal_err read_error_metric(const sal_h5 *file, const sal_error_metric **by, bool *said)
{
  char *name;

  *by           = sal_error_metrics;
  SAL_HID group = H5Gopen2(file->id, "map", H5P_DEFAULT);
  SAL_TRY_H5(file, group);
  *said = H5Aexists(group, SAL_MAP_ERROR_METRIC) > 0;
  if (!*said) return SAL_OK;
  SAL_TRY(sal_h5_text_get(file, group, SAL_MAP_ERROR_METRIC, &name));
  *by = sal_error_metric_named(name);
  const sal_err err =
      *by ? SAL_OK
          : sal_fail(SAL_ERR_INPUT, "%s: the map is by '%s', which is unknown", file->path, name);
  sal_free(name);
  return err;
}

static sal_err read_references(const sal_h5 *file, int64_t n_cell, map_columns *m)
{
  const char *reference = sal_metrics_of_cell[SAL_CELL_REFERENCE_ERROR_WATCHED].name,
             *outcome   = sal_metrics_of_cell[SAL_CELL_REFERENCE_OUTCOME].name;
  bool there;

  SAL_TRY(sal_h5_has(file, reference, &there));
  if (!there) reference = sal_metrics_of_cell[SAL_CELL_REFERENCE_ERROR].name; /* of an older cube */
  SAL_TRY_ROOM(file, m->reference, n_cell);
  SAL_TRY_ROOM(file, m->outcome, n_cell);
  SAL_TRY(sal_dataset_read_column(file, reference, n_cell, 1, m->reference));
  return sal_dataset_read_column(file, outcome, n_cell, 1, m->outcome);
}

static sal_err read_map_columns(const sal_h5 *file, int64_t n_cell, bool said, map_columns *m)
{
  const int64_t n = n_cell * m->n_error;

  SAL_TRY_ROOM(file, m->best, n);
  SAL_TRY(sal_dataset_read_column(file, "map/error", m->n_error, 1, m->error));
  SAL_TRY(sal_dataset_read_column(file, "map/by_error_best", n, 1, m->best));
  if (!said) return read_references(file, n_cell, m);
  SAL_TRY_ROOM(file, m->reason, n);
  return sal_dataset_read_column(file, "map/by_error_reason", n, 1, m->reason);
}

static bool has_no_reference(const map_columns *m, int e, int64_t cell)
{
  if (m->reason) return m->reason[cell * m->n_error + e] == SAL_REASON_NO_REFERENCE;
  return !(sal_metric_finished(m->outcome[cell]) && m->reference[cell] <= m->error[e]);
}

/* A reference that is worse than an error cannot tell whether a contender reaches it. */
static sal_map_count count_cells(const map_columns *m, int e, int64_t n_cell)
{
  sal_map_count n = {.error = m->error[e]};

  for (int64_t c = 0; c < n_cell; ++c) {
    n.answered += m->best[c * m->n_error + e] > 0;
    n.no_reference += has_no_reference(m, e, c);
  }
  n.no_contender = n_cell - n.answered - n.no_reference;
  return n;
}

sal_err sal_map_counts_read(const sal_h5 *file, int64_t n_cell, int *n, const sal_error_metric **by,
                            sal_map_count count[SAL_MAX_QUESTION])
{
  map_columns m = {0};
  bool        said;

  *n = 0;
  SAL_TRY(count_map_errors(file, &m.n_error));
  if (m.n_error == 0) return SAL_OK;
  SAL_TRY(read_error_metric(file, by, &said));
  const sal_err err = read_map_columns(file, n_cell, said, &m);
  for (int e = 0; e < m.n_error && err == SAL_OK; ++e) count[e] = count_cells(&m, e, n_cell);
  if (err == SAL_OK) *n = m.n_error;
  sal_free(m.best);
  sal_free(m.reason);
  sal_free(m.reference);
  sal_free(m.outcome);
  return err;
}
