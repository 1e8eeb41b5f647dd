/** @file src/io/packed_size.c
 *  What packed records take.
 */
#include "packed_size.h"
#include "contender.h"
#include "journal_pack.h"

/* Of sweeps/atlas.yaml, as measured: bytes of records in memory for a byte in a journal. */
static const double journal_ratio = 8.4;

sal_err sal_packed_size_see(sal_packed_size *size, const sal_sweep *sweep,
                            const sal_tile_result *tile)
{
  SAL_OWN_BY(sal_journal_pack_free) sal_journal_pack pack = {0};

  if (tile->count < size->cells) return SAL_OK;
  SAL_TRY(sal_journal_pack_tile(&pack, sal_contender_count(sweep), tile));
  *size = (sal_packed_size){.cells = tile->count, .journal = (double)pack.n};
  return SAL_OK;
}

double sal_packed_size_journal(const sal_packed_size *size, const sal_sweep *sweep)
{
  if (size->cells > 0) return size->journal / (double)size->cells;
  return (double)sal_tile_cell_bytes(sal_contender_count(sweep)) / journal_ratio;
}
