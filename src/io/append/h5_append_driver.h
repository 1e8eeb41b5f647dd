/** @file src/io/append/h5_append_driver.h
 *  A file driver of HDF5 that writes after the end of a file alone, or places values without writing
 *  them.  Metadata of the file are read in blocks (read_window.h).
 *
 *  No write fails for HDF5: version 1.10 forgets a failure that comes as an object is closed, and crashes the program at its end
 *  where a file could not be closed.  The caller that closes the file queries it (sal_h5_append_driver_freeze).
 */
#ifndef SAL_H5_APPEND_DRIVER_H
#define SAL_H5_APPEND_DRIVER_H

#include <hdf5.h>
#include <stdbool.h>

/** A node of an index of chunks: where it is, and its bytes. */
typedef struct {
  haddr_t at;
  size_t size;
} sal_h5_append_index;

/** First bytes of the file as HDF5 is to read them; size 0: as in the file. */
typedef struct {
  unsigned char first[48];
  size_t size;
  haddr_t end;     /* of what must stay as it is: nothing is written before it */
  haddr_t *placed; /* gets where values were to go, which are not written; NULL: they are */
  sal_h5_append_index
      *index; /* gets the node of an index of chunks that was written last; NULL: not wanted */
} sal_h5_append_driver;

/** Gives a list of access properties the driver; what is written before `end` stays in memory.
 *  Negative on failure. */
herr_t sal_h5_append_driver_set(hid_t access, const sal_h5_append_driver *driver);

/** Where HDF5 puts what comes next; from now on that is `end` or after it: what lies before is the caller's.  Negative on
 *  failure. */
herr_t sal_h5_append_driver_end(hid_t file, haddr_t *end);
herr_t sal_h5_append_driver_claim(hid_t file, haddr_t end);

/** From now on nothing that is written to this open file gets into it any more; *end: where it ends.  0, or the errno of the
 *  first write that failed: HDF5 has no report of it, and has read the bytes from memory since. */
int sal_h5_append_driver_freeze(hid_t file, haddr_t *end);

#endif
