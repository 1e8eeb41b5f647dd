/** @file src/io/dimension.h
 *  What netCDF has to know of a dimension besides HDF5's scale: its number, and the dimensions that
 *  hold nothing but a length.
 *
 *  A text of netCDF's classic model is an array of characters along a dimension that is its length,
 *  "string7".  Where it is the scale of another dimension, HDF5 lets it have no list of scales of
 *  its own, and netCDF finds its two dimensions by their numbers.
 */
#ifndef SAL_DIMENSION_H
#define SAL_DIMENSION_H

#include "h5.h"

enum { SAL_DIMENSION_NAME = 32 };

/** First numbers in the groups that a cube may have.  netCDF numbers the dimensions of all groups of a
 *  file together, in a table: numbers are small. */
enum {
  SAL_DIMENSION_OF_MAP = 1 << 10,
  SAL_DIMENSION_OF_STORED = 2 << 10,
  SAL_DIMENSION_OF_SUMS = 3 << 10
};

/** Numbers the scale `set`, the newest dataset of the group `file`, unlike all others of the file. */
SAL_MUST_CHECK sal_err sal_dimension_number(const sal_h5 *file, hid_t set);

/** The dimension of texts of `length` bytes, made where the group has none yet; its name. */
SAL_MUST_CHECK sal_err sal_dimension_of_text(const sal_h5 *file, size_t length,
                                             char name[SAL_DIMENSION_NAME]);

/** Says that the numbered scale `set` lies along its own dimension and along `second`. */
SAL_MUST_CHECK sal_err sal_dimension_put_both(const sal_h5 *file, hid_t set, const char *second);

/** Is this dataset a dimension without values?  It has nothing to read or to compare. */
bool sal_dimension_is_bare(hid_t set);

#endif
