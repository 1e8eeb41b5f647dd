/** @file src/io/shared_file.c
 *  A file that all ranks have open.
 */
#include "shared_file.h"
#include "collective_error.h"
#include "memory.h"
#include <string.h>

enum { BLOCK = 1 << 22 }; /* bytes that are read back at once */

sal_err sal_shared_file_fail(const sal_shared_file *f, const char *what, int code)
{
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;

  MPI_Error_string(code, text, &length);
  return sal_fail(SAL_ERR_IO, "%s: cannot be %s: %.*s", f->path, what, length, text);
}

sal_err sal_shared_file_open(MPI_Comm comm, const char *name, const char *path, MPI_Info hints,
                             sal_shared_file *f)
{
  *f = (sal_shared_file){.path = path, .comm = comm, .data = MPI_FILE_NULL};
  const int code = MPI_File_open(comm, name, MPI_MODE_RDWR, hints, &f->data);
  if (code == MPI_SUCCESS) return SAL_OK;
  f->data = MPI_FILE_NULL;
  return sal_shared_file_fail(f, "written", code);
}

sal_err sal_shared_file_close(sal_shared_file *f)
{
  if (f->data == MPI_FILE_NULL) return SAL_OK;
  int code = MPI_File_sync(f->data);
  const int closed = MPI_File_close(&f->data);
  if (code == MPI_SUCCESS) code = closed;
  f->data = MPI_FILE_NULL;
  return sal_collective_error(
      f->comm, code == MPI_SUCCESS ? SAL_OK : sal_shared_file_fail(f, "written", code));
}

/* A block of at most BLOCK bytes. */
static sal_err put_block(const sal_shared_file *f, const char *what, int64_t at, int n,
                         const char *bytes, char *found)
{
  MPI_Status status;
  int got = 0;

  int code = MPI_File_write_at(f->data, at, bytes, n, MPI_BYTE, &status);
  if (code != MPI_SUCCESS) return sal_shared_file_fail(f, "written", code);
  code = MPI_File_read_at(f->data, at, found, n, MPI_BYTE, &status);
  if (code != MPI_SUCCESS) return sal_shared_file_fail(f, "read", code);
  MPI_Get_count(&status, MPI_BYTE, &got);
  if (got == n && memcmp(bytes, found, (size_t)n) == 0) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: %s reads back other values than were written", f->path, what);
}

sal_err sal_shared_file_put(const sal_shared_file *f, const char *what, int64_t at, int64_t n,
                            const void *bytes)
{
  SAL_OWN char *found = sal_alloc((size_t)(n < BLOCK ? n : BLOCK), 1);

  if (!found) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", f->path);
  for (int64_t done = 0, now; done < n; done += now) {
    now = n - done < BLOCK ? n - done : BLOCK;
    SAL_TRY(put_block(f, what, at + done, (int)now, (const char *)bytes + done, found));
  }
  return SAL_OK;
}
