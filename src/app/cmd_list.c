/** saltus list: what can be named in a sweep file. */
#include "cli_run.h"
#include "command.h"
#include "list_print.h"
#include <string.h>

typedef struct {
  const char *what, *name;
  bool json;
} options;

#define OPTIONS_OF_list
#include "options.def"

static const struct {
  const char *name;
  const sal_list_source *source;
} lists[] = {{"models", &sal_list_models},
             {"solvers", &sal_list_methods},
             {"strategies", &sal_list_strategies},
             {"metrics", &sal_list_metrics},
             {"grounds", &sal_list_grounds}};
enum { MODELS, SOLVERS, N_LIST = sizeof lists / sizeof *lists };

static int gather(const sal_list_source *list, const char *names[SAL_MAX_WORD + 1])
{
  if (!list->gather) return sal_enum_words_gather(list->words, NULL, names);
  const int n = list->gather(names);
  names[n] = NULL;
  return n;
}

/* Which entries are asked for: all, or the one of that name. */
static sal_err choose_entries(const sal_list_source *list, const char *name, int *first, int *n)
{
  const char *names[SAL_MAX_WORD + 1];

  *first = 0;
  *n = gather(list, names);
  if (!name) return SAL_OK;
  *first = sal_text_rank(name, names);
  *n = 1;
  return *first < 0 ? sal_text_unknown(SAL_ERR_USAGE, "the argument", "name", name, names) : SAL_OK;
}

static sal_err print_list(const sal_list_source *list, const options *o)
{
  int first, n;

  SAL_TRY(choose_entries(list, o->name, &first, &n));
  sal_report r = sal_report_begin(stdout, o->json);
  sal_json_array(&r.json, o->what);
  for (int i = first; i < first + n; ++i) list->print(&r, i);
  sal_json_end(&r.json);
  if (!o->name && list->print_end) list->print_end(&r);
  sal_report_end(&r);
  return SAL_OK;
}

/* The model or the solver that a file describes. */
static sal_err print_file(const options *o)
{
  const bool solver = strcmp(o->what, lists[SOLVERS].name) == 0;
  sal_provided *model = NULL;
  sal_provided *tableau = NULL;

  SAL_TRY(solver ? sal_solver_source_read(o->name, &tableau)
                 : sal_model_source_read(o->name, &model));
  sal_report r = sal_report_begin(stdout, o->json);
  sal_json_array(&r.json, o->what);
  if (solver)
    sal_list_print_method(&r, tableau->method);
  else
    sal_list_print_model(&r, model->model, model->text);
  sal_json_end(&r.json);
  sal_report_end(&r);
  sal_provided_free(model);
  sal_provided_free(tableau);
  return SAL_OK;
}

static void print_names(const options *o)
{
  sal_report r = sal_report_begin(stdout, o->json);
  for (int l = 0; l < N_LIST; ++l) {
    const char *names[SAL_MAX_WORD + 1];
    const int n = gather(lists[l].source, names);
    sal_json_array(&r.json, lists[l].name);
    sal_report_say(&r, "%s:", lists[l].name);
    for (int i = 0; i < n; ++i) {
      sal_json_text(&r.json, NULL, names[i]);
      sal_report_say(&r, "%s%s", i ? ", " : " ", names[i]);
    }
    sal_json_end(&r.json);
    sal_report_say(&r, "\n");
  }
  sal_report_end(&r);
}

/* The list that has an entry of that name; -1: none. */
static int find_entry(const char *name)
{
  const char *names[SAL_MAX_WORD + 1];

  for (int l = 0; l < N_LIST; ++l) {
    gather(lists[l].source, names);
    if (sal_text_rank(name, names) >= 0) return l;
  }
  return -1;
}

/* "list monopod" and "list leg.yaml": the list is derived from the entry. */
static void complete_words(options *o)
{
  const int l = !sal_model_source_is_file(o->what) ? find_entry(o->what)
                : sal_solver_source_is_of(o->what) ? SOLVERS
                                                   : MODELS;

  if (o->name || l < 0) return;
  o->name = o->what;
  o->what = lists[l].name;
}

/* Neither a list nor an entry of one. */
static sal_err fail_unknown(const char *what, const char *const names[])
{
  const sal_err err = sal_text_unknown(SAL_ERR_USAGE, "the argument", "list", what, names);

  for (int l = 0; l < N_LIST && !sal_text_nearest(what, names); ++l) {
    const char *entries[SAL_MAX_WORD + 1];
    gather(lists[l].source, entries);
    const char *meant = sal_text_nearest(what, entries);
    if (!meant) continue;
    sal_err_add("; did you mean '%s'?", meant);
    break;
  }
  return err;
}

static sal_err run_list(void *given, sal_command_call *call)
{
  options *o = given;
  const char *names[N_LIST + 1] = {NULL};

  (void)call;
  if (!o->what) {
    print_names(o);
    return SAL_OK;
  }
  complete_words(o);
  for (int l = MODELS; l <= SOLVERS; ++l)
    if (o->name && strcmp(o->what, lists[l].name) == 0 && sal_model_source_is_file(o->name))
      return print_file(o);
  for (int i = 0; i < N_LIST; ++i) {
    names[i] = lists[i].name;
    if (strcmp(o->what, names[i]) == 0) return print_list(lists[i].source, o);
  }
  return fail_unknown(o->what, names);
}

const sal_command_code sal_cmd_list = {
    .table = {{rows, 0}}, .size = sizeof(options), .run = run_list};
