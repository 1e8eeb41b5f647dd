/** A small file, written and read back as a cube is. */
#include "folder_probe.h"
#include "base.h"
#include "collective_error.h"
#include "raw.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { EACH = 1024 }; /* numbers of a rank */

/* A new file whose name is of no other run; *fd is open, and the caller closes and removes it. */
static sal_err new_file(const char *folder, char path[PATH_MAX], int *fd)
{
  const int n = snprintf(path, PATH_MAX, "%s/saltus-doctor-XXXXXX", folder);

  *fd = n < PATH_MAX ? mkstemp(path) : -1;
  return *fd >= 0
             ? SAL_OK
             : sal_fail(SAL_ERR_IO, "%s: no file can be made there: %s", folder, strerror(errno));
}

/* The first rank makes the file, and sends the others its name. */
static sal_err make_file(MPI_Comm comm, const char *folder, char path[PATH_MAX])
{
  int fd = -1;

  SAL_TRY(sal_collective_first(comm, new_file(folder, path, &fd)));
  if (fd >= 0) close(fd);
  return sal_collective_share(comm, path, PATH_MAX);
}

static double number_of(int rank, int i) { return rank * 1e6 + i; }

/* Collective. */
static sal_err write_all(MPI_Comm comm, int rank, const char *path)
{
  double number[EACH];
  const int64_t bytes = sizeof number;
  sal_shared_file file;

  for (int i = 0; i < EACH; ++i) number[i] = number_of(rank, i);
  sal_err err = sal_shared_file_open(comm, path, path, &file);
  if (err == SAL_OK) err = sal_shared_file_put(&file, "the file", rank * bytes, bytes, number);
  const sal_err closed = sal_shared_file_close(&file);
  return err == SAL_OK ? closed : err;
}

/* The numbers of the next rank. */
static sal_err read_next(int rank, int n_rank, const char *path)
{
  const int next = (rank + 1) % n_rank, fd = open(path, O_RDONLY | O_CLOEXEC);
  double number[EACH] = {0};

  if (fd < 0) return sal_fail(SAL_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
  (void)!pread(fd, number, sizeof number, (off_t)next * (off_t)sizeof number);
  close(fd);
  for (int i = 0; i < EACH; ++i)
    if (number[i] != number_of(next, i))
      return sal_fail(SAL_ERR_IO, "%s: rank %d read other numbers than rank %d had written there",
                      path, rank, next);
  return SAL_OK;
}

sal_err sal_folder_probe_parallel(MPI_Comm comm, const char *folder)
{
  char path[PATH_MAX] = "";
  const int rank = sal_collective_rank(comm), n_rank = sal_collective_ranks(comm);

  SAL_TRY(make_file(comm, folder, path));
  sal_err err = sal_collective_error(comm, write_all(comm, rank, path));
  if (err == SAL_OK) err = sal_collective_error(comm, read_next(rank, n_rank, path));
  MPI_Barrier(comm);
  if (rank == 0) (void)unlink(path);
  return err;
}

sal_err sal_folder_probe_nodes(MPI_Comm comm, const char *folder)
{
  return sal_shared_file_try(comm, folder);
}

static sal_err fail_to_lock(const char *path, int why)
{
  const char *cause = why == ENOLCK                        ? " (NFS without rpc.statd and lockd)"
                      : why == ENOSYS || why == EOPNOTSUPP ? " (Lustre without -o flock)"
                                                           : "";

  return sal_fail(SAL_ERR_IO, "%s: files there cannot be locked: %s%s", path, strerror(why), cause);
}

/* As the folder of a run's journals is locked (journal/journal.c). */
static sal_err lock_twice(const char *path, int first)
{
  const int second = open(path, O_RDWR | O_CLOEXEC);
  sal_err err = SAL_OK;

  if (second < 0 || flock(first, LOCK_EX | LOCK_NB) != 0)
    err = fail_to_lock(path, errno);
  else if (flock(second, LOCK_EX | LOCK_NB) == 0)
    err = sal_fail(SAL_ERR_IO,
                   "%s: a file there can be locked twice, so that two runs may write one journal",
                   path);
  if (second >= 0) close(second);
  return err;
}

sal_err sal_folder_probe_lock(const char *folder)
{
  char path[PATH_MAX];
  int first;

  SAL_TRY(new_file(folder, path, &first));
  const sal_err err = lock_twice(path, first);
  close(first);
  (void)unlink(path);
  return err;
}

/* A quota shows only when the space is requested. */
static bool is_beyond_quota(const char *folder, double bytes)
{
  char path[PATH_MAX];
  int fd;

  if (new_file(folder, path, &fd) != SAL_OK) {
    sal_err_clear();
    return false;
  }
  (void)unlink(path);
  const bool beyond = fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes) != 0 && errno == EDQUOT;
  close(fd);
  return beyond;
}

bool sal_folder_probe_room(const char *folder, double bytes, double *room)
{
  *room = sal_folder_probe_free(folder);
  if (*room >= 0 && *room < bytes) return false;
  *room = -1;
  return bytes < 1 || !is_beyond_quota(folder, bytes);
}

double sal_folder_probe_free(const char *folder)
{
  struct statvfs about;

  return statvfs(folder, &about) == 0 ? (double)about.f_bavail * (double)about.f_frsize : -1;
}
