/** The configurations that may win, by name. */
#include "base.h"
#include "performance_cube.h"
#include "solver_home.h"

enum { WORD = 64 };

/* Marks the names of a list, or all of them. */
static sal_err mark_names(const sal_performance_winners *w, const char *key, const char *what,
                          const char *list, const char *const names[], bool marked[])
{
  char where[WORD];

  snprintf(where, sizeof where, "%s%s", w->head, key);
  return sal_text_mark(where, what, list, names, marked);
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
  char where[WORD];

  *home = SAL_SOLVER_HOME_OURS;
  if (!w->in) return SAL_OK;
  snprintf(where, sizeof where, "%sin", w->head);
  return sal_solver_home_find(where, w->in, home);
}

static sal_err choose_error(const sal_performance_winners *w, const sal_error_metric **by)
{
  const char *names[SAL_MAX_ERROR_METRIC + 1];
  char where[WORD];

  if (!w->by) return SAL_OK;
  *by = sal_error_metric_named(w->by);
  sal_error_metric_names(names);
  snprintf(where, sizeof where, "%sby", w->head);
  return *by ? SAL_OK : sal_text_unknown(SAL_ERR_USAGE, where, "error", w->by, names);
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
  return sal_performance_work_choose(w, s, c);
}
