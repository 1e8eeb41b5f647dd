/** @file src/io/cube/cube_create.c
 *  The frame of a cube: everything but the metrics' values.
 *
 *  It is made on one rank, in memory: labels, scales and strings are many small calls,
 *  which every rank would have to make alike and in step.
 */
#include "cube_create.h"
#include "axes_write.h"
#include "memory.h"
#include "provenance.h"
#include "variable.h"
#include <string.h>

enum { CELL, TOLERANCE, STRATEGY, METHOD, N_DIM };
enum { ROUND = 32 << 20 }; /* bytes of records of a rank */

/* What the parts below share. */
typedef struct {
  const sal_h5    *file;
  const sal_sweep *sweep;
  sal_dim          dim[N_DIM];
  char            *coordinates; /* names of the coordinates along `cell` besides `cell` itself */
  double          *value;       /* [n_cell] */
  void            *column;      /* [n_cell] of 8 bytes */
} frame;

static sal_err put_scale(const frame *f, int dim, sal_store store, const char *what,
                         const void *data)
{
  const sal_variable v = {.name  = f->dim[dim].name,
                          .unit  = store == SAL_STORE_TEXT ? NULL : "1",
                          .what  = what,
                          .kind  = "coordinate",
                          .store = store,
                          .scale = true,
                          .n_dim = 1,
                          .dim   = &f->dim[dim]};

  return sal_variable_create(f->file, &v, data);
}

static sal_err put_scales(const frame *f)
{
  const sal_sweep *s    = f->sweep;
  int64_t         *cell = f->column;
  const char      *strategy[SAL_MAX_LIST], *method[SAL_MAX_LIST];

  for (int64_t i = 0; i < s->n_cell; ++i) cell[i] = i + 1;
  for (int i = 0; i < s->n_strategy; ++i) strategy[i] = s->strategy[i]->name;
  for (int i = 0; i < s->n_method; ++i) method[i] = s->method[i]->name;
  SAL_TRY(put_scale(f, CELL, SAL_STORE_WHOLE, "cell of the parameter grid", cell));
  SAL_TRY(put_scale(f, TOLERANCE, SAL_STORE_REAL, "relative and absolute tolerance", s->tolerance));
  SAL_TRY(put_scale(f, STRATEGY, SAL_STORE_TEXT, "how changes of mode are met", strategy));
  return put_scale(f, METHOD, SAL_STORE_TEXT, "integration method", method);
}

/* Writes quantity number `column` of the model as a coordinate along `cell`. */
static sal_err put_column(const frame *f, const sal_variable *v, int column)
{
  sal_sweep_column(f->sweep, column, f->value);
  sal_store_pack(v->store, f->sweep->n_cell, f->value, 1, f->column);
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

static sal_err create_metrics(const frame *f, int n, const sal_metric metric[], int n_dim)
{
  for (int i = 0; i < n; ++i) {
    sal_variable v = sal_variable_of_metric(&metric[i], n_dim, f->dim);
    v.coordinates  = f->coordinates;
    SAL_TRY(sal_variable_create(f->file, &v, NULL));
  }
  return SAL_OK;
}

static sal_err fill(const frame *f, const sal_origin *origin)
{
  const sal_sweep *s = f->sweep;

  if (!f->coordinates || !f->value || !f->column) return sal_h5_full(f->file);
  SAL_TRY(sal_provenance_of_build(f->file, SAL_CONTENT_CUBE, s->title, s->model));
  SAL_TRY(sal_provenance_of_sweep(f->file, s, origin));
  SAL_TRY(put_scales(f));
  SAL_TRY(put_parameters(f));
  SAL_TRY(put_initial(f));
  SAL_TRY(sal_axes_write(f->file, s));
  SAL_TRY(create_metrics(f, SAL_N_METRIC, sal_metrics, N_DIM));
  return create_metrics(f, SAL_N_CELL_METRIC, sal_metrics_of_cell, 1);
}

/* Values of the metrics. */
static int64_t metric_bytes(const sal_sweep *s)
{
  const int64_t n     = s->n_cell * s->n_tolerance * s->n_strategy * s->n_method;
  int64_t       bytes = 0;

  for (int m = 0; m < SAL_N_METRIC; ++m)
    bytes += n * (int64_t)sal_store_size(sal_store_of(sal_metrics[m].kind));
  for (int m = 0; m < SAL_N_CELL_METRIC; ++m)
    bytes += s->n_cell * (int64_t)sal_store_size(sal_store_of(sal_metrics_of_cell[m].kind));
  return bytes;
}

/* Everything else: coordinates, and what HDF5 keeps of a dataset with its labels. */
static int64_t frame_bytes(const sal_sweep *s)
{
  const int64_t    label  = 1400;
  const sal_model *m      = s->model;
  const int64_t    column = m->n_param + m->n_state + 1;
  int64_t          bytes  = s->n_cell * (8 * column + m->n_option) + (int64_t)strlen(s->text);

  for (int a = 0; a < s->n_axis; ++a) bytes += label + 8 * s->axis[a].n_point;
  return bytes + label * (SAL_N_METRIC + SAL_N_CELL_METRIC + N_DIM + column + m->n_option);
}

int64_t sal_cube_bytes(const sal_sweep *sweep) { return metric_bytes(sweep) + frame_bytes(sweep); }

int64_t sal_cube_round(const sal_sweep *s)
{
  const int64_t n = (int64_t)s->n_tolerance * s->n_strategy * s->n_method;
  const int64_t cells =
      ROUND / ((int64_t)sizeof(sal_cell_record) + n * (int64_t)sizeof(sal_record));

  return cells < 1 ? 1 : cells;
}

int64_t sal_cube_memory(const sal_sweep *s, int64_t cells, bool first)
{
  if (cells > sal_cube_round(s)) cells = sal_cube_round(s);
  const int64_t n = cells * s->n_tolerance * s->n_strategy * s->n_method;

  /* results; a metric packed, and as read back; the frame with two columns at work */
  return cells * (int64_t)sizeof(sal_cell_record) + n * (int64_t)sizeof(sal_record) +
         2 * n * (int64_t)sizeof(double) + (first ? frame_bytes(s) + 16 * s->n_cell : 0);
}

/* What the metrics will take, and a little more: chunks are stored whole, and have an index. */
static int64_t room_for_metrics(const sal_sweep *s)
{
  const int64_t chunk = (int64_t)1 << 20, room = chunk + metric_bytes(s);

  return room > 16 * chunk ? room + room / 64 + (SAL_N_METRIC + SAL_N_CELL_METRIC) * chunk : room;
}

sal_err sal_cube_create(const char *path, const sal_sweep *sweep, const sal_origin *origin)
{
  sal_h5 file;

  SAL_TRY(sal_h5_create(path, &file));
  frame   f   = {.file        = &file,
                 .sweep       = sweep,
                 .dim         = {{"cell", (hsize_t)sweep->n_cell},
                                 {"tolerance", (hsize_t)sweep->n_tolerance},
                                 {"strategy", (hsize_t)sweep->n_strategy},
                                 {"method", (hsize_t)sweep->n_method}},
                 .coordinates = sal_variable_coordinates(sweep->model, true),
                 .value       = sal_alloc((size_t)sweep->n_cell, sizeof(double)),
                 .column      = sal_alloc((size_t)sweep->n_cell, sizeof(double))};
  sal_err err = fill(&f, origin);
  if (err == SAL_OK) err = sal_h5_save(&file, room_for_metrics(sweep));
  const sal_err closed = sal_h5_close(&file);

  sal_free(f.coordinates);
  sal_free(f.value);
  sal_free(f.column);
  return err ? err : closed;
}
