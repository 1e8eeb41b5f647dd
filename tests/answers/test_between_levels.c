/** Tolerances between levels: by hand, and on maps whose errors between levels are known. */
#include "between_levels.h"
#include "config.h"
#include "memory.h"
#include "random.h"
#include "sal_test.h"
#include "surrogate.h"
#include "surrogate_view.h"
#include "sweep_read.h"
#include "sweep_steps.h"
#include <math.h>

#define HEAD "model: monopod\nt_end: 50\nsolvers: [ode45, ode23]\nstrategies: [switch]\n"
#define MAP(points)                                                                                \
  HEAD "rtol: [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8]\ncells:\n  axes:\n"                       \
       "    - {columns: [b, k], sobol: [[100, 6400], [10, 40]], points: " points "}\n"
enum { B = 0, K = 2 };

/* ---- By hand ---- */

#define UNEVEN HEAD "rtol: [1e-2, 1e-3, 1e-5, 1e-6]\ncells: {axes: [{name: k, list: [10]}]}\n"

/* Half of the quantiles are one spread below, half one above. */
static sal_between_levels two_sided(void)
{
  sal_between_levels b = {
      .n_pair = 2, .n_part = 3, .power = {0.5, 0}, .shift = {0.1, 0.2, 0.3}, .spread = {1, 2, NAN}};

  for (int i = 0; i < SAL_BETWEEN_QUANTILES; ++i) b.at[i] = i < SAL_BETWEEN_QUANTILES / 2 ? -1 : 1;
  return b;
}

static void gaps_are_scaled_by_their_width(void)
{
  static sal_between_levels b;
  double shift, spread;

  begin(UNEVEN);
  b = two_sided();
  for (int i = 0; i < steps.n_candidate; ++i) {
    const sal_surrogate_step *s = &steps.at[i];
    const bool known = sal_between_levels_at(&b, &steps, s, 0, &shift, &spread);
    CU_ASSERT_EQUAL(known, s->share == 0 || s->level < 2);
    CU_ASSERT_EQUAL(s->run >= 0, s->share == 0);
    if (!known) continue;
    const double decades = s->level == 1 ? 2 : 1, amid = 4 * s->share * (1 - s->share);
    CU_ASSERT_DOUBLE_EQUAL(spread, (s->level + 1) * sqrt(decades * amid), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(shift, 0.1 * (s->level + 1) * sqrt(decades * amid), 1e-12);
  }
  b.n_part = 0;
  CU_ASSERT(!sal_between_levels_at(&b, &steps, &steps.at[1], 0, &shift, &spread));
  end();
}

static void probabilities_are_means_over_the_quantiles(void)
{
  static const sal_error_shape shape = {3, {-1, 0, 1}, {0.1, 0.5, 0.9}, {0}};
  static sal_between_levels b;

  b = two_sided();
  /* 0.25 -+ 0.5 in units of a scatter of 2: 0.5 + 0.4 z each */
  CU_ASSERT_DOUBLE_EQUAL(sal_between_levels_below(&b, &shape, 0.5, 2, 1), 0.5 + 0.4 * 0.25, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(sal_between_levels_below(&b, &shape, 0.5, 1, 1),
                         (0.9 + 0.5 - 0.4 * 0.5) / 2, 1e-12);
  CU_ASSERT_EQUAL(sal_between_levels_below(&b, &shape, 9, 1, 1), 0.9);
  CU_ASSERT_EQUAL(sal_between_levels_below(&b, &shape, -9, 1, 1), 0);
}

static void levels_are_left_out_in_turn(void)
{
  static const double tolerance[2][4] = {{1e-2, 1e-3, 1e-5}, {1e-3, 1e-5, 1e-6}};
  static const double share[2] = {1. / 3, 2. / 3};

  begin(UNEVEN);
  for (int parity = 0; parity < 2; ++parity) {
    sal_surrogate_steps thin;
    CU_ASSERT_EQUAL_FATAL(sal_surrogate_steps_thin(&sweep, parity, &thin), SAL_OK);
    CU_ASSERT(thin.n_level == 2 && thin.n_candidate == 3 && thin.n == 3);
    for (int i = 0; i < 3; ++i) {
      CU_ASSERT_EQUAL(thin.at[i].tolerance, tolerance[parity][i]);
      CU_ASSERT_EQUAL(sweep.tolerance[thin.at[i].run], tolerance[parity][i]);
      CU_ASSERT_DOUBLE_EQUAL(thin.at[i].share, i == 1 ? share[parity] : 0, 1e-12);
    }
    CU_ASSERT(thin.place[0] == parity && thin.place[1] == parity + 2);
    sal_surrogate_steps_free(&thin);
  }
  end();
}

/* ---- Maps whose errors between levels are known ---- */

/* ln error: smooth in b and k, and with waves of 0.35 along the tolerance that the levels are too far apart for: neighbouring cells
 * have nearly the same. */
static double ln_error(double b, double k, int method, double tolerance)
{
  static const double wave[] = {29.0, 13.9, 21.5, 18.7, 26.3}; /* per decade */
  const double x = log(b / 800) / log(64), y = (k - 25) / 30;
  double sum = log(0.3 * tolerance) + (method ? 1.1 : -0.6) * x + 0.8 * y;

  for (int i = 0; i < 5; ++i)
    sum +=
        0.35 * sin(wave[i] * log10(tolerance) + (2 + i) * method + (3 - i) * x + (2 + i % 3) * y);
  return sum;
}

static sal_performance_table table;
static sal_performance_source source;

static sal_surrogate *open_map(const char *text)
{
  sal_surrogate *surrogate;

  begin(text);
  CU_ASSERT_EQUAL_FATAL(sal_performance_create(&sweep, sweep.n_cell, NULL,
                                               &(sal_work_weights){1, 0, 0, 0, NULL}, false, false,
                                               &table),
                        SAL_OK);
  for (int64_t i = 0; i < sweep.n_cell; ++i) {
    double p[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];
    sal_sweep_cell(&sweep, i, p, y);
    table.reference_error[i] = 1e-14;
    for (int c = 0; c < table.n_config; ++c) {
      const double tolerance = sal_config_tolerance(&sweep, c);
      table.error[i * table.n_config + c] = exp(ln_error(p[B], p[K], c % 2, tolerance));
      table.work[i * table.n_config + c] = 300 * (1 + c % 2) * pow(tolerance, -0.5);
    }
  }
  source = sal_performance_source_of(&table);
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_open(&source, NULL, &surrogate), SAL_OK);
  return surrogate;
}

static void close_map(sal_surrogate **surrogate)
{
  sal_surrogate_close(surrogate);
  sal_performance_free(&table);
  end();
}

/* Mean calibration of answers between levels less the share of them that reach the error. */
static double missed_predictions(sal_surrogate *surrogate, int *n)
{
  static sal_surrogate_answer a;
  double sum = 0;

  *n = 0;
  for (int i = 0; i < 400; ++i) {
    double value[SAL_MAX_QUANTITY] = {[1] = 1.5};
    value[B] = 300 * pow(10, sal_random(5, (uint64_t)i, 0));
    value[K] = 12 + 26 * sal_random(5, (uint64_t)i, 1);
    const double error = pow(10, -3 - 3 * sal_random(5, (uint64_t)i, 2));
    const sal_surrogate_question q = {.error = error, .probability = NAN};
    CU_ASSERT_EQUAL_FATAL(sal_surrogate_ask(surrogate, value, &q, &a), SAL_OK);
    const double decades = log10(a.best.tolerance);
    if (a.best.pair < 0 || fabs(decades - round(decades)) < 1e-6) continue;
    sum += a.best.probability -
           (ln_error(value[B], value[K], a.best.pair, a.best.tolerance) <= log(error));
    ++*n;
  }
  return sum / *n;
}

static void answers_between_levels_are_calibrated(void)
{
  static sal_surrogate_fit fit;
  int n;

  sal_surrogate *surrogate = open_map(MAP("1500"));
  fit = *sal_surrogate_fit_of(surrogate);
  const double broken = missed_predictions(surrogate, &n);
  CU_ASSERT(n > 100 && broken < 0.03 && broken > -0.15);
  for (int e = 0; e < SAL_ERROR_METRIC_PRESETS; ++e) {
    CU_ASSERT(fit.asked[e] > 256);
    CU_ASSERT(fit.predicted[e] > 0.85 && fit.predicted[e] < fit.observed[e] + 0.02);
  }
  sal_surrogate_close(&surrogate);

  /* without the uncertainty they are broken, which levels that are left out show */
  for (int i = 0; i < 2 * fit.between.n_part; ++i) fit.between.spread[i] = 0;
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_open(&source, &fit, &surrogate), SAL_OK);
  CU_ASSERT(missed_predictions(surrogate, &n) > 0.1 && n > 100);
  sal_surrogate_calibration calibration;
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_fit_calibration(surrogate, 1e-4, &calibration), SAL_OK);
  CU_ASSERT(calibration.predicted > calibration.observed + 0.03);
  close_map(&surrogate);
}

static void more_cells_do_not_make_it_smaller(void)
{
  double spread[2];

  for (int i = 0; i < 2; ++i) {
    sal_surrogate *surrogate = open_map(i == 0 ? MAP("1500") : MAP("6000"));
    const sal_between_levels *b = &sal_surrogate_fit_of(surrogate)->between;
    CU_ASSERT(b->n_pair == 2 && b->n_part == 6);
    CU_ASSERT(b->power[0] < 0.3); /* waves shorter than the gaps: as rough in narrow ones */
    spread[i] = b->spread[2];
    close_map(&surrogate);
  }
  /* sqrt(sum (1 - cos(wave / 2))^2 0.35^2 / 2) = 0.675 */
  CU_ASSERT(spread[0] > 0.6 && spread[0] < 0.75);
  CU_ASSERT(spread[1] > 0.9 * spread[0]);
}

SAL_TEST_MAIN("between levels", NULL,
              {"gaps are scaled by their width", gaps_are_scaled_by_their_width},
              {"probabilities are means over the quantiles",
               probabilities_are_means_over_the_quantiles},
              {"levels are left out in turn", levels_are_left_out_in_turn},
              {"answers between levels are calibrated", answers_between_levels_are_calibrated},
              {"more cells do not make it smaller", more_cells_do_not_make_it_smaller})
