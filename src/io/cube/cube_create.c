/** @file src/io/cube/cube_create.c
 *  The frame of a cube: everything but the metrics' values.
 *
 *  It is made on one rank, in memory: labels, scales and strings are many small calls,
 *  which every rank would have to make alike and in step.
 */
#include "cube_create.h"
#include "axes_write.h"
#include "cube_size.h"
#include "memory.h"
#include "provenance.h"
#include "variable.h"

enum { CELL, RTOL, STRATEGY, SOLVER, N_DIM };

/* What the parts below share. */
typedef struct {
  const sal_h5    *file;
  const sal_sweep *sweep;
  sal_variable_dim dim[N_DIM];
  char            *coordinates; /* names of the coordinates along `cell` besides `cell` itself */
  double          *value;       /* [n_cell] */
  void            *column;      /* [n_cell] of 8 bytes */
} frame;

static sal_err put_scale(const frame *f, int dim, sal_datatype type, const char *what,
                         const void *data)
{
  return sal_variable_create_scale(f->file, &f->dim[dim], type,
                                   type == SAL_DATATYPE_TEXT ? NULL : "1", what, data);
}

static sal_err put_scales(const frame *f)
{
  const sal_sweep *s    = f->sweep;
  int64_t         *cell = f->column;
  const char      *strategy[SAL_MAX_LIST], *method[SAL_MAX_LIST];

  for (int64_t i = 0; i < s->n_cell; ++i) cell[i] = i + 1;
  for (int i = 0; i < s->n_strategy; ++i) strategy[i] = s->strategy[i]->name;
  for (int i = 0; i < s->n_method; ++i) method[i] = s->method[i]->name;
  SAL_TRY(put_scale(f, CELL, SAL_DATATYPE_WHOLE, "cell of the parameter grid", cell));
  SAL_TRY(put_scale(f, RTOL, SAL_DATATYPE_REAL, "relative and absolute tolerance", s->tolerance));
  SAL_TRY(put_scale(f, STRATEGY, SAL_DATATYPE_TEXT, "how changes of mode are met", strategy));
  return put_scale(f, SOLVER, SAL_DATATYPE_TEXT, "integration method", method);
}

/* Writes quantity number `column` of the model as a coordinate along `cell`. */
static sal_err put_column(const frame *f, const sal_variable *v, int column)
{
  sal_sweep_column(f->sweep, column, f->value);
  sal_datatype_pack(v->type, f->sweep->n_cell, f->value, 1, f->column);
  return sal_variable_create(f->file, v, f->column);
}

static sal_err put_parameters(const frame *f)
{
  const sal_model *m = f->sweep->model;

  for (int i = 0; i < m->n_param; ++i) {
    const sal_variable v = sal_variable_of_field(&m->param[i], m->param[i].name, 1, f->dim);
    SAL_TRY(put_column(f, &v, i));
  }
  for (int i = 0; i < m->n_option; ++i) {
    const sal_variable v = sal_variable_of_option(&m->option[i], 1, f->dim);
    SAL_TRY(put_column(f, &v, m->n_param + i));
  }
  return SAL_OK;
}

static sal_err put_initial(const frame *f)
{
  const sal_model *m = f->sweep->model;

  for (int i = 0; i < m->n_state; ++i) {
    char name[128], what[256];
    snprintf(name, sizeof name, "initial_%s", m->state[i].name);
    snprintf(what, sizeof what, "initial %s", m->state[i].what);
    sal_variable v = sal_variable_of_field(&m->state[i], name, 1, f->dim);
    v.what         = what;
    SAL_TRY(put_column(f, &v, m->n_param + m->n_option + i));
  }
  return SAL_OK;
}

/* Those of a cell are written together. */
static sal_err create_metrics(const frame *f, int n, const sal_metric metric[], int n_dim)
{
  int64_t run = 1;

  for (int i = 1; i < n_dim; ++i) run *= (int64_t)f->dim[i].size;
  for (int i = 0; i < n; ++i) {
    if (!sal_sweep_asks(f->sweep, metric[i].group)) continue;
    sal_variable v = sal_variable_of_metric(&metric[i], n_dim, f->dim);
    v.coordinates  = f->coordinates;
    v.run          = run;
    SAL_TRY(sal_variable_create(f->file, &v, NULL));
  }
  return SAL_OK;
}

static sal_err fill_cube_frame(const frame *f, const sal_cube_origin *origin)
{
  const sal_sweep *s = f->sweep;

  if (!f->coordinates || !f->value || !f->column) return sal_h5_full(f->file);
  SAL_TRY(sal_provenance_of_build(f->file, SAL_PROVENANCE_CUBE, s->title, s->model));
  SAL_TRY(sal_provenance_of_sweep(f->file, s, origin));
  SAL_TRY(put_scales(f));
  SAL_TRY(put_parameters(f));
  SAL_TRY(put_initial(f));
  SAL_TRY(sal_axes_write(f->file, s));
  SAL_TRY(create_metrics(f, SAL_N_METRIC, sal_metrics, N_DIM));
  return create_metrics(f, SAL_N_CELL_METRIC, sal_metrics_of_cell, 1);
}

sal_err sal_cube_create(const char *path, const sal_sweep *sweep, const sal_cube_origin *origin)
{
  sal_h5 file;

  SAL_TRY(sal_h5_create(path, &file));
  frame   f   = {.file        = &file,
                 .sweep       = sweep,
                 .dim         = {{"cell", (hsize_t)sweep->n_cell},
                                 {"rtol", (hsize_t)sweep->n_tolerance},
                                 {"strategy", (hsize_t)sweep->n_strategy},
                                 {"solver", (hsize_t)sweep->n_method}},
                 .coordinates = sal_variable_coordinates(sweep->model, true),
                 .value       = sal_alloc((size_t)sweep->n_cell, sizeof(double)),
                 .column      = sal_alloc((size_t)sweep->n_cell, sizeof(double))};
  sal_err err = fill_cube_frame(&f, origin);
  if (err == SAL_OK) err = sal_h5_save(&file, sal_cube_room(sweep));
  const sal_err closed = sal_h5_close(&file);

  sal_free(f.coordinates);
  sal_free(f.value);
  sal_free(f.column);
  return err ? err : closed;
}
