/** @file src/io/journal/journal_info.h
 *  What journals hold, at a glance.
 */
#ifndef SAL_JOURNAL_INFO_H
#define SAL_JOURNAL_INFO_H

#include "err.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  bool busy;                 /* a run is at work on them */
  int64_t done, goal, cells; /* cells that are finished, of the run, of the sweep */
  int64_t contenders;
  int64_t files, bytes;
  int64_t unreadable;      /* files of other sweeps or with damaged heads */
  int64_t broken, twice;   /* records; cells that are there twice */
  double started, written; /* the run begun last, and the last write [s since 1970] */
  double rate;             /* cells a second of that run */
} sal_journal_info;

/** Looks through the journals in a folder; of a run at work only the heads of records are read. */
SAL_MUST_CHECK sal_err sal_journal_info_read(const char *folder, sal_journal_info *info);

#endif
