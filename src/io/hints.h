/** MPI-IO: the files that Open MPI leaves, and its hints, as a user gives them: how a parallel file system is to cut a file, and how many
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

/* Files that Open MPI leaves where a run ends while a file is open on several nodes.
 *
 * Beside a file that MPI-IO opens there Open MPI keeps the file pointer that all ranks share, FILE-JOB-PROCESS.lock
 * (component lockedfile of its framework sharedfp), and removes it when the file is closed.  No other component
 * opens files on several nodes and leaves nothing else where a run ends for want of memory. */

/** Removes those of path.part, for the rank that has given it its name.  Left alone are those of a process that is
 *  there on this machine, and files of another name, size or owner, or that are not regular.  A file that
 *  cannot be removed stays. */
void sal_left_pointers_remove(const char *path);
