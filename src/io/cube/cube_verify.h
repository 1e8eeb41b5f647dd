/** @file src/io/cube/cube_verify.h
 *  Is a cube what was written, values aside?
 *
 *  The root group and each group in it have a seal of their own (group_seal.h), so that a map or
 *  trajectories can be added to a sealed cube.
 */
#ifndef SAL_CUBE_VERIFY_H
#define SAL_CUBE_VERIFY_H

#include "h5.h"

/** Groups of a cube, "" the root group. */
enum { SAL_CUBE_ROOT, SAL_CUBE_BLOCKS, SAL_CUBE_MAP, SAL_CUBE_STORED, SAL_CUBE_GROUPS };
extern const char *const sal_cube_verify_groups[SAL_CUBE_GROUPS];

/** Which groups there are, and which have a seal. */
typedef struct {
  bool there[SAL_CUBE_GROUPS], sealed[SAL_CUBE_GROUPS];
} sal_cube_verified;

/** Verifies the seals of an open cube of that layout.  What is damaged or was edited is SAL_ERR_IO; a
 *  seal that is missing where the layout has one, and a group that is none or lies elsewhere,
 *  SAL_ERR_INPUT. */
SAL_MUST_CHECK sal_err sal_cube_verify(const sal_h5 *file, int layout, sal_cube_verified *found);

/** Names of the objects in group `name` of an open cube, sorted: those under its seal, and of a group
 *  without one all.  sal_h5_text_free(*n, object) frees them, also after a failure. */
SAL_MUST_CHECK sal_err sal_cube_verify_objects(const sal_h5 *file, const char *name, int *n,
                                               char ***object);

#endif
