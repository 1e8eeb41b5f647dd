/** Long runs of cells as their metrics and rows. */
#include "base.h"
#include "cell_cycle.h"
#include "registry.h"
#include "tile_rows.h"

enum { MOST_ATTEMPTS = 20000 }; /* steps of a return; a run that takes more has lost its way */

struct sal_cell_visits {
  const sal_sweep *sweep;
  sal_return_map *map;
  sal_spectrum_setup setup;
  sal_cell_chain *chain;        /* NULL: cells begin by themselves */
  double *y;                    /* [SAL_TILE_MOST][n_state] */
  bool *closed;                 /* [SAL_TILE_MOST][n_guard] */
  int64_t at[SAL_N_ROW_METRIC]; /* places in a row */
  sal_spectrum cell[SAL_TILE_MOST];
};

static sal_err make_map(sal_cell_visits *v, int width)
{
  const sal_sweep *s = v->sweep;
  const sal_long_run *o = &s->orbit;
  int unknown[SAL_MAX_STATE];
  const int m = sal_return_map_unknowns(s->model, false, unknown);
  const sal_return_setup setup = {.model = s->model,
                                  .method = sal_registry_reference(s->model),
                                  .rtol = o->tolerance,
                                  .atol = o->tolerance,
                                  .t_most = o->longest,
                                  .max_attempts = MOST_ATTEMPTS,
                                  .returns = 1,
                                  .vectors = !o->exponents       ? -1
                                             : o->n_exponent < m ? o->n_exponent
                                                                 : m,
                                  .width = width,
                                  .n_guard = s->n_guard};

  v->setup = (sal_spectrum_setup){.settle = o->settle,
                                  .visits = o->exponents ? o->visits : 0,
                                  .n_exponent = o->exponents ? o->n_exponent : 0,
                                  .kept = o->section ? o->kept : 0,
                                  .n_state = o->section ? o->n_state : 0,
                                  .state = o->state,
                                  .close = o->alike,
                                  .bound = o->bound};
  if (v->setup.visits < v->setup.kept) v->setup.visits = v->setup.kept;
  for (int k = 0; k < SAL_N_ROW_METRIC; ++k)
    v->at[k] = sal_tile_rows_at(s, SAL_METRICS_BEFORE_ROWS + k);
  return sal_return_map_new(&setup, &v->map);
}

sal_err sal_cell_visits_create(const sal_sweep *sweep, int width, sal_cell_visits **out)
{
  sal_cell_visits *v = *out = sal_alloc(1, sizeof *v);

  if (!v) return sal_fail(SAL_ERR_MEMORY, "no memory for the visits of cells");
  v->sweep = sweep;
  SAL_TRY(make_map(v, width));
  if (sweep->orbit.follow != SAL_FOLLOW_NONE)
    SAL_TRY(sal_cell_chain_create(sweep, v->map, &v->setup, &v->chain));
  v->y = sal_alloc((size_t)SAL_TILE_MOST * (size_t)sweep->model->n_state, sizeof *v->y);
  v->closed = sal_alloc((size_t)SAL_TILE_MOST * (size_t)v->map->n_guard, sizeof *v->closed);
  if (v->y && v->closed) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "no memory for the visits of cells");
}

void sal_cell_visits_destroy(sal_cell_visits **visits)
{
  sal_cell_visits *v = *visits;

  if (!v) return;
  sal_cell_chain_destroy(&v->chain);
  sal_return_map_destroy(&v->map);
  sal_free_all(v->y, v->closed, v);
  *visits = NULL;
}

sal_verdict sal_cell_visits_verdict(sal_return_end why)
{
  static const sal_verdict of[SAL_N_RETURN] = {
      [SAL_RETURN_MADE] = SAL_IS_NO_CONVERGENCE,   [SAL_RETURN_LOST] = SAL_IS_NO_RETURN,
      [SAL_RETURN_RESTS] = SAL_IS_EQUILIBRIUM,     [SAL_RETURN_FELL] = SAL_IS_ENDED_RUN,
      [SAL_RETURN_WRONG_MODE] = SAL_IS_FAILED_RUN, [SAL_RETURN_UNBOUNDED] = SAL_IS_UNBOUNDED,
      [SAL_RETURN_FAILED] = SAL_IS_FAILED_RUN,
  };

  return of[why];
}

static void take_cell(const sal_cell_visits *v, const sal_spectrum *c, double value[])
{
  value[SAL_CELL_VISITS_VERDICT] = c->period > 0 ? SAL_IS_CYCLE
                                   : c->still    ? SAL_IS_EQUILIBRIUM
                                                 : sal_cell_visits_verdict(c->why);
  value[SAL_CELL_VISITS] = c->visits;
  value[SAL_CELL_VISITS_TIME] = c->time;
  value[SAL_CELL_VISITS_PERIOD] = c->period > 0 ? c->period : (double)NAN;
  if (v->setup.n_exponent == 0) return;
  value[SAL_CELL_EXPONENT] = c->exponent[0];
  value[SAL_CELL_EXPONENT_ERROR] = c->error[0];
  value[SAL_CELL_EXPONENTS_LOST] = isnan(c->exponent[0]) ? (double)NAN : c->lost;
}

sal_err sal_cell_visits_run(sal_cell_visits *v, int64_t count, const double param[],
                            const double initial[], sal_tile_result *out)
{
  const sal_model *m = v->sweep->model;
  const int n_param = m->n_param + m->n_option;

  assert(count <= SAL_TILE_MOST);
  if (v->chain)
    SAL_TRY(sal_cell_chain_starts(v->chain, out->first, count, v->y));
  else
    memcpy(v->y, initial, (size_t)(count * m->n_state) * sizeof *initial);
  for (int64_t i = 0; i < count; ++i) {
    double *row = out->row + i * out->n_row;
    v->cell[i] = (sal_spectrum){.param = param + i * n_param,
                                .y = v->y + i * m->n_state,
                                .closed = v->closed + i * v->map->n_guard,
                                .exponent = row + v->at[SAL_ROW_EXPONENTS],
                                .error = row + v->at[SAL_ROW_EXPONENT_ERRORS],
                                .kept = row + v->at[SAL_ROW_SECTION]};
  }
  SAL_TRY(sal_spectrum_run(v->map, &v->setup, count, v->cell));
  for (int64_t i = 0; i < count; ++i) take_cell(v, &v->cell[i], out->cell[i].value);
  return SAL_OK;
}
