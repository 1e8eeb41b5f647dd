/** @file src/app/raster_write.c
 *  The columns of a raster.
 */
#include "raster_write.h"
#include "contender.h"
#include "memory.h"
#include "table_file.h"
#include "text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24, NAME = 64, WORDS = 4096 };

static const char *const axis_name[SAL_N_READER_AXIS] = {"x", "y", "panel"};

/* ---- what is found, as columns ---- */

static double solver_of(const sal_raster_cube *r, int pair)
{
  return pair < 0 ? 0 : 1 + pair % r->cube.sweep.n_method;
}

static double strategy_of(const sal_raster_cube *r, int pair)
{
  return pair < 0 ? 0 : 1 + pair / r->cube.sweep.n_method;
}

/* How much more it takes than the answer. */
static double more(double total, double least) { return total / least - 1; }

#define OF(name_, expression)                                                                      \
  static double name_(const sal_raster_cube *r, const sal_reader_spot *s)                          \
  {                                                                                                \
    (void)r;                                                                                       \
    return expression;                                                                             \
  }
OF(value_solver, solver_of(r, s->answer.pair))
OF(value_strategy, strategy_of(r, s->answer.pair))
OF(value_gap, s->answer.pair >= 0 ? 0 : s->answer.reason == SAL_REASON_NO_REFERENCE ? 2 : 1)
OF(value_rtol, s->answer.tolerance)
OF(value_probability, s->answer.probability)
OF(value_error, s->error)
OF(value_work, s->answer.work)
OF(value_total, s->answer.total)
OF(value_next_solver, solver_of(r, s->answer.second))
OF(value_next_strategy, strategy_of(r, s->answer.second))
OF(value_lead, more(s->answer.second_total, s->answer.total))
OF(value_certainty, s->answer.certainty)
OF(value_other_solver, solver_of(r, s->other))
OF(value_other_lead, more(s->other_total, s->answer.total))
OF(value_other_certainty, s->other_certainty)
#undef OF

static const struct {
  const char *name, *what;
  bool whole;
  double (*of)(const sal_raster_cube *raster, const sal_reader_spot *spot);
} rows[] = {
    {"solver_number", "what answers, a number in `solvers`; 0: nothing does", true, value_solver},
    {"strategy_number", "its strategy, a number in `strategies`", true, value_strategy},
    {"gap", "1: no contender reaches the error; 2: the references are not good enough", true,
     value_gap},
    {"answer_rtol", "its tolerance", false, value_rtol},
    {"probability", "that it reaches the asked error", false, value_probability},
    {"expected_error", "of one run: the median", false, value_error},
    {"work", "of one run", false, value_work},
    {"total", "expected work with what follows a miss", false, value_total},
    {"next_solver_number", "the next pair of solver and strategy", true, value_next_solver},
    {"next_strategy_number", "its strategy", true, value_next_strategy},
    {"lead", "how much more the next pair takes, a share of the total", false, value_lead},
    {"certainty", "probability that the answer takes less work than the next pair", false,
     value_certainty},
    {"other_solver_number", "the best of the other solvers", true, value_other_solver},
    {"other_lead", "how much more the best of the other solvers takes", false, value_other_lead},
    {"other_certainty", "probability that the answer takes less work than that", false,
     value_other_certainty}};

enum { N_ROW = sizeof rows / sizeof *rows };

/** The columns under way. */
typedef struct {
  const sal_raster_cube *raster;
  int n;
  sal_table_column column[MOST];
  char name[SAL_N_READER_AXIS][NAME];
  double *value; /* [MOST][raster->n] */
} columns;

static const sal_field *field_of(const sal_model *m, int column)
{
  return column < m->n_param ? &m->param[column] : &m->state[column - m->n_param - m->n_option];
}

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
  const sal_reader_coordinates *at = sal_reader_coordinates_of(r->reader);
  double value[SAL_MAX_QUANTITY];

  for (int a = 0; a < SAL_N_READER_AXIS; ++a) {
    if (r->raster.axis[a] < 0) continue;
    const int column = at->at[r->raster.axis[a]].column;
    const sal_field *f = field_of(at->sweep->model, column);
    name_column(at->sweep->model, column, c->name[a]);
    double *const to = add_column(c, c->name[a], f->unit, f->what, false);
    for (int64_t i = 0; i < r->n; ++i) {
      sal_reader_raster_point(&r->raster, at, i, value);
      to[i] = value[column];
    }
  }
}

static const char *unit_of(const columns *c, int row, char room[SAL_UNITS_TEXT])
{
  const sal_performance_table *t = &c->raster->cube.table;

  if (rows[row].whole) return NULL;
  if (rows[row].of == value_error) return sal_performance_error_unit(t, room);
  return t->weights.time && (rows[row].of == value_work || rows[row].of == value_total) ? "s" : "1";
}

static void add_answers(columns *c, char room[SAL_UNITS_TEXT])
{
  for (int k = 0; k < N_ROW; ++k) {
    double *const to =
        add_column(c, rows[k].name, unit_of(c, k, room), rows[k].what, rows[k].whole);
    for (int64_t i = 0; i < c->raster->n; ++i) to[i] = rows[k].of(c->raster, &c->raster->spot[i]);
  }
}

/* ---- what holds for all, as attributes ---- */

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
  const sal_reader_coordinates *c = sal_reader_coordinates_of(r->reader);
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
  const sal_reader_coordinates *c = sal_reader_coordinates_of(r->reader);

  for (int a = 0; a < SAL_N_READER_AXIS; ++a)
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
  char name[SAL_N_READER_AXIS][5][NAME];
  char solvers[WORDS], strategies[WORDS], of[SAL_PERFORMANCE_ERROR_OF], unit[SAL_UNITS_TEXT];
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
  const sal_reader_coordinates *c = sal_reader_coordinates_of(r->reader);
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
  put_text(a, "decides", sal_raster_decides(r, a->decides));
  put_text(a, "at", sal_raster_still(r, a->still));
  for (int k = 0; k < SAL_N_READER_AXIS; ++k) describe_axis(a, r, k, c->name[k]);
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
