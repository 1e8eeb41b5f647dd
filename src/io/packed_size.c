/** @file src/io/packed_size.c
 *  What packed records take.
 */
#include "packed_size.h"
#include "block_sums.h"
#include "contender.h"
#include "cube_chunk.h"
#include "cube_deflate.h"
#include "datatype.h"
#include "journal_pack.h"
#include "memory.h"

/* Of sweeps/atlas.yaml, as measured: bytes of records in memory for a byte in a journal, and of metrics for a byte in
 * the chunks of a cube. */
static const double journal_ratio = 8.4, chunk_ratio = 4.8;

sal_err sal_packed_size_see(sal_packed_size *size, const sal_sweep *sweep,
                            const sal_tile_result *tile)
{
  SAL_OWN_BY(sal_journal_pack_free) sal_journal_pack pack = {0};

  if (tile->count < size->cells) return SAL_OK;
  SAL_TRY(sal_journal_pack_tile(&pack, sal_contender_count(sweep), tile));
  size->cells = tile->count;
  size->journal = (double)pack.n;
  return SAL_OK;
}

double sal_packed_size_journal(const sal_packed_size *size, const sal_sweep *sweep)
{
  if (size->cells > 0) return size->journal / (double)size->cells;
  return (double)sal_tile_cell_bytes(sal_contender_count(sweep)) / journal_ratio;
}

/* The chunks of metric i of a tile; `packed` has room for its values. */
static sal_err deflate_metric(const sal_sweep *s, const sal_tile_result *r, int i, char packed[],
                              sal_cube_deflate *d)
{
  const sal_datatype kept = sal_datatype_of(sal_block_metric(i)->kind);
  const size_t size = sal_datatype_size(kept);
  const int64_t each = sal_cube_chunk_row(s, i) / (int64_t)size, chunk = sal_cube_chunk(s);

  d->n = 0;
  if (i < SAL_N_METRIC)
    sal_datatype_pack(kept, r->count * each, &r->record[0].value[i], SAL_N_METRIC, packed);
  else
    sal_datatype_pack(kept, r->count, &r->cell[0].value[i - SAL_N_METRIC], SAL_N_CELL_METRIC,
                      packed);
  for (int64_t at = 0, n; at < r->count; at += n) {
    n = each * (r->count - at < chunk ? r->count - at : chunk);
    SAL_TRY(sal_cube_deflate_add(d, s->path, n, n, size, packed + (size_t)(at * each) * size));
    n /= each;
  }
  return SAL_OK;
}

sal_err sal_packed_size_see_cube(sal_packed_size *size, const sal_sweep *s,
                                 const sal_tile_result *r)
{
  SAL_OWN_BY(sal_cube_deflate_free) sal_cube_deflate d = {0};
  SAL_OWN char *packed = NULL;

  if (r->count < size->in_cube) return SAL_OK;
  packed = sal_alloc((size_t)(r->count * sal_contender_count(s)), sizeof(double));
  if (!packed) return sal_fail(SAL_ERR_MEMORY, "no memory for a tile");
  size->in_cube = r->count;
  for (int i = 0; i < SAL_BLOCK_METRICS; ++i) {
    size->metric[i] = 0;
    if (!sal_cube_chunk_is_cut(s, i)) continue;
    SAL_TRY(deflate_metric(s, r, i, packed, &d));
    size->metric[i] = (double)d.n;
  }
  return SAL_OK;
}

double sal_packed_size_metric(const sal_packed_size *size, const sal_sweep *sweep, int i)
{
  if (size->in_cube > 0) return size->metric[i] / (double)size->in_cube;
  return (double)sal_cube_chunk_row(sweep, i) / chunk_ratio;
}
