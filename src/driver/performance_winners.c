/** The configurations that may win, by name, and the work of runs, as a user defines it. */
#include "base.h"
#include "performance_cube.h"
#include "quantities.h"
#include "solver_home.h"

enum { NAME = 64 };

/* The name of a word in messages. */
static const char *name_of(const sal_performance_winners *w, const char *key, char text[NAME])
{
  snprintf(text, NAME, "%s%s", w->head, key);
  return text;
}

static sal_err choose_weights(const sal_performance_winners *w, sal_work_weights *out)
{
  static const char *const names[] = {"rhs", "jacobian", "factorisation", "solve", NULL};
  const bool timed = w->f_costs; /* linear algebra is part of the steps then, if not asked for */
  double value[4] = {out->rhs, out->jacobian, timed ? 0 : out->factorisation,
                     timed ? 0 : out->solve};
  char name[NAME];

  if (w->work)
    SAL_TRY(sal_quantities_parse_plain(name_of(w, "work", name), "term", names, w->work, value));
  out->rhs = value[0];
  out->jacobian = value[1];
  out->factorisation = value[2];
  out->solve = value[3];
  if (out->rhs > 0) return SAL_OK; /* every method evaluates f: no work is 0 then */
  return sal_fail(SAL_ERR_USAGE, "%swork: rhs = 0 is not allowed; allowed: greater than 0",
                  w->head);
}

/* The time of a step must be known for all solvers and strategies that may win. */
static sal_err check_steps(const sal_performance_winners *w, const sal_sweep *s,
                           const sal_performance_choice *c)
{
  char name[NAME], lanes[SAL_STEP_COST_LANES];

  for (int m = 0; m < s->n_method; ++m)
    for (int k = 0; k < s->n_strategy; ++k)
      if (c->method[m] && c->strategy[k] && isnan(sal_step_cost_of(c->time, k, m)))
        return sal_fail(SAL_ERR_USAGE,
                        "%s: what a step of %s with %s%s takes is not measured; leave it out by "
                        "%ssolvers or %sstrategies, or measure it (saltus calibrate-work)",
                        w->steps ? w->steps : name_of(w, "f-costs", name), s->method[m]->name,
                        s->strategy[k]->name, sal_step_cost_lanes(c->time, lanes), w->head,
                        w->head);
  return SAL_OK;
}

static sal_err choose_lanes(const sal_performance_winners *w, int *lanes)
{
  static const char *const words[] = {"1", "4", "8", NULL};
  char name[NAME];

  *lanes = sal_step_lanes[0];
  for (int i = 0; w->lanes && words[i]; ++i)
    if (strcmp(w->lanes, words[i]) == 0) {
      *lanes = sal_step_lanes[i];
      return SAL_OK;
    }
  if (!w->lanes) return SAL_OK;
  return sal_text_unknown(SAL_ERR_USAGE, name_of(w, "lanes", name), "word", w->lanes, words);
}

static sal_err read_steps(const sal_performance_winners *w, const sal_sweep *s, double field,
                          sal_step_cost **out)
{
  SAL_OWN_BY(sal_step_table_free) sal_step_table table = {0};
  int lanes;

  SAL_TRY(choose_lanes(w, &lanes));
  SAL_TRY(sal_step_table_read(w->steps, &table));
  return sal_step_cost_make(&table, s, lanes, field, out);
}

static sal_err choose_time(const sal_performance_winners *w, const sal_sweep *s,
                           sal_performance_choice *c)
{
  const sal_error_metric *by = c->by ? c->by : s->map_by;
  double field = 0;
  char name[NAME];

  if (!w->f_costs && (w->steps || w->lanes))
    return sal_fail(SAL_ERR_USAGE, "%s: work is a time with %sf-costs alone; say what one f takes",
                    name_of(w, w->steps ? "steps" : "lanes", name), w->head);
  if (!w->f_costs) return SAL_OK;
  name_of(w, "f-costs", name);
  SAL_TRY(sal_units_read(name, "the time of one evaluation of f", w->f_costs, "s", &field));
  if (!(field > 0 && field <= SAL_STEP_COST_MOST))
    return sal_fail(SAL_ERR_USAGE, "%s: '%s' is not allowed; allowed: greater than 0, up to %g s",
                    name, w->f_costs, SAL_STEP_COST_MOST);
  if (by && !by->trajectory)
    return sal_fail(SAL_ERR_USAGE, "%s: cubes have no steps of runs for %s; leave it out", name,
                    sal_error_metric_name(by));
  SAL_TRY(read_steps(w, s, field, &c->time));
  return check_steps(w, s, c);
}

/* Marks the names of a list, or all of them. */
static sal_err mark_names(const sal_performance_winners *w, const char *key, const char *what,
                          const char *list, const char *const names[], bool marked[])
{
  char where[NAME];

  return sal_text_mark(name_of(w, key, where), what, list, names, marked);
}

/* Unmarks solvers that cannot be run in the program. */
static sal_err mark_home(const sal_performance_winners *w, int home, const sal_sweep *s,
                         bool method[])
{
  SAL_OWN_BY(sal_text_free) sal_text list = {0};
  int n = 0;

  for (int i = 0; i < s->n_method; ++i) {
    sal_text_add(&list, "%s%s", i ? ", " : "", s->method[i]->name);
    method[i] = method[i] && sal_solver_home_has(home, s->method[i]);
    n += method[i];
  }
  if (n > 0) return SAL_OK;
  return sal_fail(SAL_ERR_USAGE, "%sin %s: none of the solvers that may win is known there: %s",
                  w->head, w->in, list.string ? list.string : "");
}

static sal_err find_home(const sal_performance_winners *w, int *home)
{
  char where[NAME];

  *home = SAL_SOLVER_HOME_OURS;
  if (!w->in) return SAL_OK;
  return sal_solver_home_find(name_of(w, "in", where), w->in, home);
}

static sal_err choose_error(const sal_performance_winners *w, const sal_error_metric **by)
{
  const char *names[SAL_MAX_ERROR_METRIC + 1];
  char where[NAME];

  if (!w->by) return SAL_OK;
  *by = sal_error_metric_named(w->by);
  sal_error_metric_names(names);
  return *by ? SAL_OK
             : sal_text_unknown(SAL_ERR_USAGE, name_of(w, "by", where), "error", w->by, names);
}

sal_err sal_performance_winners_choose(const sal_performance_winners *w, const sal_sweep *s,
                                       sal_performance_choice *c)
{
  const char *names[SAL_MAX_LIST + 1] = {NULL};
  int home;

  SAL_TRY(choose_error(w, &c->by));
  for (int i = 0; i < s->n_method; ++i) names[i] = s->method[i]->name;
  SAL_TRY(mark_names(w, "solvers", "solver of this cube", w->solvers, names, c->method));
  SAL_TRY(find_home(w, &home));
  if (w->in) SAL_TRY(mark_home(w, home, s, c->method));
  memset(names, 0, sizeof names);
  for (int i = 0; i < s->n_strategy; ++i) names[i] = s->strategy[i]->name;
  SAL_TRY(mark_names(w, "strategies", "strategy of this cube", w->strategies, names, c->strategy));
  for (int i = 0; home != SAL_SOLVER_HOME_OURS && !w->strategies && i < s->n_strategy; ++i)
    c->strategy[i] = sal_solver_home_can(home, names[i]);
  SAL_TRY(choose_time(w, s, c));
  return choose_weights(w, &c->weights);
}
