/** The columns of a raster. */
#include "raster_write.h"
#include "answer.h"
#include "base.h"
#include "parameter_column.h"
#include "table_file.h"

enum { MOST = 24, NAME = 64, WORDS = 4096 };

static const char *const axis_name[SAL_N_SURROGATE_AXIS] = {"x", "y", "panel"};
static const char solver[] = "solver", strategy[] = "strategy";

/** The columns under way. */
typedef struct {
  const sal_raster_cube *raster;
  int n;
  sal_table_column column[MOST];
  char name[SAL_N_SURROGATE_AXIS + MOST][NAME]; /* of axes, and of halves of pairs */
  double *value;                                /* [MOST][raster->n] */
} columns;

/* A parameter by its name, the initial value of a state as cubes have it. */
static void name_column(const sal_model *m, int column, char name[NAME])
{
  snprintf(name, NAME, "%s%s", column < m->n_param ? "" : "initial_",
           sal_parameter_column_name(m, column));
}

static double *add_column(columns *c, const char *name, const char *unit, const char *what,
                          bool whole)
{
  double *const value = c->value + c->n * c->raster->n;

  c->column[c->n++] = (sal_table_column){
      .name = name, .unit = unit, .what = what, .across = 1, .whole = whole, .value = value};
  return value;
}

static void add_places(columns *c)
{
  const sal_raster_cube *r = c->raster;
  const sal_surrogate_coordinates *at = sal_surrogate_coordinates_of(r->surrogate);
  double value[SAL_MAX_QUANTITY];

  for (int a = 0; a < SAL_N_SURROGATE_AXIS; ++a) {
    if (r->raster.axis[a] < 0) continue;
    const int column = at->at[r->raster.axis[a]].column;
    const sal_field *f = sal_parameter_column_field(at->sweep->model, column);
    name_column(at->sweep->model, column, c->name[a]);
    double *const to = add_column(c, c->name[a], f->unit, f->what, false);
    for (int64_t i = 0; i < r->n; ++i) {
      sal_surrogate_raster_point(&r->raster, at, i, value);
      to[i] = value[column];
    }
  }
}

static const char *unit_of(const columns *c, const sal_answer_member *m, char room[SAL_UNITS_TEXT])
{
  const sal_performance_table *t = &c->raster->cube.table;

  if (m->unit == SAL_MEMBER_ERROR) return sal_performance_error_unit(t, room);
  return m->unit == SAL_MEMBER_WORK && t->weights.time ? "s" : "1";
}

/* Numbers in the list of solvers, or in that of strategies; 0: none. */
static void add_half(columns *c, const sal_answer_member *m, const char *of)
{
  const int n = c->raster->cube.sweep.n_method;
  char *const name = c->name[SAL_N_SURROGATE_AXIS + c->n];

  sal_answer_pair_name(m, of, name);
  snprintf(name + strlen(name), NAME - strlen(name), "_number");
  double *const to = add_column(c, name, NULL, m->what, true);
  for (int64_t i = 0; i < c->raster->n; ++i) {
    const int pair = (int)m->get(&c->raster->spot[i]);
    to[i] = pair < 0 ? 0 : 1 + (of == solver ? pair % n : pair / n);
  }
}

static void add_answers(columns *c, char room[SAL_UNITS_TEXT])
{
  for (const sal_answer_member *m = sal_answer_members; m->name; ++m) {
    if (m->type == SAL_MEMBER_PAIR) {
      add_half(c, m, solver);
      add_half(c, m, strategy);
      continue;
    }
    const bool whole = m->type == SAL_MEMBER_REASON;
    double *const to = add_column(c, whole ? "reason_number" : m->name,
                                  whole ? NULL : unit_of(c, m, room), m->what, whole);
    for (int64_t i = 0; i < c->raster->n; ++i) to[i] = m->get(&c->raster->spot[i]) + whole;
  }
}

static void append(char text[], size_t size, const char *format, const char *name, double value)
{
  const size_t n = strlen(text);

  snprintf(text + n, size - n, format, n > 0 ? "," : "", name, value);
}

/* With as few digits as say the number. */
static const char *exact_format(double value)
{
  char text[32];

  snprintf(text, sizeof text, "%.15g", value);
  return strtod(text, NULL) == value ? "%s%s=%.15g" : "%s%s=%.17g";
}

const char *sal_raster_decides(const sal_raster_cube *r, char text[SAL_RASTER_TEXT])
{
  const sal_surrogate_coordinates *c = sal_surrogate_coordinates_of(r->surrogate);
  bool said[SAL_MAX_QUANTITY] = {false};

  text[0] = '\0';
  for (int i = 0; i < c->n; ++i) {
    int best = -1;
    for (int k = 0; k < c->n; ++k)
      if (!said[k] && (best < 0 || r->share[k] > r->share[best])) best = k;
    if (best < 0) break;
    said[best] = true;
    const int column = c->at[best].column;
    if (r->box_lo[column] < r->box_hi[column])
      append(text, SAL_RASTER_TEXT, "%s%s=%.3g", sal_parameter_column_name(c->sweep->model, column),
             r->share[best]);
  }
  return text;
}

static bool drawn(const sal_raster_cube *r, int column)
{
  const sal_surrogate_coordinates *c = sal_surrogate_coordinates_of(r->surrogate);

  for (int a = 0; a < SAL_N_SURROGATE_AXIS; ++a)
    if (r->raster.axis[a] >= 0 && c->at[r->raster.axis[a]].column == column) return true;
  return false;
}

const char *sal_raster_still(const sal_raster_cube *r, char text[SAL_RASTER_TEXT])
{
  const sal_sweep *s = &r->cube.sweep;
  const sal_model *m = s->model;

  text[0] = '\0';
  for (int k = 0; k < sal_parameter_column_count(m); ++k) {
    if (!sal_parameter_column_varies(s, k) || drawn(r, k)) continue;
    const char *name = sal_parameter_column_name(m, k);
    const size_t n = strlen(text);
    if (sal_parameter_column_is_option(m, k))
      snprintf(text + n, SAL_RASTER_TEXT - n, "%s%s=%s", n > 0 ? "," : "", name,
               m->option[k - m->n_param].choice[(int)r->raster.lo[k]]);
    else
      append(text, SAL_RASTER_TEXT, exact_format(r->raster.lo[k]), name, r->raster.lo[k]);
  }
  return text;
}

/* Names with blanks between them. */
typedef const char *name_of(const sal_sweep *s, int i);

static const char *reason_name(const sal_sweep *s, int i)
{
  (void)s;
  return sal_map_reasons[i].label;
}
static const char *solver_name(const sal_sweep *s, int i) { return s->method[i]->name; }
static const char *strategy_name(const sal_sweep *s, int i) { return s->strategy[i]->name; }

static void list_names(const sal_sweep *s, int n, name_of *name, char text[WORDS])
{
  text[0] = '\0';
  for (int i = 0; i < n; ++i) {
    const size_t at = strlen(text);
    snprintf(text + at, WORDS - at, "%s%s", i > 0 ? " " : "", name(s, i));
  }
}

/** The attributes under way. */
typedef struct {
  int n;
  sal_table_attribute at[40];
  char name[SAL_N_SURROGATE_AXIS][5][NAME];
  char solvers[WORDS], strategies[WORDS], reasons[WORDS], of[SAL_PERFORMANCE_ERROR_OF],
      unit[SAL_UNITS_TEXT];
  char decides[SAL_RASTER_TEXT], still[SAL_RASTER_TEXT];
} attributes;

static void put_number(attributes *a, const char *name, double number)
{
  a->at[a->n++] = (sal_table_attribute){.name = name, .number = number};
}

static void put_text(attributes *a, const char *name, const char *text)
{
  a->at[a->n++] = (sal_table_attribute){.name = name, .text = text};
}

/* x, x_size, x_lo, x_hi, x_log. */
static void describe_axis(attributes *a, const sal_raster_cube *r, int axis, const char *column)
{
  static const char *const after[] = {"", "_size", "_lo", "_hi", "_log"};
  const sal_surrogate_coordinates *c = sal_surrogate_coordinates_of(r->surrogate);
  const int k = r->raster.axis[axis], at = k < 0 ? 0 : c->at[k].column;
  const double number[] = {0, r->raster.size[axis], k < 0 ? 0 : r->raster.lo[at],
                           k < 0 ? 0 : r->raster.hi[at], k >= 0 && c->at[k].by_log};

  for (int i = 0; i < 5; ++i) {
    snprintf(a->name[axis][i], NAME, "%s%s", axis_name[axis], after[i]);
    if (i == 0)
      put_text(a, a->name[axis][i], k < 0 ? "" : column);
    else
      put_number(a, a->name[axis][i], number[i]);
  }
}

static void describe(attributes *a, const columns *c)
{
  const sal_raster_cube *r = c->raster;
  const sal_sweep *s = &r->cube.sweep;
  const sal_performance_table *t = &r->cube.table;

  list_names(s, s->n_method, solver_name, a->solvers);
  list_names(s, s->n_strategy, strategy_name, a->strategies);
  list_names(s, SAL_N_REASON, reason_name, a->reasons);
  put_text(a, "cube", s->path);
  put_text(a, "error_metric", sal_error_metric_name(t->by));
  put_text(a, "error_of", sal_performance_error_of(t, a->of));
  put_text(a, "error_unit", sal_performance_error_unit(t, a->unit));
  put_number(a, "asked_error", r->question.error);
  put_number(a, "f_costs", t->weights.time ? t->weights.time->field : NAN);
  put_number(a, "lanes", t->weights.time ? (double)t->weights.time->lanes : (double)NAN);
  put_text(a, "steps_of", t->weights.time ? t->weights.time->machine : "");
  put_text(a, "solvers", a->solvers);
  put_text(a, "strategies", a->strategies);
  put_text(a, "reasons", a->reasons);
  put_text(a, "decides", sal_raster_decides(r, a->decides));
  put_text(a, "at", sal_raster_still(r, a->still));
  for (int k = 0; k < SAL_N_SURROGATE_AXIS; ++k) describe_axis(a, r, k, c->name[k]);
}

sal_err sal_raster_write(const char *path, const sal_raster_cube *raster)
{
  SAL_OWN columns *c = sal_alloc(1, sizeof *c);
  SAL_OWN attributes *a = sal_alloc(1, sizeof *a);
  SAL_OWN double *value = sal_alloc((size_t)raster->n * MOST, sizeof *value);
  char room[SAL_UNITS_TEXT];

  if (!c || !a || !value) return sal_fail(SAL_ERR_MEMORY, "no memory for the columns of a raster");
  c->raster = raster;
  c->value = value;
  add_places(c);
  add_answers(c, room);
  describe(a, c);
  return sal_table_write(path, &(sal_table){.content = SAL_RASTER_CONTENT,
                                            .model = raster->cube.sweep.model,
                                            .param = raster->raster.lo,
                                            .row_name = "pixel",
                                            .row_what = "x runs fastest, then y, then panels",
                                            .n = raster->n,
                                            .n_column = c->n,
                                            .column = c->column,
                                            .n_attribute = a->n,
                                            .attribute = a->at});
}
