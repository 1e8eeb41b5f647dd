/** @file src/io/journal/journal_diff.h
 *  What differs between two texts, line by line.
 */
#ifndef SAL_JOURNAL_DIFF_H
#define SAL_JOURNAL_DIFF_H

#include "text.h"

/** Adds "\n- line" for lines of `old` that `new` has not and "\n+ line" for those that only `new`
 *  has; at most about `most` bytes. */
void sal_journal_diff(const char *old, const char *new, size_t most, sal_text *out);

#endif
