/** @file src/io/shared_file.h
 *  A file that all ranks have open to write to, while HDF5 has it open on one rank alone.
 *
 *  Each rank writes its own bytes where they belong, without waiting for others, and the system reports to it whether they are
 *  written: what MPI-IO reports of that differs from one MPI to the next.
 */
#ifndef SAL_SHARED_FILE_H
#define SAL_SHARED_FILE_H

#include "err.h"
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/** Zero but for fd, -1, is none. */
typedef struct {
  const char *path; /* borrowed: its name in messages */
  MPI_Comm comm, node;
  int fd;     /* -1: not open */
  bool locks; /* what is written is locked meanwhile, for nodes on NFS */
} sal_shared_file;

/** Collective.  Opens the file `name`, once for each node (node_file.h).  After a failure, too, sal_shared_file_close. */
SAL_MUST_CHECK sal_err sal_shared_file_open(MPI_Comm comm, const char *name, const char *path,
                                            sal_shared_file *file);
/** Collective.  Can all nodes write one file in this folder?  SAL_ERR_IO: not without locks. */
SAL_MUST_CHECK sal_err sal_shared_file_try(MPI_Comm comm, const char *folder);

/** Collective; harmless on one that is not open.  Brings what has been written to the disk. */
SAL_MUST_CHECK sal_err sal_shared_file_close(sal_shared_file *file);

/** Writes n bytes; `what` they are, in messages. */
SAL_MUST_CHECK sal_err sal_shared_file_put(const sal_shared_file *file, const char *what,
                                           int64_t at, int64_t n, const void *bytes);

#endif
