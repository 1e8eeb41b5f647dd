/** The return map, iterated. */
#include "seed.h"
#include "memory.h"
#include <math.h>
#include <string.h>

#define SAL_SEED_TEXT(id, label, what) {label, what},
const struct sal_seed_text sal_seed_texts[SAL_N_SEED] = {SAL_SEEDS(SAL_SEED_TEXT)};
#undef SAL_SEED_TEXT

/* A return in less than this, over the model's span, takes no time.  So many in a row are infinitely many, none
 * of which brings the contact to rest; a few are events of one instant. */
#define SHORTEST 1e-9
enum { IN_A_ROW = 3 };

static sal_seed_end end_of(sal_return_end why)
{
  static const sal_seed_end of[SAL_N_RETURN] = {
      [SAL_RETURN_MADE] = SAL_SEED_GOES_ON,      [SAL_RETURN_LOST] = SAL_SEED_LOST,
      [SAL_RETURN_RESTS] = SAL_SEED_RESTS,       [SAL_RETURN_FELL] = SAL_SEED_FELL,
      [SAL_RETURN_WRONG_MODE] = SAL_SEED_FAILED, [SAL_RETURN_UNBOUNDED] = SAL_SEED_UNBOUNDED,
      [SAL_RETURN_FAILED] = SAL_SEED_FAILED,
  };
  return of[why];
}

static bool are_alike(const sal_return_map *map, double close, const double y[],
                      const double before[])
{
  for (int j = 0; j < map->n_unknown; ++j) {
    const int i = map->unknown[j];
    if (!(fabs(y[i] - before[i]) <= close * sal_return_map_size(map, y, j))) return false;
  }
  return true;
}

static bool is_unbounded(const sal_return_map *map, double bound, const double y[])
{
  for (int j = 0; j < map->n_unknown; ++j)
    if (!(fabs(y[map->unknown[j]]) <= bound)) return true;
  return false;
}

/* A visit: how many in a row have been like the one k before?  The least k whose visits have been
 * alike for a period and one more is the period. */
static void take_visit(const sal_return_map *map, const sal_seed_setup *s, sal_seed *c)
{
  const int64_t ns = map->setup.model->n_state;

  for (int k = 1; k <= SAL_SEED_PERIODS; ++k) {
    const bool known = c->n_visit >= k;
    double *past = c->memory + (c->n_visit + SAL_SEED_PERIODS - k) % SAL_SEED_PERIODS * ns;
    c->alike[k - 1] = known && are_alike(map, s->close, c->y, past) ? c->alike[k - 1] + 1 : 0;
    if (c->why == SAL_SEED_GOES_ON && c->alike[k - 1] > k) {
      c->why = SAL_SEED_REPEATS;
      c->returns = k;
    }
  }
  memcpy(c->memory + c->n_visit % SAL_SEED_PERIODS * ns, c->y, (size_t)ns * sizeof *c->y);
  ++c->n_visit;
  if (is_unbounded(map, s->bound, c->y)) c->why = SAL_SEED_UNBOUNDED;
}

static void take_return(const sal_return_map *map, const sal_seed_setup *s, const sal_return *p,
                        sal_seed *c)
{
  c->time += p->time;
  /* flights that have become too short for the method are infinitely many, too */
  c->why =
      p->still || (c->brief > 0 && p->why == SAL_RETURN_FAILED) ? SAL_SEED_RESTS : end_of(p->why);
  if (p->why != SAL_RETURN_MADE) return;
  c->started = true;
  take_visit(map, s, c);
  c->brief = p->time <= SHORTEST * map->model.span ? c->brief + 1 : 0;
  if (c->brief > 0 && c->why == SAL_SEED_REPEATS) c->why = SAL_SEED_GOES_ON;
  if (c->brief >= IN_A_ROW) c->why = SAL_SEED_RESTS;
}

/* One more visit in all cells that go on; returns their number. */
static int64_t visit(const sal_return_map *map, const sal_seed_setup *s, int64_t n, sal_seed cell[],
                     sal_return point[], sal_err *err)
{
  int64_t live = 0;

  for (int64_t i = 0; i < n; ++i) {
    sal_seed *c = &cell[i];
    if (c->why != SAL_SEED_GOES_ON) continue;
    point[live++] = (sal_return){.param = c->param,
                                 .start = c->y,
                                 .closed = c->started ? c->closed : NULL,
                                 .end = c->y,
                                 .end_closed = c->closed};
  }
  *err = sal_return_map_run(map, live, point);
  for (int64_t i = 0, p = 0; i < n && *err == SAL_OK; ++i)
    if (cell[i].why == SAL_SEED_GOES_ON) take_return(map, s, &point[p++], &cell[i]);
  return live;
}

sal_err sal_seed_find(const sal_return_map *map, const sal_seed_setup *setup, int64_t n,
                      sal_seed cell[])
{
  sal_seed_setup s = *setup;
  SAL_OWN sal_return *point = sal_alloc((size_t)n, sizeof *point);
  sal_err err = SAL_OK;

  if (!point) return sal_fail(SAL_ERR_MEMORY, "no memory for %lld seeds", (long long)n);
  if (s.max_visits <= 0) s.max_visits = 200;
  if (s.close <= 0) s.close = 1e-4;
  if (s.bound <= 0) s.bound = 1e6;
  for (int64_t i = 0; i < n; ++i) {
    cell[i].why = SAL_SEED_GOES_ON;
    memset(cell[i].alike, 0, sizeof cell[i].alike);
    cell[i].brief = 0;
  }
  for (int v = 0; v < s.max_visits && err == SAL_OK; ++v)
    if (visit(map, &s, n, cell, point, &err) == 0) break;
  return err;
}
