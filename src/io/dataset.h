/** @file src/io/dataset.h
 *  Reading a labelled dataset (variable.h): its size is believed only when the file is long enough
 *  for it, and its values when they have their checksum.
 */
#ifndef SAL_DATASET_H
#define SAL_DATASET_H

#include "checksum.h"
#include "datatype.h"
#include "h5.h"

/** An open dataset; sal_dataset_close closes it. */
typedef struct {
  const char  *name; /* borrowed */
  hid_t        set;
  sal_datatype type;
  int          n_dim;
  hsize_t      size[H5S_MAX_RANK];
  int64_t      n;        /* values */
  sal_checksum checksum; /* run = 0: there is none to verify */
} sal_dataset;

/** Opens it, or says that there is none, or that the file cannot hold what it claims to be. */
SAL_MUST_CHECK sal_err sal_dataset_open(const sal_h5 *file, const char *name, sal_dataset *dataset);
void                   sal_dataset_close(sal_dataset *dataset);

/** Reads all values, numbers, in their own type, and verifies them. */
SAL_MUST_CHECK sal_err sal_dataset_read(const sal_h5 *file, const sal_dataset *dataset,
                                        void *value);
/** The same, a single call, as doubles, `stride` apart, NaN for missing ones; there must be n. */
SAL_MUST_CHECK sal_err sal_dataset_read_column(const sal_h5 *file, const char *name, int64_t n,
                                               int64_t stride, double *value);
/** Reads all values, texts; sal_h5_text_free(n, text) frees them, also after a failure. */
SAL_MUST_CHECK sal_err sal_dataset_read_texts(const sal_h5 *file, const sal_dataset *dataset,
                                              char ***text);

/** Reads numbers at places first .. first + count - 1 of the first dimension, and adds them to
 *  *sum, so that the parts of a whole can be verified together. */
SAL_MUST_CHECK sal_err sal_dataset_read_rows(const sal_h5 *file, const sal_dataset *dataset,
                                             int64_t first, int64_t count, void *value,
                                             uint64_t *sum);

#endif
