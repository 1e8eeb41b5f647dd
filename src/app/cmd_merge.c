/** saltus merge: one cube from the journals of a sweep that was divided. */
#include "assemble.h"
#include "atomic_file.h"
#include "base.h"
#include "cli_compile.h"
#include "cli_sweep.h"
#include "clock.h"
#include "collective_error.h"
#include "journal.h"
#include "machine.h"
#include "sweep_read.h"
#include "tile_run.h"
#include <glob.h>

typedef struct {
  const char *out, *hints;
  sal_cli_arguments folder; /* as given; none: those beside the output */
  bool force, same_cpu, quiet, remove;
  sal_cli_texts recorded;
} options;

#define OPTIONS_OF_merge
#include "options.def"

typedef struct {
  const sal_command_call *call;
  glob_t found;
  sal_sweep sweep;
  sal_journal journal;
} state;

/* Adds the characters of a name that glob would take for a pattern as themselves. */
static void add_literally(sal_text *pattern, const char *name)
{
  for (; *name; ++name) sal_text_add(pattern, strchr("*?[\\", *name) ? "\\%c" : "%c", *name);
}

/* The folders beside the output.  Ranks that find others of them fail together when they open
 * the journals. */
static sal_err find_folders(options *o, state *s)
{
  sal_text pattern = {0};
  char place[PATH_MAX];

  if (o->folder.n > 0) return SAL_OK;
  SAL_TRY(sal_atomic_file_place(o->out, place));
  add_literally(&pattern, place);
  sal_text_add(&pattern, ".journal*");
  const int failed = pattern.lost ? GLOB_NOSPACE : glob(pattern.string, 0, NULL, &s->found);
  sal_text_free(&pattern);
  if (failed == GLOB_NOSPACE) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of folders");
  if (failed)
    return sal_fail(SAL_ERR_IO, "%s: found no journals %s.journal* to merge", o->out, o->out);
  o->folder = (sal_cli_arguments){(int)s->found.gl_pathc, s->found.gl_pathv};
  return SAL_OK;
}

/* Where the first hole is, and how large all are. */
static sal_err check_complete(const sal_journal *j)
{
  sal_tile *run = NULL;
  int64_t n;

  if (j->cells == j->sweep->n_cell) return SAL_OK;
  SAL_TRY(sal_journal_missing(j, &run, &n));
  (void)sal_fail(
      SAL_ERR_INPUT,
      "%lld of %lld cells are in no journal, cell %lld the first of them%s; finish the parts "
      "that lack them first",
      (long long)(j->sweep->n_cell - j->cells), (long long)j->sweep->n_cell,
      (long long)run[0].first + 1,
      j->aside > 0 ? " (there are journals with damaged heads, which count for nothing)" : "");
  sal_free(run);
  return SAL_ERR_INPUT;
}

/* Trajectories that are stored are run: the sweep has to be one that can be. */
static sal_err read_to_run(const options *o, sal_sweep *sweep)
{
  const sal_sweep_trust trust = sal_cli_trust_of(&o->recorded);
  sal_sweep run;

  if (sweep->stored.n_cell == 0) return SAL_OK;
  SAL_TRY(sal_sweep_parse_stored(sweep->path, sweep->text, 0, NULL, &trust, &run));
  sal_sweep_free(sweep);
  *sweep = run;
  return SAL_OK;
}

/* Collective: the journals, all of whose cells are there. */
static sal_err open_journals(state *s, options *o)
{
  const sal_command_call *at = s->call;

  SAL_TRY(sal_collective_error(
      at->comm, at->rank == 0 ? sal_atomic_file_claim(o->out, "the output", o->force) : SAL_OK));
  SAL_TRY(sal_collective_error(at->comm, find_folders(o, s)));
  SAL_TRY(sal_collective_error(at->comm, sal_journal_read_sweep(o->folder.text[0], &s->sweep)));
  SAL_TRY(sal_collective_error(at->comm, read_to_run(o, &s->sweep)));
  const sal_journal_ranges ranges = sal_assemble_ranges(&s->sweep);
  SAL_TRY(sal_journal_open(at->comm, o->folder.n, (const char *const *)o->folder.text, &s->sweep,
                           SAL_JOURNAL_READ, &ranges, &s->journal));
  return sal_collective_error(at->comm, check_complete(&s->journal));
}

/* Cells of unlike machines are worth a word, or are refused. */
static sal_err check_machines(const state *s, const options *o)
{
  const sal_text *all = &s->journal.machine;

  if (!sal_machine_differ(&s->sweep, all)) return SAL_OK;
  if (o->same_cpu) return sal_machine_refuse(o->out, all);
  if (s->call->rank == 0 && !o->quiet) fprintf(stderr, SAL_RUN_PRINT_MACHINES, o->out, all->string);
  return SAL_OK;
}

static sal_err make_cube(state *s, const options *o)
{
  const sal_command_call *at = s->call;
  SAL_OWN_BY(sal_pilots_free) sal_pilots *pilots = NULL;
  SAL_OWN char *validation = NULL;

  if (s->sweep.pilots.cells > 0) SAL_TRY(sal_pilot_cells_read(&s->journal, &pilots, &validation));
  const sal_origin origin = {.command = at->line,
                             .machine = s->journal.machine.string,
                             .validation = validation,
                             .ranks = at->n_rank,
                             .threads = sal_tile_threads(),
                             .width = sal_tile_width(&s->sweep)};
  sal_assembly cube = {
      .path = o->out, .origin = &origin, .fresh = !o->force, .map = true, .hints = o->hints};

  const sal_err err = sal_assemble(&s->journal, &cube);
  if (err != SAL_OK) sal_err_add("; the journals are as they were");
  if (err == SAL_OK && at->rank == 0 && !o->quiet && cube.no_map[0])
    fprintf(stderr, "no map: %s\n", cube.no_map);
  return err;
}

static void drop(state *s)
{
  globfree(&s->found);
  sal_journal_close(&s->journal);
  sal_sweep_free(&s->sweep);
}

static sal_err run_merge(void *given, sal_command_call *call)
{
  SAL_OWN_BY(drop) state s = {.call = call};
  options *o = given;

  SAL_TRY(open_journals(&s, o));
  SAL_TRY(check_machines(&s, o));
  SAL_TRY(make_cube(&s, o));
  if (o->remove) SAL_TRY(sal_journal_remove(&s.journal));
  if (call->rank == 0 && !o->quiet)
    fprintf(stderr, "wrote %s from %d folder%s in %.1f s\n", o->out, o->folder.n,
            sal_text_plural(o->folder.n), sal_clock_wall() - call->began);
  return SAL_OK;
}

const sal_command_code sal_cmd_merge = {
    .table = {{rows, 0},
              {sal_cli_trust_options, offsetof(options, recorded)},
              {sal_cli_petsc_options, 0}},
    .size = sizeof(options),
    .run = run_merge};
