/** `saltus list solvers`: ours, and those of other libraries. */
#include "list_print.h"
#include "providers.h"

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
