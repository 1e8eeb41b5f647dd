/** @file src/app/regret_points.c
 *  From a sweep off the grid to its cube.
 */
#include "regret_points.h"
#include "agree.h"
#include "assemble.h"
#include "clock.h"
#include "run_cells.h"
#include "spot.h"
#include "tile.h"
#include <math.h>
#include <string.h>

/* What this rank knows of the run. */
typedef struct {
  const sal_points_task *task;
  const sal_sweep       *sweep;
  int                    rank, n_rank;
  double                 began;
  char                   folder[PATH_MAX];
  const char            *folders[1];
  sal_journal            journal;
  sal_watch              watch;
} state;

static const sal_part undivided = {1, 1};

static void announce(const state *s)
{
  if (s->rank != 0 || s->task->quiet) return;
  fprintf(stderr, "%lld points off the grid x %d contenders, %d ranks x %d threads, %d lanes\n",
          (long long)s->sweep->n_cell, sal_sweep_contenders(s->sweep), s->n_rank,
          sal_tile_threads(), sal_tile_width(s->sweep));
  if (s->watch.found > 0)
    fprintf(stderr, "%s: %lld of %lld points are there already\n", s->folder,
            (long long)s->watch.found, (long long)s->watch.cells);
}

static sal_err open_watch(state *s)
{
  s->watch = (sal_watch){.every      = 30,
                         .quiet      = s->task->quiet || s->rank != 0,
                         .cells      = s->sweep->n_cell,
                         .contenders = sal_sweep_contenders(s->sweep),
                         .ranks      = s->n_rank,
                         .threads    = sal_tile_threads()};

  SAL_TRY(sal_run_found(&s->journal, undivided, &s->watch.found));
  announce(s);
  return sal_watch_begin(&s->watch);
}

/* Collective.  Runs what is missing, and sees that nothing is. */
static sal_err compute(state *s)
{
  const sal_run_task task = {.comm    = s->task->comm,
                             .sweep   = s->sweep,
                             .journal = &s->journal,
                             .part    = undivided,
                             .sync    = 10,
                             .watch   = &s->watch};
  sal_run_part       use  = {0};
  int64_t            done = s->watch.found;

  if (done == s->watch.cells) return SAL_OK;
  const sal_err ran = sal_run_cells(&task, &use);
  if (ran != SAL_OK && ran != SAL_ERR_STOPPED) return ran;
  SAL_TRY(sal_journal_scan(&s->journal));
  SAL_TRY(sal_agree(s->task->comm, sal_run_found(&s->journal, undivided, &done)));
  sal_watch_pause(&s->watch, done);
  if (ran == SAL_ERR_STOPPED)
    return sal_fail(ran,
                    "a signal stopped it; %lld of %lld points are in %s, and the same command "
                    "goes on from there",
                    (long long)done, (long long)s->watch.cells, s->folder);
  return done == s->watch.cells
             ? SAL_OK
             : sal_fail(SAL_ERR_IO, "%s: %lld points are lost again; run it once more", s->folder,
                        (long long)(s->watch.cells - done));
}

static sal_err make_cube(state *s)
{
  const sal_origin origin = {.command      = s->task->command,
                             .ranks        = s->n_rank,
                             .threads      = sal_tile_threads(),
                             .width        = sal_tile_width(s->sweep),
                             .wall_seconds = sal_clock_wall() - s->began};

  SAL_TRY(sal_assemble(&s->journal, s->task->out, &origin));
  return sal_agree(s->task->comm, s->rank == 0 ? sal_journal_remove(&s->journal) : SAL_OK);
}

static sal_err whole(state *s)
{
  const sal_points_task *t = s->task;

  SAL_TRY(sal_journal_folder(t->out, 1, 1, s->folder));
  s->folders[0] = s->folder;
  SAL_TRY(sal_journal_open(t->comm, 1, s->folders, s->sweep,
                           t->anew ? SAL_JOURNAL_ANEW : SAL_JOURNAL_WRITE, &s->journal));
  SAL_TRY(sal_agree(t->comm, open_watch(s)));
  SAL_TRY(compute(s));
  return make_cube(s);
}

sal_err sal_points_run(const sal_points_task *task, const sal_sweep *sweep)
{
  state s = {.task = task, .sweep = sweep, .began = sal_clock_wall()};

  SAL_TRY_MPI(MPI_Comm_rank(task->comm, &s.rank));
  SAL_TRY_MPI(MPI_Comm_size(task->comm, &s.n_rank));
  const sal_err err = whole(&s);
  sal_watch_end(&s.watch);
  sal_journal_close(&s.journal);
  return err;
}

/* ---- do map and points belong together? -------------------------------------------------------
 */

static sal_err check_names(const char *path, const char *map_path, const sal_sweep *map,
                           const sal_sweep *points)
{
  const char *other = NULL;

  if (points->model != map->model)
    return sal_fail(SAL_ERR_INPUT, "%s: its model is %s, that of %s is %s", path,
                    points->model->name, map_path, map->model->name);
  if (points->n_method != map->n_method ||
      memcmp(points->method, map->method, (size_t)map->n_method * sizeof *map->method) != 0)
    other = "methods";
  else if (points->n_strategy != map->n_strategy ||
           memcmp(points->strategy, map->strategy,
                  (size_t)map->n_strategy * sizeof *map->strategy) != 0)
    other = "strategies";
  else if (points->n_tolerance != map->n_tolerance ||
           memcmp(points->tolerance, map->tolerance,
                  (size_t)map->n_tolerance * sizeof *map->tolerance) != 0)
    other = "tolerances";
  return other ? sal_fail(SAL_ERR_INPUT, "%s: its %s are not those of %s, in the same order", path,
                          other, map_path)
               : SAL_OK;
}

/* What results depend on, beside contenders and cells. */
static sal_err check_settings(const char *path, const char *map_path, const sal_sweep *a,
                              const sal_sweep *b)
{
  const struct {
    const char *key;
    double      map, points;
  } table[] = {{"t_end", a->t_end, b->t_end},
               {"mesh", a->t_end / (double)a->n_mesh, b->t_end / (double)b->n_mesh},
               {"reference (certified 0, paper 1)", a->reference, b->reference},
               {"reference_tolerance", a->reference_tolerance, b->reference_tolerance},
               {"jacobian (differences 0, analytic 1)", a->jacobian, b->jacobian},
               {"max_step", a->max_step, b->max_step},
               {"max_attempts", (double)a->max_attempts, (double)b->max_attempts},
               {"projection.zone", a->zone, b->zone},
               {"projection.measure (gap 0, time 1)", a->zone_in_time, b->zone_in_time},
               {"projection.step", a->step, b->step},
               {"contacts (next 0, every 1)", a->every_contact, b->every_contact}};

  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (table[i].map != table[i].points)
      return sal_fail(SAL_ERR_INPUT, "%s: its %s is %.10g, that of %s is %.10g", path, table[i].key,
                      table[i].points, map_path, table[i].map);
  return SAL_OK;
}

/* What the map does not vary must be at every point what it is in the map. */
static sal_err check_fixed(const char *path, const char *map_path, const sal_sweep *map,
                           const sal_sweep *points)
{
  const sal_model *m = map->model;
  double           here[SAL_MAX_QUANTITY], there[SAL_MAX_QUANTITY];

  sal_sweep_cell(map, 0, there, there + m->n_param + m->n_option);
  for (int64_t p = 0; p < points->n_cell; ++p) {
    sal_sweep_cell(points, p, here, here + m->n_param + m->n_option);
    for (int k = 0; k < sal_column_count(m); ++k)
      if (here[k] != there[k] && !sal_column_varies(map, k))
        return sal_fail(SAL_ERR_INPUT, "%s: %s is %.10g at point %lld, and %.10g everywhere in %s",
                        path, sal_column_name(m, k), here[k], (long long)p + 1, there[k], map_path);
  }
  return SAL_OK;
}

sal_err sal_points_belong(const char *map_path, const sal_sweep *map, const char *path,
                          const sal_sweep *points)
{
  SAL_TRY(check_names(path, map_path, map, points));
  SAL_TRY(check_settings(path, map_path, map, points));
  return check_fixed(path, map_path, map, points);
}
