/** @file src/app/main.c
 *  saltus COMMAND: finds the command, prints the one message of a failure, ends with its status.
 */
#include "command.h"
#include "stop.h"
#include "text.h"
#include "value.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAL_COMMAND_ROW(name, what) {#name, what, sal_cmd_##name},
static struct command {
  char        name[24];
  const char *what;
  sal_err (*run)(int argc, char *argv[], int *status);
} commands[] = {SAL_COMMANDS(SAL_COMMAND_ROW)};
enum { N_COMMAND = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
  fprintf(out,
          "Usage: saltus COMMAND [OPTION...]\n"
          "Which ODE solver, which handling of phase changes and which tolerance to use for a\n"
          "mechanical system with impacts.\n\n");
  for (int i = 0; i < N_COMMAND; ++i)
    fprintf(out, "  %-14s %s\n", commands[i].name, commands[i].what);
  fprintf(out, "\n`saltus COMMAND --help` explains a command.  A first run:\n\n"
               "  saltus run sweeps/dallas2017.yaml -o results.h5\n"
               "  saltus tables results.h5\n");
}

/* Before MPI is up only the launcher's environment tells who speaks for all ranks. */
static bool first_process(void)
{
  static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"};

  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; ++i) {
    const char *rank = getenv(ranks[i]);
    if (rank) return strcmp(rank, "0") == 0;
  }
  return true;
}

void sal_parse(const struct argp *argp, int argc, char *argv[], void *input)
{
  const unsigned flags = first_process() ? 0 : ARGP_NO_ERRS | ARGP_NO_HELP;

  argp_err_exit_status = sal_err_exit(SAL_ERR_USAGE);
  if (argp_parse(argp, argc, argv, flags, NULL, input) != 0) exit(argp_err_exit_status);
}

char *sal_command_line(int argc, char *argv[])
{
  sal_text text = {0};

  for (int i = 0; i < argc; ++i) sal_text_add(&text, "%s%s", i ? " " : "", argv[i]);
  return sal_text_take(&text);
}

double sal_option_number(struct argp_state *state, const char *name, const char *text)
{
  double value = 0;

  if (!sal_value_read(text, &value)) argp_error(state, "--%s: '%s' is no number", name, text);
  return value;
}

error_t sal_option_cube(int key, char *arg, struct argp_state *state, const char **path)
{
  if (key == ARGP_KEY_ARG) {
    if (*path) argp_error(state, "one cube at a time, found '%s' and '%s'", *path, arg);
    *path = arg;
    return 0;
  }
  if (key != ARGP_KEY_END) return ARGP_ERR_UNKNOWN;
  if (!*path) argp_error(state, "which cube?");
  return 0;
}

static int unknown(const char *word)
{
  const char *names[N_COMMAND + 1] = {NULL};

  for (int i = 0; i < N_COMMAND; ++i) names[i] = commands[i].name;
  const sal_err code = sal_text_unknown(SAL_ERR_USAGE, "saltus", "command", word, names);
  fprintf(stderr, "%s\n", sal_err_message());
  return sal_err_exit(code);
}

/* A failure has been agreed on by all ranks of a parallel command, so one of them speaks. */
static bool speaks(void)
{
  int on = 0, over = 0, rank = 0;

  MPI_Initialized(&on);
  MPI_Finalized(&over);
  if (on && !over) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

static int run(const struct command *command, int argc, char *argv[])
{
  char name[64];
  int  status = 0, on = 0;

  snprintf(name, sizeof name, "saltus %.*s", (int)sizeof command->name, command->name);
  argv[0]            = name;
  const sal_err code = command->run(argc, argv, &status);
  if (code != SAL_OK && speaks())
    fprintf(stderr, "saltus %s: %s\n", command->name, sal_err_message());
  MPI_Initialized(&on);
  if (on && (code == SAL_ERR_COMM || sal_err_must_abort()))
    MPI_Abort(MPI_COMM_WORLD, sal_err_exit(code));
  if (on) MPI_Finalize();
  return code == SAL_OK ? status : sal_err_exit(code);
}

/* Users write a hyphen where an identifier has an underscore. */
static void spell_names(void)
{
  for (int i = 0; i < N_COMMAND; ++i)
    for (char *c = commands[i].name; (c = strchr(c, '_')) != NULL;) *c = '-';
}

int main(int argc, char *argv[])
{
  sal_stop_ignore_size_limit();
  spell_names();
  if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
      strcmp(argv[1], "help") == 0) {
    print_help(argc < 2 ? stderr : stdout);
    return argc < 2 ? sal_err_exit(SAL_ERR_USAGE) : 0;
  }
  for (int i = 0; i < N_COMMAND; ++i)
    if (strcmp(argv[1], commands[i].name) == 0) return run(&commands[i], argc - 1, argv + 1);
  return unknown(argv[1]);
}
