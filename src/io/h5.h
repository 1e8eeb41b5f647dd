/** @file src/io/h5.h
 *  HDF5 with failures of ours: quiet, one message, no leaks on the way out.
 *
 *  HDF5 prints its error stack by itself unless told otherwise; here the innermost description, the
 *  only one that names a cause, becomes the message.  Identifiers are declared SAL_HID and close
 *  themselves at the end of their block, so that SAL_TRY_H5 may leave at any place.
 */
#ifndef SAL_H5_H
#define SAL_H5_H

#include "err.h"
#include "memory.h"
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/** An open file, or a group that stands for it, and what to call it in messages. */
typedef struct {
  hid_t id;
  const char *path;
  int first_dimension; /* number of the first dimension of a group (dimension.h) */
} sal_h5;

/** An identifier that is closed when its block ends; negative ones are left alone. */
#define SAL_HID __attribute__((cleanup(sal_h5_drop))) hid_t
void sal_h5_drop(const hid_t *id);

/** Leaves the function when an HDF5 call gives a negative identifier or status. */
#define SAL_TRY_H5(file, call)                                                                     \
  do {                                                                                             \
    if ((call) < 0) return sal_h5_fail(file) == SAL_ERR_MEMORY ? SAL_ERR_MEMORY : SAL_ERR_IO;      \
  } while (0)

/** Memory for n things, zero; leaves the function when there is none. */
#define SAL_TRY_ROOM(file, pointer, n)                                                             \
  do {                                                                                             \
    (pointer) = sal_alloc((size_t)(n), sizeof *(pointer));                                         \
    if (!(pointer)) {                                                                              \
      sal_h5_full(file);                                                                           \
      return SAL_ERR_MEMORY;                                                                       \
    }                                                                                              \
  } while (0)

/** Records "path: what HDF5 says" and returns SAL_ERR_IO, or as sal_h5_full where a driver of ours has said so; to be
 *  called before other HDF5 calls. */
sal_err sal_h5_fail(const sal_h5 *file);
/** Records that memory ran out, and returns SAL_ERR_MEMORY. */
sal_err sal_h5_full(const sal_h5 *file);
/** For drivers: tells HDF5, whose call then fails, that memory ran out. */
void sal_h5_push_full(void);

/** Stops HDF5 from printing.  Every public function that may be the first to use HDF5 calls it. */
void sal_h5_quiet(void);

/** A new list of properties for opening files: everything in the file is closed with it, and new
 *  objects are of the format of HDF5 1.8, which has a checksum on each label and header. */
hid_t sal_h5_access(void);

/** Creates a file in memory, to be saved as `path`.  HDF5 never meets a full disk this way: when a
 *  close fails, version 1.10 leaves an identifier that crashes the program at its end. */
SAL_MUST_CHECK sal_err sal_h5_create(const char *path, sal_h5 *file);
/** Writes a file in memory to path.part, with room for `room` more bytes claimed after it. */
SAL_MUST_CHECK sal_err sal_h5_save(const sal_h5 *file, int64_t room);
/** The same to a path.part that is there already, new and empty. */
SAL_MUST_CHECK sal_err sal_h5_fill(const sal_h5 *file, int64_t room);
/** Opens path.part to change it; `access` is a list of sal_h5_access, with a driver set or not. */
SAL_MUST_CHECK sal_err sal_h5_open_part(const char *path, hid_t access, sal_h5 *file);
/** Closes the file and everything still open in it; harmless on a file that is not open. */
SAL_MUST_CHECK sal_err sal_h5_close(sal_h5 *file);

/** Is there an object, or an attribute of the object `at`?  An index that is damaged is a failure,
 *  not an absence. */
SAL_MUST_CHECK sal_err sal_h5_has(const sal_h5 *file, const char *name, bool *there);
SAL_MUST_CHECK sal_err sal_h5_has_attribute(const sal_h5 *file, hid_t at, const char *name,
                                            bool *there);

/** An attribute of the object `at`: an array of n numbers (n = 0: a single one) whose type in
 *  memory becomes the type in the file.  h5_text.h has those of text. */
SAL_MUST_CHECK sal_err sal_h5_put(const sal_h5 *file, hid_t at, const char *name, hid_t type, int n,
                                  const void *value);

/** Reads an attribute of the root group, a single number.  A missing one is SAL_ERR_INPUT. */
SAL_MUST_CHECK sal_err sal_h5_get(const sal_h5 *file, const char *name, hid_t type, void *value);
/** Opens an attribute of the object `at` that holds one value; the caller closes it. */
SAL_MUST_CHECK sal_err sal_h5_open_scalar(const sal_h5 *file, hid_t at, const char *name,
                                          hid_t *attribute);

#endif
