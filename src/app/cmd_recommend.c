/** saltus recommend: which solver, strategy and rtol to use at a point. */
#include "base.h"
#include "cli_compile.h"
#include "cli_performance.h"
#include "recommend_print.h"
#include "solver_home.h"

typedef struct {
  const char *path, *at, *physical;
  sal_cli_question_words words;
  double probability;
  double budget;
  bool run, json;
  sal_cli_texts recorded;
  sal_cli_performance_words table;
  sal_cli_compile compile;
} options;
static const options presets = {.words = {.tolerance = NAN}, .probability = NAN};

#define OPTIONS_OF_recommend
#include "options.def"

static sal_err check_question(void *given)
{
  const options *o = given;
  const sal_cli_question_words *w = &o->words;

  if (!o->at == !o->physical)
    return sal_fail(SAL_ERR_USAGE, "%s",
                    o->at ? "--at or --physical, not both"
                          : "--at NAME=VALUE,.. or --physical NAME=VALUE,.. is required");
  if (!w->error && (!w->weights || isnan(w->tolerance)))
    return sal_fail(SAL_ERR_USAGE,
                    "--error E, or --rtol R with --weights sd=..,dt=..,iae=.., is required");
  if (!w->error && (o->run || !isnan(o->probability)))
    return sal_fail(SAL_ERR_USAGE, "%s goes with --error", o->run ? "--run" : "--probability");
  return sal_cli_question_check(w);
}

/* Reads the parts of the question that do not need the cube. */
static sal_err read_question(const options *o, sal_question *q)
{
  *q = (sal_question){.error = NAN};
  if (o->words.error) return sal_cli_performance_error(o->words.error, NULL, &q->error);
  return sal_map_weights_parse("--weights", o->words.weights, &q->weights);
}

/* Words and pure numbers that are the same in all of the cube hold; a value with a unit must be given, unless it is that of
 * the model, or 0.  The start of the runs is the cube's own, in its units. */
static void begin_physical(const sal_sweep *s, double value[], double wanted[])
{
  const sal_model *m = s->model;

  sal_parameter_point_fixed(s, wanted);
  for (int k = 0; k < sal_parameter_column_count(m); ++k) {
    const bool pure = strcmp(sal_natural_unit(m, k), "1") == 0;
    value[k] = k < m->n_param + m->n_option ? wanted[k] : NAN;
    if (k < m->n_param && !pure && value[k] != m->param[k].preset && value[k] != 0) value[k] = NAN;
  }
}

/* Scales are the model's, or those in which this system is one of the cube's. */
static sal_err find_physical(const char *text, sal_advice *a)
{
  static const char where[] = "--physical";
  const sal_sweep *s = &a->cube.sweep;
  const sal_model *m = s->model;
  double value[SAL_MAX_QUANTITY], wanted[SAL_MAX_QUANTITY];

  begin_physical(s, value, wanted);
  SAL_TRY(sal_physical_read(where, m, text, value, &a->measure));
  for (int k = 0; k < m->n_param; ++k)
    if (isnan(value[k]))
      return sal_fail(SAL_ERR_USAGE, "%s: %s, the %s, is missing", where, m->param[k].name,
                      m->param[k].what);
  if (!m->physical) sal_physical_scale(wanted, value, &a->measure);
  return sal_parameter_point_set(where, s, value, a->lo);
}

static sal_err find_point(const options *o, sal_advice *a)
{
  const sal_sweep *s = &a->cube.sweep;

  sal_measure_begin(&a->measure, s->model);
  a->cube.table.measure = &a->measure;

  if (o->at) {
    a->box_is = "--at";
    SAL_TRY(sal_parameter_box_parse(a->box_is, s, o->at, a->lo, a->hi, &a->boxed));
    if (a->boxed && (o->run || !o->words.error))
      return sal_fail(SAL_ERR_USAGE, "--at: %s, and not over a box; give each quantity one value",
                      o->run ? "--run runs at a point" : "points are asked for at a point");
    return SAL_OK;
  }
  return find_physical(o->physical, a);
}

static sal_err recommend_there(const options *o, sal_question q, sal_advice *a)
{
  const unsigned run = o->run ? SAL_ASK_RUN : 0, allow = o->json ? SAL_ASK_ALLOW : 0;

  SAL_TRY(find_point(o, a));
  if (!o->words.error)
    SAL_TRY(sal_cli_performance_tolerance(&a->cube.sweep, o->words.tolerance, &q.tolerance));
  else
    SAL_TRY(sal_cli_performance_error(o->words.error, &a->cube.table, &q.error));
  SAL_TRY(sal_ask(a, q, a->lo, run | allow));
  return run && a->answer->best.pair >= 0 ? sal_recommend_run_at(a) : SAL_OK;
}

static sal_err run_recommend(void *given, sal_command_call *call)
{
  const options *o = given;
  SAL_OWN_BY(sal_ask_free)
  sal_advice a = {.path = o->path,
                  .trust = sal_cli_trust_of(&o->recorded),
                  .probability = o->probability,
                  .budget = o->budget};
  const sal_performance_chooser chooser = sal_cli_performance_chooser(&o->table);

  SAL_TRY(sal_cli_compile_given(&o->compile, call));
  sal_question q;
  SAL_TRY(read_question(o, &q));
  SAL_TRY(sal_performance_cube_begin(
      o->path, &chooser, o->words.error ? SAL_PERFORMANCE_ERRORS : SAL_PERFORMANCE_POINTS,
      &a.cube));
  SAL_TRY(recommend_there(o, q, &a));
  sal_report r = sal_report_begin(stdout, o->json);
  sal_recommend_print(&r, &a);
  if (a.box) sal_box_print(&r, &a);
  if (o->table.winners.in && o->words.error) {
    int home;
    SAL_TRY(sal_solver_home_find("--in", o->table.winners.in, &home));
    sal_recommend_print_home(&r, &a, home);
  }
  if (o->words.error) SAL_TRY(sal_why_print(&r, &a));
  sal_report_end(&r);
  call->status = a.answer->outside.n ? SAL_FINDING_OUTSIDE : 0;
  return SAL_OK;
}

const sal_command_code sal_cmd_recommend = {
    .table = {{rows, 0},
              {sal_cli_performance_options, offsetof(options, table)},
              {sal_cli_given_options, offsetof(options, compile)},
              {sal_cli_trust_options, offsetof(options, recorded)},
              {sal_cli_petsc_options, 0}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_question,
    .run = run_recommend};
