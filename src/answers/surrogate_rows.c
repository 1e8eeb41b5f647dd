/** All rows that were read, as far as the memory goes; when it is full they are dropped, and those that are asked for are
 *  read again.
 */
#include "surrogate_rows.h"
#include "base.h"
#include "quantiles.h"
#include "scalar_math.h"

enum { BLOCK = 256, PIECE = 8, LEAST_ROOM = 512, MOST_ROOM = 1 << 29 };
static const double least_error = 1e-16;

const double sal_surrogate_rows_memory = 1e9;

struct sal_surrogate_rows {
  sal_performance_source source; /* a copy */
  int64_t n, room, most, n_hash, width;
  double *value; /* [room][width] */
  int64_t *cell; /* [room] */
  int32_t *slot; /* [n_hash] 1 + number of the row, 0: none */
  sal_performance_table block;
  sal_parallel_loop *loop;
  int threads;
};

/* Where the cell is in the table of slots, or would be. */
static int64_t find_slot(const sal_surrogate_rows *r, int64_t cell)
{
  int64_t h = (int64_t)(((uint64_t)cell * 0x9e3779b97f4a7c15U) >> 20) & (r->n_hash - 1);

  while (r->slot[h] && r->cell[r->slot[h] - 1] != cell) h = (h + 1) & (r->n_hash - 1);
  return h;
}

static void add_cell(sal_surrogate_rows *r, int64_t cell)
{
  const int64_t at = find_slot(r, cell);

  r->cell[r->n] = cell;
  r->slot[at] = (int32_t)++r->n;
}

static void forget_all(sal_surrogate_rows *r)
{
  memset(r->slot, 0, (size_t)r->n_hash * sizeof *r->slot);
  r->n = 0;
}

/* Room for n more rows: twice what there is, up to the most unless they alone are more. */
static int64_t next_room(const sal_surrogate_rows *r, int64_t n)
{
  if (2 * r->room <= r->most) return 2 * r->room;
  return n > r->most ? n : r->most;
}

/* Makes room for this many rows; those that are there are kept. */
static sal_err make_room(sal_surrogate_rows *r, int64_t room)
{
  SAL_OWN double *value = r->value;
  SAL_OWN int64_t *cell = r->cell;
  const int64_t n = r->n;

  sal_free(r->slot);
  r->room = room;
  for (r->n_hash = 1; r->n_hash < 2 * room;) r->n_hash *= 2;
  r->value = sal_alloc((size_t)room, (size_t)r->width * sizeof *r->value);
  r->cell = sal_alloc((size_t)room, sizeof *r->cell);
  r->slot = sal_alloc((size_t)r->n_hash, sizeof *r->slot);
  if (!r->value || !r->cell || !r->slot)
    return sal_fail(SAL_ERR_MEMORY, "no memory for %lld rows of a map", (long long)room);
  r->n = 0;
  for (int64_t i = 0; i < n; ++i) add_cell(r, cell[i]);
  if (n > 0) memcpy(r->value, value, (size_t)(n * r->width) * sizeof *value);
  return SAL_OK;
}

static void fill_row(sal_surrogate_rows *r, double row[], int64_t i)
{
  const sal_performance_table *t = &r->block;
  const int64_t n = t->n_config;
  const double reference = t->reference_error[i];

  row[2 * n] = reference;
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

/* A block, whose rows go to `first` and after it. */
typedef struct {
  sal_surrogate_rows *of;
  int64_t first, n;
} filling;

static sal_err fill_piece(void *with, int64_t i, int thread)
{
  const filling *f = with;

  (void)thread;
  for (int64_t k = i * PIECE; k < f->n && k < (i + 1) * PIECE; ++k)
    fill_row(f->of, f->of->value + (f->first + k) * f->of->width, k);
  return SAL_OK;
}

/* Rows [first, n) have cells and no values yet. */
static sal_err read_rows(sal_surrogate_rows *r, int64_t first)
{
  for (int64_t i = first; i < r->n; i += BLOCK) {
    filling f = {r, i, r->n - i < BLOCK ? r->n - i : BLOCK};
    SAL_TRY(r->source.read(r->source.with, f.n, &r->cell[i], &r->block));
    SAL_TRY(r->loop(r->threads, (f.n + PIECE - 1) / PIECE, fill_piece, &f));
  }
  return SAL_OK;
}

/* The cells that are not there, ascending, each once; returns how many. */
static int64_t list_missing(const sal_surrogate_rows *r, int64_t n, const int64_t cell[],
                            int64_t missing[])
{
  int64_t all = 0, m = 0;

  for (int64_t i = 0; i < n; ++i)
    if (!r->slot[find_slot(r, cell[i])]) missing[all++] = cell[i];
  sal_quantiles_sort_wholes(all, sizeof *missing, missing);
  for (int64_t i = 0; i < all; ++i)
    if (m == 0 || missing[i] != missing[m - 1]) missing[m++] = missing[i];
  return m;
}

/* Adds cells that are not there, and reads them. */
static sal_err add_cells(sal_surrogate_rows *r, int64_t n, const int64_t cell[])
{
  const int64_t first = r->n;

  while (r->n + n > r->room) SAL_TRY(make_room(r, next_room(r, n)));
  for (int64_t i = 0; i < n; ++i) add_cell(r, cell[i]);
  const sal_err err = read_rows(r, first);
  if (err != SAL_OK) forget_all(r); /* nothing is known of the new ones */
  return err;
}

sal_err sal_surrogate_rows_fetch(sal_surrogate_rows *r, int64_t n, const int64_t cell[])
{
  SAL_OWN int64_t *missing = sal_alloc((size_t)n + 1, sizeof *missing);

  if (!missing) return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map");
  int64_t m = list_missing(r, n, cell, missing);
  if (m > 0 && r->n + m > r->most) {
    forget_all(r);
    m = list_missing(r, n, cell, missing);
  }
  return add_cells(r, m, missing);
}

sal_err sal_surrogate_rows_fetch_all(sal_surrogate_rows *r)
{
  int64_t cell[BLOCK];

  for (int64_t i = 0; i < r->source.n_cell && r->source.n_cell <= r->most; i += BLOCK) {
    const int64_t left = r->source.n_cell - i, n = left < BLOCK ? left : BLOCK;
    for (int64_t k = 0; k < n; ++k) cell[k] = i + k;
    SAL_TRY(sal_surrogate_rows_fetch(r, n, cell));
  }
  return SAL_OK;
}

sal_surrogate_row sal_surrogate_rows_of(const sal_surrogate_rows *r, int64_t cell)
{
  const int64_t at = r->slot[find_slot(r, cell)];

  assert(at);
  const double *row = r->value + (at - 1) * r->width;
  return (sal_surrogate_row){row, row + r->source.n_config, row[r->width - 1]};
}

int sal_surrogate_rows_configs(const sal_surrogate_rows *r) { return r->source.n_config; }

/* Values, the cell's number, and up to four slots. */
static double bytes_of_row(int n_config)
{
  return (double)sizeof(double) * (2 * n_config + 1) + sizeof(int64_t) + 4 * sizeof(int32_t);
}

int64_t sal_surrogate_rows_most(double bytes, int64_t n_cell, int n_config)
{
  const double most =
      fmin(bytes / 1.5 / bytes_of_row(n_config), MOST_ROOM); /* and half of it before */
  const int64_t fits = most < (double)n_cell ? (int64_t)most : n_cell;

  return fits < LEAST_ROOM ? LEAST_ROOM : fits;
}

double sal_surrogate_rows_bytes(double bytes, double rows, int64_t n_cell, int n_config)
{
  const double most = (double)sal_surrogate_rows_most(bytes, n_cell, n_config);
  double room = LEAST_ROOM, before = 0;

  while (room < fmin(rows, most)) {
    before = room;
    room = fmin(2 * room, most);
  }
  return (room + before) * bytes_of_row(n_config);
}

sal_err sal_surrogate_rows_create(const sal_performance_source *source, double bytes,
                                  sal_surrogate_rows **out)
{
  sal_surrogate_rows *r = *out = sal_alloc(1, sizeof *r);

  if (!r) return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map");
  r->source = *source;
  r->loop = sal_parallel_alone;
  r->threads = 1;
  r->width = 2 * (int64_t)source->n_config + 1;
  r->most = sal_surrogate_rows_most(bytes, source->n_cell, source->n_config);
  sal_err err = make_room(r, LEAST_ROOM);
  if (err == SAL_OK)
    err = sal_performance_create(source->sweep, BLOCK, source->by, &source->weights, false, false,
                                 &r->block);
  if (err != SAL_OK) sal_surrogate_rows_free(out);
  return err;
}

void sal_surrogate_rows_share(sal_surrogate_rows *r, int threads, sal_parallel_loop *loop)
{
  r->threads = threads;
  r->loop = loop;
}

void sal_surrogate_rows_free(sal_surrogate_rows **out)
{
  sal_surrogate_rows *r = *out;

  if (r) {
    sal_free_all(r->value, r->cell, r->slot);
    sal_performance_free(&r->block);
  }
  sal_free(r);
  *out = NULL;
}
