/** Commas, quotes and numbers of a JSON text (RFC 8259). */
#include "base.h"
#include "report.h"
#include <ctype.h>
#include <stdarg.h>

static void put_string(FILE *out, const char *string)
{
  fputc('"', out);
  for (const char *s = string; *s;) {
    const int n = sal_text_character(s);
    if (n == 0)
      fputs("\\ufffd", out);
    else if (*s == '"' || *s == '\\')
      fprintf(out, "\\%c", *s);
    else if (iscntrl((unsigned char)*s))
      fprintf(out, "\\u%04x", (unsigned)*s);
    else
      fwrite(s, 1, (size_t)n, out);
    s += n ? n : 1;
  }
  fputc('"', out);
}

/* Writes the text before a value: the comma, and the name in an object. */
static void put_name(sal_json *j, const char *name)
{
  if (j->depth == 0) return;
  if (j->more[j->depth - 1]) fputs(", ", j->out);
  j->more[j->depth - 1] = true;
  assert((name != NULL) == (j->closer[j->depth - 1] == '}'));
  if (!name) return;
  put_string(j->out, name);
  fputs(": ", j->out);
}

static void open_level(sal_json *j, const char *name, char opener, char closer)
{
  if (!j->out) return;
  assert(j->depth < SAL_JSON_DEPTH);
  put_name(j, name);
  fputc(opener, j->out);
  j->closer[j->depth] = closer;
  j->more[j->depth] = false;
  ++j->depth;
}

void sal_json_begin(sal_json *j, FILE *out)
{
  *j = (sal_json){.out = out};
  sal_json_object(j, NULL);
}

void sal_json_object(sal_json *j, const char *name) { open_level(j, name, '{', '}'); }

void sal_json_array(sal_json *j, const char *name) { open_level(j, name, '[', ']'); }

void sal_json_end(sal_json *j)
{
  if (!j->out) return;
  assert(j->depth > 0);
  fputc(j->closer[--j->depth], j->out);
  if (j->depth == 0) fputc('\n', j->out);
}

const char *sal_json_shortest(double value, char text[SAL_JSON_NUMBER])
{
  return isfinite(value) ? sal_text_number(value, text) : "null";
}

void sal_json_number(sal_json *j, const char *name, double value)
{
  char text[SAL_JSON_NUMBER];

  if (!j->out) return;
  put_name(j, name);
  fputs(sal_json_shortest(value, text), j->out);
}

void sal_json_whole(sal_json *j, const char *name, int64_t value)
{
  if (!j->out) return;
  put_name(j, name);
  fprintf(j->out, "%lld", (long long)value);
}

void sal_json_bool(sal_json *j, const char *name, bool value)
{
  if (!j->out) return;
  put_name(j, name);
  fputs(value ? "true" : "false", j->out);
}

void sal_json_text(sal_json *j, const char *name, const char *value)
{
  if (!j->out) return;
  put_name(j, name);
  if (value)
    put_string(j->out, value);
  else
    fputs("null", j->out);
}

/* The member whose name and conversion begin at `at`, by the next argument. */
static void put_member(sal_json *j, const char *at, va_list *values)
{
  const char *kind = at + strcspn(at, " ") + 2;
  char name[64];

  snprintf(name, sizeof name, "%.*s", (int)(kind - 2 - at), at);
  if (*kind == 's')
    sal_json_text(j, name, va_arg(*values, const char *));
  else if (*kind == 'g')
    sal_json_number(j, name, va_arg(*values, double));
  else if (*kind == 'i')
    sal_json_bool(j, name, va_arg(*values, int) != 0);
  else if (*kind == 'd')
    sal_json_whole(j, name, va_arg(*values, int));
  else
    sal_json_whole(j, name, va_arg(*values, int64_t));
}

static void put_members(sal_json *j, const char *format, va_list *values)
{
  for (const char *at = format; j->out && *at; at += strspn(at, ", ")) {
    put_member(j, at, values);
    at += strcspn(at, ",");
  }
}

void sal_json_members(sal_json *j, const char *format, ...)
{
  va_list values;

  va_start(values, format);
  put_members(j, format, &values);
  va_end(values);
}

void sal_json_object_of(sal_json *j, const char *name, const char *format, ...)
{
  va_list values;

  va_start(values, format);
  sal_json_object(j, name);
  put_members(j, format, &values);
  sal_json_end(j);
  va_end(values);
}
