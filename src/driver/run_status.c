/** @file src/driver/run_status.c
 *  What a run lets its user see.
 */
#include "run_status.h"
#include "clock.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

sal_err sal_run_status_begin(sal_run_status *w)
{
  sal_progress_start(&w->bar, "cells", w->cells);
  if (!w->bar.rewrites) w->bar.pause = w->every;
  if (w->quiet) w->bar.out = NULL;
  w->bar.before = w->found;
  w->bar.each   = w->contenders;
  w->bar.rated  = "trajectories";
  w->began      = w->bar.began;
  w->told       = -INFINITY; /* the first line comes at once */
  if (!w->status_path) return SAL_OK;
  w->status = fopen(w->status_path, "a");
  if (!w->status)
    return sal_fail(SAL_ERR_IO, "%s: cannot be written: %s", w->status_path, strerror(errno));
  return SAL_OK;
}

/* A number, or null where there is none. */
static void put_number(FILE *out, const char *name, double value)
{
  if (isfinite(value))
    fprintf(out, ", \"%s\": %.6g", name, value);
  else
    fprintf(out, ", \"%s\": null", name);
}

void sal_run_status_tell(sal_run_status *w, const char *state, int64_t done)
{
  const double now = sal_clock_wall(), seconds = now - w->began;
  const double rate = seconds > 0 ? (double)(done - w->found) / seconds : 0; /* cells */
  const time_t date = time(NULL);
  struct tm    utc;
  char         text[32];

  if (!w->status) return;
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&date, &utc));
  fprintf(w->status,
          "{\"time\": \"%s\", \"state\": \"%s\", \"cells\": %lld, \"found\": %lld, \"done\": %lld",
          text, state, (long long)w->cells, (long long)w->found, (long long)done);
  put_number(w->status, "seconds", seconds);
  put_number(w->status, "trajectories_per_second", rate * w->contenders);
  put_number(w->status, "seconds_left", (double)(w->cells - done) / rate);
  fprintf(w->status, ", \"ranks\": %d, \"threads\": %d}\n", w->ranks, w->threads);
  fflush(w->status); /* that it cannot be written is no reason to stop a run */
  w->told = now;
}

void sal_run_status_update(sal_run_status *w, int64_t done)
{
  sal_progress_update(&w->bar, done);
  if (w->status && sal_clock_wall() - w->told >= w->every) sal_run_status_tell(w, "running", done);
}

void sal_run_status_pause(sal_run_status *w, int64_t done) { sal_progress_stop(&w->bar, done); }

void sal_run_status_end(sal_run_status *w)
{
  if (w->status) fclose(w->status);
  w->status = NULL;
}
