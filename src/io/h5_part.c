/** Parts that HDF5 writes to. */
#include "h5_part.h"
#include "atomic_file.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

sal_err sal_h5_part_open(const char *path, const sal_h5_append_driver *is, sal_h5 *file)
{
  static const sal_h5_append_driver plain = {.size = 0};
  SAL_HID access = sal_h5_access();

  *file = (sal_h5){.id = -1, .path = path};
  SAL_TRY_H5(file, access);
  SAL_TRY_H5(file, sal_h5_append_driver_set(access, is ? is : &plain));
  return sal_h5_open_part(path, access, file);
}

/* HDF5 opens no file that is shorter than it is said to be; what was claimed beyond is given back. */
static sal_err set_length(const char *path, off_t size)
{
  char part[PATH_MAX];
  struct stat found;

  SAL_TRY(sal_atomic_file_name(path, part));
  const bool bad = stat(part, &found) || (found.st_size != size && truncate(part, size));
  return bad ? sal_atomic_file_fail(path) : SAL_OK;
}

sal_err sal_h5_part_close(sal_h5 *file, sal_err err)
{
  haddr_t end = 0;

  if (file->id < 0) return err;
  if (err == SAL_OK && H5Fflush(file->id, H5F_SCOPE_GLOBAL) < 0) err = sal_h5_fail(file);
  /* nothing of what closing writes gets into the file, nor can it fail */
  const int why = sal_h5_append_driver_freeze(file->id, &end);
  if (why && err == SAL_OK) {
    errno = why;
    err = sal_atomic_file_fail(file->path);
  }
  if (err == SAL_OK) err = set_length(file->path, (off_t)end);
  return sal_h5_close(file, err);
}
