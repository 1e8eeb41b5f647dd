/** The metrics that are cut, and where. */
#include "cube_chunk.h"
#include "tile_rows.h"
#include "variable.h"

enum {
  CHUNK = 32 << 10,    /* bytes of the counts of a chunk */
  LEAST = 4 << 10,     /* of a chunk */
  ONE_PIECE = 1 << 20, /* of a dataset that is not cut */
  MOST = 1 << 19       /* chunks of a dataset */
};

static int64_t chunk_of(const sal_sweep *s)
{
  const int64_t row = sal_cube_chunk_longest_row(s);
  const int64_t few = CHUNK / row > 1 ? CHUNK / row : 1, most = (s->n_cell + MOST - 1) / MOST;

  return few > most ? few : most;
}

int sal_cube_chunk_shape(const sal_sweep *s, int i, int64_t dim[SAL_CUBE_CHUNK_DIMS])
{
  const sal_long_run *o = &s->orbit;
  const sal_metric_group group = sal_metric_at(i)->group;
  const bool record = i < SAL_N_METRIC, section = group == SAL_GROUP_SECTION;

  dim[0] = sal_cube_chunk(s);
  dim[1] = record                        ? s->n_tolerance
           : section                     ? o->n_state
           : group == SAL_GROUP_MEASURES ? (s->measured ? s->measured->n_column : 0)
                                         : o->n_exponent;
  dim[2] = record ? s->n_strategy : o->kept;
  dim[3] = s->n_method;
  return record ? 4 : i < SAL_METRICS_BEFORE_ROWS ? 1 : section ? 3 : 2;
}

int64_t sal_cube_chunk_row(const sal_sweep *s, int i)
{
  return sal_tile_rows_values(s, i) *
         (int64_t)sal_datatype_size(sal_datatype_of(sal_metric_at(i)->kind));
}

int64_t sal_cube_chunk_longest_row(const sal_sweep *s)
{
  int64_t longest = 0;

  for (int i = 0; i < SAL_METRICS_ALL; ++i)
    if (sal_sweep_keeps(s, i) && sal_cube_chunk_row(s, i) > longest)
      longest = sal_cube_chunk_row(s, i);
  return longest;
}

void sal_cube_chunk_pack(const sal_sweep *s, int i, const sal_tile_result *r, char packed[])
{
  const sal_datatype type = sal_datatype_of(sal_metric_at(i)->kind);
  const int64_t each = sal_tile_rows_values(s, i), row = sal_cube_chunk_row(s, i);
  const int m = i - SAL_N_METRIC;

  if (m < 0)
    sal_datatype_pack(type, r->count * each, &r->record[0].value[i], SAL_N_METRIC, packed);
  else if (i < SAL_METRICS_BEFORE_ROWS)
    sal_datatype_pack(type, r->count, &r->cell[0].value[m], SAL_N_CELL_METRIC, packed);
  else
    for (int64_t c = 0; c < r->count; ++c)
      sal_datatype_pack(type, each, r->row + c * r->n_row + sal_tile_rows_at(s, i), 1,
                        packed + c * row);
}

bool sal_cube_chunk_is_cut(const sal_sweep *s, int i)
{
  const int64_t row = sal_cube_chunk_row(s, i);

  return sal_sweep_keeps(s, i) && s->n_cell * row > ONE_PIECE && chunk_of(s) * row >= LEAST;
}

int64_t sal_cube_chunk(const sal_sweep *s)
{
  for (int i = 0; i < SAL_METRICS_ALL; ++i)
    if (sal_cube_chunk_is_cut(s, i)) return chunk_of(s);
  return 1;
}
