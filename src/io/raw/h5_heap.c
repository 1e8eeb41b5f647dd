/** The global heaps of a file: which scales belong to which dataset.
 *
 *  HDF5 gives them no checksum, and version 1.10 searches a damaged one for ever (HDF5 File Format
 *  Specification 3.0, III.E), as h5py does when it opens a cube.
 */
#include "h5.h"
#include "h5_bytes.h"
#include "plain_file.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 16, WINDOW = 1 << 16, VERSION = 8, OFFSETS = 9, END = 28, FIRST = 48 };

static const unsigned char magic[8] = "GCOL\1\0\0"; /* name and version of a heap */

/* A file, up to the end that its superblock names. */
typedef struct {
  int fd;
  uint64_t size;
  bool read; /* false: a read has failed */
} heap_file;

/* Are there so many bytes? */
static bool get(heap_file *f, uint64_t at, size_t size, unsigned char *byte)
{
  const ssize_t n = sal_read_window_past(f->fd, (int64_t)at, size, byte);

  if (n < 0) f->read = false;
  return n == (ssize_t)size;
}

/* After the end that the superblock names lies what an interrupted change has left, which no reader looks at. */
static void find_end(heap_file *f)
{
  unsigned char first[FIRST];

  f->size = (uint64_t)lseek(f->fd, 0, SEEK_END);
  if (!get(f, 0, FIRST, first) || first[VERSION] < 2 || first[OFFSETS] != 8) return;
  const uint64_t end = sal_h5_bytes_get(first + END, 8);
  if (end < f->size) f->size = end;
}

/* Do the objects of the heap at `at` fill it, one after another, up to *end? */
static bool is_sound(heap_file *f, uint64_t at, uint64_t *end)
{
  unsigned char head[HEAD];

  if (f->size - at < HEAD || !get(f, at, HEAD, head)) return false;
  const uint64_t bytes = sal_h5_bytes_get(head + 8, 8);
  if (bytes < HEAD || bytes > f->size - at) return false;
  *end = at + bytes;
  for (uint64_t here = at + HEAD, step; here + HEAD <= *end; here += step) {
    if (!get(f, here, HEAD, head)) return false;
    const uint64_t object = sal_h5_bytes_get(head, 2), length = sal_h5_bytes_get(head + 8, 8);
    if (length > *end - here) return false;
    step = object ? HEAD + (length + 7) / 8 * 8 : length; /* 0: what is free, its head included */
    if (step < HEAD || step > *end - here) return false;
  }
  return true;
}

/* The first heap from `at` on, or the end. */
static uint64_t next_heap(heap_file *f, uint64_t at)
{
  unsigned char window[WINDOW];

  while (f->size - at >= sizeof magic) {
    const size_t n = f->size - at < WINDOW ? (size_t)(f->size - at) : WINDOW;
    if (!get(f, at, n, window)) break;
    const unsigned char *found = memmem(window, n, magic, sizeof magic);
    if (found) return at + (uint64_t)(found - window);
    at += n - sizeof magic + 1;
  }
  return f->size;
}

sal_err sal_h5_check_heaps(const char *path)
{
  heap_file f = {.read = true};
  bool sound = true;

  SAL_TRY(sal_plain_file_open(path, "a cube", &f.fd));
  find_end(&f);
  for (uint64_t at = next_heap(&f, 0); sound && at < f.size;) {
    sound = is_sound(&f, at, &at);
    if (sound) at = next_heap(&f, at);
  }
  const int why = errno;
  close(f.fd);
  if (!f.read) return sal_fail(SAL_ERR_IO, "%s: cannot be read: %s", path, strerror(why));
  return sound ? SAL_OK : sal_fail(SAL_ERR_IO, "%s: a heap of dimension scales is damaged", path);
}
