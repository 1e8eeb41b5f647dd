/** Orbits of a driven model that are their own mirror image half a period later, as those of a mass between two stops. */
#include "base.h"
#include "family.h"
#include "trace.h"

enum { HALF = 61, ALL = 2 * HALF }; /* points of the mesh in half a period */

/* Whether state i is the same half a period later, +1, or mirrored, -1, all along; 0: neither. */
static int sense_of(const double state[], int n, int i)
{
  double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY}, low = INFINITY,
         high = -INFINITY;

  for (int j = 0; j < HALF; ++j) {
    const double a = state[j * n + i], b = state[(j + HALF) * n + i];
    const double by[2] = {b - a, b + a};
    for (int s = 0; s < 2; ++s) {
      least[s] = fmin(least[s], by[s]);
      most[s] = fmax(most[s], by[s]);
    }
    low = fmin(low, fmin(a, b));
    high = fmax(high, fmax(a, b));
  }
  const double small = 1e-6 * (high - low);
  return most[1] - least[1] <= small ? -1 : fmax(fabs(most[0]), fabs(least[0])) <= small ? 1 : 0;
}

/* The path of a point over the map's period. */
static sal_err follow(const sal_cycle_family *f, const sal_family_start *at, double state[])
{
  const sal_return_map *map = &f->map;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];

  memcpy(param, f->param, sizeof param);
  memcpy(y, f->state, sizeof y);
  for (int i = 0; i < f->n_free; ++i) param[f->free_param[i]] = at->lambda[i];
  for (int j = 0; j < map->n_unknown; ++j) y[map->unknown[j]] = at->x[j];
  sal_return_map_begin(map, param, y, closed, NULL);
  const sal_cycle cell = {.param = param, .y = y, .closed = closed};
  const double period = map->model.section.period(map->model.inner, param) * map->setup.returns;
  return sal_orbit_path_sample(map, &cell, period, ALL, state, NULL);
}

sal_err sal_mirror_breaks(void *context, const sal_family_start *at, const double along[],
                          bool *breaks)
{
  const sal_cycle_family *f = context;
  const sal_return_map *map = &f->map;
  const int n = map->model.n_state;
  SAL_OWN double *state = sal_alloc(2 * (ALL + (size_t)1) * (size_t)n, sizeof *state);
  double x[SAL_MAX_STATE], sum = 0, rest = 0;
  bool mirrored = false;

  *breaks = false;
  if (!state) return sal_fail(SAL_ERR_MEMORY, "no memory for the mirror image of an orbit");
  if (!map->model.section.period) return SAL_OK;
  double *const moved = state + (ALL + (size_t)1) * (size_t)n;
  for (int j = 0; j < map->n_unknown; ++j) x[j] = at->x[j] + 1e-5 * along[j];
  SAL_TRY(follow(f, at, state));
  SAL_TRY(follow(f, &(sal_family_start){.x = x, .lambda = {at->lambda[0], at->lambda[1]}}, moved));
  for (int j = 0; j < map->n_unknown; ++j) {
    const int i = map->unknown[j], sense = sense_of(state, n, i);
    const double now = moved[i] - state[i], later = moved[HALF * n + i] - state[HALF * n + i];
    if (sense == 0) return SAL_OK;
    mirrored |= sense < 0;
    sum += fabs(later - sense * now);
    rest += fabs(later + sense * now);
  }
  *breaks = mirrored && rest < 1e-2 * sum;
  return SAL_OK;
}
