/** @file src/base/own_folder.h
 *  Folders to work in, which go when their process ends.
 *
 *  Such a folder has a file `made-by-saltus`, on which its process holds a lock.  One that a killed process has left is removed by the
 *  next that makes one of that kind in the same place: where the file is there, is this user's, has our words and is not locked.  Names,
 *  ages and links say nothing.
 */
#ifndef SAL_OWN_FOLDER_H
#define SAL_OWN_FOLDER_H

#include "err.h"
#include <limits.h>

typedef struct {
  int lock;            /* on the file; -1: none */
  char path[PATH_MAX]; /* "": none */
} sal_own_folder;

/** Makes the folder `in`/PREFIXxxxxxx, this user's alone, and removes those that have been left. */
SAL_MUST_CHECK sal_err sal_own_folder_open(const char *in, const char *prefix, sal_own_folder *f);
/** Removes it with all that is in it, also after a failure. */
void sal_own_folder_close(sal_own_folder *f);

#endif
