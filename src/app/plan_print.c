/** @file src/app/plan_print.c
 *  Axes, sizes and times of a sweep that is not run yet.
 */
#include "plan_print.h"
#include "amount.h"
#include "axis_name.h"
#include "bill_print.h"
#include "config.h"
#include "map_cube.h"
#include "node_layout.h"
#include "pilots.h"
#include "text.h"
#include <math.h>
#include <unistd.h>

enum { SHOWN = 8 }; /* values of a list */

/* The first values of a list; an option's are words. */
static void print_points(sal_report *r, const sal_model *m, const sal_axis *axis)
{
  const int option = axis->column[0] - m->n_param;

  for (int64_t i = 0; i < axis->n_point && i < SHOWN; ++i) {
    if (option >= 0 && option < m->n_option)
      sal_report_say(r, " %s", m->option[option].choice[(int)axis->value[i]]);
    else
      sal_report_say(r, " %g", axis->value[i]);
  }
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
  sal_json_array(&r->json, "axes");
  for (int a = 0; a < s->n_axis; ++a) {
    sal_text name = {0};
    sal_axis_name(s, a, &name);
    sal_json_object(&r->json, NULL);
    sal_json_text(&r->json, "name", name.string);
    sal_json_text(&r->json, "kind", sal_axis_kind_name(s->axis[a].kind));
    sal_json_whole(&r->json, "points", s->axis[a].n_point);
    sal_json_end(&r->json);
    sal_report_say(r, "%-13s%-10s %8lld point%s, %s", a ? "" : "axes",
                   name.string ? name.string : "", (long long)s->axis[a].n_point,
                   sal_text_plural(s->axis[a].n_point), sal_axis_kind_name(s->axis[a].kind));
    print_axis_range(r, s->model, &s->axis[a]);
    sal_report_say(r, "\n");
    sal_text_free(&name);
  }
  sal_json_end(&r->json);
  if (s->n_cell > s->n_grid) sal_json_whole(&r->json, "scattered", s->n_cell - s->n_grid);
  if (s->n_cell > s->n_grid)
    sal_report_say(r, "%-13s%-10s %8lld point%s, between those of the axes\n", "", "scattered",
                   (long long)(s->n_cell - s->n_grid), sal_text_plural(s->n_cell - s->n_grid));
}

/* "5 x 3 + 7 = 22" */
static void print_cells(sal_report *r, const sal_sweep *s)
{
  const int64_t more = s->n_cell - s->n_grid;

  sal_json_whole(&r->json, "cells", s->n_cell);
  sal_report_say(r, "%-13s", "cells");
  for (int a = 0; s->n_axis > 1 && a < s->n_axis; ++a)
    sal_report_say(r, "%s%lld", a ? " x " : "", (long long)s->axis[a].n_point);
  if (more && s->n_axis == 1) sal_report_say(r, "%lld", (long long)s->n_grid);
  if (more) sal_report_say(r, " + %lld", (long long)more);
  sal_report_say(r, "%s%lld\n", more || s->n_axis > 1 ? " = " : "", (long long)s->n_cell);
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

static void put_sizes(sal_json *j, const sal_plan *p)
{
  const sal_bill_sweep *of = &p->sizes;
  const sal_bill_phase all = sal_bill_sum(&p->bill);

  sal_json_number(j, "cube_bytes", cube_bytes(of));
  sal_json_number(j, "map_bytes", of->bytes[SAL_BILL_MAP]);
  sal_json_number(j, "rows_bytes", of->rows);
  sal_json_number(j, "journal_bytes", of->bytes[SAL_BILL_JOURNAL]);
  sal_json_number(j, "stored_bytes", of->bytes[SAL_BILL_STORED]);
  sal_json_number(j, "disk_bytes", p->bill.peak);
  sal_json_number(j, "rank0_bytes", all.first);
  sal_json_number(j, "other_bytes", all.others);
}

static void print_sizes(sal_report *r, const sal_sweep *s, const sal_cli_machine *machine,
                        const sal_plan *p)
{
  const sal_bill_sweep *of = &p->sizes;
  const sal_bill_phase all = sal_bill_sum(&p->bill);

  put_sizes(&r->json, p);
  sal_report_say(r, "cube         %s", sal_amount_of_bytes(cube_bytes(of)).text);
  if (of->bytes[SAL_BILL_MAP] > 0)
    sal_report_say(r, ", its map %s more", sal_amount_of_bytes(of->bytes[SAL_BILL_MAP]).text);
  sal_report_say(r, "\n");
  if (machine->map && sal_map_size_check(s, p->ranks) != SAL_OK) {
    sal_report_say(r, "map          none: %s\n", sal_err_message());
    sal_err_clear();
  }
  if (s->stored.n_cell) print_stored(r, s, of);
  sal_report_say(r, "disk         %s while it runs: all that and ",
                 sal_amount_of_bytes(p->bill.peak).text);
  sal_report_say(r, "%s of journals\n", sal_amount_of_bytes(of->bytes[SAL_BILL_JOURNAL]).text);
  sal_report_say(r, "memory       %s of rank 0\n", sal_amount_of_bytes(all.first).text);
  if (p->ranks > 1)
    sal_report_say(r, "%-13s%s of each other rank\n", "", sal_amount_of_bytes(all.others).text);
  sal_node_layout_print(r, "             ", s, machine, p->ranks, p->threads);
}

/* The compute time varies by the uncertainty of the sample; the rest is fixed. */
static double seconds_at(const sal_plan *p, double factor)
{
  return sal_bill_sum(&p->bill).seconds + (factor - 1) * p->compute;
}

/* The uncertainty is null while it is not known. */
static void put_time(sal_json *j, const sal_plan *p)
{
  sal_json_number(j, "seconds", seconds_at(p, 1));
  sal_json_number(j, "seconds_low", seconds_at(p, 1 / (1 + p->spread)));
  sal_json_number(j, "seconds_high", seconds_at(p, 1 + p->spread));
  sal_json_number(j, "compute_seconds", p->compute);
  sal_json_number(j, "cpu_seconds", p->estimate.cpu_seconds);
  sal_json_number(j, "uncertainty", p->estimate.uncertainty);
  sal_json_whole(j, "sampled_cells", p->estimate.cells);
  sal_json_number(j, "sample_seconds", p->estimate.run_seconds);
}

static void print_spread(sal_report *r, const sal_plan *p)
{
  const double low = seconds_at(p, 1 / (1 + p->spread)), high = seconds_at(p, 1 + p->spread);

  if (p->estimate.outliers.cut > 0) sal_report_say(r, " or more");
  if (isfinite(p->spread))
    sal_report_say(r, ", %s", sal_amount_of_range(seconds_at(p, 1), low, high).text);
  else if (p->estimate.outliers.cut == 0)
    sal_report_say(r, " or so");
}

static void print_time(sal_report *r, const sal_plan *p)
{
  const sal_estimate *e = &p->estimate;
  const long cores = sysconf(_SC_NPROCESSORS_ONLN), workers = (long)p->ranks * p->threads;

  put_time(&r->json, p);
  sal_report_say(r, "time         %s", sal_amount_of_seconds(seconds_at(p, 1)).text);
  print_spread(r, p);
  sal_report_say(r, " with %d rank%s x %d thread%s; ", p->ranks, sal_text_plural(p->ranks),
                 p->threads, sal_text_plural(p->threads));
  sal_report_say(r, "%s of one core for the cells (%lld %s run, in %.1f s)\n",
                 sal_amount_of_seconds(e->cpu_seconds).text, (long long)e->cells,
                 e->cells == 1 ? "was" : "were", e->run_seconds);
  if (workers > cores)
    sal_report_say(r, "%-13sthis machine has %ld core%s; the time is that of %ld like them\n", "",
                   cores, sal_text_plural(cores), workers);
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

  sal_json_whole(&r->json, "cells_there", c->cells);
  sal_json_whole(&r->json, "configs_there", c->configs);
  sal_json_whole(&r->json, "configs_cut_off", c->cut_off);
  sal_json_whole(&r->json, "trajectories_there", c->trajectories);
  sal_report_say(r, "%-13s%s%lld in %s (%lld cell%s x %d configuration%s), %lld to be run\n",
                 "there", s->pilots.cells > 0 ? "at most " : "", (long long)c->trajectories,
                 p->from, (long long)c->cells, sal_text_plural(c->cells), c->configs,
                 sal_text_plural(c->configs),
                 (long long)(s->n_cell * sal_config_count(s) - c->trajectories));
  if (c->cut_off > 0)
    sal_report_say(r, "%-13s%d configuration%s there run again: other runs set their cutoffs now\n",
                   "", c->cut_off, sal_text_plural(c->cut_off));
}

void sal_plan_print(sal_report *r, const sal_sweep *s, const sal_cli_machine *machine,
                    const sal_plan *p)
{
  const int configs = sal_config_count(s);

  sal_json_text(&r->json, "model", s->model->name);
  sal_report_say(r, "%-13s%s%s%s\n%-13s%s, contacts: %d\n", "sweep", s->path, *s->title ? ": " : "",
                 s->title, "model", s->model->name, s->n_guard);
  print_axes(r, s);
  print_cells(r, s);
  sal_json_whole(&r->json, "configs", configs);
  sal_report_say(r, "%-13s%d solver%s x %d strateg%s x %d tolerance%s = %d\n", "configs",
                 s->n_method, sal_text_plural(s->n_method), s->n_strategy,
                 s->n_strategy == 1 ? "y" : "ies", s->n_tolerance, sal_text_plural(s->n_tolerance),
                 configs);
  sal_json_whole(&r->json, "trajectories", s->n_cell * configs);
  sal_report_say(r, "%-13s%lld\n", "trajectories", (long long)s->n_cell * configs);
  if (p->from) print_there(r, s, p);
  sal_json_whole(&r->json, "ranks", p->ranks);
  sal_json_whole(&r->json, "threads", p->threads);
  print_sizes(r, s, machine, p);
  if (!isnan(p->compute)) print_time(r, p);
  print_pilots(r, s);
  if (!isnan(p->compute)) sal_plan_outliers_print(r, s, &p->estimate.outliers);
  sal_report_say(r, "\n");
  sal_bill_print(r, &p->bill);
}
