/** By a timer whose signal's handler writes the line: whole numbers alone, and one system call. */
#include "cli_run.h"
#include "clock.h"
#include <unistd.h>

enum { CROWD = 16 };

/* [s] as other progress on a file (progress.c) */
static const double first = 5, each = 30;

static struct {
  const char *command;
  double began, t_end, budget;
  bool crowded; /* contacts between which a collapse makes impacts without bound */
  sal_run_reached reached;
} at;

static int percent(double part, double of)
{
  return of > 0 && part > 0 ? (int)(100 * (part < of ? part / of : 1)) : 0;
}

static void write_line(void)
{
  const double t = atomic_load_explicit(&at.reached.t, memory_order_relaxed);
  const double work = atomic_load_explicit(&at.reached.work, memory_order_relaxed);
  char line[240];
  int n = snprintf(line, sizeof line, "saltus %s: %d s", at.command,
                   (int)(sal_clock_wall() - at.began));

  if (t > 0 && at.t_end > 0)
    n += snprintf(line + n, sizeof line - (size_t)n, "; the run in hand is at %d %% of its time",
                  percent(t, at.t_end));
  if (work > 0 && at.budget > 0)
    n += snprintf(line + n, sizeof line - (size_t)n, "; %d %% of its budget is spent",
                  percent(work, at.budget));
  n += snprintf(line + n, sizeof line - (size_t)n, "%s\n",
                at.crowded ? "; --solver moreau --strategy capture steps over its impacts" : "");
  if (write(STDERR_FILENO, line, (size_t)n) < 0) return;
}

void sal_cli_watch_begin(const char *command)
{
  at.command = command;
  at.began = sal_clock_wall();
  sal_ticks_begin(first, each, write_line);
}

sal_run_reached *sal_cli_watch_run(const sal_setup *setup, double budget)
{
  const sal_model *m = setup->model;

  at.t_end = setup->t_end;
  at.crowded =
      m->motion && m->n_touch >= CROWD && !setup->method->captures && !sal_model_special_impacts(m);
  at.budget = budget;
  return &at.reached;
}
