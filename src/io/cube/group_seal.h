/** The seal of a group: what it holds besides numbers, under a checksum.
 *
 *  The attribute `seal` of a group is a text.  Each line names an attribute of the group ("@NAME") or
 *  an object in it ("/NAME"), with the XXH3 of its contents, 16 hexadecimal digits; the line "#" has
 *  the names of all attributes that datasets there have, and the last line, "=", the XXH3 of the lines
 *  before it.  The hashed bytes do not depend on how HDF5 keeps them: text up to its end, numbers as
 *  int64, uint64 or float64, lowest byte first, attributes in the order of their names, and which
 *  datasets a scale belongs to by name.  Values of numbers have checksums of their own
 *  (checksum.h), which are attributes and so under the seal.
 *
 *  A reader opens the names in it, checks how many there are, and needs no list by HDF5.  It
 *  finds accidents and careless editing; a forger can make another seal.
 */
#pragma once

#include "h5.h"

/** Makes the seal of a group that has all its objects and attributes, values aside; it is valid after
 *  sal_group_seal_put only, which changes no byte besides.  `group` stands for the file: names are
 *  those inside it. */
sal_err sal_group_seal_prepare(const sal_h5 *group);
sal_err sal_group_seal_put(const sal_h5 *group);

/** Fails with SAL_ERR_IO and the name of an attribute or object that is not as it was sealed.  Groups with a
 *  seal of their own may come and go in it: those of `groups`, which ends with NULL.  `in` stands before
 *  names in messages ("map/").  Without a seal SAL_ERR_INPUT.  Attributes and objects that a user added, under
 *  names that no reader looks for (attributes of the root group and of datasets alone), are added to *foreign, a line each: "@in/NAME", "in/NAME" and
 *  "@in/DATASET:NAME". */
sal_err sal_group_seal_verify(const sal_h5 *group, const char *in, const char *const groups[],
                              sal_text *foreign);

/** Names of the objects under the seal, which is there; sal_h5_text_free frees them. */
sal_err sal_group_seal_objects(const sal_h5 *group, int *n, char ***name);

/* Sums of what a group holds besides numbers, the same however HDF5 keeps it: text up to its end,
 * numbers as int64, uint64 or float64 with one NaN, all with the lowest byte first; a dataset's
 * attributes in the order that the caller names them in, and what a scale is attached to by names. */

/** Objects of a group, open, so that references between them can be named. */
typedef struct {
  const sal_h5 *group; /* stands for the file */
  const char *in;      /* before names in messages: "map/" */
  int n;
  char *const *name; /* [n] borrowed */
  hid_t *object;     /* [n] -1: a link */
  haddr_t *address;
  sal_text *foreign; /* borrowed; NULL: a dataset has no attributes but those of the labels */
} sal_canonical_objects;

/** Opens what the names stand for; sal_canonical_close frees, also after a failure.  A name that is not
 *  there is SAL_ERR_IO, and what leads out of the file SAL_ERR_INPUT. */
sal_err sal_canonical_open(const sal_h5 *group, const char *in, int n, char *const name[],
                           sal_canonical_objects *objects);
void sal_canonical_close(sal_canonical_objects *objects);

/** The sum of an attribute of `at`, which is there: its name and value. */
sal_err sal_canonical_attribute(const sal_h5 *file, hid_t at, const char *name, uint64_t *sum);

/** The sum of object i: its name and kind; of a link its target; of a dataset shape, type, what it is
 *  attached to, its texts and those attributes that are among label[n_label].  Others are added to `foreign`. */
sal_err sal_canonical_object(const sal_canonical_objects *objects, int i, int n_label,
                             char *const label[], uint64_t *sum);

/** Is the name one of n? */
bool sal_canonical_lists(int n, char *const list[], const char *name);

/** The sum of bytes. */
uint64_t sal_canonical_bytes(const void *bytes, size_t n);
