/** @file src/app/plan_print.c
 *  Axes, sizes and times of a sweep that is not run yet.
 */
#include "plan_print.h"
#include "amount.h"
#include "axes_name.h"
#include "bill_print.h"
#include "contender.h"
#include "json.h"
#include "plan_giants.h"
#include "text.h"
#include <math.h>
#include <unistd.h>

enum { SHOWN = 8 }; /* values of a list */

/* The first values of a list; an option's are words. */
static void print_points(FILE *out, const sal_model *m, const sal_axis *axis)
{
  const int option = axis->column[0] - m->n_param;

  for (int64_t i = 0; i < axis->n_point && i < SHOWN; ++i) {
    if (option >= 0 && option < m->n_option)
      fprintf(out, " %s", m->option[option].choice[(int)axis->value[i]]);
    else
      fprintf(out, " %g", axis->value[i]);
  }
  if (axis->n_point > SHOWN) fprintf(out, " ..");
}

static void print_axis_range(FILE *out, const sal_model *m, const sal_axis *axis)
{
  if (axis->kind == SAL_AXIS_LIST) print_points(out, m, axis);
  if (axis->kind == SAL_AXIS_LIST || axis->kind == SAL_AXIS_ROWS) return;
  for (int c = 0; c < axis->n_column; ++c)
    fprintf(out, "%s%s %g .. %g", c ? "," : "", axis->log[c] ? " log" : "", axis->lo[c],
            axis->hi[c]);
}

static void print_axes(FILE *out, const sal_sweep *s)
{
  for (int a = 0; a < s->n_axis; ++a) {
    sal_text name = {0};
    sal_axes_name(s, a, &name);
    fprintf(out, "%-13s%-10s %8lld point%s, %s", a ? "" : "axes", name.string ? name.string : "",
            (long long)s->axis[a].n_point, sal_text_plural(s->axis[a].n_point),
            sal_axis_kind_name(s->axis[a].kind));
    print_axis_range(out, s->model, &s->axis[a]);
    fprintf(out, "\n");
    sal_text_free(&name);
  }
  if (s->n_cell > s->n_grid)
    fprintf(out, "%-13s%-10s %8lld point%s, between those of the axes\n", "", "scattered",
            (long long)(s->n_cell - s->n_grid), sal_text_plural(s->n_cell - s->n_grid));
}

/* "5 x 3 + 7 = 22" */
static void print_cells(FILE *out, const sal_sweep *s)
{
  const int64_t more = s->n_cell - s->n_grid;

  fprintf(out, "%-13s", "cells");
  for (int a = 0; s->n_axis > 1 && a < s->n_axis; ++a)
    fprintf(out, "%s%lld", a ? " x " : "", (long long)s->axis[a].n_point);
  if (more && s->n_axis == 1) fprintf(out, "%lld", (long long)s->n_grid);
  if (more) fprintf(out, " + %lld", (long long)more);
  fprintf(out, "%s%lld\n", more || s->n_axis > 1 ? " = " : "", (long long)s->n_cell);
}

static void print_stored(FILE *out, const sal_sweep *s, const sal_bill_sweep *sizes)
{
  const int64_t cells = s->stored.n_cell, points = s->stored.n_mesh + 1;

  fprintf(out, "kept         %s of trajectories, %lld cell%s at %lld point%s each\n",
          sal_amount_of_bytes(sizes->bytes[SAL_BILL_STORED]).text, (long long)cells,
          sal_text_plural(cells), (long long)points, sal_text_plural(points));
}

static double cube_bytes(const sal_bill_sweep *sizes)
{
  return sizes->bytes[SAL_BILL_FRAME] + sizes->bytes[SAL_BILL_METRICS];
}

static void print_sizes(FILE *out, const sal_sweep *s, const sal_plan *p)
{
  const sal_bill_sweep *of = &p->sizes;
  const sal_bill_phase all = sal_bill_sum(&p->bill);

  fprintf(out, "cube         %s", sal_amount_of_bytes(cube_bytes(of)).text);
  if (of->bytes[SAL_BILL_MAP] > 0)
    fprintf(out, ", its map %s more", sal_amount_of_bytes(of->bytes[SAL_BILL_MAP]).text);
  fprintf(out, "\n");
  if (s->stored.n_cell) print_stored(out, s, of);
  fprintf(out, "disk         %s while it runs: all that and ",
          sal_amount_of_bytes(p->bill.peak).text);
  fprintf(out, "%s of journals\n", sal_amount_of_bytes(of->bytes[SAL_BILL_JOURNAL]).text);
  fprintf(out, "memory       %s of rank 0\n", sal_amount_of_bytes(all.first).text);
  if (p->ranks > 1)
    fprintf(out, "%-13s%s of each other rank\n", "", sal_amount_of_bytes(all.others).text);
}

/* The compute time may be as much more or less as the sample says; all else stands. */
static double seconds_at(const sal_plan *p, double factor)
{
  return sal_bill_sum(&p->bill).seconds + (factor - 1) * p->compute;
}

static void print_spread(FILE *out, const sal_plan *p)
{
  const double low = seconds_at(p, 1 / (1 + p->spread)), high = seconds_at(p, 1 + p->spread);

  if (p->estimate.giants.cut > 0) fprintf(out, " or more");
  if (isfinite(p->spread))
    fprintf(out, ", %s", sal_amount_of_range(seconds_at(p, 1), low, high).text);
  else if (p->estimate.giants.cut == 0)
    fprintf(out, " or so");
}

static void print_time(FILE *out, const sal_plan *p)
{
  const sal_estimate *e = &p->estimate;
  const long cores = sysconf(_SC_NPROCESSORS_ONLN), workers = (long)p->ranks * p->threads;

  fprintf(out, "time         %s", sal_amount_of_seconds(seconds_at(p, 1)).text);
  print_spread(out, p);
  fprintf(out, " with %d rank%s x %d thread%s; ", p->ranks, sal_text_plural(p->ranks), p->threads,
          sal_text_plural(p->threads));
  fprintf(out, "%s of one core for the cells (%lld %s run, in %.1f s)\n",
          sal_amount_of_seconds(e->cpu_seconds).text, (long long)e->cells,
          e->cells == 1 ? "was" : "were", e->run_seconds);
  if (workers > cores)
    fprintf(out, "%-13sthis machine has %ld core%s; the time is that of %ld like them\n", "", cores,
            sal_text_plural(cores), workers);
}

void sal_plan_print(FILE *out, const sal_sweep *s, const sal_plan *p)
{
  fprintf(out, "%-13s%s%s%s\n%-13s%s, contacts: %d\n", "sweep", s->path, *s->title ? ": " : "",
          s->title, "model", s->model->name, s->n_guard);
  print_axes(out, s);
  print_cells(out, s);
  fprintf(out, "%-13s%d solver%s x ", "contenders", s->n_method, sal_text_plural(s->n_method));
  fprintf(out, "%d strateg%s x ", s->n_strategy, s->n_strategy == 1 ? "y" : "ies");
  fprintf(out, "%d tolerance%s = %d\n", s->n_tolerance, sal_text_plural(s->n_tolerance),
          sal_contender_count(s));
  fprintf(out, "%-13s%lld\n", "trajectories", (long long)s->n_cell * sal_contender_count(s));
  print_sizes(out, s, p);
  if (!isnan(p->compute)) print_time(out, p);
  if (!isnan(p->compute)) sal_plan_giants_print(out, s, &p->estimate.giants);
  fprintf(out, "\n");
  sal_bill_print(out, &p->bill);
}

static void put_axes(sal_json *j, const sal_sweep *s)
{
  sal_json_array(j, "axes");
  for (int a = 0; a < s->n_axis; ++a) {
    sal_text name = {0};
    sal_axes_name(s, a, &name);
    sal_json_object(j, NULL);
    sal_json_text(j, "name", name.string);
    sal_json_text(j, "kind", sal_axis_kind_name(s->axis[a].kind));
    sal_json_whole(j, "points", s->axis[a].n_point);
    sal_json_end(j);
    sal_text_free(&name);
  }
  sal_json_end(j);
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

static void put_sizes(sal_json *j, const sal_plan *p)
{
  const sal_bill_sweep *of = &p->sizes;
  const sal_bill_phase all = sal_bill_sum(&p->bill);

  sal_json_number(j, "cube_bytes", cube_bytes(of));
  sal_json_number(j, "map_bytes", of->bytes[SAL_BILL_MAP]);
  sal_json_number(j, "journal_bytes", of->bytes[SAL_BILL_JOURNAL]);
  sal_json_number(j, "stored_bytes", of->bytes[SAL_BILL_STORED]);
  sal_json_number(j, "disk_bytes", p->bill.peak);
  sal_json_number(j, "rank0_bytes", all.first);
  sal_json_number(j, "other_bytes", all.others);
}

void sal_plan_print_json(FILE *out, const sal_sweep *s, const sal_plan *p)
{
  sal_json j;

  sal_json_begin(&j, out);
  sal_json_text(&j, "model", s->model->name);
  put_axes(&j, s);
  if (s->n_cell > s->n_grid) sal_json_whole(&j, "scattered", s->n_cell - s->n_grid);
  sal_json_whole(&j, "cells", s->n_cell);
  sal_json_whole(&j, "contenders", sal_contender_count(s));
  sal_json_whole(&j, "trajectories", s->n_cell * sal_contender_count(s));
  sal_json_whole(&j, "ranks", p->ranks);
  sal_json_whole(&j, "threads", p->threads);
  put_sizes(&j, p);
  if (!isnan(p->compute)) put_time(&j, p);
  if (!isnan(p->compute)) sal_plan_giants_json(&j, s, &p->estimate.giants);
  sal_bill_json(&j, &p->bill);
  sal_json_end(&j);
}
