/** Journals, cells, cube: what `saltus run` does with a sweep that has been read. */
#include "run_sweep.h"
#include "assemble.h"
#include "atomic_file.h"
#include "base.h"
#include "clock.h"
#include "collective_error.h"
#include "folder_probe.h"
#include "journal.h"
#include "machine.h"
#include "map_cube.h"
#include "node.h"
#include "tile_run.h"
#include <unistd.h>

/* State of the run on this rank. */
typedef struct {
  MPI_Comm comm;
  int rank, n_rank;
  double began;
  const sal_sweep *sweep;
  char folder[PATH_MAX];
  const char *folders[1];
  sal_journal journal;
  sal_run_status status;
  sal_run_use use;
  sal_pilots *pilots; /* NULL: none */
  sal_reuse *reuse;   /* NULL: nothing is taken over */
  sal_reuse_count reused;
  sal_cube_ahead *ahead; /* NULL: nothing of the cube is written before all cells are there */
  char *validation;      /* what they are worth, in words */
} state;

static void print_event(const state *s, const sal_run_options *o, sal_run_event event,
                        const char *why, const sal_run_use *use)
{
  const sal_run_news news = {.sweep = s->sweep,
                             .out = o->out,
                             .folder = s->folder,
                             .ranks = s->n_rank,
                             .threads = sal_tile_threads(),
                             .width = sal_tile_width(s->sweep),
                             .part = o->part,
                             .cells = s->status.cells,
                             .found = s->status.found,
                             .damaged = s->journal.damaged,
                             .aside = s->journal.aside,
                             .from = o->from,
                             .reuse = &s->reused,
                             .seconds = sal_clock_wall() - s->began,
                             .why = why,
                             .use = use};

  if (s->rank == 0 && !o->quiet && o->print) o->print(event, &news);
}

/* Collective.  The use of all ranks [n_rank], to be freed, on rank 0; NULL on the others, and when memory
 * is short, which is not a failure. */
static sal_err gather_use(const state *s, sal_run_use **use)
{
  const int size = sizeof s->use;

  *use = s->rank == 0 ? sal_alloc((size_t)s->n_rank, sizeof **use) : NULL;
  int ready = *use != NULL;
  SAL_TRY_MPI(MPI_Bcast(&ready, 1, MPI_INT, 0, s->comm));
  if (ready) SAL_TRY_MPI(MPI_Gather(&s->use, size, MPI_BYTE, *use, size, MPI_BYTE, 0, s->comm));
  return SAL_OK;
}

/* Collective. */
static sal_err print_end(state *s, const sal_run_options *o)
{
  SAL_OWN sal_run_use *use = NULL;

  SAL_TRY(gather_use(s, &use));
  const sal_run_use sum = sal_run_use_sum(use ? s->n_rank : 0, use);
  sal_run_status_print_end(&s->status, sal_clock_wall() - s->began, use ? &sum : NULL);
  print_event(s, o, SAL_RUN_ENDS, NULL, use);
  return SAL_OK;
}

static const char *state_name(sal_err err)
{
  return err == SAL_OK ? "writing" : err == SAL_ERR_STOPPED ? "stopped" : "failed";
}

static sal_err open_status(state *s, const sal_run_options *o)
{
  s->status = (sal_run_status){.status_path = s->rank == 0 ? o->status : NULL,
                               .every = o->every,
                               .quiet = o->quiet || s->rank != 0,
                               .cells = sal_job_part_cells(o->part, s->sweep->n_cell),
                               .configs = sal_config_count(s->sweep),
                               .ranks = s->n_rank,
                               .threads = sal_tile_threads()};

  SAL_TRY(sal_run_cells_found(&s->journal, o->part, &s->status.found));
  return sal_run_status_begin(&s->status);
}

/* Collective.  Cells that come of unlike machines are worth a word, or are refused. */
static sal_err check_machines(const state *s, const sal_run_options *o)
{
  static const sal_text none = {0};
  const sal_journal *j = &s->journal;
  SAL_OWN_BY(sal_text_free) sal_text all = {0};

  SAL_TRY(
      sal_collective_error(s->comm, sal_machine_join(&all, j->machine.string, j->machine.length)));
  if (s->reuse)
    SAL_TRY(sal_collective_error(s->comm, sal_machine_join(&all, sal_reuse_machine(s->reuse),
                                                           strlen(sal_reuse_machine(s->reuse)))));
  SAL_TRY(sal_machine_gather(s->comm, s->status.found < s->status.cells ? &j->here : &none, &all));
  if (!sal_machine_differ(s->sweep, &all)) return SAL_OK;
  if (o->same_cpu) return sal_machine_refuse(s->folder, &all);
  print_event(s, o, SAL_RUN_MACHINES, all.string, NULL);
  return SAL_OK;
}

sal_err sal_run_claim(const sal_run_options *o)
{
  char folder[PATH_MAX];
  const sal_err err = sal_atomic_file_claim(o->out, "the output", o->force);

  if (err == SAL_ERR_EXISTS && sal_journal_folder(o->out, 1, 1, folder) == SAL_OK &&
      access(folder, F_OK) == 0)
    sal_err_add("; in the end it removes %s, journals of another run, or of one that was killed "
                "after it had written the output",
                folder);
  return err;
}

/* Collective. */
static sal_err open_reuse(state *s, const sal_run_options *o)
{
  if (!o->from) return SAL_OK;
  SAL_TRY(sal_reuse_open(s->comm, o->from, o->force, s->sweep, &s->reuse));
  SAL_TRY(sal_collective_first(s->comm, sal_reuse_all(s->reuse, &s->reused)));
  print_event(s, o, SAL_RUN_REUSES, NULL, NULL);
  return SAL_OK;
}

/* Everything that can be refused before there is work done. */
static sal_err prepare_run(state *s, const sal_run_options *o)
{
  const sal_journal_ranges ranges = sal_assemble_ranges(s->sweep);
  SAL_TRY(sal_collective_first(s->comm, sal_run_claim(o)));
  print_event(s, o, SAL_RUN_BEGINS, NULL, NULL);
  SAL_TRY(sal_journal_folder(o->out, o->part.index, o->part.of, s->folder));
  s->folders[0] = s->folder;
  SAL_TRY(open_reuse(s, o));
  SAL_TRY(sal_journal_open(s->comm, 1, s->folders, s->sweep,
                           o->force ? SAL_JOURNAL_ANEW : SAL_JOURNAL_WRITE, &ranges, &s->journal));
  if (o->part.of == 1) SAL_TRY(sal_folder_probe_nodes(s->comm, s->folder));
  if (o->seed) SAL_TRY(o->seed(o->with, &s->journal));
  SAL_TRY(sal_collective_error(s->comm, open_status(s, o)));
  print_event(s, o, SAL_RUN_FOUND, NULL, NULL);
  return check_machines(s, o);
}

/* Collective.  Counts the cells that journals now have; sets the message when a signal ended the run. */
static sal_err count_done(state *s, const sal_run_options *o, sal_err ran)
{
  int64_t done;

  if (ran != SAL_OK && ran != SAL_ERR_STOPPED) return ran;
  SAL_TRY(sal_collective_error(s->comm, sal_run_cells_found(&s->journal, o->part, &done)));
  sal_run_status_pause(&s->status, done);
  if (ran == SAL_ERR_STOPPED)
    return sal_fail(
        ran,
        o->once ? "a signal stopped it when %lld of %lld cells were in %s"
                : "a signal stopped it; %lld of %lld cells are in %s, and the same command goes "
                  "on from there",
        (long long)done, (long long)s->status.cells, s->folder);
  if (done < s->status.cells)
    return sal_fail(SAL_ERR_IO, "%s: %lld cells are lost again; run it once more", s->folder,
                    (long long)(s->status.cells - done));
  return SAL_OK;
}

/* The same as they go through the bar: what is found is there before the next cells are run. */
static sal_err count_found(state *s, const sal_run_options *o)
{
  SAL_TRY(
      sal_collective_error(s->comm, sal_run_cells_found(&s->journal, o->part, &s->status.found)));
  s->status.done = s->status.found;
  return SAL_OK;
}

static sal_run_cells_task task_of(state *s, const sal_run_options *o)
{
  return (sal_run_cells_task){.comm = s->comm,
                              .sweep = s->sweep,
                              .journal = &s->journal,
                              .part = o->part,
                              .pilots = s->pilots,
                              .reuse = s->reuse,
                              .sync = o->sync,
                              .status = &s->status,
                              .quiet = o->quiet};
}

/* Collective.  Cells that are run whole come first, since the others go by them. */
static sal_err run_pilots(state *s, const sal_run_options *o)
{
  const int64_t whole = sal_pilots_whole(s->sweep);
  sal_run_cells_task task = task_of(s, o);
  int64_t missing;

  SAL_TRY(sal_collective_error(s->comm, sal_run_cells_missing(&s->journal, whole, &missing)));
  task.whole = whole;
  if (missing > 0) {
    SAL_TRY(sal_run_cells(&task, &s->use));
    SAL_TRY(count_found(s, o));
    SAL_TRY(sal_collective_error(s->comm, sal_run_cells_missing(&s->journal, whole, &missing)));
    if (missing > 0)
      return sal_fail(SAL_ERR_IO, "%s: %lld cells are lost again; run it once more", s->folder,
                      (long long)missing);
  }
  SAL_TRY(sal_pilot_cells_read(&s->journal, &s->pilots, &s->validation));
  print_event(s, o, SAL_RUN_PILOTS, s->validation, NULL);
  return SAL_OK;
}

static sal_err run_missing(state *s, const sal_run_options *o)
{
  if (s->sweep->pilots.cells > 0) {
    const sal_err err = run_pilots(s, o);
    if (err != SAL_OK) return count_done(s, o, err);
  }
  if (s->status.found == s->status.cells) return SAL_OK;
  sal_run_cells_task task = task_of(s, o);
  if (o->part.of == 1 && sal_run_cells_unit(s->sweep, s->n_rank) > 0)
    SAL_TRY(sal_cube_ahead_open(s->comm, o->out, s->sweep, o->hints, &s->ahead));
  task.ahead = s->ahead;
  return count_done(s, o, sal_run_cells(&task, &s->use));
}

static sal_err compute_cells(state *s, const sal_run_options *o)
{
  const sal_err err = run_missing(s, o);

  sal_run_status_print(&s->status, state_name(err));
  return err;
}

/* Collective.  The cube is there: what cannot be removed is worth a word, but no failure. */
static void remove_journals(const state *s, const sal_run_options *o)
{
  if (sal_journal_remove(&s->journal) == SAL_OK) return;
  print_event(s, o, SAL_RUN_JOURNALS_STAY, sal_err_message(), NULL);
  sal_err_clear();
}

/* Can the same command succeed where it failed: when there is room on the disk again, memory, or another network? */
static bool again_helps(sal_err err)
{
  return err == SAL_ERR_IO || err == SAL_ERR_MEMORY || err == SAL_ERR_COMM ||
         err == SAL_ERR_STOPPED;
}

/* Collective.  After a failure, whose message stays. */
static sal_err drop_journals(const state *s, sal_err failed)
{
  sal_err_note note = {{0}};

  if (!s->journal.begun) return failed;
  sal_err_keep(&note);
  if (sal_journal_remove(&s->journal) != SAL_OK) sal_err_clear();
  return sal_err_take(failed, &note);
}

static sal_err make_cube(state *s, const sal_run_options *o)
{
  const double ready = sal_clock_wall();
  const sal_origin origin = {.command = o->command,
                             .machine = s->journal.machine.string,
                             .validation = s->validation,
                             .ranks = s->n_rank,
                             .threads = sal_tile_threads(),
                             .width = sal_tile_width(s->sweep),
                             .engine =
                                 s->sweep->source ? sal_provided_engine(s->sweep->source) : NULL,
                             .wall_seconds = ready - s->began};
  sal_assembly cube = {.path = o->out,
                       .origin = &origin,
                       .fresh = !o->force,
                       .map = o->map,
                       .hints = o->hints,
                       .ahead = s->ahead};

  const sal_err err = sal_assemble(&s->journal, &cube);
  if (err != SAL_OK && !o->once)
    sal_err_add(again_helps(err)
                    ? "; the journals stay in %s, and the same command goes on from there"
                    : "; the journals stay in %s",
                s->folder);
  SAL_TRY(err);
  if (cube.no_map[0]) print_event(s, o, SAL_RUN_NO_MAP, cube.no_map, NULL);
  remove_journals(s, o);
  s->use.io = sal_clock_wall() - ready;
  return SAL_OK;
}

static sal_err run_all(state *s, const sal_run_options *o)
{
  SAL_TRY(prepare_run(s, o));
  SAL_TRY(compute_cells(s, o));
  const sal_err err = o->part.of == 1 ? make_cube(s, o) : SAL_OK;
  if (err == SAL_OK) return print_end(s, o);
  sal_run_status_print(&s->status, state_name(err));
  return err;
}

sal_err sal_run_sweep(MPI_Comm comm, double began, const sal_run_options *o, const sal_sweep *sweep)
{
  state s = {.comm = comm, .began = began, .sweep = sweep};

  if (o->silence > 0) sal_heartbeat_set_patience(o->silence);
  s.rank = sal_collective_rank(comm);
  s.n_rank = sal_collective_ranks(comm);
  sal_err err = run_all(&s, o);
  const sal_err ended = sal_run_status_end(&s.status);
  if (err == SAL_OK) err = sal_collective_error(comm, ended);
  if (err != SAL_OK && o->once) err = drop_journals(&s, err);
  sal_journal_close(&s.journal);
  sal_cube_ahead_close(&s.ahead);
  sal_pilots_free(&s.pilots);
  sal_reuse_close(&s.reuse);
  sal_free(s.validation);
  return err;
}

/* As measured: the program with MPI and HDF5; a library of solvers, which only what uses it loads. */
static const double program_bytes = 13e6, library_bytes = 15e6;

/* Joint axes have as many values as there are cells; see sal_map_size_of. */
double sal_run_bytes(const sal_sweep *s)
{
  const double times = sal_map_size_times(s);
  double bytes = program_bytes + (sal_sweep_has_engine(s) ? library_bytes : 0);

  for (int a = 0; a < s->n_axis; ++a) {
    const bool joint = s->axis[a].n_column > 1 && s->axis[a].n_point > 1;
    bytes += (joint ? times : 1) * sal_axis_bytes(&s->axis[a]);
  }
  return bytes;
}
