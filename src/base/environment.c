/** Numbers with units from the environment. */
#include "environment.h"
#include "base.h"

typedef struct {
  const char *name;
  double factor;
} unit;

static const unit bytes[] = {{"", 1},         {"B", 1},        {"kB", 1e3},     {"MB", 1e6},
                             {"GB", 1e9},     {"TB", 1e12},    {"KiB", 0x1p10}, {"MiB", 0x1p20},
                             {"GiB", 0x1p30}, {"TiB", 0x1p40}, {NULL, 0}};
static const unit seconds[] = {{"", 1}, {"s", 1}, {"min", 60}, {"h", 3600}, {NULL, 0}};

static const struct {
  const char *name;
  const unit *units;
  double least, most, preset; /* in the first unit */
  const char *allowed;
} table[] = {
    [SAL_ENVIRONMENT_ROWS_MEMORY] = {"SALTUS_ROWS_MEMORY", bytes, 0, 1e15, 1e9,
                                     "bytes from 0 to 1e15, such as 1000000000, 500MB or 2GiB"},
    [SAL_ENVIRONMENT_CC_SECONDS] = {"SALTUS_CC_SECONDS", seconds, 1e-3, 1e6, 60,
                                    "seconds from 0.001 to 1e6, such as 90, 90s or 2min"},
};

/* A decimal number and a unit, with blanks between them or without. */
static bool read_number(const char *text, const unit units[], double *value)
{
  char *end;

  if (text[strspn(text, "+-.")] < '0' || text[strspn(text, "+-.")] > '9') return false;
  *value = strtod(text, &end);
  if (memchr(text, 'x', (size_t)(end - text))) return false;
  end += strspn(end, " ");
  while (units->name && strcmp(units->name, end) != 0) ++units;
  *value *= units->factor;
  return units->name && isfinite(*value);
}

/* false: set to what is not allowed. */
static bool read_variable(sal_environment which, double *value)
{
  const char *text = getenv(table[which].name);
  double read;

  *value = table[which].preset;
  if (!text || !*text) return true;
  if (!read_number(text, table[which].units, &read)) return false;
  if (read < table[which].least || read > table[which].most) return false;
  *value = read;
  return true;
}

sal_err sal_environment_check(void)
{
  const char *cache = getenv("SALTUS_CACHE");
  double value;

  for (int i = 0; i < SAL_N_ENVIRONMENT; ++i)
    if (!read_variable((sal_environment)i, &value))
      return sal_fail(SAL_ERR_USAGE, "%s = '%.80s'; allowed: %s", table[i].name,
                      getenv(table[i].name), table[i].allowed);
  if (cache && *cache && *cache != '/')
    return sal_fail(SAL_ERR_USAGE, "SALTUS_CACHE = '%.200s'; allowed: an absolute path", cache);
  return SAL_OK;
}

double sal_environment_number(sal_environment which)
{
  double value;

  (void)read_variable(which, &value);
  return value;
}
