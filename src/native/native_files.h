/** @file src/native/native_files.h
 *  The files of the kernels that lie in the program.
 */
#ifndef SAL_NATIVE_FILES_H
#define SAL_NATIVE_FILES_H

#include <stddef.h>

typedef struct {
  const char *name; /* below kernels/ */
  const char *bytes;
  size_t n;
} sal_native_file;

/** The last one has no name. */
extern const sal_native_file sal_native_files[];

#endif
