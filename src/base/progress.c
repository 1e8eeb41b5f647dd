/** The progress line. */
#include "progress.h"
#include "base.h"
#include "clock.h"
#include <unistd.h>

enum { BAR = 24, LINE = 256, TIME = 32, END = 160 };
#define PAUSE_TERMINAL 0.2 /* [s] smooth to the eye */
#define PAUSE_FILE 30.0    /* [s] a log stays short */
#define FIRST_FILE 5.0     /* [s] but the first line comes early */
#define MEASURE 1.0        /* [s] between two updates of the speed */
#define STILL 10.0         /* [s] without a step finished, after which no time left is shown */
#define MEMORY 30.0        /* [s] after which an old speed has lost most of its weight */

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

static double average_rate(const sal_progress *p, int64_t done, double elapsed)
{
  return elapsed > 0 ? (double)(done - p->before) / elapsed : 0;
}

double sal_progress_rate(const sal_progress *p, int64_t done, double elapsed)
{
  return p->rate > 0 && done < p->total ? p->rate : average_rate(p, done, elapsed);
}

bool sal_progress_stands(const sal_progress *p) { return p->trouble || p->still > STILL; }

static void add_bar(double part, char bar[BAR + 4])
{
  const int full = (int)(BAR * fmin(fmax(part, 0), 1));

  bar[0] = '[';
  for (int i = 0; i < BAR; ++i) bar[1 + i] = i < full ? '#' : '.';
  memcpy(bar + 1 + BAR, "] ", 3);
}

void sal_progress_line(const sal_progress *p, int64_t done, double elapsed, size_t size,
                       char line[])
{
  const double part = p->total > 0 ? (double)done / (double)p->total : 1;
  const double rate = sal_progress_rate(p, done, elapsed);
  const int64_t units = p->each > 0 ? p->units : done;
  char bar[BAR + 4] = "", left[TIME], end[END] = "";

  if (p->rewrites) add_bar(part, bar);
  if (done >= p->total)
    snprintf(end, sizeof end, "  in %s", duration(elapsed, left));
  else if (p->trouble)
    snprintf(end, sizeof end, "  %s", p->trouble);
  else if (p->still > STILL)
    snprintf(end, sizeof end, "  nothing finished for %s", duration(p->still, left));
  else if (rate > 0)
    snprintf(end, sizeof end, "  %s left", duration((double)(p->total - done) / rate, left));
  snprintf(line, size,
           rate < 100 ? "%s%s %lld/%lld  %d %%  %.3g%s%s/s%s"
                      : "%s%s %lld/%lld  %d %%  %.0f%s%s/s%s",
           bar, p->what, (long long)units, (long long)(p->each > 0 ? p->total / p->each : p->total),
           (int)(100 * part), rate, p->rated ? " " : "", p->rated ? p->rated : "", end);
}

void sal_progress_start(sal_progress *progress, const char *what, int64_t total)
{
  const bool terminal = isatty(STDERR_FILENO) == 1;
  const double now = sal_clock_wall();

  *progress = (sal_progress){.what = what,
                             .total = total,
                             .out = stderr,
                             .rewrites = terminal,
                             .pause = terminal ? PAUSE_TERMINAL : PAUSE_FILE,
                             .began = now,
                             .shown = terminal ? now : now - (PAUSE_FILE - FIRST_FILE)};
}

/* Young work keeps no longer than it lasts, so that its first seconds do not weigh for ever. */
static void measure_rate(sal_progress *p, int64_t done, double now)
{
  const double since = p->measured > 0 ? p->measured : p->began;
  const int64_t before = p->measured > 0 ? p->counted : p->before;
  const double pause = now - since;

  if (pause < MEASURE) return;
  const double here = (double)(done - before) / pause;
  const double weight = 1 - exp(-pause / fmin(MEMORY, now - p->began));
  p->rate = p->rate > 0 ? p->rate + weight * (here - p->rate) : here;
  p->measured = now;
  p->counted = done;
}

/* A shorter line must cover all of the longer one before it. */
static void show_line(sal_progress *progress, int64_t done, double now, bool last)
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

static void note_standstill(sal_progress *p, int64_t done, double now)
{
  if (p->moved == 0 || done > p->seen) p->moved = now;
  p->seen = done;
  p->still = now - p->moved;
}

void sal_progress_update(sal_progress *progress, int64_t done)
{
  const double now = sal_clock_wall();

  measure_rate(progress, done, now);
  note_standstill(progress, done, now);
  if (!progress->out || done >= progress->total) return; /* the end is shown once, by stop */
  if (now - progress->shown >= progress->pause) show_line(progress, done, now, false);
}

void sal_progress_stop(sal_progress *progress, int64_t done)
{
  if (progress->out) show_line(progress, done, sal_clock_wall(), true);
}
