/** @file src/app/cli_trust.h
 *  What only the user may say, and no sweep, cube or journal: files to be read for a cube's configurations, and
 *  any options of PETSc.
 */
#ifndef SAL_CLI_TRUST_H
#define SAL_CLI_TRUST_H

#include "cli_option.h"
#include "sweep.h"

/** Rows for a sal_cli_texts: --recorded, of commands that run the sweep of a cube or journal. */
extern const sal_cli_option sal_cli_trust_options[];

/** Rows without a member: --petsc-options, which adds to PETSC_OPTIONS of this process; of commands that run
 *  anything. */
extern const sal_cli_option sal_cli_petsc_options[];

/** The user's words as sal_sweep_parse_stored takes them; borrowed. */
sal_sweep_trust sal_cli_trust_of(const sal_cli_texts *recorded);

/** Is each of them NAME=FILE? */
SAL_MUST_CHECK sal_err sal_cli_trust_check(const sal_cli_texts *recorded);

#endif
