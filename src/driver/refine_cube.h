/** @file src/driver/refine_cube.h
 *  A cube with more cells: the sweep that says so, and the journal that has the old ones.
 */
#ifndef SAL_REFINE_CUBE_H
#define SAL_REFINE_CUBE_H

#include "journal_state.h"

/** Writes the text of a sweep to `path`, whole or not at all.  Refuses (SAL_ERR_EXISTS) to replace a file
 *  that says something else, unless force. */
SAL_MUST_CHECK sal_err sal_refine_save(const char *path, const char *text, bool force);

/** What sal_refine_seed needs of the cube; strings are borrowed. */
typedef struct {
  const char *cube;
  int64_t n_cell; /* of the cube: the first ones of the refined sweep */
} sal_refine_old;
/** Collective; with: a sal_refine_old.  Puts those cells of the cube that no journal has into one,
 *  as in sal_run_options. */
SAL_MUST_CHECK sal_err sal_refine_seed(void *with, sal_journal *journal);

#endif
