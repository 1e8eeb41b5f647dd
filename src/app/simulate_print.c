/** @file src/app/simulate_print.c
 *  The table of `saltus simulate`.
 */
#include "simulate_print.h"

static const double good = 0.8; /* an efficiency that nobody need do anything about */

static const char *const loss_names[SAL_N_LOSS] = {
    [SAL_SIM_LOSS_COUNTER] = "counter", [SAL_SIM_LOSS_CHUNKS] = "chunks",
    [SAL_SIM_LOSS_ANSWERS] = "answers", [SAL_SIM_LOSS_JOURNAL] = "journal",
    [SAL_SIM_LOSS_TAIL] = "tail",       [SAL_SIM_LOSS_WRITE] = "write"};

/* Of the time of all ranks. */
static double share(const sal_simulated *run, double seconds)
{
  const double all = run->got.wall * run->machine.n_rank;

  return all > 0 ? seconds / all : 0;
}

double sal_simulated_efficiency(const sal_simulated *run) { return share(run, run->got.busy); }

const char *sal_simulated_breaks(const sal_simulated *run)
{
  const sal_sim *got = &run->got;
  int            k   = 0;

  if (sal_simulated_efficiency(run) >= good) return "-";
  for (int i = 1; i < SAL_N_LOSS; ++i)
    if (got->lost[i] > got->lost[k]) k = i;
  if (k != SAL_SIM_LOSS_TAIL) return loss_names[k];
  if (got->tiles < run->machine.n_rank) return "cells";
  return 2 * got->heaviest > got->computed ? "heaviest" : "tail";
}

static void print_head(FILE *out, const sal_simulated_work *work, const sal_simulated *run)
{
  const sal_sim_machine *at = &run->machine;

  fprintf(out, "%s: %lld cells", work->path, (long long)work->cells);
  if (work->scale > 1) fprintf(out, " x %lld", (long long)work->scale);
  fprintf(out, ", %.4g s of one core, %.3g s the heaviest cell\n", work->sum * (double)work->scale,
          work->heaviest);
  fprintf(out, "%d ranks a node, %d thread%s each; latency %.3g us; ", at->per_node, work->threads,
          work->threads > 1 ? "s" : "", 1e6 * at->latency);
  fprintf(out, "%.3g GB of cube%s to a disk of %.3g GB/s\n\n", 1e-9 * at->cube,
          at->journal > 0 ? " and as much of journals" : "", 1e-9 * at->bandwidth);
}

void sal_simulate_print_text(FILE *out, const sal_simulated_work *work, int n,
                             const sal_simulated run[])
{
  int most = 0;

  print_head(out, work, run);
  fprintf(out, "%8s %6s %8s %10s %6s |", "ranks", "nodes", "tiles", "wall s", "busy %");
  for (int k = 0; k < SAL_N_LOSS; ++k) fprintf(out, " %7s", loss_names[k]);
  fprintf(out, " | breaks at\n");
  for (int i = 0; i < n; ++i) {
    const sal_sim *got = &run[i].got;
    fprintf(out, "%8d %6d %8lld %10.4g %6.1f |", run[i].machine.n_rank, got->n_node,
            (long long)got->tiles, got->wall, 100 * sal_simulated_efficiency(&run[i]));
    for (int k = 0; k < SAL_N_LOSS; ++k) fprintf(out, " %7.1f", 100 * share(&run[i], got->lost[k]));
    fprintf(out, " | %s\n", sal_simulated_breaks(&run[i]));
    if (sal_simulated_efficiency(&run[i]) >= good && run[i].machine.n_rank > most)
      most = run[i].machine.n_rank;
  }
  if (most > 0)
    fprintf(out, "\n%d rank%s, the most of these that %s busy for %.0f %% of the time or more\n",
            most, most > 1 ? "s" : "", most > 1 ? "are" : "is", 100 * good);
  else
    fprintf(out, "\nnone of these is busy for %.0f %% of the time: try fewer ranks\n", 100 * good);
}

static void print_string(FILE *out, const char *text)
{
  fputc('"', out);
  for (; *text; ++text)
    if (*text == '"' || *text == '\\')
      fprintf(out, "\\%c", *text);
    else if ((unsigned char)*text < ' ')
      fprintf(out, "\\u%04x", (unsigned)(unsigned char)*text);
    else
      fputc(*text, out);
  fputc('"', out);
}

void sal_simulate_print_json(FILE *out, const sal_simulated_work *work, int n,
                             const sal_simulated run[])
{
  const sal_sim_machine *at = &run->machine;

  fprintf(out, "{\"cube\": ");
  print_string(out, work->path);
  fprintf(out,
          ", \"cells\": %lld, \"scale\": %lld, \"cpu_seconds\": %.17g, \"heaviest_cell\": %.17g, "
          "\"ranks_per_node\": %d, \"threads\": %d, \"latency\": %.17g, \"io_bandwidth\": %.17g, "
          "\"cube_bytes\": %.17g, \"runs\": [",
          (long long)work->cells, (long long)work->scale, work->sum, work->heaviest, at->per_node,
          work->threads, at->latency, at->bandwidth, at->cube);
  for (int i = 0; i < n; ++i) {
    const sal_sim *got = &run[i].got;
    fprintf(out,
            "%s{\"ranks\": %d, \"nodes\": %d, \"tiles\": %lld, \"wall\": %.17g, \"efficiency\": "
            "%.17g, \"busy\": %.17g, \"heaviest_tile\": %.17g, \"messages\": %lld",
            i ? ", " : "", run[i].machine.n_rank, got->n_node, (long long)got->tiles, got->wall,
            sal_simulated_efficiency(&run[i]), got->busy, got->heaviest, (long long)got->messages);
    for (int k = 0; k < SAL_N_LOSS; ++k)
      fprintf(out, ", \"%s\": %.17g", loss_names[k], got->lost[k]);
    fprintf(out, ", \"breaks\": \"%s\"}", sal_simulated_breaks(&run[i]));
  }
  fprintf(out, "]}\n");
}

void sal_simulate_print_csv(FILE *out, const sal_simulated_work *work, int n,
                            const sal_simulated run[])
{
  fprintf(out, "ranks,nodes,cells,tiles,wall_s,efficiency,busy_s,heaviest_tile_s,messages");
  for (int k = 0; k < SAL_N_LOSS; ++k) fprintf(out, ",%s_s", loss_names[k]);
  fprintf(out, ",breaks\n");
  for (int i = 0; i < n; ++i) {
    const sal_sim *got = &run[i].got;
    fprintf(out, "%d,%d,%lld,%lld,%.17g,%.17g,%.17g,%.17g,%lld", run[i].machine.n_rank, got->n_node,
            (long long)(work->cells * work->scale), (long long)got->tiles, got->wall,
            sal_simulated_efficiency(&run[i]), got->busy, got->heaviest, (long long)got->messages);
    for (int k = 0; k < SAL_N_LOSS; ++k) fprintf(out, ",%.17g", got->lost[k]);
    fprintf(out, ",%s\n", sal_simulated_breaks(&run[i]));
  }
}
