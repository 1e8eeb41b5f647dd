/** Progress of a run, for its user. */
#include "atomic_file.h"
#include "base.h"
#include "clock.h"
#include "node.h"
#include "plain_file.h"
#include "report.h"
#include "run_cells.h"
#include <errno.h>
#include <time.h>

static sal_err report_loss(const sal_run_status *s)
{
  if (!s->lost) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: lines of status cannot be written: %s", s->status_path,
                  strerror(s->lost));
}

sal_err sal_run_status_begin(sal_run_status *s)
{
  sal_progress_start(&s->bar, "cells", s->cells * s->configs);
  if (!s->bar.rewrites) s->bar.pause = s->every;
  if (s->quiet) s->bar.out = NULL;
  s->done = s->found;
  s->work = s->found * s->configs;
  s->bar.before = s->work;
  s->bar.each = s->configs;
  s->bar.units = s->found;
  s->bar.rated = "trajectories";
  s->written = -INFINITY; /* the first line comes at once */
  if (!s->status_path) return SAL_OK;
  SAL_TRY(sal_file_role_write(s->status_path, "the status file"));
  s->status = fopen(s->status_path, "a");
  if (!s->status) return sal_atomic_file_fail(s->status_path);
  sal_run_status_print(s, "running"); /* a full disk is met before there is work done */
  return report_loss(s);
}

/* Members in rank-seconds, except the first. */
static void write_use(sal_json *line, double command_seconds, const sal_run_use *sum)
{
  sal_json_number(line, "command_seconds", command_seconds);
  if (!sum) return;
  sal_json_number(line, "busy", sum->busy);
  sal_json_number(line, "cpu", sum->cpu);
  sal_json_number(line, "waiting", sum->waited);
  sal_json_number(line, "io", sum->io);
  sal_json_whole(line, "run", sum->fresh);
  sal_json_whole(line, "taken", sum->taken);
}

static void write_line(sal_run_status *s, const char *state, double command_seconds,
                       const sal_run_use *sum)
{
  const double now = sal_clock_wall(), seconds = now - s->bar.began;
  const double rate = sal_progress_rate(&s->bar, s->work, seconds);
  const time_t date = time(NULL);
  struct tm utc;
  char text[32];
  sal_json line;

  if (!s->status) return;
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&date, &utc));
  sal_json_begin(&line, s->status);
  sal_json_text(&line, "time", text);
  sal_json_text(&line, "state", state);
  sal_json_whole(&line, "cells", s->cells);
  sal_json_whole(&line, "found", s->found);
  sal_json_whole(&line, "done", s->done);
  sal_json_whole(&line, "trajectories", s->work);
  sal_json_number(&line, "seconds", seconds);
  sal_json_number(&line, "trajectories_per_second", rate);
  sal_json_number(&line, "seconds_left",
                  sal_progress_stands(&s->bar) ? NAN : (double)(s->bar.total - s->work) / rate);
  sal_json_whole(&line, "ranks", s->ranks);
  sal_json_whole(&line, "threads", s->threads);
  if (command_seconds > 0) write_use(&line, command_seconds, sum);
  sal_json_end(&line);
  if ((fflush(s->status) || ferror(s->status)) && !s->lost) s->lost = errno ? errno : EIO;
  s->written = now;
}

void sal_run_status_print(sal_run_status *s, const char *state) { write_line(s, state, 0, NULL); }

void sal_run_status_print_end(sal_run_status *s, double command_seconds, const sal_run_use *sum)
{
  write_line(s, "done", command_seconds, sum);
}

static void note_silence(sal_run_status *s)
{
  char hosts[SAL_HEARTBEAT_TEXT];
  double seconds;

  s->bar.trouble = NULL;
  if (!sal_heartbeat_silent(hosts, &seconds)) return;
  snprintf(s->trouble, sizeof s->trouble, "nothing from %.100s for %.0f s", hosts, seconds);
  s->bar.trouble = s->trouble;
}

void sal_run_status_update(sal_run_status *s, int64_t cells, int64_t trajectories)
{
  const int64_t done = s->found + cells, work = s->found * s->configs + trajectories;

  /* a part runs pilots that are not cells of its own, too */
  s->done = done < s->cells ? done : s->cells;
  s->work = work < s->cells * s->configs ? work : s->cells * s->configs;
  s->bar.units = s->done;
  note_silence(s);
  sal_progress_update(&s->bar, s->work);
  if (s->status && sal_clock_wall() - s->written >= s->every) sal_run_status_print(s, "running");
}

void sal_run_status_pause(sal_run_status *s, int64_t done)
{
  s->done = s->bar.units = done;
  if (s->work < done * s->configs || done == s->cells) s->work = done * s->configs;
  sal_progress_stop(&s->bar, s->work);
}

sal_err sal_run_status_end(sal_run_status *s)
{
  if (s->status && fclose(s->status) && !s->lost) s->lost = errno;
  s->status = NULL;
  return report_loss(s);
}
