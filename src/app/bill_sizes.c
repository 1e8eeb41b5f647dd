/** @file src/app/bill_sizes.c
 *  Sizes, from the layers that make the things.
 */
#include "bill_sizes.h"
#include "contender.h"
#include "cube_size.h"
#include "map.h"
#include "reader_rows.h"
#include "tile_run.h"
#include "tiles.h"
#include <math.h>

/* Beside the cells [B], as measured: the program, MPI and HDF5; what collective writes of MPI hold;
 * what HDF5 holds while it makes a frame. */
static const double program_bytes = 28e6, exchange_bytes = 34e6, labels_bytes = 30e6;

/* CPU time of the map, as measured, for a cell and for a contender in it [s]; what a cell takes more
 * where points are of several columns, which are searched by a tree. */
static const double cell_seconds = 24e-6, contender_seconds = 2.5e-6, search_seconds = 30e-6;

/* Of the map in a rank [B]: rows and answers of a round. */
static const double map_round = 16 << 20;

/* Of an index, for a point: its number, its part of the tree, and a key while it is made. */
enum { INDEX_BYTES = 4 + 2 + 16, COARSE_BYTES = 2 };

enum { WEIGHTS = 5, SCATTERED_NEIGHBOURS = 32 }; /* presets of a map; cells of a plane */

double sal_bill_cell_bytes(const sal_sweep *s)
{
  return (double)sizeof(sal_cell_record) + sal_contender_count(s) * (double)sizeof(sal_record);
}

/* Of an answer to a question in the file: two contenders by number, numbers of 4 bytes, a reason. */
static double answer_bytes(const sal_sweep *s, int numbers)
{
  return (sal_contender_count(s) < 255 ? 2 : 4) + 4 * numbers + 1;
}

/* Are there points?  Where nothing was stopped at a cap and the error is one of trajectories. */
static bool has_points(const sal_sweep *s) { return s->map_by->trajectory && !(s->cap.factor > 0); }

static double count_questions(const sal_sweep *s)
{
  return SAL_ERROR_METRIC_PRESETS + (has_points(s) ? WEIGHTS * s->n_tolerance : 0);
}

/* A cell of the map: its number, a place for each question, and for each error what is advised. */
static double map_bytes(const sal_sweep *s)
{
  return 8 + count_questions(s) * answer_bytes(s, 3) +
         SAL_ERROR_METRIC_PRESETS * answer_bytes(s, 5);
}

/* Error, outcome, counts of the work and what points are of, of all contenders of a cell. */
static double row_bytes(const sal_sweep *s)
{
  double one = 8 + (s->map_by->trajectory ? 1 : 0) + (has_points(s) ? 8 + 8 : 0);

  for (int i = 0; i < SAL_N_WORK; ++i) one += s->map_by->count[i] >= 0 ? 8 : 0;
  return 16 + one * sal_contender_count(s);
}

/* ---- cells that are read for the reader's answers ---- */

static bool is_searched(const sal_axis *a) { return a->n_column > 1 && a->n_point > 1; }

static bool is_scattered(const sal_sweep *s)
{
  bool any = s->scattered.point.n_point > 0;

  for (int a = 0; a < s->n_axis; ++a) any = any || is_searched(&s->axis[a]);
  return any;
}

/* Cells of a rank in a round of the map. */
static double round_cells(const sal_sweep *s, double fair)
{
  const double places = count_questions(s);
  const double bytes = 8 * (double)sizeof(double) * sal_contender_count(s) +
                       (double)(sizeof(sal_map_place) + sizeof(sal_map_answer)) * places;

  return fmax(1, fmin(fair, map_round / bytes));
}

/* Cells that a rank asks for, as multiples of its own: of a grid those one step off along each axis,
 * of which neighbours along the last ones lie in the round; scattered ones have all others. */
static double asked_for(const sal_sweep *s, double fair)
{
  const double round = round_cells(s, fair);
  double stride = 1, times = 1;

  if (is_scattered(s)) return SCATTERED_NEIGHBOURS;
  for (int a = s->n_axis - 1; a >= 0; --a) {
    if (s->axis[a].n_point > 1) times *= 1 + 2 * fmin(1, stride / round);
    stride *= (double)s->axis[a].n_point;
  }
  return times;
}

/* Rows that the reader keeps: at most, and of so many cells. */
static double most_rows(const sal_sweep *s)
{
  const double most = sal_reader_rows_memory / 2 / sal_reader_rows_bytes(sal_contender_count(s));

  return fmin((double)s->n_cell, most);
}

static double kept_rows(const sal_sweep *s, double fair)
{
  return fmin(fair * asked_for(s, fair), most_rows(s));
}

/* Where they are all kept, a rank reads no cell twice. */
static double read_for_answers(const sal_sweep *s, double fair)
{
  const double asked = asked_for(s, fair), cells = (double)s->n_cell;

  return most_rows(s) < cells ? asked : fmin(asked, cells / fair);
}

/* ---- memory ---- */

/* The table of rows grows by doubling up to the most, with the old one there while the new one is
 * filled; where not all cells can be kept there are two such tables in the end. */
static double grown(double rows, double most, double cells)
{
  double room = 512, before = 0;

  if (rows >= most && most < cells) return 2 * most;
  while (room < rows) {
    before = room;
    room = fmin(2 * room, most);
  }
  return room + before;
}

/* Cells of the bill for each of the sweep: more than one where a larger one is simulated. */
static double times_of(const sal_sweep *s)
{
  double cells = 1;

  for (int a = 0; a < s->n_axis; ++a) cells *= (double)s->axis[a].n_point;
  return (double)s->n_cell / (cells + (double)s->scattered.point.n_point);
}

/* Values of points, which every rank has. */
static double axis_memory(const sal_sweep *s)
{
  const double times = times_of(s);
  double bytes = 0;

  for (int a = 0; a < s->n_axis; ++a)
    if (s->axis[a].value)
      bytes += (is_searched(&s->axis[a]) ? times : 1) * (double)s->axis[a].n_point *
               s->axis[a].n_column * (double)sizeof(double);
  return bytes;
}

static double index_memory(const sal_sweep *s)
{
  double bytes = 0;

  for (int a = 0; a < s->n_axis; ++a)
    if (is_searched(&s->axis[a]))
      bytes += (double)s->axis[a].n_point * (INDEX_BYTES + COARSE_BYTES * s->axis[a].n_column);
  return bytes * times_of(s);
}

/* Of the map in a rank: its rounds, few cells of them in a small sweep, and rows. */
static double map_memory(const sal_sweep *s, double fair)
{
  const double n = sal_contender_count(s), rows = kept_rows(s, fair);
  const double few = fair * (2000 + 64 * n) * 4;

  return fmin(2 * map_round, few) + index_memory(s) +
         grown(rows, most_rows(s), (double)s->n_cell) * sal_reader_rows_bytes((int)n);
}

sal_bill_sweep sal_bill_sizes(const sal_sweep *s, int n_rank, int threads, bool map)
{
  const int64_t most = sal_tile_most(s), fair = (s->n_cell + n_rank - 1) / n_rank;
  const int64_t round = fair < sal_cube_round(s) ? fair : sal_cube_round(s);
  const int64_t tile = sal_tiles_largest(s->n_cell, n_rank, most);
  const int n = sal_contender_count(s);
  const double cells = (double)s->n_cell;
  const int64_t frame = sal_cube_frame_bytes(s);
  sal_bill_sweep out = {.records = sal_tiles_count(s->n_cell, n_rank, most),
                        .again = s->n_cell ? (double)s->stored.n_cell / cells : 0};

  out.answers =
      map ? cells * (cell_seconds + n * contender_seconds + (is_scattered(s) ? search_seconds : 0))
          : 0;
  out.bytes[SAL_BILL_JOURNAL] = cells * sal_bill_cell_bytes(s);
  out.bytes[SAL_BILL_FRAME] = (double)frame;
  out.bytes[SAL_BILL_METRICS] = (double)(sal_cube_bytes(s) - frame);
  out.bytes[SAL_BILL_ROWS] =
      map ? cells * row_bytes(s) * (2 + read_for_answers(s, (double)fair)) : 0;
  out.bytes[SAL_BILL_MAP] = map ? cells * map_bytes(s) : 0;
  out.bytes[SAL_BILL_STORED] = sal_stored_bytes(&s->stored, n, s->model->n_state);
  out.memory[SAL_BILL_PROGRAM] = program_bytes + axis_memory(s);
  out.memory[SAL_BILL_TILE] = (double)sal_tile_bytes(s, tile, threads);
  out.memory[SAL_BILL_ROUND] = exchange_bytes + (double)sal_cube_memory(s, round, false);
  out.memory[SAL_BILL_PLACES] = map_memory(s, (double)fair);
  out.memory[SAL_BILL_BLOCK] =
      labels_bytes + (double)(sal_cube_memory(s, round, true) - sal_cube_memory(s, round, false));
  return out;
}
