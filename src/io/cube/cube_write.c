/** All ranks bring their results into one file.
 *
 *  A rank's cells are runs of whole chunks.  For metrics that are cut it makes the chunks as they are in
 *  the file, shuffled and deflated, and writes them after those of the ranks before it; one rank indexes
 *  them.  A dataset in one piece has its place from the beginning.  Data larger than memory come in rounds.
 */
#include "cube_write.h"
#include "atomic_file.h"
#include "checksum.h"
#include "collective_error.h"
#include "cube_chunk.h"
#include "cube_frame.h"
#include "h5.h"
#include "hints.h"
#include "raw.h"
#include "scramble.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Datasets along cells: metrics; number, parameters, options and initial states; sums of blocks. */
enum { COLUMN = SAL_BLOCK_METRICS, SUMS = COLUMN + 1 + SAL_MAX_QUANTITY, N_SET };

/* This rank's share of a round, and where it goes. */
typedef struct {
  MPI_Comm comm;
  int rank;
  MPI_Info hints;
  const char *path;
  const sal_sweep *sweep;
  int64_t at[N_SET]; /* where those in one piece begin */
  int n_slab;
  const sal_tile_result **result; /* [n_slab] by first cell */
  int64_t n_cell;                 /* in these results */
  int n_record;                   /* per cell */
  void *packed;                   /* [n_cell][n_record] of 8 bytes */
  double *quantity;               /* [n_cell][n_column] number and quantities of each cell */
  int n_column;
  sal_cube_cuts cuts;
  sal_cube_seal_share seal; /* of all rounds */
} share;

static int by_first_cell(const void *a, const void *b)
{
  const int64_t x = (*(const sal_tile_result *const *)a)->first,
                y = (*(const sal_tile_result *const *)b)->first;

  return (x > y) - (x < y);
}

/* Scrambled first cells less scrambled ends. */
static uint64_t cover_of(int n_slab, const sal_tile_result result[])
{
  uint64_t sum = 0;

  for (int i = 0; i < n_slab; ++i)
    sum += sal_scramble((uint64_t)result[i].first) -
           sal_scramble((uint64_t)(result[i].first + result[i].count));
  return sum;
}

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

static void find_quantities(share *s, const sal_sweep *sweep)
{
  const sal_model *m = sweep->model;
  double *at = s->quantity;

  for (int i = 0; i < s->n_slab; ++i)
    for (int64_t c = 0; c < s->result[i]->count; ++c, at += s->n_column) {
      at[0] = (double)(s->result[i]->first + c + 1);
      sal_sweep_cell(sweep, s->result[i]->first + c, at + 1, at + 1 + m->n_param + m->n_option);
    }
}

/* Packs metric number i (sal_block_metric) of all results. */
static void pack(const share *s, int i, sal_datatype type)
{
  const bool of_cell = i >= SAL_N_METRIC;
  const int m = of_cell ? i - SAL_N_METRIC : i;
  int64_t at = 0;

  for (int k = 0; k < s->n_slab; ++k) {
    const sal_tile_result *result = s->result[k];
    const int64_t n = of_cell ? result->count : result->count * s->n_record;
    const double *from = of_cell ? &result->cell[0].value[m] : &result->record[0].value[m];
    sal_datatype_pack(type, n, from, of_cell ? SAL_N_CELL_METRIC : SAL_N_METRIC,
                      (char *)s->packed + (size_t)at * sal_datatype_size(type));
    at += n;
  }
}

/* Adds a packed metric to what is known of all its values. */
static void seal_packed(share *s, int i, sal_datatype type)
{
  const int each = i >= SAL_N_METRIC ? 1 : s->n_record;
  const char *at = s->packed;
  sal_block_place place[SAL_BLOCK_METRICS];

  sal_block_places(s->sweep, place);
  sal_block_sums_begin(&s->seal.blocks, place[i]);
  for (int k = 0; k < s->n_slab; ++k) {
    const sal_tile_result *result = s->result[k];
    sal_cube_seal_add(&s->seal, i, result->first, result->count, each, at);
    at += (size_t)(result->count * each) * sal_datatype_size(type);
  }
  sal_block_sums_end(&s->seal.blocks);
}

static sal_err fail_for_room(const share *s)
{
  return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", s->path);
}

static sal_err prepare(share *s, const sal_sweep *sweep, const sal_tile_result result[])
{
  s->n_record = sweep->n_tolerance * sweep->n_strategy * sweep->n_method;
  s->result = sal_alloc((size_t)s->n_slab, sizeof(const sal_tile_result *));
  for (int i = 0; i < s->n_slab; ++i) s->n_cell += result[i].count;
  const size_t n = (size_t)s->n_cell * (size_t)s->n_record;
  s->packed = sal_alloc(n, sizeof(double));
  s->n_column = sal_cube_create_columns(sweep);
  s->quantity = sal_alloc((size_t)(s->n_cell * s->n_column), sizeof(double));
  if (!s->result || !s->packed || !s->quantity) return fail_for_room(s);

  for (int i = 0; i < s->n_slab; ++i) s->result[i] = &result[i];
  qsort(s->result, (size_t)s->n_slab, sizeof(const sal_tile_result *), by_first_cell);
  find_quantities(s, sweep);
  return SAL_OK;
}

/* The run of cells that begins with result number i: results that follow each other are one. */
static sal_tile run_at(const share *s, int *i)
{
  sal_tile run = {s->result[*i]->first, 0};

  do run.count += s->result[(*i)++]->count;
  while (*i < s->n_slab && s->result[*i]->first == run.first + run.count);
  return run;
}

/* The packed values of a dataset in one piece, `row` bytes of each cell, to where it begins. */
static sal_err put_whole(const share *s, const char *name, int64_t at, int64_t row)
{
  const char *from = s->packed;

  for (int i = 0; i < s->n_slab;) {
    const sal_tile run = run_at(s, &i);
    SAL_TRY(sal_shared_file_put(&s->cuts.data, name, at + run.first * row, run.count * row, from));
    from += run.count * row;
  }
  return SAL_OK;
}

/* The chunks of the packed values of metric i. */
static sal_err deflate_metric(share *s, int i)
{
  const char *from = s->packed;

  for (int k = 0; k < s->n_slab;) {
    const sal_tile run = run_at(s, &k);
    SAL_TRY(sal_cube_cuts_add(&s->cuts, i, run, from));
    from += run.count * sal_cube_chunk_row(s->sweep, i);
  }
  return SAL_OK;
}

static sal_err put_metric(share *s, int i)
{
  const sal_metric *metric = sal_block_metric(i);
  const sal_datatype kept = sal_datatype_of(metric->kind);

  pack(s, i, kept);
  seal_packed(s, i, kept);
  if (sal_cube_chunk_is_cut(s->sweep, i)) return deflate_metric(s, i);
  return put_whole(s, metric->name, s->at[i], sal_cube_chunk_row(s->sweep, i));
}

/* Column i of what is along cells. */
static sal_err put_column(share *s, int i)
{
  char name[SAL_CUBE_CREATE_NAME];
  const sal_datatype kept = sal_cube_create_column(s->sweep, i, name);
  const size_t size = sal_datatype_size(kept);
  const char *at = s->packed;

  sal_datatype_pack(kept, s->n_cell, s->quantity + i, s->n_column, s->packed);
  for (int k = 0; k < s->n_slab; ++k) {
    s->seal.column[i] += sal_checksum_of(s->result[k]->first, s->result[k]->count, size, at);
    at += (size_t)s->result[k]->count * size;
  }
  return put_whole(s, name, s->at[COLUMN + i], (int64_t)size);
}

/* The sums of the blocks that this rank has whole, whose places ascend, by runs. */
static sal_err put_sums(const share *s)
{
  const sal_block_list *l = &s->seal.blocks.whole;
  const int64_t size = sizeof *l->sum;

  if (s->seal.blocks.lost) return fail_for_room(s);
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
  for (int i = 0; i < SAL_BLOCK_METRICS; ++i)
    if (sal_sweep_asks(s->sweep, sal_block_metric(i)->group)) SAL_TRY(put_metric(s, i));
  for (int i = 0; i < s->n_column; ++i) SAL_TRY(put_column(s, i));
  return put_sums(s);
}

/* ---- rounds ---- */

static void drop_round(share *s)
{
  sal_free(s->result);
  sal_free(s->packed);
  sal_free(s->quantity);
  s->result = NULL;
  s->packed = NULL;
  s->quantity = NULL;
  s->n_slab = 0;
  s->n_cell = 0;
  sal_block_sums_next(&s->seal.blocks);
}

static sal_err write_round(share *s, const sal_cube_source *source, int64_t round, uint64_t *cover)
{
  const sal_tile_result *result = NULL;

  SAL_TRY(sal_collective_error(s->comm, source->get(source->with, round, &s->n_slab, &result)));
  SAL_TRY(sal_collective_error(s->comm, prepare(s, s->sweep, result)));
  *cover += cover_of(s->n_slab, result);
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
  for (int i = 0; i < SAL_BLOCK_METRICS; ++i)
    if (sal_sweep_asks(s->sweep, sal_block_metric(i)->group) && !sal_cube_chunk_is_cut(s->sweep, i))
      SAL_TRY(sal_cube_place_whole(&s->cuts.place, sal_block_metric(i)->name, &s->at[i]));
  for (int i = 0; i < sal_cube_create_columns(s->sweep); ++i) {
    sal_cube_create_column(s->sweep, i, name);
    SAL_TRY(sal_cube_place_whole(&s->cuts.place, name, &s->at[COLUMN + i]));
  }
  return sal_cube_place_whole(&s->cuts.place, SAL_BLOCK_GROUP "/" SAL_BLOCK_SET, &s->at[SUMS]);
}

/* Collective. */
static sal_err open_file(share *s)
{
  char part[PATH_MAX];

  SAL_TRY(sal_collective_error(s->comm, s->rank == 0 ? place_wholes(s) : SAL_OK));
  SAL_TRY_MPI(MPI_Bcast(s->at, N_SET, MPI_INT64_T, 0, s->comm));
  SAL_TRY(sal_cube_cuts_begin(&s->cuts, s->sweep));
  sal_err err = sal_atomic_file_name(s->path, part);
  SAL_TRY(sal_collective_error(s->comm, err));
  return sal_collective_error(s->comm, sal_shared_file_open(s->comm, part, s->path, &s->cuts.data));
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
  const sal_err indexed =
      sal_collective_error(s->comm, s->rank == 0 ? sal_cube_cuts_end(&s->cuts, err) : SAL_OK);
  if (err == SAL_OK) err = indexed;
  const sal_err closed = sal_shared_file_close(&s->cuts.data);
  if (err == SAL_OK) err = closed;
  sal_cube_cuts_free(&s->cuts); /* the map needs the room */
  return err == SAL_OK ? sal_cube_seal(s->comm, s->path, s->sweep, &s->seal) : err;
}

/* On one rank.  A parallel file system cuts a file as the hints say only when MPI-IO makes it. */
static sal_err create_part(const share *s, const sal_origin *origin)
{
  char part[PATH_MAX];
  MPI_File file;
  bool made = s->hints != MPI_INFO_NULL;

  if (made) {
    SAL_TRY(sal_atomic_file_name(s->path, part));
    sal_atomic_file_discard(s->path);
    made = MPI_File_open(MPI_COMM_SELF, part, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR,
                         s->hints, &file) == MPI_SUCCESS;
    if (made) MPI_File_close(&file);
  }
  return sal_cube_create(s->path, s->sweep, origin, made);
}

/* On one rank. */
static sal_err commit_cube(const char *path, bool fresh)
{
  SAL_TRY(fresh ? sal_atomic_file_commit_new(path) : sal_atomic_file_commit(path));
  sal_left_pointers_remove(path);
  return SAL_OK;
}

sal_err sal_cube_write_rounds(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                              const sal_origin *origin, const sal_cube_source *source)
{
  share s = {.comm = comm,
             .hints = MPI_INFO_NULL,
             .path = path,
             .sweep = sweep,
             .cuts = {.comm = comm,
                      .path = path,
                      .data.fd = -1,
                      .data.comm = MPI_COMM_NULL,
                      .place.file.id = -1},
             .seal = {.blocks = {.n_cell = sweep->n_cell}}};

  sal_h5_quiet();
  SAL_TRY_MPI(MPI_Comm_rank(comm, &s.rank));
  sal_err err = sal_collective_error(comm, sal_hints_make(source->hints, &s.hints));
  if (err == SAL_OK)
    err = sal_collective_error(comm, s.rank == 0 ? create_part(&s, origin) : SAL_OK);
  if (err == SAL_OK) err = write_metrics(&s, source);
  if (err == SAL_OK && source->add) err = source->add(source->with);
  if (err == SAL_OK)
    err = sal_collective_error(comm, s.rank == 0 ? commit_cube(path, source->fresh) : SAL_OK);
  if (err != SAL_OK && s.rank == 0) sal_atomic_file_discard(path);
  drop_round(&s);
  sal_cube_cuts_free(&s.cuts);
  sal_block_sums_free(&s.seal.blocks);
  sal_hints_free(&s.hints);
  return err;
}

/* Slabs that are in memory already. */
typedef struct {
  int n_slab;
  const sal_tile_result *result;
} at_hand;

static sal_err get_at_hand(void *with, int64_t round, int *n_slab, const sal_tile_result **result)
{
  const at_hand *all = with;

  (void)round;
  *n_slab = all->n_slab;
  *result = all->result;
  return SAL_OK;
}

sal_err sal_cube_write(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                       const sal_origin *origin, int n_slab, const sal_tile_result result[])
{
  at_hand all = {n_slab, result};
  const sal_cube_source source = {.rounds = 1, .get = get_at_hand, .with = &all};

  SAL_TRY(check_cover(comm, path, sweep->n_cell, cover_of(n_slab, result)));
  return sal_cube_write_rounds(comm, path, sweep, origin, &source);
}
