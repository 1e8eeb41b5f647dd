/** Size of packed records. */
#include "packed_size.h"
#include "base.h"
#include "config.h"
#include "cube_chunk.h"
#include "journal_pack.h"
#include "raw.h"
#include "tile_rows.h"
#include "variable.h"

/* Measured with sweeps/atlas.yaml: bytes of records in memory for a byte in a journal, and of metrics for a byte in
 * the chunks of a cube. */
static const double journal_ratio = 8.4, chunk_ratio = 4.8;

/* A sample is packed in as many records, too.  Head, checksum and entry in the index of a record [B]. */
enum { PIECES = 8, RECORD = 80 };

/* Bytes of the tile in so many records of about as many cells. */
static sal_err pack_records(const sal_sweep *s, const sal_tile_result *tile, int64_t n,
                            double *bytes)
{
  SAL_OWN_BY(sal_journal_pack_free) sal_journal_pack pack = {0};
  const int64_t each = sal_config_count(s);

  *bytes = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = tile->count * i / n, end = tile->count * (i + 1) / n;
    const sal_tile_result part = sal_tile_result_part(tile, each, at, end - at);
    SAL_TRY(sal_journal_pack_tile(&pack, each, sal_sweep_unneeded(s), &part));
    *bytes += (double)pack.n;
  }
  return SAL_OK;
}

/* Measures the overhead of each record as well: columns begin anew, and deflate has no history. */
sal_err sal_packed_size_see(sal_packed_size *size, const sal_sweep *sweep,
                            const sal_tile_result *tile)
{
  const int64_t pieces = tile->count < PIECES ? tile->count : PIECES;
  double whole, cut = 0;

  if (tile->count < size->cells || tile->count == 0) return SAL_OK;
  SAL_TRY(pack_records(sweep, tile, 1, &whole));
  if (pieces > 1) SAL_TRY(pack_records(sweep, tile, pieces, &cut));
  size->cells = tile->count;
  size->journal = whole;
  size->record = pieces > 1 ? fmax(0, (cut - whole) / (double)(pieces - 1)) : 0;
  return SAL_OK;
}

double sal_packed_size_journal(const sal_packed_size *size, const sal_sweep *sweep, double cells,
                               double records)
{
  if (size->cells == 0) return cells * (double)sal_tile_rows_bytes(sweep) / journal_ratio;
  return cells * (size->journal - size->record) / (double)size->cells +
         records * (size->record + RECORD);
}

/* The chunks of metric i of a tile; `packed` has room for its values. */
static sal_err deflate_metric(const sal_sweep *s, const sal_tile_result *r, int i, char packed[],
                              sal_cube_deflate *d)
{
  const sal_datatype kept = sal_datatype_of(sal_metric_at(i)->kind);
  const size_t size = sal_datatype_size(kept);
  const int64_t each = sal_cube_chunk_row(s, i) / (int64_t)size, chunk = sal_cube_chunk(s);

  d->n = 0;
  sal_cube_chunk_pack(s, i, r, packed);
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
  packed = sal_alloc((size_t)r->count, (size_t)sal_cube_chunk_longest_row(s));
  if (!packed) return sal_fail(SAL_ERR_MEMORY, "no memory for a tile");
  size->in_cube = r->count;
  for (int i = 0; i < SAL_METRICS_ALL; ++i) {
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
