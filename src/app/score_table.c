/** @file src/app/score_table.c
 *  Sums of points as text.
 */
#include "score_table.h"
#include "published.h"
#include <math.h>
#include <string.h>

double sal_score_sum(const sal_cube *cube, int metric, int tolerance, int strategy, int method)
{
  const int64_t stride = (int64_t)cube->n_tolerance * cube->n_strategy * cube->n_method;
  const int64_t at  = ((int64_t)tolerance * cube->n_strategy + strategy) * cube->n_method + method;
  double        sum = 0;

  for (int64_t i = 0; i < cube->n_cell; ++i) sum += cube->record[i * stride + at].value[metric];
  return sum;
}

void sal_score_rank(int n, const double sum[], int rank[])
{
  for (int i = 0; i < n; ++i) {
    rank[i] = isnan(sum[i]) ? 0 : 1;
    for (int j = 0; j < n && rank[i]; ++j) rank[i] += sum[j] > sum[i];
  }
}

static void print_sum(FILE *out, double sum, int rank)
{
  char place[12] = "-"; /* the paper ranks the first three */

  if (rank >= 1 && rank <= 3) snprintf(place, sizeof place, "%d", rank);
  if (isnan(sum))
    fprintf(out, "  %8s    ", "n/a");
  else
    fprintf(out, "  %8.2f %-3s", sum, place);
}

static const struct {
  const char *title;
  int         metric;
} columns[] = {{"SD", SAL_METRIC_POINTS_SD},
               {"f", SAL_METRIC_POINTS_RHS},
               {"DT", SAL_METRIC_POINTS_DT},
               {"DT(0)", SAL_METRIC_POINTS_DT0},
               {"IAE", SAL_METRIC_POINTS_IAE}};
enum { N_COLUMN = sizeof columns / sizeof *columns };

static void print_one(FILE *out, const sal_cube *cube, int t, int s)
{
  double sum[N_COLUMN][SAL_MAX_LIST];
  int    rank[N_COLUMN][SAL_MAX_LIST];

  for (int c = 0; c < N_COLUMN; ++c) {
    for (int m = 0; m < cube->n_method; ++m)
      sum[c][m] = sal_score_sum(cube, columns[c].metric, t, s, m);
    sal_score_rank(cube->n_method, sum[c], rank[c]);
  }
  fprintf(out, "\n%s, tolerance %g\n%-8s", cube->strategy[s], cube->tolerance[t], "");
  for (int c = 0; c < N_COLUMN; ++c) fprintf(out, "  %8s    ", columns[c].title);
  fprintf(out, "\n");
  for (int m = 0; m < cube->n_method; ++m) {
    fprintf(out, "%-8s", cube->method[m]);
    for (int c = 0; c < N_COLUMN; ++c) print_sum(out, sum[c][m], rank[c][m]);
    fprintf(out, "\n");
  }
}

void sal_score_print_points(FILE *out, const sal_cube *cube)
{
  fprintf(
      out,
      "\nTables 3 and 4: points (best 10, worst 1 per cell) summed over %lld cells, and ranks 1-3\n"
      "SD solution duration, f evaluations of f, DT divergence time with never = end (DT(0): never "
      "= 0),\n"
      "IAE integral of the absolute error\n",
      (long long)cube->n_cell);
  for (int s = 0; s < cube->n_strategy; ++s)
    for (int t = 0; t < cube->n_tolerance; ++t) print_one(out, cube, t, s);
}

void sal_score_print_total(FILE *out, const sal_cube *cube, const sal_weights *w)
{
  double total[SAL_MAX_LIST];
  int    rank[SAL_MAX_LIST];

  fprintf(out, "\nTable 5: p_tot = %g p_SD + %g p_DT + %g p_IAE, eq. (36), and ranks\n\n%-8s",
          w->sd, w->dt, w->iae, "");
  for (int s = 0; s < cube->n_strategy; ++s)
    for (int t = 0; t < cube->n_tolerance; ++t)
      fprintf(out, "  %s %-*g", cube->strategy[s], (int)(12 - strlen(cube->strategy[s])),
              cube->tolerance[t]);
  fprintf(out, "\n");
  for (int m = 0; m < cube->n_method; ++m) {
    fprintf(out, "%-8s", cube->method[m]);
    for (int s = 0; s < cube->n_strategy; ++s)
      for (int t = 0; t < cube->n_tolerance; ++t) {
        for (int k = 0; k < cube->n_method; ++k) {
          const double sd  = sal_score_sum(cube, SAL_METRIC_POINTS_SD, t, s, k);
          const double dt  = sal_score_sum(cube, SAL_METRIC_POINTS_DT, t, s, k);
          const double iae = sal_score_sum(cube, SAL_METRIC_POINTS_IAE, t, s, k);
          total[k]         = (w->sd != 0 ? w->sd * sd : 0) + (w->dt != 0 ? w->dt * dt : 0) +
                     (w->iae != 0 ? w->iae * iae : 0);
        }
        sal_score_rank(cube->n_method, total, rank);
        print_sum(out, total[m], rank[m]);
      }
    fprintf(out, "\n");
  }
}

void sal_score_print_published(FILE *out)
{
  double total[SAL_PUBLISHED_METHODS];
  int    rank[SAL_PUBLISHED_METHODS];

  for (int m = 0; m < SAL_PUBLISHED_METHODS; ++m) {
    const double *p = sal_published_points[0][1][m];
    total[m]        = 2 * p[SAL_PUBLISHED_SD] + p[SAL_PUBLISHED_IAE];
  }
  sal_score_rank(SAL_PUBLISHED_METHODS, total, rank);
  fprintf(out,
          "\nTable 5 from the published points (switch, 1e-6, weights 2, 0, 1)\n\n"
          "%-8s  %10s %-3s  %10s\n",
          "", "recomputed", "", "published");
  for (int m = 0; m < SAL_PUBLISHED_METHODS; ++m)
    fprintf(out, "%-8s  %10.2f %-3d  %10.2f\n", sal_published_method[m], total[m], rank[m],
            sal_published_total[m]);
}
