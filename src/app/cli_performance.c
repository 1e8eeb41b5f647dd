/** @file src/app/cli_performance.c
 *  Options that say how a cube is read for answers.
 */
#include "cli_performance.h"
#include "enum_words.h"
#include "memory.h"
#include "performance_cube.h"
#include "performance_winners.h"
#include "quantities.h"
#include "spent_text.h"
#include "step_cost.h"
#include "text.h"
#include "units.h"
#include "work.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define AT(member) .offset = offsetof(sal_cli_performance_words, member)

const sal_cli_option sal_cli_performance_options[] = {
    {"solvers", 0, "NAME,..", "solvers that may win (all)", SAL_CLI_TEXT, AT(methods),
     .alias = "methods"},
    {"in", 0, "PROGRAM", "only what can be run in scipy, octave, ..", SAL_CLI_TEXT, AT(in)},
    {"strategies", 0, "NAME,..", "strategies that may win (all)", SAL_CLI_TEXT, AT(strategies)},
    {"by", 0, "ERROR",
     "the error that is asked for: max_error, integral_absolute_error or end_error; of an orbit "
     "multiplier_error (the leading one) or period_error (as the sweep says: map.by)",
     SAL_CLI_TEXT, AT(by)},
    {"work", 0, "NAME=W,..",
     "what counts as work: rhs, jacobian, factorisation, solve, in evaluations of f", SAL_CLI_TEXT,
     AT(work)},
    {"f-costs", 0, "TIME",
     "what one evaluation of f takes you, 10ns, 1us, 1ms or 2s: work is a time then, steps "
     "included",
     SAL_CLI_TEXT, AT(f_costs)},
    {"steps", 0, "FILE",
     "with --f-costs: what a step takes, from `saltus calibrate-work` (as measured for this "
     "program)",
     SAL_CLI_TEXT, AT(steps)},
    {"lanes", 0, "1|4|8",
     "with --f-costs: trajectories that advance at once, each of which takes the times (1)",
     SAL_CLI_TEXT, AT(lanes)},
    {"points", 0, "WORD", "points over all cells (global) or in each (per-cell)", SAL_CLI_TEXT,
     AT(points)},
    {"duration", 0, "WORD", "the solution duration of points: work (preset) or time", SAL_CLI_TEXT,
     AT(duration)},
    {.help = NULL}};

/* The number of a word among `names`; `preset` when none was given. */
static sal_err choose_word(const char *where, const char *word, const char *const names[],
                           int preset, int *out)
{
  *out = preset;
  for (int i = 0; word && names[i]; ++i)
    if (strcmp(word, names[i]) == 0) {
      *out = i;
      return SAL_OK;
    }
  return word ? sal_text_unknown(SAL_ERR_USAGE, where, "word", word, names) : SAL_OK;
}

static sal_err choose_work(const sal_cli_performance_words *w, sal_work_weights *out)
{
  static const char *const names[] = {"rhs", "jacobian", "factorisation", "solve", NULL};

  const bool timed =
      w->f_costs != NULL; /* linear algebra is part of the steps then, if not asked for */
  double value[4] = {out->rhs, out->jacobian, timed ? 0 : out->factorisation,
                     timed ? 0 : out->solve};
  if (w->work) SAL_TRY(sal_quantities_parse_plain("--work", "term", names, w->work, value));
  *out = (sal_work_weights){
      .rhs = value[0], .jacobian = value[1], .factorisation = value[2], .solve = value[3]};
  if (out->rhs > 0) return SAL_OK; /* every method evaluates f: no work is 0 then */
  return sal_fail(SAL_ERR_USAGE, "--work: rhs = 0 is not allowed; allowed: greater than 0");
}

/* What a step takes must be known of all that may win. */
static sal_err check_steps(const sal_cli_performance_words *w, const sal_sweep *s,
                           const sal_performance_choice *c)
{
  char lanes[SAL_SPENT_LANES];

  for (int m = 0; m < s->n_method; ++m)
    for (int k = 0; k < s->n_strategy; ++k)
      if (c->method[m] && c->strategy[k] && isnan(sal_step_cost_of(c->time, k, m)))
        return sal_fail(SAL_ERR_USAGE,
                        "%s: what a step of %s with %s%s takes is not measured; leave it out by "
                        "--solvers or --strategies, or measure it (saltus calibrate-work)",
                        w->steps ? w->steps : "--f-costs", s->method[m]->name, s->strategy[k]->name,
                        sal_spent_lanes(c->time, lanes));
  return SAL_OK;
}

static sal_err choose_lanes(const sal_cli_performance_words *w, int *lanes)
{
  static const char *const words[] = {"1", "4", "8", NULL};
  int rank;

  SAL_TRY(choose_word("--lanes", w->lanes, words, 0, &rank));
  *lanes = sal_step_lanes[rank];
  return SAL_OK;
}

static sal_err read_steps(const sal_cli_performance_words *w, const sal_sweep *s, double field,
                          sal_step_cost **out)
{
  SAL_OWN_BY(sal_step_table_free) sal_step_table table = {0};
  int lanes;

  SAL_TRY(choose_lanes(w, &lanes));
  SAL_TRY(sal_step_table_read(w->steps, &table));
  return sal_step_cost_make(&table, s, lanes, field, out);
}

static sal_err choose_price(const sal_cli_performance_words *w, const sal_sweep *s,
                            sal_performance_choice *c)
{
  const sal_error_metric *by = c->by ? c->by : s->map_by;
  double field = 0;

  if (!w->f_costs && (w->steps || w->lanes))
    return sal_fail(SAL_ERR_USAGE, "%s: work is a time with --f-costs alone; say what one f takes",
                    w->steps ? "--steps" : "--lanes");
  if (!w->f_costs) return SAL_OK;
  SAL_TRY(sal_units_read("--f-costs", "the time of one evaluation of f", w->f_costs, "s", &field));
  if (!(field > 0 && field <= SAL_STEP_COST_MOST))
    return sal_fail(SAL_ERR_USAGE,
                    "--f-costs: '%s' is not allowed; allowed: greater than 0, up to %g s",
                    w->f_costs, SAL_STEP_COST_MOST);
  if (by && !by->trajectory)
    return sal_fail(SAL_ERR_USAGE, "--f-costs: cubes have no steps of runs for %s; leave it out",
                    sal_error_metric_name(by));
  SAL_TRY(read_steps(w, s, field, &c->time));
  return check_steps(w, s, c);
}

static sal_err choose(const void *with, const sal_sweep *s, sal_performance_choice *c)
{
  static const char *const durations[] = {"work", "time", NULL};
  const sal_cli_performance_words *w = with;
  const char *scopes[SAL_MAX_WORD + 1] = {NULL};
  const sal_performance_winners winners = {
      .head = "--", .solvers = w->methods, .strategies = w->strategies, .in = w->in, .by = w->by};
  int scope, timed;

  sal_enum_words_gather(SAL_ENUM_POINTS, NULL, scopes);
  SAL_TRY(choose_word("--points", w->points, scopes, (int)c->scope, &scope));
  SAL_TRY(choose_word("--duration", w->duration, durations, c->timed, &timed));
  c->scope = (sal_points_scope)scope;
  c->timed = timed != 0;
  SAL_TRY(sal_performance_winners_choose(&winners, s, c));
  SAL_TRY(choose_price(w, s, c));
  return choose_work(w, &c->weights);
}

sal_performance_chooser sal_cli_performance_chooser(const sal_cli_performance_words *words)
{
  return (sal_performance_chooser){choose, words};
}

sal_err sal_cli_performance_tolerance(const sal_sweep *s, double wanted, int *tolerance)
{
  SAL_OWN_BY(sal_text_free) sal_text list = {0};

  for (*tolerance = 0; *tolerance < s->n_tolerance; ++*tolerance)
    if (fabs(s->tolerance[*tolerance] / wanted - 1) < 1e-9) return SAL_OK;
  for (int t = 0; t < s->n_tolerance; ++t)
    sal_text_add(&list, "%s%g", t ? ", " : "", s->tolerance[t]);
  return sal_fail(SAL_ERR_USAGE, "--rtol: %g is not in this cube; allowed: %s", wanted,
                  list.string ? list.string : "");
}

sal_err sal_cli_performance_error(const char *text, const sal_performance_table *of, double *error)
{
  char room[SAL_UNITS_TEXT], si[SAL_UNITS_TEXT], what[SAL_PERFORMANCE_ERROR_OF];

  if (of && of->measure)
    SAL_TRY(sal_measure_read("--error", sal_performance_error_of(of, what), text, of->measure,
                             sal_performance_error_unit(of, room),
                             sal_units_of_metric(&sal_metrics[of->by->error], &of->measure->si, si),
                             error));
  else if (of)
    SAL_TRY(sal_units_read("--error", sal_performance_error_of(of, what), text,
                           sal_performance_error_unit(of, room), error));
  else
    SAL_TRY(sal_units_read("--error", "an error", text, NULL, error));
  if (!(*error > 0))
    return sal_fail(SAL_ERR_USAGE, "--error: %g is not allowed; allowed: greater than 0", *error);
  return SAL_OK;
}

sal_err sal_cli_performance_errors(const char *list, const sal_performance_table *of, int *n,
                                   double error[])
{
  for (*n = 0; list; ++*n) {
    char word[64];
    const size_t length = strcspn(list, ",");
    if (*n == SAL_MAX_QUESTION)
      return sal_fail(SAL_ERR_USAGE, "--error: more than %d", SAL_MAX_QUESTION);
    snprintf(word, sizeof word, "%.*s", (int)length, list);
    SAL_TRY(sal_cli_performance_error(word, of, &error[*n]));
    for (int i = 0; i < *n; ++i)
      if (error[i] == error[*n]) return sal_fail(SAL_ERR_USAGE, "--error: %s is there twice", word);
    list = list[length] ? list + length + 1 : NULL;
  }
  return SAL_OK;
}
