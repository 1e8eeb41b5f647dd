/** @file src/io/shared_file.h
 *  A file that all ranks have open by MPI-IO, while HDF5 has it open on one rank alone.
 *
 *  Each rank writes its own bytes where they belong, without waiting for others.
 */
#ifndef SAL_SHARED_FILE_H
#define SAL_SHARED_FILE_H

#include "err.h"
#include <mpi.h>
#include <stdint.h>

typedef struct {
  const char *path; /* borrowed: its name in messages */
  MPI_Comm comm;
  MPI_File data; /* MPI_FILE_NULL: not open */
} sal_shared_file;

/** Collective.  Opens the file `name`; hints: for MPI-IO (hints.h). */
SAL_MUST_CHECK sal_err sal_shared_file_open(MPI_Comm comm, const char *name, const char *path,
                                            MPI_Info hints, sal_shared_file *file);
/** Collective; harmless on one that is not open.  Brings what has been written to the disk. */
SAL_MUST_CHECK sal_err sal_shared_file_close(sal_shared_file *file);

/** Writes n bytes, reads them back and compares: MPI may report success of a write that has failed.
 *  `what` they are, in messages. */
SAL_MUST_CHECK sal_err sal_shared_file_put(const sal_shared_file *file, const char *what,
                                           int64_t at, int64_t n, const void *bytes);

/** "path: cannot be WHAT: .." of a code of MPI; what: "written", "read". */
sal_err sal_shared_file_fail(const sal_shared_file *file, const char *what, int code);

#endif
