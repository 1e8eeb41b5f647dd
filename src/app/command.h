/** A command: a row and its code, from which main.c makes the parser, the help and the call.
 *
 *  To add one, write cmd_NAME.c with a sal_cmd_NAME, its options in options.def, and help/COMMAND.txt with its summary, description, notes and examples,
 *  and put a line in commands.def.
 */
#pragma once

#include "cli_option.h"
#include <mpi.h>

/** Groups of commands by purpose: G(ID, "heading"), in the order of the help. */
#define SAL_COMMAND_GROUPS(G)                                                                      \
  G(RUN, "run a sweep")                                                                            \
  G(LOOK, "look at results")                                                                       \
  G(ASK, "ask which solver to use")                                                                \
  G(STUDY, "study one trajectory")
#define SAL_COMMAND_GROUP_ID(id, heading) SAL_COMMAND_##id,
typedef enum { SAL_COMMAND_GROUPS(SAL_COMMAND_GROUP_ID) SAL_N_COMMAND_GROUP } sal_command_group;
#undef SAL_COMMAND_GROUP_ID

/** The call of a command. */
typedef struct {
  const char *line; /* as typed */
  double began;     /* sal_clock_wall at the start */
  MPI_Comm comm;    /* of a parallel command: all ranks */
  int rank, n_rank;
  int status; /* exit status of a success; 0 unless the command sets it */
} sal_command_call;

/** The code of a command and its options; strings and tables are static. */
typedef struct {
  sal_cli_table table[SAL_CLI_MAX_TABLES + 1]; /* its own options, then shared ones */
  size_t size;                                 /* of its struct of options */
  const void *presets;                         /* such a struct; NULL: all zero */
  sal_err (*check)(void *options); /* what rows cannot say, before MPI is up; NULL: nothing */
  sal_err (*run)(void *options, sal_command_call *call);
} sal_command_code;

/** A command: a row of commands.def. */
typedef struct {
  const char *name;
  sal_command_group group;
  const sal_command_code *code;
  bool parallel;    /* runs under MPI: main.c starts it, once the options are checked */
  bool reads_sweep; /* its help names the keys of a sweep file */
  bool
      watched; /* while it integrates, a line now and then shows how far it is (cli_run.h); not with `stops` */
  bool stops; /* a first SIGTERM or SIGUSR1 lets it come to a good end */
} sal_command;
/** The struct of options of a command, from its presets. */
#define SAL_COMMAND_OPTIONS(preset) .size = sizeof(preset), .presets = &(preset)

#define SAL_COMMAND(id, ...) extern const sal_command_code sal_cmd_##id;
#define SAL_COMMAND_OF(wing, ...) SAL_COMMAND(__VA_ARGS__)
#include "commands.def"
#undef SAL_COMMAND_OF
#undef SAL_COMMAND
