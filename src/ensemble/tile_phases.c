/** @file src/ensemble/tile_phases.c
 *  What runs when, and how far.
 */
#include "cap.h"
#include "contender.h"
#include "engine.h"
#include "tile_work.h"
#include <math.h>

static const sal_engine *engine_of(const sal_sweep *sweep, int contender)
{
  return sweep->method[sal_contender_decode(sweep, contender).method]->engine;
}

bool sal_tile_phases_engine(const sal_sweep *sweep, int contender)
{
  return engine_of(sweep, contender) != NULL;
}

bool sal_tile_phases_alone(const sal_sweep *sweep, int contender)
{
  const sal_engine *engine = engine_of(sweep, contender);

  return engine && engine->one_thread;
}

/* The contenders of a role that run alone or do not: contender [n]; returns how many. */
static int list_contenders(const sal_sweep *sweep, sal_cap_role role, bool alone, int contender[])
{
  int n = 0;

  for (int k = 0; k < sal_contender_count(sweep); ++k)
    if (sal_cap_role_of(sweep, k) == role && sal_tile_phases_alone(sweep, k) == alone)
      contender[n++] = k;
  return n;
}

/* Adds the tasks of some contenders; threads: that share them. */
static int64_t add_tasks(sal_tile_space *s, sal_cap_role role, bool alone, int64_t cells, int64_t n)
{
  const int m = list_contenders(s->sweep, role, alone, s->listed);

  if (m == 0) return n;
  return n + sal_tile_tasks_cut(m, s->listed, cells, s->width, alone ? 1 : s->n_thread, s->cost,
                                s->task + n);
}

int64_t sal_tile_phases_cut(sal_tile_space *s, int64_t cells)
{
  int64_t n = 0;

  for (int i = 0; i < SAL_N_CAP_ROLE; ++i) {
    sal_tile_phase *phase = &s->phase[i];
    phase->first = n;
    phase->shared = n = add_tasks(s, sal_cap_order[i], true, cells, n);
    phase->end = n = add_tasks(s, sal_cap_order[i], false, cells, n);
  }
  return n;
}

void sal_tile_phases_begin_cell(sal_tile_space *s, int64_t cell)
{
  const sal_reference *r = &s->reference[cell];

  s->cap[cell] = sal_cap_of_reference(s->sweep, r->outcome, r->work);
}

void sal_tile_phases_cap_cell(sal_tile_space *s, int phase, int64_t cell,
                              const sal_tile_result *result)
{
  s->cap[cell] =
      sal_cap_of_cell(s->sweep, sal_cap_order[phase], s->reference[cell].work, &result->cell[cell],
                      result->record + cell * sal_contender_count(s->sweep));
}
