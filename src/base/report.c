/** Facts to people or to programs. */
#include "report.h"
#include "text_characters.h"
#include <stdarg.h>
#include <stdlib.h>

sal_report sal_report_begin(FILE *out, bool json)
{
  sal_report r = {.text = json ? NULL : out};

  sal_json_begin(&r.json, json ? out : NULL);
  return r;
}

void sal_report_end(sal_report *r) { sal_json_end(&r->json); }

/* Lines of ours with words of files in them. */
static void put(const sal_report *r, const char *format, va_list args)
{
  char *text;

  if (vasprintf(&text, format, args) < 0) return;
  sal_text_clean(text);
  fputs(text, r->text);
  free(text);
}

void sal_report_say(const sal_report *r, const char *format, ...)
{
  va_list args;

  if (!r->text) return;
  va_start(args, format);
  put(r, format, args);
  va_end(args);
}

void sal_report_line(const sal_report *r, int width, const char *label, const char *format, ...)
{
  va_list args;

  if (!r->text) return;
  fprintf(r->text, "  %-*s ", width, label);
  va_start(args, format);
  put(r, format, args);
  va_end(args);
  fputc('\n', r->text);
}

void sal_report_section(sal_report *r, const char *name, const char *heading)
{
  sal_json_object(&r->json, name);
  sal_report_say(r, "\n%s\n", heading);
}
