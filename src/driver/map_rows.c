/** Results to rows, counted and dealt out. */
#include "map_rows.h"
#include "base.h"
#include "collective_error.h"
#include "cutoff.h"
#include "exchange.h"
#include "sched.h"

/* Size of a block that a rank reads at once, in all columns of a record [B]; the narrowest column takes an eighth of it in the cube. */
enum { BLOCK_BYTES = 32 << 20 };
enum { PIECE = 16 }; /* cells whose rows a thread fills at once */

struct sal_map_rows {
  MPI_Comm comm;
  int rank, n_rank;
  sal_performance_rows_of of;
  sal_cell_order *order;
  sal_row_store *store;
  sal_map_census census; /* of this rank */
};

bool sal_map_rows_presets(const sal_sweep *s, sal_performance_rows_of *of)
{
  *of = (sal_performance_rows_of){.sweep = s,
                                  .by = s->map_by,
                                  .weights = sal_work_presets(s),
                                  .points = s->map_by->trajectory && sal_cutoff_keeps_points(s)};
  return sal_sweep_asks(s, sal_metrics[s->map_by->error].group);
}

/* Collective. */
static sal_err begin(sal_map_rows *r)
{
  r->rank = sal_collective_rank(r->comm);
  r->n_rank = sal_collective_ranks(r->comm);
  SAL_TRY(sal_collective_error(r->comm, sal_cell_order_create(r->of.sweep, &r->order)));
  return sal_row_store_create(r->comm, &r->of, r->order, &r->store);
}

sal_err sal_map_rows_create(MPI_Comm comm, const sal_performance_rows_of *of, sal_map_rows **rows)
{
  sal_map_rows *r = *rows = sal_alloc(1, sizeof *r);

  SAL_TRY(sal_collective_error(comm, r ? SAL_OK
                                       : sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map")));
  assert(r);
  *r = (sal_map_rows){.comm = comm, .of = *of};
  sal_points_range_clear(&r->census.range);
  const sal_err err = begin(r);
  if (err != SAL_OK) sal_map_rows_free(rows);
  return err;
}

void sal_map_rows_free(sal_map_rows **rows)
{
  sal_map_rows *r = *rows;

  if (r) {
    sal_row_store_free(&r->store);
    sal_cell_order_free(&r->order);
  }
  sal_free(r);
  *rows = NULL;
}

const sal_cell_order *sal_map_rows_order(const sal_map_rows *r) { return r->order; }

sal_row_store *sal_map_rows_store(const sal_map_rows *r) { return r->store; }

sal_err sal_map_rows_agree(const sal_map_rows *r, sal_err here)
{
  SAL_TRY(sal_row_store_meet(r->store));
  return sal_collective_error(r->comm, here);
}

/* Rows of n cells from `first` on, and these, freed by the caller. */
static sal_err make_rows(const sal_map_rows *r, int64_t first, int64_t n,
                         sal_performance_table *rows, int64_t **cell)
{
  SAL_TRY(sal_performance_create(r->of.sweep, n > 0 ? n : 1, r->of.by, &r->of.weights, r->of.points,
                                 r->of.timed, rows));
  rows->n_cell = n;
  *cell = sal_alloc((size_t)n + 1, sizeof **cell);
  if (!*cell) return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map");
  for (int64_t i = 0; i < n; ++i) (*cell)[i] = first + i;
  return SAL_OK;
}

static sal_err count_rows(sal_map_rows *r, const sal_performance_table *rows)
{
  sal_performance_census *sum = &r->census.of;

  sum->counted += rows->n_counted;
  sum->censored += rows->n_censored;
  for (int64_t i = 0; i < rows->n_cell * rows->n_config; ++i)
    sum->timed += rows->sd && isfinite(rows->error[i]) && rows->sd[i] > 0;
  return rows->sd ? sal_performance_range(rows, &r->census.range) : SAL_OK;
}

/* A result and its rows, in pieces for the threads. */
typedef struct {
  const sal_tile_result *result;
  sal_performance_table *rows;
  _Atomic int64_t counted, censored;
} filling;

static sal_err fill_piece(void *with, int64_t i, int thread)
{
  filling *f = with;
  const int64_t at = i * PIECE, left = f->result->count - at, n = left < PIECE ? left : PIECE;
  sal_performance_table own = *f->rows; /* the same rows, with counts of their own */

  (void)thread;
  own.n_counted = own.n_censored = 0;
  sal_tile_result part = sal_tile_result_part(f->result, own.n_config, at, n);
  part.first = at; /* its rows, in the table */
  sal_performance_add(&own, &part);
  f->counted += own.n_counted;
  f->censored += own.n_censored;
  return SAL_OK;
}

static sal_err fill_rows(sal_map_rows *r, const sal_tile_result *result,
                         sal_performance_table *rows, int64_t **cell)
{
  SAL_TRY(make_rows(r, result->first, result->count, rows, cell));
  filling f = {.result = result, .rows = rows};
  SAL_TRY(sal_parallel_for(sal_parallel_threads(), (result->count + PIECE - 1) / PIECE, fill_piece,
                           &f));
  rows->n_counted = f.counted;
  rows->n_censored = f.censored;
  return count_rows(r, rows);
}

sal_err sal_map_rows_add(sal_map_rows *r, sal_err here, const sal_tile_result *result)
{
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};
  SAL_OWN int64_t *cell = NULL;

  if (here == SAL_OK) here = fill_rows(r, result, &rows, &cell);
  return sal_row_store_put(r->store, here, cell, &rows);
}

/* Collective.  Verifies that the rows that the ranks have read, each cell once, are those that were written. */
static sal_err verify_cells(const sal_map_rows *r, sal_performance_rows *from)
{
  sal_cube_file *file = sal_performance_rows_file(from);
  uint64_t sum[SAL_CUBE_FILE_SUMS];

  sal_cube_file_take_sums(file, sum);
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, sum, SAL_CUBE_FILE_SUMS, MPI_UINT64_T, MPI_SUM, r->comm));
  return sal_collective_error(r->comm, sal_cube_file_verify(file, sum));
}

/* Collective.  Cells first .. end - 1 of this rank at most, none where first is not before the end. */
static sal_err add_block(sal_map_rows *r, sal_performance_rows *from, int64_t first, int64_t end)
{
  sal_tile_result result;
  const sal_err here =
      sal_performance_rows_read(from, first, end > first ? end - first : 0, &result);

  return sal_map_rows_add(r, here, &result);
}

static int64_t block_of(const sal_map_rows *r)
{
  const int64_t bytes = (int64_t)sizeof(sal_record) * sal_config_count(r->of.sweep);

  return BLOCK_BYTES / bytes > 1 ? BLOCK_BYTES / bytes : 1;
}

sal_err sal_map_rows_read(sal_map_rows *r, sal_performance_rows *from)
{
  const int64_t n = r->of.sweep->n_cell, most = (n + r->n_rank - 1) / r->n_rank;
  const int64_t first = sal_exchange_first(n, r->rank, r->n_rank);
  const int64_t end = sal_exchange_first(n, r->rank + 1, r->n_rank), block = block_of(r);

  for (int64_t at = 0; at < most; at += block) {
    const int64_t to = first + at + block < end ? first + at + block : end;
    SAL_TRY(add_block(r, from, first + at, to));
  }
  return verify_cells(r, from);
}

sal_err sal_map_rows_count(const sal_map_rows *r, sal_map_census *sum)
{
  *sum = r->census;
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, &sum->of, (int)(sizeof sum->of / sizeof(int64_t)),
                            MPI_INT64_T, MPI_SUM, r->comm));
  return sal_sched_reduce_range(r->comm, SAL_N_CRITERION * SAL_MAX_LIST, &sum->range.lo[0][0],
                                &sum->range.hi[0][0]);
}
