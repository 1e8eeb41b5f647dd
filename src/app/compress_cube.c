/** @file src/app/compress_cube.c
 *  A cube made smaller.
 */
#include "compress_cube.h"
#include "clock.h"
#include "cube.h"
#include <stdio.h>

sal_err sal_compress_cube(const char *path, bool talk)
{
  const double began = sal_clock_wall();
  int64_t      before, after;

  SAL_TRY(sal_cube_compress(path, &before, &after));
  if (talk)
    fprintf(stderr, "%s: %.4g MB instead of %.4g MB, 1/%.1f, in %.1f s\n", path,
            1e-6 * (double)after, 1e-6 * (double)before, (double)before / (double)after,
            sal_clock_wall() - began);
  return SAL_OK;
}
