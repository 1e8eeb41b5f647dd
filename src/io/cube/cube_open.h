/** An open cube, for the sources of this folder alone: its frame and its seals. */
#pragma once

#include "cube.h"
#include "variable.h"

/* Opening a cube, and its frame: dimensions and coordinates. */

/** Opens a cube for reading and verifies its layout, SAL_PROVENANCE_LAYOUT, and its seals, or fails with the reason.
 *  The caller closes it. */
sal_err sal_cube_open(const char *path, sal_h5 *file);

/** Reads everything but what is along cells into *cube, which is zero before; the caller frees it.
 *  Makes sure that parameters and initial states are there. */
sal_err sal_cube_open_frame(const sal_h5 *file, sal_cube *cube);
/** Reads parameters and initial states of all cells into the frame. */
sal_err sal_cube_open_columns(const sal_h5 *file, sal_cube *cube);

/* Is a cube what was written, values aside?
 *
 * The root group and each group in it have a seal of their own (group_seal.h), so that a map or
 * trajectories can be added to a sealed cube. */

/** Verifies the seals of an open cube: there [SAL_CUBE_GROUPS] receives which groups it has; the attributes and objects that
 *  a user added are added to *foreign (group_seal.h).  Damage and edits are SAL_ERR_IO; a missing seal, and a group
 *  that is none or lies elsewhere, SAL_ERR_INPUT. */
sal_err sal_cube_verify(const sal_h5 *file, bool there[], sal_text *foreign);

/** Names of the objects in group `name` of an open cube, sorted: those under its seal, and
 *  groups added later.  sal_h5_text_free frees them, also after a failure. */
sal_err sal_cube_verify_objects(const sal_h5 *file, const char *name, int *n, char ***object);
