/** Chunks of finished cells, written while others are computed.
 *
 *  The frame is made with the cube, so that they lie after room for it.  From there on nodes have extents of the file by turns, and the
 *  ranks of a node share a counter: no node requests a place of another one.  Extents that a node has not filled are holes.
 */
#include "atomic_file.h"
#include "base.h"
#include "collective_error.h"
#include "config.h"
#include "cube_chunk.h"
#include "cube_frame.h"
#include "cube_write.h"
#include "hints.h"

/* Bytes of an extent; of the metrics that are cut, before they are deflated, at least: of each rank, of all. */
enum { EXTENT = 32 << 20, LEAST_OF_RANK = 8 << 20, LEAST = 16 << 20 };

int64_t sal_cube_ahead_unit(const sal_sweep *s, int n_rank)
{
  double bytes = 0;

  if (!s->without_points || sal_sweep_asks(s, SAL_GROUP_BASIN)) return 0;
  for (int i = 0; i < SAL_METRICS_ALL; ++i)
    if (sal_cube_chunk_is_cut(s, i)) bytes += (double)s->n_cell * (double)sal_cube_chunk_row(s, i);
  return bytes < LEAST || bytes < (double)LEAST_OF_RANK * n_rank ? 0 : sal_cube_chunk(s);
}

sal_err sal_cube_ahead_make(const char *path, MPI_Info hints)
{
  char part[PATH_MAX];
  MPI_File file;

  SAL_TRY(sal_atomic_file_name(path, part));
  /* a parallel file system cuts a file as hints say only when MPI-IO makes it */
  if (hints != MPI_INFO_NULL) {
    sal_atomic_file_discard(path);
    if (MPI_File_open(MPI_COMM_SELF, part, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, hints,
                      &file) == MPI_SUCCESS) {
      MPI_File_close(&file);
      return SAL_OK;
    }
  }
  return sal_atomic_file_begin(path, NULL, 0, 0);
}

/* Collective. */
static sal_err open_part(sal_cube_ahead *a, const char *hints)
{
  const sal_cube_cuts *c = &a->cuts;
  MPI_Info info = MPI_INFO_NULL;

  sal_err err = sal_collective_error(c->comm, sal_hints_make(hints, &info));
  if (err == SAL_OK) err = sal_collective_first(c->comm, sal_cube_ahead_make(c->path, info));
  sal_hints_free(&info);
  SAL_TRY(err);
  SAL_TRY(sal_shared_file_open(c->comm, NULL, c->path, &a->cuts.data));
  return sal_node_words_open(&c->data.node, 1, &a->used);
}

sal_err sal_cube_ahead_open(MPI_Comm comm, const char *path, const sal_sweep *s, const char *hints,
                            sal_cube_ahead **ahead)
{
  sal_cube_ahead *a = *ahead = sal_alloc(1, sizeof *a);
  const sal_err err = a ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);

  if (a)
    *a = (sal_cube_ahead){.cuts = {.comm = comm, .path = path, .data.fd = -1, .place.file.id = -1},
                          .pack = {.path = path, .sweep = s}};
  SAL_TRY(sal_collective_error(comm, err));
  assert(a);
  sal_cube_cuts_open(&a->cuts, s);
  a->cuts.frame = sal_cube_frame_room(s);
  return open_part(a, hints);
}

/* An extent that has no room for all of n bytes is left as it is. */
static sal_err find_place(const sal_cube_ahead *a, int64_t n, int64_t *at)
{
  const sal_node_ranks *node = &a->cuts.data.node;
  int64_t begin;

  if (n > EXTENT) return sal_fail(SAL_ERR_IO, "chunks of a tile take more than an extent");
  do SAL_TRY(sal_node_words_add(&a->used, 0, n, &begin));
  while (begin / EXTENT != (begin + n - 1) / EXTENT);
  *at = a->cuts.frame + (begin / EXTENT * node->n_node + node->number) * EXTENT + begin % EXTENT;
  return SAL_OK;
}

static sal_err put_chunks(sal_cube_ahead *a, const sal_tile_result *cells)
{
  sal_cube_cuts *c = &a->cuts;
  int64_t at = 0;

  SAL_TRY(sal_cube_pack_round(&a->pack, cells));
  SAL_TRY(sal_cube_pack_cut(&a->pack, c));
  SAL_TRY(find_place(a, c->n_deflated, &at));
  return sal_cube_cuts_early(c, at);
}

void sal_cube_ahead_put(sal_cube_ahead *a, const sal_tile_result *cells)
{
  const sal_sweep *s = a->pack.sweep;
  sal_cube_cuts *c = &a->cuts;
  const int64_t unit = sal_cube_chunk(s), skip = (unit - cells->first % unit) % unit,
                end = cells->first + cells->count, n = c->n, n_own = c->n_own;
  const int64_t count = (end == s->n_cell ? end : end / unit * unit) - cells->first - skip;

  if (a->ended || count <= 0) return;
  const sal_tile_result whole = sal_tile_result_part(cells, sal_config_count(s), skip, count);
  a->ended = put_chunks(a, &whole) != SAL_OK;
  sal_cube_pack_end(&a->pack);
  c->n_deflated = 0;
  if (!a->ended) return;
  sal_err_clear();
  c->n = n;
  c->n_own = n_own;
}

void sal_cube_ahead_close(sal_cube_ahead **ahead)
{
  sal_cube_ahead *a = *ahead;

  if (!a) return;
  if (a->cuts.frame > 0 && a->cuts.rank == 0) sal_atomic_file_discard(a->cuts.path);
  sal_node_words_close(&a->used);
  sal_shared_file_drop(&a->cuts.data);
  sal_cube_cuts_free(&a->cuts);
  sal_cube_pack_free(&a->pack);
  sal_free(a);
  *ahead = NULL;
}
