/** @file src/app/cmd_run.c
 *  saltus run: the whole way from a sweep file to a cube, on MPI ranks and threads.
 */
#include "cli_sweep.h"
#include "clock.h"
#include "collective_error.h"
#include "command.h"
#include "keys.h"
#include "memory.h"
#include "stop.h"
#include "sweep_read.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_SET = 64, MAX_PART = 1000000 };
enum { KEY_PART = 256 };

typedef struct {
  const char     *sweep_path;
  const char     *set[MAX_SET];
  int             n_set;
  sal_run_options run;
} options;

static const struct argp_option option_table[] = {
    {"set", 's', "KEY=VALUE", 0,
     "override a key of the sweep file, e.g. --set mesh=0.01 --set options.adhesion=clamp; may be "
     "repeated",
     0},
    {"part", KEY_PART, "I/N", 0,
     "run part I of N, 1/N to N/N, and leave its journals to `saltus merge`", 0},
    {0}};

static sal_job_part read_part(struct argp_state *state, const char *text)
{
  char      *slash, *end;
  const long index = strtol(text, &slash, 10), of = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;

  if (of < 1 || of > MAX_PART || *end || index < 1 || index > of)
    argp_error(state, "--part: '%s' is no I/N with 1 <= I <= N <= %d, such as 2/8", text, MAX_PART);
  return (sal_job_part){(int)index, (int)of};
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->run;
    break;
  case KEY_PART:
    o->run.part = read_part(state, arg);
    break;
  case 's':
    if (o->n_set == MAX_SET) argp_error(state, "more than %d --set", MAX_SET);
    o->set[o->n_set++] = arg;
    break;
  case ARGP_KEY_ARG:
    if (o->sweep_path)
      argp_error(state, "one sweep file is enough, found '%s' and '%s'", o->sweep_path, arg);
    o->sweep_path = arg;
    break;
  case ARGP_KEY_END:
    if (!o->sweep_path) argp_error(state, "which sweep file?");
    if (!o->run.out) argp_error(state, "where to?  -o FILE names the cube to write");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

/* The keys of the sweep file, behind the options. */
static char *key_help(int key, const char *text, void *input)
{
  (void)input;
  if (key != ARGP_KEY_HELP_POST_DOC) return (char *)text;
  sal_text out = {0};
  sal_text_add(&out, "%s\n\nKeys of a sweep file (preset):\n", text);
  for (const sal_key *k = sal_keys; k->name; ++k) {
    char allowed[512];
    sal_key_allowed(k, sizeof allowed, allowed);
    sal_text_add(&out, k->preset[0] == '(' ? "  %s %s\n    %s" : "  %s (%s)\n    %s", k->name,
                 k->preset, k->what);
    sal_text_add(&out, *allowed ? "; allowed: %s\n" : "\n%s", allowed);
  }
  char *copy = out.string ? strdup(out.string) : NULL; /* argp frees it */
  sal_text_free(&out);
  return copy;
}

static const struct argp_child children[] = {{.argp = &sal_cli_sweep_argp}, {0}};
static const struct argp       argp       = {
                option_table,
                parse_option,
                "SWEEP.yaml",
                "Integrate every cell of a sweep with every method, strategy and tolerance, compare with the "
                            "reference, score, and write one labelled HDF5 cube."
                            "\vUnder mpirun or srun the ranks share the cells; OMP_NUM_THREADS sets the threads of a "
                            "rank:\n"
                            "  mpirun -n 4 saltus run sweeps/dallas2017.yaml -o results.h5\n"
                            "What is finished is kept in results.h5.journal/ until the cube is there: a run that was "
                            "killed "
                            "goes on when the same command is given again, with any number of ranks.  SIGTERM or SIGUSR1 "
                            "stops a run within seconds, with exit status 85; a second one stops it at once.",
                children,
                key_help,
                NULL};

/* Reads the sweep on every rank and runs it. */
static sal_err whole(double began, const options *o)
{
  sal_sweep sweep;

  SAL_TRY(sal_collective_error(MPI_COMM_WORLD,
                               sal_sweep_read(o->sweep_path, o->n_set, o->set, &sweep)));
  const sal_err err = sal_run_sweep(MPI_COMM_WORLD, began, &o->run, &sweep);
  sal_sweep_free(&sweep);
  return err;
}

sal_err sal_cmd_run(int argc, char *argv[], int *status)
{
  const double began = sal_clock_wall();
  options      o     = {0};
  int          provided;

  *status       = 0;
  char *command = sal_command_line(argc, argv); /* as typed: parsing brings options to the front */
  sal_parse(&argp, argc, argv, &o);
  o.run.command = command ? command : argv[0];
  sal_stop_catch();
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  const sal_err err =
      provided < MPI_THREAD_FUNNELED
          ? sal_fail(SAL_ERR_COMM, "this MPI allows no threads beside it (MPI_THREAD_FUNNELED)")
          : whole(began, &o);
  sal_free(command);
  return err;
}
