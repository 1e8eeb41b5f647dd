/** path.part (atomic_file.h), open on one rank for HDF5 to write to.
 *
 *  HDF5 writes labels and small datasets when they are closed, and reports no failure of these writes to the caller.  So the
 *  file has the driver of raw/, which notes it, and closing the file reports it.
 */
#pragma once

#include "raw.h"

/** Opens path.part.  is: what the driver is to do besides; NULL: nothing. */
sal_err sal_h5_part_open(const char *path, const sal_h5_append_driver *is, sal_h5 *file);
/** Writes what HDF5 has, gives the file its length, and closes it; fails where any write has.  err: something has failed before, and
 *  the file is to be given up. */
sal_err sal_h5_part_close(sal_h5 *file, sal_err err);
