/** How many cells of a cube its map answers. */
#include "dataset.h"
#include "map_frame.h"

/* State of counting, error by error. */
typedef struct {
  int n_error;
  double error[SAL_MAX_QUESTION];
  sal_map_count *count;
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

/* The error that the map was made by. */
static sal_err read_error_metric(const sal_h5 *file, const sal_error_metric **by)
{
  SAL_OWN char *name = NULL;

  SAL_HID group = H5Gopen2(file->id, "map", H5P_DEFAULT);
  SAL_TRY_H5(file, group);
  SAL_TRY(sal_h5_text_get(file, group, SAL_MAP_ERROR_METRIC, &name));
  *by = sal_error_metric_named(name);
  if (*by) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: the map is by '%s', which is unknown", file->path, name);
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
    m->count[(first + i) % m->n_error].no_reference +=
        sal_reason_lacks_reference((sal_reason)value[i]);
}

static sal_err count_map(const sal_h5 *file, int64_t n_cell, counting *m)
{
  const int64_t n = n_cell * m->n_error;

  SAL_TRY(sal_dataset_read_column(file, "map/error", m->n_error, 1, m->error));
  for (int e = 0; e < m->n_error; ++e) m->count[e] = (sal_map_count){.error = m->error[e]};
  SAL_TRY(sal_dataset_walk(file, "map/by_error_best", n, count_best, m));
  SAL_TRY(sal_dataset_walk(file, "map/by_error_reason", n, count_reasons, m));
  for (int e = 0; e < m->n_error; ++e)
    m->count[e].no_config = n_cell - m->count[e].answered - m->count[e].no_reference;
  return SAL_OK;
}

sal_err sal_map_counts_read(const sal_h5 *file, int64_t n_cell, int *n, const sal_error_metric **by,
                            sal_map_count count[SAL_MAX_QUESTION])
{
  counting m = {.count = count};

  *n = 0;
  SAL_TRY(count_map_errors(file, &m.n_error));
  if (m.n_error == 0) return SAL_OK;
  SAL_TRY(read_error_metric(file, by));
  SAL_TRY(count_map(file, n_cell, &m));
  *n = m.n_error;
  return SAL_OK;
}
