/** The driver: bytes after the end go to the file, those before it stay in memory, and HDF5 reads
 *  both as if they were one.
 */
#include "base.h"
#include "h5_bytes.h"
#include "plain_file.h"
#include "raw.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

/* Bytes that are not to get into the file. */
typedef struct patch {
  struct patch *next; /* a later one */
  haddr_t at;
  size_t size;
  unsigned char byte[];
} patch;

typedef struct {
  H5FD_t public; /* first: HDF5 has pointers to it */
  int fd;
  haddr_t eoa, eof;
  sal_h5_append_driver is;
  bool frozen;
  int why; /* errno of the first write that failed; since then bytes stay in memory */
  patch *first, *last;
  sal_read_window window; /* of what describes the file */
} append_file;

/* Memory of a file is HDF5's and not counted: version 1.10 keeps a file whose header is damaged. */
static herr_t add_patch(append_file *f, haddr_t at, size_t size, const void *byte)
{
  for (patch *p = f->first; p; p = p->next)
    if (p->at == at && p->size == size && !p->next) { /* the latest: nothing covers it */
      memcpy(p->byte, byte, size);
      return 0;
    }
  patch *p = calloc(1, sizeof *p + size);
  if (!p) {
    sal_h5_push_full();
    return -1;
  }
  p->at = at;
  p->size = size;
  memcpy(p->byte, byte, size);
  *(f->last ? &f->last->next : &f->first) = p;
  f->last = p;
  return 0;
}

/* Bytes stay in memory.  Nothing of what closing writes is needed any more. */
static herr_t keep(append_file *f, haddr_t at, size_t size, const void *byte)
{
  return size == 0 || add_patch(f, at, size, byte) >= 0 || f->frozen ? 0 : -1;
}

/* Writes to the file.  A write that fails is noted, and its bytes stay in memory. */
static herr_t put(append_file *f, haddr_t at, size_t size, const char *byte)
{
  if (sal_plain_file_write(f->fd, (int64_t)at, byte, size)) return 0;
  f->why = errno;
  return keep(f, at, size, byte);
}

/* Puts the patches over bytes that were read from the file. */
static void lay_patches(const append_file *f, haddr_t at, size_t size, unsigned char *byte)
{
  for (const patch *p = f->first; p; p = p->next) {
    const haddr_t from = p->at > at ? p->at : at;
    const haddr_t end = p->at + p->size < at + size ? p->at + p->size : at + size;
    if (from < end) memcpy(byte + (from - at), p->byte + (from - p->at), end - from);
  }
}

static herr_t close_file(H5FD_t *file)
{
  append_file *f = (append_file *)file;
  const int closed = close(f->fd);

  while (f->first) {
    patch *p = f->first;
    f->first = p->next;
    free(p);
  }
  sal_read_window_free(&f->window);
  free(f);
  return closed;
}

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t maxaddr)
{
  const sal_h5_append_driver *is = H5Pget_driver_info(access);
  append_file *f = calloc(1, sizeof *f);

  (void)maxaddr;
  if (!f) sal_h5_push_full();
  if (!f || !is) {
    free(f);
    return NULL;
  }
  f->is = *is;
  f->fd = open(name, (flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  const off_t size = f->fd < 0 ? -1 : lseek(f->fd, 0, SEEK_END);
  if (size < 0 || (is->size && add_patch(f, 0, is->size, is->first) < 0)) {
    if (f->fd >= 0) close(f->fd);
    free(f);
    return NULL;
  }
  f->eof = (haddr_t)size;
  return &f->public;
}

static herr_t query_file(const H5FD_t *file, unsigned long *flags)
{
  const append_file *f = (const append_file *)file; /* NULL: before one is opened */

  *flags = H5FD_FEAT_AGGREGATE_METADATA;
  if (!f || !f->is.placed) *flags |= H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DATA_SIEVE;
  return 0;
}

static haddr_t get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
  (void)type;
  return ((const append_file *)file)->eoa;
}

static herr_t set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t at)
{
  (void)type;
  ((append_file *)file)->eoa = at;
  return 0;
}

static haddr_t get_eof(const H5FD_t *file, H5FD_mem_t type)
{
  (void)type;
  return ((const append_file *)file)->eof;
}

static herr_t get_handle(H5FD_t *file, hid_t access, void **handle)
{
  (void)access;
  *handle = file;
  return 0;
}

/* Bytes after the end of the file read as zeros.  Values are read as HDF5 requests them. */
static herr_t read_file(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                        void *buffer)
{
  append_file *f = (append_file *)file;

  (void)transfer;
  const ssize_t done = type == H5FD_MEM_DRAW
                           ? sal_read_window_past(f->fd, (int64_t)at, size, buffer)
                           : sal_read_window_read(&f->window, f->fd, (int64_t)at, size, buffer);
  if (done < 0) return -1;
  memset((char *)buffer + done, 0, size - (size_t)done);
  lay_patches(f, at, size, buffer);
  return 0;
}

/* Nodes of type 1 are those of chunks. */
static void note_index(const append_file *f, haddr_t at, size_t size, const char *byte)
{
  if (f->is.index && size > 5 && memcmp(byte, "TREE\1", 5) == 0)
    *f->is.index = (sal_h5_append_index){at, size};
}

static herr_t write_file(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                         const void *buffer)
{
  append_file *f = (append_file *)file;
  const char *byte = buffer;
  const bool placed = f->is.placed && type == H5FD_MEM_DRAW;
  size_t kept = 0;

  (void)transfer;
  if (type != H5FD_MEM_DRAW) note_index(f, at, size, byte);
  if (placed)
    *f->is.placed = at;
  else if (f->frozen || f->why)
    kept = size;
  else if (at < f->is.end)
    kept = f->is.end - at < size ? (size_t)(f->is.end - at) : size;
  sal_read_window_forget(&f->window, (int64_t)at, size);
  if (!placed && (keep(f, at, kept, byte) < 0 || put(f, at + kept, size - kept, byte + kept) < 0))
    return -1;
  if (at + size > f->eof) f->eof = at + size;
  return 0;
}

/* The file is longer already, or made so by the caller: HDF5 cuts nothing off. */
static herr_t truncate_file(H5FD_t *file, hid_t transfer, hbool_t closing)
{
  append_file *f = (append_file *)file;

  (void)transfer;
  (void)closing;
  if (f->eof < f->eoa) f->eof = f->eoa;
  return 0;
}

/* A reader locks the file as HDF5's own driver does, but goes on where the file system has no locks, whatever it
 * calls that (ENOLCK: NFS without its lock service).  One that adds to the file has another lock (h5_append.c). */
static herr_t lock_file(H5FD_t *file, hbool_t writes)
{
  const append_file *f = (const append_file *)file;

  return writes || flock(f->fd, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK ? 0 : -1;
}

static herr_t unlock_file(H5FD_t *file)
{
  (void)flock(((const append_file *)file)->fd, LOCK_UN);
  return 0;
}

static const H5FD_class_t driver = {
    .name = "saltus append",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(sal_h5_append_driver),
    .open = open_file,
    .close = close_file,
    .query = query_file,
    .get_eoa = get_eoa,
    .set_eoa = set_eoa,
    .get_eof = get_eof,
    .get_handle = get_handle,
    .read = read_file,
    .write = write_file,
    .truncate = truncate_file,
    .lock = lock_file,
    .unlock = unlock_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

herr_t sal_h5_append_driver_set(hid_t access, const sal_h5_append_driver *is)
{
  static hid_t id = -1; /* as long as the program runs */

  if (H5Iget_type(id) != H5I_VFL) id = H5FDregister(&driver);
  return id < 0 ? -1 : H5Pset_driver(access, id, is);
}

static append_file *file_of(hid_t file)
{
  void *handle = NULL;

  return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 ? NULL : handle;
}

herr_t sal_h5_append_driver_end(hid_t file, haddr_t *end)
{
  const append_file *f = file_of(file);

  if (f) *end = f->eoa;
  return f ? 0 : -1;
}

herr_t sal_h5_append_driver_claim(hid_t file, haddr_t end)
{
  append_file *f = file_of(file);

  if (f && end > f->eoa) f->eoa = end;
  return f ? 0 : -1;
}

int sal_h5_append_driver_freeze(hid_t file, haddr_t *end)
{
  append_file *f = file_of(file);

  if (!f) return EIO;
  f->frozen = true;
  *end = f->eoa;
  return f->why;
}
