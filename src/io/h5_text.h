/** @file src/io/h5_text.h
 *  Text in HDF5: attributes are strings of one length, padded with NUL; datasets are characters, one
 *  dimension more than there are texts, as CF has them.
 *
 *  netCDF-C crashes on datasets of strings of one length.  HDF5 keeps strings of any length in a heap of
 *  the file that has no checksum, and version 1.10 crashes or never returns on a damaged one.  Both are
 *  read where an older file has them, and written nowhere.
 */
#ifndef SAL_H5_TEXT_H
#define SAL_H5_TEXT_H

#include "h5.h"
#include "text.h"

/** The type of a character, a new one, as netCDF makes it. */
hid_t sal_h5_text_character(void);
/** Bytes of the longest of n texts, at least 1, and of each text of a dataset of characters; 0: it holds
 *  strings, or no text. */
size_t sal_h5_text_longest(int64_t n, const char *const text[]);
size_t sal_h5_text_length(hid_t set);
/** n texts side by side as a dataset has them, `length` bytes each; freed by the caller, NULL when there
 *  is no memory. */
char *sal_h5_text_pad(int64_t n, const char *const text[], size_t length);

/** Attributes of the object `at`: text; text that was put together, which is freed. */
SAL_MUST_CHECK sal_err sal_h5_text_put(const sal_h5 *file, hid_t at, const char *name,
                                       const char *text);
SAL_MUST_CHECK sal_err sal_h5_text_put_words(const sal_h5 *file, hid_t at, const char *name,
                                             sal_text *words);
/** Writes an attribute that is there anew, a text of the same length. */
SAL_MUST_CHECK sal_err sal_h5_text_change(const sal_h5 *file, hid_t at, const char *name,
                                          const char *text);

/** An attribute of the object `at`; *text is freed with sal_free.  A missing one is
 *  SAL_ERR_INPUT. */
SAL_MUST_CHECK sal_err sal_h5_text_get(const sal_h5 *file, hid_t at, const char *name, char **text);

/** The n texts of a dataset, *text [n]; sal_h5_text_free frees them, also after a failure. */
SAL_MUST_CHECK sal_err sal_h5_text_read(const sal_h5 *file, hid_t set, int64_t n, char ***text);
void sal_h5_text_free(int64_t n, char ***text);

#endif
