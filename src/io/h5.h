/** HDF5 with failures of ours: quiet, one message, no leaks on the way out.
 *
 *  HDF5 prints its error stack by default; here the innermost description, the
 *  only one that names a cause, becomes the message.  Identifiers are declared SAL_HID and close
 *  themselves at the end of their block, so that SAL_TRY_H5 may leave at any place.
 */
#pragma once

#include "memory.h"
#include "text.h"
#include <hdf5.h>

/** An open file, or a group that stands for it, and what to call it in messages. */
typedef struct {
  hid_t id;
  const char *path;
  int first_dimension; /* number of the first dimension of a group (variable.h) */
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
      (void)sal_h5_full(file);                                                                     \
      return SAL_ERR_MEMORY;                                                                       \
    }                                                                                              \
  } while (0)

/** Records "path: HDF5's message" and returns SAL_ERR_IO, or as sal_h5_full where our driver reported that; to be
 *  called before other HDF5 calls. */
sal_err sal_h5_fail(const sal_h5 *file);
/** Records that memory ran out, and returns SAL_ERR_MEMORY. */
sal_err sal_h5_full(const sal_h5 *file);
/** For drivers: reports to HDF5, whose call then fails, that memory ran out. */
void sal_h5_push_full(void);

/** Stops HDF5 from printing.  Every public function that may be the first to use HDF5 calls it. */
void sal_h5_quiet(void);

/** A new list of properties for opening files: everything in the file is closed with it, and new
 *  objects are of the format of HDF5 1.8, which has a checksum on each label and header. */
hid_t sal_h5_access(void);

/** Creates a file in memory, to be saved as `path`.  HDF5 never writes to a full disk this way: when a
 *  close fails, version 1.10 leaves an identifier that crashes the program at its end. */
sal_err sal_h5_create(const char *path, sal_h5 *file);
/** Writes a file in memory to the beginning of path.part, which is there, with room for `room` more bytes claimed after it. */
sal_err sal_h5_fill(const sal_h5 *file, int64_t room);
/** Opens path.part to change it; `access` is a list of sal_h5_access, with a driver set or not. */
sal_err sal_h5_open_part(const char *path, hid_t access, sal_h5 *file);
/** Closes the file and everything still open in it; harmless on a file that is not open.  Returns err, the
 *  failure before, or, without one, that of closing. */
sal_err sal_h5_close(sal_h5 *file, sal_err err);
/** Ends a file in memory that is a whole file of ours unless something has failed (err): it appears under
 *  its name, or no file of that name is made. */
sal_err sal_h5_finish(sal_h5 *file, sal_err err);

/** Can the global heaps of a cube be searched?  They hold which scales belong to which dataset, have no checksum,
 *  and are not needed by saltus; other programs hang on a damaged one, which is SAL_ERR_IO. */
sal_err sal_h5_check_heaps(const char *path);

/** A new group in the object `at`, which records no time; the caller closes it. */
sal_err sal_h5_create_group(const sal_h5 *file, hid_t at, const char *name, hid_t *group);

/** Is there an object, or an attribute of the object `at`?  An index that is damaged is a failure,
 *  not an absence. */
sal_err sal_h5_has(const sal_h5 *file, const char *name, bool *there);
/** Fails (SAL_ERR_EXISTS, an error of saltus) where that name of a new object is taken. */
sal_err sal_h5_is_new(const sal_h5 *file, const char *name);
sal_err sal_h5_has_attribute(const sal_h5 *file, hid_t at, const char *name, bool *there);

/** An attribute of the object `at`: an array of n numbers (n = 0: a single one) whose type in
 *  memory becomes the type in the file.  Attributes of text are below. */
sal_err sal_h5_put(const sal_h5 *file, hid_t at, const char *name, hid_t type, int n,
                   const void *value);

/** Reads an attribute of the root group, a single number.  A missing one is SAL_ERR_INPUT. */
sal_err sal_h5_get(const sal_h5 *file, const char *name, hid_t type, void *value);
/** Opens an attribute of the object `at` that holds one value; the caller closes it. */
sal_err sal_h5_open_scalar(const sal_h5 *file, hid_t at, const char *name, hid_t *attribute);

/* Text in HDF5: attributes are strings of one length, padded with NUL; datasets are characters, one
 * dimension more than there are texts, as CF has them.
 *
 * netCDF-C crashes on datasets of strings of one length.  HDF5 keeps strings of any length in a heap of
 * the file that has no checksum, and version 1.10 crashes or never returns on a damaged one, so that they are
 * refused. */

/** The type of a character, a new one, as netCDF makes it. */
hid_t sal_h5_text_character(void);
/** Bytes of the longest of n texts, at least 1, and of each text of a dataset of characters; 0: it holds
 *  strings, or no text. */
size_t sal_h5_text_longest(int64_t n, const char *const text[]);
size_t sal_h5_text_length(hid_t set);
/** n texts side by side as a dataset has them, `length` bytes each; freed by the caller, NULL without
 *  memory. */
char *sal_h5_text_pad(int64_t n, const char *const text[], size_t length);

/** Attributes of the object `at`: text; text that was put together, which is freed. */
sal_err sal_h5_text_put(const sal_h5 *file, hid_t at, const char *name, const char *text);
sal_err sal_h5_text_put_words(const sal_h5 *file, hid_t at, const char *name, sal_text *words);
/** Writes an attribute that is there anew, a text of the same length. */
sal_err sal_h5_text_change(const sal_h5 *file, hid_t at, const char *name, const char *text);

/** An attribute of the object `at`; *text is freed with sal_free.  A missing one is
 *  SAL_ERR_INPUT.  One line (sal_text_plain); lines (sal_text_clean); or bytes as they are, for checksums alone. */
sal_err sal_h5_text_get(const sal_h5 *file, hid_t at, const char *name, char **text);
sal_err sal_h5_text_lines(const sal_h5 *file, hid_t at, const char *name, char **text);
sal_err sal_h5_text_bytes(const sal_h5 *file, hid_t at, const char *name, char **text);

/** The n texts of a dataset as they are, *text [n], after them NULL, for checksums alone (sal_dataset_read_texts);
 *  sal_h5_text_free frees them, also after a failure. */
sal_err sal_h5_text_read(const sal_h5 *file, hid_t set, int64_t n, char ***text);
/** Frees texts that end with NULL, and their list; for SAL_OWN_BY, too. */
void sal_h5_text_free(char ***text);

/* Links by which an object of a file may be reached.
 *
 * Files are passed on between people, so no name may lead out of the file: links to other files, and
 * those of kinds that programs define themselves, are refused.  Members of a group are listed in the
 * order that the file keeps them in: HDF5 1.10 sorts a list before it is whole, and frees what it has
 * not filled in when the file is damaged there. */

enum { SAL_LINK_NAME = 1024 };

/** Is `name`, which is there, reached inside the file: the object itself, or the link of a group's
 *  member to the one of its name in the root group?  A path "GROUP/NAME" is looked at as a whole.
 *  Others are SAL_ERR_INPUT. */
sal_err sal_link_check(const sal_h5 *at, const char *name);

/** Is `name`, which is there, a link in that sense and no object itself? */
sal_err sal_link_is_soft(const sal_h5 *at, const char *name, bool *soft);

/** Is there a group of that name, and not an object of another kind, or a link?  These two are
 *  SAL_ERR_INPUT. */
sal_err sal_link_has_group(const sal_h5 *at, const char *name, bool *there);

/** Names of all members of a group, sorted, and NULL; names of all attributes of an object.
 *  sal_h5_text_free frees them, also after a failure. */
sal_err sal_link_list(const sal_h5 *group, int *n, char ***name);
sal_err sal_link_attributes(const sal_h5 *file, hid_t at, int *n, char ***name);
