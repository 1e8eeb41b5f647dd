/** Rows from a cube: of chosen cells, or all of them. */
#include "base.h"
#include "performance_cube.h"
#include "quantiles.h"

enum { PIECE_RECORDS = 16384 };

/* A cell that is asked for, and its row. */
typedef struct {
  int64_t cell, at;
} wanted;

struct sal_performance_rows {
  sal_cube_file *file;
  sal_performance_rows_of of;
  sal_cube_file_metrics metrics;
  int n_config;
  int64_t piece;          /* cells that are read at once, at most */
  int64_t room;           /* cells that there is room for */
  wanted *wanted;         /* [room] */
  int64_t *cell;          /* [room] */
  sal_tile_result result; /* [room] */
  sal_tile_result run;    /* [run_room] of cells that follow each other */
  int64_t run_room;
};

/* Counts that have no part in the work are not read, nor what is known of stopped runs where none is. */
static sal_cube_file_metrics list_metrics(const sal_performance_rows_of *of)
{
  const sal_error_metric *by = of->by;
  sal_cube_file_metrics m = {.n_of_cell = 2, .of_cell = {by->known_by, by->truth_error}};

  if (sal_sweep_captures(of->sweep)) m.of_cell[m.n_of_cell++] = SAL_CELL_CAPTURED;
  m.metric[m.n++] = by->error;
  if (by->trajectory) m.metric[m.n++] = SAL_METRIC_OUTCOME;
  if (by->partial >= 0 && of->sweep->cutoff.factor > 0) m.metric[m.n++] = by->partial;
  for (int i = 0; i < SAL_N_WORK; ++i)
    if (by->count[i] >= 0 && (of->weights.time || sal_work_weight(&of->weights, i) > 0))
      m.metric[m.n++] = by->count[i];
  if (of->weights.time) {
    m.metric[m.n++] = SAL_METRIC_STEPS;
    m.metric[m.n++] = SAL_METRIC_FAILED;
  }
  if (!of->points) return m;
  if (of->timed) m.metric[m.n++] = SAL_METRIC_SD;
  m.metric[m.n++] = SAL_METRIC_DT;
  if (by->error != SAL_METRIC_IAE) m.metric[m.n++] = SAL_METRIC_IAE;
  return m;
}

double sal_performance_rows_bytes(const sal_performance_rows_of *of, const sal_packed_size *packed)
{
  const sal_cube_file_metrics metrics = list_metrics(of);

  return sal_cube_file_stored(&metrics, of->sweep, packed);
}

/* A metric that the sweep has dropped would be missing without a word. */
static sal_err check_kept(const sal_performance_rows *r)
{
  for (int i = 0; i < r->metrics.n; ++i)
    if (!sal_sweep_keeps(r->of.sweep, r->metrics.metric[i]))
      return sal_fail(SAL_ERR_INPUT, "%s: has no %s, which `keep` of its sweep leaves out",
                      r->of.sweep->path, sal_metrics[r->metrics.metric[i]].name);
  return SAL_OK;
}

sal_err sal_performance_rows_open(sal_cube_file *file, const sal_performance_rows_of *of,
                                  sal_performance_rows **out)
{
  sal_performance_rows *r = *out = sal_alloc(1, sizeof *r);

  if (!r) {
    sal_cube_file_close(&file);
    return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a cube");
  }
  r->file = file;
  r->of = *of;
  r->metrics = list_metrics(of);
  r->n_config = sal_config_count(of->sweep);
  r->piece = r->n_config < PIECE_RECORDS ? PIECE_RECORDS / r->n_config : 1;
  return check_kept(r);
}

static void free_room(sal_performance_rows *r)
{
  sal_free_all(r->wanted, r->cell);
  sal_tile_result_free(&r->result);
  r->wanted = NULL;
  r->cell = NULL;
  r->room = 0;
}

void sal_performance_rows_close(sal_performance_rows **rows)
{
  sal_performance_rows *r = *rows;

  if (!r) return;
  sal_cube_file_close(&r->file);
  free_room(r);
  sal_tile_result_free(&r->run);
  sal_free(r);
  *rows = NULL;
}

sal_cube_file *sal_performance_rows_file(const sal_performance_rows *r) { return r->file; }

static sal_err make_table(const sal_performance_rows *r, int64_t n, sal_performance_table *table)
{
  return sal_performance_create(r->of.sweep, n, r->of.by, &r->of.weights, r->of.points, r->of.timed,
                                table);
}

/* The cells of wanted[n], which is sorted, each once. */
static int64_t list_cells(sal_performance_rows *r, int64_t n)
{
  int64_t m = 0;

  for (int64_t i = 0; i < n; ++i)
    if (m == 0 || r->cell[m - 1] != r->wanted[i].cell) r->cell[m++] = r->wanted[i].cell;
  return m;
}

/* At most `piece` cells, whose rows begin at row `at`: each is read once, ascending. */
static sal_err read_piece(sal_performance_rows *r, int64_t at, int64_t n, const int64_t cell[],
                          sal_performance_table *rows)
{
  SAL_OWN_BY(sal_performance_free) sal_performance_table read = {0};

  for (int64_t i = 0; i < n; ++i) r->wanted[i] = (wanted){cell[i], at + i};
  sal_quantiles_sort_wholes(n, sizeof *r->wanted, r->wanted);
  const int64_t m = list_cells(r, n);
  SAL_TRY(make_table(r, m, &read));
  SAL_TRY(sal_cube_file_read_cells(r->file, &r->metrics, m, r->cell, &r->result));
  r->result.first = 0;
  r->result.count = m;
  sal_performance_add(&read, &r->result);
  for (int64_t i = 0, k = 0; i < n; ++i) {
    k += r->cell[k] != r->wanted[i].cell;
    sal_performance_copy_row(&read, k, rows, r->wanted[i].at);
  }
  return SAL_OK;
}

/* Room for n cells, or a piece of them. */
static sal_err make_room(sal_performance_rows *r, int64_t n)
{
  const int64_t room = n < r->piece ? n : r->piece;

  if (room <= r->room) return SAL_OK;
  free_room(r);
  SAL_TRY(sal_cube_file_room(r->file, &r->metrics, room, &r->result));
  r->cell = sal_alloc((size_t)room, sizeof *r->cell);
  r->wanted = sal_alloc((size_t)room, sizeof *r->wanted);
  if (!r->cell || !r->wanted) return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a cube");
  r->room = room;
  return SAL_OK;
}

/* Columns that are not read stay missing, so that the room is used again. */
static sal_err make_run(sal_performance_rows *r, int64_t n)
{
  if (n <= r->run_room) return SAL_OK;
  r->run_room = 0;
  sal_tile_result_free(&r->run);
  SAL_TRY(sal_cube_file_room(r->file, &r->metrics, n, &r->run));
  r->run_room = n;
  return SAL_OK;
}

sal_err sal_performance_rows_read(sal_performance_rows *r, int64_t first, int64_t n,
                                  sal_tile_result *out)
{
  *out = (sal_tile_result){.first = first};
  if (n == 0) return SAL_OK;
  SAL_TRY(make_run(r, n));
  r->run.first = first;
  r->run.count = n;
  *out = r->run;
  return sal_cube_file_read(r->file, &r->metrics, out);
}

static sal_err read_chosen(void *with, int64_t n, const int64_t cell[], sal_performance_table *rows)
{
  sal_performance_rows *r = with;

  assert(n <= rows->n_cell && rows->n_config == r->n_config);
  SAL_TRY(make_room(r, n));
  for (int64_t at = 0; at < n; at += r->piece)
    SAL_TRY(read_piece(r, at, n - at < r->piece ? n - at : r->piece, cell + at, rows));
  return SAL_OK;
}

sal_performance_source sal_performance_rows_source(sal_performance_rows *r)
{
  return (sal_performance_source){.sweep = r->of.sweep,
                                  .by = r->of.by,
                                  .weights = r->of.weights,
                                  .n_cell = r->of.sweep->n_cell,
                                  .n_config = r->n_config,
                                  .read = read_chosen,
                                  .with = r};
}

/* Consumer of the rows of a block. */
typedef struct {
  const sal_performance_rows *rows;
  sal_performance_rows_take *take;
  void *with;
} taker;

static sal_err take_block(void *with, const sal_tile_result *result)
{
  const taker *t = with;
  sal_tile_result at = *result;
  SAL_OWN_BY(sal_performance_free) sal_performance_table table = {0};

  SAL_TRY(make_table(t->rows, result->count, &table));
  at.first = 0;
  sal_performance_add(&table, &at);
  return t->take(t->with, result->first, &table);
}

sal_err sal_performance_rows_each(sal_performance_rows *r, sal_performance_rows_take *take,
                                  void *with)
{
  taker t = {r, take, with};

  return sal_cube_file_each(r->file, &r->metrics, take_block, &t);
}

static sal_err add_block(void *table, const sal_tile_result *result)
{
  sal_performance_add(table, result);
  return SAL_OK;
}

sal_err sal_performance_rows_all(sal_performance_rows *r, sal_performance_table *table)
{
  return sal_cube_file_each(r->file, &r->metrics, add_block, table);
}
