/** @file src/io/datatype.h
 *  How values are kept in a file, and on their way to it.
 */
#ifndef SAL_DATATYPE_H
#define SAL_DATATYPE_H

#include "metric.h"
#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** float64 with NaN for missing, int64 with -1, int8 with -1, UTF-8 text of one length for all; of
 *  maps, which have much to say of each cell, float32 with NaN, and places in a list, counted from 0,
 *  of a byte or two. */
typedef enum {
  SAL_DATATYPE_REAL,
  SAL_DATATYPE_WHOLE,
  SAL_DATATYPE_FLAG,
  SAL_DATATYPE_TEXT,
  SAL_DATATYPE_SINGLE,
  SAL_DATATYPE_BYTE,
  SAL_DATATYPE_SHORT
} sal_datatype;

/** The type of a number in memory and in the file; a new type, to be closed.  Text has none, since
 *  its length is that of the dataset (h5.h). */
hid_t sal_datatype_hdf5(sal_datatype type);
/** Bytes of a number. */
size_t sal_datatype_size(sal_datatype type);

/** The smallest type for places in a list of n. */
sal_datatype sal_datatype_of_place(int64_t n);
/** Is it float64 or float32? */
bool sal_datatype_is_real(sal_datatype type);

/** How a kind of metric is kept, and its name. */
sal_datatype sal_datatype_of(sal_metric_kind kind);
const char *sal_datatype_kind_name(sal_metric_kind kind);

/** Converts n numbers, `stride` apart, into that type; missing ones become the fill value. */
void sal_datatype_pack(sal_datatype type, int64_t n, const double *from, int64_t stride, void *to);
/** The way back; missing ones become NaN. */
void sal_datatype_unpack(sal_datatype type, int64_t n, const void *from, int64_t stride,
                         double *to);

#endif
