/** @file src/io/shuffle.h
 *  Numbers by planes of bytes, as HDF5's filter `shuffle` has them: first bytes of all, then the second
 *  ones, and so on.  Numbers that differ little have planes that are nearly alike all through, which
 *  deflate makes small.
 */
#ifndef SAL_SHUFFLE_H
#define SAL_SHUFFLE_H

#include <stddef.h>
#include <stdint.h>

/** n numbers of `size` bytes from `value` into `planes`; neither overlaps the other. */
void sal_shuffle(int64_t n, size_t size, const void *value, void *planes);
/** The way back. */
void sal_shuffle_back(int64_t n, size_t size, const void *planes, void *value);

#endif
