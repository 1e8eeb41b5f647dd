/** Work space for tiles: made once, used for every tile. */
#include "config.h"
#include "tile_rows.h"
#include "tile_run.h"
#include <omp.h>

enum { LEAST_TILE = 16 };

int sal_tile_width(const sal_sweep *sweep)
{
  const int widest = sal_integrate_widest();

  return sweep->width > 0 && sweep->width < widest ? sweep->width : widest;
}

int64_t sal_tile_most(const sal_sweep *sweep)
{
  const size_t enough = (size_t)128 << 20; /* for references and their spares */
  const int64_t fit = (int64_t)(enough / (2 * sal_reference_size(sweep)));

  return fit > SAL_TILE_MOST ? SAL_TILE_MOST : fit < LEAST_TILE ? LEAST_TILE : fit;
}

int sal_tile_threads(void) { return omp_get_max_threads(); }

void sal_tile_threads_set(int n) { omp_set_num_threads(n); }

size_t sal_tile_bytes(const sal_sweep *sweep, int64_t cells, int threads)
{
  const size_t record = (size_t)sal_tile_rows_bytes(sweep);

  return (size_t)cells * (2 * sal_reference_size(sweep) + record) +
         (size_t)threads *
             (sal_tile_setup_bytes(sweep, sal_tile_width(sweep)) + sal_tile_orbits_bytes(sweep));
}

/* After a failed allocation sal_tile_space_destroy cleans up. */
static bool fill_tile_space(sal_tile_space *s)
{
  const sal_model *m = s->sweep->model;
  const size_t cells = (size_t)s->cells, bytes = sal_tile_setup_bytes(s->sweep, s->width);
  const size_t n = (size_t)sal_config_count(s->sweep);
  bool ok = true;

  s->param = sal_alloc(cells * (size_t)(m->n_param + m->n_option), sizeof(double));
  s->initial = sal_alloc(cells * (size_t)m->n_state, sizeof(double));
  s->reference = sal_alloc(cells, sizeof *s->reference);
  s->spare = sal_alloc(cells, sizeof *s->spare);
  s->work = sal_alloc((size_t)s->n_thread, sizeof *s->work);
  s->task = sal_alloc(n * ((cells - 1) / (size_t)s->width + 1), sizeof *s->task);
  s->spent = sal_alloc(n, sizeof *s->spent);
  s->cost = sal_alloc(n, sizeof *s->cost);
  s->listed = sal_alloc(n, sizeof *s->listed);
  s->baseline = sal_alloc(cells, sizeof *s->baseline);
  s->open = sal_alloc(n * cells, sizeof *s->open);
  s->n_open = sal_alloc(n, sizeof *s->n_open);
  s->useful = sal_alloc(n * cells, sizeof *s->useful);
  if (!s->param || !s->initial || !s->reference || !s->spare || !s->work || !s->task || !s->spent ||
      !s->cost || !s->listed || !s->baseline || !s->open || !s->n_open || !s->useful)
    return false;
  for (size_t i = 0; i < cells; ++i)
    ok = ok && sal_reference_alloc(s->sweep, &s->reference[i]) &&
         sal_reference_alloc(s->sweep, &s->spare[i]);
  for (int i = 0; i < s->n_thread; ++i) ok = (s->work[i] = sal_alloc(bytes, 1)) != NULL && ok;
  return ok;
}

/* Creates the search for orbits of each thread. */
static sal_err fill_orbits(sal_tile_space *s)
{
  if (!sal_sweep_asks(s->sweep, SAL_GROUP_EQUILIBRIUM)) return SAL_OK;
  s->orbits = sal_alloc((size_t)s->n_thread, sizeof(sal_tile_orbits *));
  if (!s->orbits) return sal_fail(SAL_ERR_MEMORY, "no memory for a tile");
  for (int i = 0; i < s->n_thread; ++i)
    SAL_TRY(sal_tile_orbits_create(s->sweep, s->width, &s->orbits[i]));
  const size_t cells = (size_t)s->cells, guards = (size_t)s->sweep->n_guard;
  s->cycle = sal_alloc(cells, sizeof *s->cycle);
  s->cycle_closed = sal_alloc(cells * guards, sizeof *s->cycle_closed);
  if (!s->cycle || !s->cycle_closed) return sal_fail(SAL_ERR_MEMORY, "no memory for a tile");
  for (size_t i = 0; i < cells; ++i) s->cycle[i].closed = s->cycle_closed + i * guards;
  return SAL_OK;
}

sal_err sal_tile_space_create(const sal_sweep *sweep, int64_t cells, sal_tile_space **out)
{
  *out = NULL;
  if (cells < 1 || cells > SAL_TILE_MOST)
    return sal_fail(SAL_ERR_INPUT, "tiles of %lld cells; allowed: 1 to %d", (long long)cells,
                    SAL_TILE_MOST);
  sal_tile_space *s = *out = sal_alloc(1, sizeof *s);
  if (!s) return sal_fail(SAL_ERR_MEMORY, "no memory for a tile");
  *s = (sal_tile_space){.sweep = sweep,
                        .cells = cells,
                        .width = sal_tile_width(sweep),
                        .n_thread = sal_tile_threads()};
  if (!fill_tile_space(s)) {
    sal_tile_space_destroy(out);
    return sal_fail(
        SAL_ERR_MEMORY,
        "no memory for tiles of %lld cells with %lld mesh points each; a coarser `mesh` helps",
        (long long)cells, (long long)sweep->n_mesh);
  }
  sal_tile_phases_list(s);
  const sal_err err = fill_orbits(s);
  if (err != SAL_OK) sal_tile_space_destroy(out);
  return err;
}

void sal_tile_space_destroy(sal_tile_space **space)
{
  sal_tile_space *s = *space;

  if (!s) return;
  for (int64_t i = 0; i < s->cells; ++i) {
    if (s->reference) sal_reference_free(&s->reference[i]);
    if (s->spare) sal_reference_free(&s->spare[i]);
  }
  for (int i = 0; i < s->n_thread && s->work; ++i) sal_free(s->work[i]);
  for (int i = 0; i < s->n_thread && s->orbits; ++i) sal_tile_orbits_destroy(&s->orbits[i]);
  sal_free_all(s->orbits, s->cycle, s->cycle_closed, s->param, s->initial, s->reference, s->spare,
               s->work, s->task, s->spent, s->cost, s->listed, s->baseline, s->open, s->n_open,
               s->useful, s);
  *space = NULL;
}
