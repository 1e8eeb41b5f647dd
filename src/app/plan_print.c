/** @file src/app/plan_print.c
 *  What `saltus plan` says.
 */
#include "plan_print.h"
#include "axes_name.h"
#include "contender.h"
#include "cube.h"
#include "text.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { SHOWN = 8 }; /* values of a list */

/* The first values of a list; an option's are words. */
static void print_list(const sal_model *m, const sal_axis *axis)
{
  const int option = axis->column[0] - m->n_param;

  for (int64_t i = 0; i < axis->n_point && i < SHOWN; ++i) {
    if (option >= 0 && option < m->n_option)
      printf(" %s", m->option[option].choice[(int)axis->value[i]]);
    else
      printf(" %g", axis->value[i]);
  }
  if (axis->n_point > SHOWN) printf(" ..");
}

static void print_range(const sal_model *m, const sal_axis *axis)
{
  if (axis->kind == SAL_AXIS_LIST) print_list(m, axis);
  if (axis->kind == SAL_AXIS_LIST || axis->kind == SAL_AXIS_ROWS) return;
  for (int c = 0; c < axis->n_column; ++c)
    printf("%s %g .. %g", c ? "," : "", axis->lo[c], axis->hi[c]);
}

static void print_axes(const sal_sweep *s)
{
  for (int a = 0; a < s->n_axis; ++a) {
    sal_text name = {0};
    sal_axes_name(s, a, &name);
    printf("%-13s%-10s %8lld points, %s", a ? "" : "axes", name.string ? name.string : "",
           (long long)s->axis[a].n_point, sal_axis_kind_name(s->axis[a].kind));
    print_range(s->model, &s->axis[a]);
    printf("\n");
    sal_text_free(&name);
  }
  if (s->n_cell > s->n_grid)
    printf("%-13s%-10s %8lld points, between those of the axes\n", "", "scattered",
           (long long)(s->n_cell - s->n_grid));
}

/* In the unit that gives a number from 1 on. */
static void print_size(const char *what, double value, int n, const double size[],
                       const char *const unit[])
{
  int i = 0;

  while (i < n - 1 && value >= size[i + 1]) ++i;
  printf("%s%.*f %s", what, value / size[i] < 10, value / size[i], unit[i]);
}

static void print_bytes(const char *what, double bytes)
{
  static const double      size[] = {1e3, 1e6, 1e9, 1e12, 1e15};
  static const char *const unit[] = {"kB", "MB", "GB", "TB", "PB"};

  print_size(what, bytes, 5, size, unit);
}

static void print_seconds(const char *what, double seconds)
{
  static const double      size[] = {1, 60, 3600, 86400, 86400 * 365.25};
  static const char *const unit[] = {"s", "min", "h", "days", "years"};

  print_size(what, seconds, 5, size, unit);
}

/* "32 x 32 + 5 = 1029" */
static void print_cells(const sal_sweep *s)
{
  const int64_t more = s->n_cell - s->n_grid;

  printf("%-13s", "cells");
  for (int a = 0; s->n_axis > 1 && a < s->n_axis; ++a)
    printf("%s%lld%s", a ? " x " : "", (long long)s->axis[a].n_point,
           a == s->n_axis - 1 ? more ? "" : " = " : "");
  if (more && s->n_axis > 1) printf(" + %lld = ", (long long)more);
  if (more && s->n_axis == 1) printf("%lld + %lld = ", (long long)s->n_grid, (long long)more);
  printf("%lld\n", (long long)s->n_cell);
}

static double disk_bytes(const sal_plan *p)
{
  return (double)p->cube_bytes + p->journal_bytes + p->stored_bytes;
}

static void print_sizes(const sal_sweep *s, const sal_plan *p)
{
  print_bytes("cube         ", (double)p->cube_bytes);
  printf(", its map not counted\n");
  if (s->stored.n_cell) {
    print_bytes("kept         ", p->stored_bytes);
    printf(" of trajectories, %lld cells at %lld points each\n", (long long)s->stored.n_cell,
           (long long)s->stored.n_mesh + 1);
  }
  print_bytes("disk         ", disk_bytes(p));
  print_bytes(" while it runs: all that and ", p->journal_bytes);
  print_bytes(" of journals\nmemory       ", p->rank_bytes);
  printf(" a rank\n");
}

static void print_time(const sal_plan *p)
{
  const sal_estimate *e     = &p->estimate;
  const long          cores = sysconf(_SC_NPROCESSORS_ONLN), workers = (long)p->ranks * p->threads;

  print_seconds("time         ", p->seconds);
  if (isfinite(e->uncertainty))
    printf(" +- %.0f %%", ceil(100 * e->uncertainty));
  else
    printf(" or so");
  printf(" with %d ranks x %d threads, ", p->ranks, p->threads);
  print_seconds("", e->cpu_seconds);
  printf(" of one core (%lld of the cells were run, in %.1f s)\n", (long long)e->cells,
         e->run_seconds);
  if (workers > cores)
    printf("%-13sthis machine has %ld cores; the time is that of %ld like them\n", "", cores,
           workers);
}

void sal_plan_print(const sal_sweep *s, const sal_plan *p)
{
  printf("%-13s%s%s%s\n%-13s%s, contacts: %d\n", "sweep", s->path, *s->title ? ": " : "", s->title,
         "model", s->model->name, s->n_guard);
  print_axes(s);
  print_cells(s);
  printf("%-13s%d methods x %d strategies x %d tolerances = %d\n", "contenders", s->n_method,
         s->n_strategy, s->n_tolerance, sal_contender_count(s));
  printf("%-13s%lld\n", "trajectories", (long long)p->trajectories);
  print_sizes(s, p);
  if (!isnan(p->seconds)) print_time(p);
}

/* The uncertainty is null while it is not known. */
static void print_json_time(const sal_plan *p)
{
  const sal_estimate *e = &p->estimate;

  printf(", \"seconds\": %.6g, \"cpu_seconds\": %.6g, \"uncertainty\": ", p->seconds,
         e->cpu_seconds);
  printf(isfinite(e->uncertainty) ? "%.3g" : "null", e->uncertainty);
  printf(", \"sampled_cells\": %lld, \"sample_seconds\": %.6g", (long long)e->cells,
         e->run_seconds);
}

void sal_plan_print_json(const sal_sweep *s, const sal_plan *p)
{
  printf("{\"model\": \"%s\", \"axes\": [", s->model->name);
  for (int a = 0; a < s->n_axis; ++a) {
    sal_text name = {0};
    sal_axes_name(s, a, &name);
    printf("%s{\"name\": \"%s\", \"kind\": \"%s\", \"points\": %lld}", a ? ", " : "",
           name.string ? name.string : "", sal_axis_kind_name(s->axis[a].kind),
           (long long)s->axis[a].n_point);
    sal_text_free(&name);
  }
  printf("]");
  if (s->n_cell > s->n_grid) printf(", \"scattered\": %lld", (long long)(s->n_cell - s->n_grid));
  printf(", \"cells\": %lld, \"contenders\": %d, \"trajectories\": %lld, \"cube_bytes\": %lld, "
         "\"journal_bytes\": %.0f, \"stored_bytes\": %.0f, \"disk_bytes\": %.0f, \"ranks\": %d, "
         "\"threads\": %d, \"rank_bytes\": %.0f",
         (long long)s->n_cell, sal_contender_count(s), (long long)p->trajectories,
         (long long)p->cube_bytes, p->journal_bytes, p->stored_bytes, disk_bytes(p), p->ranks,
         p->threads, p->rank_bytes);
  if (!isnan(p->seconds)) print_json_time(p);
  printf("}\n");
}
