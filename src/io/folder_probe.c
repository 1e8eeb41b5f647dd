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
static sal_err make_file(MPI_Comm comm, int rank, const char *folder, char path[PATH_MAX])
{
  sal_err err = SAL_OK;

  if (rank == 0) {
    int fd;
    err = new_file(folder, path, &fd);
    if (err == SAL_OK) close(fd);
  }
  SAL_TRY(sal_collective_error(comm, err));
  SAL_TRY_MPI(MPI_Bcast(path, PATH_MAX, MPI_CHAR, 0, comm));
  return SAL_OK;
}

static sal_err open_set(MPI_Comm comm, int n_rank, bool create, sal_h5 *file, hid_t *set)
{
  SAL_HID access = sal_h5_access();
  const hsize_t size = (hsize_t)n_rank * EACH;

  SAL_TRY_H5(file, H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL));
  SAL_TRY_H5(file, file->id = create ? H5Fcreate(file->path, H5F_ACC_TRUNC, H5P_DEFAULT, access)
                                     : H5Fopen(file->path, H5F_ACC_RDONLY, access));
  if (!create) {
    SAL_TRY_H5(file, *set = H5Dopen2(file->id, "probe", H5P_DEFAULT));
    return SAL_OK;
  }
  SAL_HID space = H5Screate_simple(1, &size, NULL);
  SAL_TRY_H5(file, *set = H5Dcreate2(file->id, "probe", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT));
  return SAL_OK;
}

/* The numbers of the rank `of`, all ranks at once. */
static sal_err move(const sal_h5 *file, hid_t set, int of, bool write, double number[])
{
  const hsize_t first = (hsize_t)of * EACH, n = EACH;
  SAL_HID space = H5Dget_space(set);
  SAL_HID memory = H5Screate_simple(1, &n, NULL);
  SAL_HID transfer = H5Pcreate(H5P_DATASET_XFER);

  SAL_TRY_H5(file, H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE));
  SAL_TRY_H5(file, H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &n, NULL));
  SAL_TRY_H5(file, write ? H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, transfer, number)
                         : H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, transfer, number));
  return SAL_OK;
}

static double number_of(int rank, int i) { return rank * 1e6 + i; }

static sal_err write_all(MPI_Comm comm, int rank, int n_rank, sal_h5 *file)
{
  double number[EACH];
  SAL_HID set = -1;

  for (int i = 0; i < EACH; ++i) number[i] = number_of(rank, i);
  SAL_TRY(sal_collective_error(comm, open_set(comm, n_rank, true, file, &set)));
  return sal_collective_error(comm, move(file, set, rank, true, number));
}

static sal_err read_all(MPI_Comm comm, int rank, int n_rank, sal_h5 *file)
{
  const int next = (rank + 1) % n_rank;
  double number[EACH] = {0};
  SAL_HID set = -1;
  sal_err err = SAL_OK;

  SAL_TRY(sal_collective_error(comm, open_set(comm, n_rank, false, file, &set)));
  SAL_TRY(sal_collective_error(comm, move(file, set, next, false, number)));
  for (int i = 0; i < EACH && err == SAL_OK; ++i)
    if (number[i] != number_of(next, i))
      err = sal_fail(SAL_ERR_IO, "%s: rank %d read other numbers than rank %d had written there",
                     file->path, rank, next);
  return sal_collective_error(comm, err);
}

sal_err sal_folder_probe_parallel(MPI_Comm comm, const char *folder)
{
  char path[PATH_MAX] = "";
  sal_h5 file = {.id = -1, .path = path};
  int rank, n_rank;

  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n_rank);
  sal_h5_quiet();
  SAL_TRY(make_file(comm, rank, folder, path));
  sal_err err = sal_h5_close(&file, write_all(comm, rank, n_rank, &file));
  file.id = -1;
  if (err == SAL_OK) err = sal_h5_close(&file, read_all(comm, rank, n_rank, &file));
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
