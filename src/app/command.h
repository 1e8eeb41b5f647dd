/** @file src/app/command.h
 *  What a command is.  To add one, write cmd_NAME.c and put a line in SAL_COMMANDS.
 *  An underscore in NAME is a hyphen to the user.
 */
#ifndef SAL_COMMAND_H
#define SAL_COMMAND_H

#include "err.h"
#include <argp.h>
#include <stdbool.h>

#define SAL_COMMANDS(C)                                                                            \
  C(run, "integrate a sweep and write its cube")                                                   \
  C(merge, "make one cube of the parts of a divided run")                                          \
  C(plan, "say what a sweep would be: cells, size, memory, time")                                  \
  C(tables, "print the tables of the paper from a cube")                                           \
  C(info, "say what a cube or a run's journals hold")                                              \
  C(diff, "compare two cubes, timings aside")                                                      \
  C(trajectory, "integrate one trajectory and write it out")                                       \
  C(list, "list models, methods, strategies or metrics")                                           \
  C(map, "mark the best contender of each cell in a cube")                                         \
  C(store, "run cells of a cube again and keep their trajectories in it")                          \
  C(recommend, "say which solver, strategy and tolerance to use at a point of a cube")             \
  C(rules, "say by if-then rules which solver, strategy and tolerance to use where")               \
  C(regret, "say what it costs to follow a cube's recommendations, off its grid")                  \
  C(refine, "add cells to a cube where its answers change")                                        \
  C(simulate, "say how long the run of a cube takes on more ranks, and what holds it up")          \
  C(bderiv, "print the derivative of a trajectory's end, through impacts")                         \
  C(calibrate_eps, "find the zone at which a projecting strategy has a given error")

/** argv[0] is "saltus NAME".  Returns a code whose message main prints, and sets *status, the exit
 *  status of a success (0 unless the command says otherwise). */
#define SAL_DECLARE_COMMAND(name, what) sal_err sal_cmd_##name(int argc, char *argv[], int *status);
SAL_COMMANDS(SAL_DECLARE_COMMAND)
#undef SAL_DECLARE_COMMAND

/** Parses a command line with argp; prints and exits for --help and for errors in usage. */
void sal_parse(const struct argp *argp, int argc, char *argv[], void *input);

/** The command line with blanks between, to be freed with sal_free; NULL when memory ran out. */
char *sal_command_line(int argc, char *argv[]);

/** The finite number an option was given; prints and exits when it is none. */
double sal_option_number(struct argp_state *state, const char *name, const char *text);

/** For the `default` of a parser whose command takes one cube: its path; prints and exits when
 *  there is none, or more. */
error_t sal_option_cube(int key, char *arg, struct argp_state *state, const char **path);

#endif
