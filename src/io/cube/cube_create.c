/** The frame of a cube: everything but the values along cells.
 *
 *  It is made on one rank, in memory: labels, scales and strings are many small calls,
 *  which every rank would have to make alike and in step.  Datasets along cells are made without values,
 *  which all ranks write as they write the metrics.
 */
#include "cube_chunk.h"
#include "cube_frame.h"
#include "cube_write.h"
#include "group_seal.h"
#include "provenance.h"
#include "tile_rows.h"

enum { CELL, RTOL, STRATEGY, SOLVER, N_DIM, EXPONENT = N_DIM, STATE, VISIT, MEASURE, N_ALL_DIM };

/* Context of the functions below. */
typedef struct {
  const sal_h5 *file;
  const sal_sweep *sweep;
  sal_variable_dim dim[N_ALL_DIM];
  char *coordinates; /* names of the coordinates along `cell` */
} frame;

sal_err sal_cube_create_cells(const sal_h5 *group, const sal_variable_dim *dim, bool at_once,
                              const int64_t *number)
{
  const sal_variable v = {.name = SAL_CUBE_NUMBER,
                          .unit = "1",
                          .what = "cell of the parameter grid",
                          .kind = "coordinate",
                          .type = SAL_DATATYPE_WHOLE,
                          .at_once = at_once,
                          .in_one = !number,
                          .n_dim = 1,
                          .dim = dim};

  SAL_TRY(sal_dimension_create(group, dim));
  return sal_variable_create(group, &v, number);
}

sal_err sal_cube_create_lists(const sal_h5 *group, const sal_sweep *s, const sal_variable_dim dim[],
                              const char *solver)
{
  const char *strategy[SAL_MAX_LIST], *method[SAL_MAX_LIST];

  for (int i = 0; i < s->n_strategy; ++i) strategy[i] = s->strategy[i]->name;
  for (int i = 0; i < s->n_method; ++i) method[i] = s->method[i]->name;
  SAL_TRY(sal_variable_create_scale(group, &dim[0], SAL_DATATYPE_REAL, "1",
                                    "relative and absolute tolerance", s->tolerance));
  SAL_TRY(sal_variable_create_scale(group, &dim[1], SAL_DATATYPE_TEXT, NULL,
                                    "how changes of mode are met", strategy));
  return sal_variable_create_scale(group, &dim[2], SAL_DATATYPE_TEXT, NULL, solver, method);
}

/* A scale 1 .. n, where a metric of the group has it. */
static sal_err put_numbers(const frame *f, sal_metric_group group, int dim, const char *what)
{
  return sal_sweep_asks(f->sweep, group)
             ? sal_variable_create_numbers(f->file, &f->dim[dim], 1, "1", what)
             : SAL_OK;
}

static sal_err put_words(const frame *f, int dim, const char *name, const char *what,
                         const char *const text[])
{
  const sal_variable v = {.name = name,
                          .what = what,
                          .kind = SAL_CUBE_CREATE_ABOUT,
                          .type = SAL_DATATYPE_TEXT,
                          .n_dim = 1,
                          .dim = &f->dim[dim]};

  return sal_variable_create(f->file, &v, text);
}

/* Names of the measures, and along them their units and texts. */
static sal_err put_measures(const frame *f)
{
  const sal_measured_list *list = f->sweep->measured;
  const char *text[3][SAL_MEASURED_COLUMNS];

  if (!list) return SAL_OK;
  for (int i = 0; i < list->n_column; ++i) {
    text[0][i] = list->column[i].name;
    text[1][i] = list->column[i].unit;
    text[2][i] = list->column[i].what;
  }
  SAL_TRY(sal_variable_create_scale(f->file, &f->dim[MEASURE], SAL_DATATYPE_TEXT, NULL,
                                    "measure of the reference trajectory", text[0]));
  SAL_TRY(put_words(f, MEASURE, "measure_unit", "unit of the measure", text[1]));
  return put_words(f, MEASURE, "measure_text", "the measure as it was asked for", text[2]);
}

/* Scales of row metrics. */
static sal_err put_row_scales(const frame *f)
{
  const sal_long_run *o = &f->sweep->orbit;
  const char *state[SAL_MAX_STATE];

  SAL_TRY(put_measures(f));
  SAL_TRY(put_numbers(f, SAL_GROUP_EXPONENTS, EXPONENT, "number of the exponent"));
  SAL_TRY(put_numbers(f, SAL_GROUP_SECTION, VISIT, "visit of the section"));
  if (!o->section) return SAL_OK;
  for (int i = 0; i < o->n_state; ++i) state[i] = f->sweep->model->state[o->state[i]].name;
  return sal_variable_create_scale(f->file, &f->dim[STATE], SAL_DATATYPE_TEXT, NULL,
                                   "state at a visit of the section", state);
}

/* A method of a library that is not in this build has no title. */
static const char *said(const char *text) { return text ? text : ""; }

/* A solver that the sweep chooses by options of a library may be known by name alone here, and its title is the
 * same in every cube of the sweep. */
static const char *title_of(const sal_method *method)
{
  const bool named = !method->engine || sal_method_names_find(method->name) == method;

  return named ? said(method->title) : "a library's, by options of the sweep";
}

/* Titles of the solvers and strategies, along with their names. */
static sal_err put_titles(const frame *f)
{
  const sal_sweep *s = f->sweep;
  const char *text[3][SAL_MAX_LIST];
  const struct {
    const char *name, *what;
    int dim;
  } titles[] = {{"strategy_title", "the strategy in words", STRATEGY},
                {"strategy_about", "description of the strategy", STRATEGY},
                {"solver_title", "the solver in words", SOLVER}};

  for (int i = 0; i < s->n_strategy; ++i) {
    text[0][i] = said(s->strategy[i]->title);
    text[1][i] = said(s->strategy[i]->about);
  }
  for (int i = 0; i < s->n_method; ++i) text[2][i] = title_of(s->method[i]);
  for (size_t i = 0; i < sizeof titles / sizeof titles[0]; ++i)
    SAL_TRY(put_words(f, titles[i].dim, titles[i].name, titles[i].what, text[i]));
  return SAL_OK;
}

/* The variable of quantity i of the model; `text` holds its name and meaning. */
static sal_variable describe_quantity(const sal_model *m, int i, const sal_variable_dim *dim,
                                      char text[2][SAL_CUBE_CREATE_NAME])
{
  sal_variable v = sal_variable_of_quantity(m, i, 1, dim);

  if (i < m->n_param + m->n_option) return v;
  snprintf(text[0], SAL_CUBE_CREATE_NAME, "initial_%s", v.name);
  snprintf(text[1], SAL_CUBE_CREATE_NAME, "initial %s", v.what);
  v.name = text[0];
  v.what = text[1];
  return v;
}

sal_datatype sal_cube_create_column(const sal_sweep *s, int i, char name[SAL_CUBE_CREATE_NAME])
{
  char text[2][SAL_CUBE_CREATE_NAME];

  if (i == 0) {
    snprintf(name, SAL_CUBE_CREATE_NAME, SAL_CUBE_NUMBER);
    return SAL_DATATYPE_WHOLE;
  }
  const sal_variable v = describe_quantity(s->model, i - 1, NULL, text);
  snprintf(name, SAL_CUBE_CREATE_NAME, "%.*s", SAL_CUBE_CREATE_NAME - 1, v.name);
  return v.type;
}

/* The model's quantities along `cell`. */
static sal_err create_quantities(const frame *f)
{
  char text[2][SAL_CUBE_CREATE_NAME];

  for (int i = 0; i < sal_cube_create_columns(f->sweep) - 1; ++i) {
    sal_variable v = describe_quantity(f->sweep->model, i, f->dim, text);
    v.in_one = true;
    SAL_TRY(sal_variable_create(f->file, &v, NULL));
  }
  return SAL_OK;
}

/* Values of a cell are written together. */
static sal_err create_metrics(const frame *f)
{
  sal_block_place place[SAL_METRICS_ALL];
  const sal_variable_dim exponents[] = {f->dim[CELL], f->dim[EXPONENT]},
                         section[] = {f->dim[CELL], f->dim[STATE], f->dim[VISIT]},
                         measures[] = {f->dim[CELL], f->dim[MEASURE]};

  sal_block_places(f->sweep, place);
  for (int i = 0; i < SAL_METRICS_ALL; ++i) {
    const sal_metric *metric = sal_metric_at(i);
    int64_t shape[SAL_CUBE_CHUNK_DIMS];
    const int n_dim = sal_cube_chunk_shape(f->sweep, i, shape);
    if (!sal_sweep_keeps(f->sweep, i)) continue;
    char unit[SAL_UNITS_TEXT];
    sal_variable v = sal_variable_of_metric(metric, f->sweep->model, unit, n_dim,
                                            i < SAL_METRICS_BEFORE_ROWS           ? f->dim
                                            : metric->group == SAL_GROUP_MEASURES ? measures
                                            : metric->group == SAL_GROUP_SECTION  ? section
                                                                                  : exponents);
    v.coordinates = f->coordinates;
    v.run = sal_tile_rows_values(f->sweep, i);
    v.block = place[i].cells;
    v.first = place[i].first;
    v.in_one = !sal_cube_chunk_is_cut(f->sweep, i);
    v.packed = v.in_one ? 0 : sal_cube_chunk(f->sweep);
    SAL_TRY(sal_variable_create(f->file, &v, NULL));
  }
  return SAL_OK;
}

static sal_err fill_cube_frame(const frame *f, const sal_origin *origin)
{
  const sal_sweep *s = f->sweep;

  if (!f->coordinates) return sal_h5_full(f->file);
  SAL_TRY(sal_provenance_of_build(f->file, SAL_PROVENANCE_CUBE, s->title, s->model));
  SAL_TRY(sal_provenance_of_sweep(f->file, s, origin));
  SAL_TRY(sal_cube_create_cells(f->file, &f->dim[CELL], false, NULL));
  SAL_TRY(sal_cube_create_lists(f->file, s, &f->dim[RTOL], "solver"));
  SAL_TRY(put_row_scales(f));
  SAL_TRY(put_titles(f));
  SAL_TRY(create_quantities(f));
  SAL_TRY(sal_axes_write(f->file, s));
  SAL_TRY(create_metrics(f));
  SAL_TRY(sal_block_sums_create(f->file, s));
  return sal_group_seal_prepare(f->file);
}

sal_err sal_cube_create(const char *path, const sal_sweep *sweep, const sal_origin *origin)
{
  SAL_OWN char *coordinates = sal_variable_coordinates(SAL_CUBE_NUMBER, sweep->model, true);
  sal_h5 file;

  SAL_TRY(sal_h5_create(path, &file));
  frame f = {.file = &file,
             .sweep = sweep,
             .dim = {{"cell", (hsize_t)sweep->n_cell},
                     {"rtol", (hsize_t)sweep->n_tolerance},
                     {"strategy", (hsize_t)sweep->n_strategy},
                     {"solver", (hsize_t)sweep->n_method},
                     {"exponent_number", (hsize_t)sweep->orbit.n_exponent},
                     {"section_state", (hsize_t)sweep->orbit.n_state},
                     {"visit", (hsize_t)sweep->orbit.kept},
                     {"measure", sweep->measured ? (hsize_t)sweep->measured->n_column : 0}},
             .coordinates = coordinates};
  sal_err err = fill_cube_frame(&f, origin);
  if (err == SAL_OK) err = sal_h5_fill(&file, sal_cube_room(sweep));
  return sal_h5_close(&file, err);
}
