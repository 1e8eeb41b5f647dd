/** The table at the end of a run. */
#include "cli_sweep.h"

enum { MOST_LINES = 64 };

static void print_line(FILE *out, const char *name, const sal_run_use *u)
{
  fprintf(out, "%6s %9.2f %9.2f %9.2f %9.2f %8lld %10lld", name, u->busy, u->cpu, u->waited, u->io,
          (long long)u->tiles, (long long)u->cells);
  if (u->turns > 0) fprintf(out, " %7.1f", 100.0 * (double)u->live_turns / (double)u->turns);
  fprintf(out, "\n");
}

/* Largest over mean, less 1, in per cent: the share of the time that the slowest rank adds. */
static double imbalance_of(int n, double sum, double most)
{
  return sum > 0 ? 100 * (most * n / sum - 1) : 0;
}

static void print_imbalance(FILE *out, int n, const sal_run_use use[], const sal_run_use *sum)
{
  double busy = 0, cpu = 0;

  for (int i = 0; i < n; ++i) {
    if (use[i].busy > busy) busy = use[i].busy;
    if (use[i].cpu > cpu) cpu = use[i].cpu;
  }
  fprintf(out, "imbalance %.1f %% of the busy time, %.1f %% of the CPU time\n",
          imbalance_of(n, sum->busy, busy), imbalance_of(n, sum->cpu, cpu));
}

void sal_run_report_print(FILE *out, int n, const sal_run_use use[])
{
  const sal_run_use sum = sal_run_use_sum(n, use);

  fprintf(out, "%6s %9s %9s %9s %9s %8s %10s %7s\n", "rank", "busy s", "cpu s", "waiting s",
          "I/O s", "tiles", "cells", "lanes %");
  for (int i = 0; i < n && i < MOST_LINES; ++i) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    print_line(out, name, &use[i]);
  }
  if (n > MOST_LINES) fprintf(out, "%6s (%d more)\n", "..", n - MOST_LINES);
  if (n > 1) print_line(out, "all", &sum);
  if (n > 1) print_imbalance(out, n, use, &sum);
  if (sum.taken > 0)
    fprintf(out, "%lld trajectories were run, %lld taken over\n", (long long)sum.fresh,
            (long long)sum.taken);
  if (use[0].nodes > 1)
    fprintf(out, "%lld nodes, %lld messages between them\n", (long long)use[0].nodes,
            (long long)sum.messages);
}
