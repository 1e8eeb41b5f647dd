/** Options about texts of models and solvers: --compile, --model-c, and those that trust a cube's texts.
 */
#pragma once

#include "cli_run.h"
#include "command.h"
#include <limits.h>

typedef enum {
  SAL_CLI_COMPILE_AUTO,
  SAL_CLI_COMPILE_NEVER,
  SAL_CLI_COMPILE_ALWAYS
} sal_cli_compile_when;

/** The options as given. */
typedef struct {
  sal_cli_compile_when when;
  const char *model; /* a model in C, or NULL */
} sal_cli_compile;

/** A row for a sal_cli_compile, and one for the own table of a command that takes a model in C. */
extern const sal_cli_option sal_cli_compile_options[];
#define SAL_CLI_COMPILE_MODEL(place)                                                               \
  {                                                                                                \
    "model-c", 0, "NAME.c", "run this model in C, which defines sal_NAME", SAL_CLI_TEXT, place     \
  }

/** That row alone for a sal_cli_compile, of commands that run nothing but must know the model of a cube. */
extern const sal_cli_option sal_cli_given_options[];

/** Collective.  Compiles the text of a sweep's model on the first rank where requested, or where it pays for runs that are expected
 *  to take so long, interpreted [s] (NaN: measured on a sample), and loads it on
 *  all; models other than texts of equations are left alone.  After a failure to compile, a line is printed and the text is
 *  interpreted, with the same bits: only failures of communication are returned. */
sal_err sal_cli_compile_sweep(const sal_cli_compile *asked, const sal_command_call *call,
                              bool quiet, const sal_sweep *sweep, double expected);

/** The same for single trajectories on so many lanes, in one process; auto is what has been compiled before. */
void sal_cli_compile_model(const sal_cli_compile *asked, int lanes, sal_provided *text);

/** Checks the words of a single run, whose model may be one in C, and compiles its text. */
sal_err sal_cli_compile_run(const sal_cli_compile *asked, const sal_command_call *call,
                            sal_cli_run_words words, sal_cli_run *run);

/** Collective where there are ranks.  Compiles the model in C on the first rank, where there is one, and has it stand for its file's name
 *  (sal_model_source_give). */
sal_err sal_cli_compile_given(const sal_cli_compile *asked, const sal_command_call *call);

/** The compiler's path and the folder of images; SAL_ERR_IO: there is none. */
sal_err sal_cli_compile_needs(char compiler[PATH_MAX], char folder[PATH_MAX]);

/* Only the user may give these, and no sweep, cube or journal: files to be read for a cube's configurations, and
 * any options of PETSc. */

/** Rows for a sal_cli_texts: --recorded, of commands that run the sweep of a cube or journal. */
extern const sal_cli_option sal_cli_trust_options[];

/** Rows without a member: --petsc-options, which adds to PETSC_OPTIONS of this process; of commands that run
 *  anything. */
extern const sal_cli_option sal_cli_petsc_options[];

/** The user's words as sal_sweep_parse_stored takes them; borrowed. */
sal_sweep_trust sal_cli_trust_of(const sal_cli_texts *recorded);

/** Is it NAME=FILE? */
sal_cli_parser sal_cli_trust_pair;
