/** @file src/app/csv_file.c
 *  Text through atomic_file.h.
 */
#include "csv_file.h"
#include "atomic_file.h"
#include <errno.h>
#include <stdbool.h>
#include <string.h>

sal_err sal_csv_begin(const char *path, FILE **out)
{
  char part[PATH_MAX];

  SAL_TRY(sal_atomic_file_name(path, part));
  *out = fopen(part, "w");
  return *out ? SAL_OK : sal_fail(SAL_ERR_IO, "%s: %s", path, strerror(errno));
}

sal_err sal_csv_end(const char *path, FILE *f)
{
  const bool bad = fflush(f) != 0 || ferror(f) != 0;

  if (fclose(f) != 0 || bad) {
    sal_fail(SAL_ERR_IO, "%s: %s", path, strerror(errno));
    sal_atomic_file_discard(path);
    return SAL_ERR_IO;
  }
  return sal_atomic_file_commit(path);
}
