/** @file src/io/cube/cube_size.c
 *  What a cube takes: on the disk, and in memory while it is written.
 */
#include "block_sums.h"
#include "contender.h"
#include "cube.h"
#include "cube_read.h"
#include "cube_write.h"
#include "metric.h"
#include <string.h>

enum { ROUND = 32 << 20 }; /* bytes of records of a rank */

/* Of libraries, as measured: what collective writes of MPI hold; what HDF5 holds while it makes a frame. */
enum { EXCHANGE = 34000000, LABELS = 30000000 };

/* Metrics that the sweep asks for. */
static int64_t count_metrics(const sal_sweep *s)
{
  int64_t n = 0;

  for (int m = 0; m < SAL_N_METRIC; ++m) n += sal_sweep_asks(s, sal_metrics[m].group);
  for (int m = 0; m < SAL_N_CELL_METRIC; ++m) n += sal_sweep_asks(s, sal_metrics_of_cell[m].group);
  return n;
}

/* Values of the metrics, and the sums of their blocks. */
static int64_t metric_bytes(const sal_sweep *s)
{
  const sal_cube_file_metrics all = sal_cube_file_all();

  return s->n_cell * sal_cube_file_bytes(&all, s) + (int64_t)sizeof(uint64_t) * sal_block_count(s);
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

  for (int a = 0; a < s->n_axis; ++a) bytes += label + 8 * s->axis[a].n_point;
  return bytes + label * (count_metrics(s) + SAL_CUBE_DIM + 2 + column + m->n_option);
}

int64_t sal_cube_frame_bytes(const sal_sweep *s) { return column_bytes(s) + label_bytes(s); }

int64_t sal_cube_bytes(const sal_sweep *sweep)
{
  return metric_bytes(sweep) + sal_cube_frame_bytes(sweep);
}

int64_t sal_cube_round(const sal_sweep *s)
{
  const int64_t cells = ROUND / sal_tile_cell_bytes(sal_contender_count(s));

  return cells < 1 ? 1 : cells;
}

int64_t sal_cube_memory(const sal_sweep *s, int64_t cells, bool first)
{
  if (cells > sal_cube_round(s)) cells = sal_cube_round(s);
  const int n = sal_contender_count(s);

  /* what libraries hold; results; a metric packed, and as read back; quantities; the frame */
  return EXCHANGE + cells * sal_tile_cell_bytes(n) +
         cells * (int64_t)sizeof(double) *
             (2 * n + s->model->n_param + s->model->n_option + s->model->n_state + 1) +
         (first ? LABELS + label_bytes(s) : 0);
}

/* What the metrics will take, and a little more: chunks are stored whole, and have an index. */
int64_t sal_cube_room(const sal_sweep *s)
{
  const int64_t chunk = (int64_t)1 << 20, room = chunk + metric_bytes(s) + column_bytes(s);
  const int64_t sets =
      count_metrics(s) + s->model->n_param + s->model->n_option + s->model->n_state;

  return room > 16 * chunk ? room + room / 64 + (sets + 1) * chunk : room;
}
