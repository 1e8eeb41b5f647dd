/** From the text of a measure to its parts. */
#include "measure_text.h"
#include "base.h"
#include <ctype.h>
#include <stdarg.h>

static const sal_measure_function functions[] = {
    [SAL_MEASURED_MAX] = {"max", true, false, false, "max(EXPRESSION)"},
    [SAL_MEASURED_MIN] = {"min", true, false, false, "min(EXPRESSION)"},
    [SAL_MEASURED_MEAN] = {"mean", true, false, false, "mean(EXPRESSION)"},
    [SAL_MEASURED_RMS] = {"rms", true, false, false, "rms(EXPRESSION)"},
    [SAL_MEASURED_VALUE] = {"value", true, false, true, "value(EXPRESSION, TIME)"},
    [SAL_MEASURED_COUNT] = {"count", false, true, false, "count(CONTACT)"},
    [SAL_MEASURED_RATE] = {"rate", false, true, false, "rate(CONTACT)"},
    [SAL_MEASURED_LOSS] = {"loss", true, true, false, "loss(EXPRESSION, CONTACT)"},
    [SAL_MEASURED_LAST] = {"last", true, true, true, "last(EXPRESSION, CONTACT, HOW MANY)"},
};
enum { N_FUNCTION = sizeof functions / sizeof *functions };

static void copy_part(const char *from, const char *to, size_t size, char out[])
{
  while (from < to && isspace((unsigned char)*from)) ++from;
  while (to > from && isspace((unsigned char)to[-1])) --to;
  snprintf(out, size, "%.*s", (int)(to - from), from);
}

/* The arguments after the bracket; returns what follows its end, NULL: it has none, or there are too many. */
static const char *split_arguments(const char *at, sal_measure_text *c)
{
  const char *begin = at;
  int depth = 0;

  for (; *at && !(depth == 0 && *at == ')'); ++at) {
    depth += (*at == '(') - (*at == ')');
    if (depth || *at != ',') continue;
    if (c->n == SAL_MEASURE_ARGUMENTS - 1) return NULL;
    copy_part(begin, at, SAL_MEASURE_BYTES, c->argument[c->n++]);
    begin = at + 1;
  }
  if (!*at) return NULL;
  copy_part(begin, at, SAL_MEASURE_BYTES, c->argument[c->n++]);
  return at + 1;
}

/* from TIME, in UNIT */
static bool split_tail(const char *at, sal_measure_text *c)
{
  at += strspn(at, " ");
  if (strncmp(at, "from ", 5) == 0) {
    const char *end = strstr(at, " in ");
    if (!end) end = at + strlen(at);
    copy_part(at + 5, end, sizeof c->from, c->from);
    at = end + strspn(end, " ");
  }
  if (strncmp(at, "in ", 3) == 0) {
    copy_part(at + 3, at + strlen(at), sizeof c->unit, c->unit);
    at += strlen(at);
  }
  return *at == '\0';
}

const char *sal_measure_text_place(const sal_measure_text *c, char place[SAL_MEASURE_PLACE])
{
  snprintf(place, SAL_MEASURE_PLACE, "%.300s: measure %.60s", c->where, c->name);
  return place;
}

sal_err sal_measure_text_fail(const sal_measure_text *c, const char *format, ...)
{
  char text[512], place[SAL_MEASURE_PLACE];
  va_list list;

  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return sal_fail(SAL_ERR_INPUT, "%s: %s", sal_measure_text_place(c, place), text);
}

sal_err sal_measure_text_split(const sal_measured_text *given, sal_measure_text *c)
{
  const size_t n = strcspn(given->text, "(");
  char name[SAL_MEASURE_KEY], place[SAL_MEASURE_PLACE];
  const char *names[N_FUNCTION + 1] = {NULL}, *rest = NULL;

  *c = (sal_measure_text){.where = given->where, .name = given->name};
  copy_part(given->text, given->text + n, sizeof name, name);
  for (int i = 0; i < N_FUNCTION; ++i) names[i] = functions[i].name;
  const int rank = sal_text_rank(name, names);
  if (rank < 0)
    return sal_text_unknown(SAL_ERR_INPUT, sal_measure_text_place(c, place), "function", name,
                            names);
  c->kind = (sal_measured_kind)rank;
  c->function = &functions[rank];
  if (given->text[n]) rest = split_arguments(given->text + n + 1, c);
  const int wanted = c->function->expression + c->function->contact + c->function->number;
  if (rest && c->n == wanted && split_tail(rest, c)) return SAL_OK;
  return sal_measure_text_fail(c, "'%.200s'; allowed: %s [from TIME] [in UNIT]", given->text,
                               c->function->form);
}
