/** Maps as plain data, and the weights they are asked for. */
#include "map.h"
#include "quantities.h"

#define SAL_REASON_TEXT(id, label, what) {label, what},
const struct sal_reason_text sal_map_reasons[SAL_N_REASON] = {SAL_REASONS(SAL_REASON_TEXT)};
#undef SAL_REASON_TEXT

sal_err sal_map_weights_parse(const char *where, const char *text, sal_weights *out)
{
  static const char *const names[] = {"sd", "dt", "iae", NULL};
  double value[3] = {0, 0, 0};

  SAL_TRY(sal_quantities_parse_plain(where, "weight", names, text, value));
  if (value[0] + value[1] + value[2] <= 0)
    return sal_fail(SAL_ERR_USAGE, "%s: all weights are 0; allowed: at least one above 0", where);
  *out = (sal_weights){value[0], value[1], value[2]};
  return SAL_OK;
}

void sal_map_free(sal_map *map)
{
  sal_free_all(map->by_error, map->by_points, map->answer);
  *map = (sal_map){0};
}
