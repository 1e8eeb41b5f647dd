/** Axes, sizes and times of runs, and what ranks spend their time on. */
#include "plan_print.h"
#include "base.h"
#include "map_cube.h"
#include "parameter_column.h"
#include "spent_text.h"
#include <unistd.h>

enum { SHOWN = 8, NONE = -1 }; /* values of a list */

static const double good = 0.8; /* an efficiency that needs no remedy */

/* The first values of a list; an option's are words. */
static void print_points(sal_report *r, const sal_model *m, const sal_axis *axis)
{
  char number[SAL_TEXT_NUMBER];

  for (int64_t i = 0; i < axis->n_point && i < SHOWN; ++i)
    sal_report_say(r, " %s",
                   sal_parameter_column_text(m, axis->column[0], axis->value[i], 6, number));
  if (axis->n_point > SHOWN) sal_report_say(r, " ..");
}

static void print_axis_range(sal_report *r, const sal_model *m, const sal_axis *axis)
{
  if (axis->kind == SAL_AXIS_LIST) print_points(r, m, axis);
  if (axis->kind == SAL_AXIS_LIST || axis->kind == SAL_AXIS_ROWS) return;
  for (int c = 0; c < axis->n_column; ++c)
    sal_report_say(r, "%s%s %g .. %g", c ? "," : "", axis->log[c] ? " log" : "", axis->lo[c],
                   axis->hi[c]);
}

static void print_axes(sal_report *r, const sal_sweep *s)
{
  const int64_t scattered = s->scattered.point.n_point;

  sal_json_array(&r->json, "axes");
  for (int a = 0; a < s->n_axis; ++a) {
    sal_text name = {0};
    sal_parameter_axis_name(s, a, &name);
    sal_json_object_of(&r->json, NULL, "name %s, kind %s, points %ld", name.string,
                       sal_axis_kind_name(s->axis[a].kind), s->axis[a].n_point);
    sal_report_say(r, "%-13s%-10s %8lld point%s, %s", a ? "" : "axes",
                   name.string ? name.string : "", (long long)s->axis[a].n_point,
                   sal_text_plural(s->axis[a].n_point), sal_axis_kind_name(s->axis[a].kind));
    print_axis_range(r, s->model, &s->axis[a]);
    sal_report_say(r, "\n");
    sal_text_free(&name);
  }
  sal_json_end(&r->json);
  if (scattered == 0) return;
  sal_json_whole(&r->json, "scattered", scattered);
  sal_report_say(r, "%-13s%-10s %8lld point%s, between those of the axes\n", "", "scattered",
                 (long long)scattered, sal_text_plural(scattered));
}

/* "5 x 3 + 7 = 22" */
static void print_cells(sal_report *r, const sal_plan *p)
{
  const sal_sweep *s = p->sweep;
  const int64_t scale = p->cube ? p->cube->scale : 1, all = s->n_cell / scale,
                more = all - s->n_grid;

  sal_json_whole(&r->json, "cells", all);
  sal_report_say(r, "%-13s", "cells");
  for (int a = 0; s->n_axis > 1 && a < s->n_axis; ++a)
    sal_report_say(r, "%s%lld", a ? " x " : "", (long long)s->axis[a].n_point);
  if (more && s->n_axis == 1) sal_report_say(r, "%lld", (long long)s->n_grid);
  if (more) sal_report_say(r, " + %lld", (long long)more);
  sal_report_say(r, "%s%lld", more || s->n_axis > 1 ? " = " : "", (long long)all);
  sal_report_say(r, scale > 1 ? ", %lld times over\n" : "\n", (long long)scale);
}

static void print_stored(sal_report *r, const sal_sweep *s, const sal_bill_sweep *sizes)
{
  const int64_t cells = s->stored.n_cell, points = s->stored.n_mesh + 1;

  sal_report_say(r, "kept         %s of trajectories, %lld cell%s at %lld point%s each\n",
                 sal_amount_of_bytes(sizes->bytes[SAL_BILL_STORED]).text, (long long)cells,
                 sal_text_plural(cells), (long long)points, sal_text_plural(points));
}

static double cube_bytes(const sal_bill_sweep *sizes)
{
  return sizes->bytes[SAL_BILL_FRAME] + sizes->bytes[SAL_BILL_METRICS];
}

static void put_sizes(sal_json *j, const sal_plan_run *run)
{
  const double *of = run->sizes.bytes;
  const sal_bill_phase all = sal_bill_sum(&run->bill);

  sal_json_members(j,
                   "cube_bytes %g, map_bytes %g, rows_bytes %g, journal_bytes %g, stored_bytes %g, "
                   "disk_bytes %g, rank0_bytes %g, other_bytes %g",
                   cube_bytes(&run->sizes), of[SAL_BILL_MAP], run->sizes.rows, of[SAL_BILL_JOURNAL],
                   of[SAL_BILL_STORED], run->bill.peak, all.first, all.others);
}

static void print_disk(sal_report *r, const sal_plan *p, const sal_plan_run *run)
{
  const sal_bill_sweep *of = &run->sizes;

  sal_report_say(r, "cube         %s", sal_amount_of_bytes(cube_bytes(of)).text);
  if (of->bytes[SAL_BILL_MAP] > 0)
    sal_report_say(r, ", its map %s more", sal_amount_of_bytes(of->bytes[SAL_BILL_MAP]).text);
  sal_report_say(r, "\n");
  if (p->machine->map && sal_map_size_check(p->sweep, run->ranks) != SAL_OK) {
    sal_report_say(r, "map          none: %s\n", sal_err_message());
    sal_err_clear();
  }
  if (p->sweep->stored.n_cell) print_stored(r, p->sweep, of);
  sal_report_say(r, "disk         %s while it runs: all that and ",
                 sal_amount_of_bytes(run->bill.peak).text);
  sal_report_say(r, "%s of journals\n", sal_amount_of_bytes(of->bytes[SAL_BILL_JOURNAL]).text);
}

static void print_memory(sal_report *r, const sal_plan_run *run)
{
  const sal_bill_phase all = sal_bill_sum(&run->bill);

  sal_report_say(r, "memory       %s of rank 0\n", sal_amount_of_bytes(all.first).text);
  if (run->ranks > 1)
    sal_report_say(r, "%-13s%s of each other rank\n", "", sal_amount_of_bytes(all.others).text);
}

/* The compute time varies by the uncertainty of the sample; the rest is fixed. */
static double seconds_at(const sal_plan_run *run, double factor)
{
  return sal_bill_sum(&run->bill).seconds + (factor - 1) * run->compute;
}

static void print_spread(sal_report *r, const sal_plan *p, const sal_plan_run *run)
{
  const double low = seconds_at(run, 1 / (1 + run->spread)),
               high = seconds_at(run, 1 + run->spread);

  if (p->cube) return;
  if (p->estimate.outliers.cut > 0) sal_report_say(r, " or more");
  if (isfinite(run->spread))
    sal_report_say(r, ", %s", sal_amount_of_range(seconds_at(run, 1), low, high).text);
  else if (p->estimate.outliers.cut == 0)
    sal_report_say(r, " or so");
}

static void print_time(sal_report *r, const sal_plan *p, const sal_plan_run *run)
{
  const long cores = sysconf(_SC_NPROCESSORS_ONLN), workers = (long)run->ranks * run->threads;

  sal_report_say(r, "time         %s", sal_amount_of_seconds(seconds_at(run, 1)).text);
  print_spread(r, p, run);
  sal_report_say(r, " with %d rank%s x %d thread%s\n", run->ranks, sal_text_plural(run->ranks),
                 run->threads, sal_text_plural(run->threads));
  if (workers > cores && !p->cube)
    sal_report_say(r, "%-13sthis machine has %ld core%s; the time is that of %ld like them\n", "",
                   cores, sal_text_plural(cores), workers);
}

/* CPU time of all cells, as sampled or measured. */
static void print_cpu(sal_report *r, const sal_plan *p)
{
  const sal_estimate *e = &p->estimate;
  const sal_cell_times *cube = p->cube;
  sal_json *j = &r->json;

  if (!cube && e->cells == 0) return;
  sal_json_number(j, "cpu_seconds", cube ? cube->sum : e->cpu_seconds);
  sal_report_say(
      r, "cells take   %s of one core, ",
      sal_amount_of_seconds(cube ? cube->sum * (double)cube->scale : e->cpu_seconds).text);
  if (cube) {
    sal_json_members(j, "scale %ld, heaviest_cell %g", cube->scale, cube->heaviest);
    sal_report_say(r, "%.3g s the heaviest\n", cube->heaviest);
    return;
  }
  sal_json_members(j, "uncertainty %g, sampled_cells %ld, sample_seconds %g, sample_waited %g",
                   e->uncertainty, e->cells, e->run_seconds,
                   e->waited); /* uncertainty null: unknown */
  sal_report_say(r, "by %lld that %s run, in %.1f s\n", (long long)e->cells,
                 e->cells == 1 ? "was" : "were", e->run_seconds);
}

/* Time of ranks that is not computing: in the schedule of a cube, and in a phase of the bill. */
enum { N_SINK = SAL_N_LOSS + 3 };
static const struct {
  const char *name;
  int phase;
} sinks[N_SINK] = {[SAL_SIM_LOSS_COUNTER] = {"counter", NONE},
                   [SAL_SIM_LOSS_CHUNKS] = {"chunks", NONE},
                   [SAL_SIM_LOSS_ANSWERS] = {"answers", NONE},
                   [SAL_SIM_LOSS_JOURNAL] = {"journal", SAL_PHASE_JOURNAL},
                   [SAL_SIM_LOSS_TAIL] = {"tail", NONE},
                   [SAL_SIM_LOSS_LEAVE] = {"leave", NONE},
                   [SAL_SIM_LOSS_TURNS] = {"turns", NONE},
                   [SAL_N_LOSS] = {"start", SAL_PHASE_START},
                   {"write", SAL_PHASE_WRITE},
                   {"map", SAL_PHASE_MAP}};

/* Time lost by all ranks together [s]. */
static double lost_in(const sal_plan_run *run, int k)
{
  const int phase = sinks[k].phase;

  return (k < SAL_N_LOSS ? run->sim.lost[k] : 0) +
         (phase == NONE ? 0 : run->bill.phase[phase].seconds * run->ranks);
}

/* Share of the time of all ranks; NaN: it is not known. */
static double share_of_time(const sal_plan_run *run, double seconds)
{
  return seconds / (sal_bill_sum(&run->bill).seconds * run->ranks);
}

static double efficiency_of(const sal_plan_run *run) { return share_of_time(run, run->busy); }

/* The largest of the losses, where they matter. */
static const char *bottleneck_of(const sal_plan_run *run)
{
  const sal_sim *got = &run->sim;
  int k = SAL_N_LOSS;

  if (!(efficiency_of(run) < good)) return "-";
  for (int i = 0; i < N_SINK; ++i)
    if (lost_in(run, i) > lost_in(run, k)) k = i;
  if (k != SAL_SIM_LOSS_TAIL) return sinks[k].name;
  if (got->tiles < run->ranks) return "cells";
  return 2 * got->heaviest > got->computed ? "heaviest" : "tail";
}

static void put_time(sal_json *j, const sal_plan *p, const sal_plan_run *run)
{
  sal_json_members(j,
                   "seconds %g, seconds_low %g, seconds_high %g, compute_seconds %g, busy_seconds "
                   "%g, efficiency %g, bottleneck %s",
                   seconds_at(run, 1), seconds_at(run, 1 / (1 + run->spread)),
                   seconds_at(run, 1 + run->spread), run->compute, run->busy, efficiency_of(run),
                   bottleneck_of(run));
  sal_json_object(j, "lost");
  for (int k = 0; k < N_SINK; ++k)
    if (p->cube || sinks[k].phase != NONE) sal_json_number(j, sinks[k].name, lost_in(run, k));
  sal_json_end(j);
  if (!p->cube) return;
  sal_json_members(j, "nodes %d, tiles %ld, messages %ld, heaviest_tile %g", run->sim.n_node,
                   run->sim.tiles, run->sim.messages, run->sim.heaviest);
}

static void put_phases(sal_json *j, const sal_bill *b)
{
  sal_json_array(j, "phases");
  for (int k = 0; k < SAL_N_PHASE; ++k) {
    const sal_bill_phase *p = &b->phase[k];
    sal_json_object_of(j, NULL,
                       "name %s, seconds %g, bytes %g, files %g, message_bytes %g, requests %g, "
                       "rank0_bytes %g, other_bytes %g",
                       sal_bill_phases[k], p->seconds, p->bytes, p->opens, p->moved, p->requests,
                       p->first, p->others);
  }
  sal_json_end(j);
}

static void print_phase(const sal_report *r, const char *name, const sal_bill_phase *p)
{
  sal_report_say(r, "  %-9s%9s%9s%9.0f%9.0f%9s%10s%10s\n", name,
                 sal_amount_of_seconds(p->seconds).text,
                 sal_amount_of_bytes(p->bytes > 0 ? p->bytes : NAN).text, p->requests, p->opens,
                 sal_amount_of_bytes(p->moved > 0 ? p->moved : NAN).text,
                 sal_amount_of_bytes(p->first).text, sal_amount_of_bytes(p->others).text);
}

static void print_phases(const sal_report *r, const sal_bill *b)
{
  const sal_bill_phase all = sal_bill_sum(b);

  sal_report_say(r, "\n  %-9s%9s%9s%9s%9s%9s%10s%10s\n", "phase", "time", "bytes", "requests",
                 "files", "messages", "rank 0", "others");
  for (int k = 0; k < SAL_N_PHASE; ++k)
    if (b->phase[k].first > 0) print_phase(r, sal_bill_phases[k], &b->phase[k]);
  print_phase(r, "all", &all);
}

static void print_share(const sal_report *r, double share)
{
  if (isnan(share))
    sal_report_say(r, "%8s", "-");
  else
    sal_report_say(r, "%8.1f", 100 * share);
}

static void print_row(const sal_report *r, const sal_plan *p, const sal_plan_run *run)
{
  const sal_bill_phase all = sal_bill_sum(&run->bill);

  sal_report_say(r, "%8d%9s", run->ranks, sal_amount_of_seconds(all.seconds).text);
  print_share(r, efficiency_of(run));
  sal_report_say(r, " |");
  for (int k = 0; k < N_SINK; ++k)
    if (p->cube || sinks[k].phase != NONE) print_share(r, share_of_time(run, lost_in(run, k)));
  sal_report_say(r, " | %8s %8s | %s\n", sal_amount_of_bytes(all.first).text,
                 sal_amount_of_bytes(all.others).text, bottleneck_of(run));
}

static void print_head(const sal_report *r, const sal_plan *p)
{
  sal_report_say(r, "\n%8s%9s%8s |", "ranks", "time", "busy %");
  for (int k = 0; k < N_SINK; ++k)
    if (p->cube || sinks[k].phase != NONE) sal_report_say(r, "%8s", sinks[k].name);
  sal_report_say(r, " | %8s %8s | bottleneck\n", "rank 0", "others");
}

static void print_runs(sal_report *r, const sal_plan *p)
{
  const bool table = p->n > 1 || p->cube;

  if (table) print_head(r, p);
  sal_json_array(&r->json, "runs");
  for (int i = 0; i < p->n; ++i) {
    const sal_plan_run *run = &p->run[i];
    sal_json_object(&r->json, NULL);
    sal_json_members(&r->json, "ranks %d, threads %d", run->ranks, run->threads);
    put_sizes(&r->json, run);
    if (!isnan(run->compute)) put_time(&r->json, p, run);
    if (table) print_row(r, p, run);
    sal_plan_layout_print(r, p, run);
    put_phases(&r->json, &run->bill);
    sal_json_end(&r->json);
  }
  sal_json_end(&r->json);
}

/* Cells of the sample run everything, which most of the sweep does not. */
static void print_pilots(sal_report *r, const sal_sweep *s)
{
  const int64_t whole = sal_pilots_whole(s);

  if (whole == 0) return;
  sal_json_whole(&r->json, "whole_cells", whole);
  sal_report_say(r, "%-13s%lld cells run everything; the others take less than the sample did\n",
                 "pilots", (long long)whole);
}

static void print_there(sal_report *r, const sal_sweep *s, const sal_plan *p)
{
  const sal_reuse_count *c = &p->there;

  sal_json_members(&r->json,
                   "cells_there %ld, configs_there %d, configs_cut_off %d, trajectories_there %ld",
                   c->cells, c->configs, c->cut_off, c->trajectories);
  sal_report_say(r, "%-13s%s%lld in %s (%lld cell%s x %d configuration%s), %lld to be run\n",
                 "there", s->pilots.cells > 0 ? "at most " : "", (long long)c->trajectories,
                 p->from, (long long)c->cells, sal_text_plural(c->cells), c->configs,
                 sal_text_plural(c->configs),
                 (long long)(s->n_cell * sal_config_count(s) - c->trajectories));
  if (c->cut_off > 0)
    sal_report_say(r, "%-13s%d configuration%s there run again: other runs set their cutoffs now\n",
                   "", c->cut_off, sal_text_plural(c->cut_off));
}

void sal_plan_print(sal_report *r, const sal_plan *p)
{
  const sal_sweep *s = p->sweep;
  const int configs = sal_config_count(s);

  sal_json_text(&r->json, "model", s->model->name);
  sal_report_say(r, "%-13s%s%s%s\n%-13s%s, contacts: %d\n", p->cube ? "cube" : "sweep", s->path,
                 *s->title ? ": " : "", s->title, "model", s->model->name, s->n_guard);
  print_axes(r, s);
  print_cells(r, p);
  sal_json_whole(&r->json, "configs", configs);
  sal_report_say(r, "%-13s%d solver%s x %d strateg%s x %d tolerance%s = %d\n", "configs",
                 s->n_method, sal_text_plural(s->n_method), s->n_strategy,
                 s->n_strategy == 1 ? "y" : "ies", s->n_tolerance, sal_text_plural(s->n_tolerance),
                 configs);
  sal_json_whole(&r->json, "trajectories", s->n_cell * configs);
  sal_report_say(r, "%-13s%lld\n", "trajectories", (long long)s->n_cell * configs);
  if (p->from) print_there(r, s, p);
  print_cpu(r, p);
  print_pilots(r, s);
  if (p->estimate.cells > 0) sal_plan_outliers_print(r, s, &p->estimate.outliers);
  print_disk(r, p, p->run);
  if (p->n == 1) print_memory(r, p->run);
  if (p->n == 1 && !isnan(p->run->compute)) print_time(r, p, p->run);
  print_runs(r, p);
  if (p->n == 1) print_phases(r, &p->run->bill);
}
