/** A cube with more cells: the added cells, the sweep that has them, and the journal that has the old ones.
 */
#pragma once

#include "journal_state.h"

/** Options of a refinement; strings are borrowed. */
typedef struct {
  const char *cube;
  int64_t cells; /* to add, at most */
  bool any;      /* the cells of the cube may be those of another version of this program */
  bool dry;      /* none of them is going to be copied: they need not be verified */
} sal_refine_request;

/** The sweep: with the old cells first. */
typedef struct {
  char *text;            /* to be freed with sal_free */
  int64_t n_cell, added; /* cells of the cube, and new ones */
  bool others;           /* refused, since another version of this program made the cube */
} sal_refine_plan;

/** Makes the sweep, on one rank.  Fails with SAL_ERR_EXISTS and sets `others` where the cells of the cube may differ from
 *  new ones, unless any or dry.  plan->text is to be freed after a failure, too. */
sal_err sal_refine_plan_make(const sal_refine_request *request, sal_refine_plan *plan);

/** Writes the text of a sweep to `path`, whole or not at all.  Refuses (SAL_ERR_EXISTS) to replace a file
 *  with other contents, unless force. */
sal_err sal_refine_save(const char *path, const char *text, bool force);

/** Data of the cube for sal_refine_seed; strings are borrowed. */
typedef struct {
  const char *cube;
  int64_t n_cell; /* of the cube: the first ones of the refined sweep */
} sal_refine_old;
/** Collective; with: a sal_refine_old.  Puts those cells of the cube that no journal has into one,
 *  as in sal_run_options. */
sal_err sal_refine_seed(void *with, sal_journal *journal);
