/** A few blocks, the oldest given up first. */
#include "base.h"
#include "h5_bytes.h"
#include <errno.h>
#include <unistd.h>

enum { BLOCK = SAL_READ_WINDOW_BLOCK, BLOCKS = SAL_READ_WINDOW_BLOCKS };

ssize_t sal_read_window_past(int fd, int64_t at, size_t size, void *buffer)
{
  size_t done = 0;

  while (done < size) {
    const ssize_t n = pread(fd, (char *)buffer + done, size - done, (off_t)(at + (int64_t)done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    done += (size_t)n;
  }
  return (ssize_t)done;
}

/* Where a block is in the window; it is read if it is not there.  Negative on failure. */
static int find_block(sal_read_window *w, int fd, int64_t number)
{
  int i = 0;

  while (i < BLOCKS && !(w->block[i].byte && w->block[i].number == number)) ++i;
  if (i < BLOCKS) return i;
  i = w->next;
  w->next = (i + 1) % BLOCKS;
  if (!w->block[i].byte) w->block[i].byte = malloc(BLOCK);
  if (!w->block[i].byte) return -1;
  w->block[i].number = number;
  w->block[i].n = sal_read_window_past(fd, number * BLOCK, BLOCK, w->block[i].byte);
  if (w->block[i].n >= 0) return i;
  w->block[i].number = -1;
  return -1;
}

/* Copies the part of size bytes from `at` on that the block of `at` holds. */
static ssize_t copy_out(sal_read_window *w, int fd, int64_t at, size_t size, char *buffer)
{
  const int i = find_block(w, fd, at / BLOCK);
  const ssize_t from = (ssize_t)(at % BLOCK);

  if (i < 0) return -1;
  const ssize_t there = w->block[i].n - from, most = (ssize_t)size;
  const ssize_t n = there < 0 ? 0 : there < most ? there : most;
  memcpy(buffer, w->block[i].byte + from, (size_t)n);
  return n;
}

ssize_t sal_read_window_read(sal_read_window *w, int fd, int64_t at, size_t size, void *buffer)
{
  ssize_t done = 0;

  if (size >= BLOCK) return sal_read_window_past(fd, at, size, buffer);
  while ((size_t)done < size) {
    const int64_t here = at + done;
    const size_t left = size - (size_t)done, rest = (size_t)(BLOCK - here % BLOCK);
    const size_t part = left < rest ? left : rest;
    const ssize_t n = copy_out(w, fd, here, part, (char *)buffer + done);
    if (n < 0) return -1;
    done += n;
    if ((size_t)n < part) break;
  }
  return done;
}

void sal_read_window_forget(sal_read_window *w, int64_t at, size_t size)
{
  const int64_t first = at / BLOCK, last = (at + (int64_t)size - 1) / BLOCK;

  for (int i = 0; i < BLOCKS && size > 0; ++i)
    if (w->block[i].byte && w->block[i].number >= first && w->block[i].number <= last)
      w->block[i].number = -1;
}

void sal_read_window_free(sal_read_window *w)
{
  for (int i = 0; i < BLOCKS; ++i) free(w->block[i].byte);
  *w = (sal_read_window){0};
}
