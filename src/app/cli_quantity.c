/** Times, rates and sizes on the command line. */
#include "cli_machine.h"
#include "quantities.h"
#include <string.h>

enum { MAX_WORD = 64 };

static sal_err parse_quantity(const char *where, const sal_quantity *quantity, const char *text,
                              double *value)
{
  char item[MAX_WORD];

  snprintf(item, sizeof item, "%s=%s", quantity->name, text);
  return sal_quantities_parse(where, 1, quantity, item, value);
}

sal_err sal_cli_quantity_time(const char *where, const char *text, void *value)
{
  static const sal_quantity unit_of_time = {
      "time", "time", {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}, NAN, false};

  if (strcmp(text, "0") != 0) return parse_quantity(where, &unit_of_time, text, value);
  *(double *)value = 0;
  return SAL_OK;
}

sal_err sal_cli_quantity_rate(const char *where, const char *text, void *value)
{
  static const sal_quantity unit_of_rate = {
      "rate", "rate", {{"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}, {"B/s", 1}}, NAN, false};

  return parse_quantity(where, &unit_of_rate, text, value);
}

sal_err sal_cli_quantity_size(const char *where, const char *text, void *value)
{
  static const sal_quantity unit_of_size = {
      "size", "size", {{"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}}, NAN, false};

  return parse_quantity(where, &unit_of_size, text, value);
}
