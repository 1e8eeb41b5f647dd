/** A line or two for each event of a run. */
#include "base.h"
#include "cli_run.h"
#include "cli_sweep.h"
#include "folder_probe.h"
#include "hints.h"
#include "plan_print.h"
#include "spent_text.h"

static void print_beginning(const sal_run_news *n)
{
  const sal_sweep *s = n->sweep;
  const int configs = sal_config_count(s);

  fprintf(stderr,
          "%s: %lld cell%s x %d configuration%s (%d solver%s, %d strateg%s, %d tolerance%s), ",
          s->model->name, (long long)s->n_cell, sal_text_plural(s->n_cell), configs,
          sal_text_plural(configs), s->n_method, sal_text_plural(s->n_method), s->n_strategy,
          s->n_strategy == 1 ? "y" : "ies", s->n_tolerance, sal_text_plural(s->n_tolerance));
  fprintf(stderr, "%d rank%s x %d thread%s, %d lane%s\n", n->ranks, sal_text_plural(n->ranks),
          n->threads, sal_text_plural(n->threads), n->width, sal_text_plural(n->width));
}

/* Bytes still to be written; at the end of the run journals and cube exist at the same time. */
static double bytes_left(const sal_run_news *n)
{
  const sal_bill_sweep sizes =
      sal_plan_sizes(n->sweep, &(sal_packed_size){0}, n->ranks, n->threads, true);
  const double *of = sizes.bytes, cells = (double)(n->cells - n->found);
  const double journal = of[SAL_BILL_JOURNAL] * cells / (double)n->sweep->n_cell;

  if (n->part.of > 1) return journal;
  return journal + of[SAL_BILL_FRAME] + of[SAL_BILL_METRICS] + of[SAL_BILL_MAP] +
         of[SAL_BILL_STORED];
}

/* A disk that fills up ends a run after hours that was too large from the beginning. */
static void print_room(const sal_run_news *n)
{
  const double needed = bytes_left(n);
  double there;

  if (sal_folder_probe_room(n->folder, needed, &there)) return;
  fprintf(stderr,
          "%s: about %s are to be written, and %s%s there; a full disk ends the run, and "
          "what is finished is kept\n",
          n->folder, sal_amount_of_bytes(needed).text,
          there < 0 ? "your quota has less" : sal_amount_of_bytes(there).text,
          there < 0 ? "" : " are free");
}

static void print_found(const sal_run_news *n)
{
  print_room(n);
  if (n->found > 0)
    fprintf(stderr, "%s: %lld of %lld cells are there already\n", n->folder, (long long)n->found,
            (long long)n->cells);
  if (n->aside > 0)
    fprintf(stderr,
            "%s: the head of %lld journal%s is damaged; set aside as ..sal.damaged, nothing in it "
            "counts, and its cells are run again\n",
            n->folder, (long long)n->aside, sal_text_plural(n->aside));
  if (n->damaged > 0)
    fprintf(stderr, "%s: %lld records are broken off or damaged; their cells are run again\n",
            n->folder, (long long)n->damaged);
}

static void print_reuse(const sal_run_news *n)
{
  const sal_reuse_count *c = n->reuse;
  const char *most = n->sweep->pilots.cells > 0 ? "at most " : "";

  fprintf(stderr,
          "%s: %s%lld of %lld trajectories are there, of %lld cell%s x %d configuration%s\n",
          n->from, most, (long long)c->trajectories,
          (long long)n->sweep->n_cell * sal_config_count(n->sweep), (long long)c->cells,
          sal_text_plural(c->cells), c->configs, sal_text_plural(c->configs));
  if (c->cut_off > 0)
    fprintf(stderr, "%s: %d configuration%s there run again: other runs set their cutoffs now\n",
            n->from, c->cut_off, sal_text_plural(c->cut_off));
}

static void print_machines(const sal_run_news *n)
{
  fprintf(stderr, SAL_RUN_PRINT_MACHINES, n->folder, n->why);
}

static void print_pilots_run(const sal_run_news *n) { fprintf(stderr, "pilots: %s\n", n->why); }

static void print_no_map(const sal_run_news *n) { fprintf(stderr, "no map: %s\n", n->why); }

static void print_journals(const sal_run_news *n)
{
  fprintf(stderr, "%s is written, but its journals stay: %s\n", n->out, n->why);
}

enum { MOST_LINES = 64 };

static void print_line(const char *name, const sal_run_use *u)
{
  fprintf(stderr, "%6s %9.2f %9.2f %9.2f %9.2f %8lld %10lld", name, u->busy, u->cpu, u->waited,
          u->io, (long long)u->tiles, (long long)u->cells);
  if (u->turns > 0) fprintf(stderr, " %7.1f", 100.0 * (double)u->live_turns / (double)u->turns);
  fprintf(stderr, "\n");
}

/* Largest over mean, less 1, in per cent: the share of the time that the slowest rank adds. */
static double imbalance_of(int n, double sum, double most)
{
  return sum > 0 ? 100 * (most * n / sum - 1) : 0;
}

static void print_imbalance(int n, const sal_run_use use[], const sal_run_use *sum)
{
  double busy = 0, cpu = 0;

  for (int i = 0; i < n; ++i) {
    if (use[i].busy > busy) busy = use[i].busy;
    if (use[i].cpu > cpu) cpu = use[i].cpu;
  }
  fprintf(stderr, "imbalance %.1f %% of the busy time, %.1f %% of the CPU time\n",
          imbalance_of(n, sum->busy, busy), imbalance_of(n, sum->cpu, cpu));
}

/* Where the time of each rank went: a line for each of the first ranks, the sums, the imbalance. */
static void print_use(int n, const sal_run_use use[])
{
  const sal_run_use sum = sal_run_use_sum(n, use);

  fprintf(stderr, "%6s %9s %9s %9s %9s %8s %10s %7s\n", "rank", "busy s", "cpu s", "waiting s",
          "I/O s", "tiles", "cells", "lanes %");
  for (int i = 0; i < n && i < MOST_LINES; ++i) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    print_line(name, &use[i]);
  }
  if (n > MOST_LINES) fprintf(stderr, "%6s (%d more)\n", "..", n - MOST_LINES);
  if (n > 1) print_line("all", &sum);
  if (n > 1) print_imbalance(n, use, &sum);
  if (sum.taken > 0)
    fprintf(stderr, "%lld trajectories were run, %lld taken over\n", (long long)sum.fresh,
            (long long)sum.taken);
  if (use[0].nodes > 1)
    fprintf(stderr, "%lld nodes, %lld messages between them\n", (long long)use[0].nodes,
            (long long)sum.messages);
}

static void print_end(const sal_run_news *n)
{
  if (n->use) print_use(n->ranks, n->use);
  if (n->part.of == 1)
    fprintf(stderr, "wrote %s in %.1f s\n", n->out, n->seconds);
  else
    fprintf(stderr, "part %d/%d is done; when all are: saltus merge %s\n", n->part.index,
            n->part.of, n->out);
}

void sal_run_print(sal_run_event event, const sal_run_news *news)
{
  static void (*const print[SAL_N_RUN_EVENT])(const sal_run_news *) = {
      [SAL_RUN_BEGINS] = print_beginning,       [SAL_RUN_FOUND] = print_found,
      [SAL_RUN_REUSES] = print_reuse,           [SAL_RUN_MACHINES] = print_machines,
      [SAL_RUN_PILOTS] = print_pilots_run,      [SAL_RUN_NO_MAP] = print_no_map,
      [SAL_RUN_JOURNALS_STAY] = print_journals, [SAL_RUN_ENDS] = print_end};

  print[event](news);
}

void sal_run_print_begin(sal_run_event event, const sal_run_news *news)
{
  if (event != SAL_RUN_ENDS) sal_run_print(event, news);
}

sal_err sal_cli_hints(const char *where, const char *text, void *value)
{
  *(const char **)value = text;
  return sal_hints_check(where, text);
}

#define AT(member) .offset = offsetof(sal_run_options, member)

#define ROWS const sal_cli_option sal_cli_sweep_options[]
#define OPTIONS_OF_sweep
#include "options.def"
