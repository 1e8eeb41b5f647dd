/** @file src/io/cube/canonical.h
 *  Sums of what a group holds besides numbers, the same however HDF5 keeps it: text up to its end,
 *  numbers as int64, uint64 or float64 with one NaN, all with the lowest byte first; a dataset's
 *  attributes in the order that the caller names them in, and what a scale is attached to by names.
 */
#ifndef SAL_CANONICAL_H
#define SAL_CANONICAL_H

#include "h5.h"

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
SAL_MUST_CHECK sal_err sal_canonical_open(const sal_h5 *group, const char *in, int n,
                                          char *const name[], sal_canonical_objects *objects);
void sal_canonical_close(sal_canonical_objects *objects);

/** The sum of an attribute of `at`, which is there: its name and value. */
SAL_MUST_CHECK sal_err sal_canonical_attribute(const sal_h5 *file, hid_t at, const char *name,
                                               uint64_t *sum);

/** The sum of object i: its name and kind; of a link its target; of a dataset shape, type, what it is
 *  attached to, its texts and those attributes that are among label[n_label].  Others are added to `foreign`. */
SAL_MUST_CHECK sal_err sal_canonical_object(const sal_canonical_objects *objects, int i,
                                            int n_label, char *const label[], uint64_t *sum);

/** Is the name one of n? */
bool sal_canonical_lists(int n, char *const list[], const char *name);

/** The sum of bytes. */
uint64_t sal_canonical_bytes(const void *bytes, size_t n);

#endif
