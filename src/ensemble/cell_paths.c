/** Cycles on paths from the anchor. */
#include "base.h"
#include "cell_cycle.h"

enum {
  MOST_TRIALS = 100, /* of a path */
  PATH_NEWTON = 8    /* iterations of each; from a simulation there may be more */
};

/* Shares of the way from the anchor to the cell: of the first step, and of the shortest. */
static const double first_step = 0.25, shortest_step = 1.0 / 32;

static sal_verdict verdict_of(sal_cycle_end why)
{
  static const sal_verdict of[SAL_N_CYCLE] = {
      [SAL_CYCLE_FOUND] = SAL_IS_CYCLE,         [SAL_CYCLE_DIVERGES] = SAL_IS_NO_CONVERGENCE,
      [SAL_CYCLE_LOST] = SAL_IS_NO_RETURN,      [SAL_CYCLE_RESTS] = SAL_IS_NO_CONVERGENCE,
      [SAL_CYCLE_FELL] = SAL_IS_ENDED_RUN,      [SAL_CYCLE_WRONG_MODE] = SAL_IS_NO_CONVERGENCE,
      [SAL_CYCLE_UNBOUNDED] = SAL_IS_UNBOUNDED, [SAL_CYCLE_FAILED] = SAL_IS_FAILED_RUN,
      [SAL_CYCLE_GRAZES] = SAL_IS_GRAZES,       [SAL_CYCLE_NO_FLIGHT] = SAL_IS_NO_CONVERGENCE,
  };

  return of[why];
}

/* Parameters a share `at` of the way; whole numbers and options are the cell's all along. */
static void place_on_path(const sal_cell_cycles *c, double at, const double cell[], double out[])
{
  const sal_model *m = c->sweep->model;
  const double *a = c->sweep->orbit.anchor.param;

  for (int i = 0; i < c->n_param; ++i) {
    const bool whole = i >= m->n_param || m->param[i].whole;
    out[i] = whole || at >= 1 ? cell[i] : a[i] + at * (cell[i] - a[i]);
  }
}

static bool begins_off_anchor(const sal_cell_cycles *c, const double cell[])
{
  double at[SAL_MAX_PARAM + SAL_MAX_OPTION];

  place_on_path(c, 0, cell, at);
  for (int i = 0; i < c->n_param; ++i)
    if (at[i] != c->sweep->orbit.anchor.param[i]) return true;
  return false;
}

/* The next trial of a cell: on the line through the last two points. */
static double *place_trial(sal_cell_cycles *c, int64_t i, const double cell[])
{
  const sal_cell_path *p = &c->path[i];
  const int ns = c->n_state;
  const double to = fmin(p->at + p->step, 1);
  const double share = p->before >= 0 && p->at > p->before ? (to - p->at) / (p->at - p->before) : 0;
  double *y = c->y + i * ns, *param = c->param + i * c->n_param;
  const double *last = c->last + i * ns, *earlier = c->earlier + i * ns;

  place_on_path(c, to, cell, param);
  for (int s = 0; s < ns; ++s) y[s] = last[s];
  for (int u = 0; u < c->map[0].n_unknown; ++u) {
    const int s = c->map[0].unknown[u];
    y[s] = last[s] + share * (last[s] - earlier[s]);
  }
  memcpy(c->closed + i * c->n_guard, c->last_closed + i * c->n_guard,
         (size_t)c->n_guard * sizeof *c->closed);
  return param;
}

/* Uses the result of a trial; *arrived: it was in the cell itself. */
static void take_trial(sal_cell_cycles *c, int64_t i, const sal_cycle *t, bool *arrived)
{
  sal_cell_path *p = &c->path[i];
  const int ns = c->n_state;

  *arrived = false;
  if (++p->steps >= MOST_TRIALS) p->under_way = false;
  if (t->why != SAL_CYCLE_FOUND) {
    p->step /= 2;
    if (p->step < shortest_step) p->under_way = false;
    return;
  }
  memcpy(c->earlier + i * ns, c->last + i * ns, (size_t)ns * sizeof *c->last);
  sal_cell_search_copy(c, t->y, t->closed, c->last + i * ns, c->last_closed + i * c->n_guard);
  p->before = p->steps == 1 && p->step == 0 ? -1 : p->at;
  p->at = fmin(p->at + p->step, 1);
  p->step = p->step > 0 ? 2 * p->step : first_step;
  *arrived = p->at >= 1;
  if (*arrived) p->under_way = false;
}

static sal_err follow_paths(sal_cell_cycles *c, int64_t count, const double param[],
                            sal_cell_cycle out[], sal_cycle_end why[])
{
  const int k = c->sweep->orbit.anchor.returns;
  const double *at[SAL_TILE_MOST];
  bool arrived;

  for (;;) {
    int64_t n = 0;
    for (int64_t i = 0; i < count; ++i)
      if (c->path[i].under_way) {
        at[n] = place_trial(c, i, param + i * c->n_param);
        c->index[n++] = i;
      }
    if (n == 0) return SAL_OK;
    SAL_TRY(sal_cell_search_newton(c, k, PATH_NEWTON, n, at));
    for (int64_t j = 0; j < n; ++j) {
      const int64_t i = c->index[j];
      take_trial(c, i, &c->trial[j], &arrived);
      why[i] = c->trial[j].why;
      if (!arrived) continue;
      c->trial[j].param = param + i * c->n_param;
      SAL_TRY(sal_cell_search_take(c, &c->trial[j], k, SAL_LONG_RUN_ANCHOR, &out[i]));
    }
  }
}

sal_err sal_cell_paths_find(sal_cell_cycles *c, int64_t count, const double param[],
                            sal_cell_cycle out[])
{
  sal_cycle_end why[SAL_TILE_MOST] = {SAL_CYCLE_DIVERGES};

  for (int64_t i = 0; i < count; ++i) {
    const bool off = begins_off_anchor(c, param + i * c->n_param);
    c->path[i] =
        (sal_cell_path){.step = off ? 0 : first_step, .before = -1, .under_way = out[i].k == 0};
    sal_cell_search_copy(c, c->anchor_y, c->anchor_closed, c->last + i * c->n_state,
                         c->last_closed + i * c->n_guard);
  }
  SAL_TRY(follow_paths(c, count, param, out, why));
  for (int64_t i = 0; i < count; ++i)
    if (out[i].k == 0 && c->sweep->orbit.n_seed == 1) out[i].verdict = verdict_of(why[i]);
  return SAL_OK;
}
