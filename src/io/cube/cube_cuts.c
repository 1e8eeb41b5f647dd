/** @file src/io/cube/cube_cuts.c
 *  Chunks of all ranks into the file.
 */
#include "cube_cuts.h"
#include "array.h"
#include "atomic_file.h"
#include "collective_error.h"
#include "cube_chunk.h"
#include "datatype.h"
#include "memory.h"
#include <assert.h>
#include <sys/stat.h>

static sal_err fail_for_room(const sal_cube_cuts *c)
{
  return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", c->path);
}

void sal_cube_cuts_free(sal_cube_cuts *c)
{
  sal_cube_deflate_free(&c->deflated);
  sal_free(c->cut);
  c->cut = NULL;
}

static sal_err note_cut(sal_cube_cuts *c, int i, int64_t first, int64_t bytes)
{
  sal_cube_cut *list = sal_array_grow(c->cut, c->n, 1, &c->room, sizeof *list);

  if (!list) return fail_for_room(c);
  c->cut = list;
  list[c->n++] = (sal_cube_cut){i, first, bytes};
  return SAL_OK;
}

sal_err sal_cube_cuts_add(sal_cube_cuts *c, const sal_sweep *sweep, int i, sal_tile run,
                          const void *packed)
{
  const size_t size = sal_datatype_size(sal_datatype_of(sal_block_metric(i)->kind));
  const int64_t chunk = sal_cube_chunk(sweep), row = sal_cube_chunk_row(sweep, i);
  const int64_t each = row / (int64_t)size, end = run.first + run.count;
  const char *from = packed;

  assert(run.first % chunk == 0 && (end % chunk == 0 || end == sweep->n_cell));
  for (int64_t first = run.first; first < end; first += chunk) {
    const int64_t cells = end - first < chunk ? end - first : chunk, before = c->deflated.n;
    SAL_TRY(sal_cube_deflate_add(&c->deflated, c->path, chunk * each, cells * each, size, from));
    SAL_TRY(note_cut(c, i, first, c->deflated.n - before));
    from += cells * row;
  }
  return SAL_OK;
}

/* On the first rank.  The place of each chunk of all ranks, and room in the file up to the end of them: a full disk
 * is met here, in the system's own words. */
static sal_err place_cuts(sal_cube_cuts *c, int64_t n, const sal_cube_cut all[], int64_t at[])
{
  char part[PATH_MAX];
  struct stat found;
  int64_t end = 0;

  for (int64_t i = 0; i < n; ++i) {
    SAL_TRY(
        sal_cube_place_chunk(&c->place, (int)all[i].metric, all[i].first, all[i].bytes, &at[i]));
    if (at[i] + all[i].bytes > end) end = at[i] + all[i].bytes;
  }
  SAL_TRY(sal_atomic_file_name(c->path, part));
  if (stat(part, &found)) return sal_atomic_file_fail(c->path);
  return found.st_size < end ? sal_atomic_file_room(c->path, end - (int64_t)found.st_size) : SAL_OK;
}

/* Collective.  From the first rank to each its own n of the places of all. */
static sal_err deal_places(const sal_cube_cuts *c, const int64_t all[], int64_t mine[])
{
  SAL_OWN int *count = NULL;
  const int n = (int)c->n;
  int n_rank;

  SAL_TRY_MPI(MPI_Comm_size(c->comm, &n_rank));
  count = sal_alloc(2 * (size_t)n_rank, sizeof *count);
  SAL_TRY(sal_collective_error(c->comm, count ? SAL_OK : fail_for_room(c)));
  assert(count);
  int *before = count + n_rank;
  SAL_TRY_MPI(MPI_Gather(&n, 1, MPI_INT, count, 1, MPI_INT, 0, c->comm));
  for (int i = 1; i < n_rank; ++i) before[i] = before[i - 1] + count[i - 1];
  SAL_TRY_MPI(MPI_Scatterv(all, count, before, MPI_INT64_T, mine, n, MPI_INT64_T, 0, c->comm));
  return SAL_OK;
}

/* Those that lie one after another in one request. */
static sal_err put_cuts(const sal_cube_cuts *c, const int64_t at[])
{
  const char *from = c->deflated.bytes;

  for (int64_t i = 0; i < c->n;) {
    const int64_t begin = at[i];
    int64_t n = 0;
    do n += c->cut[i++].bytes;
    while (i < c->n && at[i] == begin + n);
    SAL_TRY(sal_shared_file_put(&c->data, "a metric", begin, n, from));
    from += n;
  }
  return SAL_OK;
}

/* Collective. */
static sal_err share_places(sal_cube_cuts *c, int64_t mine[])
{
  SAL_OWN void *all = NULL;
  SAL_OWN int64_t *at = NULL;
  int64_t n;
  int rank;
  sal_err err = SAL_OK;

  SAL_TRY_MPI(MPI_Comm_rank(c->comm, &rank));
  SAL_TRY(sal_collective_gather(c->comm, 0, c->n, sizeof *c->cut, c->cut, &n, &all));
  if (rank == 0) {
    at = sal_alloc((size_t)n, sizeof *at);
    err = at ? place_cuts(c, n, all, at) : fail_for_room(c);
  }
  SAL_TRY(sal_collective_error(c->comm, err));
  return deal_places(c, at, mine);
}

sal_err sal_cube_cuts_write(sal_cube_cuts *c)
{
  SAL_OWN int64_t *at = sal_alloc((size_t)c->n, sizeof *at);

  SAL_TRY(sal_collective_error(c->comm, at ? SAL_OK : fail_for_room(c)));
  SAL_TRY(share_places(c, at));
  SAL_TRY(sal_collective_error(c->comm, put_cuts(c, at)));
  c->n = c->deflated.n = 0;
  return SAL_OK;
}
