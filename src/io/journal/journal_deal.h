/** Records from the ranks that have them to those that need them.
 *
 *  A record that was written in this run is handed over by the rank that has written it, from memory as far as that was kept
 *  (sal_journal_held); one that was found is read by one rank, which is the same for all records of a stretch of a
 *  file, so that a journal is opened by few.
 */
#pragma once

#include "journal_state.h"

/** Cells that each rank needs, the same on all ranks: `fair` cells, those of rank 0 first, `cells` of them in a round. */
typedef struct {
  int64_t fair, cells;
} sal_journal_need;

typedef struct sal_journal_deal sal_journal_deal;

/** Collective.  Journals are borrowed; all cells that they lack are passed over. */
sal_err sal_journal_deal_open(const sal_journal *journal, sal_journal_need need,
                              sal_journal_deal **deal);
/** Collective.  Frees, and with it the records that the journals had in memory. */
void sal_journal_deal_close(sal_journal_deal **deal);

/** Is a result in the arrays of a piece? */
static inline bool sal_journal_deal_inside(const sal_tile_result *piece,
                                           const sal_tile_result *result)
{
  return result->cell == piece->cell + (result->first - piece->first);
}

/** Collective; rounds come in their order.  Calls `take` for each record that has cells of this rank in this round and none in a
 *  round before, in any order, by several threads.  Records that lie in the piece are put into its arrays; of others take may keep
 *  the arrays, and set them to NULL.  The failure of one rank is that of all. */
sal_err sal_journal_deal_round(sal_journal_deal *deal, int64_t round, const sal_tile_result *piece,
                               sal_err (*take)(void *with, sal_tile_result *result), void *with);

/** Bytes of records that a rank keeps in memory, at most. */
enum { SAL_JOURNAL_HELD_MOST = 16 << 20 };
