/** Answers in boxes, written by number.
 *
 *  Answers of boxes are kept, packed, until all are there, since their cells are spread over the file; those in the order of the
 *  numbers are written when there is enough for requests of some size.
 */
#include "base.h"
#include "collective_error.h"
#include "exchange.h"
#include "map_rows.h"
#include "quantiles.h"

enum { PIECES = 4 }; /* of a round, for each thread */

/* State of this rank. */
typedef struct {
  const sal_map_answers_of *of;
  sal_map_file *file;
  int rank, n_rank;
  int64_t n_cell, first,
      n; /* of all; own places, or own cells where the order is that of numbers */
  bool boxes;
  int64_t round; /* cells whose answers are made at once */
  size_t row;    /* bytes of a cell */
  int64_t room;  /* cells that are kept */
  char *kept;    /* [room][row] */
  int64_t *cell; /* [round] */
} work;

static int64_t cells_of_round(const sal_map *m, int64_t n_cell, int n_config, int n_rank)
{
  const int64_t fair = (n_cell + n_rank - 1) / n_rank;
  const int64_t places = (int64_t)m->n_error + (int64_t)m->n_weights * m->n_tolerance;
  const int64_t bytes = 8 * (int64_t)sizeof(double) * n_config +
                        (int64_t)(sizeof(sal_map_place) + sizeof(sal_answer)) * places;
  const int64_t fits = SAL_MAP_ROUND / bytes > 1 ? SAL_MAP_ROUND / bytes : 1;

  return fits < fair ? fits : fair;
}

static sal_err fail_memory(void) { return sal_fail(SAL_ERR_MEMORY, "no memory for answers"); }

static int64_t cell_at(const work *w, int64_t place)
{
  return w->boxes ? sal_cell_order_cell(sal_map_rows_order(w->of->rows), place) : place;
}

/* Places of a round whose answers go into the kept ones from number `at` on, in pieces for the threads. */
typedef struct {
  work *work;
  int64_t first, n, at;
  int64_t pieces;
  sal_map *part;      /* [pieces] */
  sal_answer *answer; /* [n][n_error]; NULL: no surrogate */
} round_of;

static void end_round(round_of *r)
{
  for (int64_t i = 0; r->part && i < r->pieces; ++i) {
    r->part[i].answer = NULL;
    sal_map_free(&r->part[i]);
  }
  sal_free_all(r->part, r->answer);
}

/* The first place of a piece in the round. */
static int64_t begin_of(const round_of *r, int64_t piece) { return r->n * piece / r->pieces; }

/* The winners of a piece. */
static sal_err rank_piece(void *with, int64_t i, int thread)
{
  const round_of *r = with;
  const work *w = r->work;
  const sal_map_answers_of *of = w->of;
  const sal_performance_cube *c = of->cube;
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};
  const int64_t at = begin_of(r, i), n = begin_of(r, i + 1) - at;
  sal_map *part = &r->part[i];

  (void)thread;
  for (int64_t k = at; k < at + n; ++k) w->cell[k] = cell_at(w, r->first + k);
  SAL_TRY(sal_performance_create(&c->sweep, n, c->table.by, &c->table.weights,
                                 of->questions->n_weights > 0, c->table.timed, &rows));
  sal_row_store_run(sal_map_rows_store(of->rows), r->first + at, &rows);
  *part = *of->questions;
  if (rows.sd) SAL_TRY(sal_performance_cube_score(of->cube, &rows));
  rows.n_censored = c->table.n_censored;
  return sal_choose_map(&rows, part);
}

static sal_err pack_piece(void *with, int64_t i, int thread)
{
  const round_of *r = with;
  const work *w = r->work;
  const int64_t at = begin_of(r, i);
  sal_map *part = &r->part[i];

  (void)thread;
  part->answer = r->answer ? r->answer + at * part->n_error : NULL;
  return sal_map_write_pack(w->file, part, w->cell + at, w->kept + (size_t)(r->at + at) * w->row);
}

/* Writes the answers of n places into the kept ones from number `at` on. */
static sal_err answer(work *w, int64_t first, int64_t n, int64_t at)
{
  const sal_map_answers_of *of = w->of;
  const int threads = sal_parallel_threads();
  const int64_t most = (int64_t)PIECES * threads;
  SAL_OWN_BY(end_round) round_of r = {.work = w, .first = first, .n = n, .at = at};

  r.pieces = threads > 1 && n > most ? most : 1;
  r.part = sal_alloc((size_t)r.pieces, sizeof *r.part);
  if (of->surrogate) r.answer = sal_alloc((size_t)(n * of->questions->n_error), sizeof *r.answer);
  if (!r.part || (of->surrogate && !r.answer)) return fail_memory();
  SAL_TRY(sal_parallel_for(threads, r.pieces, rank_piece, &r));
  if (of->surrogate) SAL_TRY(sal_surrogate_map(of->surrogate, of->questions, n, w->cell, r.answer));
  SAL_TRY(sal_parallel_for(threads, r.pieces, pack_piece, &r));
  for (int64_t i = 0; of->summary && i < r.pieces; ++i)
    sal_map_summary_add(of->summary, &r.part[i]);
  return SAL_OK;
}

/* All own ones.  Where the order is that of the numbers, what is kept is written when the room is full. */
static sal_err answer_all(work *w)
{
  for (int64_t at = 0, kept = 0; at < w->n;) {
    int64_t n = w->n - at < w->round ? w->n - at : w->round;
    if (n > w->room - kept) n = w->room - kept;
    SAL_TRY(answer(w, w->first + at, n, kept));
    at += n;
    kept += n;
    if (w->boxes || (kept < w->room && at < w->n)) continue;
    SAL_TRY(sal_map_write_rows(w->file, w->first + at - kept, kept, w->kept));
    kept = 0;
  }
  return SAL_OK;
}

/* A kept row by its cell. */
typedef struct {
  int64_t cell, at;
} numbered;

static sal_err sort_by_number(const work *w, numbered **out)
{
  numbered *list = *out = sal_alloc((size_t)w->n + 1, sizeof *list);

  if (!list) return fail_memory();
  for (int64_t i = 0; i < w->n; ++i) list[i] = (numbered){cell_at(w, w->first + i), i};
  sal_quantiles_sort_wholes(w->n, sizeof *list, list);
  return SAL_OK;
}

/* How many of the list are below a cell. */
static int64_t count_below(const work *w, const numbered list[], int64_t cell)
{
  int64_t low = 0, high = w->n;

  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (list[middle].cell < cell)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The cells that a rank writes in a piece: from `at` on in its run, `piece` of them at most; returns where they end. */
static int64_t piece_of(const work *w, int rank, int64_t at, int64_t piece, int64_t *begin)
{
  const int64_t first = sal_exchange_first(w->n_cell, rank, w->n_rank);
  const int64_t end = sal_exchange_first(w->n_cell, rank + 1, w->n_rank);

  *begin = first + at < end ? first + at : end;
  return *begin + piece < end ? *begin + piece : end;
}

/* A piece of all ranks: rows on their way, each with its cell before it, and those that this rank is to write. */
typedef struct {
  const work *w;
  const numbered *list;
  int64_t at, piece;
  size_t size;      /* of a row on its way */
  int to;           /* the next rank */
  int64_t begin, n; /* of this rank */
  int64_t n_come;
  char *row; /* [n][w->row] */
} moving;

static sal_err next_rows(void *with, sal_exchange_message *m)
{
  moving *x = with;
  const work *w = x->w;
  int64_t begin, n = 0, from = 0;

  for (; x->to < w->n_rank && n == 0; ++x->to) {
    const int64_t end = piece_of(w, x->to, x->at, x->piece, &begin);
    from = count_below(w, x->list, begin);
    n = count_below(w, x->list, end) - from;
  }
  if (n == 0) return SAL_OK;
  char *out = m->owned = sal_alloc((size_t)n, x->size);
  if (!out) return fail_memory();
  *m = (sal_exchange_message){x->to - 1, out, n * (int64_t)x->size, out};
  for (int64_t i = from; i < from + n; ++i, out += x->size) {
    memcpy(out, &x->list[i].cell, sizeof(int64_t));
    memcpy(out + sizeof(int64_t), w->kept + (size_t)x->list[i].at * w->row, w->row);
  }
  return SAL_OK;
}

static sal_err take_rows(void *with, const char *in, int64_t n)
{
  moving *x = with;

  for (const char *end = in + n; in < end; in += x->size, ++x->n_come) {
    int64_t cell;
    memcpy(&cell, in, sizeof cell);
    assert(cell >= x->begin && cell < x->begin + x->n);
    memcpy(x->row + (size_t)(cell - x->begin) * x->w->row, in + sizeof cell, x->w->row);
  }
  return SAL_OK;
}

/* Collective.  Each cell of this rank's part of the piece comes once. */
static sal_err exchange_piece(const work *w, const numbered list[], int64_t at, int64_t piece)
{
  moving x = {.w = w, .list = list, .at = at, .piece = piece, .size = sizeof(int64_t) + w->row};
  const sal_exchange exchange = {.next = next_rows, .take = take_rows, .with = &x};

  x.n = piece_of(w, w->rank, at, piece, &x.begin) - x.begin;
  SAL_OWN char *row = x.row = sal_alloc((size_t)x.n + 1, w->row);
  SAL_TRY(sal_collective_error(w->of->comm, row ? SAL_OK : fail_memory()));
  SAL_TRY(sal_exchange_run(w->of->comm, &exchange));
  assert(x.n_come == x.n);
  return sal_collective_error(w->of->comm, sal_map_write_rows(w->file, x.begin, x.n, row));
}

static int64_t most_at_once(const work *w)
{
  return SAL_MAP_WRITE / (int64_t)w->row > 1 ? SAL_MAP_WRITE / (int64_t)w->row : 1;
}

/* Collective. */
static sal_err write_by_number(const work *w)
{
  const int64_t most = (w->n_cell + w->n_rank - 1) / w->n_rank, piece = most_at_once(w);
  SAL_OWN numbered *list = NULL;

  SAL_TRY(sal_collective_error(w->of->comm, sort_by_number(w, &list)));
  for (int64_t at = 0; at < most; at += piece) SAL_TRY(exchange_piece(w, list, at, piece));
  return SAL_OK;
}

static sal_err begin(const sal_map_answers_of *of, sal_map_file *file, work *w)
{
  *w = (work){.of = of, .file = file, .n_cell = of->cube->sweep.n_cell};
  w->rank = sal_collective_rank(of->comm);
  w->n_rank = sal_collective_ranks(of->comm);
  w->first = sal_exchange_first(w->n_cell, w->rank, w->n_rank);
  w->n = sal_exchange_first(w->n_cell, w->rank + 1, w->n_rank) - w->first;
  w->row = (size_t)sal_map_write_row(file);
  w->boxes = sal_cell_order_has_boxes(sal_map_rows_order(of->rows));
  w->round =
      cells_of_round(of->questions, w->n_cell, sal_config_count(&of->cube->sweep), w->n_rank);
  w->room = w->boxes || w->n < most_at_once(w) ? w->n : most_at_once(w);
  w->kept = sal_alloc((size_t)w->room + 1, w->row);
  w->cell = sal_alloc((size_t)w->round + 1, sizeof *w->cell);
  return w->kept && w->cell ? SAL_OK : fail_memory();
}

sal_err sal_map_answers_write(const sal_map_answers_of *of, sal_map_file *file)
{
  work w;
  sal_err err = begin(of, file, &w);

  if (err == SAL_OK) err = answer_all(&w);
  err = sal_map_rows_agree(of->rows, err);
  if (err == SAL_OK && w.boxes) err = write_by_number(&w);
  sal_free_all(w.kept, w.cell);
  return err;
}
