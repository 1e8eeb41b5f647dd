/** Reading a labelled dataset (variable.h): its size is accepted only when the file is long enough
 *  for it, and its values when they have their checksum.
 *
 *  Rows are the places of the first dimension.  Without filters HDF5 reads just the requested rows,
 *  since the cache of chunks is left out (sal_dataset_access); a chunk with filters is unpacked whole,
 *  and those of a block of rows are kept until the next block.
 */
#pragma once

#include "checksum.h"
#include "variable.h"

/** An open dataset; sal_dataset_close closes it, as does the end of the block of one that is declared
 *  SAL_DATASET, which is none yet. */
typedef struct {
  const char *name; /* borrowed */
  hid_t set;
  sal_datatype type;
  int n_dim;
  hsize_t size[H5S_MAX_RANK];
  int64_t n;             /* values */
  sal_checksum checksum; /* run = 0: there is none to verify */
  int64_t chunk;         /* rows of a chunk; 0: all in one piece */
  bool filtered;         /* compressed, and so read by whole chunks */
} sal_dataset;

#define SAL_DATASET(d) SAL_OWN_BY(sal_dataset_close) sal_dataset d = {.set = -1}

/** Leaves the cache of chunks out of a list of properties for opening files (sal_h5_access). */
sal_err sal_dataset_access(const sal_h5 *file, hid_t access);

/** Are its values in this file, as they are or by filters of HDF5's own that `h5repack` sets (shuffle,
 *  deflate, fletcher32)?  `set` is open; values in other files, virtual datasets, and filters that
 *  would be loaded from a library are SAL_ERR_INPUT. */
sal_err sal_dataset_check_kept(const sal_h5 *file, const char *name, hid_t set);

/** Opens it, or fails where it is missing, lies elsewhere (h5.h), or where the file cannot
 *  hold what it claims to be. */
sal_err sal_dataset_open(const sal_h5 *file, const char *name, sal_dataset *dataset);
void sal_dataset_close(sal_dataset *dataset);

/** Is it n numbers? */
sal_err sal_dataset_check_numbers(const sal_h5 *file, const sal_dataset *dataset, int64_t n);

/** Reads all values, numbers, in their own type, and verifies them. */
sal_err sal_dataset_read(const sal_h5 *file, const sal_dataset *dataset, void *value);
/** The same, a single call, as doubles, `stride` apart, NaN for missing ones; there must be n. */
sal_err sal_dataset_read_column(const sal_h5 *file, const char *name, int64_t n, int64_t stride,
                                double *value);
/** Reads all values, texts; sal_h5_text_free frees them, also after a failure. */
sal_err sal_dataset_read_texts(const sal_h5 *file, const sal_dataset *dataset, char ***text);

/** Reads numbers in rows first .. first + count - 1, and adds them to *sum, so that the parts of a
 *  whole can be verified together; NULL: adds nothing. */
sal_err sal_dataset_read_rows(const sal_h5 *file, const sal_dataset *dataset, int64_t first,
                              int64_t count, void *value, uint64_t *sum);

/** Reads numbers in n chosen rows, row[n] ascending and distinct, into value[n][values of a row].
 *  Rows that lie close together are read at once, eight times the bytes at most.  With `sums`, the
 *  open list of the sums of blocks (checksum.h), whole blocks are read, which are as short as 1 kB, and
 *  verified; NULL: unverified. */
sal_err sal_dataset_read_chosen(const sal_h5 *file, const sal_dataset *dataset,
                                const sal_dataset *sums, int64_t n, const int64_t row[],
                                void *value);

/** Are rows first .. first + count - 1, whole blocks but for the last one of all, those whose sums are
 *  in the open list?  A dataset without blocks is. */
sal_err sal_dataset_verify_blocks(const sal_h5 *file, const sal_dataset *dataset,
                                  const sal_dataset *sums, int64_t first, int64_t count,
                                  const void *value);

/** Rows that are best read together: whole chunks, or about 1 MiB. */
int64_t sal_dataset_block(const sal_dataset *dataset);

/** Takes values first .. first + n - 1. */
typedef void sal_dataset_take(void *with, int64_t first, int64_t n, const double value[]);

/** Hands over all values, numbers, as doubles, NaN for missing ones, block by block in their order;
 *  there must be n.  Damage is found after the last of them. */
sal_err sal_dataset_walk(const sal_h5 *file, const char *name, int64_t n, sal_dataset_take *take,
                         void *with);
