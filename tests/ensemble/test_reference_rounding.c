/** The error estimate of a reference where impacts depend on time: a ball on a moving table,
 *  against its exact impact map in long double.  Sine and cosine of rounded times are as wrong in both
 *  runs of a certificate, and each impact makes that grow.
 */
#include "made_up_sweep.h"
#include "reference.h"
#include "registry.h"
#include "sal_test.h"
#include <math.h>
#include <stdint.h>

enum { G, E, A, W, N_PARAM };
enum { MESH = 1000, CELLS = 40, N_STATE = 2 };
#define TWO_PI 6.2831853071795864769

static const char text[] = "model: shaking-table\n"
                           "cells: {axes: [{name: e, linear: [0.4, 0.5], points: 2}]}\n"
                           "t_end: 10\n"
                           "mesh: 0.01\n"
                           "solvers: [ode45]\n"
                           "strategies: [event]\n"
                           "rtol: [1e-6]\n";

static long double gap_at(const double p[], const long double y[], long double t0, long double s)
{
  return y[0] + s * (y[1] - s * p[G] / 2) - p[A] * sinl(p[W] * (t0 + s));
}

/* Time to the next impact; `most` where it is later than the end. */
static long double time_to_impact(const double p[], const long double y[], long double t0,
                                  long double first)
{
  long double s = 0, step = first, most = 1e-3L * TWO_PI / p[W];

  for (; gap_at(p, y, t0, s + step) > 0 && t0 + s < 11; s += step) step = fminl(1.2L * step, most);
  long double lo = s, hi = s + step;
  for (int i = 0; i < 80; ++i) {
    const long double mid = (lo + hi) / 2;
    *(gap_at(p, y, t0, mid) > 0 ? &lo : &hi) = mid;
  }
  return hi;
}

/* Heights on the mesh; false where the ball chatters. */
static bool follow(const double p[], const double start[], long double height[])
{
  long double y[] = {start[0], start[1]}, t = 0, first = 1e-6L;

  for (int j = 0;;) {
    const long double s = time_to_impact(p, y, t, first);
    for (; j <= MESH && 10.0L * j / MESH <= t + s; ++j) {
      const long double q = 10.0L * j / MESH - t;
      height[j] = y[0] + q * (y[1] - q * p[G] / 2);
    }
    if (j > MESH) return true;
    t += s;
    const long double table = p[A] * p[W] * cosl(p[W] * t), meets = y[1] - p[G] * s - table;
    y[0] = p[A] * sinl(p[W] * t);
    y[1] = table - p[E] * meets;
    if (-p[E] * meets < 1e-4L) return false;
    first = fminl(1e-6L, -1e-3L * p[E] * meets);
  }
}

/* The next of evenly spread numbers. */
static double spread(uint64_t *at, double lo, double hi)
{
  *at += 0x9e3779b97f4a7c15U;
  uint64_t v = *at;
  v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9U;
  v = (v ^ (v >> 27)) * 0x94d049bb133111ebU;
  return lo + (hi - lo) * (double)((v ^ (v >> 31)) >> 11) * 0x1p-53;
}

static long double exact[CELLS][MESH + 1];
static double param[CELLS][N_PARAM], initial[CELLS][N_STATE];

static void draw_cells(void)
{
  uint64_t at = 1;

  for (int i = 0; i < CELLS;) {
    param[i][G] = 9.81;
    param[i][E] = spread(&at, 0.3, 0.9);
    param[i][A] = spread(&at, 0.05, 0.4);
    param[i][W] = spread(&at, 3, 10);
    initial[i][0] = spread(&at, 0.5, 2);
    initial[i][1] = spread(&at, -2, 2);
    if (follow(param[i], initial[i], exact[i])) ++i;
  }
}

static void the_estimate_is_no_less_than_a_third_of_the_error(void)
{
  static sal_reference of[CELLS], spare[CELLS];
  sal_sweep sweep;
  int near = 0;

  CU_ASSERT_EQUAL_FATAL(made_up_sweep(sal_registry_model("shaking-table"), text, &sweep), SAL_OK);
  draw_cells();
  for (int i = 0; i < CELLS; ++i)
    CU_ASSERT_FATAL(sal_reference_alloc(&sweep, &of[i]) && sal_reference_alloc(&sweep, &spare[i]));
  void *work = sal_alloc(sal_reference_bytes(&sweep, 1), 1);
  CU_ASSERT_FATAL(work != NULL);
  sal_reference_run(&sweep, 1, CELLS, param[0], initial[0], of, spare, work, NULL);
  for (int i = 0; i < CELLS; ++i) {
    double error = 0;
    for (int j = 0; j <= MESH; ++j)
      error = fmax(error, fabs((double)((long double)of[i].watch[j] - exact[i][j])));
    CU_ASSERT_EQUAL(of[i].outcome, SAL_OUT_DONE);
    CU_ASSERT(error <= 3 * of[i].error_watched && of[i].error_watched <= of[i].error);
    near += of[i].error_watched < 30 * error;
    sal_reference_free(&of[i]);
    sal_reference_free(&spare[i]);
  }
  CU_ASSERT(near > CELLS / 2); /* and is not trivial */
  sal_free(work);
  sal_sweep_free(&sweep);
}

SAL_TEST_MAIN("reference, rounding of time", NULL,
              {"the estimate is no less than a third of the error",
               the_estimate_is_no_less_than_a_third_of_the_error})
