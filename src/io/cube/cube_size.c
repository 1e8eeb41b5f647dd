/** Size of a cube: on the disk, and in memory while it is written. */
#include "cube_chunk.h"
#include "cube_frame.h"
#include "cube_read.h"
#include "cube_write.h"
#include "tile_rows.h"
#include <string.h>

enum {
  ROUND = 32 << 20, /* bytes of records of a rank */
  SLACK = 1 << 20,  /* of a claim: labels are written among the values */
  MORE = 64 << 10   /* that labels may take than they are said to */
};

/* Memory of libraries, as measured [B]: of MPI-IO; of HDF5 while it makes a frame. */
enum { EXCHANGE = 4000000, LABELS = 30000000 };

/* Metrics that the sweep requests. */
static int64_t count_metrics(const sal_sweep *s)
{
  int64_t n = 0;

  for (int i = 0; i < SAL_METRICS_ALL; ++i) n += sal_sweep_keeps(s, i);
  return n;
}

static int64_t index_bytes(const sal_sweep *s)
{
  int64_t dim[SAL_CUBE_CHUNK_DIMS];
  const int64_t cells = sal_cube_chunk(s), chunks = (s->n_cell + cells - 1) / cells;
  int64_t bytes = 0;

  for (int i = 0; i < SAL_METRICS_ALL; ++i) {
    const int n_dim = sal_cube_chunk_shape(s, i, dim);
    if (sal_cube_chunk_is_cut(s, i))
      bytes += sal_cube_index_node(n_dim) + sal_cube_index_bytes(n_dim, chunks);
  }
  return bytes;
}

static int64_t chunks_memory(const sal_sweep *s)
{
  const int64_t cells = sal_cube_chunk(s), chunks = (s->n_cell + cells - 1) / cells;
  int64_t n = 0, dim[SAL_CUBE_CHUNK_DIMS];

  for (int i = 0; i < SAL_METRICS_ALL; ++i) n += sal_cube_chunk_is_cut(s, i);
  return n == 0 ? 0
                : chunks * (n * (int64_t)sizeof(uint32_t) + (int64_t)sizeof(int64_t)) +
                      sal_cube_index_bytes(sal_cube_chunk_shape(s, 0, dim), chunks);
}

int sal_cube_create_columns(const sal_sweep *s)
{
  return 1 + s->model->n_param + s->model->n_option + s->model->n_state;
}

static int64_t count_pieces(const sal_sweep *s)
{
  int64_t n = sal_cube_create_columns(s);
  bool cut = false;

  for (int i = 0; i < SAL_METRICS_ALL; ++i) {
    if (!sal_sweep_keeps(s, i)) continue;
    n += sal_cube_chunk_is_cut(s, i) ? 1 : 2;
    cut = cut || sal_cube_chunk_is_cut(s, i);
  }
  return n + cut;
}

/* Metrics that are not cut into chunks, and the sums of all blocks. */
static int64_t whole_bytes(const sal_sweep *s)
{
  int64_t bytes = (int64_t)sizeof(uint64_t) * sal_block_count(s);

  for (int i = 0; i < SAL_METRICS_ALL; ++i)
    if (sal_sweep_keeps(s, i) && !sal_cube_chunk_is_cut(s, i))
      bytes += s->n_cell * sal_cube_chunk_row(s, i);
  return bytes;
}

/* Metrics cut into chunks, and the index of their chunks. */
static double cut_bytes(const sal_sweep *s, const sal_packed_size *packed)
{
  double bytes = (double)index_bytes(s);

  for (int i = 0; i < SAL_METRICS_ALL; ++i)
    if (sal_cube_chunk_is_cut(s, i))
      bytes += sal_packed_size_metric(packed, s, i) * (double)s->n_cell;
  return bytes;
}

/* Numbers, parameters, options and initial states of the cells. */
static int64_t column_bytes(const sal_sweep *s)
{
  const sal_model *m = s->model;

  return s->n_cell * (8 * (int64_t)(m->n_param + m->n_state + 1) + m->n_option);
}

/* Everything else: what HDF5 keeps of a dataset with its labels, and axes. */
static int64_t label_bytes(const sal_sweep *s)
{
  const int64_t label = 1100;
  const sal_model *m = s->model;
  const int64_t column = m->n_param + m->n_state + 1;
  int64_t bytes = (int64_t)strlen(s->text);

  for (int a = 0; a < s->n_axis && !sal_axes_are_cells(s); ++a)
    bytes += label + 8 * s->axis[a].n_point;
  return bytes + label * (count_metrics(s) + SAL_CUBE_DIM + 2 + column + m->n_option);
}

static double stored_bytes(const sal_sweep *s, const sal_packed_size *packed, int i)
{
  if (!sal_sweep_keeps(s, i)) return 0;
  return sal_cube_chunk_is_cut(s, i) ? sal_packed_size_metric(packed, s, i)
                                     : (double)sal_cube_chunk_row(s, i);
}

double sal_cube_file_stored(const sal_cube_file_metrics *m, const sal_sweep *s,
                            const sal_packed_size *packed)
{
  double bytes = 0;

  for (int i = 0; i < m->n; ++i) bytes += stored_bytes(s, packed, m->metric[i]);
  for (int i = 0; i < m->n_of_cell; ++i)
    bytes += stored_bytes(s, packed, SAL_N_METRIC + m->of_cell[i]);
  return bytes;
}

int64_t sal_cube_round(const sal_sweep *s)
{
  const int64_t cells = ROUND / sal_tile_rows_bytes(s);
  const int64_t chunk = sal_cube_chunk(s);

  return cells < chunk ? chunk : cells / chunk * chunk;
}

/* Memory of libraries, results, chunks, at most as large, checksums, and quantities. */
static int64_t round_memory(const sal_sweep *s, int64_t cells)
{
  return EXCHANGE + 2 * cells * sal_tile_rows_bytes(s) +
         cells * (int64_t)sizeof(double) *
             (SAL_METRICS_ALL + s->model->n_param + s->model->n_option + s->model->n_state + 1);
}

sal_cube_size sal_cube_size_of(const sal_sweep *s, const sal_packed_size *packed, int64_t cells)
{
  const int64_t most = sal_cube_round(s), round = cells < most ? cells : most;

  return (sal_cube_size){.frame = column_bytes(s) + label_bytes(s),
                         .metrics = whole_bytes(s) + (int64_t)cut_bytes(s, packed),
                         .index = index_bytes(s),
                         .rounds = (cells + round - 1) / (round > 0 ? round : 1),
                         .pieces = count_pieces(s),
                         .memory = round_memory(s, round),
                         .first = LABELS + label_bytes(s),
                         .chunks = chunks_memory(s)};
}

int64_t sal_cube_frame_room(const sal_sweep *s)
{
  return MORE + 2 * label_bytes(s) + whole_bytes(s) + column_bytes(s);
}

int64_t sal_cube_room(const sal_sweep *sweep)
{
  return SLACK + whole_bytes(sweep) + column_bytes(sweep);
}
