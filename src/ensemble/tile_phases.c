/** The order in which the configurations of a tile run, and how far each goes. */
#include "config.h"
#include "tile_run.h"

_Static_assert(SAL_TILE_MOST <= UINT8_MAX, "a cell of a tile is a byte");

static const sal_engine *engine_of(const sal_sweep *sweep, int config)
{
  return sweep->method[sal_config_decode(sweep, config).method]->engine;
}

bool sal_tile_phases_engine(const sal_sweep *sweep, int config)
{
  return engine_of(sweep, config) != NULL;
}

bool sal_tile_phases_alone(const sal_sweep *sweep, int config)
{
  const sal_engine *engine = engine_of(sweep, config);

  return engine && engine->one_thread;
}

/* Lists the configurations of a phase that run alone or do not from `n` on; returns where they end. */
static int list_configs(sal_tile_space *s, int phase, bool alone, int n)
{
  for (int k = 0; k < sal_config_count(s->sweep); ++k)
    if (sal_cutoff_phase_of(s->sweep, k) == phase && sal_tile_phases_alone(s->sweep, k) == alone)
      s->listed[n++] = k;
  return n;
}

void sal_tile_phases_list(sal_tile_space *s)
{
  int n = 0;

  s->n_phase = sal_cutoff_phases(s->sweep);
  for (int i = 0; i < s->n_phase; ++i) {
    sal_tile_phase *phase = &s->phase[i];
    phase->first = n;
    phase->shared = n = list_configs(s, i, true, n);
    phase->end = n = list_configs(s, i, false, n);
  }
}

void sal_tile_phases_begin_cell(sal_tile_space *s, int64_t cell, const sal_cell_record *figures)
{
  s->baseline[cell] = sal_cutoff_begin(s->sweep, s->reference[cell].work, figures);
}

void sal_tile_phases_end_cell(sal_tile_space *s, int phase, int64_t cell,
                              const sal_tile_result *result)
{
  const sal_tile_phase *p = &s->phase[phase];

  sal_cutoff_add(s->sweep, p->end - p->first, s->listed + p->first,
                 result->record + cell * sal_config_count(s->sweep), &s->baseline[cell]);
}

/* Such a run has an outcome and nothing else. */
static void leave_out(sal_outcome outcome, double value[SAL_N_METRIC])
{
  for (int k = 0; k < SAL_N_METRIC; ++k) value[k] = NAN;
  value[SAL_METRIC_OUTCOME] = outcome;
  value[SAL_METRIC_T_REACHED] = 0;
}

/* Has a run its record without being begun? */
static bool needs_no_run(const sal_tile_space *s, int config, int64_t cell, sal_record record[])
{
  const bool *useful = s->pilots ? s->useful + cell * sal_config_count(s->sweep) : NULL;

  if (sal_tile_leaves_out(s->sweep, config)) {
    leave_out(SAL_OUT_INCOMPATIBLE, record[config].value);
    return true;
  }
  if (useful && !useful[config]) {
    leave_out(SAL_OUT_SKIPPED_BY_PILOTS, record[config].value);
    return true;
  }
  return sal_cutoff_closes(s->sweep, config, &s->baseline[cell], record, &record[config]);
}

void sal_tile_phases_open(sal_tile_space *s, int config, const sal_tile_result *result)
{
  const int n = sal_config_count(s->sweep);
  uint8_t *open = s->open + config * s->cells;
  int64_t to_run = 0, settled = 0, cell[SAL_TILE_MOST];

  for (int64_t i = 0; i < result->count; ++i) {
    if (sal_tile_kept_has(s, i, config)) continue;
    if (needs_no_run(s, config, i, result->record + i * n))
      cell[settled++] = i;
    else
      open[to_run++] = (uint8_t)i;
  }
  s->n_open[config] = to_run;
  sal_tile_kept_note(s, config, settled, cell, result);
}

/* Adds the tasks of the configurations listed from first to end. */
static int64_t add_tasks(sal_tile_space *s, int first, int end, bool alone, int64_t cells)
{
  sal_tile_task *task = s->task + s->n_task;
  const int64_t n = sal_tile_tasks_cut(end - first, s->listed + first, s->n_open, s->width,
                                       alone ? 1 : s->n_thread, task);

  for (int64_t i = 0; i < n; ++i)
    task[i].cost = s->cost[task[i].config] * (double)(cells * task[i].count) /
                   (double)s->n_open[task[i].config];
  sal_tile_tasks_heaviest_first(n, task);
  return s->n_task += n;
}

void sal_tile_phases_cut(sal_tile_space *s, int phase, int64_t cells)
{
  sal_tile_phase *p = &s->phase[phase];

  p->task_first = s->n_task;
  p->task_shared = add_tasks(s, p->first, p->shared, true, cells);
  p->task_end = add_tasks(s, p->shared, p->end, false, cells);
}
