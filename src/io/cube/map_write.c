/** @file src/io/cube/map_write.c
 *  A map as a group of a cube.
 *
 *  The group has scales of its own, `cell` and `rtol` again among them, so that it opens by
 *  itself: xarray.open_dataset(f, group="map", engine="h5netcdf").
 */
#include "map_write.h"
#include "atomic_file.h"
#include "contender.h"
#include "cube_layout.h"
#include "cube_open.h"
#include "h5_text.h"
#include "map_counts.h"
#include "variable.h"
#include <math.h>
#include <string.h>

#define GROUP "map"

enum { CELL, ERROR, WEIGHTS, RTOL, CONTENDER, N_SCALE };

/* What the parts below share.  `group` stands for the file: names are those inside the group. */
typedef struct {
  sal_h5           group;
  const sal_sweep *sweep;
  const sal_map   *map;
  sal_variable_dim dim[N_SCALE];
  char            *coordinates; /* names of those along `cell` */
  double          *value;       /* [n_place] */
  void            *packed;      /* [n_place] of 8 bytes */
} frame;

/* ---- figures of a place: one dataset each, by error and by points ---- */

/* 0 stands for none. */
static double method_of(const sal_sweep *s, int k)
{
  return k < 0 ? 0 : sal_contender_decode(s, k).method + 1;
}
static double strategy_of(const sal_sweep *s, int k)
{
  return k < 0 ? 0 : sal_contender_decode(s, k).strategy + 1;
}

#define FIGURE(name, expression)                                                                   \
  static double name(const sal_sweep *s, const sal_map_place *p)                                   \
  {                                                                                                \
    (void)s;                                                                                       \
    return expression;                                                                             \
  }
FIGURE(best, p->best + 1)
FIGURE(best_method, method_of(s, p->best))
FIGURE(best_strategy, strategy_of(s, p->best))
FIGURE(best_tolerance, sal_contender_tolerance(s, p->best))
FIGURE(second, p->second + 1)
FIGURE(second_method, method_of(s, p->second))
FIGURE(second_strategy, strategy_of(s, p->second))
FIGURE(second_tolerance, sal_contender_tolerance(s, p->second))
FIGURE(value, p->value)
FIGURE(second_value, p->second_value)
FIGURE(margin, p->margin)
FIGURE(achieved, p->error)
FIGURE(reason, p->reason)

/* Words of a flag. */
typedef enum { NO_WORDS, METHODS, STRATEGIES, REASONS } words;

static const struct figure {
  const char  *name, *what;
  sal_datatype type;
  words        words;
  double (*get)(const sal_sweep *sweep, const sal_map_place *place);
} figures[] = {
    {"best", "the best contender, its number in contender", SAL_DATATYPE_WHOLE, NO_WORDS, best},
    {"solver", "method of the best contender", SAL_DATATYPE_FLAG, METHODS, best_method},
    {"strategy", "strategy of the best contender", SAL_DATATYPE_FLAG, STRATEGIES, best_strategy},
    {"rtol", "tolerance of the best contender", SAL_DATATYPE_REAL, NO_WORDS, best_tolerance},
    {"second", "the best with another method or strategy", SAL_DATATYPE_WHOLE, NO_WORDS, second},
    {"second_solver", "method of the runner-up", SAL_DATATYPE_FLAG, METHODS, second_method},
    {"second_strategy", "strategy of the runner-up", SAL_DATATYPE_FLAG, STRATEGIES,
     second_strategy},
    {"second_rtol", "tolerance of the runner-up", SAL_DATATYPE_REAL, NO_WORDS, second_tolerance},
    {"value", NULL, SAL_DATATYPE_REAL, NO_WORDS, value},
    {"second_value", NULL, SAL_DATATYPE_REAL, NO_WORDS, second_value},
    {"margin", NULL, SAL_DATATYPE_REAL, NO_WORDS, margin},
    {"achieved", NULL, SAL_DATATYPE_REAL, NO_WORDS, achieved},
    {"reason", "what put the best before the runner-up", SAL_DATATYPE_FLAG, REASONS, reason},
};
enum { N_FIGURE = sizeof figures / sizeof *figures };

/* The two kinds of question, and what a value and a margin are there. */
static const struct kind {
  const char *prefix, *value, *second_value, *margin;
} kinds[] = {
    {"by_error", "work of the best contender, in evaluations of f", "work of the runner-up",
     "how much more work the runner-up does, as a share"},
    {"by_points", "weighted points (36) of the best contender", "weighted points of the runner-up",
     "points by which the best leads"},
};

enum { WHAT = 96 };

static const char *meaning(const frame *of, const struct kind *k, const struct figure *f,
                           char text[WHAT])
{
  snprintf(text, WHAT, "%s of the best contender", of->map->by->scale);
  return f->what              ? f->what
         : f->get == value    ? k->value
         : f->get == margin   ? k->margin
         : f->get == achieved ? text
                              : k->second_value;
}

static void add_words(const sal_sweep *s, words w, sal_variable *v)
{
  if (w == METHODS || w == STRATEGIES) v->flag[v->n_flag++] = "none";
  for (int i = 0; w == METHODS && i < s->n_method; ++i) v->flag[v->n_flag++] = s->method[i]->name;
  for (int i = 0; w == STRATEGIES && i < s->n_strategy; ++i)
    v->flag[v->n_flag++] = s->strategy[i]->name;
  for (int i = 0; w == REASONS && i < SAL_N_REASON; ++i)
    v->flag[v->n_flag++] = sal_map_reasons[i].label;
}

static sal_err put_figure(const frame *f, const struct kind *kind, const struct figure *figure,
                          int n_dim, const sal_variable_dim dim[], const sal_map_place place[])
{
  char         name[64], what[WHAT];
  int64_t      n     = 1;
  const bool   timed = f->map->timed && kind == &kinds[1];
  sal_variable v     = {.name        = name,
                        .unit        = figure->words || figure->type == SAL_DATATYPE_WHOLE ? NULL : "1",
                        .what        = meaning(f, kind, figure, what),
                        .kind        = timed ? sal_datatype_kind_name(SAL_TIMING) : GROUP,
                        .type        = figure->type,
                        .missing     = figure->type == SAL_DATATYPE_REAL,
                        .n_dim       = n_dim,
                        .dim         = dim,
                        .coordinates = f->coordinates};

  snprintf(name, sizeof name, "%s_%s", kind->prefix, figure->name);
  add_words(f->sweep, figure->words, &v);
  for (int i = 0; i < n_dim; ++i) n *= (int64_t)dim[i].size;
  for (int64_t i = 0; i < n; ++i) f->value[i] = figure->get(f->sweep, &place[i]);
  sal_datatype_pack(v.type, n, f->value, 1, f->packed);
  return sal_variable_create(&f->group, &v, f->packed);
}

static sal_err put_figures(const frame *f)
{
  const sal_variable_dim by_error[]  = {f->dim[CELL], f->dim[ERROR]};
  const sal_variable_dim by_points[] = {f->dim[CELL], f->dim[WEIGHTS], f->dim[RTOL]};

  for (int i = 0; i < N_FIGURE; ++i) {
    if (f->map->n_error)
      SAL_TRY(put_figure(f, &kinds[0], &figures[i], 2, by_error, f->map->by_error));
    if (f->map->n_weights)
      SAL_TRY(put_figure(f, &kinds[1], &figures[i], 3, by_points, f->map->by_points));
  }
  return SAL_OK;
}

/* ---- scales ---- */

static sal_err put_scale(const frame *f, int dim, sal_datatype type, const char *what,
                         const void *data)
{
  return f->dim[dim].size
             ? sal_variable_create_scale(&f->group, &f->dim[dim], type,
                                         type == SAL_DATATYPE_TEXT ? NULL : "1", what, data)
             : SAL_OK;
}

/* n texts of up to LABEL characters, and pointers to them. */
enum { LABEL = SAL_CONTENDER_NAME };
typedef struct {
  char (*text)[LABEL];
  const char **word;
} labels;

static sal_err make_labels(const sal_h5 *file, int n, labels *l)
{
  *l = (labels){sal_alloc((size_t)n, LABEL), sal_alloc((size_t)n, sizeof *l->word)};
  if (!l->text || !l->word) return sal_h5_full(file);
  for (int i = 0; i < n; ++i) l->word[i] = l->text[i];
  return SAL_OK;
}

static void free_labels(labels *l)
{
  sal_free(l->text);
  sal_free(l->word);
}

static sal_err put_contenders(const frame *f)
{
  const sal_sweep *s = f->sweep;
  const int        n = sal_contender_count(s);
  labels           l;

  sal_err err = make_labels(&f->group, n + 1, &l);
  for (int k = 0; k < n && err == SAL_OK; ++k) sal_contender_name(s, k, l.text[k + 1]);
  if (err == SAL_OK) {
    snprintf(l.text[0], LABEL, "none");
    err = put_scale(f, CONTENDER, SAL_DATATYPE_TEXT, "strategy:method:tolerance", l.word);
  }
  free_labels(&l);
  return err;
}

static sal_err put_weights(const frame *f)
{
  const sal_map *m = f->map;
  labels         l;

  sal_err err = make_labels(&f->group, m->n_weights, &l);
  for (int i = 0; i < m->n_weights && err == SAL_OK; ++i)
    snprintf(l.text[i], LABEL, "sd=%g,dt=%g,iae=%g", m->weights[i].sd, m->weights[i].dt,
             m->weights[i].iae);
  if (err == SAL_OK) err = put_scale(f, WEIGHTS, SAL_DATATYPE_TEXT, "weights of eq. (36)", l.word);
  free_labels(&l);
  return err;
}

static sal_err put_scales(const frame *f)
{
  int64_t *cell = f->packed;
  char     asked[WHAT];

  for (int64_t i = 0; i < f->map->n_cell; ++i) cell[i] = i + 1;
  SAL_TRY(put_scale(f, CELL, SAL_DATATYPE_WHOLE, "cell of the parameter grid", cell));
  snprintf(asked, sizeof asked, "%s asked for", f->map->by->scale);
  SAL_TRY(put_scale(f, ERROR, SAL_DATATYPE_REAL, asked, f->map->error));
  SAL_TRY(put_scale(f, RTOL, SAL_DATATYPE_REAL, "relative and absolute tolerance",
                    f->sweep->tolerance));
  SAL_TRY(put_weights(f));
  return put_contenders(f);
}

/* The model's parameters along `cell`. */
static sal_err put_parameters(const frame *f)
{
  const sal_model *m = f->sweep->model;

  for (int i = 0; i < m->n_param + m->n_option; ++i) {
    const sal_variable v =
        i < m->n_param ? sal_variable_of_field(&m->param[i], m->param[i].name, 1, &f->dim[CELL])
                       : sal_variable_of_option(&m->option[i - m->n_param], 1, &f->dim[CELL]);
    sal_sweep_column(f->sweep, i, f->value);
    sal_datatype_pack(v.type, f->map->n_cell, f->value, 1, f->packed);
    SAL_TRY(sal_variable_create(&f->group, &v, f->packed));
  }
  return SAL_OK;
}

static sal_err put_attributes(const frame *f)
{
  const sal_h5  *g       = &f->group;
  const sal_map *m       = f->map;
  const double   w[4]    = {m->work.rhs, m->work.jacobian, m->work.factorisation, m->work.solve};
  sal_text       methods = {0}, strategies = {0};

  for (int i = 0; i < f->sweep->n_method; ++i)
    if (m->method[i])
      sal_text_add(&methods, "%s%s", methods.length ? " " : "", f->sweep->method[i]->name);
  for (int i = 0; i < f->sweep->n_strategy; ++i)
    if (m->strategy[i])
      sal_text_add(&strategies, "%s%s", strategies.length ? " " : "", f->sweep->strategy[i]->name);
  const sal_err put = sal_h5_text_put_words(g, g->id, "methods", &methods);
  const sal_err too = sal_h5_text_put_words(g, g->id, "strategies", &strategies);
  SAL_TRY(put);
  SAL_TRY(too);
  SAL_TRY(sal_h5_text_put(g, g->id, "content", "saltus map"));
  SAL_TRY(sal_h5_text_put(g, g->id, SAL_MAP_ERROR_METRIC, sal_error_metric_name(m->by)));
  SAL_TRY(sal_h5_text_put(g, g->id, "points_scope",
                          m->scope == SAL_POINTS_GLOBAL ? "global" : "per-cell"));
  SAL_TRY(sal_h5_text_put(g, g->id, "solution_duration", m->timed ? "time" : "work"));
  SAL_TRY(sal_h5_text_put(g, g->id, "work_terms", "rhs jacobian factorisation solve"));
  return sal_h5_put(g, g->id, "work_weights", H5T_NATIVE_DOUBLE, 4, w);
}

/* ---- the file ---- */

static int64_t count_places(const sal_map *m)
{
  const int64_t each[] = {1, m->n_error, (int64_t)m->n_weights * m->n_tolerance};
  int64_t       most   = 0;

  for (int i = 0; i < 3; ++i) most = each[i] > most ? each[i] : most;
  return m->n_cell * most;
}

/* What the map takes on the disk: at most 8 bytes a figure, and labels. */
static int64_t room_for(const sal_sweep *s, const sal_map *m)
{
  const int64_t columns = s->model->n_param + s->model->n_option + 2;
  const int64_t each    = m->n_error + (int64_t)m->n_weights * m->n_tolerance;

  return ((int64_t)4 << 20) + 8 * m->n_cell * (columns + N_FIGURE * each);
}

static sal_err fill_map_frame(frame *f)
{
  if (!f->coordinates || !f->value || !f->packed) return sal_h5_full(&f->group);
  SAL_TRY(put_scales(f));
  SAL_TRY(put_parameters(f));
  SAL_TRY(put_figures(f));
  return put_attributes(f);
}

static sal_err fill_group(const sal_h5 *file, const sal_sweep *sweep, const sal_map *map)
{
  bool there;

  SAL_TRY(sal_h5_has(file, GROUP, &there));
  if (there) SAL_TRY_H5(file, H5Ldelete(file->id, GROUP, H5P_DEFAULT));
  SAL_HID group = H5Gcreate2(file->id, GROUP, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  SAL_TRY_H5(file, group);
  const size_t n = (size_t)count_places(map);
  frame        f = {.group       = {group, file->path},
                    .sweep       = sweep,
                    .map         = map,
                    .dim         = {{"cell", (hsize_t)map->n_cell},
                                    {"error", (hsize_t)map->n_error},
                                    {"weights", (hsize_t)map->n_weights},
                                    {"rtol", (hsize_t)map->n_tolerance},
                                    {"contender", (hsize_t)sal_contender_count(sweep) + 1}},
                    .coordinates = sal_variable_coordinates(sweep->model, false),
                    .value       = sal_alloc(n, sizeof(double)),
                    .packed      = sal_alloc(n, sizeof(double))};

  const sal_err err = fill_map_frame(&f);
  sal_free(f.coordinates);
  sal_free(f.value);
  sal_free(f.packed);
  return err;
}

sal_err sal_map_write_room(const char *path, const sal_sweep *sweep, const sal_map *map)
{
  return sal_atomic_file_room(path, room_for(sweep, map));
}

sal_err sal_map_write_part(const char *path, const sal_sweep *sweep, const sal_map *map)
{
  SAL_HID access = sal_h5_access();
  sal_h5  file;

  SAL_TRY(sal_h5_open_part(path, access, &file));
  sal_err err = sal_cube_layout_convert(&file);
  if (err == SAL_OK) err = fill_group(&file, sweep, map);
  const sal_err closed = sal_h5_close(&file);
  return err ? err : closed;
}

sal_err sal_map_write(const char *path, const sal_sweep *sweep, const sal_map *map)
{
  sal_h5 cube;

  SAL_TRY(sal_cube_open(path, &cube)); /* is it one? */
  SAL_TRY(sal_h5_close(&cube));
  SAL_TRY(sal_atomic_file_copy(path, room_for(sweep, map)));
  sal_err err = sal_map_write_part(path, sweep, map);
  if (err == SAL_OK) err = sal_atomic_file_commit(path);
  if (err != SAL_OK) sal_atomic_file_discard(path);
  return err;
}
