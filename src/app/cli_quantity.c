/** Times, rates and sizes on the command line. */
#include "cli_machine.h"
#include "quantities.h"
#include <string.h>

sal_err sal_cli_quantity_time(const char *where, const char *text, void *value)
{
  static const sal_quantity unit_of_time = {
      "time", "time", {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}, NAN, false};

  if (strcmp(text, "0") != 0) return sal_quantities_read(where, &unit_of_time, text, value);
  *(double *)value = 0;
  return SAL_OK;
}

sal_err sal_cli_quantity_rate(const char *where, const char *text, void *value)
{
  static const sal_quantity unit_of_rate = {
      "rate", "rate", {{"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}, {"B/s", 1}}, NAN, false};

  return sal_quantities_read(where, &unit_of_rate, text, value);
}

sal_err sal_cli_quantity_size(const char *where, const char *text, void *value)
{
  static const sal_quantity unit_of_size = {
      "size", "size", {{"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}}, NAN, false};

  return sal_quantities_read(where, &unit_of_size, text, value);
}
