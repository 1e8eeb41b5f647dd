/** @file src/driver/pilot_cells.h
 *  What the pilots of a run know, from the journals, and what that is worth (pilots.h).
 */
#ifndef SAL_PILOT_CELLS_H
#define SAL_PILOT_CELLS_H

#include "err.h"
#include "journal_state.h"
#include "pilots.h"

/** Collective.  Reads pilots and validation cells, which are in the journals, each rank its share.  On all ranks *out, which
 *  sal_pilots_free frees, and *validation, what the validation cells lost, in words, freed with sal_free. */
SAL_MUST_CHECK sal_err sal_pilot_cells_read(const sal_journal *journal, sal_pilots **out,
                                            char **validation);

#endif
