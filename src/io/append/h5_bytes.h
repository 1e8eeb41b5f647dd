/** @file src/io/append/h5_bytes.h
 *  Numbers as HDF5's file format has them: the lowest byte first.
 */
#ifndef SAL_H5_BYTES_H
#define SAL_H5_BYTES_H

#include <stdint.h>

/** A number of n bytes, 8 at most. */
static inline uint64_t sal_h5_bytes_get(const unsigned char *byte, int n)
{
  uint64_t value = 0;

  for (int i = n - 1; i >= 0; --i) value = value << 8 | byte[i];
  return value;
}

/** Writes it; returns where the next one goes. */
static inline unsigned char *sal_h5_bytes_put(unsigned char *byte, int n, uint64_t value)
{
  for (int i = 0; i < n; ++i, value >>= 8) byte[i] = (unsigned char)value;
  return byte + n;
}

#endif
