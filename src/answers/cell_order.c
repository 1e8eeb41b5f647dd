/** Down a tree of boxes that is the same for all cells, with the cells of each half counted. */
#include "cell_order.h"
#include "base.h"
#include "sobol_points.h"

enum { MOST_LEVELS = SAL_MAX_AXIS * 40 };
enum { FREE_BITS = 4 }; /* of the numbers of points in a box that is not halved any more */

struct sal_cell_order {
  const sal_sweep *sweep;
  int n_level, axis[MOST_LEVELS];           /* that each level halves */
  sal_sobol_points *sequence[SAL_MAX_AXIS]; /* NULL: an axis of a grid, or one that is not halved */
};

/* The part of an axis in a box: n points, on a grid from `first` on, in a sequence those of a box. */
typedef struct {
  int64_t n, first;
  sal_sobol_box box;
} side;

static int bits_of(int64_t n)
{
  int bits = 0;

  while ((int64_t)1 << bits < n) ++bits;
  return bits;
}

/* Times that an axis is halved, all its columns together. */
static int depth_of(const sal_axis *axis)
{
  const int bits = bits_of(axis->n_point);

  if (sal_axis_is_smooth_sequence(axis)) return bits > FREE_BITS ? bits - FREE_BITS : 0;
  return sal_axis_joint(axis) ? 0 : bits;
}

static bool has_words(const sal_sweep *s, const sal_axis *axis)
{
  return !sal_axis_joint(axis) && sal_parameter_column_is_discrete(s->model, axis->column[0]);
}

/* How long a box is along the columns of the axes, halved so often. */
typedef struct {
  double length[SAL_MAX_AXIS][SAL_MAX_COLUMN];
  int left[SAL_MAX_AXIS];                                       /* halvings */
  int column[SAL_MAX_AXIS][SAL_SOBOL_BITS], done[SAL_MAX_AXIS]; /* halved along these */
} lengths;

static lengths begin_lengths(const sal_sweep *s)
{
  lengths l = {.left = {0}};

  for (int a = 0; a < s->n_axis; ++a) {
    l.left[a] = depth_of(&s->axis[a]);
    for (int c = 0; c < s->axis[a].n_column; ++c)
      l.length[a][c] = has_words(s, &s->axis[a]) ? INFINITY : 1;
  }
  return l;
}

/* The longest column of the axes that are still halved; the axis is -1 where none is. */
static int longest_of(const sal_sweep *s, const lengths *l, int *column)
{
  int axis = -1;
  double most = 0;

  for (int a = 0; a < s->n_axis; ++a)
    for (int c = 0; c < s->axis[a].n_column && l->left[a] > 0; ++c)
      if (l->length[a][c] > most) {
        most = l->length[a][c];
        axis = a;
        *column = c;
      }
  return axis;
}

static void choose_levels(sal_cell_order *o, lengths *l)
{
  int column = 0;

  for (int a; (a = longest_of(o->sweep, l, &column)) >= 0;) {
    if (sal_axis_is_smooth_sequence(&o->sweep->axis[a])) l->column[a][l->done[a]++] = column;
    l->length[a][column] /= 2;
    --l->left[a];
    o->axis[o->n_level++] = a;
  }
}

sal_err sal_cell_order_plain(const sal_sweep *sweep, sal_cell_order **order)
{
  *order = sal_alloc(1, sizeof **order);
  if (!*order) return sal_fail(SAL_ERR_MEMORY, "no memory for an order of cells");
  (*order)->sweep = sweep;
  return SAL_OK;
}

sal_err sal_cell_order_create(const sal_sweep *s, sal_cell_order **order)
{
  lengths l = begin_lengths(s);

  SAL_TRY(sal_cell_order_plain(s, order));
  assert(*order);
  choose_levels(*order, &l);
  for (int a = 0; a < s->n_axis; ++a) {
    if (!sal_axis_is_smooth_sequence(&s->axis[a])) continue;
    const sal_err err =
        sal_sobol_points_create(s->axis[a].n_point, l.done[a], l.column[a], &(*order)->sequence[a]);
    if (err == SAL_OK) continue;
    sal_cell_order_free(order);
    return err;
  }
  return SAL_OK;
}

void sal_cell_order_free(sal_cell_order **order)
{
  for (int a = 0; *order && a < SAL_MAX_AXIS; ++a) sal_free((*order)->sequence[a]);
  sal_free(*order);
  *order = NULL;
}

bool sal_cell_order_has_boxes(const sal_cell_order *o) { return o->n_level > 0; }

/* The lower half of a side; a single point of a grid is in the lower one. */
static side lower_half(const sal_cell_order *o, int a, const side *whole)
{
  if (!o->sequence[a]) return (side){(whole->n + 1) / 2, whole->first, {0, 0}};
  const sal_sobol_box box = sal_sobol_box_half(whole->box, false);
  return (side){sal_sobol_points_count(o->sequence[a], box), 0, box};
}

/* The part of a side beside its lower half. */
static side upper_half(const side *whole, const side *lower)
{
  return (side){whole->n - lower->n, whole->first + lower->n, sal_sobol_box_half(whole->box, true)};
}

/* Cells of a box for each point of a side. */
static int64_t cells_beside(const sal_cell_order *o, const side at[], int axis)
{
  int64_t cells = 1;

  for (int a = 0; a < o->sweep->n_axis; ++a) cells *= a == axis ? 1 : at[a].n;
  return cells;
}

static int64_t stride_of(const sal_cell_order *o, int axis)
{
  int64_t stride = 1;

  for (int a = axis + 1; a < o->sweep->n_axis; ++a) stride *= o->sweep->axis[a].n_point;
  return stride;
}

static int64_t cell_in_box(const sal_cell_order *o, const side at[], int64_t place)
{
  int64_t cell = 0, stride = 1;

  for (int a = o->sweep->n_axis - 1; a >= 0; --a) {
    assert(at[a].n > 0);
    const int64_t k = place % at[a].n;
    const int64_t point =
        o->sequence[a] ? sal_sobol_points_number(o->sequence[a], at[a].box, k) : at[a].first + k;
    place /= at[a].n;
    cell += point * stride;
    stride *= o->sweep->axis[a].n_point;
  }
  return cell;
}

/* The box of a place, or of a point in the boxes of the axes' sequences, NULL: of the place; returns how many places are before it. */
static int64_t find_box(const sal_cell_order *o, int64_t place, const int64_t point[],
                        const uint32_t boxes[], side at[])
{
  int64_t before = 0;

  for (int a = 0; a < o->sweep->n_axis; ++a) at[a] = (side){.n = o->sweep->axis[a].n_point};
  for (int l = 0; l < o->n_level; ++l) {
    const int a = o->axis[l];
    const side lower = lower_half(o, a, &at[a]);
    const int64_t below = lower.n * cells_beside(o, at, a);
    const bool above = !point           ? place - before >= below
                       : o->sequence[a] ? boxes[a] >> at[a].box.depth & 1
                                        : point[a] >= lower.first + lower.n;
    if (above) before += below;
    at[a] = above ? upper_half(&at[a], &lower) : lower;
  }
  return before;
}

int64_t sal_cell_order_cell(const sal_cell_order *o, int64_t place)
{
  side at[SAL_MAX_AXIS] = {{0}};

  if (place >= o->sweep->n_grid || o->n_level == 0) return place;
  place -= find_box(o, place, NULL, NULL, at);
  return cell_in_box(o, at, place);
}

static int64_t place_in_box(const sal_cell_order *o, const side at[], const int64_t point[])
{
  int64_t place = 0;

  for (int a = 0; a < o->sweep->n_axis; ++a) {
    const int64_t k = o->sequence[a] ? sal_sobol_points_rank(o->sequence[a], at[a].box, point[a])
                                     : point[a] - at[a].first;
    place = place * at[a].n + k;
  }
  return place;
}

int64_t sal_cell_order_place(const sal_cell_order *o, int64_t cell)
{
  side at[SAL_MAX_AXIS] = {{0}};
  int64_t point[SAL_MAX_AXIS] = {0};
  uint32_t boxes[SAL_MAX_AXIS] = {0};

  if (cell >= o->sweep->n_grid || o->n_level == 0) return cell;
  for (int a = 0; a < o->sweep->n_axis; ++a) {
    point[a] = cell / stride_of(o, a) % o->sweep->axis[a].n_point;
    if (o->sequence[a]) boxes[a] = sal_sobol_points_boxes(o->sequence[a], point[a]);
  }
  const int64_t before = find_box(o, 0, point, boxes, at);
  return before + place_in_box(o, at, point);
}
