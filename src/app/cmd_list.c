/** @file src/app/cmd_list.c
 *  saltus list: what can be named in a sweep file, from the descriptors.
 */
#include "command.h"
#include "metric.h"
#include "registry.h"
#include "text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void list_physical(const sal_physical *physical)
{
  printf("    from physical quantities: %s\n", physical->source);
  for (int i = 0; i < physical->n_quantity; ++i) {
    const sal_quantity *q = &physical->quantity[i];
    printf("      %-4s %s [%s", q->name, q->what, q->unit[0].name);
    for (int k = 1; q->unit[k].name; ++k) printf(", %s", q->unit[k].name);
    printf(isnan(q->preset) ? "]\n" : "] = %g\n", q->preset);
  }
}

static void list_models(void)
{
  for (const sal_model *const *m = sal_registry_models; *m; ++m) {
    printf("%s  %s\n    source: %s\n", (*m)->name, (*m)->title, (*m)->source);
    if ((*m)->counted_by)
      printf("    contacts: %s", (*m)->param[(*m)->counted_by - 1].name);
    else
      printf("    contacts: %d", (*m)->n_guard);
    printf(" (%s, %s); error is scored on %s\n", (*m)->closes, (*m)->opens,
           (*m)->state[(*m)->watch].name);
    for (int i = 0; i < (*m)->n_param; ++i) {
      const sal_field *f = &(*m)->param[i];
      printf("    %-6s = %-8g %s [%g, %g]\n", f->name, f->preset, f->what, f->lo, f->hi);
    }
    for (int i = 0; i < (*m)->n_option; ++i) {
      const sal_option *o = &(*m)->option[i];
      printf("    %-6s = %s", o->name, o->choice[0]);
      for (int k = 1; k < SAL_MAX_CHOICE && o->choice[k]; ++k) printf(" | %s", o->choice[k]);
      printf("  %s\n", o->what);
    }
    for (int i = 0; i < (*m)->n_state; ++i)
      printf("    %s(0) = %-8g %s\n", (*m)->state[i].name, (*m)->state[i].preset,
             (*m)->state[i].what);
    if ((*m)->physical) list_physical((*m)->physical);
  }
}

static void list_methods(void)
{
  for (const sal_method *const *m = sal_registry_methods; *m; ++m) {
    printf("%-8s %s\n         order ", (*m)->name, (*m)->title);
    if ((*m)->min_order < (*m)->order)
      printf("%d..%d", (*m)->min_order, (*m)->order);
    else
      printf("%d", (*m)->order);
    printf(", %s, %s; %s\n", (*m)->implicit ? "implicit" : "explicit",
           (*m)->w8 ? "lanes 1, 4, 8" : "lanes 1", (*m)->source);
  }
}

static void list_strategies(void)
{
  for (const sal_strategy *const *s = sal_registry_strategies; *s; ++s)
    printf("%-8s %s; %s\n", (*s)->name, (*s)->title, (*s)->source);
}

static void list_metrics(void)
{
  printf("per trajectory:\n");
  for (int i = 0; i < SAL_N_METRIC; ++i)
    printf("  %-32s [%s] %s\n", sal_metrics[i].name, sal_metrics[i].unit, sal_metrics[i].what);
  printf("per cell:\n");
  for (int i = 0; i < SAL_N_CELL_METRIC; ++i)
    printf("  %-32s [%s] %s\n", sal_metrics_of_cell[i].name, sal_metrics_of_cell[i].unit,
           sal_metrics_of_cell[i].what);
}

static const struct {
  const char *name;
  void (*list)(void);
} lists[] = {{"models", list_models},
             {"methods", list_methods},
             {"strategies", list_strategies},
             {"metrics", list_metrics}};
enum { N_LIST = sizeof lists / sizeof *lists };

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  const char **what = state->input;

  switch (key) {
  case ARGP_KEY_ARG:
    if (*what) argp_error(state, "one list at a time");
    *what = arg;
    return 0;
  case ARGP_KEY_END:
    if (!*what) argp_error(state, "list what?  models, methods, strategies or metrics");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {.parser   = parse_option,
                                 .args_doc = "models|methods|strategies|metrics",
                                 .doc =
                                     "List what a sweep file may name and what a cube will hold, "
                                     "with sources, presets, units and ranges."};

sal_err sal_cmd_list(int argc, char *argv[], int *status)
{
  const char *what = NULL, *names[N_LIST + 1] = {NULL};

  *status = 0;
  sal_parse(&argp, argc, argv, &what);
  for (int i = 0; i < N_LIST; ++i) {
    names[i] = lists[i].name;
    if (strcmp(what, lists[i].name) == 0) {
      lists[i].list();
      return SAL_OK;
    }
  }
  return sal_text_unknown(SAL_ERR_USAGE, "the argument", "list", what, names);
}
