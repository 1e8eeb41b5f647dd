/** @file src/base/progress.c
 *  The progress line.
 */
#include "progress.h"
#include "clock.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 24, LINE = 160, TIME = 32 };
#define PAUSE_TERMINAL 0.2  /* [s] smooth to the eye */
#define PAUSE_FILE     30.0 /* [s] a log stays short */
#define FIRST_FILE     5.0  /* [s] but says soon that the work goes on */

/* "1:02:03" or "2:03". */
static const char *duration(double seconds, char text[TIME])
{
  const long s = lround(fmin(seconds, 1e9));
  if (s >= 3600)
    snprintf(text, TIME, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  else
    snprintf(text, TIME, "%ld:%02ld", s / 60, s % 60);
  return text;
}

void sal_progress_line(const sal_progress *progress, int64_t done, double elapsed, size_t size,
                       char line[])
{
  const double part         = progress->total > 0 ? (double)done / (double)progress->total : 1;
  const double rate         = elapsed > 0 ? (double)(done - progress->before) / elapsed : 0;
  const int    full         = (int)(BAR * fmin(fmax(part, 0), 1));
  const double each         = progress->each > 0 ? progress->each : 1;
  char         bar[BAR + 4] = "", left[TIME], end[TIME + 8] = "";
  if (progress->rewrites) {
    bar[0] = '[';
    for (int i = 0; i < BAR; ++i) bar[1 + i] = i < full ? '#' : '.';
    memcpy(bar + 1 + BAR, "] ", 3);
  }
  if (done >= progress->total)
    snprintf(end, sizeof end, "  in %s", duration(elapsed, left));
  else if (rate > 0)
    snprintf(end, sizeof end, "  %s left", duration((double)(progress->total - done) / rate, left));
  snprintf(line, size, "%s%s %lld/%lld  %d %%  %.3g%s%s/s%s", bar, progress->what, (long long)done,
           (long long)progress->total, (int)(100 * part), rate * each, progress->rated ? " " : "",
           progress->rated ? progress->rated : "", end);
}

void sal_progress_start(sal_progress *progress, const char *what, int64_t total)
{
  const bool   terminal = isatty(STDERR_FILENO) == 1;
  const double now      = sal_clock_wall();
  *progress             = (sal_progress){.what     = what,
                                         .total    = total,
                                         .out      = stderr,
                                         .rewrites = terminal,
                                         .pause    = terminal ? PAUSE_TERMINAL : PAUSE_FILE,
                                         .began    = now,
                                         .shown    = terminal ? now : now - (PAUSE_FILE - FIRST_FILE)};
}

/* A shorter line must cover all of the longer one before it. */
static void show(sal_progress *progress, int64_t done, double now, bool last)
{
  char line[LINE];
  sal_progress_line(progress, done, now - progress->began, sizeof line, line);
  const int length = (int)strlen(line);
  if (progress->rewrites)
    fprintf(progress->out, "\r%-*s%s", progress->width, line, last ? "\n" : "");
  else
    fprintf(progress->out, "%s\n", line);
  fflush(progress->out);
  progress->width = length;
  progress->shown = now;
}

void sal_progress_update(sal_progress *progress, int64_t done)
{
  const double now = sal_clock_wall();
  if (!progress->out || done >= progress->total) return; /* the end is told once, by stop */
  if (now - progress->shown >= progress->pause) show(progress, done, now, false);
}

void sal_progress_stop(sal_progress *progress, int64_t done)
{
  if (progress->out) show(progress, done, sal_clock_wall(), true);
}
