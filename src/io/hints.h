/** Hints for MPI-IO, as a user gives them: how a parallel file system is to cut a file, and how many
 *  ranks write.  They change how fast a file is written, never a value in it, so that no file keeps
 *  them.
 */
#pragma once

#include "err.h"
#include <mpi.h>

/** Is it KEY=VALUE,KEY=VALUE..?  The MPI defines the keys, and ignores others. */
sal_err sal_hints_check(const char *where, const char *text);

/** The hints in force as an MPI_Info, MPI_INFO_NULL without any; sal_hints_free frees them. */
sal_err sal_hints_make(const char *given, MPI_Info *info);
void sal_hints_free(MPI_Info *info);

/** Checks the hints of the environment, SALTUS_HINTS. */
sal_err sal_hints_check_environment(void);
