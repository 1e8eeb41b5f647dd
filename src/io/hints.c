/** From "striping_factor=16,cb_nodes=8" to an MPI_Info. */
#include "hints.h"
#include "base.h"
#include "collective_error.h"

static const char variable[] = "SALTUS_HINTS";

/* The hints that hold: those given, else those of the environment; NULL: none. */
static const char *text_that_holds(const char *given)
{
  const char *text = given ? given : getenv(variable);

  return text && *text ? text : NULL;
}

/* One hint in front of a text; *rest is after it, NULL at the end. */
static sal_err next_hint(const char *where, const char *text, char key[MPI_MAX_INFO_KEY],
                         char value[MPI_MAX_INFO_VAL], const char **rest)
{
  const size_t n = strcspn(text, ","), k = strcspn(text, "=,"), v = n - k - (text[k] == '=');

  if (text[k] != '=' || k == 0 || v == 0 || memchr(text + k + 1, '=', v))
    return sal_fail(SAL_ERR_USAGE,
                    "%s: '%.*s': expected KEY=VALUE, such as striping_factor=16,cb_nodes=8", where,
                    (int)n, text);
  if (k >= MPI_MAX_INFO_KEY || v >= MPI_MAX_INFO_VAL)
    return sal_fail(SAL_ERR_USAGE, "%s: '%.*s...' is longer than MPI takes", where, 40, text);
  memcpy(key, text, k);
  memcpy(value, text + k + 1, v);
  key[k] = value[v] = '\0';
  *rest = text[n] ? text + n + 1 : NULL;
  return SAL_OK;
}

sal_err sal_hints_check(const char *where, const char *text)
{
  char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];

  while (text) SAL_TRY(next_hint(where, text, key, value, &text));
  return SAL_OK;
}

sal_err sal_hints_check_environment(void)
{
  return sal_hints_check(variable, text_that_holds(NULL));
}

sal_err sal_hints_make(const char *given, MPI_Info *info)
{
  const char *text = text_that_holds(given), *where = given ? "hints" : variable;
  char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];

  *info = MPI_INFO_NULL;
  if (!text) return SAL_OK;
  SAL_TRY(sal_hints_check(where, text));
  SAL_TRY_MPI(MPI_Info_create(info));
  while (text) {
    SAL_TRY(next_hint(where, text, key, value, &text));
    SAL_TRY_MPI(MPI_Info_set(*info, key, value));
  }
  return SAL_OK;
}

void sal_hints_free(MPI_Info *info)
{
  if (*info != MPI_INFO_NULL) MPI_Info_free(info);
}
