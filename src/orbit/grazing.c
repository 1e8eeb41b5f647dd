/** Which contact an orbit grazes, and the times in which a map is not to notice it. */
#include "base.h"
#include "cycle.h"

/* How near contact k is to a grazing, as a share of its range, and where; it is 1 where it is not.  A flight that ends at a
 * rate v has gone v^2 / 2 a beyond the surface that it would have grazed. */
static sal_err look_at(const sal_return_map *map, const sal_cycle *c, const sal_events *log, int k,
                       double *share, sal_clearance *out)
{
  *share = 1;
  SAL_TRY(sal_clearance_find(map, c, log, k, out));
  if (out->contact >= 0) *share = fabs(out->gap) / out->range;
  for (int64_t e = 0; e < log->n && e < log->capacity; ++e) {
    const sal_event *at = &log->event[e];
    if (at->guard != k || !at->closes || !(at->steep * at->steep < *share)) continue;
    *share = at->steep * at->steep;
    *out = (sal_clearance){.gap = 0, .at = at->t, .range = 1, .contact = k};
  }
  return SAL_OK;
}

static bool is_muted(const sal_return_map *map, int k)
{
  bool any = false;

  for (int i = 0; i < map->plain.n_mute; ++i) any |= map->plain.mute[i].contact == k;
  return any;
}

sal_err sal_grazing_find(const sal_return_map *map, const sal_cycle *c, const sal_events *log,
                         double near, sal_clearance *out)
{
  double share;
  sal_clearance one;

  *out = (sal_clearance){.gap = NAN, .contact = -1};
  for (int k = 0; k < sal_model_guards(&map->model, c->param); ++k) {
    if (is_muted(map, k)) continue;
    SAL_TRY(look_at(map, c, log, k, &share, &one));
    if (!(share < near)) continue;
    near = share;
    *out = one;
  }
  return SAL_OK;
}

sal_mute sal_grazing_mute(const sal_clearance *grazed, double period, const sal_events *log)
{
  const double all = INFINITY, tiny = 1e-7 * period;
  double before = all, after = all;

  for (int64_t e = 0; e < log->n && e < log->capacity; ++e) {
    if (log->event[e].guard != grazed->contact) continue;
    const double later = fmod(log->event[e].t - grazed->at + 2 * period, period);
    if (later < tiny || period - later < tiny) continue;
    after = fmin(after, later);
    before = fmin(before, period - later);
  }
  return (sal_mute){.contact = grazed->contact,
                    .from = grazed->at - 0.5 * before,
                    .to = grazed->at + 0.5 * after,
                    .period = period};
}
