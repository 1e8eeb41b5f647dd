/** Works of stopped runs, against those that were made up before they were stopped. */
#include "config.h"
#include "memory.h"
#include "performance_table.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <math.h>

#define SWEEP                                                                                      \
  "model: monopod\nt_end: 50\nsolvers: [ode45, ode23]\nstrategies: [switch]\n"                     \
  "rtol: [1e-6, 1e-2, 1e-4, 1e-8]\n"                                                               \
  "cells: {axes: [{name: b, log: [1000, 8000], points: 2}]}\n"
enum { N_CONFIG = 8 };

/* ode45 (even) grows by rtol^-0.1, ode23 by rtol^-0.2. */
static double work_of(const sal_sweep *s, int k)
{
  return (k % 2 ? 300 : 1000) * pow(sal_config_tolerance(s, k), k % 2 ? -0.2 : -0.1);
}

static double more(const bool stopped[N_CONFIG], double at, double *truth)
{
  sal_sweep s;
  sal_performance_table a;
  double done = 0, whole = 0;

  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", SWEEP, 0, NULL, &s), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_performance_create(&s, s.n_cell, NULL,
                                               &(sal_work_weights){1, 0, 0, 0, NULL}, false, false,
                                               &a),
                        SAL_OK);
  for (int k = 0; k < N_CONFIG; ++k) {
    const double work = work_of(&s, k);
    const int64_t in = N_CONFIG + k; /* of the second cell */
    a.work[in] = stopped[k] ? fmin(at, work) : work;
    a.error[in] = stopped[k] ? INFINITY : 1e-3;
    done += a.work[in];
    whole += work;
  }
  *truth = whole / done;
  double found = 0;
  for (int k = 0; k < N_CONFIG; ++k)
    found += (stopped[k] ? sal_full_work_of(&a, 1, k) : a.work[N_CONFIG + k]) / done;
  sal_performance_free(&a);
  sal_sweep_free(&s);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
  return found;
}

static void powers_of_the_tolerance_are_found(void)
{
  /* [tolerance][method]: 1e-6, 1e-2, 1e-4, 1e-8 */
  const bool none[N_CONFIG] = {false}, last[N_CONFIG] = {[6] = true, [7] = true},
             two[N_CONFIG] = {[1] = true, [7] = true},
             all[N_CONFIG] = {true, true, true, true, true, true, true, true};
  double truth;

  CU_ASSERT_DOUBLE_EQUAL(more(none, 0, &truth), 1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(more(last, 3000, &truth), truth, 1e-12);
  CU_ASSERT_TRUE(truth > 1.5);
  CU_ASSERT_DOUBLE_EQUAL(more(two, 3000, &truth), truth, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(more(all, 100, &truth), 2, 1e-12); /* nothing is known */
}

/* With one tolerance that ended, the order of the method decides, and the work done is a bound. */
static void one_that_ended_leaves_the_order(void)
{
  const bool stopped[N_CONFIG] = {[0] = true, [4] = true, [6] = true};
  double truth, sum = 0, done = 0;

  for (int decades = 2; decades <= 6; decades += 2) {
    const double work = 1000 * pow(10, 0.2) * pow(10, decades / 6.0); /* order 5 */
    sum += fmax(work, 2500);
    done += 2500;
  }
  const double rest =
      1000 * pow(10, 0.2) + 300 * (pow(10, 0.4) + pow(10, 0.8) + pow(10, 1.2) + pow(10, 1.6));
  CU_ASSERT_DOUBLE_EQUAL(more(stopped, 2500, &truth), (sum + rest) / (done + rest), 1e-9);
}

SAL_TEST_MAIN("work without cutoffs", NULL,
              {"powers of the tolerance are found", powers_of_the_tolerance_are_found},
              {"one that ended leaves the order", one_that_ended_leaves_the_order})
