/** Shooting in a build without PETSc, whose SNES it is by. */
#include "shooting.h"

sal_err sal_shooting_find(const sal_return_map *map, const sal_cycle_setup *setup,
                          sal_shooting_way way, sal_cycle *cell, sal_shooting_report *report)
{
  (void)map, (void)setup, (void)way, (void)cell;
  *report = (sal_shooting_report){.norm = NAN};
  return sal_fail(SAL_ERR_USAGE,
                  "this build has no PETSc, by which shooting is done; --search newton finds "
                  "the same orbits");
}
