/** Can a run write into a folder?  Tried with a small file of its own, which is gone afterwards. */
#pragma once

#include "err.h"
#include <mpi.h>

/** Collective.  All ranks write a file as they write a cube, each reads what the next one wrote, and compares.
 *  SAL_ERR_IO: the folder or its file system do not allow that. */
sal_err sal_folder_probe_parallel(MPI_Comm comm, const char *folder);

/** Collective.  Can all nodes write one file there?  SAL_ERR_IO: not on NFS without locks. */
sal_err sal_folder_probe_nodes(MPI_Comm comm, const char *folder);

/** Of one rank: does a lock of a file hold off another one, as that of a journal has to?  SAL_ERR_IO: no. */
sal_err sal_folder_probe_lock(const char *folder);

/** Bytes that are free there for this user; < 0: not known. */
double sal_folder_probe_free(const char *folder);

/** Is there room for so many bytes?  No: *room are free; or < 0, and a quota is less. */
bool sal_folder_probe_room(const char *folder, double bytes, double *room);
