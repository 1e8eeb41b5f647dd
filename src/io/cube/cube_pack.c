/** Metrics of a round packed, summed up and deflated, by all threads of a rank. */
#include "config.h"
#include "cube_chunk.h"
#include "cube_frame.h"
#include "parallel.h"

enum { FEW = 64 }; /* cells of a piece where nothing is cut */

/* Cells of piece number i, the first of them number i * most of the round. */
static int64_t cells_of(const sal_cube_pack *s, int64_t i)
{
  const int64_t left = s->of->count - i * s->most;

  return left < s->most ? left : s->most;
}

/* Quantities of the cells of a piece. */
static sal_err find_quantities(void *with, int64_t i, int thread)
{
  const sal_cube_pack *s = with;
  const sal_model *m = s->sweep->model;
  const int64_t first = i * s->most, end = first + cells_of(s, i);

  (void)thread;
  for (int64_t k = first; k < end; ++k) {
    double *at = s->quantity + k * s->n_column;
    at[0] = (double)(s->of->first + k + 1);
    sal_sweep_cell(s->sweep, s->of->first + k, at + 1, at + 1 + m->n_param + m->n_option);
  }
  return SAL_OK;
}

/* Packs metric number i (sal_metric_at) of n cells of the round. */
static void pack(const sal_cube_pack *s, int i, int64_t first, int64_t n, char *to)
{
  const sal_tile_result part = sal_tile_result_part(s->of, sal_config_count(s->sweep), first, n);

  sal_cube_chunk_pack(s->sweep, i, &part, to);
}

static uint64_t count_missing(int i, int64_t n, const char *packed)
{
  const int64_t *whole = (const int64_t *)(const void *)packed;
  uint64_t missing = 0;

  if (sal_datatype_of(sal_metric_at(i)->kind) != SAL_DATATYPE_WHOLE) return 0;
  for (int64_t k = 0; k < n; ++k) missing += whole[k] == -1;
  return missing;
}

/* Packs and sums up a metric of a piece, and deflates the chunk that it is, if the metric is cut. */
static sal_err pack_piece(void *with, int64_t number, int thread)
{
  sal_cube_pack *s = with;
  const int i = (int)(number / s->n_piece);
  const int64_t piece = number % s->n_piece, at = piece * s->most, n = cells_of(s, piece);
  sal_cube_packed *out = &s->metric[number];
  sal_cube_deflate *room = &s->room[thread];
  const size_t size = sal_datatype_size(sal_datatype_of(sal_metric_at(i)->kind));
  const int64_t row = sal_cube_chunk_row(s->sweep, i), each = row / (int64_t)size;
  char *to = NULL;

  if (!sal_sweep_keeps(s->sweep, i)) return SAL_OK;
  if (s->begin[i] >= 0)
    to = s->whole + s->begin[i] + at * row;
  else
    SAL_TRY(sal_cube_deflate_room(room, s->path, s->most * row, &to));
  pack(s, i, at, n, to);
  for (int64_t k = 0; k < n; ++k)
    s->sum[i * s->of->count + at + k] =
        sal_checksum_of(s->of->first + at + k, 1, (size_t)row, to + k * row);
  out->missing = count_missing(i, n * each, to);
  if (s->begin[i] >= 0 || (s->there && s->there[s->of->first / s->most + piece])) return SAL_OK;
  out->thread = thread;
  out->from = room->n;
  SAL_TRY(sal_cube_deflate_add(room, s->path, s->most * each, n * each, size, to));
  out->n = room->n - out->from;
  return SAL_OK;
}

/* Where the values of metrics that are not cut go; returns the bytes of all. */
static int64_t place_wholes(sal_cube_pack *s)
{
  int64_t end = 0;

  for (int i = 0; i < SAL_METRICS_ALL; ++i) {
    s->begin[i] = sal_cube_chunk_is_cut(s->sweep, i) ? -1 : end;
    if (s->begin[i] >= 0 && sal_sweep_keeps(s->sweep, i))
      end += (s->of->count * sal_cube_chunk_row(s->sweep, i) + 7) / 8 * 8;
  }
  return end;
}

static bool allot(sal_cube_pack *s)
{
  const size_t n = (size_t)s->of->count, pieces = (size_t)s->n_piece;

  s->n_thread = sal_parallel_threads();
  s->n_column = sal_cube_create_columns(s->sweep);
  if (!s->room) s->room = sal_alloc((size_t)s->n_thread, sizeof *s->room);
  s->whole = sal_alloc((size_t)place_wholes(s), 1);
  s->sum = sal_alloc(n * SAL_METRICS_ALL, sizeof *s->sum);
  s->metric = sal_alloc(pieces * SAL_METRICS_ALL, sizeof *s->metric);
  s->quantity = sal_alloc(n * (size_t)s->n_column, sizeof *s->quantity);
  return s->room && s->whole && s->sum && s->metric && s->quantity;
}

sal_err sal_cube_pack_round(sal_cube_pack *s, const sal_tile_result *result)
{
  const int64_t chunk = sal_cube_chunk(s->sweep);

  s->of = result;
  s->most = chunk > 1 ? chunk : FEW;
  s->n_piece = (result->count + s->most - 1) / s->most;
  if (!allot(s)) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", s->path);
  for (int i = 0; i < s->n_thread; ++i) s->room[i].n = 0;
  SAL_TRY(sal_parallel_for(s->n_thread, s->n_piece, find_quantities, s));
  SAL_TRY(sal_parallel_for(s->n_thread, s->n_piece * SAL_METRICS_ALL, pack_piece, s));
  for (int64_t k = 0; k < s->n_piece * SAL_METRICS_ALL; ++k)
    if (s->metric[k].n > 0)
      s->metric[k].chunk = s->room[s->metric[k].thread].bytes + s->metric[k].from;
  return SAL_OK;
}

sal_err sal_cube_pack_cut(const sal_cube_pack *s, sal_cube_cuts *cuts)
{
  const int64_t first = s->of->first / s->most, n = cuts->n_cut > 0 ? s->n_piece : 0;
  const unsigned char *there = s->there ? s->there + first : NULL;

  for (int64_t begin = 0, end; begin < n; begin = end) {
    for (end = begin; end < n && !(there && there[end]);) ++end;
    if (end > begin) SAL_TRY(sal_cube_cuts_run(cuts, first + begin, end - begin));
    for (int m = 0; m < cuts->n_cut; ++m)
      for (int64_t k = begin; k < end; ++k) {
        const sal_cube_packed *made = &s->metric[cuts->cut[m] * n + k];
        SAL_TRY(sal_cube_cuts_add(cuts, made->chunk, made->n));
      }
    while (end < n && there && there[end]) ++end;
  }
  return SAL_OK;
}

void sal_cube_pack_end(sal_cube_pack *s)
{
  sal_free_all(s->whole, s->sum, s->metric, s->quantity);
  s->whole = NULL;
  s->sum = NULL;
  s->metric = NULL;
  s->quantity = NULL;
}

void sal_cube_pack_free(sal_cube_pack *s)
{
  sal_cube_pack_end(s);
  for (int k = 0; s->room && k < s->n_thread; ++k) sal_cube_deflate_free(&s->room[k]);
  sal_free(s->room);
  s->room = NULL;
}
