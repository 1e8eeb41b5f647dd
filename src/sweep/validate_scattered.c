/** Reads scattered cells: they vary the quantities of the axes, are within these, and are not cells that
 *  are there already.
 */
#include "parameter_column.h"
#include "validate.h"

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

  if (!sal_scattered_sort(s->n_axis, s->axis, &s->scattered, &replicate))
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

sal_err sal_validate_scattered(const sal_validation *context)
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
