/** @file src/driver/scout_cells.h
 *  What the scouts of a run know, from the journals, and what that is worth (scouts.h).
 */
#ifndef SAL_SCOUT_CELLS_H
#define SAL_SCOUT_CELLS_H

#include "err.h"
#include "journal_state.h"
#include "scouts.h"

/** Collective.  Reads scouts and audit cells, which are in the journals, each rank its share.  On all ranks *out, which
 *  sal_scouts_free frees, and *audit, what the audit cells lost, in words, freed with sal_free. */
SAL_MUST_CHECK sal_err sal_scout_cells_read(const sal_journal *journal, sal_scouts **out,
                                            char **audit);

#endif
