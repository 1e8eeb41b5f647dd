/** @file src/io/cube/cube_write.c
 *  All ranks bring their results into one file.
 *
 *  A rank's cells are scattered runs, since tiles go to the rank that is free.  Per dataset each rank
 *  selects the union of its runs in the file and gives the values packed in file order, so that
 *  one collective call writes it.  What does not fit into memory comes in rounds of such calls.
 */
#include "cube_write.h"
#include "atomic_file.h"
#include "checksum.h"
#include "collective_error.h"
#include "cube_frame.h"
#include "h5.h"
#include "hints.h"
#include "left_pointers.h"
#include "scramble.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* This rank's share of a round, and where it goes. */
typedef struct {
  MPI_Comm comm;
  MPI_Info hints;
  sal_h5 file;
  const sal_sweep *sweep;
  int n_slab;
  const sal_tile_result **result; /* [n_slab] by first cell */
  int64_t n_cell;                 /* in these results */
  int n_record;                   /* per cell */
  void *packed;                   /* [n_cell][n_record] of 8 bytes */
  void *found;                    /* the same, as read back */
  double *quantity;               /* [n_cell][n_column] number and quantities of each cell */
  int n_column;
  hid_t transfer;           /* property list: collective */
  hid_t in_file[2];         /* selection in a metric of the trajectories, and of the cells */
  hid_t in_sums;            /* and in the sums of blocks */
  uint64_t *found_sums;     /* those as read back */
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

/* Selects the cells of this rank in a dataset of n_dim dimensions. */
static sal_err select_cells(const share *s, int n_dim, const hsize_t whole[], hid_t *space)
{
  hsize_t start[SAL_CUBE_DIM] = {0}, size[SAL_CUBE_DIM];

  memcpy(size, whole, sizeof size);
  SAL_TRY_H5(&s->file, *space = H5Screate_simple(n_dim, whole, NULL));
  SAL_TRY_H5(&s->file, H5Sselect_none(*space));
  for (int i = 0; i < s->n_slab;) {
    start[0] = (hsize_t)s->result[i]->first;
    size[0] = 0;
    do /* neighbours become one run */
      size[0] += (hsize_t)s->result[i++]->count;
    while (i < s->n_slab && (hsize_t)s->result[i]->first == start[0] + size[0]);
    SAL_TRY_H5(&s->file, H5Sselect_hyperslab(*space, H5S_SELECT_OR, start, NULL, size, NULL));
  }
  return SAL_OK;
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

static sal_err prepare(share *s, const sal_sweep *sweep, const sal_tile_result result[])
{
  s->n_record = sweep->n_tolerance * sweep->n_strategy * sweep->n_method;
  s->result = sal_alloc((size_t)s->n_slab, sizeof(const sal_tile_result *));
  for (int i = 0; i < s->n_slab; ++i) s->n_cell += result[i].count;
  const size_t n = (size_t)s->n_cell * (size_t)s->n_record;
  s->packed = sal_alloc(n, sizeof(double));
  s->found = sal_alloc(n, sizeof(double));
  s->n_column = sal_cube_create_columns(sweep);
  s->quantity = sal_alloc((size_t)(s->n_cell * s->n_column), sizeof(double));
  if (!s->result || !s->packed || !s->found || !s->quantity) return sal_h5_full(&s->file);

  for (int i = 0; i < s->n_slab; ++i) s->result[i] = &result[i];
  qsort(s->result, (size_t)s->n_slab, sizeof(const sal_tile_result *), by_first_cell);
  find_quantities(s, sweep);
  s->transfer = H5Pcreate(H5P_DATASET_XFER);
  SAL_TRY_H5(&s->file, H5Pset_dxpl_mpio(s->transfer, H5FD_MPIO_COLLECTIVE));

  const hsize_t size[SAL_CUBE_DIM] = {(hsize_t)sweep->n_cell, (hsize_t)sweep->n_tolerance,
                                      (hsize_t)sweep->n_strategy, (hsize_t)sweep->n_method};
  SAL_TRY(select_cells(s, SAL_CUBE_DIM, size, &s->in_file[0]));
  return select_cells(s, 1, size, &s->in_file[1]);
}

/* Packs metric number i (sal_block_metric) of all results. */
static hsize_t pack(const share *s, int i, sal_datatype type)
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
  return (hsize_t)at;
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

/* Values of one dataset on their way: where they go, and the same as read back. */
typedef struct {
  const char *name;
  sal_datatype kept;
  hid_t place; /* selection in the file */
  hsize_t n;
  void *value, *found;
} parcel;

/* Writes the values of all ranks, or reads them back and compares. */
static sal_err move_values(const share *s, const parcel *p, bool back)
{
  const hsize_t room = p->n ? p->n : 1;
  SAL_HID set = H5Dopen2(s->file.id, p->name, H5P_DEFAULT);
  SAL_TRY_H5(&s->file, set);
  SAL_HID type = sal_datatype_hdf5(p->kept);
  SAL_HID memory = H5Screate_simple(1, &room, NULL);

  if (p->n == 0) SAL_TRY_H5(&s->file, H5Sselect_none(memory));
  if (!back) {
    SAL_TRY_H5(&s->file, H5Dwrite(set, type, memory, p->place, s->transfer, p->value));
    return SAL_OK;
  }
  SAL_TRY_H5(&s->file, H5Dread(set, type, memory, p->place, s->transfer, p->found));
  if (p->n == 0 || memcmp(p->value, p->found, p->n * sal_datatype_size(p->kept)) == 0)
    return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: '%s' reads back other values than were written", s->file.path,
                  p->name);
}

/* The packed values of a dataset along cells. */
static sal_err move_packed(const share *s, const char *name, sal_datatype kept, bool of_cell,
                           hsize_t n, bool back)
{
  return move_values(s, &(parcel){name, kept, s->in_file[of_cell], n, s->packed, s->found}, back);
}

/* Selects the places of a list, which ascend, by runs. */
static sal_err select_places(const share *s, const sal_block_list *l, hid_t space)
{
  SAL_TRY_H5(&s->file, H5Sselect_none(space));
  for (int64_t i = 0; i < l->n;) {
    const hsize_t start = (hsize_t)l->at[i];
    hsize_t size = 1;
    while (++i < l->n && (hsize_t)l->at[i] == start + size) ++size;
    SAL_TRY_H5(&s->file, H5Sselect_hyperslab(space, H5S_SELECT_OR, &start, NULL, &size, NULL));
  }
  return SAL_OK;
}

/* The sums of the blocks that this rank has whole: where they go, and room for the way back. */
static sal_err prepare_blocks(share *s)
{
  const hsize_t n = (hsize_t)sal_block_count(s->sweep);

  s->found_sums = sal_alloc((size_t)s->seal.blocks.whole.n + 1, sizeof *s->found_sums);
  if (!s->found_sums || s->seal.blocks.lost) return sal_h5_full(&s->file);
  SAL_TRY_H5(&s->file, s->in_sums = H5Screate_simple(1, &n, NULL));
  return select_places(s, &s->seal.blocks.whole, s->in_sums);
}

static sal_err move_blocks(const share *s, bool back)
{
  const sal_block_list *whole = &s->seal.blocks.whole;

  return move_values(s,
                     &(parcel){SAL_BLOCK_GROUP "/" SAL_BLOCK_SET, SAL_DATATYPE_WHOLE, s->in_sums,
                               (hsize_t)whole->n, whole->sum, s->found_sums},
                     back);
}

static sal_err move_metric(share *s, int i, bool back)
{
  const sal_metric *metric = sal_block_metric(i);
  const sal_datatype kept = sal_datatype_of(metric->kind);
  const hsize_t n = pack(s, i, kept);

  if (!back) seal_packed(s, i, kept);
  return move_packed(s, metric->name, kept, i >= SAL_N_METRIC, n, back);
}

/* Column i of what is along cells. */
static sal_err move_column(share *s, int i, bool back)
{
  char name[SAL_CUBE_CREATE_NAME];
  const sal_datatype kept = sal_cube_create_column(s->sweep, i, name);
  const size_t size = sal_datatype_size(kept);
  const char *at = s->packed;

  sal_datatype_pack(kept, s->n_cell, s->quantity + i, s->n_column, s->packed);
  for (int k = 0; k < s->n_slab && !back; ++k) {
    s->seal.column[i] += sal_checksum_of(s->result[k]->first, s->result[k]->count, size, at);
    at += (size_t)s->result[k]->count * size;
  }
  return move_packed(s, name, kept, true, (hsize_t)s->n_cell, back);
}

/* A failure of HDF5 while all ranks have the file open: it stays open, for to close it is
 * collective and writes again, and ranks that fail there apart wait for each other for ever. */
static sal_err half_open(sal_err err)
{
  if (err != SAL_OK) sal_err_set_abort();
  return err;
}

/* Moves all metrics that the sweep asks for, and what else is along cells; ranks agree after each, and
 * stop together. */
static sal_err move_all(share *s, bool back)
{
  sal_err err = SAL_OK;

  for (int i = 0; i < SAL_BLOCK_METRICS && err == SAL_OK; ++i)
    if (sal_sweep_asks(s->sweep, sal_block_metric(i)->group))
      err = sal_collective_error(s->comm, half_open(move_metric(s, i, back)));
  for (int i = 0; i < s->n_column && err == SAL_OK; ++i)
    err = sal_collective_error(s->comm, half_open(move_column(s, i, back)));
  if (err == SAL_OK && !back) err = sal_collective_error(s->comm, half_open(prepare_blocks(s)));
  if (err == SAL_OK) err = sal_collective_error(s->comm, half_open(move_blocks(s, back)));
  return err;
}

/* Takes what this rank has written to the disk, from the pages of its node. */
static sal_err flush(const share *s)
{
  SAL_TRY_H5(&s->file, H5Fflush(s->file.id, H5F_SCOPE_GLOBAL));
  return SAL_OK;
}

static sal_err open_file(share *s)
{
  SAL_HID access = sal_h5_access();

  SAL_TRY_H5(&s->file, H5Pset_fapl_mpio(access, s->comm, s->hints));
  return sal_h5_open_part(s->file.path, access, &s->file);
}

static void drop_round(share *s)
{
  sal_h5_drop(&s->in_file[0]);
  sal_h5_drop(&s->in_file[1]);
  sal_h5_drop(&s->transfer);
  sal_free(s->result);
  sal_free(s->packed);
  sal_free(s->found);
  sal_free(s->quantity);
  sal_free(s->found_sums);
  sal_h5_drop(&s->in_sums);
  sal_block_sums_next(&s->seal.blocks);
  *s = (share){.comm = s->comm,
               .hints = s->hints,
               .file = s->file,
               .sweep = s->sweep,
               .transfer = -1,
               .in_file = {-1, -1},
               .in_sums = -1,
               .seal = s->seal};
}

static sal_err write_round(share *s, const sal_sweep *sweep, const sal_cube_source *source,
                           int64_t round, uint64_t *cover)
{
  const sal_tile_result *result = NULL;

  SAL_TRY(sal_collective_error(s->comm, source->get(source->with, round, &s->n_slab, &result)));
  SAL_TRY(sal_collective_error(s->comm, prepare(s, sweep, result)));
  *cover += cover_of(s->n_slab, result);
  SAL_TRY(move_all(s, false));
  SAL_TRY(move_all(s, true));
  drop_round(s);
  return SAL_OK;
}

/* Collective.  A file that only some ranks could open is half open. */
static sal_err open_on_all(share *s)
{
  const sal_err err = sal_collective_error(s->comm, open_file(s));

  if (err == SAL_OK) return SAL_OK;
  return sal_collective_error(s->comm, s->file.id >= 0 ? half_open(err) : err);
}

/* Everything is read back before the file counts as written: Open MPI's collective writes may fail
 * on one rank and report success on all.  When not HDF5 but the source has failed, the file can be
 * closed. */
static sal_err write_metrics(share *s, const sal_sweep *sweep, const sal_cube_source *source)
{
  uint64_t cover = 0;
  sal_err err = SAL_OK;

  SAL_TRY(open_on_all(s));
  for (int64_t round = 0; round < source->rounds && err == SAL_OK; ++round)
    err = write_round(s, sweep, source, round, &cover);
  if (err == SAL_OK) err = sal_collective_error(s->comm, half_open(flush(s)));
  if (sal_err_must_abort()) return err;
  const sal_err closed = sal_collective_error(s->comm, half_open(sal_h5_close(&s->file, SAL_OK)));
  if (err == SAL_OK) err = closed;
  if (err == SAL_OK) err = check_cover(s->comm, s->file.path, sweep->n_cell, cover);
  return err == SAL_OK ? sal_cube_seal(s->comm, s->file.path, sweep, &s->seal) : err;
}

/* On one rank.  A parallel file system cuts a file as the hints say only when MPI-IO makes it. */
static sal_err create_part(const share *s, const sal_origin *origin)
{
  char part[PATH_MAX];
  MPI_File file;
  bool made = s->hints != MPI_INFO_NULL;

  if (made) {
    SAL_TRY(sal_atomic_file_name(s->file.path, part));
    sal_atomic_file_discard(s->file.path);
    made = MPI_File_open(MPI_COMM_SELF, part, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR,
                         s->hints, &file) == MPI_SUCCESS;
    if (made) MPI_File_close(&file);
  }
  return sal_cube_create(s->file.path, s->sweep, origin, made);
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
  int rank;

  sal_h5_quiet();
  SAL_TRY_MPI(MPI_Comm_rank(comm, &rank));

  share s = {.comm = comm,
             .hints = MPI_INFO_NULL,
             .file = {.id = -1, .path = path},
             .sweep = sweep,
             .transfer = -1,
             .in_file = {-1, -1},
             .in_sums = -1,
             .seal = {.blocks = {.n_cell = sweep->n_cell}}};
  sal_err err = sal_collective_error(comm, sal_hints_make(source->hints, &s.hints));
  if (err == SAL_OK) err = sal_collective_error(comm, rank == 0 ? create_part(&s, origin) : SAL_OK);
  if (err == SAL_OK) err = write_metrics(&s, sweep, source);
  if (err == SAL_OK && source->add) err = source->add(source->with);
  if (err == SAL_OK)
    err = sal_collective_error(comm, rank == 0 ? commit_cube(path, source->fresh) : SAL_OK);
  if (err != SAL_OK && rank == 0) sal_atomic_file_discard(path);
  drop_round(&s);
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
