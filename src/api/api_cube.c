/** Answers of a cube. */
#include "answer.h"
#include "api.h"
#include "base.h"
#include "environment.h"
#include "parameter_column.h"
#include "solver_home.h"
#include "value.h"

struct saltus_cube {
  char *path;
  int home;         /* the program whose solvers are asked */
  sal_advice point; /* the surrogate, and the last answer */
};

static void drop_cube(saltus_cube *cube)
{
  if (!cube) return;
  sal_ask_free(&cube->point);
  sal_free_all(cube->path, cube);
}

void saltus_cube_close(saltus_cube *cube)
{
  sal_api_turn_take(SAL_API_READS);
  drop_cube(cube);
  sal_api_turn_leave(SAL_API_READS);
}

static sal_err choose(const void *with, const sal_sweep *sweep, sal_performance_choice *choice)
{
  return sal_performance_winners_choose(with, sweep, choice);
}

static sal_err begin_cube(const char *path, const saltus_choices *c, saltus_cube *cube)
{
  sal_performance_winners winners = {.head = ""};
  const sal_performance_chooser chooser = {choose, &winners};

  if (c)
    winners = (sal_performance_winners){.head = "",
                                        .solvers = c->solvers,
                                        .strategies = c->strategies,
                                        .in = c->program,
                                        .by = c->by,
                                        .work = c->work,
                                        .f_costs = c->f_costs,
                                        .steps = c->steps,
                                        .lanes = c->lanes};
  if (winners.in) SAL_TRY(sal_solver_home_find("program", winners.in, &cube->home));
  cube->path = sal_text_copy(path);
  if (!cube->path) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  cube->point.path = cube->path;
  return sal_performance_cube_begin(cube->path, &chooser, SAL_PERFORMANCE_ERRORS,
                                    &cube->point.cube);
}

static sal_err open_cube(const char *path, const saltus_choices *configs, saltus_cube **out)
{
  SAL_TRY(sal_api_given("cube: path", path));
  SAL_TRY(sal_api_given("cube", out));
  SAL_TRY(sal_api_stack_check(1));
  SAL_TRY(sal_environment_check());
  saltus_cube *cube = sal_alloc(1, sizeof *cube);
  if (!cube) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  assert(out);
  const sal_err err = begin_cube(path, configs, cube);
  if (err == SAL_OK)
    *out = cube;
  else
    drop_cube(cube);
  return err;
}

static saltus_status end_reading(sal_err err)
{
  sal_api_turn_leave(SAL_API_READS);
  return sal_api_status(err);
}

/* The status of a call that reads cubes, in its turn. */
#define READ(call) (sal_err_clear(), sal_api_turn_take(SAL_API_READS), end_reading(call))

saltus_status saltus_cube_open(const char *path, const saltus_choices *configs, saltus_cube **out)
{
  if (out) *out = NULL;
  return READ(open_cube(path, configs, out));
}

/* The ends of a column in all cells: scattered ones lie within the axes. */
static void widen(const sal_sweep *s, int column, saltus_axis *axis)
{
  axis->lo = INFINITY;
  axis->hi = -INFINITY;
  for (int a = 0; a < s->n_axis; ++a)
    for (int c = 0; c < s->axis[a].n_column; ++c) {
      double lo, hi;
      if (s->axis[a].column[c] != column) continue;
      sal_axis_ends(&s->axis[a], c, &lo, &hi);
      axis->lo = fmin(axis->lo, lo);
      axis->hi = fmax(axis->hi, hi);
    }
}

/* The column of axis i, -1 after the last. */
static int column_of_axis(const sal_sweep *s, int i)
{
  for (int k = 0; i >= 0 && k < sal_parameter_column_count(s->model); ++k)
    if (sal_parameter_column_varies(s, k) && i-- == 0) return k;
  return -1;
}

saltus_axis saltus_cube_axis(const saltus_cube *cube, int i)
{
  const sal_sweep *s = cube ? &cube->point.cube.sweep : NULL;
  const int k = s ? column_of_axis(s, i) : -1;
  saltus_axis axis = {.name = NULL, .lo = NAN, .hi = NAN};

  if (k < 0) return axis;
  axis.name = sal_parameter_column_name(s->model, k);
  const sal_field *field = sal_parameter_column_field(s->model, k);
  axis.unit = field ? field->unit : "1";
  axis.whole = !field || field->whole;
  widen(s, k, &axis);
  return axis;
}

saltus_config saltus_cube_config(const saltus_cube *cube, int i)
{
  const sal_sweep *s = cube ? &cube->point.cube.sweep : NULL;

  if (!s || i < 0 || i >= sal_config_count(s)) return (saltus_config){.rtol = NAN};
  return (saltus_config){sal_config_method(s, i), sal_config_strategy(s, i),
                         sal_config_tolerance(s, i)};
}

/* The members of a choice, and those of an answer that it has not. */
#define PAIR(out, prefix, i)                                                                       \
  (out)->prefix##solver = (i) < 0 ? NULL : sal_config_method(s, i);                                \
  (out)->prefix##strategy = (i) < 0 ? NULL : sal_config_strategy(s, i);
#define CHOICE_PAIR(out, name, value) PAIR(out, , value)
#define CHOICE_NUMBER(out, name, value) (out)->name = (value);
#define ANSWER_PAIR(out, name, value) PAIR(out, name##_, value)
#define ANSWER_NUMBER(out, name, value) (out)->name = (value);
#define ANSWER_REASON(out, name, value) (out)->name = sal_map_reasons[value].label;
#define SAL_MEMBER(name, of, type, unit, map, getter, meaning) SAL_OF_##of(type, name, getter)

static void fill_choice(const sal_sweep *s, const sal_answer *a, saltus_choice *out)
{
#define SAL_OF_CHOICE(type, name, value) CHOICE_##type(out, name, value)
#define SAL_OF_ANSWER(type, name, value)
#include "answer.def"
#undef SAL_OF_CHOICE
#undef SAL_OF_ANSWER
}

static void fill_answer(const sal_sweep *s, const sal_answer *a, saltus_answer *out)
{
#define SAL_OF_CHOICE(type, name, value)
#define SAL_OF_ANSWER(type, name, value) ANSWER_##type(out, name, value)
#include "answer.def"
}

static saltus_choice choice_of(const sal_sweep *s, const sal_surrogate_choice *c, int home,
                               double needed)
{
  const sal_answer a = sal_answer_of_choice(c);
  saltus_choice out = {.solver = NULL};

  if (c->pair < 0) return out;
  fill_choice(s, &a, &out);
  out.call = sal_solver_home_call(home, sal_config_solver(s, c->pair));
  out.needed = needed;
  return out;
}

void sal_api_cube_answer(const sal_advice *a, int home, saltus_answer *out)
{
  const sal_surrogate_answer *r = a->answer;
  const sal_sweep *s = &a->cube.sweep;
  char unit[SAL_UNITS_TEXT];

  *out = (saltus_answer){
      .best = choice_of(s, &r->best, home, 1),
      .safe = choice_of(s, &r->safe, home, 1),
      .n_attempt = r->n_attempt,
      .estimated_error = a->n_here > 0 && a->hit >= 0 ? a->here[a->hit].difference : NAN,
      .attempts = a->n_here,
      .predicted = a->calibration.asked > 0 ? a->calibration.predicted : NAN,
      .observed = a->calibration.asked > 0 ? a->calibration.observed : NAN,
      .n_outside = r->outside.n,
  };
  const sal_answer best = sal_answer_best(r);
  fill_answer(s, &best, out);
  for (int i = 0; i < r->n_attempt; ++i)
    out->schedule[i] = choice_of(s, &r->attempts[i], home, sal_answer_needed(r, i));
  snprintf(out->unit, sizeof out->unit, "%s", sal_performance_error_unit(&a->cube.table, unit));
}

/* A caller of the library has more than one point. */
static sal_err open_surrogate(saltus_cube *cube)
{
  sal_advice *a = &cube->point;

  return a->surrogate ? SAL_OK : sal_ask_surrogate(&a->cube, true, &a->source, &a->surrogate);
}

static sal_err ask(saltus_cube *cube, const char *at, double error, double probability,
                   saltus_answer *answer)
{
  SAL_TRY(sal_api_given("ask: cube", cube));
  SAL_TRY(sal_api_given("ask: at", at));
  SAL_TRY(sal_api_given("ask: answer", answer));
  SAL_TRY(sal_api_stack_check(1));
  sal_advice *a = &cube->point;
  double point[SAL_MAX_QUANTITY];
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "ask", "error", error, nextafter(0, 1), INFINITY));
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "ask", "probability", probability, 0, 1));
  SAL_TRY(sal_parameter_point_parse("at", &a->cube.sweep, at, point));
  a->probability = probability > 0 ? probability : NAN;
  SAL_TRY(open_surrogate(cube));
  SAL_TRY(sal_ask(a, (sal_question){.error = error}, point, 0));
  sal_api_cube_answer(a, cube->home, answer);
  return SAL_OK;
}

saltus_status saltus_cube_ask(saltus_cube *cube, const char *at, double error, double probability,
                              saltus_answer *answer)
{
  return READ(ask(cube, at, error, probability, answer));
}

enum { SOME = 512 /* points at once: each takes 9 kB */ };

/* value [n] of point [][axes] from the first one on. */
static sal_err read_points(const sal_sweep *s, int64_t first, int64_t n, const double point[],
                           double (*value)[SAL_MAX_QUANTITY])
{
  char where[64];
  int column[SAL_MAX_QUANTITY], n_axis = 0;

  for (int k; (k = column_of_axis(s, n_axis)) >= 0; ++n_axis) column[n_axis] = k;
  point += first * n_axis;
  for (int64_t i = first; i < first + n; ++i) {
    double given[SAL_MAX_QUANTITY];
    sal_parameter_point_fixed(s, given);
    for (int a = 0; a < n_axis; ++a) given[column[a]] = *point++;
    snprintf(where, sizeof where, "costs: point %lld", (long long)i);
    SAL_TRY(sal_parameter_point_set(where, s, given, value[i - first]));
  }
  return SAL_OK;
}

static sal_err list_questions(const saltus_cube *cube, int n, const double error[],
                              sal_surrogate_question question[])
{
  for (int i = 0; i < n; ++i) {
    SAL_TRY(sal_value_range(SAL_ERR_USAGE, "costs", "error", error[i], nextafter(0, 1), INFINITY));
    question[i] = (sal_surrogate_question){.error = error[i],
                                           .probability = NAN,
                                           .method = cube->point.cube.method,
                                           .strategy = cube->point.cube.strategy};
  }
  return SAL_OK;
}

static sal_err find_costs(saltus_cube *cube, int64_t n, const double point[], int n_error,
                          const double error[], double total[], double probability[])
{
  SAL_TRY(sal_api_given("costs: cube", cube));
  SAL_TRY(sal_api_given("costs: point", point));
  SAL_TRY(sal_api_given("costs: error", error));
  SAL_TRY(sal_api_given("costs: total", total));
  SAL_TRY(sal_api_given("costs: probability", probability));
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "costs", "n", (double)n, 0, INT32_MAX));
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "costs", "n_error", n_error, 0, INT32_MAX));
  SAL_TRY(sal_api_stack_check(1));
  SAL_OWN double(*value)[SAL_MAX_QUANTITY] = sal_alloc(n < SOME ? (size_t)n : SOME, sizeof *value);
  SAL_OWN sal_surrogate_question *question = sal_alloc((size_t)n_error, sizeof *question);
  if (!value || !question) return sal_fail(SAL_ERR_MEMORY, "costs: out of memory");
  SAL_TRY(list_questions(cube, n_error, error, question));
  SAL_TRY(open_surrogate(cube));
  const int64_t each = sal_config_count(&cube->point.cube.sweep);
  for (int64_t i = 0; i < n; i += SOME) {
    const int64_t count = n - i < SOME ? n - i : SOME;
    SAL_TRY(read_points(&cube->point.cube.sweep, i, count, point, value));
    SAL_TRY(sal_surrogate_configs(cube->point.surrogate, n_error, question, count, value, n,
                                  total + i * each, probability + i * each));
  }
  return SAL_OK;
}

saltus_status saltus_cube_costs(saltus_cube *cube, int64_t n, const double point[], int n_error,
                                const double error[], double total[], double probability[])
{
  return READ(find_costs(cube, n, point, n_error, error, total, probability));
}

static sal_err read_runs(saltus_cube *cube, int64_t n, const int64_t cell[], double work[],
                         double error[])
{
  SAL_TRY(sal_api_given("runs: cube", cube));
  SAL_TRY(sal_api_given("runs: cell", cell));
  SAL_TRY(sal_api_given("runs: work", work));
  SAL_TRY(sal_api_given("runs: error", error));
  SAL_TRY(sal_api_stack_check(1));
  sal_performance_cube *c = &cube->point.cube;
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "runs", "n", (double)n, 0, INT32_MAX));
  for (int64_t i = 0; i < n; ++i)
    SAL_TRY(sal_value_range(SAL_ERR_USAGE, "runs", "cell", (double)cell[i], 0,
                            (double)(c->sweep.n_cell - 1)));
  const sal_performance_source source = sal_performance_cube_source(c);
  SAL_TRY(sal_performance_create(&c->sweep, n, source.by, &source.weights, false, false, &rows));
  SAL_TRY(source.read(source.with, n, cell, &rows));
  for (int64_t i = 0; i < n * rows.n_config; ++i) {
    const sal_config k = sal_config_decode(&c->sweep, (int)(i % rows.n_config));
    const bool may = c->method[k.method] && c->strategy[k.strategy];
    work[i] = may ? rows.work[i] : NAN;
    error[i] = may ? rows.error[i] : NAN;
  }
  return SAL_OK;
}

saltus_status saltus_cube_runs(saltus_cube *cube, int64_t n, const int64_t cell[], double work[],
                               double error[])
{
  return READ(read_runs(cube, n, cell, work, error));
}
