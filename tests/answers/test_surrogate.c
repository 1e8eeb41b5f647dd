/** The surrogate on tables whose answers are known. */
#include "config.h"
#include "memory.h"
#include "random.h"
#include "sal_test.h"
#include "scalar_math.h"
#include "surrogate.h"
#include "surrogate_view.h"
#include "sweep_read.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "model: monopod\nt_end: 50\nsolvers: [ode45, ode23]\nstrategies: [switch]\n"
#define DECADES HEAD "rtol: [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7]\ncells:\n"
#define GRID(tolerances, n, m)                                                                     \
  HEAD "rtol: " tolerances "\ncells:\n  axes:\n    - {name: b, log: [100, 6400], points: " n       \
       "}\n    - {name: k, linear: [10, 40], points: " m "}\n"
#define SOBOL                                                                                      \
  "  axes:\n    - {columns: [b, k, m1], sobol: [[100, 6400], [10, 40], [1, 2]], points: 1500}\n"
enum { B = 0, K = 2 };

static sal_sweep sweep;
static sal_performance_table table;
static sal_performance_source source;

/* Result of a made-up configuration in a cell: false where it does not count. */
typedef bool (*made_up)(int64_t cell, const double param[], int method, double tolerance,
                        double *error, double *work);

static void fill(const char *text, made_up run)
{
  sal_err_clear();
  const sal_err err = sal_sweep_parse("s.yaml", text, 0, NULL, &sweep);
  if (err != SAL_OK) printf("%s\n", sal_err_message());
  CU_ASSERT_EQUAL_FATAL(err, SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_performance_create(&sweep, sweep.n_cell, NULL,
                                               &(sal_work_weights){1, 0, 0, 0, NULL}, false, false,
                                               &table),
                        SAL_OK);
  for (int64_t i = 0; i < sweep.n_cell; ++i) {
    double p[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];
    sal_sweep_cell(&sweep, i, p, y);
    table.reference_error[i] = 1e-12;
    for (int k = 0; k < table.n_config; ++k) {
      double error, work;
      const int at = (int)(i * table.n_config) + k;
      if (!run(i, p, k % 2, sal_config_tolerance(&sweep, k), &error, &work)) continue;
      table.error[at] = error;
      table.work[at] = work;
    }
  }
  source = sal_performance_source_of(&table);
}

static void clear(sal_surrogate *surrogate)
{
  sal_surrogate_close(&surrogate);
  sal_performance_free(&table);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static sal_surrogate *open_surrogate(const sal_surrogate_fit *fit)
{
  sal_performance_source passing = source; /* the surrogate has a copy */
  sal_surrogate *surrogate;

  const sal_err err = sal_surrogate_open(&passing, fit, &surrogate);
  memset(&passing, 0xff, sizeof passing);
  if (err != SAL_OK) printf("%s\n", sal_err_message());
  CU_ASSERT_EQUAL_FATAL(err, SAL_OK);
  return surrogate;
}

static sal_surrogate_answer *ask(sal_surrogate *surrogate, double b, double k,
                                 const sal_surrogate_question *question)
{
  static sal_surrogate_answer answer;
  double value[SAL_MAX_QUANTITY] = {0};

  value[B] = b;
  value[K] = k;
  value[1] = 1.5; /* m1 */
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_ask(surrogate, value, question, &answer), SAL_OK);
  return &answer;
}

static sal_surrogate_answer *ask_error(sal_surrogate *surrogate, double b, double k, double error)
{
  return ask(surrogate, b, k, &(sal_surrogate_question){.error = error, .probability = NAN});
}

/* ---- Planes ---- */

static double log_error(double b, double k, int method, double tolerance)
{
  return log(0.3 * tolerance) + (method ? 1.7 : -0.6) * log(b / 800) / log(64) +
         0.8 * (k - 25) / 30;
}

static double log_work(double b, double k, int method, double tolerance)
{
  return log(method ? 500 : 900) - 0.2 * log(tolerance) - 0.5 * log(b / 800) / log(64) +
         0.3 * (k - 25) / 30;
}

static bool run_exact(int64_t cell, const double p[], int method, double tolerance, double *error,
                      double *work)
{
  (void)cell;
  *error = exp(log_error(p[B], p[K], method, tolerance));
  *work = exp(log_work(p[B], p[K], method, tolerance));
  return true;
}

static void a_plane_is_reproduced_but_for_the_ridge(void)
{
  fill(GRID("[1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7]", "9", "8"), run_exact);
  sal_surrogate *surrogate = open_surrogate(NULL);

  for (int i = 0; i < 40; ++i) {
    const double b = 100 * pow(64, sal_random(1, (uint64_t)i, 0));
    const double k = 10 + 30 * sal_random(1, (uint64_t)i, 1);
    const sal_surrogate_answer *a = ask_error(surrogate, b, k, 1e-4);
    for (int j = 0; j < a->n_pair; ++j) {
      /* (X'WX + 1e-3 sum w)^-1 takes a hundredth of the slopes; at the edges the cells lie on one side */
      const sal_surrogate_choice *c = &a->pair[j];
      CU_ASSERT_DOUBLE_EQUAL(log(c->error), log_error(b, k, c->pair, c->tolerance), 0.02);
      CU_ASSERT_DOUBLE_EQUAL(log(c->work), log_work(b, k, c->pair, c->tolerance), 0.02);
    }
    CU_ASSERT(a->best.probability > 0.9 && a->best.error <= 1.02e-4);
    /* tolerances of 16 a decade: the least work is at most a step tighter */
    CU_ASSERT(a->best.error > 1e-4 / pow(10, 1.5 / 4));
  }
  CU_ASSERT_EQUAL(ask_error(surrogate, 8, 25, 1e-4)->outside.n, 1);
  clear(surrogate);
}

/* ---- Noise ---- */

static bool run_noisy(int64_t cell, const double p[], int method, double tolerance, double *error,
                      double *work)
{
  const uint32_t word = (uint32_t)(16 - 2 * log10(tolerance)) + 32 * (uint32_t)method;

  run_exact(cell, p, method, tolerance, error, work);
  *error *= exp(2 * (sal_random(3, (uint64_t)cell, word) - 0.5)); /* -1 .. 1, uniform */
  return true;
}

static void probabilities_are_those_of_the_noise(void)
{
  double sum[2] = {0};

  fill(DECADES SOBOL, run_noisy);
  sal_surrogate *surrogate = open_surrogate(NULL);
  for (int i = 0; i < 100; ++i) {
    const double b = 600 + 5000 * sal_random(2, (uint64_t)i, 0);
    const double k = 12 + 26 * sal_random(2, (uint64_t)i, 1);
    for (int c = 0; c < 2; ++c) {
      /* P(mean + u <= e) = p where mean = ln e - (2 p - 1) */
      const double p = c ? 0.95 : 0.75;
      const sal_surrogate_answer *a =
          ask(surrogate, b, k,
              &(sal_surrogate_question){
                  .error = 1e-4, .probability = p, .method = (const bool[]){1, 0}});
      CU_ASSERT_EQUAL_FATAL(a->best.pair, 0);
      CU_ASSERT(a->best.probability >= p && a->best.probability < p + 0.3);
      const double reach = log(1e-4) - log_error(b, k, 0, a->best.tolerance);
      sum[c] += fmin(fmax((1 + reach) / 2, 0), 1) - a->best.probability;
    }
  }
  CU_ASSERT_DOUBLE_EQUAL(sum[0] / 100, 0, 0.05);
  CU_ASSERT_DOUBLE_EQUAL(sum[1] / 100, 0, 0.03);
  CU_ASSERT(sum[0] != 0 && sum[1] != 0);

  const sal_surrogate_fit *fit = sal_surrogate_fit_of(surrogate);
  for (int e = 0; e < SAL_ERROR_METRIC_PRESETS; ++e) {
    CU_ASSERT(fit->asked[e] > 200);
    CU_ASSERT_DOUBLE_EQUAL(fit->predicted[e], fit->observed[e], 0.06);
    CU_ASSERT(fit->predicted[e] > 0.6 && fit->observed[e] < 1);
    CU_ASSERT(fit->width[e] >= 1 && fit->width[e] <= SAL_SURROGATE_MOST_WIDTH);
  }
  const sal_surrogate_metric *metric = &fit->metric; /* b alone matters but for a little */
  CU_ASSERT(sal_surrogate_metric_scale(metric, 2) < sal_surrogate_metric_scale(metric, 0));
  double product = 1;
  for (int a = 0, at = 0; a < metric->n; at += ++a + 1) product *= metric->l[at];
  CU_ASSERT_DOUBLE_EQUAL(product, 1, 1e-12);
  clear(surrogate);
}

/* ---- no answer ---- */

static bool run_left(int64_t cell, const double p[], int method, double tolerance, double *error,
                     double *work)
{
  run_noisy(cell, p, method, tolerance, error, work);
  return method == 0 ? p[B] > 700 : tolerance > 1e-5; /* the first fails on one side */
}

static void who_fails_nearby_does_not_answer(void)
{
  fill(DECADES SOBOL, run_left);
  table.error[5 * table.n_config] = table.work[5 * table.n_config] = NAN;
  table.error[7 * table.n_config + 1] = INFINITY; /* censored */
  sal_surrogate *surrogate = open_surrogate(NULL);
  const sal_surrogate_answer *a = ask_error(surrogate, 150, 25, 1e-3);
  CU_ASSERT_EQUAL(a->n_pair, 1);
  CU_ASSERT_EQUAL(a->best.pair, 1);
  CU_ASSERT_EQUAL(a->reason, SAL_REASON_ALONE);
  CU_ASSERT(a->unverified == 0);
  a = ask_error(surrogate, 150, 25, 1e-7); /* the second has no runs at such tolerances */
  CU_ASSERT_EQUAL(a->best.pair, -1);
  CU_ASSERT_EQUAL(a->reason, SAL_REASON_NO_CONFIG);
  CU_ASSERT(a->likely.pair == 1 && a->likely.probability < 0.5);
  CU_ASSERT_EQUAL(a->safe.pair, -1);
  a = ask_error(surrogate, 5000, 25, 1e-3);
  CU_ASSERT(a->n_pair == 2 && a->reason == SAL_REASON_WORK);
  CU_ASSERT(a->safe.pair >= 0 && a->safe.probability >= 0.99 && a->safe.work >= a->best.work);
  a = ask(surrogate, 5000, 25, &(sal_surrogate_question){.error = 1e-13, .probability = 0.9});
  CU_ASSERT_EQUAL(a->best.pair, -1);
  CU_ASSERT_EQUAL(a->reason, SAL_REASON_NO_REFERENCE); /* known to 1e-12 */
  CU_ASSERT(a->unverified == 1);
  clear(surrogate);
}

/* The first method ends in 60 % of the cells; in the others it takes 40 times as much, and half of its runs fail. */
static int end_of(int64_t cell)
{
  const double x = sal_random(4, (uint64_t)cell, 0);

  return x < 0.6 ? 0 : x < 0.8 ? 1 : 2;
}

static bool run_bimodal(int64_t cell, const double p[], int method, double tolerance, double *error,
                        double *work)
{
  run_exact(cell, p, method, tolerance, error, work);
  *work = method ? 900 : 100;
  if (method || end_of(cell) == 0) return true;
  *work = 4000;
  *error = end_of(cell) == 1 ? INFINITY : NAN;
  return true;
}

static void stopped_runs_count_by_what_they_had_done(void)
{
  fill(GRID("[1e-2, 1e-3, 1e-4, 1e-5]", "20", "20"), run_bimodal);
  sal_surrogate *surrogate = open_surrogate(NULL);
  int n = 0;

  for (int i = 0; i < 20; ++i) {
    const double b = 100 * pow(64, sal_random(6, (uint64_t)i, 0));
    const sal_surrogate_answer *a =
        ask_error(surrogate, b, 10 + 30 * sal_random(6, (uint64_t)i, 1), 10);
    const sal_surrogate_choice c = sal_surrogate_candidate(surrogate, 0, 1e-2);
    double weight[3] = {0};
    for (int64_t k = 0; k < a->n_cell; ++k) {
      const sal_surrogate_near near = sal_surrogate_near_of(surrogate, (int)k);
      weight[end_of(near.cell)] += near.weight;
    }
    const double all = weight[0] + weight[1] + weight[2];
    if (weight[0] < 0.5 * all) continue; /* no plane */
    /* none at a looser tolerance ended: the stopped ones were half done */
    CU_ASSERT_DOUBLE_EQUAL(
        c.work, (100 * weight[0] + 2 * 4000 * weight[1] + 4000 * weight[2]) / all, 1e-6 * c.work);
    CU_ASSERT(c.work > 500);
    CU_ASSERT_EQUAL(a->best.pair, 1); /* 900 in all cells, not 100 in most of them */
    ++n;
  }
  CU_ASSERT(n > 10);
  clear(surrogate);
}

/* Half of the runs take 30 times as much; of one in ten of the first method nothing is known. */
static bool has_gap(int64_t cell) { return sal_random(9, (uint64_t)cell, 1) < 0.1; }
static bool run_two_modes(int64_t cell, const double p[], int method, double tolerance,
                          double *error, double *work)
{
  run_exact(cell, p, method, tolerance, error, work);
  *work = sal_random(9, (uint64_t)cell, 0) < 0.5 ? 100 : 3000;
  return method > 0 || !has_gap(cell);
}

static void work_of_two_modes_is_its_mean(void)
{
  fill(GRID("[1e-2, 1e-3, 1e-4, 1e-5]", "20", "20"), run_two_modes);
  sal_surrogate *surrogate = open_surrogate(NULL);

  for (int i = 0; i < 40; ++i) {
    const double b = 200 * pow(16, sal_random(6, (uint64_t)i, 0));
    const sal_surrogate_answer *a =
        ask_error(surrogate, b, 15 + 20 * sal_random(6, (uint64_t)i, 1), 10);
    const double found = sal_surrogate_candidate(surrogate, i % 2, 1e-2).work;
    double weight[2] = {0};
    for (int64_t k = 0; k < a->n_cell; ++k) {
      const sal_surrogate_near near = sal_surrogate_near_of(surrogate, (int)k);
      if (i % 2 || !has_gap(near.cell))
        weight[sal_random(9, (uint64_t)near.cell, 0) < 0.5] += near.weight;
    }
    const double mean = (3000 * weight[0] + 100 * weight[1]) / (weight[0] + weight[1]);
    /* by its plane it is what the logarithms have at the place: 548 where the modes are alike */
    CU_ASSERT(found > 800 && fabs(found / mean - 1) < 0.6);
  }
  clear(surrogate);
}

static bool run_nowhere(int64_t cell, const double p[], int method, double tolerance, double *error,
                        double *work)
{
  (void)cell, (void)p, (void)method, (void)tolerance, (void)error, (void)work;
  return false;
}

static void without_runs_there_is_no_answer(void)
{
  fill(GRID("[1e-2, 1e-3]", "4", "5"), run_nowhere);
  sal_surrogate *surrogate = open_surrogate(NULL);
  const sal_surrogate_answer *a = ask_error(surrogate, 800, 25, 1e-3);
  CU_ASSERT(a->best.pair == -1 && a->likely.pair == -1 && a->n_pair == 0);
  CU_ASSERT_EQUAL(a->reason, SAL_REASON_NO_CONFIG);
  CU_ASSERT(sal_surrogate_fit_of(surrogate)->metric.l[0] == 1 &&
            sal_surrogate_fit_of(surrogate)->asked[0] == 0);
  clear(surrogate);

  fill(GRID("[1e-2]", "2", "4"), run_exact);
  bool possible = true;
  CU_ASSERT(sal_surrogate_possible(&sweep, &possible) == SAL_OK && !possible);
  CU_ASSERT_EQUAL(sal_surrogate_open(&source, NULL, &surrogate), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(sal_err_message(), "s.yaml: has 8 cells; a plane in 2 coordinates needs 9 at least"));
  clear(surrogate);

  fill(HEAD "rtol: [1e-2]\ncells:\n  axes:\n    - {name: b, list: [100]}\n"
            "    - {name: k, linear: [10, 40], points: 7}\n",
       run_exact); /* one axis is constant */
  CU_ASSERT(sal_surrogate_possible(&sweep, &possible) == SAL_OK && possible);
  surrogate = open_surrogate(NULL);
  a = ask_error(surrogate, 100, 25, 1e-1);
  CU_ASSERT(a->n_pair == 2 && a->best.tolerance == 1e-2 && a->n_cell == 7 && a->outside.n == 0);
  clear(surrogate);
}

/* ---- Rows ---- */

static void rows_are_those_of_the_source_however_few_are_kept(void)
{
  sal_surrogate_rows *rows;

  fill(DECADES SOBOL, run_left);
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_rows_create(&source, 1e3, &rows), SAL_OK); /* 512 of 1500 */
  int missing = 0, there = 0;
  for (uint64_t fetch = 0; fetch < 40; ++fetch) {
    int64_t cell[700];
    const int n = fetch == 20 ? 700 : 150; /* once more than are kept */
    for (int i = 0; i < n; ++i)
      cell[i] = (int64_t)(sal_random(fetch, (uint64_t)i / 2, 0) * (double)sweep.n_cell);
    CU_ASSERT_EQUAL_FATAL(sal_surrogate_rows_fetch(rows, n, cell), SAL_OK);
    for (int i = 0; i < n; ++i) {
      const sal_surrogate_row row = sal_surrogate_rows_of(rows, cell[i]);
      for (int k = 0; k < table.n_config; ++k) {
        const int64_t at = cell[i] * table.n_config + k;
        const bool counts = isfinite(table.error[at]);
        CU_ASSERT(counts ? row.ln_error[k] == sal_scalar_log(table.error[at]) &&
                               row.ln_work[k] == sal_scalar_log(table.work[at])
                         : isnan(row.ln_error[k]) && isnan(row.ln_work[k]));
        missing += !counts;
        there += counts;
      }
    }
  }
  CU_ASSERT(missing > 1000 && there > 1000);
  sal_surrogate_rows_free(&rows);
  clear(NULL);
}

/* ---- Maps ---- */

static bool same_bits(const sal_answer *a, const sal_answer *b)
{
  return memcmp(a, b, sizeof *a) == 0;
}

static void maps_are_the_answers_at_the_cells_however_they_are_split(void)
{
  fill(DECADES SOBOL, run_left);
  sal_surrogate *surrogate = open_surrogate(NULL);
  sal_map map = {.n_error = 2, .error = {1e-3, 1e-5}, .n_cell = sweep.n_cell};
  memset(map.method, 1, sizeof map.method);
  memset(map.strategy, 1, sizeof map.strategy);
  sal_answer *whole = sal_alloc((size_t)sweep.n_cell * 2, sizeof *whole);
  sal_answer *part = sal_alloc((size_t)sweep.n_cell * 2, sizeof *part);
  int64_t *cell = sal_alloc((size_t)sweep.n_cell, sizeof *cell);
  CU_ASSERT_FATAL(cell != NULL);
  for (int64_t i = 0; i < sweep.n_cell; ++i) cell[i] = i;
  CU_ASSERT_EQUAL(sal_surrogate_map(surrogate, &map, sweep.n_cell, cell, whole), SAL_OK);
  const sal_surrogate_fit fit = *sal_surrogate_fit_of(surrogate);
  sal_surrogate_close(&surrogate);
  surrogate =
      open_surrogate(&fit); /* from before, and without an index; from the last cell to the first */
  for (int64_t i = 0; i < sweep.n_cell; ++i) cell[i] = sweep.n_cell - 1 - i;
  for (int64_t first = 0; first < sweep.n_cell;) {
    const int64_t n = first % 7 + 1 < sweep.n_cell - first ? first % 7 + 1 : sweep.n_cell - first;
    CU_ASSERT_EQUAL(sal_surrogate_map(surrogate, &map, n, &cell[first], &part[2 * first]), SAL_OK);
    first += n;
  }
  for (int64_t i = 0; i < 2 * sweep.n_cell; ++i) {
    const int64_t back = sweep.n_cell - 1 - i / 2;
    CU_ASSERT(same_bits(&whole[i], &part[2 * back + i % 2]));
  }
  int both = 0;
  for (int64_t i = 0; i < sweep.n_cell; i += 50) {
    double p[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE], value[SAL_MAX_QUANTITY] = {0};
    static sal_surrogate_answer a;
    sal_sweep_cell(&sweep, i, p, y);
    memcpy(value, p, sizeof p);
    const sal_surrogate_question q = {.error = 1e-3, .probability = NAN};
    CU_ASSERT_EQUAL(sal_surrogate_ask(surrogate, value, &q, &a), SAL_OK);
    const sal_answer *m = &whole[2 * i];
    CU_ASSERT(a.best.pair == m->pair && a.best.tolerance == m->rtol);
    CU_ASSERT(a.best.total == m->total && a.best.work == m->work && a.reason == m->reason);
    CU_ASSERT(a.best.probability == m->probability);
    CU_ASSERT(a.n_pair < 2 || (a.pair[1].pair == m->runner_up &&
                               a.pair[1].total / a.pair[0].total - 1 == m->margin));
    CU_ASSERT(a.n_pair < 2 || a.first.confidence == m->confidence);
    both += a.n_pair == 2;
  }
  CU_ASSERT(both > 5 && both < 30);
  sal_free(whole);
  sal_free(part);
  sal_free(cell);
  clear(surrogate);
}

SAL_TEST_MAIN("the surrogate", NULL,
              {"a plane is reproduced but for the ridge", a_plane_is_reproduced_but_for_the_ridge},
              {"probabilities are those of the noise", probabilities_are_those_of_the_noise},
              {"who fails nearby does not answer", who_fails_nearby_does_not_answer},
              {"stopped runs count by what they had done",
               stopped_runs_count_by_what_they_had_done},
              {"work of two modes is its mean", work_of_two_modes_is_its_mean},
              {"no answer without runs", without_runs_there_is_no_answer},
              {"rows are those of the source, however few are kept",
               rows_are_those_of_the_source_however_few_are_kept},
              {"maps are the answers at the cells, however they are split",
               maps_are_the_answers_at_the_cells_however_they_are_split})
