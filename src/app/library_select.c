/** Lines of code or options, as the engine has them. */
#include "base.h"
#include "list_print.h"
#include <ctype.h>

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
