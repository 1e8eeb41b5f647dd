/** @file src/app/cmd_merge.c
 *  saltus merge: one cube from the journals of a sweep that was divided.
 */
#include "assemble.h"
#include "atomic_file.h"
#include "clock.h"
#include "collective_error.h"
#include "command.h"
#include "journal.h"
#include "journal_read.h"
#include "journal_scan.h"
#include "memory.h"
#include "text.h"
#include "tile_run.h"
#include <glob.h>
#include <limits.h>
#include <string.h>

typedef struct {
  const char *out;
  char      **folder; /* [n_folder] as given; none: those beside the output */
  int         n_folder;
  bool        force, quiet, remove;
} options;

static const struct argp_option option_table[] = {
    {"force", 'f', NULL, 0, "overwrite an existing output", 0},
    {"quiet", 'q', NULL, 0, "say nothing", 0},
    {"remove", 'r', NULL, 0, "remove the journals when the cube is there", 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case 'f':
    o->force = true;
    break;
  case 'q':
    o->quiet = true;
    break;
  case 'r':
    o->remove = true;
    break;
  case ARGP_KEY_ARG:
    if (o->out) return ARGP_ERR_UNKNOWN; /* the rest comes at once, below */
    o->out = arg;
    break;
  case ARGP_KEY_ARGS:
    o->folder   = state->argv + state->next;
    o->n_folder = state->argc - state->next;
    break;
  case ARGP_KEY_END:
    if (!o->out) argp_error(state, "where to?  The first argument names the cube to write");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
    .options  = option_table,
    .parser   = parse_option,
    .args_doc = "OUT.h5 [JOURNAL...]",
    .doc = "Make one cube of the journals that the parts of a sweep have left (saltus run --part); "
           "it is the same as that of an undivided run.  Without JOURNAL all folders "
           "OUT.h5.journal* are taken.  May run under mpirun.\v"
           "  for i in 1 2 3; do saltus run sweep.yaml -o out.h5 --part $i/3; done\n"
           "  saltus merge out.h5"};

typedef struct {
  MPI_Comm    comm;
  int         rank, n_rank;
  glob_t      found;
  sal_sweep   sweep;
  sal_journal journal;
  sal_totals  totals;
} state;

/* Adds the characters of a name that glob would take for a pattern as themselves. */
static void add_literally(sal_text *pattern, const char *name)
{
  for (; *name; ++name) sal_text_add(pattern, strchr("*?[\\", *name) ? "\\%c" : "%c", *name);
}

/* The folders beside the output; the same on all ranks, or they agree below that something is
 * amiss. */
static sal_err find_folders(options *o, state *s)
{
  sal_text pattern = {0};

  if (o->n_folder > 0) return SAL_OK;
  add_literally(&pattern, o->out);
  sal_text_add(&pattern, ".journal*");
  const int failed = pattern.lost ? GLOB_NOSPACE : glob(pattern.string, 0, NULL, &s->found);
  sal_text_free(&pattern);
  if (failed == GLOB_NOSPACE) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of folders");
  if (failed)
    return sal_fail(SAL_ERR_INPUT, "%s: there are no journals %s.journal* to merge", o->out,
                    o->out);
  o->folder   = s->found.gl_pathv;
  o->n_folder = (int)s->found.gl_pathc;
  return SAL_OK;
}

/* Where the first hole is, and how large all are. */
static sal_err check_complete(const sal_journal *j)
{
  sal_tile *run = NULL;
  int64_t   n;

  if (j->cells == j->sweep->n_cell) return SAL_OK;
  SAL_TRY(sal_journal_missing(j, &run, &n));
  sal_fail(SAL_ERR_INPUT,
           "%lld of %lld cells are in no journal, cell %lld the first of them; finish the parts "
           "that lack them first",
           (long long)(j->sweep->n_cell - j->cells), (long long)j->sweep->n_cell,
           (long long)run[0].first + 1);
  sal_free(run);
  return SAL_ERR_INPUT;
}

/* Collective: the journals, all of whose cells are there. */
static sal_err open_journals(state *s, options *o)
{
  SAL_TRY(sal_collective_error(s->comm,
                               s->rank == 0 ? sal_atomic_file_claim(o->out, o->force) : SAL_OK));
  SAL_TRY(sal_collective_error(s->comm, find_folders(o, s)));
  SAL_TRY(sal_collective_error(s->comm, sal_journal_read_sweep(o->folder[0], &s->sweep)));
  sal_totals_clear(&s->sweep, &s->totals);
  const sal_journal_visitor visitor = sal_totals_visitor(&s->totals);
  SAL_TRY(sal_journal_open(s->comm, o->n_folder, (const char *const *)o->folder, &s->sweep,
                           SAL_JOURNAL_READ, &visitor, &s->journal));
  return sal_collective_error(s->comm, check_complete(&s->journal));
}

static sal_err make_cube(state *s, const options *o, const char *command)
{
  const sal_cube_origin origin = {.command = command,
                                  .ranks   = s->n_rank,
                                  .threads = sal_tile_threads(),
                                  .width   = sal_tile_width(&s->sweep)};
  sal_assembly          cube   = {
                 .path = o->out, .origin = &origin, .totals = &s->totals, .fresh = !o->force, .map = true};

  const sal_err err = sal_assemble(&s->journal, &cube);
  if (err != SAL_OK) sal_err_add("; the journals are as they were");
  if (err == SAL_OK && s->rank == 0 && !o->quiet && cube.no_map[0])
    fprintf(stderr, "no map: %s\n", cube.no_map);
  return err;
}

static sal_err merge_journals(state *s, options *o, const char *command)
{
  const double began = sal_clock_wall();

  SAL_TRY(open_journals(s, o));
  SAL_TRY(make_cube(s, o, command));
  if (o->remove)
    SAL_TRY(sal_collective_error(s->comm, s->rank == 0 ? sal_journal_remove(&s->journal) : SAL_OK));
  if (s->rank == 0 && !o->quiet)
    fprintf(stderr, "wrote %s from %d folder%s in %.1f s\n", o->out, o->n_folder,
            o->n_folder == 1 ? "" : "s", sal_clock_wall() - began);
  return SAL_OK;
}

sal_err sal_cmd_merge(int argc, char *argv[], int *status)
{
  options o = {0};
  state   s = {.comm = MPI_COMM_WORLD};
  int     provided;

  *status       = 0;
  char *command = sal_command_line(argc, argv);
  sal_parse(&argp, argc, argv, &o);
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(s.comm, &s.rank);
  MPI_Comm_size(s.comm, &s.n_rank);
  const sal_err err = merge_journals(&s, &o, command ? command : argv[0]);
  sal_free(command);
  globfree(&s.found);
  sal_journal_close(&s.journal);
  sal_sweep_free(&s.sweep);
  return err;
}
