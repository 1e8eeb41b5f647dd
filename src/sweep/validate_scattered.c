/** @file src/sweep/validate_scattered.c
 *  Reading scattered cells: they go with the axes, vary what these vary, lie within them, and are
 * no cell that is there already.
 */
#include "validate_scattered.h"
#include "axis_read.h"
#include "parameter_column.h"
#include "parameter_point.h"
#include "raw.h"
#include "text.h"
#include <stdio.h>

static int find(const sal_validation *d, const char *key)
{
  return sal_document_find(d->document, key);
}

/* Only between points that have a place on their axis is there room for more. */
static sal_err check_axes(const sal_validation *d)
{
  const int axes = find(d, "cells.axes"), scattered = find(d, "cells.scattered");

  if (!axes)
    return sal_document_fail(
        d->document, scattered,
        "cells.scattered without axes; allowed: with cells.axes (a table takes "
        "more rows)");
  for (int a = 0; a < d->sweep->n_axis; ++a)
    if (sal_axis_joint(&d->sweep->axis[a]))
      return sal_document_fail(d->document, sal_document_item(d->document, axes, a),
                               "cells.scattered goes with axes of one quantity each, but entry %d "
                               "of cells.axes is %s; allowed: linear, log, list",
                               a + 1, sal_axis_kind_name(d->sweep->axis[a].kind));
  return SAL_OK;
}

/* The columns are what the axes vary: nothing else, and all of it. */
static sal_err check_columns(const sal_validation *d, const sal_axis *point)
{
  const sal_sweep *s    = d->sweep;
  const int        list = find(d, "cells.scattered.columns");

  for (int c = 0; c < point->n_column; ++c) {
    bool varied = false;
    for (int a = 0; a < s->n_axis; ++a) varied |= s->axis[a].column[0] == point->column[c];
    if (!varied)
      return sal_document_fail(d->document, sal_document_item(d->document, list, c),
                               "cells.scattered.columns: %s is varied by no axis",
                               sal_parameter_column_name(d->model, point->column[c]));
  }
  for (int a = 0; a < s->n_axis; ++a) {
    bool there = false;
    for (int c = 0; c < point->n_column; ++c) there |= s->axis[a].column[0] == point->column[c];
    if (!there)
      return sal_document_fail(d->document, list,
                               "cells.scattered.columns lacks %s, which an axis varies",
                               sal_parameter_column_name(d->model, s->axis[a].column[0]));
  }
  return SAL_OK;
}

static bool is_option(const sal_model *m, int column)
{
  return column >= m->n_param && column < m->n_param + m->n_option;
}

/* Does the axis have, or have room for, the value? */
static sal_err check_value(const sal_validation *d, const sal_axis *axis, double value, int node)
{
  const char         *name = sal_parameter_column_name(d->model, axis->column[0]);
  sal_axis_neighbours b;
  double              lo, hi;

  const bool inside = sal_axis_bracket(axis, value, &lo, &hi, &b) && value >= lo && value <= hi;
  if (is_option(d->model, axis->column[0]) && (!inside || b.below != b.above))
    return sal_document_fail(d->document, node, "%s = %s is not on its axis", name,
                             sal_document_text(d->document, node));
  if (!inside)
    return sal_document_fail(d->document, node,
                             "%s = %.10g lies outside its axis; allowed: from %.10g to %.10g", name,
                             value, lo, hi);
  return SAL_OK;
}

static sal_err check_values(const sal_validation *d)
{
  const sal_sweep *s    = d->sweep;
  const sal_axis  *p    = &s->scattered.point;
  const int        rows = find(d, "cells.scattered.rows");

  for (int a = 0; a < s->n_axis; ++a) {
    const int c = sal_scattered_column(&s->scattered, &s->axis[a]);
    for (int64_t i = 0; i < p->n_point; ++i)
      SAL_TRY(check_value(
          d, &s->axis[a], sal_axis_value(p, i, c),
          sal_document_item(d->document, sal_document_item(d->document, rows, (int)i), c)));
  }
  return SAL_OK;
}

static sal_err sort(const sal_validation *d)
{
  sal_sweep *s = d->sweep;
  int64_t    replicate;

  if (!sal_scattered_sort(s->n_axis, s->axis, &s->scattered, &replicate))
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", d->document->path);
  if (replicate < 0) return SAL_OK;
  return sal_document_fail(
      d->document, sal_document_item(d->document, find(d, "cells.scattered.rows"), (int)replicate),
      "entry %lld of cells.scattered.rows is a cell that is there already",
      (long long)replicate + 1);
}

sal_err sal_validate_scattered(const sal_validation *d)
{
  const sal_raw_axis   raw = {.columns = d->raw->scattered, .n_columns = d->raw->n_scattered};
  const sal_axis_entry e   = {d, find(d, "cells.scattered"), &raw, "cells.scattered"};
  sal_axis            *p   = &d->sweep->scattered.point;

  if (!e.node) return SAL_OK;
  SAL_TRY(check_axes(d));
  SAL_TRY(sal_axis_read_rows(&e, p));
  SAL_TRY(check_columns(d, p));
  SAL_TRY(check_values(d));
  SAL_TRY(sort(d));
  d->sweep->n_cell = d->sweep->n_grid + p->n_point;
  return SAL_OK;
}
