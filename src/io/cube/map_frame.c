/** The group `map` of a cube.
 *
 *  It opens by itself: xarray.open_dataset(f, group="map", engine="h5netcdf").  So it has dimensions of
 *  its own, `cell` and `rtol` again among them; the parameters are links to those of the cube.
 *  Its datasets lie in one piece each, so that any rank can compute where the values of a cell go.
 */
#include "map_frame.h"
#include "config.h"
#include "cube_frame.h"
#include "group_seal.h"
#include <assert.h>

enum { CELL, ERROR, WEIGHTS, RTOL, CONFIG, PAIR, N_SCALE };
enum { BY_ERROR, BY_POINTS, ANSWER, N_KIND };

/* ---- figures of a cell and question, a column each ---- */

#define OF_PLACE(name, expression)                                                                 \
  static double name(const sal_map_place *p) { return expression; }
OF_PLACE(best, p->best + 1)
OF_PLACE(second, p->second + 1)
OF_PLACE(value, p->value)
OF_PLACE(margin, p->margin)
OF_PLACE(achieved, p->error)
OF_PLACE(reason, p->reason)

/* Type and meaning of a stored figure. */
typedef enum { NUMBER, ERROR_NUMBER, CONFIG_PLACE, PAIR_PLACE, REASON } keeping;

static const struct figure {
  int kind;
  const char *name, *what;
  keeping kept;
  double (*get)(const sal_map_place *place); /* NULL: a member of an answer */
} figures[] = {
    {BY_ERROR, "by_error_best", "the best configuration, its number in configuration", CONFIG_PLACE,
     best},
    {BY_ERROR, "by_error_second", "the best with another method or strategy", CONFIG_PLACE, second},
    {BY_ERROR, "by_error_value", "work of the best; in s by f_costs, else in f", NUMBER, value},
    {BY_ERROR, "by_error_margin", "how much more work the runner-up does, as a share", NUMBER,
     margin},
    {BY_ERROR, "by_error_achieved", "error of the best configuration", ERROR_NUMBER, achieved},
    {BY_ERROR, "by_error_reason", "reason for the best before the runner-up", REASON, reason},
    {BY_POINTS, "by_points_best", "the best configuration, its number in configuration",
     CONFIG_PLACE, best},
    {BY_POINTS, "by_points_second", "the best with another method or strategy", CONFIG_PLACE,
     second},
    {BY_POINTS, "by_points_value", "weighted points (36) of the best configuration", NUMBER, value},
    {BY_POINTS, "by_points_margin", "points by which the best leads", NUMBER, margin},
    {BY_POINTS, "by_points_achieved", "error of the best configuration", ERROR_NUMBER, achieved},
    {BY_POINTS, "by_points_reason", "reason for the best before the runner-up", REASON, reason},
};
enum { N_FIGURE = sizeof figures / sizeof *figures };

/* The figures above, then the members of an answer. */
static struct figure figure_of(const sal_map *m, int i)
{
  static const keeping kept[] = {
      [SAL_MEMBER_PAIR] = PAIR_PLACE, [SAL_MEMBER_NUMBER] = NUMBER, [SAL_MEMBER_REASON] = REASON};

  if (i < N_FIGURE) return figures[i];
  const sal_answer_member *of = &m->member[i - N_FIGURE];
  return (struct figure){ANSWER, of->name, of->what, kept[of->type], NULL};
}

static int64_t count_places(const sal_map *m, int kind)
{
  return kind == BY_POINTS ? (int64_t)m->n_weights * m->n_tolerance : m->n_error;
}

static sal_datatype type_of(const sal_sweep *s, keeping kept)
{
  return kept == CONFIG_PLACE ? sal_datatype_of_place(sal_config_count(s) + 1)
         : kept == PAIR_PLACE ? sal_datatype_of_place(sal_config_pairs(s) + 1)
         : kept == REASON     ? SAL_DATATYPE_FLAG
                              : SAL_DATATYPE_SINGLE;
}

int sal_map_frame_columns(const sal_sweep *s, const sal_map *m, bool reading,
                          sal_map_column column[SAL_MAP_MAX_COLUMN])
{
  int n = 0;

  column[n++] = (sal_map_column){
      .name = SAL_CUBE_NUMBER, .type = SAL_DATATYPE_WHOLE, .each = 1, .figure = -1};
  for (int i = 0; i < N_FIGURE || (reading && m->member[i - N_FIGURE].name); ++i) {
    const struct figure f = figure_of(m, i);
    if (count_places(m, f.kind) == 0 || (f.kind == ANSWER && !m->member[i - N_FIGURE].map))
      continue;
    assert(n < SAL_MAP_MAX_COLUMN);
    column[n] =
        (sal_map_column){.type = type_of(s, f.kept), .each = count_places(m, f.kind), .figure = i};
    snprintf(column[n++].name, SAL_MAP_MAX_NAME, "%s%s", f.kind == ANSWER ? "answer_" : "", f.name);
  }
  return n;
}

int64_t sal_map_frame_bytes(int n, const sal_map_column column[])
{
  int64_t bytes = 0;

  for (int i = 0; i < n; ++i) bytes += column[i].each * (int64_t)sal_datatype_size(column[i].type);
  return bytes;
}

void sal_map_frame_values(const sal_map_column *c, const sal_map *part, const int64_t cell[],
                          double value[])
{
  if (c->figure < 0) {
    for (int64_t i = 0; i < part->n_cell; ++i) value[i] = (double)(cell[i] + 1);
    return;
  }
  const struct figure f = figure_of(part, c->figure);
  const sal_map_place *place = f.kind == BY_ERROR ? part->by_error : part->by_points;
  for (int64_t i = 0; i < part->n_cell * c->each; ++i)
    value[i] = f.kind != ANSWER ? f.get(&place[i])
                                : part->member[c->figure - N_FIGURE].get(&part->answer[i]) +
                                      (f.kept == PAIR_PLACE);
}

/* Context of the functions below.  `group` stands for the file: names are those inside the group. */
typedef struct {
  sal_h5 group;
  const sal_sweep *sweep;
  const sal_map *map;
  sal_variable_dim dim[N_SCALE];
  char *coordinates; /* names of those along `cell` */
} frame;

static sal_err put_scale(const frame *f, int dim, sal_datatype type, const char *what,
                         const void *data)
{
  return f->dim[dim].size
             ? sal_variable_create_scale(&f->group, &f->dim[dim], type,
                                         type == SAL_DATATYPE_TEXT ? NULL : "1", what, data)
             : SAL_OK;
}

static const char *unit_of_error(const frame *f, char text[SAL_UNITS_TEXT])
{
  return sal_units_of_metric(&sal_metrics[f->map->by->error], f->sweep->model, text);
}

/* n texts of up to LABEL characters, and pointers to them. */
enum { LABEL = SAL_CONFIG_NAME };
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

static void free_labels(labels *l) { sal_free_all(l->text, l->word); }

/* Writes what each number in a list stands for: a word, or a tolerance; 0 is none. */
static sal_err put_meaning(const frame *f, int dim, const char *name, const char *what,
                           const char *const word[], const double number[])
{
  const sal_variable v = {.name = name,
                          .unit = number ? "1" : NULL,
                          .what = what,
                          .kind = "coordinate",
                          .type = number ? SAL_DATATYPE_REAL : SAL_DATATYPE_TEXT,
                          .missing = number != NULL,
                          .n_dim = 1,
                          .dim = &f->dim[dim]};

  return sal_variable_create(&f->group, &v, number ? (const void *)number : word);
}

static void name_pair(const sal_sweep *s, int pair, char text[LABEL])
{
  snprintf(text, LABEL, "%s:%s", sal_config_strategy(s, pair), sal_config_method(s, pair));
}

/* Names of all configurations, or of all pairs, which are the first configurations; and what they are made
 * of.  `word` and `number` are work space of n + 1. */
static sal_err put_list(const frame *f, int dim, int n, const labels *l, const char *word[],
                        double number[])
{
  const sal_sweep *s = f->sweep;
  const bool pairs = dim == PAIR;

  snprintf(l->text[0], LABEL, "none");
  for (int k = 0; k < n; ++k)
    if (pairs)
      name_pair(s, k, l->text[k + 1]);
    else
      sal_config_name(s, k, l->text[k + 1]);
  SAL_TRY(put_scale(f, dim, SAL_DATATYPE_TEXT,
                    pairs ? "strategy:method" : "strategy:method:tolerance", l->word));
  for (int k = 0; k <= n; ++k) word[k] = sal_config_method(s, k - 1);
  SAL_TRY(put_meaning(f, dim, pairs ? "pair_solver" : "config_solver", "its method", word, NULL));
  for (int k = 0; k <= n; ++k) word[k] = sal_config_strategy(s, k - 1);
  SAL_TRY(
      put_meaning(f, dim, pairs ? "pair_strategy" : "config_strategy", "its strategy", word, NULL));
  if (pairs) return SAL_OK;
  for (int k = 0; k <= n; ++k) number[k] = sal_config_tolerance(s, k - 1);
  return put_meaning(f, dim, "config_rtol", "its tolerance", NULL, number);
}

static sal_err put_names(const frame *f, int dim, int n)
{
  SAL_OWN const char **word = NULL;
  SAL_OWN double *number = NULL;
  SAL_OWN_BY(free_labels) labels l = {0};

  SAL_TRY_ROOM(&f->group, word, n + 1);
  SAL_TRY_ROOM(&f->group, number, n + 1);
  SAL_TRY(make_labels(&f->group, n + 1, &l));
  return put_list(f, dim, n, &l, word, number);
}

static sal_err put_weights(const frame *f)
{
  const sal_map *m = f->map;
  SAL_OWN_BY(free_labels) labels l = {0};

  SAL_TRY(make_labels(&f->group, m->n_weights, &l));
  for (int i = 0; i < m->n_weights; ++i)
    snprintf(l.text[i], LABEL, "sd=%g,dt=%g,iae=%g", m->weights[i].sd, m->weights[i].dt,
             m->weights[i].iae);
  return put_scale(f, WEIGHTS, SAL_DATATYPE_TEXT, "weights of eq. (36)", l.word);
}

static sal_err put_scales(const frame *f, bool reading)
{
  char asked[96], unit[SAL_UNITS_TEXT];

  snprintf(asked, sizeof asked, "%s asked for", f->map->by->scale);
  if (f->map->n_error > 0)
    SAL_TRY(sal_variable_create_scale(&f->group, &f->dim[ERROR], SAL_DATATYPE_REAL,
                                      unit_of_error(f, unit), asked, f->map->error));
  SAL_TRY(put_scale(f, RTOL, SAL_DATATYPE_REAL, "relative and absolute tolerance",
                    f->sweep->tolerance));
  SAL_TRY(put_weights(f));
  SAL_TRY(put_names(f, CONFIG, sal_config_count(f->sweep)));
  return reading ? put_names(f, PAIR, sal_config_pairs(f->sweep)) : SAL_OK;
}

/* The model's parameters are the cube's. */
static sal_err link_parameters(const frame *f)
{
  const sal_model *m = f->sweep->model;

  for (int i = 0; i < m->n_param + m->n_option; ++i) {
    char to[SAL_MAP_MAX_NAME + 1];
    const char *name = i < m->n_param ? m->param[i].name : m->option[i - m->n_param].name;
    snprintf(to, sizeof to, "/%s", name);
    SAL_TRY_H5(&f->group, H5Lcreate_soft(to, f->group.id, name, H5P_DEFAULT, H5P_DEFAULT));
  }
  return SAL_OK;
}

static sal_err put_attributes(const frame *f)
{
  const sal_h5 *g = &f->group;
  const sal_map *m = f->map;
  const int64_t layout = SAL_MAP_LAYOUT;
  sal_text methods = {0}, strategies = {0};

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
  SAL_TRY(sal_h5_put(g, g->id, "layout", H5T_NATIVE_INT64, 0, &layout));
  SAL_TRY(sal_h5_text_put(g, g->id, "content", "saltus map"));
  SAL_TRY(sal_h5_text_put(g, g->id, SAL_MAP_ERROR_METRIC, sal_error_metric_name(m->by)));
  SAL_TRY(sal_h5_text_put(g, g->id, "points_scope",
                          m->scope == SAL_POINTS_GLOBAL ? "global" : "per-cell"));
  SAL_TRY(sal_h5_text_put(g, g->id, "solution_duration", m->timed ? "time" : "work"));
  return sal_map_frame_put_work(g, &m->work);
}

static sal_variable describe_column(const frame *f, const sal_map_column *c,
                                    char unit[SAL_UNITS_TEXT], const sal_variable_dim *dim)
{
  const struct figure g = figure_of(f->map, c->figure);
  sal_variable v = {.name = c->name,
                    .what = g.what,
                    .kind = SAL_MAP_GROUP,
                    .type = c->type,
                    .unit = g.kept == NUMBER         ? "1"
                            : g.kept == ERROR_NUMBER ? unit_of_error(f, unit)
                                                     : NULL,
                    .missing = c->type == SAL_DATATYPE_SINGLE,
                    .at_once = true,
                    .in_one = true,
                    .run = c->each,
                    .n_dim = 2 + (g.kind == BY_POINTS),
                    .dim = dim,
                    .coordinates = f->coordinates};

  if (g.kind == BY_POINTS && f->map->timed) v.kind = sal_datatype_kind_name(SAL_TIMING);
  for (int i = 0; g.kept == REASON && i < SAL_N_REASON; ++i)
    v.flag[v.n_flag++] = sal_map_reasons[i].label;
  return v;
}

static sal_err create_figure(const frame *f, const sal_map_column *c)
{
  const bool points = figure_of(f->map, c->figure).kind == BY_POINTS;
  const sal_variable_dim by_error[] = {f->dim[CELL], f->dim[ERROR]};
  const sal_variable_dim by_points[] = {f->dim[CELL], f->dim[WEIGHTS], f->dim[RTOL]};
  char unit[SAL_UNITS_TEXT];
  const sal_variable v = describe_column(f, c, unit, points ? by_points : by_error);

  return sal_variable_create(&f->group, &v, NULL);
}

static sal_err create_column(const frame *f, sal_map_column *c)
{
  SAL_TRY(c->figure < 0 ? sal_cube_create_cells(&f->group, &f->dim[CELL], true, NULL)
                        : create_figure(f, c));
  SAL_HID set = H5Dopen2(f->group.id, c->name, H5P_DEFAULT);
  SAL_TRY_H5(&f->group, set);
  const haddr_t at = H5Dget_offset(set);
  c->offset = (int64_t)at;
  return at == HADDR_UNDEF ? sal_h5_fail(&f->group) : SAL_OK;
}

static sal_err fill_frame(const frame *f, const sal_map_reading *reading, int n,
                          sal_map_column column[])
{
  if (!f->coordinates) return sal_h5_full(&f->group);
  snprintf(column[0].name, SAL_MAP_MAX_NAME, "%s", SAL_CUBE_NUMBER);
  SAL_TRY(create_column(f, &column[0])); /* with the dimension `cell`, of which the others are */
  SAL_TRY(put_scales(f, reading != NULL));
  SAL_TRY(link_parameters(f));
  for (int i = 1; i < n; ++i) SAL_TRY(create_column(f, &column[i]));
  SAL_TRY(put_attributes(f));
  if (reading) SAL_TRY(sal_map_frame_put_reading(&f->group, reading));
  return sal_group_seal_prepare(&f->group);
}

sal_err sal_map_frame_create(const sal_h5 *file, hid_t root, const sal_sweep *sweep,
                             const sal_map *map, const sal_map_reading *reading, int n,
                             sal_map_column column[], hid_t *group)
{
  SAL_OWN char *coordinates = sal_variable_coordinates(SAL_CUBE_NUMBER, sweep->model, false);
  SAL_TRY(sal_h5_create_group(file, root, SAL_MAP_GROUP, group));
  const frame f = {.group = {*group, file->path, SAL_DIMENSION_OF_MAP},
                   .sweep = sweep,
                   .map = map,
                   .dim = {{"cell", (hsize_t)map->n_cell},
                           {"error", (hsize_t)map->n_error},
                           {"weights", (hsize_t)map->n_weights},
                           {"rtol", (hsize_t)map->n_tolerance},
                           {"config", (hsize_t)sal_config_count(sweep) + 1},
                           {"pair", (hsize_t)sal_config_pairs(sweep) + 1}},
                   .coordinates = coordinates};

  return fill_frame(&f, reading, n, column);
}

sal_err sal_map_frame_seal(const sal_h5 *group, int n, const sal_map_column column[])
{
  for (int i = 0; i < n; ++i) {
    SAL_HID set = H5Dopen2(group->id, column[i].name, H5P_DEFAULT);
    SAL_TRY_H5(group, set);
    SAL_TRY(sal_checksum_put_sum(group, set, column[i].sum));
  }
  return sal_group_seal_put(group);
}
