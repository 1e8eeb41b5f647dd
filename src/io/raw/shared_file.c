/** A file that all ranks have open. */
#include "atomic_file.h"
#include "base.h"
#include "collective_error.h"
#include "plain_file.h"
#include "raw.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { NFS = 0x6969 }; /* statfs(2) */

static sal_err fail(const sal_shared_file *f, const char *what)
{
  return sal_fail(SAL_ERR_IO, "%s: %s cannot be written: %s", f->path, what, strerror(errno));
}

/* Two nodes that write parts of one page of an NFS file may each send the whole of it, unless the part is locked. */
static bool is_nfs(int fd)
{
  struct statfs about;

  return fstatfs(fd, &about) == 0 && about.f_type == NFS;
}

/* Collective. */
static sal_err open_all(const char *name, sal_shared_file *f)
{
  SAL_TRY(sal_node_ranks_find(f->comm, &f->node));
  const int rank = f->node.rank;
  if (rank == 0) f->fd = open(name, O_WRONLY | O_CLOEXEC);
  const sal_err err = rank == 0 && f->fd < 0 ? fail(f, "the file") : SAL_OK;
  SAL_TRY(sal_collective_error(f->comm, err));
  SAL_TRY(sal_node_file_share(f->node.comm, name, O_WRONLY, &f->fd));
  return sal_collective_error(f->comm, f->fd < 0 ? fail(f, "the file") : SAL_OK);
}

sal_err sal_shared_file_open(MPI_Comm comm, const char *name, const char *path, sal_shared_file *f)
{
  char part[PATH_MAX];

  *f = (sal_shared_file){.path = path, .comm = comm, .fd = -1};
  sal_err err = name ? SAL_OK : sal_collective_error(comm, sal_atomic_file_name(path, part));
  if (err == SAL_OK) err = open_all(name ? name : part, f);
  if (err != SAL_OK) sal_shared_file_drop(f); /* not all ranks have it open */
  SAL_TRY(err);
  f->locks = f->node.n_node > 1 && is_nfs(f->fd);
  return SAL_OK;
}

/* One rank of a node for all, which have come here. */
static sal_err sync_node(const sal_shared_file *f)
{
  SAL_TRY_MPI(MPI_Barrier(f->node.comm));
  return f->node.rank == 0 && fsync(f->fd) ? fail(f, "the file") : SAL_OK;
}

sal_err sal_shared_file_close(sal_shared_file *f)
{
  sal_err err = SAL_OK;

  if (f->fd >= 0) {
    err = sync_node(f);
    if (close(f->fd) && err == SAL_OK) err = fail(f, "the file");
    f->fd = -1;
    err = sal_collective_error(f->comm, err);
  }
  sal_node_ranks_free(&f->node);
  return err;
}

void sal_shared_file_drop(sal_shared_file *f)
{
  if (f->fd >= 0) close(f->fd);
  f->fd = -1;
  sal_node_ranks_free(&f->node);
}

bool sal_shared_file_is_part(const sal_shared_file *f)
{
  struct stat open, named;
  char part[PATH_MAX];

  return f->fd >= 0 && fstat(f->fd, &open) == 0 && sal_atomic_file_name(f->path, part) == SAL_OK &&
         stat(part, &named) == 0 && open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/* Waits for the lock of bytes, or gives it back. */
static bool lock(const sal_shared_file *f, short type, int64_t at, int64_t n)
{
  struct flock range = {
      .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)at, .l_len = (off_t)n};
  int code;

  do code = fcntl(f->fd, F_OFD_SETLKW, &range);
  while (code < 0 && errno == EINTR);
  return code == 0;
}

/* The lock of a file of its own there, which is gone at once. */
static sal_err try_lock(const char *folder)
{
  sal_shared_file f = {.path = folder, .fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)};
  char name[PATH_MAX];

  if (f.fd < 0) { /* NFS has no files without a name */
    snprintf(name, sizeof name, "%s/saltus-lock-XXXXXX", folder);
    f.fd = mkstemp(name);
    if (f.fd >= 0) (void)unlink(name);
  }
  if (f.fd < 0) return fail(&f, "a file");
  const bool bad = is_nfs(f.fd) && !lock(&f, F_WRLCK, 0, 1);
  const int why = errno;
  close(f.fd);
  if (!bad) return SAL_OK;
  return sal_fail(
      SAL_ERR_IO,
      "%s: NFS without locks (%s), on which nodes cannot write one file: mount it with its lock "
      "service (rpc.statd, lockd), run on one node, or write to another file system",
      folder, strerror(why));
}

sal_err sal_shared_file_try(MPI_Comm comm, const char *folder)
{
  SAL_OWN_BY(sal_node_ranks_free) sal_node_ranks node = {0};

  SAL_TRY(sal_node_ranks_find(comm, &node));
  return sal_collective_first(comm, node.n_node > 1 ? try_lock(folder) : SAL_OK);
}

sal_err sal_shared_file_put(const sal_shared_file *f, const char *what, int64_t at, int64_t n,
                            const void *bytes)
{
  if (n == 0) return SAL_OK;
  if (f->locks && !lock(f, F_WRLCK, at, n)) return fail(f, what);
  const bool written = sal_plain_file_write(f->fd, at, bytes, (size_t)n);
  const sal_err err = written ? SAL_OK : fail(f, what);
  (void)sync_file_range(f->fd, (off_t)at, (off_t)n, SYNC_FILE_RANGE_WRITE); /* begin at once */
  if (f->locks && !lock(f, F_UNLCK, at, n) && err == SAL_OK) return fail(f, what);
  return err;
}
