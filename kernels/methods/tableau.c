/** Tableaus as data, for those who write them out. */
#include "tableau.h"
#include <string.h>

const sal_tableau *sal_tableau_of(const sal_method *method)
{
#define ROW(name) {#name, &sal_tableau_##name},
  static const struct {
    const char *name;
    const sal_tableau *tableau;
  } rows[] = {SAL_TABLEAUS(ROW)};
#undef ROW

  if (method->w1 == &sal_given_pair_w1) return method->inner;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(rows[i].name, method->name) == 0) return rows[i].tableau;
  return NULL;
}
