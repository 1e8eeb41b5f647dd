/** @file src/io/append/h5_append.h
 *  A group of a finished file replaced in one step, without a copy of the file.
 *
 *  HDF5 1.10 changes labels where they are, one after another: a program that is killed meanwhile
 *  leaves a file that nothing can read.  Here not a byte of what the file has is touched.  Everything
 *  new goes after its end, and with it a second root group, whose links lead to the same datasets but
 *  for the group that is replaced.  The superblock, the first 48 bytes, names the root group; writing
 *  these anew, once the rest is on the disk, is the only change (HDF5 File Format Specification 3.0,
 *  II.A, superblock versions 2 and 3).  Before, and if that never comes, the file is as it was up to
 *  the end that its superblock names; bytes after that end, which no reader looks at, may be others.  The room of what was replaced is not given back.
 */
#ifndef SAL_H5_APPEND_H
#define SAL_H5_APPEND_H

#include "h5.h"
#include <stdbool.h>
#include <sys/types.h>

enum { SAL_H5_SUPERBLOCK = 48 };

typedef struct {
  const char *name;
  sal_h5 file;                                 /* open; to add to */
  hid_t root;                                  /* the root group to be */
  int lock;                                    /* the file, open and locked; -1: not */
  off_t size;                                  /* of the file, as it is */
  unsigned char superblock[SAL_H5_SUPERBLOCK]; /* the same */
} sal_h5_append;

/** Does the file have a superblock that can be changed in one step?  Cubes have one. */
SAL_MUST_CHECK sal_err sal_h5_append_possible(const char *path, bool *possible);

/** Opens the file `name` (serial) to replace the group `group` of its root; messages call it `path`.
 *  Datasets of the new group are made in append->root and must have their room at once.  HDF5 may have
 *  the file open for reading, too.  Name and path are borrowed. */
SAL_MUST_CHECK sal_err sal_h5_append_open(const char *name, const char *path, const char *group,
                                          sal_h5_append *append);

/** Brings everything to the disk, sees that the file can be read with its new root group, and makes
 *  it that.  After a failure the file has the bytes it had up to the end that its
 *  superblock names, and is no longer than it was; bytes after that end may have changed. */
SAL_MUST_CHECK sal_err sal_h5_append_commit(sal_h5_append *append);
/** Leaves the file as a failure does; harmless on one that is not open. */
void sal_h5_append_drop(sal_h5_append *append);

#endif
