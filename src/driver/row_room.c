/** Memory for rows of a map. */
#include "base.h"
#include "environment.h"
#include "map_rows.h"

/* Memory for rows of a map that are read, in boxes [B]. */
static const double near_bytes = 3.2e7;

double sal_row_store_memory(void) { return sal_environment_number(SAL_ENVIRONMENT_ROWS_MEMORY); }

double sal_row_store_bytes(int64_t n_cell, int n_rank, int n_config, bool points)
{
  return ceil((double)n_cell / n_rank) *
         (double)(SAL_MAP_ROW_PLACE + sal_row_pack_most(n_config, points));
}

sal_err sal_row_store_check(int64_t n_cell, int n_rank, int n_config, bool points)
{
  const double bytes = sal_row_store_bytes(n_cell, n_rank, n_config, points);
  const double most = sal_row_store_memory(), each = sal_row_store_bytes(1, 1, n_config, points);
  char enough[128] = "";

  if (bytes <= most) return SAL_OK;
  if (most >= each)
    snprintf(enough, sizeof enough, "; %.0f ranks suffice: mpirun -n N saltus map CUBE",
             ceil((double)n_cell / floor(most / each)));
  return sal_fail(SAL_ERR_INPUT,
                  "the rows of the map take %.3g MB in each of %d rank%s; allowed: %.3g MB "
                  "(SALTUS_ROWS_MEMORY)%s",
                  bytes / 1e6, n_rank, sal_text_plural(n_rank), most / 1e6, enough);
}

int sal_row_store_coordinates(const sal_sweep *s)
{
  int n = 0;

  if (s->scattered.point.n_point > 0) return 0;
  for (int a = 0; a < s->n_axis; ++a) {
    const sal_axis *axis = &s->axis[a];
    if (axis->n_point == 1) continue;
    if (sal_axis_joint(axis) && !sal_axis_is_smooth_sequence(axis)) return 0;
    n += axis->n_column;
  }
  return n;
}

/* Where cells follow each other by boxes those around a place are needed but for a while. */
double sal_row_store_read(const sal_sweep *s)
{
  return sal_row_store_coordinates(s) > 0 ? near_bytes : sal_surrogate_rows_memory;
}
