/** Scattered cells, sorted by the boxes of the grid they lie in; read, they vary the quantities of the axes, are within these, and
 *  are not cells that are there already. */
#include "base.h"
#include "parameter_column.h"
#include "sweep.h"
#include "validate.h"

/* Entry of the sort. */
typedef struct {
  int64_t slots, number;
  const double *value;
  int n;
} sort_entry;

int sal_scattered_column(const sal_scattered *s, const sal_axis *axis)
{
  int c = 0;

  while (s->point.column[c] != axis->column[0]) ++c;
  assert(c < s->point.n_column);
  return c;
}

static int64_t slot_of(const sal_axis *axis, double value)
{
  sal_axis_neighbours b;
  double lo, hi;

  sal_axis_bracket(axis, value, &lo, &hi, &b);
  return 2 * b.below + (b.below != b.above);
}

/* A value between two points of an axis whose numbers are not neighbours has a slot of its own,
 * too: each point begins one gap. */
static int64_t slots_of(const sal_axis *axis) { return 2 * axis->n_point; }

static int compare_values(const sort_entry *a, const sort_entry *b)
{
  for (int c = 0; c < a->n; ++c)
    if (a->value[c] != b->value[c]) return a->value[c] < b->value[c] ? -1 : 1;
  return 0;
}

static int compare_entries(const void *left, const void *right)
{
  const sort_entry *a = left, *b = right;

  if (a->slots != b->slots) return a->slots < b->slots ? -1 : 1;
  const int by_value = compare_values(a, b);
  return by_value ? by_value : (a->number > b->number) - (a->number < b->number);
}

/* The slots of a point on all axes; *on_grid: it has a value of the axis on each of them. */
static int64_t pack_slots(const sal_scattered *s, int n_axis, const sal_axis axis[], int64_t point,
                          bool *on_grid)
{
  int64_t all = 0;

  *on_grid = true;
  for (int a = 0; a < n_axis; ++a) {
    const int c = sal_scattered_column(s, &axis[a]);
    const int64_t slot = slot_of(&axis[a], sal_axis_value(&s->point, point, c));
    *on_grid = *on_grid && slot % 2 == 0;
    all = all * slots_of(&axis[a]) + slot;
  }
  return all;
}

static void note_least(int64_t point, int64_t *replicate)
{
  if (*replicate < 0 || point < *replicate) *replicate = point;
}

/* Sorts the points; false when memory ran out.  *replicate: a point that a cell of the grid or an earlier point is already; -1:
 * none. */
static bool sort_points(int n_axis, const sal_axis axis[], sal_scattered *s, int64_t *replicate)
{
  const int64_t n = s->point.n_point;
  SAL_OWN sort_entry *list = sal_alloc((size_t)n, sizeof *list);

  *replicate = -1;
  s->number = sal_alloc((size_t)n, sizeof *s->number);
  if (!list || !s->number) return false;
  for (int64_t i = 0; i < n; ++i) {
    bool on_grid;
    list[i] = (sort_entry){pack_slots(s, n_axis, axis, i, &on_grid), i,
                           s->point.value + i * s->point.n_column, s->point.n_column};
    if (on_grid) note_least(i, replicate);
  }
  qsort(list, (size_t)n, sizeof *list, compare_entries);
  for (int64_t i = 0; i < n; ++i) {
    s->number[i] = list[i].number;
    if (i > 0 && list[i].slots == list[i - 1].slots && !compare_values(&list[i], &list[i - 1]))
      note_least(list[i].number, replicate);
  }
  return true;
}

void sal_scattered_free(sal_scattered *s)
{
  sal_free_all(s->point.value, s->number);
  *s = (sal_scattered){0};
}

/* Points by number alone have no places between them. */
static sal_err check_axis_kinds(const sal_validation *context)
{
  const int axes = sal_document_find(context->document, "cells.axes"),
            scattered = sal_document_find(context->document, "cells.scattered");

  if (!axes)
    return sal_document_fail(
        context->document, scattered,
        "cells.scattered without axes; allowed: with cells.axes (a table takes more rows)");
  for (int a = 0; a < context->sweep->n_axis; ++a)
    if (sal_axis_joint(&context->sweep->axis[a]))
      return sal_document_fail(context->document, sal_document_item(context->document, axes, a),
                               "cells.scattered goes with axes of one quantity each, but entry %d "
                               "of cells.axes is %s; allowed: linear, log, list",
                               a + 1, sal_axis_kind_name(context->sweep->axis[a].kind));
  return SAL_OK;
}

/* The columns are what the axes vary: nothing else, and all of it. */
static sal_err check_columns(const sal_validation *context, const sal_axis *point)
{
  const sal_sweep *s = context->sweep;
  const int list = sal_document_find(context->document, "cells.scattered.columns");

  for (int c = 0; c < point->n_column; ++c) {
    bool varied = false;
    for (int a = 0; a < s->n_axis; ++a) varied |= s->axis[a].column[0] == point->column[c];
    if (!varied)
      return sal_document_fail(context->document, sal_document_item(context->document, list, c),
                               "cells.scattered.columns: %s is varied by no axis",
                               sal_parameter_column_name(context->model, point->column[c]));
  }
  for (int a = 0; a < s->n_axis; ++a) {
    bool there = false;
    for (int c = 0; c < point->n_column; ++c) there |= s->axis[a].column[0] == point->column[c];
    if (!there)
      return sal_document_fail(context->document, list,
                               "cells.scattered.columns lacks %s, which an axis varies",
                               sal_parameter_column_name(context->model, s->axis[a].column[0]));
  }
  return SAL_OK;
}

static sal_err check_place_on_axis(const sal_validation *context, const sal_axis *axis,
                                   double value, int node)
{
  const char *name = sal_parameter_column_name(context->model, axis->column[0]);
  sal_axis_neighbours b;
  double lo, hi;

  const bool inside = sal_axis_bracket(axis, value, &lo, &hi, &b) && value >= lo && value <= hi;
  if (sal_parameter_column_is_discrete(context->model, axis->column[0]) &&
      (!inside || b.below != b.above))
    return sal_document_fail(context->document, node, "%s = %s is not on its axis", name,
                             sal_document_text(context->document, node));
  if (!inside)
    return sal_document_fail(context->document, node,
                             "%s = %.10g lies outside its axis; allowed: from %.10g to %.10g", name,
                             value, lo, hi);
  return SAL_OK;
}

static sal_err check_places(const sal_validation *context)
{
  const sal_sweep *s = context->sweep;
  const sal_axis *p = &s->scattered.point;
  const int rows = sal_document_find(context->document, "cells.scattered.rows");

  for (int a = 0; a < s->n_axis; ++a) {
    const int c = sal_scattered_column(&s->scattered, &s->axis[a]);
    for (int64_t i = 0; i < p->n_point; ++i)
      SAL_TRY(check_place_on_axis(
          context, &s->axis[a], sal_axis_value(p, i, c),
          sal_document_item(context->document, sal_document_item(context->document, rows, (int)i),
                            c)));
  }
  return SAL_OK;
}

static sal_err sort_cells(const sal_validation *context)
{
  sal_sweep *s = context->sweep;
  int64_t replicate;

  if (!sort_points(s->n_axis, s->axis, &s->scattered, &replicate))
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", context->document->path);
  if (replicate < 0) return SAL_OK;
  return sal_document_fail(
      context->document,
      sal_document_item(context->document,
                        sal_document_find(context->document, "cells.scattered.rows"),
                        (int)replicate),
      "entry %lld of cells.scattered.rows is a cell that is there already",
      (long long)replicate + 1);
}

sal_err sal_scattered_validate(const sal_validation *context)
{
  const sal_axis_entry e = {context, sal_document_find(context->document, "cells.scattered"),
                            "cells.scattered"};
  sal_axis *p = &context->sweep->scattered.point;

  if (!e.node) return SAL_OK;
  SAL_TRY(check_axis_kinds(context));
  SAL_TRY(sal_axis_read_rows(&e, p));
  SAL_TRY(check_columns(context, p));
  SAL_TRY(check_places(context));
  SAL_TRY(sort_cells(context));
  context->sweep->n_cell = context->sweep->n_grid + p->n_point;
  return SAL_OK;
}
