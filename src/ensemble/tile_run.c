/** One tile on the threads of this process.
 *
 *  Which thread does a task depends on which one is free, but what a trajectory becomes does not:
 *  each record has one place, and the kernels give the same bits in any company.
 */
#include "tile_run.h"
#include "base.h"
#include "captured.h"
#include "clock.h"
#include "config.h"
#include "quantiles.h"
#include "registry.h"
#include "stiffness.h"
#include "stop.h"
#include "tile_rows.h"
#include <omp.h>

enum {
  MAX_REPEATS = 1000, /* as in keys.def */
  STIFFNESS_SAMPLES = 5000,
  BATCHES = 2 /* of references, for each thread */
};

sal_tile_use sal_tile_used(const sal_tile_space *s) { return s->used; }

void sal_tile_space_watch(sal_tile_space *s, const sal_tile_watch *watch) { s->watch = *watch; }

void sal_tile_space_keep(sal_tile_space *s, sal_tile_kept *kept) { s->kept = kept; }

void sal_tile_space_pilots(sal_tile_space *s, const sal_pilots *pilots) { s->pilots = pilots; }

int64_t sal_tile_done(const sal_tile_space *s) { return atomic_load(&s->done); }

/* Up to where the reference goes; at all points of its mesh in contact. */
static double radius_along(const sal_sweep *sweep, const double param[], const sal_reference *r)
{
  const int64_t n = sweep->n_mesh;
  const double share = fmin(r->reached / sweep->t_end, 1);
  const int64_t stride = n > STIFFNESS_SAMPLES ? n / STIFFNESS_SAMPLES : 1;
  const sal_stiffness_path path = {.n = 1 + (int64_t)(share * (double)n),
                                   .spacing = sweep->t_end / (double)n,
                                   .state = r->state};

  return sal_stiffness_along(sweep->model, param, &path, stride);
}

/* A reference without an end; not one of a start that no run begins at, or of a run that was interrupted. */
static bool lacks_end(sal_outcome outcome)
{
  return !sal_metric_finished(outcome) && outcome != SAL_OUT_PENETRATES &&
         outcome != SAL_OUT_HALTED;
}

/* References, cell figures and measures of the cells first .. first + count - 1 of the tile. */
static void run_references(sal_tile_space *s, int64_t first, int64_t count,
                           const sal_tile_result *result, sal_tile_use *use)
{
  const sal_sweep *sweep = s->sweep;
  const sal_model *m = sweep->model;
  const int n_p = m->n_param + m->n_option;

  sal_reference_run(sweep, s->width, count, s->param + first * n_p, s->initial + first * m->n_state,
                    s->reference + first, s->spare + first, s->work[omp_get_thread_num()],
                    &use->lanes);
  const double began = sal_clock_cpu();
  for (int64_t i = first; i < first + count; ++i) {
    const double *p = s->param + i * n_p;
    const sal_reference *r = &s->reference[i];
    const sal_stiffness published = sal_stiffness_at_equilibrium(m, p, SAL_EQUILIBRIUM_PUBLISHED);
    const sal_stiffness rest = sal_stiffness_at_equilibrium(m, p, SAL_EQUILIBRIUM_TRUE);
    double *v = result->cell[i].value;
    for (int k = 0; k < SAL_N_CELL_METRIC; ++k) v[k] = NAN;
    v[SAL_CELL_SR_PUBLISHED] = published.ratio;
    v[SAL_CELL_RATE_PUBLISHED] = published.radius;
    v[SAL_CELL_SR] = rest.ratio;
    v[SAL_CELL_RATE] = rest.radius;
    v[SAL_CELL_RATE_TRAJECTORY] = radius_along(sweep, p, r);
    v[SAL_CELL_REFERENCE_OUTCOME] = r->outcome;
    v[SAL_CELL_REFERENCE_ERROR] = r->error;
    v[SAL_CELL_REFERENCE_SOLVER] = sal_registry_solver_number(r->method);
    v[SAL_CELL_REFERENCE_FIRST] = r->first;
    v[SAL_CELL_REFERENCE_FIRST_REACHED] = r->first_reached;
    v[SAL_CELL_REFERENCE_EVENTS] = (double)r->events;
    v[SAL_CELL_REFERENCE_ERROR_WATCHED] = r->error_watched;
    if (sal_sweep_captures(sweep) && lacks_end(r->outcome))
      v[SAL_CELL_CAPTURED] = sal_captured_difference(sweep, p, s->initial + i * m->n_state);
    if (sweep->measured) sal_reference_put_measures(sweep, r, result->row + i * result->n_row);
    sal_tile_phases_begin_cell(s, i, &result->cell[i]);
  }
  use->scalar += sal_clock_cpu() - began;
}

/* Thread CPU time of each cell's run by itself at width 1, minimum over the repeats, and how much
 * more their median is.  seconds [repeats]: room.  Runs that took place elsewhere have been timed there. */
static void time_runs(const sal_setup *setup, int repeats, int64_t count, sal_job job[],
                      sal_record record[], double seconds[], void *work)
{
  if (setup->method->engine && setup->method->engine->replays) {
    for (int64_t i = 0; i < count && repeats == 0; ++i) record[i].value[SAL_METRIC_SD] = NAN;
    return;
  }
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

/* One configuration on some cells of the tile. */
static void run_task(sal_tile_space *s, const sal_tile_task *task, const sal_tile_result *result,
                     sal_tile_use *use)
{
  const sal_sweep *sweep = s->sweep;
  const sal_model *m = sweep->model;
  sal_setup setup = sal_tile_setup(sweep, task->config);
  const int n = sal_config_count(sweep);
  const int t = sal_config_decode(sweep, task->config).tolerance;
  const int64_t count = task->count;
  void *work = s->work[omp_get_thread_num()];
  sal_job job[SAL_TILE_MOST];
  sal_cutoff_of_job cutoff[SAL_TILE_MOST];
  sal_score score[SAL_TILE_MOST];
  sal_record record[SAL_TILE_MOST];
  int64_t order[SAL_TILE_MOST], index[SAL_TILE_MOST];
  double labour[SAL_TILE_MOST], seconds[MAX_REPEATS];

  assert(count <= SAL_TILE_MOST);
  for (int64_t i = 0; i < count; ++i) index[i] = s->open[task->config * s->cells + task->first + i];
  for (int64_t i = 0; i < count; ++i) labour[i] = s->reference[index[i]].work;
  sal_tile_tasks_costly_first(count, labour, order);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t cell = index[order[i]];
    cutoff[i] =
        sal_cutoff_of_run(sweep, task->config, &s->baseline[cell], result->record + cell * n);
    score[i] = (sal_score){.reference = s->reference[cell].watch,
                           .n_mesh = sweep->n_mesh,
                           .epsilon = sweep->epsilon[t],
                           .floor = sweep->floor};
    job[i] = (sal_job){.param = s->param + cell * (m->n_param + m->n_option),
                       .initial = s->initial + cell * m->n_state,
                       .score = &score[i],
                       .most_work = cutoff[i].most_work,
                       .budget = cutoff[i].budget,
                       .stairs = cutoff[i].stairs.n > 0 ? &cutoff[i].stairs : NULL};
  }
  setup.use = &use->lanes;
  sal_integrate(&setup, sal_tile_tasks_width(s->width, sweep->width > 0, count), count, job, record,
                work);
  setup.use = NULL;
  assert(sweep->repeats <= MAX_REPEATS);
  time_runs(&setup, sweep->repeats, count, job, record, seconds, work);
  for (int64_t i = 0; i < count; ++i)
    result->record[index[order[i]] * n + task->config] = record[i];
  if (s->orbits)
    sal_tile_orbits_config(s->orbits[omp_get_thread_num()], task->config, count, index, s->param,
                           s->cycle, n, result->record + task->config);
  sal_tile_kept_note(s, task->config, count, index, result);
}

/* Is this task not to be begun, nor any other of the tile?  Asked after a task, too, which may have been
 * cut. */
static bool is_given_up(sal_tile_space *s)
{
  if (sal_stop_halted()) atomic_store(&s->given_up, true);
  return atomic_load(&s->given_up);
}

/* One task less; this thread is free for a moment. */
static void end_task(sal_tile_space *s, double expected, int64_t trajectories)
{
  atomic_fetch_add(&s->done, s->worth > 0 ? (int64_t)(expected * s->worth) : trajectories);
  if (s->watch.pause && omp_get_thread_num() == 0) s->watch.pause(s->watch.with);
  (void)is_given_up(s);
}

/* Cells that are done together before configurations are, in whole lanes. */
static int64_t batch_of_cells(const sal_tile_space *s, int64_t count)
{
  const int64_t lanes = s->width, fair = count / ((int64_t)BATCHES * s->n_thread);

  return fair > lanes ? (fair + lanes - 1) / lanes * lanes : lanes;
}

/* The first failure of the tile, with the message of the thread that met it. */
static void note_failure(sal_tile_space *s, sal_err err)
{
#pragma omp critical
  {
    sal_err_keep(&s->message);
    if (s->failed == SAL_OK) s->failed = err;
  }
}

/* The long run of the cells first .. first + count - 1 of the tile. */
static void run_orbits(sal_tile_space *s, int64_t first, int64_t count, sal_tile_result out)
{
  const sal_model *m = s->sweep->model;
  const int n_p = m->n_param + m->n_option;

  const sal_err err = sal_tile_orbits_run(s->orbits[omp_get_thread_num()], count,
                                          s->param + first * n_p, s->initial + first * m->n_state,
                                          s->reference + first, s->cycle + first, &out);
  if (err != SAL_OK) note_failure(s, err);
}

/* References, or the orbits of these: configurations are compared with both. */
static void share_cells(sal_tile_space *s, bool orbits, const sal_tile_result *result,
                        sal_tile_use *use)
{
  const int64_t batch = batch_of_cells(s, result->count);

#pragma omp for schedule(dynamic)
  for (int64_t first = 0; first < result->count; first += batch) {
    if (is_given_up(s)) continue;
    const double began = sal_clock_cpu(), wall = sal_clock_wall();
    const int64_t count = result->count - first < batch ? result->count - first : batch;
    if (orbits)
      run_orbits(s, first, count, sal_tile_result_part(result, 0, first, count));
    else
      run_references(s, first, count, result, use);
    const double took = sal_clock_cpu() - began; /* a thread that waits computes nothing */
    use->cpu += took;
    if (orbits) use->scalar += took;
    use->wall += sal_clock_wall() - wall;
    end_task(s, s->reference_cost * (double)count, 0);
  }
}

/* The measured cost of a task replaces its expected cost. */
static void do_task(sal_tile_space *s, sal_tile_task *task, const sal_tile_result *result,
                    sal_tile_use *use)
{
  if (is_given_up(s)) return;
  const double began = sal_clock_cpu(), wall = sal_clock_wall(), expected = task->cost;
  run_task(s, task, result, use);
  task->cost = sal_clock_cpu() - began;
  use->cpu += task->cost;
  use->wall += sal_clock_wall() - wall;
  if (sal_tile_phases_engine(s->sweep, task->config)) use->scalar += task->cost;
  if (sal_tile_phases_alone(s->sweep, task->config)) use->alone += task->cost;
  end_task(s, expected, task->count);
}

/* The main thread joins when it has done the tasks that no other thread may do. */
static void share_tasks(sal_tile_space *s, const sal_tile_phase *phase,
                        const sal_tile_result *result, sal_tile_use *use)
{
#pragma omp master
  for (int64_t k = phase->task_first; k < phase->task_shared; ++k)
    do_task(s, &s->task[k], result, use);
#pragma omp for schedule(dynamic)
  for (int64_t k = phase->task_shared; k < phase->task_end; ++k)
    do_task(s, &s->task[k], result, use);
}

/* Finds the runs of a phase from the results of earlier phases. */
static void open_phase(sal_tile_space *s, int phase, const sal_tile_result *result)
{
  const sal_tile_phase *p = &s->phase[phase];

#pragma omp for
  for (int k = p->first; k < p->end; ++k) {
    s->n_open[s->listed[k]] = 0;
    if (!is_given_up(s)) sal_tile_phases_open(s, s->listed[k], result);
  }
#pragma omp single
  sal_tile_phases_cut(s, phase, result->count);
}

/* Between two phases the lightest of their tasks are waited for, since the heaviest go first. */
static void share_phases(sal_tile_space *s, const sal_tile_result *result, sal_tile_use *use)
{
  for (int phase = 0; phase < s->n_phase; ++phase) {
    if (s->phase[phase].end == s->phase[phase].first) continue;
    open_phase(s, phase, result);
    share_tasks(s, &s->phase[phase], result, use);
    if (phase == s->n_phase - 1) continue; /* none follows */
#pragma omp for
    for (int64_t i = 0; i < result->count; ++i)
      if (!is_given_up(s)) sal_tile_phases_end_cell(s, phase, i, result);
  }
}

/* The tile on all threads; *references: CPU time of these alone. */
static sal_tile_use run_shared(sal_tile_space *s, const sal_tile_result *result, double *references)
{
  double cpu = 0, wall = 0, scalar = 0, alone = 0, first = 0;
  int64_t live = 0, all = 0;

#pragma omp parallel num_threads(s->n_thread) reduction(+ : cpu, wall, scalar, alone, first, live, all)
  {
    sal_tile_use use = {0};
    share_cells(s, false, result, &use);
    if (s->orbits) share_cells(s, true, result, &use);
    first += use.cpu;
    share_phases(s, result, &use);
    cpu += use.cpu;
    wall += use.wall;
    scalar += use.scalar;
    alone += use.alone;
    live += use.lanes.live;
    all += use.lanes.all;
  }
  *references = first;
  return (sal_tile_use){
      .cpu = cpu, .wall = wall, .scalar = scalar, .alone = alone, .lanes = {live, all}};
}

/* For the order of the next tile, and for what is done of it meanwhile. */
static void learn_costs(sal_tile_space *s, int64_t cells, double references)
{
  const int n = sal_config_count(s->sweep);

  for (int64_t k = 0; k < s->n_task; ++k) s->spent[s->task[k].config] += s->task[k].cost;
  s->cells_done += cells;
  for (int i = 0; i < n; ++i) s->cost[i] = s->spent[i] / (double)s->cells_done;
  s->reference_spent += references;
  s->reference_cost = s->reference_spent / (double)s->cells_done;
}

static void begin_tile(sal_tile_space *s)
{
  const int n = sal_config_count(s->sweep);
  double expected = s->reference_cost;

  for (int k = 0; k < n; ++k) expected += s->cost[k];
  s->n_task = 0;
  s->worth = expected > 0 ? n / expected : 0;
  atomic_store(&s->done, 0);
  atomic_store(&s->fresh, 0);
  atomic_store(&s->given_up, false);
  s->failed = SAL_OK;
  s->message = (sal_err_note){{0}};
}

static void note_times(const sal_tile_use *use, const sal_tile_result *result)
{
  for (int64_t i = 0; i < result->count; ++i) {
    result->cell[i].value[SAL_CELL_SECONDS] = use->cpu / (double)result->count;
    result->cell[i].value[SAL_CELL_WALL] = use->wall / (double)result->count;
  }
}

/* A tile whose cells have the same model. */
static sal_err run_alike(sal_tile_space *s, const sal_tile *tile, sal_tile_result *result)
{
  const sal_sweep *sweep = s->sweep;
  const sal_model *m = sweep->model;
  const int n = sal_config_count(sweep);
  double references;

  assert(tile->count >= 1 && tile->count <= s->cells);
  *result = (sal_tile_result){.first = tile->first, .count = tile->count};
  if (!sal_tile_rows_alloc(sweep, tile->count, result))
    return sal_fail(SAL_ERR_MEMORY, "no memory for a tile's records");
  for (int64_t i = 0; i < tile->count; ++i)
    sal_sweep_cell(sweep, tile->first + i, s->param + i * (m->n_param + m->n_option),
                   s->initial + i * m->n_state);

  for (int64_t i = 0; i < tile->count && s->pilots; ++i)
    sal_pilots_useful(s->pilots, tile->first + i, s->useful + i * n);
  sal_tile_kept_take(s, result);
  begin_tile(s);
  const sal_tile_use use = run_shared(s, result, &references);
  s->used.cpu += use.cpu;
  s->used.wall += use.wall;
  s->used.scalar += use.scalar;
  s->used.alone += use.alone;
  s->used.lanes.live += use.lanes.live;
  s->used.lanes.all += use.lanes.all;
  note_times(&use, result);
  if (s->kept) s->kept->fresh = atomic_load(&s->fresh);
  if (atomic_load(&s->given_up)) {
    sal_tile_kept_leave(s, result);
    sal_tile_result_free(result);
    return SAL_ERR_STOPPED;
  }
  if (s->failed != SAL_OK) {
    sal_tile_result_free(result);
    return sal_err_take(s->failed, &s->message);
  }
  learn_costs(s, tile->count, references);
  return SAL_OK;
}

/* The run of cells from tile->first on, with the model that they have. */
static sal_err run_part(sal_tile_space *s, const sal_tile *tile, sal_tile_result *result)
{
  const sal_sweep *sweep = s->sweep;

  s->sweep = sal_variants_at(sweep, tile->first, &s->at);
  const sal_err err = run_alike(s, tile, result);
  s->sweep = sweep;
  return err;
}

sal_err sal_tile_run(sal_tile_space *s, const sal_tile *tile, sal_tile_result *result)
{
  const int64_t n = sal_config_count(s->sweep), end = tile->first + tile->count;
  sal_err err = SAL_OK;

  if (sal_variants_alike(s->sweep, tile->first, tile->count) == tile->count)
    return run_part(s, tile, result);
  assert(!s->kept); /* tiles that are kept are cut where models change */
  *result = (sal_tile_result){.first = tile->first, .count = tile->count};
  if (!sal_tile_rows_alloc(s->sweep, tile->count, result))
    return sal_fail(SAL_ERR_MEMORY, "no memory for a tile's records");
  for (sal_tile part = {.first = tile->first}; part.first < end && err == SAL_OK;
       part.first += part.count) {
    sal_tile_result done = {0};
    part.count = sal_variants_alike(s->sweep, part.first, end - part.first);
    err = run_part(s, &part, &done);
    if (err == SAL_OK) {
      const sal_tile_result to =
          sal_tile_result_part(result, n, part.first - tile->first, part.count);
      memcpy(to.cell, done.cell, (size_t)part.count * sizeof *to.cell);
      memcpy(to.record, done.record, (size_t)(part.count * n) * sizeof *to.record);
      if (to.n_row > 0) memcpy(to.row, done.row, (size_t)(part.count * to.n_row) * sizeof *to.row);
    }
    sal_tile_result_free(&done);
  }
  if (err != SAL_OK) sal_tile_result_free(result);
  return err;
}
