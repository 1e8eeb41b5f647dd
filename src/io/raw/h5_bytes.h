/** Numbers as HDF5's file format has them: the lowest byte first. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

/* Small reads out of a few blocks of a file: HDF5 reads what describes a file object by object, some hundred bytes at a time, and
 * each of these is a request of its own on a parallel file system.
 *
 * Memory is HDF5's and not counted: version 1.10 keeps a file whose header is damaged. */

enum { SAL_READ_WINDOW_BLOCK = 1 << 12, SAL_READ_WINDOW_BLOCKS = 128 };

/** Zeros are a window without blocks; sal_read_window_free frees. */
typedef struct {
  struct {
    int64_t number; /* of a block of the file */
    ssize_t n;      /* bytes of it that the file has */
    unsigned char *byte;
  } block[SAL_READ_WINDOW_BLOCKS];
  int next; /* to be taken for another block */
} sal_read_window;

/** Reads as pread does, but all that the file has; returns how much that is, negative on failure. */
ssize_t sal_read_window_read(sal_read_window *window, int fd, int64_t at, size_t size,
                             void *buffer);
/** These bytes of the file have changed. */
void sal_read_window_forget(sal_read_window *window, int64_t at, size_t size);
void sal_read_window_free(sal_read_window *window);

/** All that there is of so many bytes, past the window. */
ssize_t sal_read_window_past(int fd, int64_t at, size_t size, void *buffer);
