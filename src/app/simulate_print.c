/** @file src/app/simulate_print.c
 *  The table of `saltus simulate`.
 */
#include "simulate_print.h"
#include "amount.h"
#include "bill_print.h"
#include "node_layout.h"
#include "text.h"

static const double good = 0.8; /* an efficiency that needs no remedy */

/* Where time goes that is not computing: in the schedule, or in phases of the bill. */
enum { START = SAL_N_LOSS, READ, WRITE, MAP, REMOVE, N_SINK };
static const struct sink {
  const char *name;
  unsigned phases; /* a bit each */
} sinks[N_SINK] = {
    [SAL_SIM_LOSS_COUNTER] = {"counter", 0},
    [SAL_SIM_LOSS_CHUNKS] = {"chunks", 0},
    [SAL_SIM_LOSS_ANSWERS] = {"answers", 0},
    [SAL_SIM_LOSS_JOURNAL] = {"journal", 0},
    [SAL_SIM_LOSS_TAIL] = {"tail", 0},
    [SAL_SIM_LOSS_LEAVE] = {"leave", 0},
    [SAL_SIM_LOSS_TURNS] = {"turns", 0},
    [START] = {"start", 1U << SAL_PHASE_START},
    [READ] = {"read", 1U << SAL_PHASE_READ},
    [WRITE] = {"write", 1U << SAL_PHASE_FRAME | 1U << SAL_PHASE_WRITE | 1U << SAL_PHASE_STORE},
    [MAP] = {"map", 1U << SAL_PHASE_MAP},
    [REMOVE] = {"remove", 1U << SAL_PHASE_REMOVE}};

/* Time lost by all ranks together [s]. */
static double lost_in(const sal_simulated *run, int sink)
{
  double lost = sink < SAL_N_LOSS ? run->got.lost[sink] : 0;

  for (int k = 0; k < SAL_N_PHASE; ++k)
    if (sinks[sink].phases >> k & 1) lost += run->bill.phase[k].seconds * run->machine.n_rank;
  return lost;
}

static double wall_of(const sal_simulated *run) { return sal_bill_sum(&run->bill).seconds; }

/* Share of the time of all ranks. */
static double share_of_time(const sal_simulated *run, double seconds)
{
  const double all = wall_of(run) * run->machine.n_rank;

  return all > 0 ? seconds / all : 0;
}

/* Busy time over the time of all ranks. */
static double efficiency_of(const sal_simulated *run) { return share_of_time(run, run->got.busy); }

/* Where most of the rest goes: a word of the table's help. */
static const char *breaking_at(const sal_simulated *run)
{
  const sal_sim *got = &run->got;
  int k = 0;

  if (efficiency_of(run) >= good) return "-";
  for (int i = 1; i < N_SINK; ++i)
    if (lost_in(run, i) > lost_in(run, k)) k = i;
  if (k != SAL_SIM_LOSS_TAIL) return sinks[k].name;
  if (got->tiles < run->machine.n_rank) return "cells";
  return 2 * got->heaviest > got->computed ? "heaviest" : "tail";
}

static void print_head(sal_report *r, const sal_simulated_work *work, const sal_simulated *run)
{
  const sal_sim_machine *at = &run->machine;
  sal_json *j = &r->json;

  sal_json_text(j, "cube", work->path);
  sal_json_whole(j, "cells", work->cells);
  sal_json_whole(j, "scale", work->scale);
  sal_json_number(j, "cpu_seconds", work->sum);
  sal_json_number(j, "heaviest_cell", work->heaviest);
  sal_json_whole(j, "ranks_per_node", at->per_node);
  sal_json_whole(j, "threads", work->threads);
  sal_json_number(j, "latency", at->latency);
  sal_json_number(j, "bandwidth", at->bandwidth);
  sal_json_number(j, "cube_bytes", run->bill.disk);
  sal_json_number(j, "disk_bytes", run->bill.peak);
  sal_report_say(r, "%s: %lld cell%s", work->path, (long long)work->cells,
                 sal_text_plural(work->cells));
  if (work->scale > 1) sal_report_say(r, " x %lld", (long long)work->scale);
  sal_report_say(r, ", %.4g s of one core, %.3g s the heaviest cell\n",
                 work->sum * (double)work->scale, work->heaviest);
  sal_report_say(r, "%d rank%s a node, %d thread%s each; latency %.3g us; ", at->per_node,
                 sal_text_plural(at->per_node), work->threads, sal_text_plural(work->threads),
                 1e6 * at->latency);
  sal_report_say(r, "%s of cube beside %s of journals on a disk of %s/s\n\n",
                 sal_amount_of_bytes(run->bill.disk).text,
                 sal_amount_of_bytes(run->bill.peak - run->bill.disk).text,
                 sal_amount_of_bytes(at->bandwidth).text);
}

static void print_run(sal_report *r, const sal_simulated_work *work, const sal_cli_machine *machine,
                      const sal_simulated *run)
{
  const sal_sim *got = &run->got;
  const sal_bill_phase all = sal_bill_sum(&run->bill);
  sal_json *j = &r->json;

  sal_json_object(j, NULL);
  sal_json_whole(j, "ranks", run->machine.n_rank);
  sal_json_whole(j, "nodes", got->n_node);
  sal_json_whole(j, "tiles", got->tiles);
  sal_json_number(j, "wall", all.seconds);
  sal_json_number(j, "efficiency", efficiency_of(run));
  sal_json_number(j, "busy", got->busy);
  sal_json_number(j, "heaviest_tile", got->heaviest);
  sal_json_whole(j, "messages", got->messages);
  sal_report_say(r, "%8d %6d %8lld %10.4g %6.1f |", run->machine.n_rank, got->n_node,
                 (long long)got->tiles, all.seconds, 100 * efficiency_of(run));
  for (int k = 0; k < N_SINK; ++k) {
    sal_json_number(j, sinks[k].name, lost_in(run, k));
    sal_report_say(r, " %7.1f", 100 * share_of_time(run, lost_in(run, k)));
  }
  sal_json_text(j, "breaks", breaking_at(run));
  sal_report_say(r, " | %8s %8s | %s\n", sal_amount_of_bytes(all.first).text,
                 sal_amount_of_bytes(all.others).text, breaking_at(run));
  sal_node_layout_print(r, "         ", &work->sweep, machine, run->machine.n_rank, work->threads);
  sal_bill_json(j, &run->bill);
  sal_json_end(j);
}

/* The most ranks that are busy enough. */
static void say_most(const sal_report *r, int n, const sal_simulated run[])
{
  int most = 0;

  for (int i = 0; i < n; ++i)
    if (efficiency_of(&run[i]) >= good && run[i].machine.n_rank > most)
      most = run[i].machine.n_rank;
  if (most > 0)
    sal_report_say(r,
                   "\n%d rank%s, the most of these that %s busy for %.0f %% of the time or more\n",
                   most, sal_text_plural(most), most > 1 ? "are" : "is", 100 * good);
  else
    sal_report_say(r, "\nnone of these is busy for %.0f %% of the time: try fewer ranks\n",
                   100 * good);
}

void sal_simulate_print(sal_report *r, const sal_simulated_work *work,
                        const sal_cli_machine *machine, int n, const sal_simulated run[])
{
  print_head(r, work, run);
  sal_report_say(r, "%8s %6s %8s %10s %6s |", "ranks", "nodes", "tiles", "wall s", "busy %");
  for (int k = 0; k < N_SINK; ++k) sal_report_say(r, " %7s", sinks[k].name);
  sal_report_say(r, " | %8s %8s | breaks at\n", "rank 0", "others");
  sal_json_array(&r->json, "runs");
  for (int i = 0; i < n; ++i) print_run(r, work, machine, &run[i]);
  sal_json_end(&r->json);
  say_most(r, n, run);
}

void sal_simulate_print_csv(FILE *out, const sal_simulated_work *work, int n,
                            const sal_simulated run[])
{
  fprintf(out, "ranks,nodes,cells,tiles,wall_s,efficiency,busy_s,heaviest_tile_s,messages");
  for (int k = 0; k < N_SINK; ++k) fprintf(out, ",%s_s", sinks[k].name);
  fprintf(out, ",rank0_bytes,other_bytes,breaks\n");
  for (int i = 0; i < n; ++i) {
    const sal_sim *got = &run[i].got;
    const sal_bill_phase all = sal_bill_sum(&run[i].bill);
    fprintf(out, "%d,%d,%lld,%lld,%.17g,%.17g,%.17g,%.17g,%lld", run[i].machine.n_rank, got->n_node,
            (long long)work->cells * work->scale, (long long)got->tiles, all.seconds,
            efficiency_of(&run[i]), got->busy, got->heaviest, (long long)got->messages);
    for (int k = 0; k < N_SINK; ++k) fprintf(out, ",%.17g", lost_in(&run[i], k));
    fprintf(out, ",%.17g,%.17g,%s\n", all.first, all.others, breaking_at(&run[i]));
  }
}
