/** Chunks of a metric, deflated. */
#include "array.h"
#include "base.h"
#include "journal_pack.h"
#include "raw.h"
#include "variable.h"
#include <zlib.h>

static sal_err grow(sal_cube_deflate *d, const char *path, int64_t chunk)
{
  char *room = sal_array_grow(d->chunk, 0, chunk, &d->n_chunk, 1);
  if (room) d->chunk = room;
  char *planes = room ? sal_array_grow(d->planes, 0, chunk, &d->n_planes, 1) : NULL;
  if (planes) d->planes = planes;
  char *bytes =
      planes ? sal_array_grow(d->bytes, d->n, (int64_t)compressBound((uLong)chunk), &d->room, 1)
             : NULL;
  if (!bytes) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  d->bytes = bytes;
  return SAL_OK;
}

sal_err sal_cube_deflate_room(sal_cube_deflate *d, const char *path, int64_t chunk, char **room)
{
  SAL_TRY(grow(d, path, chunk));
  *room = d->chunk;
  return SAL_OK;
}

sal_err sal_cube_deflate_add(sal_cube_deflate *d, const char *path, int64_t n, int64_t given,
                             size_t size, const void *value)
{
  const size_t bytes = (size_t)n * size, known = (size_t)given * size;

  SAL_TRY(grow(d, path, (int64_t)bytes));
  if (given < n) {
    if (value != d->chunk) memcpy(d->chunk, value, known);
    memset(d->chunk + known, 0, bytes - known);
    value = d->chunk;
  }
  sal_shuffle(n, size, value, d->planes);
  uLongf made = (uLongf)(d->room - d->n);
  const int code = compress2((Bytef *)d->bytes + d->n, &made, (const Bytef *)d->planes,
                             (uLong)bytes, SAL_VARIABLE_LEVEL);
  if (code != Z_OK) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  d->n += (int64_t)made;
  return SAL_OK;
}

void sal_cube_deflate_free(sal_cube_deflate *d)
{
  sal_free_all(d->bytes, d->chunk, d->planes);
  *d = (sal_cube_deflate){0};
}
