/** @file src/base/err.c
 *  One message, kept until main prints it.
 */
#include "err.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char message[4096];
static bool must_abort;

sal_err sal_fail(sal_err code, const char *format, ...)
{
  if (message[0] == '\0') {
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
  }
  return code;
}

void sal_err_add(const char *format, ...)
{
  const size_t length = strlen(message);
  va_list      args;

  va_start(args, format);
  vsnprintf(message + length, sizeof message - length, format, args);
  va_end(args);
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
  static const int status[]                 = {SAL_ERRORS(SAL_ERR_STATUS)};
#undef SAL_ERR_STATUS
  return status[code];
}
