/** Where cells begin that follow each other along the last axis (orbit.continue). */
#include "base.h"
#include "cell_cycle.h"

enum { LINES = 2 }; /* kept, at least: a call may have parts of two */

/* A line of cells is all of one walk: what a cell begins from depends on the cells before it on the line alone,
 * in any process. */
struct sal_cell_chain {
  const sal_sweep *sweep;
  const sal_return_map *map;
  sal_spectrum_setup setup;
  int64_t length; /* cells of a line */
  int n_line;     /* that are kept */
  int64_t *line;  /* [n_line] their numbers, -1: none */
  double *start;  /* [n_line][length][n_state] */
  double *param, *y;
  bool *closed;
  sal_spectrum *cell; /* [n_line] */
};

void sal_cell_chain_destroy(sal_cell_chain **chain)
{
  sal_cell_chain *c = *chain;

  if (!c) return;
  sal_free_all(c->line, c->start, c->param, c->y, c->closed, c->cell, c);
  *chain = NULL;
}

sal_err sal_cell_chain_create(const sal_sweep *sweep, const sal_return_map *map,
                              const sal_spectrum_setup *setup, sal_cell_chain **out)
{
  const sal_model *m = sweep->model;
  sal_cell_chain *c = *out = sal_alloc(1, sizeof *c);

  if (!c) return sal_fail(SAL_ERR_MEMORY, "no memory for cells along an axis");
  c->sweep = sweep;
  c->map = map;
  c->setup = (sal_spectrum_setup){
      .settle = setup->settle, .visits = 1, .close = setup->close, .bound = setup->bound};
  c->length = sweep->axis[sweep->n_axis - 1].n_point;
  c->n_line = LINES + (int)(SAL_TILE_MOST / c->length);
  const size_t lines = (size_t)c->n_line, ns = (size_t)m->n_state;
  c->line = sal_alloc(lines, sizeof *c->line);
  c->start = sal_alloc(lines * (size_t)c->length, ns * sizeof *c->start);
  c->param = sal_alloc(lines * (size_t)(m->n_param + m->n_option), sizeof *c->param);
  c->y = sal_alloc(lines * ns, sizeof *c->y);
  c->closed = sal_alloc(lines * (size_t)map->n_guard, sizeof *c->closed);
  c->cell = sal_alloc(lines, sizeof *c->cell);
  if (!c->line || !c->start || !c->param || !c->y || !c->closed || !c->cell)
    return sal_fail(SAL_ERR_MEMORY, "no memory for cells along an axis");
  for (int k = 0; k < c->n_line; ++k) c->line[k] = -1;
  return SAL_OK;
}

static double *start_of(const sal_cell_chain *c, int k, int64_t at)
{
  return c->start + (k * c->length + at) * c->sweep->model->n_state;
}

/* Cell i of a walk, at a place of its line k: it begins where the one before it is, or by itself. */
static void begin(sal_cell_chain *c, int64_t i, int k, int64_t at, bool goes_on)
{
  const sal_model *m = c->sweep->model;
  const size_t state = (size_t)m->n_state * sizeof *c->y;
  double *y = c->y + i * m->n_state, *param = c->param + i * (m->n_param + m->n_option);
  double own[SAL_MAX_STATE];

  sal_sweep_cell(c->sweep, c->line[k] * c->length + at, param, own);
  if (!goes_on) memcpy(y, own, state);
  memcpy(start_of(c, k, at), y, state);
  c->cell[i] = (sal_spectrum){.param = param, .y = y, .closed = c->closed + i * c->map->n_guard};
}

/* Lines fresh [n] of those that are kept, side by side: a cell begins where the one before it is after settle visits.  Where that
 * one has left the section for good, or its state is none of this cell, whose surfaces may be elsewhere, it begins by itself. */
static sal_err walk(sal_cell_chain *c, int n, const int fresh[])
{
  bool goes_on[LINES + SAL_TILE_MOST];

  for (int64_t step = 0; step < c->length; ++step) {
    const int64_t at = c->sweep->orbit.follow == SAL_FOLLOW_DOWN ? c->length - 1 - step : step;
    for (int i = 0; i < n; ++i) {
      goes_on[i] = step > 0 && c->cell[i].why == SAL_RETURN_MADE;
      begin(c, i, fresh[i], at, goes_on[i]);
    }
    SAL_TRY(sal_spectrum_run(c->map, &c->setup, n, c->cell));
    for (int i = 0; i < n; ++i) {
      const sal_return_end why = c->cell[i].why;
      if (!goes_on[i] || (why != SAL_RETURN_FAILED && why != SAL_RETURN_WRONG_MODE)) continue;
      begin(c, i, fresh[i], at, false);
      SAL_TRY(sal_spectrum_run(c->map, &c->setup, 1, &c->cell[i]));
    }
  }
  return SAL_OK;
}

static int find_line(const sal_cell_chain *c, int64_t line)
{
  int k = 0;

  while (k < c->n_line && c->line[k] != line) ++k;
  return k;
}

sal_err sal_cell_chain_starts(sal_cell_chain *c, int64_t first, int64_t count, double start[])
{
  const int ns = c->sweep->model->n_state;
  const int64_t low = first / c->length, high = (first + count - 1) / c->length;
  int fresh[LINES + SAL_TILE_MOST], n = 0;

  for (int64_t line = low; line <= high; ++line) {
    int k = 0;
    if (find_line(c, line) < c->n_line) continue;
    while (c->line[k] >= low && c->line[k] <= high) ++k; /* of another call: its place is free */
    c->line[k] = line;
    fresh[n++] = k;
  }
  if (n > 0) SAL_TRY(walk(c, n, fresh));
  for (int64_t i = 0; i < count; ++i)
    memcpy(start + i * ns,
           start_of(c, find_line(c, (first + i) / c->length), (first + i) % c->length),
           (size_t)ns * sizeof *start);
  return SAL_OK;
}
