/** Metrics of a round packed, summed up and deflated, by all threads of a rank. */
#include "checksum.h"
#include "config.h"
#include "cube_chunk.h"
#include "cube_frame.h"
#include "memory.h"
#include "parallel.h"
#include <stdlib.h>

enum { FEW = 64 }; /* cells of a piece where nothing is cut */

/* Quantities of the cells of piece number i. */
static sal_err find_quantities(void *with, int64_t i, int thread)
{
  const sal_cube_pack *s = with;
  const sal_cube_piece *p = &s->piece[i];
  const sal_model *m = s->sweep->model;
  double *at = s->quantity + p->at * s->n_column;

  (void)thread;
  for (int64_t cell = p->first; cell < p->first + p->count; ++cell, at += s->n_column) {
    at[0] = (double)(cell + 1);
    sal_sweep_cell(s->sweep, cell, at + 1, at + 1 + m->n_param + m->n_option);
  }
  return SAL_OK;
}

/* Packs metric number i (sal_block_metric) of a piece. */
static void pack(const sal_cube_pack *s, int i, const sal_cube_piece *p, char *to)
{
  const sal_datatype type = sal_datatype_of(sal_block_metric(i)->kind);
  const int64_t row = sal_cube_chunk_row(s->sweep, i), end = p->first + p->count;
  const int64_t each = sal_config_count(s->sweep);

  for (int64_t k = p->slab, first = p->first, n; first < end; ++k, first += n, to += n * row) {
    const sal_tile_result *r = s->result[k];
    const int64_t at = first - r->first;
    n = (r->count - at < end - first ? r->count : at + end - first) - at;
    if (i < SAL_N_METRIC)
      sal_datatype_pack(type, n * each, &r->record[at * each].value[i], SAL_N_METRIC, to);
    else
      sal_datatype_pack(type, n, &r->cell[at].value[i - SAL_N_METRIC], SAL_N_CELL_METRIC, to);
  }
}

static uint64_t count_missing(int i, int64_t n, const char *packed)
{
  const int64_t *whole = (const int64_t *)(const void *)packed;
  uint64_t missing = 0;

  if (sal_datatype_of(sal_block_metric(i)->kind) != SAL_DATATYPE_WHOLE) return 0;
  for (int64_t k = 0; k < n; ++k) missing += whole[k] == -1;
  return missing;
}

/* Packs and sums up a metric of a piece, and deflates the chunk that it is, if the metric is cut. */
static sal_err pack_piece(void *with, int64_t number, int thread)
{
  sal_cube_pack *s = with;
  const int i = (int)(number / s->n_piece);
  const sal_cube_piece *p = &s->piece[number % s->n_piece];
  sal_cube_packed *out = &s->metric[number];
  sal_cube_deflate *room = &s->room[thread];
  const size_t size = sal_datatype_size(sal_datatype_of(sal_block_metric(i)->kind));
  const int64_t row = sal_cube_chunk_row(s->sweep, i), each = row / (int64_t)size;
  const int64_t chunk = sal_cube_chunk(s->sweep);
  char *to = NULL;

  if (!sal_sweep_asks(s->sweep, sal_block_metric(i)->group)) return SAL_OK;
  if (s->begin[i] >= 0)
    to = s->whole + s->begin[i] + p->at * row;
  else
    SAL_TRY(sal_cube_deflate_room(room, s->path, chunk * row, &to));
  pack(s, i, p, to);
  for (int64_t k = 0; k < p->count; ++k)
    s->sum[i * s->n_cell + p->at + k] = sal_checksum_of(p->first + k, 1, (size_t)row, to + k * row);
  out->missing = count_missing(i, p->count * each, to);
  if (s->begin[i] >= 0) return SAL_OK;
  out->thread = thread;
  out->from = room->n;
  SAL_TRY(sal_cube_deflate_add(room, s->path, chunk * each, p->count * each, size, to));
  out->n = room->n - out->from;
  return SAL_OK;
}

/* The run of cells that begins with result number i: results that follow each other are one. */
static sal_tile run_at(const sal_cube_pack *s, int *i)
{
  sal_tile run = {s->result[*i]->first, 0};

  do run.count += s->result[(*i)++]->count;
  while (*i < s->n_slab && s->result[*i]->first == run.first + run.count);
  return run;
}

/* Cuts the results, which are sorted, into pieces. */
static void cut_pieces(sal_cube_pack *s)
{
  const int64_t chunk = sal_cube_chunk(s->sweep), most = chunk > 1 ? chunk : FEW;
  int64_t at = 0;

  s->n_piece = 0;
  for (int k = 0, next; k < s->n_slab; k = next) {
    int slab = k;
    next = k;
    const sal_tile run = run_at(s, &next);
    for (int64_t first = run.first, n; first < run.first + run.count; first += n, at += n) {
      const int64_t left = run.first + run.count - first;
      n = left < most ? left : most;
      while (s->result[slab]->first + s->result[slab]->count <= first) ++slab;
      s->piece[s->n_piece++] = (sal_cube_piece){at, first, n, slab, .ends = n == left};
    }
  }
}

static int by_first_cell(const void *a, const void *b)
{
  const int64_t x = (*(const sal_tile_result *const *)a)->first,
                y = (*(const sal_tile_result *const *)b)->first;

  return (x > y) - (x < y);
}

/* Where the values of metrics that are not cut go; returns the bytes of all. */
static int64_t place_wholes(sal_cube_pack *s)
{
  int64_t end = 0;

  for (int i = 0; i < SAL_BLOCK_METRICS; ++i) {
    s->begin[i] = sal_cube_chunk_is_cut(s->sweep, i) ? -1 : end;
    if (s->begin[i] >= 0 && sal_sweep_asks(s->sweep, sal_block_metric(i)->group))
      end += (s->n_cell * sal_cube_chunk_row(s->sweep, i) + 7) / 8 * 8;
  }
  return end;
}

static bool allot(sal_cube_pack *s)
{
  const int64_t chunk = sal_cube_chunk(s->sweep);
  const size_t most = (size_t)(s->n_cell / (chunk > 1 ? chunk : FEW) + s->n_slab);

  s->n_thread = sal_parallel_threads();
  s->n_column = sal_cube_create_columns(s->sweep);
  if (!s->room) s->room = sal_alloc((size_t)s->n_thread, sizeof *s->room);
  s->result = sal_alloc((size_t)s->n_slab, sizeof(const sal_tile_result *));
  s->whole = sal_alloc((size_t)place_wholes(s), 1);
  s->sum = sal_alloc((size_t)s->n_cell * SAL_BLOCK_METRICS, sizeof *s->sum);
  s->piece = sal_alloc(most, sizeof *s->piece);
  s->metric = sal_alloc(most * SAL_BLOCK_METRICS, sizeof *s->metric);
  s->quantity = sal_alloc((size_t)(s->n_cell * s->n_column), sizeof(double));
  return s->room && s->result && s->whole && s->sum && s->piece && s->metric && s->quantity;
}

sal_err sal_cube_pack_round(sal_cube_pack *s, int n, const sal_tile_result result[])
{
  s->n_slab = n;
  for (int i = 0; i < n; ++i) s->n_cell += result[i].count;
  if (!allot(s)) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", s->path);
  for (int i = 0; i < n; ++i) s->result[i] = &result[i];
  for (int i = 0; i < s->n_thread; ++i) s->room[i].n = 0;
  qsort(s->result, (size_t)n, sizeof(const sal_tile_result *), by_first_cell);
  cut_pieces(s);
  SAL_TRY(sal_parallel_for(s->n_thread, s->n_piece, find_quantities, s));
  SAL_TRY(sal_parallel_for(s->n_thread, s->n_piece * SAL_BLOCK_METRICS, pack_piece, s));
  for (int64_t k = 0; k < s->n_piece * SAL_BLOCK_METRICS; ++k)
    if (s->metric[k].n > 0)
      s->metric[k].chunk = s->room[s->metric[k].thread].bytes + s->metric[k].from;
  return SAL_OK;
}

void sal_cube_pack_end(sal_cube_pack *s)
{
  sal_free(s->result);
  sal_free(s->whole);
  sal_free(s->sum);
  sal_free(s->piece);
  sal_free(s->metric);
  sal_free(s->quantity);
  s->result = NULL;
  s->whole = NULL;
  s->sum = NULL;
  s->piece = NULL;
  s->metric = NULL;
  s->quantity = NULL;
  s->n_cell = 0;
}

void sal_cube_pack_free(sal_cube_pack *s)
{
  sal_cube_pack_end(s);
  for (int k = 0; s->room && k < s->n_thread; ++k) sal_cube_deflate_free(&s->room[k]);
  sal_free(s->room);
  s->room = NULL;
}
