/** @file src/app/plan_print.c
 *  Axes, sizes and times of a sweep that is not run yet.
 */
#include "plan_print.h"
#include "axes_name.h"
#include "contender.h"
#include "json.h"
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

/* In the unit that gives a number from 1 on. */
static void print_size(FILE *out, const char *what, double value, int n, const double size[],
                       const char *const unit[])
{
  int i = 0;

  while (i < n - 1 && value >= size[i + 1]) ++i;
  fprintf(out, "%s%.*f %s", what, value / size[i] < 10, value / size[i], unit[i]);
}

static void print_bytes(FILE *out, const char *what, double bytes)
{
  static const double      size[] = {1e3, 1e6, 1e9, 1e12, 1e15};
  static const char *const unit[] = {"kB", "MB", "GB", "TB", "PB"};

  print_size(out, what, bytes, 5, size, unit);
}

static void print_seconds(FILE *out, const char *what, double seconds)
{
  static const double      size[] = {1, 60, 3600, 86400, 86400 * 365.25};
  static const char *const unit[] = {"s", "min", "h", "days", "years"};

  print_size(out, what, seconds, 5, size, unit);
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

static void print_stored(FILE *out, const sal_sweep *s, const sal_plan *p)
{
  const int64_t cells = s->stored.n_cell, points = s->stored.n_mesh + 1;

  print_bytes(out, "kept         ", p->stored_bytes);
  fprintf(out, " of trajectories, %lld cell%s at %lld point%s each\n", (long long)cells,
          sal_text_plural(cells), (long long)points, sal_text_plural(points));
}

static double disk_bytes(const sal_plan *p)
{
  return (double)p->cube_bytes + p->journal_bytes + p->stored_bytes;
}

static void print_sizes(FILE *out, const sal_sweep *s, const sal_plan *p)
{
  print_bytes(out, "cube         ", (double)p->cube_bytes);
  fprintf(out, ", its map not counted\n");
  if (s->stored.n_cell) print_stored(out, s, p);
  print_bytes(out, "disk         ", disk_bytes(p));
  print_bytes(out, " while it runs: all that and ", p->journal_bytes);
  print_bytes(out, " of journals\nmemory       ", p->rank_bytes);
  fprintf(out, " a rank\n");
}

static void print_time(FILE *out, const sal_plan *p)
{
  const sal_estimate *e     = &p->estimate;
  const long          cores = sysconf(_SC_NPROCESSORS_ONLN), workers = (long)p->ranks * p->threads;

  print_seconds(out, "time         ", p->seconds);
  if (isfinite(e->uncertainty))
    fprintf(out, " +- %.0f %%", ceil(100 * e->uncertainty));
  else
    fprintf(out, " or so");
  fprintf(out, " with %d rank%s x %d thread%s, ", p->ranks, sal_text_plural(p->ranks), p->threads,
          sal_text_plural(p->threads));
  print_seconds(out, "", e->cpu_seconds);
  fprintf(out, " of one core (%lld of the cells %s run, in %.1f s)\n", (long long)e->cells,
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
  fprintf(out, "%-13s%d method%s x ", "contenders", s->n_method, sal_text_plural(s->n_method));
  fprintf(out, "%d strateg%s x ", s->n_strategy, s->n_strategy == 1 ? "y" : "ies");
  fprintf(out, "%d tolerance%s = %d\n", s->n_tolerance, sal_text_plural(s->n_tolerance),
          sal_contender_count(s));
  fprintf(out, "%-13s%lld\n", "trajectories", (long long)p->trajectories);
  print_sizes(out, s, p);
  if (!isnan(p->seconds)) print_time(out, p);
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
  sal_json_number(j, "seconds", p->seconds);
  sal_json_number(j, "cpu_seconds", p->estimate.cpu_seconds);
  sal_json_number(j, "uncertainty", p->estimate.uncertainty);
  sal_json_whole(j, "sampled_cells", p->estimate.cells);
  sal_json_number(j, "sample_seconds", p->estimate.run_seconds);
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
  sal_json_whole(&j, "trajectories", p->trajectories);
  sal_json_whole(&j, "cube_bytes", p->cube_bytes);
  sal_json_number(&j, "journal_bytes", p->journal_bytes);
  sal_json_number(&j, "stored_bytes", p->stored_bytes);
  sal_json_number(&j, "disk_bytes", disk_bytes(p));
  sal_json_whole(&j, "ranks", p->ranks);
  sal_json_whole(&j, "threads", p->threads);
  sal_json_number(&j, "rank_bytes", p->rank_bytes);
  if (!isnan(p->seconds)) put_time(&j, p);
  sal_json_end(&j);
}
