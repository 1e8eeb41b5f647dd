/** Words and measures of periodic orbits. */
#include "cycle.h"

#define SAL_CYCLE_TEXT(id, label, what) {label, what},
const struct sal_cycle_text sal_cycle_texts[SAL_N_CYCLE] = {SAL_CYCLES(SAL_CYCLE_TEXT)};
#undef SAL_CYCLE_TEXT

sal_cycle_end sal_cycle_of_return(sal_return_end why)
{
  static const sal_cycle_end of[SAL_N_RETURN] = {
      [SAL_RETURN_MADE] = SAL_CYCLE_FOUND,
      [SAL_RETURN_LOST] = SAL_CYCLE_LOST,
      [SAL_RETURN_RESTS] = SAL_CYCLE_RESTS,
      [SAL_RETURN_FELL] = SAL_CYCLE_FELL,
      [SAL_RETURN_WRONG_MODE] = SAL_CYCLE_WRONG_MODE,
      [SAL_RETURN_UNBOUNDED] = SAL_CYCLE_UNBOUNDED,
      [SAL_RETURN_FAILED] = SAL_CYCLE_FAILED,
  };
  return of[why];
}

int sal_cycle_add_normals(const sal_return_map *map, const sal_cycle_setup *s, const sal_cycle *c,
                          const double y[], int n, double row[])
{
  static _Thread_local double full[SAL_MAX_DENSE * SAL_MAX_DENSE];
  const int m = map->n_unknown, ns = map->setup.model->n_state;
  const int more = s->normals ? s->normals(c->param, c->closed, y, full) : 0;

  for (int r = 0; r < more && n < SAL_MAX_DENSE; ++r, ++n)
    for (int j = 0; j < m; ++j) row[n * m + j] = full[r * ns + map->unknown[j]];
  return n;
}

bool sal_cycle_leaps(const sal_events *log, int64_t e)
{
  const sal_event *at = &log->event[e];

  if (at->t > (e > 0 ? log->event[e - 1].t : 0)) return false;
  return !(fabs(at->gap) <= 1e-6 * (1 + fabs(at->rate)));
}

double sal_cycle_residual(const sal_return_map *map, const double start[], const double end[])
{
  double most = 0;

  for (int j = 0; j < map->n_unknown; ++j) {
    const int i = map->unknown[j];
    const double off = fabs(end[i] - start[i]) / sal_return_map_size(map, start, j);
    if (!(off <= most)) most = off;
  }
  return most;
}
