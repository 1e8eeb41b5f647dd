/** @file src/answers/reader_rows.c
 *  All rows that were read, as far as the memory goes; of larger tables a cache of two generations:
 *  when the recent one is full it becomes the older one, and rows of that which are asked for again
 *  are copied to the new recent one.
 */
#include "reader_rows.h"
#include "full_work.h"
#include "memory.h"
#include "scalar_math.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, LEAST_ROOM = 512, MOST_ROOM = 1 << 29 };
static const double least_error = 1e-16;

/* As many cells in each of two generations as ten million cells of one contender are. */
const double sal_reader_rows_memory = 1e9;

typedef struct {
  int64_t n;
  double *value; /* [room][2 n_contender + 1] */
  int64_t *cell; /* [room] */
  int32_t *slot; /* [n_hash] 1 + number of the row, 0: none */
} generation;

struct sal_reader_rows {
  sal_performance_source source; /* a copy */
  int64_t room, most, n_hash, width;
  generation recent, older;
  sal_performance_table block;
};

/* ---- Generations ---- */

static void free_generation(generation *g)
{
  sal_free(g->value);
  sal_free(g->cell);
  sal_free(g->slot);
  *g = (generation){0};
}

static bool create_generation(const sal_reader_rows *r, generation *g)
{
  g->value = sal_alloc((size_t)r->room, (size_t)r->width * sizeof *g->value);
  g->cell = sal_alloc((size_t)r->room, sizeof *g->cell);
  g->slot = sal_alloc((size_t)r->n_hash, sizeof *g->slot);
  return g->value && g->cell && g->slot;
}

/* Where the cell is in the table of slots, or would be. */
static int64_t find_slot(const sal_reader_rows *r, const generation *g, int64_t cell)
{
  int64_t h = (int64_t)(((uint64_t)cell * 0x9e3779b97f4a7c15U) >> 20) & (r->n_hash - 1);

  while (g->slot[h] && g->cell[g->slot[h] - 1] != cell) h = (h + 1) & (r->n_hash - 1);
  return h;
}

static double *row_of(const sal_reader_rows *r, const generation *g, int64_t i)
{
  return &g->value[i * r->width];
}

static void add_cell(const sal_reader_rows *r, generation *g, int64_t cell)
{
  const int64_t at = find_slot(r, g, cell);

  g->cell[g->n] = cell;
  g->slot[at] = (int32_t)++g->n;
}

/* Room for n more rows: twice what there is, up to the most unless they alone are more. */
static int64_t next_room(const sal_reader_rows *r, int64_t n)
{
  if (2 * r->room <= r->most) return 2 * r->room;
  return n > r->most ? n : r->most;
}

/* Makes room for this many rows; those of the recent generation are kept. */
static sal_err make_room(sal_reader_rows *r, int64_t room)
{
  generation recent = r->recent;

  r->recent = (generation){0};
  free_generation(&r->older);
  r->room = room;
  for (r->n_hash = 1; r->n_hash < 2 * room;) r->n_hash *= 2;
  const bool ok = create_generation(r, &r->recent);
  for (int64_t i = 0; ok && i < recent.n; ++i) add_cell(r, &r->recent, recent.cell[i]);
  if (ok && recent.n > 0)
    memcpy(r->recent.value, recent.value, (size_t)(recent.n * r->width) * sizeof(double));
  free_generation(&recent);
  return ok ? SAL_OK
            : sal_fail(SAL_ERR_MEMORY, "no memory for %lld rows of a map", (long long)room);
}

/* The recent generation becomes the older one, whose rows are dropped. */
static sal_err rotate(sal_reader_rows *r)
{
  const generation old = r->older;

  r->older = r->recent;
  r->recent = old;
  if (!old.slot && !create_generation(r, &r->recent))
    return sal_fail(SAL_ERR_MEMORY, "no memory for %lld rows of a map", (long long)r->room);
  r->recent.n = 0;
  memset(r->recent.slot, 0, (size_t)r->n_hash * sizeof *r->recent.slot);
  return SAL_OK;
}

/* ---- Reading ---- */

static void fill_row(sal_reader_rows *r, double row[], int64_t i)
{
  const sal_performance_table *t = &r->block;
  const int64_t n = t->n_contender;
  const double reference = t->reference_error[i];

  row[2 * n] = isnan(reference) ? INFINITY : reference;
  for (int64_t k = 0; k < n; ++k) {
    const double error = t->error[i * n + k], work = t->work[i * n + k];
    const bool counts = isfinite(error) && isfinite(work) && isfinite(row[2 * n]) && work > 0;
    row[k] = counts ? sal_scalar_log(fmax(error, least_error)) : NAN;
    row[n + k] = NAN;
    if (isfinite(row[2 * n]) && work > 0)
      row[n + k] = sal_scalar_log(
          sal_performance_censored(t, i, (int)k) ? sal_full_work_of(t, i, (int)k) : work);
  }
}

/* Rows [first, n) of the recent generation have cells and no values yet. */
static sal_err read_rows(sal_reader_rows *r, int64_t first)
{
  for (int64_t i = first; i < r->recent.n; i += BLOCK) {
    const int64_t n = r->recent.n - i < BLOCK ? r->recent.n - i : BLOCK;
    SAL_TRY(r->source.read(r->source.with, n, &r->recent.cell[i], &r->block));
    for (int64_t k = 0; k < n; ++k) fill_row(r, row_of(r, &r->recent, i + k), k);
  }
  return SAL_OK;
}

/* Copies the row of a cell from the older generation, if it is there alone, to the recent one. */
static void promote(sal_reader_rows *r, int64_t cell)
{
  if (r->recent.slot[find_slot(r, &r->recent, cell)]) return;
  const int64_t known = r->older.slot ? r->older.slot[find_slot(r, &r->older, cell)] : 0;
  if (!known) return;
  memcpy(row_of(r, &r->recent, r->recent.n), row_of(r, &r->older, known - 1),
         (size_t)r->width * sizeof(double));
  add_cell(r, &r->recent, cell);
}

static int compare_cells(const void *left, const void *right)
{
  const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

  return (a > b) - (a < b);
}

/* Adds the cells that are not known yet, ascending, and reads them. */
static sal_err add_missing(sal_reader_rows *r, int64_t n, const int64_t cell[], int64_t fresh[])
{
  const int64_t first = r->recent.n;
  int64_t m = 0;

  for (int64_t i = 0; i < n; ++i)
    if (!r->recent.slot[find_slot(r, &r->recent, cell[i])]) fresh[m++] = cell[i];
  qsort(fresh, (size_t)m, sizeof *fresh, compare_cells);
  for (int64_t i = 0; i < m; ++i)
    if (i == 0 || fresh[i] != fresh[i - 1]) add_cell(r, &r->recent, fresh[i]);
  const sal_err err = read_rows(r, first);
  if (err != SAL_OK) { /* nothing is known of the new ones, and they are not asked for again */
    memset(r->recent.slot, 0, (size_t)r->n_hash * sizeof *r->recent.slot);
    r->recent.n = 0;
  }
  return err;
}

/* How many of the cells the recent generation lacks; one that is asked for twice counts twice. */
static int64_t count_missing(const sal_reader_rows *r, int64_t n, const int64_t cell[])
{
  int64_t missing = 0;

  for (int64_t i = 0; i < n; ++i) missing += !r->recent.slot[find_slot(r, &r->recent, cell[i])];
  return missing;
}

sal_err sal_reader_rows_fetch(sal_reader_rows *r, int64_t n, const int64_t cell[])
{
  const int64_t missing = count_missing(r, n, cell);

  if (missing == 0) return SAL_OK;
  while (r->recent.n + missing > r->room && (r->room < r->most || n > r->room))
    SAL_TRY(make_room(r, next_room(r, n)));
  if (r->recent.n + missing > r->room) SAL_TRY(rotate(r));
  for (int64_t i = 0; i < n; ++i) promote(r, cell[i]);
  SAL_OWN int64_t *fresh = sal_alloc((size_t)n, sizeof *fresh);
  if (!fresh) return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map");
  return add_missing(r, n, cell, fresh);
}

sal_err sal_reader_rows_fetch_all(sal_reader_rows *r)
{
  int64_t cell[BLOCK];

  for (int64_t i = 0; i < r->source.n_cell && r->source.n_cell <= r->most; i += BLOCK) {
    const int64_t left = r->source.n_cell - i, n = left < BLOCK ? left : BLOCK;
    for (int64_t k = 0; k < n; ++k) cell[k] = i + k;
    SAL_TRY(sal_reader_rows_fetch(r, n, cell));
  }
  return SAL_OK;
}

sal_reader_row sal_reader_rows_of(const sal_reader_rows *r, int64_t cell)
{
  const int64_t at = r->recent.slot[find_slot(r, &r->recent, cell)];

  assert(at);
  const double *row = row_of(r, &r->recent, at - 1);
  return (sal_reader_row){row, row + r->source.n_contender, row[r->width - 1]};
}

int sal_reader_rows_contenders(const sal_reader_rows *r) { return r->source.n_contender; }

/* ---- Creation ---- */

/* Values, the cell's number, and up to four slots. */
static double bytes_of_row(int n_contender)
{
  return (double)sizeof(double) * (2 * n_contender + 1) + sizeof(int64_t) + 4 * sizeof(int32_t);
}

int64_t sal_reader_rows_most(double bytes, int64_t n_cell, int n_contender)
{
  const double most = fmin(bytes / 2 / bytes_of_row(n_contender), MOST_ROOM);
  const int64_t fits = most < (double)n_cell ? (int64_t)most : n_cell;

  return fits < LEAST_ROOM ? LEAST_ROOM : fits;
}

double sal_reader_rows_bytes(double bytes, double rows, int64_t n_cell, int n_contender)
{
  const double most = (double)sal_reader_rows_most(bytes, n_cell, n_contender);
  double room = LEAST_ROOM, before = 0;

  if (rows >= most && most < (double)n_cell) return 2 * most * bytes_of_row(n_contender);
  while (room < rows) {
    before = room;
    room = fmin(2 * room, most);
  }
  return (room + before) * bytes_of_row(n_contender);
}

sal_err sal_reader_rows_create(const sal_performance_source *source, double bytes,
                               sal_reader_rows **out)
{
  sal_reader_rows *r = *out = sal_alloc(1, sizeof *r);

  if (!r) return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map");
  r->source = *source;
  r->width = 2 * (int64_t)source->n_contender + 1;
  r->most = sal_reader_rows_most(bytes, source->n_cell, source->n_contender);
  sal_err err = make_room(r, LEAST_ROOM);
  if (err == SAL_OK)
    err = sal_performance_create(source->sweep, BLOCK, &source->weights, false, false, &r->block);
  r->block.by = source->by;
  if (err != SAL_OK) sal_reader_rows_free(out);
  return err;
}

void sal_reader_rows_free(sal_reader_rows **out)
{
  sal_reader_rows *r = *out;

  if (r) {
    free_generation(&r->recent);
    free_generation(&r->older);
    sal_performance_free(&r->block);
  }
  sal_free(r);
  *out = NULL;
}
