/** @file src/io/node_file.h
 *  A file that the ranks of a node have open together.
 *
 *  Its first rank opens it and hands the others the open file itself (SCM_RIGHTS of unix(7)), so that the server of
 *  metadata, which all nodes share, is asked once for each node.
 */
#ifndef SAL_NODE_FILE_H
#define SAL_NODE_FILE_H

#include "err.h"
#include <mpi.h>

/** Collective over the ranks of a node, the first of which has the file `name` open at *fd, with these flags of open(2).
 *  Fills *fd on the others, which close it each for itself.  An error of the file system for a write that fails later is
 *  reported to all of them once, by the first fsync.  Where the open file cannot be handed over a rank opens it by its name; -1, and
 *  errno has the reason, if that fails, too. */
SAL_MUST_CHECK sal_err sal_node_file_share(MPI_Comm node, const char *name, int flags, int *fd);

#endif
