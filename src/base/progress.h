/** How far long work is: one line that rewrites itself on a terminal, else a plain line every half
 *  a minute, the first one soon.  Goes to stderr; to be called by one thread of one rank, as often
 *  as convenient.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Filled by sal_progress_start; before, each, units, rated, trouble, out, rewrites and pause may be changed
 *  after it. */
typedef struct {
  const char *what;    /* the units shown, e.g. "cells"; borrowed */
  int64_t total;       /* steps of the work */
  int64_t before;      /* of them were done before the start: they do not count as speed */
  int each;            /* steps of a unit shown; 0: the units are the steps */
  int64_t units;       /* finished ones, which the caller counts when each > 0: */
                       /* steps may belong to units in hand */
  const char *rated;   /* what a step is called in the speed, or NULL; borrowed */
  FILE *out;           /* stderr; NULL: print nothing */
  bool rewrites;       /* out is a terminal */
  double pause;        /* between two lines [s] */
  double began, shown; /* clock readings */
  int width;           /* characters of the line that stands on the terminal */
  double rate;         /* smoothed speed [steps/s]; 0: not known yet */
  double measured;     /* the clock when `rate` was updated, */
  int64_t counted;     /* and the steps done by then */
  double still;        /* since the last step was finished [s] */
  double moved;        /* the clock then, */
  int64_t seen;        /* and the steps done */
  const char *trouble; /* shown in place of the time left, or NULL; borrowed */
} sal_progress;

/** total: steps of the work, `each` of which make a unit. */
void sal_progress_start(sal_progress *progress, const char *what, int64_t total);
/** `done` steps are finished; prints when the last line is old enough. */
void sal_progress_update(sal_progress *progress, int64_t done);
/** The last line, with the time it took all in all. */
void sal_progress_stop(sal_progress *progress, int64_t done);

/** Is the time left not shown, since there is trouble, or nothing was finished for a while? */
bool sal_progress_stands(const sal_progress *progress);

/** Steps per second: of the last half minute or so, and of all the time as long as that is not
 *  known.  elapsed: seconds since the start. */
double sal_progress_rate(const sal_progress *progress, int64_t done, double elapsed);

/** The line after `elapsed` seconds: "cells 250/1000  25 %  50.0/s  0:15 left", headed by a bar
 *  when the line rewrites itself. */
void sal_progress_line(const sal_progress *progress, int64_t done, double elapsed, size_t size,
                       char line[]);
