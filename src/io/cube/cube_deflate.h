/** @file src/io/cube/cube_deflate.h
 *  Chunks of a metric as HDF5 has them after its filters shuffle and deflate; for the sources of this
 *  folder alone.
 */
#ifndef SAL_CUBE_DEFLATE_H
#define SAL_CUBE_DEFLATE_H

#include "err.h"
#include <stddef.h>
#include <stdint.h>

/** Deflated chunks one after another; zero is none, sal_cube_deflate_free frees it. */
typedef struct {
  char *bytes; /* [n] */
  int64_t n, room;
  char *chunk, *planes; /* of one chunk */
  int64_t n_chunk, n_planes;
} sal_cube_deflate;

void sal_cube_deflate_free(sal_cube_deflate *deflate);

/** Adds a chunk of n values of `size` bytes, of which the first `given` are at `value`, and zeros follow;
 *  its bytes are those that deflate->n grows by.  `path` is for messages. */
SAL_MUST_CHECK sal_err sal_cube_deflate_add(sal_cube_deflate *deflate, const char *path, int64_t n,
                                            int64_t given, size_t size, const void *value);

#endif
