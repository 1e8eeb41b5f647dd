/** The return map, iterated. */
#include "seed.h"
#include "base.h"

const char *sal_seed_label(const sal_seed *c)
{
  return c->why != SAL_RETURN_MADE ? sal_return_texts[c->why].label
         : c->returns > 0          ? "periodic"
                                   : "no period";
}

const char *sal_seed_sentence(const sal_seed *c)
{
  return c->why != SAL_RETURN_MADE ? sal_return_texts[c->why].what
         : c->returns > 0          ? "the visits repeat"
                                   : "it visits the section on and on, without a period";
}

/* A visit: how many in a row have been like the one k before?  The least k whose visits have been
 * alike for a period and one more is the period. */
static void take_visit(const sal_return_map *map, const sal_seed_setup *s, sal_seed *c)
{
  const int64_t ns = map->setup.model->n_state;

  for (int k = 1; k <= SAL_SEED_PERIODS; ++k) {
    const bool known = c->n_visit >= k;
    double *past = c->memory + (c->n_visit + SAL_SEED_PERIODS - k) % SAL_SEED_PERIODS * ns;
    c->alike[k - 1] =
        known && sal_return_map_alike(map, s->close, c->y, past) ? c->alike[k - 1] + 1 : 0;
    if (c->returns == 0 && c->alike[k - 1] > k) c->returns = k;
  }
  memcpy(c->memory + c->n_visit % SAL_SEED_PERIODS * ns, c->y, (size_t)ns * sizeof *c->y);
  ++c->n_visit;
  if (sal_return_map_unbounded(map, s->bound, c->y)) c->why = SAL_RETURN_UNBOUNDED;
}

static void take_return(const sal_return_map *map, const sal_seed_setup *s, const sal_return *p,
                        sal_seed *c)
{
  c->time += p->time;
  /* flights that have become too short for the method are infinitely many, too */
  c->why = p->still || (c->brief > 0 && p->why == SAL_RETURN_FAILED) ? SAL_RETURN_RESTS : p->why;
  if (p->why != SAL_RETURN_MADE) return;
  c->started = true;
  take_visit(map, s, c);
  if (sal_return_map_stalls(map, p->time, &c->brief)) c->why = SAL_RETURN_RESTS;
  if (c->brief > 0 || c->why != SAL_RETURN_MADE) c->returns = 0;
}

bool sal_seed_goes_on(const sal_seed *c) { return c->why == SAL_RETURN_MADE && c->returns == 0; }

/* One more visit in all cells that go on; returns their number. */
static int64_t visit(const sal_return_map *map, const sal_seed_setup *s, int64_t n, sal_seed cell[],
                     sal_return point[], sal_err *err)
{
  int64_t live = 0;

  for (int64_t i = 0; i < n; ++i) {
    sal_seed *c = &cell[i];
    if (!sal_seed_goes_on(c)) continue;
    point[live++] = (sal_return){.param = c->param,
                                 .start = c->y,
                                 .closed = c->started ? c->closed : NULL,
                                 .end = c->y,
                                 .end_closed = c->closed};
  }
  *err = sal_return_map_run(map, live, point);
  for (int64_t i = 0, p = 0; i < n && *err == SAL_OK; ++i)
    if (sal_seed_goes_on(&cell[i])) take_return(map, s, &point[p++], &cell[i]);
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
    cell[i].why = SAL_RETURN_MADE;
    cell[i].returns = 0;
    memset(cell[i].alike, 0, sizeof cell[i].alike);
    cell[i].brief = 0;
  }
  for (int v = 0; v < s.max_visits && err == SAL_OK; ++v)
    if (visit(map, &s, n, cell, point, &err) == 0) break;
  return err;
}
