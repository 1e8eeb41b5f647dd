/** The metrics that are cut, and where. */
#include "cube_chunk.h"
#include "block_sums.h"
#include "config.h"
#include "variable.h"

enum {
  CHUNK = 32 << 10,    /* bytes of the counts of a chunk */
  LEAST = 4 << 10,     /* of a chunk */
  ONE_PIECE = 1 << 20, /* of a dataset that is not cut */
  MOST = 1 << 19       /* chunks of a dataset */
};

static int64_t chunk_of(const sal_sweep *s)
{
  const int64_t row = (int64_t)sizeof(double) * sal_config_count(s);
  const int64_t few = CHUNK / row > 1 ? CHUNK / row : 1, most = (s->n_cell + MOST - 1) / MOST;

  return few > most ? few : most;
}

int sal_cube_chunk_dims(int i) { return i < SAL_N_METRIC ? 4 : 1; }

int64_t sal_cube_chunk_row(const sal_sweep *s, int i)
{
  const int64_t records = i < SAL_N_METRIC ? sal_config_count(s) : 1;

  return records * (int64_t)sal_datatype_size(sal_datatype_of(sal_block_metric(i)->kind));
}

bool sal_cube_chunk_is_cut(const sal_sweep *s, int i)
{
  const int64_t row = sal_cube_chunk_row(s, i);

  return sal_sweep_asks(s, sal_block_metric(i)->group) && s->n_cell * row > ONE_PIECE &&
         chunk_of(s) * row >= LEAST;
}

int64_t sal_cube_chunk(const sal_sweep *s)
{
  for (int i = 0; i < SAL_BLOCK_METRICS; ++i)
    if (sal_cube_chunk_is_cut(s, i)) return chunk_of(s);
  return 1;
}
