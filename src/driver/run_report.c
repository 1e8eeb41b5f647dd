/** @file src/driver/run_report.c
 *  The table at the end of a run.
 */
#include "run_report.h"
#include "memory.h"

enum { MOST_LINES = 64, N_NUMBER = sizeof(sal_run_part) / sizeof(double) };
_Static_assert(sizeof(sal_run_part) == N_NUMBER * sizeof(double), "all members have 8 bytes");

double sal_run_report_imbalance(int n, const double value[])
{
  double sum = 0, most = 0;

  for (int i = 0; i < n; ++i) {
    sum += value[i];
    if (value[i] > most) most = value[i];
  }
  return sum > 0 ? most * n / sum - 1 : 0;
}

static void print_line(FILE *out, const char *name, const sal_run_part *p)
{
  fprintf(out, "%6s %9.2f %9.2f %9.2f %9.2f %8lld %10lld", name, p->busy, p->cpu, p->waited, p->io,
          (long long)p->tiles, (long long)p->cells);
  if (p->turns > 0) fprintf(out, " %7.1f", 100.0 * (double)p->live_turns / (double)p->turns);
  fprintf(out, "\n");
}

static sal_run_part sum_of(int n, const sal_run_part part[])
{
  sal_run_part sum = {0};

  for (int i = 0; i < n; ++i) {
    sum.busy += part[i].busy;
    sum.cpu += part[i].cpu;
    sum.waited += part[i].waited;
    sum.io += part[i].io;
    sum.tiles += part[i].tiles;
    sum.cells += part[i].cells;
    sum.live_turns += part[i].live_turns;
    sum.turns += part[i].turns;
    sum.messages += part[i].messages;
  }
  return sum;
}

static void print_table(FILE *out, int n, const sal_run_part part[], double busy[], double cpu[])
{
  fprintf(out, "%6s %9s %9s %9s %9s %8s %10s %7s\n", "rank", "busy s", "cpu s", "waiting s",
          "I/O s", "tiles", "cells", "lanes %");
  for (int i = 0; i < n; ++i) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    if (i < MOST_LINES) print_line(out, name, &part[i]);
    busy[i] = part[i].busy;
    cpu[i]  = part[i].cpu;
  }
  if (n > MOST_LINES) fprintf(out, "%6s (%d more)\n", "..", n - MOST_LINES);
  const sal_run_part sum = sum_of(n, part);
  if (n > 1) print_line(out, "all", &sum);
  if (n > 1)
    fprintf(out, "imbalance %.1f %% of the busy time, %.1f %% of the CPU time\n",
            100 * sal_run_report_imbalance(n, busy), 100 * sal_run_report_imbalance(n, cpu));
  if (part[0].nodes > 1)
    fprintf(out, "%lld nodes, %lld messages between them\n", (long long)part[0].nodes,
            (long long)sum.messages);
}

sal_err sal_run_report(MPI_Comm comm, const sal_run_part *mine, FILE *out)
{
  int rank, n;

  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  sal_run_part *part     = rank == 0 ? sal_alloc((size_t)n, sizeof *part) : NULL;
  double       *room     = rank == 0 ? sal_alloc(2 * (size_t)n, sizeof *room) : NULL;
  int           short_of = rank == 0 && !(part && room), code;

  if (MPI_Bcast(&short_of, 1, MPI_INT, 0, comm) != MPI_SUCCESS || short_of)
    code = short_of ? MPI_SUCCESS : MPI_ERR_OTHER; /* no table is no reason to fail */
  else
    code = MPI_Gather(mine, sizeof *mine, MPI_BYTE, part, sizeof *mine, MPI_BYTE, 0, comm);
  if (rank == 0 && code == MPI_SUCCESS && !short_of) print_table(out, n, part, room, room + n);
  sal_free(part);
  sal_free(room);
  return code == MPI_SUCCESS ? SAL_OK : sal_fail(SAL_ERR_COMM, "MPI failed to gather the times");
}
