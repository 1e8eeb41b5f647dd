/** One message, kept until main prints it. */
#include "err.h"
#include "text_characters.h"
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[4096];
static atomic_bool must_abort; /* of the process */

/* Text of a file in a message must not control a terminal. */
static void make_plain(char *text)
{
  for (char *s = text; *s; ++s)
    if (strchr("\t\r", *s)) *s = '?';
  sal_text_clean(text);
}

sal_err sal_fail(sal_err code, const char *format, ...)
{
  if (message[0] == '\0') {
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    make_plain(message);
  }
  return code;
}

void sal_err_add(const char *format, ...)
{
  const size_t length = strlen(message);
  va_list args;

  va_start(args, format);
  vsnprintf(message + length, sizeof message - length, format, args);
  va_end(args);
  make_plain(message + length);
}

void sal_err_keep(sal_err_note *note)
{
  if (!note->text[0])
    snprintf(note->text, sizeof note->text, "%.*s", (int)sizeof note->text - 1, message);
  message[0] = '\0';
}

sal_err sal_err_take(sal_err code, const sal_err_note *note)
{
  return note->text[0] ? sal_fail(code, "%s", note->text) : code;
}

const char *sal_err_message(void) { return message; }

void sal_err_clear(void)
{
  message[0] = '\0';
  must_abort = false;
}

void sal_err_set_abort(void) { must_abort = true; }

bool sal_err_must_abort(void) { return must_abort; }

int sal_err_exit(sal_err code)
{
#define SAL_ERR_STATUS(id, exit, text) [id] = (exit),
  static const int status[] = {SAL_ERRORS(SAL_ERR_STATUS)};
#undef SAL_ERR_STATUS
  return status[code];
}
