/** `saltus list solvers`: ours, and those of other libraries. */
#include "base.h"
#include "list_print.h"
#include "providers.h"
#include <ctype.h>

static void say_method(const sal_report *r, const sal_method *m)
{
  sal_report_say(r, "%-8s %s\n         order ", m->name, m->title);
  if (m->min_order < m->order)
    sal_report_say(r, "%d..%d", m->min_order, m->order);
  else
    sal_report_say(r, "%d", m->order);
  if (m->dense_order && m->dense_order != m->order)
    sal_report_say(r, ", %d between steps", m->dense_order);
  sal_report_say(r, ", %s%s%s, %s; %s\n", m->implicit ? "implicit" : "explicit",
                 m->second_order ? ", for y'' = f(t, y, y') alone" : "",
                 m->mass ? ", solves M y' = f" : "",
                 m->engine ? "sets its own steps"
                 : m->w4   ? "lanes 1, 4, 8"
                           : "lanes 1",
                 m->source);
  sal_library_select_say(r, m, NAN, "         ");
}

void sal_list_print_method(sal_report *r, const sal_method *m)
{
  sal_json *j = &r->json;

  sal_json_object(j, NULL);
  sal_json_members(j,
                   "name %s, title %s, source %s, least_order %d, order %d, dense_order %d, "
                   "implicit %i, second_order %i, mass %i, lanes %d",
                   m->name, m->title, m->source, m->min_order < m->order ? m->min_order : m->order,
                   m->order, m->dense_order ? m->dense_order : m->order, m->implicit,
                   m->second_order, m->mass, m->w4 ? 8 : 1);
  sal_library_select_json(j, m, NAN);
  sal_json_end(j);
  say_method(r, m);
}

static void print_method(sal_report *r, int i) { sal_list_print_method(r, sal_method_names_at(i)); }

static void print_missing(sal_report *r)
{
  const sal_provider *l;

  sal_json_array(&r->json, "missing");
  for (int i = 0; (l = sal_providers_library(i)) != NULL; ++i) {
    if (l->methods) continue;
    sal_json_object_of(&r->json, NULL, "library %s, get %s", l->name, l->missing);
    sal_report_say(r, "%s is not in this build: %s\n", l->name, l->missing);
  }
  sal_json_end(&r->json);
}

const sal_list_source sal_list_methods = {
    .words = SAL_ENUM_METHODS, .print = print_method, .print_end = print_missing};

#define PLACE "TOL"

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The lines with a number where the word TOL stands; NULL when memory ran out. */
static char *put_tolerance(const char *lines, double tolerance)
{
  const size_t n = strlen(PLACE);
  sal_text text = {0};

  for (const char *c = lines; *c; ++c) {
    const bool word = !isnan(tolerance) && strncmp(c, PLACE, n) == 0 && !is_letter(c[n]) &&
                      (c == lines || !is_letter(c[-1]));
    if (word)
      sal_text_add(&text, "%g", tolerance);
    else
      sal_text_append(&text, c, 1);
    c += word ? n - 1 : 0;
  }
  return text.length || text.lost ? sal_text_take(&text) : sal_text_copy("");
}

/* The next line of *text, which is cut off; NULL: there is none. */
static char *next_line(char **text)
{
  char *line = *text;

  if (!line || !*line) return NULL;
  *text = strchr(line, '\n');
  if (*text) *(*text)++ = '\0';
  return line;
}

void sal_library_select_say(const sal_report *r, const sal_method *method, double tolerance,
                            const char *indent)
{
  const sal_engine *e = method->engine;

  if (!e) return;
  sal_report_say(r, "%s%s %s: %s\n", indent, e->library, e->version(), e->type);
  char *text = put_tolerance(e->select, tolerance), *rest = text;
  for (const char *line; (line = next_line(&rest)) != NULL;)
    sal_report_say(r, "%s  %s\n", indent, line);
  sal_free(text);
}

void sal_library_select_json(sal_json *json, const sal_method *method, double tolerance)
{
  const sal_engine *e = method->engine;
  char *text = e ? put_tolerance(e->select, tolerance) : NULL, *rest = text;

  sal_json_text(json, "library", e ? e->library : NULL);
  sal_json_text(json, "version", e ? e->version() : NULL);
  sal_json_text(json, "type", e ? e->type : NULL);
  if (e) {
    sal_json_array(json, "select");
    for (const char *line; (line = next_line(&rest)) != NULL;) sal_json_text(json, NULL, line);
    sal_json_end(json);
  } else {
    sal_json_text(json, "select", NULL);
  }
  sal_free(text);
}
