/** All ranks bring their results into one file.
 *
 *  A rank's cells are runs of whole chunks.  For metrics that are cut it makes the chunks as they are in
 *  the file, shuffled and deflated, and writes them after those of the ranks before it; one rank indexes
 *  them.  A dataset in one piece has its place from the beginning.  Data larger than memory come in rounds.
 */
#include "cube_write.h"
#include "atomic_file.h"
#include "collective_error.h"
#include "cube_chunk.h"
#include "cube_frame.h"
#include "hints.h"
#include "scramble.h"
#include <stdlib.h>

/* Datasets along cells: metrics; number, parameters, options and initial states; sums of blocks. */
enum { COLUMN = SAL_METRICS_ALL, SUMS = COLUMN + 1 + SAL_MAX_QUANTITY, N_SET };

/* This rank's share of a round, and where it goes. */
typedef struct {
  MPI_Comm comm;
  int rank;
  MPI_Info hints;
  const char *path;
  const sal_sweep *sweep;
  int64_t at[N_SET]; /* where those in one piece begin */
  sal_cube_pack pack;
  sal_cube_cuts cuts;
  sal_cube_seal_share seal; /* of all rounds */
} share;

/* Collective.  Did the results of all ranks and rounds hold each cell once?  Then each result ended
 * where another began, and these sums telescope to 0 less n_cell; of any other set of runs they do
 * so by a chance of 2^-64 only.  No rank has to know of another's results. */
static sal_err check_cover(MPI_Comm comm, const char *path, int64_t n_cell, uint64_t sum)
{
  uint64_t total;

  SAL_TRY_MPI(MPI_Allreduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, comm));
  if (total == sal_scramble(0) - sal_scramble((uint64_t)n_cell)) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: the results do not hold each of the %lld cells once", path,
                  (long long)n_cell);
}

/* Adds the sums of a metric to what is known of all its values. */
static void seal_packed(share *s, int i)
{
  const sal_cube_pack *p = &s->pack;
  sal_block_place place[SAL_METRICS_ALL];

  sal_block_places(s->sweep, place);
  for (int64_t k = 0; k < p->n_piece; ++k)
    s->seal.missing[i] += p->metric[i * p->n_piece + k].missing;
  sal_block_sums_begin(&s->seal.blocks, place[i]);
  s->seal.sum[i] +=
      sal_block_sums_add(&s->seal.blocks, p->of->first, p->of->count, p->sum + i * p->of->count);
  sal_block_sums_end(&s->seal.blocks);
}

/* Packed values of a dataset in one piece, `row` bytes of each cell, to where it begins. */
static sal_err put_whole(const share *s, const char *name, int64_t at, int64_t row,
                         const char *from)
{
  return sal_shared_file_put(&s->cuts.data, name, at + s->pack.of->first * row,
                             s->pack.of->count * row, from);
}

static sal_err put_metric(share *s, int i)
{
  seal_packed(s, i);
  if (sal_cube_chunk_is_cut(s->sweep, i)) return SAL_OK;
  return put_whole(s, sal_metric_at(i)->name, s->at[i], sal_cube_chunk_row(s->sweep, i),
                   s->pack.whole + s->pack.begin[i]);
}

/* Column i of what is along cells. */
static sal_err put_column(share *s, int i)
{
  char name[SAL_CUBE_CREATE_NAME];
  const sal_datatype kept = sal_cube_create_column(s->sweep, i, name);
  const size_t size = sal_datatype_size(kept);
  const int64_t n = s->pack.of->count;
  SAL_OWN char *packed = sal_alloc((size_t)n, size);

  if (!packed) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", s->path);
  sal_datatype_pack(kept, n, s->pack.quantity + i, s->pack.n_column, packed);
  s->seal.column[i] += sal_checksum_of(s->pack.of->first, n, size, packed);
  return put_whole(s, name, s->at[COLUMN + i], (int64_t)size, packed);
}

/* The sums of the blocks that this rank has whole, whose places ascend, by runs. */
static sal_err put_sums(const share *s)
{
  const sal_block_list *l = &s->seal.blocks.whole;
  const int64_t size = sizeof *l->sum;

  if (s->seal.blocks.lost) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", s->path);
  for (int64_t i = 0, n; i < l->n; i += n) {
    for (n = 1; i + n < l->n && l->at[i + n] == l->at[i] + n;) ++n;
    SAL_TRY(sal_shared_file_put(&s->cuts.data, SAL_BLOCK_GROUP, s->at[SUMS] + l->at[i] * size,
                                n * size, &l->sum[i]));
  }
  return SAL_OK;
}

/* All that has its place; chunks are made. */
static sal_err put_all(share *s)
{
  for (int i = 0; i < SAL_METRICS_ALL; ++i)
    if (sal_sweep_keeps(s->sweep, i)) SAL_TRY(put_metric(s, i));
  SAL_TRY(sal_cube_pack_cut(&s->pack, &s->cuts));
  for (int i = 0; i < s->pack.n_column; ++i) SAL_TRY(put_column(s, i));
  return put_sums(s);
}

static void drop_round(share *s)
{
  sal_cube_pack_end(&s->pack);
  sal_block_sums_next(&s->seal.blocks);
}

static sal_err write_round(share *s, const sal_cube_source *source, int64_t round, uint64_t *cover)
{
  sal_tile_result result = {0};

  SAL_TRY(sal_collective_error(s->comm, source->get(source->with, round, &result)));
  SAL_TRY(sal_collective_error(s->comm, sal_cube_pack_round(&s->pack, &result)));
  *cover +=
      sal_scramble((uint64_t)result.first) - sal_scramble((uint64_t)(result.first + result.count));
  SAL_TRY(sal_collective_error(s->comm, put_all(s)));
  SAL_TRY(sal_cube_cuts_write(&s->cuts));
  drop_round(s);
  return SAL_OK;
}

/* On the first rank: where all begins that is in one piece. */
static sal_err place_wholes(share *s)
{
  char name[SAL_CUBE_CREATE_NAME];

  SAL_TRY(sal_cube_place_open(s->path, &s->cuts.place));
  for (int i = 0; i < SAL_METRICS_ALL; ++i)
    if (sal_sweep_keeps(s->sweep, i) && !sal_cube_chunk_is_cut(s->sweep, i))
      SAL_TRY(sal_cube_place_whole(&s->cuts.place, sal_metric_at(i)->name, &s->at[i]));
  for (int i = 0; i < sal_cube_create_columns(s->sweep); ++i) {
    sal_cube_create_column(s->sweep, i, name);
    SAL_TRY(sal_cube_place_whole(&s->cuts.place, name, &s->at[COLUMN + i]));
  }
  return sal_cube_place_whole(&s->cuts.place, SAL_BLOCK_GROUP "/" SAL_BLOCK_SET, &s->at[SUMS]);
}

/* Collective. */
static sal_err open_file(share *s)
{
  SAL_TRY(sal_collective_first(s->comm, place_wholes(s)));
  SAL_TRY_MPI(MPI_Bcast(s->at, N_SET, MPI_INT64_T, 0, s->comm));
  SAL_TRY(sal_cube_cuts_begin(&s->cuts));
  s->pack.there = s->cuts.there;
  if (s->cuts.frame > 0) return SAL_OK; /* open since the first chunks */
  sal_shared_file_drop(&s->cuts.data);
  return sal_shared_file_open(s->comm, NULL, s->path, &s->cuts.data);
}

/* Collective. */
static sal_err write_all(share *s, const sal_cube_source *source, uint64_t *cover)
{
  SAL_TRY(open_file(s));
  for (int64_t round = 0; round < source->rounds; ++round)
    SAL_TRY(write_round(s, source, round, cover));
  return SAL_OK;
}

static sal_err write_metrics(share *s, const sal_cube_source *source)
{
  uint64_t cover = 0;

  sal_err err = write_all(s, source, &cover);
  if (err == SAL_OK) err = check_cover(s->comm, s->path, s->sweep->n_cell, cover);
  sal_cube_pack_free(&s->pack); /* the index needs the room .. */
  const sal_err indexed = sal_collective_first(s->comm, sal_cube_cuts_end(&s->cuts, err));
  if (err == SAL_OK) err = indexed;
  const sal_err closed = sal_shared_file_close(&s->cuts.data);
  if (err == SAL_OK) err = closed;
  sal_cube_cuts_free(&s->cuts); /* .. and the map, too */
  return err == SAL_OK ? sal_cube_seal(s->comm, s->path, s->sweep, &s->seal) : err;
}

/* On one rank.  Another program may have removed the file with the first chunks, or put its own in that place. */
static sal_err create_part(share *s, const sal_origin *origin)
{
  if (!sal_shared_file_is_part(&s->cuts.data)) s->cuts.frame = 0;
  if (s->cuts.frame == 0) SAL_TRY(sal_cube_ahead_make(s->path, s->hints));
  return sal_cube_create(s->path, s->sweep, origin);
}

/* On one rank. */
static sal_err commit_cube(const char *path, bool fresh)
{
  return fresh ? sal_atomic_file_commit_new(path) : sal_atomic_file_commit(path);
}

sal_err sal_cube_write_rounds(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                              const sal_origin *origin, const sal_cube_source *source)
{
  share s = {.comm = comm,
             .hints = MPI_INFO_NULL,
             .path = path,
             .sweep = sweep,
             .pack = {.path = path, .sweep = sweep},
             .cuts = {.comm = comm, .path = path, .data.fd = -1, .place.file.id = -1},
             .seal = {.blocks = {.n_cell = sweep->n_cell}}};

  sal_h5_quiet();
  sal_cube_cuts_open(&s.cuts, sweep);
  if (source->ahead) {
    s.cuts = source->ahead->cuts;
    source->ahead->cuts = (sal_cube_cuts){.data.fd = -1};
  }
  s.rank = sal_collective_rank(comm);
  sal_err err = sal_collective_error(comm, sal_hints_make(source->hints, &s.hints));
  if (err == SAL_OK) err = sal_collective_first(comm, create_part(&s, origin));
  if (err == SAL_OK) err = write_metrics(&s, source);
  if (err == SAL_OK && source->add) err = source->add(source->with);
  if (err == SAL_OK) err = sal_collective_first(comm, commit_cube(path, source->fresh));
  if (err != SAL_OK && s.rank == 0) sal_atomic_file_discard(path);
  sal_shared_file_drop(&s.cuts.data); /* open after a failure alone */
  sal_cube_cuts_free(&s.cuts);
  sal_block_sums_free(&s.seal.blocks);
  sal_hints_free(&s.hints);
  return err;
}
