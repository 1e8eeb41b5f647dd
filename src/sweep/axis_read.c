/** Reading an axis: which kind it is, what belongs to that kind, and every number in it. */
#include "base.h"
#include "keys.h"
#include "parameter_column.h"
#include "sobol.h"
#include "validate.h"
#include "value.h"

enum { MAX_LIST = 10000, MAX_LABEL = 160 }; /* all pairs of a list are compared */

/* Entries that each kind takes: several columns, a number of points, a seed. */
static const struct {
  bool columns, points, seed;
} kind_needs[] = {
    [SAL_AXIS_LINEAR] = {false, true, false}, [SAL_AXIS_LOG] = {false, true, false},
    [SAL_AXIS_LIST] = {false, false, false},  [SAL_AXIS_ROWS] = {true, false, false},
    [SAL_AXIS_RANDOM] = {true, true, true},   [SAL_AXIS_SOBOL] = {true, true, false},
};
enum { N_KIND = sizeof kind_needs / sizeof kind_needs[0] };

static int child_of_entry(const sal_axis_entry *e, const char *key)
{
  return sal_document_child(e->context->document, e->node, key);
}

/* Fails at the line of a key. */
#define FAIL_AT(e, key, ...)                                                                       \
  sal_document_fail((e)->context->document, child_of_entry(e, key), __VA_ARGS__)

/* The field that column c sets, or NULL for an option. */
static const sal_field *field_of(const sal_axis_entry *e, const sal_axis *axis, int c)
{
  return sal_parameter_column_field(e->context->model, axis->column[c]);
}

/* Is the kind there?  Beside random and sobol `log` is not a kind, but gives the scale on which they are drawn. */
static bool has_kind(const sal_axis_entry *e, sal_axis_kind kind)
{
  if (!child_of_entry(e, sal_axis_kind_name(kind))) return false;
  return kind != SAL_AXIS_LOG || (!child_of_entry(e, sal_axis_kind_name(SAL_AXIS_RANDOM)) &&
                                  !child_of_entry(e, sal_axis_kind_name(SAL_AXIS_SOBOL)));
}

static sal_err read_kind(const sal_axis_entry *e, sal_axis *axis)
{
  int n = 0, other = 0;
  for (int k = 0; k < N_KIND; ++k) {
    if (!has_kind(e, (sal_axis_kind)k)) continue;
    if (n++) other = k;
    if (n == 1) axis->kind = (sal_axis_kind)k;
  }
  if (n == 0)
    return sal_document_fail(e->context->document, e->node,
                             "%s has no values; allowed: one of linear, log, list (with name), "
                             "rows, random, sobol (with columns)",
                             e->label);
  if (n > 1)
    return FAIL_AT(e, sal_axis_kind_name((sal_axis_kind)other),
                   "%s has both %s and %s; allowed: one of them", e->label,
                   sal_axis_kind_name(axis->kind), sal_axis_kind_name((sal_axis_kind)other));
  return SAL_OK;
}

/* A key that the kind needs must be there, one that it does not know must not. */
static sal_err check_axis_key(const sal_axis_entry *e, const sal_axis *axis, const char *key,
                              bool needed, bool allowed)
{
  const char *kind = sal_axis_kind_name(axis->kind);
  if (needed && !child_of_entry(e, key))
    return FAIL_AT(e, kind, "%s: %s needs the key '%s', which is missing", e->label, kind, key);
  if (!allowed && child_of_entry(e, key))
    return FAIL_AT(e, key, "%s: '%s' is nothing that %s needs", e->label, key, kind);
  return SAL_OK;
}

static sal_err check_axis_keys(const sal_axis_entry *e, const sal_axis *axis)
{
  const bool columns = kind_needs[axis->kind].columns, points = kind_needs[axis->kind].points;
  SAL_TRY(check_axis_key(e, axis, columns ? "columns" : "name", true, true));
  SAL_TRY(check_axis_key(e, axis, columns ? "name" : "columns", false, false));
  SAL_TRY(check_axis_key(e, axis, "points", points, points));
  return check_axis_key(e, axis, "seed", false, kind_needs[axis->kind].seed);
}

/* Reads the quantities that it varies: `name` of one, else `columns`. */
static sal_err read_columns(const sal_axis_entry *e, sal_axis *axis)
{
  const sal_document *d = e->context->document;
  const int one = child_of_entry(e, "name"), list = child_of_entry(e, "columns");
  const char *names[SAL_MAX_WORD + 1];
  sal_enum_words_gather(SAL_ENUM_NAMES, e->context->model, names);
  axis->n_column = one ? 1 : sal_document_count(d, list);
  for (int c = 0; c < axis->n_column; ++c) {
    const int node = one ? one : sal_document_item(d, list, c);
    SAL_TRY(sal_value_word(d, node, "columns", names, &axis->column[c]));
    axis->whole[c] = field_of(e, axis, c) && field_of(e, axis, c)->whole;
    if (field_of(e, axis, c) && field_of(e, axis, c)->follows)
      return sal_document_fail(d, node, "%s: %s follows from the other initial states", e->label,
                               field_of(e, axis, c)->name);
  }
  return SAL_OK;
}

static sal_err read_points(const sal_axis_entry *e, sal_axis *axis)
{
  const sal_key *points = sal_key_named("cells.axes.points"),
                *seed = sal_key_named("cells.axes.seed");
  const sal_document *document = e->context->document;
  double value = 0;
  if (child_of_entry(e, "seed"))
    SAL_TRY(sal_value_check(document, child_of_entry(e, "seed"), "seed", seed->least, seed->most,
                            true, &value));
  axis->seed = (uint64_t)value;
  SAL_TRY(sal_value_check(document, child_of_entry(e, "points"), "points", points->least,
                          points->most, true, &value));
  axis->n_point = (int64_t)value;
  return SAL_OK;
}

/* Can the logarithm be taken of all from lo to hi of column c? */
static sal_err check_log(const sal_axis_entry *e, const sal_axis *axis, int c, int node)
{
  if (axis->lo[c] > 0) return SAL_OK;
  return sal_document_fail(e->context->document, node,
                           "log of %s = [%.10g, %.10g] comes to 0; allowed: ends greater than 0",
                           field_of(e, axis, c)->name, axis->lo[c], axis->hi[c]);
}

/* Sorts the ends of a line: its points rise, whichever end is first; a single one is the first end. */
static void order_ends(sal_axis *axis)
{
  const double first = axis->lo[0], last = axis->hi[0];

  axis->lo[0] = axis->n_point == 1 ? first : fmin(first, last);
  axis->hi[0] = axis->n_point == 1 ? first : fmax(first, last);
}

/* lo and hi of column c, from a list of the two. */
static sal_err read_ends(const sal_axis_entry *e, sal_axis *axis, int c, int node)
{
  const sal_document *document = e->context->document;
  const sal_field *field = field_of(e, axis, c);
  const char *kind = sal_axis_kind_name(axis->kind);
  double *end[] = {&axis->lo[c], &axis->hi[c]};
  if (!field)
    return sal_document_fail(document, node, "%s: an option is not a number; allowed: list",
                             e->label);
  if (sal_parameter_column_is_discrete(e->context->model, axis->column[c]))
    return sal_document_fail(
        document, node, "%s: %s is a discrete state, which only jumps change; allowed: list, rows",
        e->label, field->name);
  for (int i = 0; i < 2; ++i)
    SAL_TRY(sal_value_check(document, sal_document_item(document, node, i), field->name,
                            field->least, field->most, field->whole, end[i]));
  if (!kind_needs[axis->kind].columns) order_ends(axis);
  if (!(axis->lo[c] < axis->hi[c]) && (kind_needs[axis->kind].columns || axis->n_point > 1))
    return sal_document_fail(document, node, "%s of %s = [%.10g, %.10g]; allowed: [lo, hi] with %s",
                             kind, field->name, axis->lo[c], axis->hi[c], "lo < hi");
  return axis->kind == SAL_AXIS_LOG ? check_log(e, axis, c, node) : SAL_OK;
}

static sal_err read_log_column(const sal_axis_entry *e, sal_axis *axis, int node)
{
  const char *names[SAL_MAX_COLUMN + 1] = {NULL};
  char name[MAX_LABEL];
  int c;

  for (int i = 0; i < axis->n_column; ++i) names[i] = field_of(e, axis, i)->name;
  snprintf(name, sizeof name, "log of %s", e->label);
  SAL_TRY(sal_value_rank(e->context->document, node, name, "column", names, &c));
  axis->log[c] = true;
  return SAL_OK;
}

/* `log` beside random and sobol: true, false, or columns. */
static sal_err read_log_columns(const sal_axis_entry *e, sal_axis *axis)
{
  const sal_document *document = e->context->document;
  const int log = child_of_entry(e, "log");
  const char *word = log ? sal_document_text(document, log) : "false";

  if (word && strcmp(word, "true") != 0 && strcmp(word, "false") != 0)
    return FAIL_AT(e, "log", "log = %s; allowed beside %s: true, false, or a list of columns", word,
                   sal_axis_kind_name(axis->kind));
  if (!word && sal_document_node(document, log)->type != YAML_SEQUENCE_NODE) {
    char name[MAX_LABEL];
    snprintf(name, sizeof name, "log of %s", e->label);
    return sal_value_wrong_kind(document, log, name, "true, false, or a list of columns");
  }
  for (int c = 0; word && c < axis->n_column; ++c) axis->log[c] = word[0] == 't';
  for (int i = 0; !word && i < sal_document_count(document, log); ++i)
    SAL_TRY(read_log_column(e, axis, sal_document_item(document, log, i)));
  for (int c = 0; c < axis->n_column; ++c)
    if (axis->log[c]) SAL_TRY(check_log(e, axis, c, log));
  return SAL_OK;
}

static sal_err read_box(const sal_axis_entry *e, sal_axis *axis)
{
  const char *kind = sal_axis_kind_name(axis->kind);
  const int list = child_of_entry(e, kind), n = sal_document_count(e->context->document, list);
  if (n != axis->n_column)
    return FAIL_AT(e, kind, "%s of %s: a list of %d; allowed: %d, one [lo, hi] for each column",
                   kind, e->label, n, axis->n_column);
  if (axis->kind == SAL_AXIS_SOBOL && n > SAL_SOBOL_COLUMNS)
    return FAIL_AT(e, kind, "sobol of %s: %d columns; allowed: to %d", e->label, n,
                   SAL_SOBOL_COLUMNS);
  for (int c = 0; c < n; ++c)
    SAL_TRY(read_ends(e, axis, c, sal_document_item(e->context->document, list, c)));
  return read_log_columns(e, axis);
}

static sal_err take_values(const sal_axis_entry *e, sal_axis *axis, int n)
{
  axis->n_point = n;
  axis->value = sal_alloc((size_t)n, (size_t)axis->n_column * sizeof *axis->value);
  return axis->value ? SAL_OK
                     : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", e->context->document->path);
}

static sal_err read_line(const sal_axis_entry *e, sal_axis *axis)
{
  const sal_document *document = e->context->document;
  const char *kind = sal_axis_kind_name(axis->kind);
  const int node = child_of_entry(e, kind);
  char name[MAX_LABEL];

  snprintf(name, sizeof name, "%s of %s", kind, e->label);
  if (sal_document_node(document, node)->type != YAML_SEQUENCE_NODE)
    return sal_value_wrong_kind(document, node, name, "a list of numbers");
  if (sal_document_count(document, node) != 2)
    return sal_document_fail(document, node, "%s: a list of %d; allowed: 2, as in [lo, hi]", name,
                             sal_document_count(document, node));
  SAL_TRY(read_ends(e, axis, 0, node));
  if (axis->n_point > 1) return SAL_OK;
  SAL_TRY(take_values(e, axis, 1)); /* a list of one */
  axis->value[0] = axis->lo[0];
  axis->kind = SAL_AXIS_LIST;
  return SAL_OK;
}

/* A list of `least` to `most` things below a key. */
static sal_err check_list(const sal_axis_entry *e, int node, const char *name, int least, int most,
                          const char *of)
{
  const sal_document *document = e->context->document;
  const int n = sal_document_count(document, node);
  char allowed[64];
  if (sal_document_node(document, node)->type != YAML_SEQUENCE_NODE)
    return sal_value_wrong_kind(document, node, name, least == most ? "a list of numbers" : of);
  snprintf(allowed, sizeof allowed, most == INT32_MAX ? "%d or more" : "%d to %d", least, most);
  if (least == most) snprintf(allowed, sizeof allowed, "%d, one for each column", least);
  if (n < least || n > most)
    return sal_document_fail(document, node, "%s: a list of %d; allowed: %s", name, n, allowed);
  return SAL_OK;
}

/* A value of column c, an option by the number of its choice. */
static sal_err read_value(const sal_axis_entry *e, const sal_axis *axis, int c, int node,
                          double *value)
{
  const sal_document *document = e->context->document;
  const sal_model *m = e->context->model;
  const sal_field *field = field_of(e, axis, c);
  const char *names[SAL_MAX_WORD + 1];
  int rank;

  if (field)
    return sal_value_check(document, node, field->name, field->least, field->most, field->whole,
                           value);
  const sal_option *option = &m->option[axis->column[c] - m->n_param];
  sal_enum_words_choices(option, names);
  SAL_TRY(sal_value_word(document, node, option->name, names, &rank));
  *value = rank;
  return SAL_OK;
}

static sal_err read_row(const sal_axis_entry *e, sal_axis *axis, int node, const char *name,
                        double value[])
{
  SAL_TRY(check_list(e, node, name, axis->n_column, axis->n_column, NULL));
  for (int c = 0; c < axis->n_column; ++c)
    SAL_TRY(read_value(e, axis, c, sal_document_item(e->context->document, node, c), &value[c]));
  return SAL_OK;
}

static sal_err read_rows(const sal_axis_entry *e, sal_axis *axis)
{
  const int rows = child_of_entry(e, "rows");
  const char *form = strncmp(e->label, "cells", 5) == 0 ? "%s.rows" : "rows of %s";
  char name[MAX_LABEL], row[MAX_LABEL + 32];
  snprintf(name, sizeof name, form, e->label);
  SAL_TRY(check_list(e, rows, name, 1, INT32_MAX, "a list, [.., ..]; cells.file names a file"));
  SAL_TRY(take_values(e, axis, sal_document_count(e->context->document, rows)));
  for (int i = 0; i < axis->n_point; ++i) {
    snprintf(row, sizeof row, "entry %d of %s", i + 1, name);
    SAL_TRY(read_row(e, axis, sal_document_item(e->context->document, rows, i), row,
                     axis->value + (size_t)i * (size_t)axis->n_column));
  }
  return SAL_OK;
}

static sal_err read_list(const sal_axis_entry *e, sal_axis *axis)
{
  const sal_document *document = e->context->document;
  const int list = child_of_entry(e, "list");
  char name[MAX_LABEL];
  snprintf(name, sizeof name, "list of %s", e->label);
  SAL_TRY(check_list(e, list, name, 1, MAX_LIST, "a list, [.., ..]"));
  SAL_TRY(take_values(e, axis, sal_document_count(document, list)));
  for (int i = 0; i < axis->n_point; ++i) {
    const int node = sal_document_item(document, list, i);
    SAL_TRY(read_value(e, axis, 0, node, &axis->value[i]));
    for (int k = 0; k < i; ++k)
      if (axis->value[k] == axis->value[i])
        return sal_document_fail(document, node, "duplicate '%s' in %s",
                                 sal_document_text(document, node), name);
  }
  return SAL_OK;
}

/* Checked when the file was read. */
static sal_err take_design(const sal_axis_entry *e, sal_axis *axis)
{
  const sal_design *d = e->context->sweep->design;

  axis->kind = SAL_AXIS_ROWS;
  SAL_TRY(read_columns(e, axis));
  axis->n_point = d->n_point;
  axis->value = d->value;
  return SAL_OK;
}

sal_err sal_axis_read(const sal_axis_entry *e, sal_axis *axis)
{
  if (e->context->sweep->design) return take_design(e, axis);
  SAL_TRY(read_kind(e, axis));
  SAL_TRY(check_axis_keys(e, axis));
  SAL_TRY(read_columns(e, axis));
  if (kind_needs[axis->kind].points) SAL_TRY(read_points(e, axis));
  if (axis->kind == SAL_AXIS_LIST) return read_list(e, axis);
  if (axis->kind == SAL_AXIS_ROWS) return read_rows(e, axis);
  if (kind_needs[axis->kind].columns) return read_box(e, axis);
  return read_line(e, axis);
}

sal_err sal_axis_read_rows(const sal_axis_entry *e, sal_axis *axis)
{
  axis->kind = SAL_AXIS_ROWS;
  SAL_TRY(read_columns(e, axis));
  return read_rows(e, axis);
}

sal_err sal_axis_read_fill(const sal_axis_entry *e, sal_axis *axis)
{
  if (axis->value) return SAL_OK;
  if (!sal_axis_fill(axis))
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", e->context->document->path);
  for (int64_t i = 1; !kind_needs[axis->kind].columns && i < axis->n_point; ++i)
    if (!(axis->value[i] > axis->value[i - 1]))
      return FAIL_AT(e, "points",
                     "points %lld and %lld of %lld between %s = %.10g and %.10g are both %.10g%s; "
                     "allowed: fewer points, or a list",
                     (long long)i, (long long)i + 1, (long long)axis->n_point,
                     field_of(e, axis, 0)->name, axis->lo[0], axis->hi[0], axis->value[i],
                     axis->whole[0] ? ", a whole number" : "");
  return SAL_OK;
}
