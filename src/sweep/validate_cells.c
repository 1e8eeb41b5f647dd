/** The axes together: which quantity each varies, how many cells that makes, and whether all of
 *  them make sense.
 */
#include "base.h"
#include "cells.h"
#include "parameter_column.h"
#include "validate.h"

enum { MAX_LABEL = 40 };

/* The key under which a quantity of the model is fixed. */
static const char *group_of(const sal_model *m, int column)
{
  if (column < m->n_param) return "parameters";
  return sal_parameter_column_is_option(m, column) ? "options" : "initial";
}

static int node_naming_column(const sal_axis_entry *e, int c)
{
  const sal_document *document = e->context->document;
  const int name = sal_document_child(document, e->node, "name"),
            columns = sal_document_child(document, e->node, "columns");
  return name ? name : sal_document_item(document, columns, c);
}

/* A quantity is varied by one axis, or fixed, or neither. */
static sal_err claim_columns(const sal_axis_entry *e, const sal_axis *axis, int number, int owner[])
{
  const sal_document *document = e->context->document;
  for (int c = 0; c < axis->n_column; ++c) {
    const char *group = group_of(e->context->model, axis->column[c]),
               *name = sal_parameter_column_name(e->context->model, axis->column[c]);
    const int fixed = sal_document_child(document, sal_document_find(document, group), name);
    int *number_there = &owner[axis->column[c]];
    if (*number_there == number)
      return sal_document_fail(document, node_naming_column(e, c),
                               "duplicate '%s' in columns of %s", name, e->label);
    if (*number_there)
      return sal_document_fail(document, node_naming_column(e, c),
                               "%s: %s is varied by entry %d of cells.axes already", e->label, name,
                               *number_there);
    if (fixed)
      return sal_document_fail(document, fixed,
                               "%s is a column of the cells, and cannot be fixed under %s, too",
                               name, group);
    *number_there = number;
  }
  return SAL_OK;
}

static sal_err refuse_count(const sal_validation *context, double n)
{
  SAL_OWN_BY(sal_text_free) sal_text product = {0};
  for (int a = 0; a < context->sweep->n_axis; ++a)
    sal_text_add(&product, "%s%lld", a ? " x " : "", (long long)context->sweep->axis[a].n_point);
  return sal_document_fail(context->document, sal_document_find(context->document, "cells"),
                           "%s = %.10g cells; allowed: to %g", product.string ? product.string : "",
                           n, (double)SAL_MAX_CELL);
}

/* One table of columns and rows, or a list of axes; what goes with a file of cells is known since it was read. */
static sal_err check_form(const sal_validation *context)
{
  const int cells = sal_document_find(context->document, "cells"),
            axes = sal_document_child(context->document, cells, "axes");
  static const char *const table[] = {"columns", "rows"};
  for (int i = 0; cells && !context->sweep->design && i < 2; ++i) {
    const int node = sal_document_child(context->document, cells, table[i]);
    char name[MAX_LABEL];
    snprintf(name, sizeof name, "cells.%s", table[i]);
    if (axes && node)
      return sal_document_fail(context->document, node, "cells has both axes and %s; allowed: %s",
                               table[i], "axes, or columns and rows (which an axis may have, too)");
    if (!axes && !node) return sal_key_missing(context->document, cells, name);
  }
  return SAL_OK;
}

/* Two axes of one name, such as of a and b together and of a_b, would be one dataset of the cube. */
static sal_err check_names(const sal_axis_entry entry[], const sal_sweep *sweep)
{
  for (int a = 1; a < sweep->n_axis; ++a) {
    SAL_OWN_BY(sal_text_free) sal_text name = {0};
    sal_parameter_axis_name(sweep, a, &name);
    for (int b = 0; b < a; ++b) {
      SAL_OWN_BY(sal_text_free) sal_text other = {0};
      sal_parameter_axis_name(sweep, b, &other);
      if (name.lost || other.lost) return sal_fail(SAL_ERR_MEMORY, "no memory for names of axes");
      if (strcmp(name.string, other.string) == 0)
        return sal_document_fail(entry[a].context->document, entry[a].node,
                                 "%s: its name in the cube is %s, as that of %s; allowed: names "
                                 "that differ, as by another order of columns",
                                 entry[a].label, name.string, entry[b].label);
    }
  }
  return SAL_OK;
}

/* Reads all axes, and makes their values when it is known that they are not too many. */
static sal_err read_axes(const sal_validation *context, const sal_axis_entry entry[])
{
  sal_sweep *sweep = context->sweep;
  int owner[SAL_MAX_QUANTITY] = {0};
  double n = 1;
  for (int a = 0; a < sweep->n_axis; ++a) {
    SAL_TRY(sal_axis_read(&entry[a], &sweep->axis[a]));
    SAL_TRY(claim_columns(&entry[a], &sweep->axis[a], a + 1, owner));
    n *= (double)sweep->axis[a].n_point;
  }
  SAL_TRY(check_names(entry, sweep));
  if (n > (double)SAL_MAX_CELL) return refuse_count(context, n);
  sweep->n_cell = sweep->n_grid = (int64_t)n;
  for (int a = 0; a < sweep->n_axis; ++a) SAL_TRY(sal_axis_read_fill(&entry[a], &sweep->axis[a]));
  return SAL_OK;
}

static sal_err validate_axes(const sal_validation *context)
{
  const int cells = sal_document_find(context->document, "cells"),
            axes = sal_document_child(context->document, cells, "axes");
  sal_axis_entry entry[SAL_MAX_AXIS];
  char label[SAL_MAX_AXIS][MAX_LABEL];
  if (!cells) return SAL_OK;
  for (int a = 0; a < context->sweep->n_axis; ++a) {
    snprintf(label[a], MAX_LABEL, axes ? "entry %d of cells.axes" : "cells", a + 1);
    entry[a] =
        (sal_axis_entry){.context = context,
                         .node = axes ? sal_document_item(context->document, axes, a) : cells,
                         .label = label[a]};
  }
  return read_axes(context, entry);
}

/* The node that is named for a cell that makes no sense: its row, the axes, or what fixes its
 * parameters. */
static int node_to_blame(const sal_validation *context, int64_t cell)
{
  const int cells = sal_document_find(context->document, "cells"),
            rows = sal_document_child(context->document, cells, "rows");
  if (rows) return sal_document_item(context->document, rows, (int)cell);
  if (cell >= context->sweep->n_grid)
    return sal_document_item(context->document,
                             sal_document_find(context->document, "cells.scattered.rows"),
                             (int)(cell - context->sweep->n_grid));
  if (context->sweep->design) return sal_document_child(context->document, cells, "file");
  if (cells) return sal_document_child(context->document, cells, "axes");
  const int parameters = sal_document_find(context->document, "parameters");
  for (int i = 0; i < context->model->n_param; ++i) {
    const int node =
        sal_document_child(context->document, parameters, context->model->param[i].name);
    if (sal_document_overridden(context->document, node)) return node;
  }
  return parameters;
}

/* The line of a file of cells, where it is known. */
static sal_err fail_in_design(const sal_validation *context, int64_t cell, const char *message)
{
  const sal_design *d = context->sweep->design;
  const long long line = d ? d->first + cell : 0;

  if (d && d->path && d->in_lines)
    return sal_fail(SAL_ERR_INPUT, "%s:%lld: %s", d->path, line, message);
  if (d && d->path) return sal_fail(SAL_ERR_INPUT, "%s: %s", d->path, message);
  return sal_document_fail(context->document, node_to_blame(context, cell), "%s", message);
}

static sal_err check_cells(const sal_validation *context)
{
  int64_t cell;
  char what[256], text[SAL_CELLS_TEXT], message[1024];
  const char *flaw = sal_cells_flaw(context->sweep, &cell, text);
  if (!flaw) return SAL_OK;
  if (context->sweep->n_axis == 0)
    return sal_document_fail(context->document, node_to_blame(context, cell), "%s", flaw);
  sal_cells_describe(context->sweep, cell, sizeof what, what);
  snprintf(message, sizeof message, "cell %lld with %s: %s", (long long)cell + 1, what, flaw);
  return fail_in_design(context, cell, message);
}

static sal_err check_zone(const sal_validation *context)
{
  int64_t cell;
  char what[256] = "", text[SAL_COMPATIBILITY_TEXT];
  const int node = sal_document_find(context->document, "projection.zone"),
            list = sal_document_find(context->document, "strategies");
  const char *flaw = sal_cells_zone_flaw(context->sweep, &cell, text);
  if (!flaw) return SAL_OK;
  if (context->sweep->n_axis > 0) sal_cells_describe(context->sweep, cell, sizeof what, what);
  return sal_document_fail(context->document, node ? node : list, "projection.zone: %s%s%s", flaw,
                           *what ? ", in the cell with " : "", what);
}

sal_err sal_validate_cells(const sal_validation *context)
{
  sal_sweep *sweep = context->sweep;
  SAL_TRY(check_form(context));
  sweep->n_cell = sweep->n_grid = 1;
  const int axes = sal_document_find(context->document, "cells.axes"),
            n = axes ? sal_document_count(context->document, axes)
                     : sal_document_find(context->document, "cells") != 0;
  sweep->axis = sal_alloc((size_t)n, sizeof *sweep->axis);
  if (!sweep->axis) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", context->document->path);
  sweep->n_axis = n;
  SAL_TRY(validate_axes(context));
  SAL_TRY(sal_scattered_validate(context));
  SAL_TRY(sal_variants_make(context->document, sweep));
  if (!sweep->results) { /* all cells of results have been run */
    SAL_TRY(check_cells(context));
    SAL_TRY(check_zone(context));
  }
  sweep->n_guard = sal_cells_guards(sweep);
  return SAL_OK;
}
