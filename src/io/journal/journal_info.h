/** @file src/io/journal/journal_info.h
 *  What journals hold, as text and as JSON.
 */
#ifndef SAL_JOURNAL_INFO_H
#define SAL_JOURNAL_INFO_H

#include "err.h"
#include <stdbool.h>
#include <stdio.h>

/** Prints what the journals in a folder hold: cells done, speed, last write; json: as one line.  A
 *  run may be at work on them. */
SAL_MUST_CHECK sal_err sal_journal_info(const char *folder, bool json, FILE *out);

#endif
