/** @file src/io/h5_heap.c
 *  The global heaps of a file: which scales belong to which dataset, and texts of any length of older cubes.
 *
 *  HDF5 gives them no checksum, and version 1.10 searches a damaged one for ever (HDF5 File Format
 *  Specification 3.0, III.E), as h5py does when it opens a cube.
 */
#include "h5.h"
#include "plain_file.h"
#include <string.h>
#include <unistd.h>

enum { HEAD = 16, WINDOW = 1 << 16 };

static const unsigned char magic[8] = "GCOL\1\0\0"; /* name and version of a heap */

/* A number of n bytes, the lowest first. */
static uint64_t number_at(const unsigned char *at, int n)
{
  uint64_t number = 0;

  while (n-- > 0) number = number << 8 | at[n];
  return number;
}

/* Do the objects of the heap at `at` fill it, one after another, up to *end? */
static bool is_sound(int fd, uint64_t at, uint64_t size, uint64_t *end)
{
  unsigned char head[HEAD];

  if (pread(fd, head, HEAD, (off_t)at) != HEAD) return false;
  const uint64_t bytes = number_at(head + 8, 8);
  if (bytes < HEAD || bytes > size - at) return false;
  *end = at + bytes;
  for (uint64_t here = at + HEAD, step; here + HEAD <= *end; here += step) {
    if (pread(fd, head, HEAD, (off_t)here) != HEAD) return false;
    const uint64_t object = number_at(head, 2), length = number_at(head + 8, 8);
    if (length > *end - here) return false;
    step = object ? HEAD + (length + 7) / 8 * 8 : length; /* 0: what is free, its head included */
    if (step < HEAD || step > *end - here) return false;
  }
  return true;
}

/* The first heap from `at` on, or the end of the file. */
static uint64_t next_heap(int fd, uint64_t at, uint64_t size)
{
  unsigned char window[WINDOW];

  for (ssize_t n; (n = pread(fd, window, WINDOW, (off_t)at)) >= (ssize_t)sizeof magic;
       at += (uint64_t)n - sizeof magic + 1) {
    const unsigned char *found = memmem(window, (size_t)n, magic, sizeof magic);
    if (found) return at + (uint64_t)(found - window);
  }
  return size;
}

sal_err sal_h5_check_heaps(const char *path)
{
  int fd;
  bool sound = true;

  SAL_TRY(sal_plain_file_open(path, "a cube", &fd));
  const uint64_t size = (uint64_t)lseek(fd, 0, SEEK_END);
  for (uint64_t at = next_heap(fd, 0, size); sound && at < size;) {
    sound = is_sound(fd, at, size, &at);
    if (sound) at = next_heap(fd, at, size);
  }
  close(fd);
  return sound ? SAL_OK : sal_fail(SAL_ERR_IO, "%s: a heap of dimension scales is damaged", path);
}
