/** @file src/run/estimate.c
 *  A sample of tiles, in an order that covers the sweep evenly wherever it is broken off.
 */
#include "estimate.h"
#include "clock.h"
#include "memory.h"
#include "metric.h"
#include "tile.h"
#include <math.h>
#include <omp.h>

/* Number k of van der Corput's sequence among n places: 0, 1/2, 1/4, 3/4, 1/8, .. of n. */
static int64_t place(int64_t k, int64_t n)
{
  double share = 0, digit = 0.5;

  for (; k > 0; k >>= 1, digit /= 2) share += (double)(k & 1) * digit;
  return (int64_t)(share * (double)n);
}

/* Timed repeats beyond the one that was run. */
static double repeats(const sal_sweep *sweep, const sal_slab *slab)
{
  const int64_t n   = slab->count * sal_sweep_contenders(sweep);
  double        sum = 0;

  if (sweep->repeats < 2) return 0;
  for (int64_t i = 0; i < n; ++i) /* NaN: left out */
    sum += fmax(slab->record[i].value[SAL_METRIC_SD], 0);
  return sum * (sweep->repeats - 1);
}

/* Runs the tile and adds what its cells cost. */
static sal_err add_tile(const sal_sweep *sweep, sal_tile_space *space, int64_t first, int64_t count,
                        sal_estimate *out)
{
  const sal_tile tile  = {first, count};
  const double   began = sal_clock_cpu();
  sal_slab       slab;

  const sal_err err = sal_tile_run(space, &tile, &slab);
  if (err == SAL_OK) out->cpu_seconds += sal_clock_cpu() - began + repeats(sweep, &slab);
  if (err == SAL_OK) out->cells += count;
  sal_free(slab.cell);
  sal_free(slab.record);
  return err;
}

/* k counts to a power of 2, so that each place comes up at least once; those that have been are
 * told by the k that came before. */
static sal_err run_tiles(const sal_sweep *sweep, sal_tile_space *space, int64_t size,
                         double seconds, sal_estimate *out)
{
  const int64_t n     = (sweep->n_cell + size - 1) / size;
  const double  began = sal_clock_wall();
  int64_t       end   = 1;

  while (end < n) end *= 2;
  for (int64_t k = 1; k <= end; ++k) {
    const int64_t here = place(k % end, n), first = here * size;
    bool          seen = false;
    for (int64_t j = 1; j < k && !seen; ++j) seen = place(j % end, n) == here;
    if (seen) continue;
    if (out->cells > 0 && sal_clock_wall() - began >= seconds) break;
    SAL_TRY(add_tile(sweep, space, first,
                     sweep->n_cell - first < size ? sweep->n_cell - first : size, out));
  }
  return SAL_OK;
}

sal_err sal_estimate_run(const sal_sweep *sweep, int64_t tile, double seconds, sal_estimate *out)
{
  const int       threads = omp_get_max_threads();
  const double    began   = sal_clock_wall();
  const int64_t   width = sal_tile_width(sweep), size = tile < width ? tile : width;
  sal_tile_space *space = NULL;
  sal_sweep       once  = *sweep; /* borrows all it points to */

  *out         = (sal_estimate){0};
  once.repeats = sweep->repeats > 0;
  omp_set_num_threads(1); /* the clock counts this one */
  sal_err err = sal_tile_space_create(&once, size, &space);
  if (err == SAL_OK) err = run_tiles(sweep, space, size, seconds, out);
  sal_tile_space_destroy(&space);
  omp_set_num_threads(threads);
  if (err == SAL_OK) out->cpu_seconds *= (double)sweep->n_cell / (double)out->cells;
  out->run_seconds = sal_clock_wall() - began;
  return err;
}
