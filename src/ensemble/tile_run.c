/** @file src/ensemble/tile_run.c
 *  One tile on the threads of this process.
 *
 *  Which thread does a task depends on which one is free, but what a trajectory becomes does not:
 *  each record has one place, and the kernels give the same bits in any company.
 */
#include "tile_run.h"
#include "clock.h"
#include "contender.h"
#include "integrate.h"
#include "memory.h"
#include "quantiles.h"
#include "reference.h"
#include "stiffness.h"
#include "tile_tasks.h"
#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <string.h>

enum {
  LEAST_TILE        = 16,
  MAX_REPEATS       = 1000, /* as in keys.def */
  STIFFNESS_SAMPLES = 5000,
  REFERENCES        = 2 /* batches for each thread */
};

struct sal_tile_space {
  const sal_sweep *sweep;
  int64_t          cells;
  int              width, n_thread;
  double          *param, *initial;   /* [cells][n_param + n_option], [cells][n_state] */
  sal_reference   *reference, *spare; /* [cells] each */
  void           **work;              /* [n_thread] */
  sal_tile_task   *task;              /* [n_contender * ceil(cells / width)] */
  double          *spent;             /* [n_contender] CPU time so far [s] */
  double          *cost;              /* [n_contender] the same for one cell */
  double           reference_spent, reference_cost;
  int64_t          cells_done;
  sal_tile_use     used;
  sal_tile_watch   watch;
  /* of the tile in hand */
  double       worth; /* trajectories that a second of expected CPU time counts as; 0: unknown */
  atomic_llong done;  /* in trajectories */
  atomic_bool  given_up;
};

int sal_tile_width(const sal_sweep *sweep)
{
  const int widest = sal_integrate_widest();

  return sweep->width > 0 && sweep->width < widest ? sweep->width : widest;
}

int64_t sal_tile_most(const sal_sweep *sweep)
{
  const size_t  enough = (size_t)128 << 20; /* for references and their spares */
  const int64_t fit    = (int64_t)(enough / (2 * sal_reference_size(sweep)));

  return fit > SAL_TILE_MOST ? SAL_TILE_MOST : fit < LEAST_TILE ? LEAST_TILE : fit;
}

int sal_tile_threads(void) { return omp_get_max_threads(); }

sal_setup sal_tile_setup(const sal_sweep *sweep, int contender)
{
  const sal_contender at = sal_contender_decode(sweep, contender);

  return (sal_setup){.model         = sweep->model,
                     .method        = sweep->method[at.method],
                     .strategy      = sweep->strategy[at.strategy],
                     .rtol          = sweep->tolerance[at.tolerance],
                     .atol          = sweep->tolerance[at.tolerance],
                     .t_end         = sweep->t_end,
                     .n_guard       = sweep->n_guard,
                     .zone          = sweep->zone,
                     .zone_in_time  = sweep->zone_in_time,
                     .every_contact = sweep->every_contact,
                     .fixed_step    = sweep->strategy[at.strategy]->fixed ? sweep->step : 0,
                     .max_step      = sweep->max_step,
                     .jacobian      = sweep->jacobian,
                     .max_attempts  = sweep->max_attempts};
}

/* Work space of one thread. */
static size_t thread_bytes(const sal_sweep *sweep, int width)
{
  size_t most = sal_reference_bytes(sweep, width);

  for (int i = 0; i < sal_contender_count(sweep); ++i) {
    const sal_setup setup = sal_tile_setup(sweep, i);
    const size_t    bytes = sal_integrate_bytes(&setup, width);
    if (bytes > most) most = bytes;
  }
  return most;
}

size_t sal_tile_bytes(const sal_sweep *sweep, int64_t cells, int threads)
{
  const size_t n      = (size_t)sal_contender_count(sweep);
  const size_t record = sizeof(sal_cell_record) + n * sizeof(sal_record);

  return (size_t)cells * (2 * sal_reference_size(sweep) + record) +
         (size_t)threads * thread_bytes(sweep, sal_tile_width(sweep));
}

/* What a failed allocation leaves is cleaned up by sal_tile_space_destroy. */
static bool fill_tile_space(sal_tile_space *s)
{
  const sal_model *m     = s->sweep->model;
  const size_t     cells = (size_t)s->cells, bytes = thread_bytes(s->sweep, s->width);
  const size_t     n  = (size_t)sal_contender_count(s->sweep);
  bool             ok = true;

  s->param     = sal_alloc(cells * (size_t)(m->n_param + m->n_option), sizeof(double));
  s->initial   = sal_alloc(cells * (size_t)m->n_state, sizeof(double));
  s->reference = sal_alloc(cells, sizeof *s->reference);
  s->spare     = sal_alloc(cells, sizeof *s->spare);
  s->work      = sal_alloc((size_t)s->n_thread, sizeof *s->work);
  s->task      = sal_alloc(n * ((cells - 1) / (size_t)s->width + 1), sizeof *s->task);
  s->spent     = sal_alloc(n, sizeof *s->spent);
  s->cost      = sal_alloc(n, sizeof *s->cost);
  if (!s->param || !s->initial || !s->reference || !s->spare || !s->work || !s->task || !s->spent ||
      !s->cost)
    return false;
  for (size_t i = 0; i < cells; ++i)
    ok = ok && sal_reference_alloc(s->sweep, &s->reference[i]) &&
         sal_reference_alloc(s->sweep, &s->spare[i]);
  for (int i = 0; i < s->n_thread; ++i) ok = (s->work[i] = sal_alloc(bytes, 1)) != NULL && ok;
  return ok;
}

sal_err sal_tile_space_create(const sal_sweep *sweep, int64_t cells, sal_tile_space **out)
{
  *out = NULL;
  if (cells < 1 || cells > SAL_TILE_MOST)
    return sal_fail(SAL_ERR_INPUT, "tiles of %lld cells; allowed: 1 to %d", (long long)cells,
                    SAL_TILE_MOST);
  sal_tile_space *s = *out = sal_alloc(1, sizeof *s);
  if (!s) return sal_fail(SAL_ERR_MEMORY, "no memory for a tile");
  *s = (sal_tile_space){.sweep    = sweep,
                        .cells    = cells,
                        .width    = sal_tile_width(sweep),
                        .n_thread = sal_tile_threads()};
  if (!fill_tile_space(s)) {
    sal_tile_space_destroy(out);
    return sal_fail(
        SAL_ERR_MEMORY,
        "no memory for tiles of %lld cells with %lld mesh points each; a coarser `mesh` helps",
        (long long)cells, (long long)sweep->n_mesh);
  }
  return SAL_OK;
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
  void *const own[] = {s->param, s->initial, s->reference, s->spare, s->work,
                       s->task,  s->spent,   s->cost,      s};
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) sal_free(own[i]);
  *space = NULL;
}

sal_tile_use sal_tile_used(const sal_tile_space *s) { return s->used; }

void sal_tile_space_watch(sal_tile_space *s, const sal_tile_watch *watch) { s->watch = *watch; }

int64_t sal_tile_done(const sal_tile_space *s) { return atomic_load(&s->done); }

/* Up to where the reference goes; at all points of its mesh in contact. */
static double radius_along(const sal_sweep *sweep, const double param[], const sal_reference *r)
{
  const int64_t            n      = sweep->n_mesh;
  const double             share  = fmin(r->reached / sweep->t_end, 1);
  const int64_t            stride = n > STIFFNESS_SAMPLES ? n / STIFFNESS_SAMPLES : 1;
  const sal_stiffness_path path   = {.n       = 1 + (int64_t)(share * (double)n),
                                     .spacing = sweep->t_end / (double)n,
                                     .state   = r->state};

  return sal_stiffness_along(sweep->model, param, &path, stride);
}

/* References and cell figures of the cells first .. first + count - 1 of the tile. */
static void run_references(sal_tile_space *s, int64_t first, int64_t count, sal_cell_record out[],
                           sal_tile_use *use)
{
  const sal_sweep *sweep = s->sweep;
  const sal_model *m     = sweep->model;
  const int        n_p   = m->n_param + m->n_option;

  sal_reference_run(sweep, s->width, count, s->param + first * n_p, s->initial + first * m->n_state,
                    s->reference + first, s->spare + first, s->work[omp_get_thread_num()],
                    &use->lanes);
  const double began = sal_clock_cpu();
  for (int64_t i = first; i < first + count; ++i) {
    const double        *p              = s->param + i * n_p;
    const sal_reference *r              = &s->reference[i];
    const sal_stiffness  published      = sal_stiffness_at_rest(m, p, SAL_REST_PUBLISHED);
    const sal_stiffness  rest           = sal_stiffness_at_rest(m, p, SAL_REST_TRUE);
    double              *v              = out[i].value;
    v[SAL_CELL_SR_PUBLISHED]            = published.ratio;
    v[SAL_CELL_RATE_PUBLISHED]          = published.radius;
    v[SAL_CELL_SR]                      = rest.ratio;
    v[SAL_CELL_RATE]                    = rest.radius;
    v[SAL_CELL_RATE_TRAJECTORY]         = radius_along(sweep, p, r);
    v[SAL_CELL_REFERENCE_OUTCOME]       = r->outcome;
    v[SAL_CELL_REFERENCE_ERROR]         = r->error;
    v[SAL_CELL_REFERENCE_EVENTS]        = (double)r->events;
    v[SAL_CELL_REFERENCE_ERROR_WATCHED] = r->error_watched;
  }
  use->scalar += sal_clock_cpu() - began;
}

/* Thread CPU time of each cell's run by itself at width 1, minimum over the repeats, and how much
 * more their median is.  seconds [repeats]: room. */
static void time_runs(const sal_setup *setup, int repeats, int64_t count, sal_job job[],
                      sal_record record[], double seconds[], void *work)
{
  for (int64_t i = 0; i < count && repeats > 0; ++i) {
    sal_record scratch;
    job[i].score = NULL; /* a user pays for the solution, not for our comparison */
    for (int k = 0; k < repeats; ++k) {
      const double began = sal_clock_cpu();
      sal_integrate(setup, 1, 1, &job[i], &scratch, work);
      seconds[k] = sal_clock_cpu() - began;
    }
    sal_quantiles_sort(repeats, seconds);
    record[i].value[SAL_METRIC_SD] = seconds[0];
    if (repeats > 1)
      record[i].value[SAL_METRIC_SD_SPREAD] = sal_quantiles_at(repeats, seconds, 0.5) - seconds[0];
  }
}

bool sal_tile_leaves_out(const sal_sweep *sweep, int contender)
{
  const sal_contender at = sal_contender_decode(sweep, contender);

  return sweep->left_out[at.strategy][at.method];
}

/* A method and a strategy that do not go together have an outcome and nothing else. */
static void leave_out(double value[SAL_N_METRIC])
{
  for (int k = 0; k < SAL_N_METRIC; ++k) value[k] = NAN;
  value[SAL_METRIC_OUTCOME]   = SAL_OUT_LEFT_OUT;
  value[SAL_METRIC_T_REACHED] = 0;
}

/* One contender on some cells of the tile. */
static void run_task(sal_tile_space *s, const sal_tile_task *task, const sal_tile_result *result,
                     sal_tile_use *use)
{
  const sal_sweep *sweep = s->sweep;
  const sal_model *m     = sweep->model;
  sal_setup        setup = sal_tile_setup(sweep, task->contender);
  const int        n     = sal_contender_count(sweep);
  const int        t     = sal_contender_decode(sweep, task->contender).tolerance;
  void            *work  = s->work[omp_get_thread_num()];
  sal_job          job[SAL_TILE_MOST];
  sal_score        score[SAL_TILE_MOST];
  sal_record       record[SAL_TILE_MOST];
  int64_t          order[SAL_TILE_MOST];
  double           labour[SAL_TILE_MOST], seconds[MAX_REPEATS];

  assert(task->count <= SAL_TILE_MOST);
  if (sal_tile_leaves_out(sweep, task->contender)) {
    for (int64_t i = 0; i < task->count; ++i)
      leave_out(result->record[(task->first + i) * n + task->contender].value);
    return;
  }
  for (int64_t i = 0; i < task->count; ++i) labour[i] = s->reference[task->first + i].work;
  sal_tile_tasks_costly_first(task->count, labour, order);
  for (int64_t i = 0; i < task->count; ++i) {
    const int64_t cell = task->first + order[i];
    score[i]           = (sal_score){.reference = s->reference[cell].watch,
                                     .n_mesh    = sweep->n_mesh,
                                     .epsilon   = sweep->epsilon[t],
                                     .floor     = sweep->floor};
    job[i]             = (sal_job){.param   = s->param + cell * (m->n_param + m->n_option),
                                   .initial = s->initial + cell * m->n_state,
                                   .score   = &score[i]};
  }
  setup.use = &use->lanes;
  sal_integrate(&setup, s->width, task->count, job, record, work);
  setup.use = NULL;
  assert(sweep->repeats <= MAX_REPEATS);
  time_runs(&setup, sweep->repeats, task->count, job, record, seconds, work);
  for (int64_t i = 0; i < task->count; ++i)
    result->record[(task->first + order[i]) * n + task->contender] = record[i];
}

/* One task less; this thread is free for a moment. */
static void end_task(sal_tile_space *s, double expected, int64_t trajectories)
{
  atomic_fetch_add(&s->done, s->worth > 0 ? (int64_t)(expected * s->worth) : trajectories);
  if (s->watch.pause && omp_get_thread_num() == 0) s->watch.pause(s->watch.with);
}

/* Is this task not to be begun, nor any other of the tile? */
static bool is_given_up(sal_tile_space *s)
{
  if (s->watch.give_up && !atomic_load(&s->given_up) && s->watch.give_up(s->watch.with))
    atomic_store(&s->given_up, true);
  return atomic_load(&s->given_up);
}

/* References first: contenders are compared with them. */
static void share_references(sal_tile_space *s, const sal_tile_result *result, sal_tile_use *use)
{
  const int64_t lanes = s->width, fair = result->count / ((int64_t)REFERENCES * s->n_thread);
  const int64_t batch = fair > lanes ? (fair + lanes - 1) / lanes * lanes : lanes;

#pragma omp for schedule(dynamic)
  for (int64_t first = 0; first < result->count; first += batch) {
    if (is_given_up(s)) continue;
    const double  began = sal_clock_cpu(), wall = sal_clock_wall();
    const int64_t count = result->count - first < batch ? result->count - first : batch;
    run_references(s, first, count, result->cell, use);
    use->cpu += sal_clock_cpu() - began; /* a thread that waits computes nothing */
    use->wall += sal_clock_wall() - wall;
    end_task(s, s->reference_cost * (double)count, 0);
  }
}

/* What a task takes is written in place of what it was expected to. */
static void share_tasks(sal_tile_space *s, int64_t n_task, const sal_tile_result *result,
                        sal_tile_use *use)
{
#pragma omp for schedule(dynamic)
  for (int64_t k = 0; k < n_task; ++k) {
    sal_tile_task *task = &s->task[k];
    if (is_given_up(s)) continue;
    const double began = sal_clock_cpu(), wall = sal_clock_wall(), expected = task->cost;
    run_task(s, task, result, use);
    task->cost = sal_clock_cpu() - began;
    use->cpu += task->cost;
    use->wall += sal_clock_wall() - wall;
    end_task(s, expected, task->count);
  }
}

/* The tile on all threads; *references: CPU time of these alone. */
static sal_tile_use run_shared(sal_tile_space *s, int64_t n_task, const sal_tile_result *result,
                               double *references)
{
  double  cpu = 0, wall = 0, scalar = 0, first = 0;
  int64_t live = 0, all = 0;

#pragma omp parallel num_threads(s->n_thread) reduction(+ : cpu, wall, scalar, first, live, all)
  {
    sal_tile_use use = {0};
    share_references(s, result, &use);
    first += use.cpu;
    share_tasks(s, n_task, result, &use);
    cpu += use.cpu;
    wall += use.wall;
    scalar += use.scalar;
    live += use.lanes.live;
    all += use.lanes.all;
  }
  *references = first;
  return (sal_tile_use){.cpu = cpu, .wall = wall, .scalar = scalar, .lanes = {live, all}};
}

/* For the order of the next tile, and for what is done of it meanwhile. */
static void learn_costs(sal_tile_space *s, int64_t n_task, int64_t cells, double references)
{
  const int n = sal_contender_count(s->sweep);

  for (int64_t k = 0; k < n_task; ++k) s->spent[s->task[k].contender] += s->task[k].cost;
  s->cells_done += cells;
  for (int i = 0; i < n; ++i) s->cost[i] = s->spent[i] / (double)s->cells_done;
  s->reference_spent += references;
  s->reference_cost = s->reference_spent / (double)s->cells_done;
}

/* Cuts the tile; returns how many tasks. */
static int64_t begin_tile(sal_tile_space *s, int64_t cells)
{
  const int     n        = sal_contender_count(s->sweep);
  const int64_t n_task   = sal_tile_tasks_cut(n, cells, s->width, s->n_thread, s->cost, s->task);
  double        expected = s->reference_cost * (double)cells;

  for (int64_t k = 0; k < n_task; ++k) expected += s->task[k].cost;
  s->worth = expected > 0 ? (double)(cells * n) / expected : 0;
  atomic_store(&s->done, 0);
  atomic_store(&s->given_up, false);
  return n_task;
}

static void drop_result(sal_tile_result *result)
{
  sal_free(result->cell);
  sal_free(result->record);
  *result = (sal_tile_result){0};
}

sal_err sal_tile_run(sal_tile_space *s, const sal_tile *tile, sal_tile_result *result)
{
  const sal_sweep *sweep = s->sweep;
  const sal_model *m     = sweep->model;
  const int        n     = sal_contender_count(sweep);
  double           references;

  assert(tile->count >= 1 && tile->count <= s->cells);
  *result =
      (sal_tile_result){.first  = tile->first,
                        .count  = tile->count,
                        .cell   = sal_alloc((size_t)tile->count, sizeof *result->cell),
                        .record = sal_alloc((size_t)(tile->count * n), sizeof *result->record)};
  if (!result->cell || !result->record)
    return sal_fail(SAL_ERR_MEMORY, "no memory for a tile's records");
  for (int64_t i = 0; i < tile->count; ++i)
    sal_sweep_cell(sweep, tile->first + i, s->param + i * (m->n_param + m->n_option),
                   s->initial + i * m->n_state);

  const int64_t      n_task = begin_tile(s, tile->count);
  const sal_tile_use use    = run_shared(s, n_task, result, &references);
  s->used.cpu += use.cpu;
  s->used.wall += use.wall;
  s->used.scalar += use.scalar;
  s->used.lanes.live += use.lanes.live;
  s->used.lanes.all += use.lanes.all;
  if (atomic_load(&s->given_up)) {
    drop_result(result);
    return SAL_ERR_STOPPED;
  }
  learn_costs(s, n_task, tile->count, references);
  for (int64_t i = 0; i < tile->count; ++i) {
    result->cell[i].value[SAL_CELL_SECONDS] = use.cpu / (double)tile->count;
    result->cell[i].value[SAL_CELL_WALL]    = use.wall / (double)tile->count;
  }
  return SAL_OK;
}
