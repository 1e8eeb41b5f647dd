/** @file src/app/cmd_list.c
 *  saltus list: what can be named in a sweep file.
 */
#include "command.h"
#include "list_print.h"
#include <string.h>

typedef struct {
  const char *what, *name;
  bool        json;
} options;

#define AT(member) .offset = offsetof(options, member)

static const sal_cli_option rows[] = {
    {"list", 0, "models|methods|strategies|metrics", "the list", SAL_CLI_ARGUMENT, AT(what),
     .missing = "list what?  models, methods, strategies or metrics"},
    {"name", 0, "NAME", "one entry of it", SAL_CLI_ARGUMENT, AT(name)},
    {"json", 'j', NULL, "print one line of JSON", SAL_CLI_FLAG, AT(json)},
    {.help = NULL}};

static const struct {
  const char            *name;
  const sal_list_source *source;
} lists[] = {{"models", &sal_list_models},
             {"methods", &sal_list_methods},
             {"strategies", &sal_list_strategies},
             {"metrics", &sal_list_metrics}};
enum { N_LIST = sizeof lists / sizeof *lists };

/* Which entries are asked for: all, or the one of that name. */
static sal_err choose_entries(const sal_list_source *list, const char *name, int *first, int *n)
{
  const char *names[SAL_LIST_MOST + 1];
  const int   all = list->count();

  *first = 0;
  *n     = all;
  for (int i = 0; i < all; ++i) {
    names[i] = list->name(i);
    if (!name || strcmp(name, names[i]) != 0) continue;
    *first = i;
    *n     = 1;
    return SAL_OK;
  }
  names[all] = NULL;
  return name ? sal_text_unknown(SAL_ERR_USAGE, "the argument", "name", name, names) : SAL_OK;
}

static sal_err print_list(const sal_list_source *list, const options *o)
{
  int      first, n;
  sal_json json;

  SAL_TRY(choose_entries(list, o->name, &first, &n));
  if (o->json) {
    sal_json_begin(&json, stdout);
    sal_json_array(&json, o->what);
  }
  for (int i = first; i < first + n; ++i) {
    if (o->json)
      list->put(&json, i);
    else
      list->print(stdout, i);
  }
  if (!o->json && !o->name && list->print_end) list->print_end(stdout);
  if (o->json) {
    sal_json_end(&json);
    if (!o->name && list->put_end) list->put_end(&json);
    sal_json_end(&json);
  }
  return SAL_OK;
}

static sal_err run_list(void *given, sal_command_call *call)
{
  const options *o                 = given;
  const char    *names[N_LIST + 1] = {NULL};

  (void)call;
  for (int i = 0; i < N_LIST; ++i) {
    names[i] = lists[i].name;
    if (strcmp(o->what, names[i]) == 0) return print_list(lists[i].source, o);
  }
  return sal_text_unknown(SAL_ERR_USAGE, "the argument", "list", o->what, names);
}

const sal_command sal_cmd_list = {
    .name    = "list",
    .group   = SAL_COMMAND_LOOK,
    .summary = "list models, methods, strategies or metrics, or describe one",
    .description =
        "List what a sweep file may name and what a cube will hold, with sources, presets, units "
        "and ranges; with NAME, only that one.",
    .notes =
        "A method of another library is shown with the library, its version, and the options or "
        "lines of code that select it in a program of one's own; TOL stands for the tolerance.  "
        "Behind the methods stand the libraries that this build lacks, and how to get them.",
    .examples = "  saltus list methods\n"
                "  saltus list models monopod",
    .table    = {{rows, 0}},
    .size     = sizeof(options),
    .run      = run_list};
