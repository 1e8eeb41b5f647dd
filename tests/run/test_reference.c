/** @file tests/run/test_reference.c
 *  What a reference says of its own error, against trajectories certified to 1e-17.
 */
#include "reference.h"
#include "memory.h"
#include "sal_test.h"
#include "sweep_file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_GRID = 101, EVERY = 50, MANY = 70 }; /* the grid: each 0.5, where the mesh has 0.01 */

typedef struct {
  sal_sweep     sweep;
  sal_reference of[N_SET], spare[N_SET];
} runs;

static runs certified, paper;
/* What rounding a parameter to double moves the most sensitive set by. */
static const double rounding = 1e-11;

static bool run(runs *r, int width)
{
  bool  ok    = true;
  void *space = sal_alloc(sal_reference_bytes(&r->sweep, width), 1);

  for (int i = 0; i < N_SET; ++i)
    ok = ok && sal_reference_alloc(&r->sweep, &r->of[i]) &&
         sal_reference_alloc(&r->sweep, &r->spare[i]);
  if (ok && space)
    sal_reference_run(&r->sweep, width, N_SET, r->sweep.param, r->sweep.initial, r->of, r->spare,
                      space);
  sal_free(space);
  return ok && space;
}

static void clear(runs *r)
{
  for (int i = 0; i < N_SET; ++i) {
    sal_reference_free(&r->of[i]);
    sal_reference_free(&r->spare[i]);
  }
  sal_sweep_free(&r->sweep);
}

static int setup(void)
{
  certified.sweep = DALLAS("mesh=0.01");
  paper.sweep     = DALLAS("mesh=0.01", "reference=paper");
  return !run(&certified, sal_widest()) || !run(&paper, sal_widest());
}

/* y1 on the grid, [N_SET][N_GRID]; false when there is no such file. */
static bool read_grid(double y1[N_SET][N_GRID])
{
  FILE  *file = fopen(SAL_TEST_DATA "/dallas/grid.csv", "r");
  char   line[256];
  int    set, n = 0;
  double t, y;

  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "%d,%lf,%lf", &set, &t, &y) != 3) continue;
    const int j = (int)lround(2 * t);
    if (set < 1 || set > N_SET || j < 0 || j >= N_GRID) break;
    y1[set - 1][j] = y;
    ++n;
  }
  if (file) fclose(file);
  return n == N_SET * N_GRID;
}

static double true_error(const sal_reference *r, const double y1[N_GRID])
{
  double largest = 0;
  for (int j = 0; j < N_GRID; ++j) largest = fmax(largest, fabs(r->watch[EVERY * j] - y1[j]));
  return largest;
}

static void the_certified_estimate_covers_the_error(void)
{
  static double y1[N_SET][N_GRID];

  CU_ASSERT_FATAL(read_grid(y1));
  for (int i = 0; i < N_SET; ++i) {
    const double error = true_error(&certified.of[i], y1[i]), said = certified.of[i].error;
    if (getenv("SHOW")) fprintf(stderr, "c %d err %.3e said %.3e\n", i + 1, error, said);
    CU_ASSERT(said >= (error - rounding) / 3);
    CU_ASSERT(said < 1e-8);
    CU_ASSERT(said > 1e-14 && error > 1e-16);
  }
}

static void the_papers_estimate_covers_the_error(void)
{
  static double y1[N_SET][N_GRID];

  CU_ASSERT_FATAL(read_grid(y1));
  for (int i = 0; i < N_SET; ++i) {
    const double error = true_error(&paper.of[i], y1[i]), said = paper.of[i].error;
    if (getenv("SHOW")) fprintf(stderr, "p %d err %.3e said %.3e\n", i + 1, error, said);
    CU_ASSERT(said >= (error - rounding) / 3);
    CU_ASSERT(said < 1e-8);
    CU_ASSERT(said > 1e-14 && error > 1e-16);
  }
}

SAL_TEST_MAIN("reference", setup,
    {"the certified estimate is at least a third of the error", the_certified_estimate_covers_the_error},
    {"p", the_papers_estimate_covers_the_error})
