/** @file src/plan/settle.c
 *  The checks that need more than a schema, and the sweep made from what passes them.
 */
#include "settle.h"
#include "memory.h"
#include "pair.h"
#include "registry.h"
#include "values.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MESH 1e8 /* intervals: a trajectory of the watched state is then 800 MB */

/* What every step of the work sees. */
typedef struct {
  const sal_document *document;
  const sal_model    *model;
  const sal_raw      *raw;
  sal_sweep          *sweep;
} desk;

/* A number of the document: libcyaml passes 1x, nan and inf, and knows no ranges. */
static sal_err check_number(const sal_document *document, int node, const char *name, double least,
                            double most, bool whole)
{
  char   place[SAL_PLACE];
  double value;
  if (!sal_value_read(sal_document_text(document, node), &value))
    return sal_value_no_number(document, node, name);
  SAL_TRY(sal_value_range(SAL_ERR_INPUT, sal_document_place(document, node, place), name, value,
                          least, most));
  if (whole && value != floor(value))
    return sal_document_fail(document, node, "%s = %g is no whole number", name, value);
  return SAL_OK;
}

static sal_err check_key(const sal_document *document, int i)
{
  const sal_sweep_key *key  = &sal_sweep_keys[i];
  const sal_key_kind   kind = sal_key_slots[i].kind;
  const int            node = sal_document_find(document, key->name);
  if (!node) return SAL_OK;
  if (kind == SAL_KEY_NUMBER || kind == SAL_KEY_WHOLE)
    return check_number(document, node, key->name, key->least, key->most, kind == SAL_KEY_WHOLE);
  for (int k = 0; kind == SAL_KEY_NUMBERS && k < sal_document_count(document, node); ++k)
    SAL_TRY(check_number(document, sal_document_item(document, node, k), key->name, key->least,
                         key->most, false));
  return SAL_OK;
}

/* The values of `parameters` or `initial`. */
static sal_err check_fields(const sal_document *document, const char *group, int n,
                            const sal_field field[])
{
  const int mapping = sal_document_find(document, group);
  for (int i = 0; i < n; ++i) {
    const int node = sal_document_child(document, mapping, field[i].name);
    if (node)
      SAL_TRY(check_number(document, node, field[i].name, field[i].least, field[i].most,
                           field[i].whole));
  }
  return SAL_OK;
}

/* The field that a rank in SAL_WORDS_COLUMNS means. */
static const sal_field *column_field(const sal_model *model, int32_t column)
{
  return column < model->n_param ? &model->param[column] : &model->state[column - model->n_param];
}

static sal_err check_rows(const desk *d)
{
  const int rows = sal_document_find(d->document, "cells.rows");
  for (int i = 0; i < sal_document_count(d->document, rows); ++i) {
    const int row = sal_document_item(d->document, rows, i);
    for (uint32_t k = 0; k < d->raw->n_columns; ++k) {
      const sal_field *field = column_field(d->model, d->raw->columns[k]);
      SAL_TRY(check_number(d->document, sal_document_item(d->document, row, (int)k), field->name,
                           field->least, field->most, field->whole));
    }
  }
  return SAL_OK;
}

/* A quantity is a column or fixed, not both. */
static sal_err check_columns(const desk *d)
{
  for (uint32_t k = 0; k < d->raw->n_columns; ++k) {
    const int32_t rank  = d->raw->columns[k];
    const char   *group = rank < d->model->n_param ? "parameters" : "initial";
    const char   *name  = column_field(d->model, rank)->name;
    const int fixed = sal_document_child(d->document, sal_document_find(d->document, group), name);
    if (fixed)
      return sal_document_fail(d->document, fixed,
                               "%s is a column of the cells, and cannot be fixed under %s, too",
                               name, group);
  }
  return SAL_OK;
}

/* Two words that are equal, or two texts of one number. */
static bool same(const char *a, const char *b)
{
  double x, y;
  return strcmp(a, b) == 0 || (sal_value_read(a, &x) && sal_value_read(b, &y) && x == y);
}

/* No entry twice where an entry becomes a coordinate of the cube. */
static sal_err check_twins(const sal_document *document, const char *key)
{
  const int list = sal_document_find(document, key);
  for (int i = 0; i < sal_document_count(document, list); ++i)
    for (int k = 0; k < i; ++k) {
      const int   node = sal_document_item(document, list, i);
      const char *text = sal_document_text(document, node);
      if (same(text, sal_document_text(document, sal_document_item(document, list, k))))
        return sal_document_fail(document, node, "duplicate '%s' in %s", text, key);
    }
  return SAL_OK;
}

static sal_err check(const desk *d)
{
  static const char *const coordinates[] = {"cells.columns", "methods", "strategies", "tolerances"};
  for (int i = 0; sal_sweep_keys[i].name; ++i) SAL_TRY(check_key(d->document, i));
  SAL_TRY(check_fields(d->document, "parameters", d->model->n_param, d->model->param));
  SAL_TRY(check_fields(d->document, "initial", d->model->n_state, d->model->state));
  for (size_t i = 0; i < sizeof coordinates / sizeof coordinates[0]; ++i)
    SAL_TRY(check_twins(d->document, coordinates[i]));
  SAL_TRY(check_columns(d));
  return check_rows(d);
}

/* The mesh: as fine as asked for or a little finer, so that it ends at t_end. */
static sal_err settle_mesh(const desk *d)
{
  const sal_raw *raw    = d->raw;
  const double   wanted = raw->t_end / raw->mesh;
  const int      mesh   = sal_document_find(d->document, "mesh"),
            t_end       = sal_document_find(d->document, "t_end");
  const int node        = sal_document_given(d->document, mesh) ? mesh : t_end;
  if (raw->mesh > raw->t_end)
    return sal_document_fail(d->document, node, "mesh = %g is wider than t_end = %g", raw->mesh,
                             raw->t_end);
  if (!(wanted <= MAX_MESH))
    return sal_document_fail(
        d->document, node, "mesh = %g and t_end = %g make a mesh of %.3g intervals; allowed: to %g",
        raw->mesh, raw->t_end, wanted, MAX_MESH);
  /* 50 / 0.001 must be 50000, whatever the rounding of 0.001. */
  d->sweep->mesh   = raw->mesh;
  d->sweep->n_mesh = (int64_t)ceil(wanted * (1 - 1e-12));
  return SAL_OK;
}

static sal_err settle_epsilon(const desk *d)
{
  const sal_raw *raw = d->raw;
  if (raw->n_epsilon && raw->n_epsilon != raw->n_tolerances)
    return sal_document_fail(
        d->document, sal_document_find(d->document, "divergence.epsilon"),
        "divergence.epsilon: a list of %u; allowed: %u, one for each tolerance", raw->n_epsilon,
        raw->n_tolerances);
  for (uint32_t i = 0; i < raw->n_tolerances; ++i) {
    /* A hair of slack for a 1e-3 that came out of arithmetic. */
    const double preset  = raw->tolerances[i] >= 1e-3 * (1 - 1e-9) ? 0.05 : 0.01;
    d->sweep->epsilon[i] = raw->n_epsilon ? raw->epsilon[i] : preset;
  }
  return SAL_OK;
}

/* Every method goes with every strategy on this model, or the sweep is refused by their names. */
static sal_err check_pairs(const desk *d)
{
  const int list = sal_document_find(d->document, "strategies");
  char      text[SAL_PAIR_TEXT];
  for (int s = 0; s < d->sweep->n_strategy; ++s)
    for (int m = 0; m < d->sweep->n_method; ++m) {
      const char *flaw = sal_pair_flaw(d->model, d->sweep->method[m], d->sweep->strategy[s], text);
      if (flaw)
        return sal_document_fail(d->document, sal_document_item(d->document, list, s), "%s", flaw);
    }
  return SAL_OK;
}

static void settle_contenders(const desk *d)
{
  const sal_raw *raw   = d->raw;
  sal_sweep     *sweep = d->sweep;
  sweep->n_method      = (int)raw->n_methods;
  sweep->n_strategy    = (int)raw->n_strategies;
  sweep->n_tolerance   = (int)raw->n_tolerances;
  for (int i = 0; i < sweep->n_method; ++i) sweep->method[i] = sal_methods[raw->methods[i]];
  for (int i = 0; i < sweep->n_strategy; ++i)
    sweep->strategy[i] = sal_strategies[raw->strategies[i]];
  for (int i = 0; i < sweep->n_tolerance; ++i) sweep->tolerance[i] = raw->tolerances[i];
}

static void settle_numbers(const desk *d)
{
  static const double reference_preset[] = {
      [SAL_REFERENCE_CERTIFIED] = 1e-13, [SAL_REFERENCE_PAPER] = 1e-12};
  const sal_raw *raw   = d->raw;
  sal_sweep     *sweep = d->sweep;
  const char    *widths[SAL_MAX_WORD + 1];
  sal_words_gather(SAL_WORDS_WIDTHS, NULL, widths);
  sweep->model        = d->model;
  sweep->t_end        = raw->t_end;
  sweep->max_step     = raw->max_step;
  sweep->max_attempts = (int64_t)raw->max_attempts;
  sweep->jacobian     = (sal_jacobian)raw->jacobian;
  sweep->reference    = (sal_reference_kind)raw->reference;
  sweep->zone         = raw->zone;
  sweep->zone_in_time = raw->measure == 0;
  sweep->step         = raw->step;
  sweep->points       = (sal_points_scope)raw->points;
  sweep->floor        = raw->floor;
  sweep->repeats      = (int)raw->repeats;
  sweep->width        = atoi(widths[raw->width]);
  sweep->reference_tolerance =
      raw->reference_tolerance > 0 ? raw->reference_tolerance : reference_preset[raw->reference];
}

/* What all cells have in common: presets, options, and what the file fixes. */
static void common(const desk *d, double param[], double initial[])
{
  const sal_model *model      = d->model;
  const int        parameters = sal_document_find(d->document, "parameters"),
            states            = sal_document_find(d->document, "initial");
  sal_presets(model, param, initial);
  for (int i = 0; i < model->n_option; ++i) param[model->n_param + i] = d->raw->option[i];
  for (int i = 0; i < model->n_param; ++i)
    if (sal_document_child(d->document, parameters, model->param[i].name))
      param[i] = d->raw->param[i];
  for (int i = 0; i < model->n_state; ++i)
    if (sal_document_child(d->document, states, model->state[i].name))
      initial[i] = d->raw->initial[i];
}

/* Whom to blame for a cell that makes no sense: its row, or what fixes its parameters. */
static int culprit(const desk *d, int64_t cell)
{
  const int rows = sal_document_find(d->document, "cells.rows");
  if (rows) return sal_document_item(d->document, rows, (int)cell);
  const int parameters = sal_document_find(d->document, "parameters");
  for (int i = 0; i < d->model->n_param; ++i) {
    const int node = sal_document_child(d->document, parameters, d->model->param[i].name);
    if (sal_document_overridden(d->document, node)) return node;
  }
  return parameters;
}

static sal_err settle_cells(const desk *d)
{
  const sal_model *model = d->model;
  const sal_raw   *raw   = d->raw;
  sal_sweep       *sweep = d->sweep;
  const size_t     width = (size_t)model->n_param + (size_t)model->n_option;
  sweep->n_cell          = raw->n_rows ? raw->n_rows : 1;
  sweep->param           = sal_alloc((size_t)sweep->n_cell, width * sizeof(double));
  sweep->initial = sal_alloc((size_t)sweep->n_cell, (size_t)model->n_state * sizeof(double));
  if (!sweep->param || !sweep->initial)
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", d->document->path);
  for (int64_t cell = 0; cell < sweep->n_cell; ++cell) {
    double *param   = sweep->param + (size_t)cell * width;
    double *initial = sweep->initial + (size_t)cell * (size_t)model->n_state;
    common(d, param, initial);
    for (uint32_t k = 0; k < raw->n_columns; ++k) {
      const int32_t rank  = raw->columns[k];
      const double  value = raw->rows[(size_t)cell * raw->n_columns + k];
      if (rank < model->n_param)
        param[rank] = value;
      else
        initial[rank - model->n_param] = value;
    }
    const char *flaw = model->flaw ? model->flaw(param) : NULL;
    if (flaw) return sal_document_fail(d->document, culprit(d, cell), "%s", flaw);
    const int n_guard = sal_model_guards(model, param);
    if (n_guard > sweep->n_guard) sweep->n_guard = n_guard;
  }
  return SAL_OK;
}

sal_err sal_settle(const sal_document *document, const sal_model *model, const sal_raw *raw,
                   sal_sweep *sweep)
{
  const desk d = {document, model, raw, sweep};
  SAL_TRY(check(&d));
  settle_contenders(&d);
  SAL_TRY(check_pairs(&d));
  settle_numbers(&d);
  SAL_TRY(settle_mesh(&d));
  SAL_TRY(settle_epsilon(&d));
  return settle_cells(&d);
}
