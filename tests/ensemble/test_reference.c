/** The error estimates of references, against trajectories certified to 1e-17. */
#include "memory.h"
#include "reference.h"
#include "registry.h"
#include "sal_test.h"
#include "sweep_file.h"
#include <math.h>
#include <string.h>

enum { N_GRID = 101, EVERY = 50, MANY = 70 }; /* the grid: each 0.5, where the mesh has 0.01 */

typedef struct {
  sal_sweep sweep;
  sal_reference of[N_SET], spare[N_SET];
} runs;

static runs certified, paper;
/* Change of the most sensitive set by rounding a parameter to double. */
static const double rounding = 1e-11;

static bool run(runs *r, int width)
{
  bool ok = true;
  void *space = sal_alloc(sal_reference_bytes(&r->sweep, width), 1);
  double param[N_SET * (6 + 1)], initial[N_SET * 4];

  for (int i = 0; i < N_SET; ++i)
    ok = ok && sal_reference_alloc(&r->sweep, &r->of[i]) &&
         sal_reference_alloc(&r->sweep, &r->spare[i]);
  dallas_cells(&r->sweep, param, initial);
  if (ok && space)
    sal_reference_run(&r->sweep, width, N_SET, param, initial, r->of, r->spare, space, NULL);
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
  paper.sweep = DALLAS("mesh=0.01", "reference=paper");
  return !run(&certified, sal_integrate_widest()) || !run(&paper, sal_integrate_widest());
}

/* y1 on the grid, [N_SET][N_GRID]; false without such a file. */
static bool read_grid(double y1[N_SET][N_GRID])
{
  FILE *file = fopen(SAL_TEST_DATA "/dallas/grid.csv", "r");
  char line[256];
  int set, n = 0;
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

/* Both kinds, with what their errors may be at most. */
static void check_estimates(const runs *r, double most)
{
  static double y1[N_SET][N_GRID];

  CU_ASSERT_FATAL(read_grid(y1));
  for (int i = 0; i < N_SET; ++i) {
    const double error = true_error(&r->of[i], y1[i]), said = r->of[i].error_watched;
    CU_ASSERT(r->of[i].outcome == SAL_OUT_DONE && r->of[i].reached == r->sweep.t_end);
    CU_ASSERT(r->of[i].error > said && r->of[i].error < 1e3 * said);
    CU_ASSERT(said >= (error - rounding) / 3);
    CU_ASSERT(said < most);
    CU_ASSERT(said > 1e-14 && error > 1e-16);
  }
}

static void the_certified_estimate_is_no_less_than_a_third_of_the_error(void)
{
  check_estimates(&certified, 1e-8);
}

static void the_papers_estimate_is_no_less_than_a_third_of_the_error(void)
{
  check_estimates(&paper, 2e-7);
}

static double distance(int64_t n, const double a[], const double b[])
{
  double largest = 0;
  for (int64_t j = 0; j <= n; ++j)
    if (!(fabs(a[j] - b[j]) <= largest)) largest = fabs(a[j] - b[j]);
  return largest;
}

static void both_kinds_agree_to_what_the_paper_s_says_of_itself(void)
{
  for (int i = 0; i < N_SET; ++i) {
    const double apart = distance(paper.sweep.n_mesh, paper.of[i].watch, certified.of[i].watch);
    CU_ASSERT(apart <= paper.of[i].error_watched + certified.of[i].error_watched);
    CU_ASSERT(apart > 0);
    CU_ASSERT(paper.of[i].events == certified.of[i].events);
  }
}

static void no_contact_is_lost_and_none_is_invented(void)
{
  static const int64_t events[N_SET] = {29, 16, 4, 11, 11, 16, 8, 16, 11, 82, 17, 108, 1};

  for (int i = 0; i < N_SET; ++i) CU_ASSERT(certified.of[i].events == events[i]);
}

static void the_watched_state_is_a_column_of_the_state(void)
{
  const sal_model *m = certified.sweep.model;

  for (int i = 0; i < N_SET; ++i) {
    const sal_reference *r = &certified.of[i];
    for (int64_t j = 0; j <= certified.sweep.n_mesh; ++j)
      CU_ASSERT_FATAL(r->watch[j] == r->state[j * m->n_state + m->watch]);
    CU_ASSERT(r->watch[0] == 0.5 && r->watch[certified.sweep.n_mesh] != 0.5);
  }
}

static void width_and_company_change_no_bit(void)
{
  static double param[MANY][7], initial[MANY][4];
  sal_sweep sweep = DALLAS("t_end=12", "mesh=0.1");
  sal_reference of[MANY], spare[MANY], alone, other;
  const size_t bytes = ((size_t)sweep.n_mesh + 1) * sizeof *alone.watch;
  void *space = sal_alloc(sal_reference_bytes(&sweep, sal_integrate_widest()), 1);

  for (int i = 0; i < MANY; ++i) {
    sal_sweep_cell(&sweep, i % N_SET, param[i], initial[i]);
    CU_ASSERT_FATAL(sal_reference_alloc(&sweep, &of[i]) && sal_reference_alloc(&sweep, &spare[i]));
  }
  CU_ASSERT_FATAL(sal_reference_alloc(&sweep, &alone) && sal_reference_alloc(&sweep, &other));
  sal_reference_run(&sweep, sal_integrate_widest(), MANY, param[0], initial[0], of, spare, space,
                    NULL);
  for (int i = 0; i < MANY; ++i) {
    sal_reference_run(&sweep, 1, 1, param[i], initial[i], &alone, &other, space, NULL);
    CU_ASSERT(memcmp(alone.watch, of[i].watch, bytes) == 0);
    CU_ASSERT(alone.error == of[i].error && alone.error_watched == of[i].error_watched);
    CU_ASSERT(alone.events == of[i].events);
    CU_ASSERT(i == 0 || memcmp(of[i].watch, of[i - 1].watch, bytes) != 0);
  }
  for (int i = 0; i < MANY; ++i) {
    sal_reference_free(&of[i]);
    sal_reference_free(&spare[i]);
  }
  sal_reference_free(&alone);
  sal_reference_free(&other);
  sal_free(space);
  sal_sweep_free(&sweep);
}

static void a_failed_reference_says_so(void)
{
  for (int kind = 0; kind < 2; ++kind) {
    runs r = {.sweep = DALLAS("t_end=20", "mesh=0.1", "max_attempts=40",
                              kind ? "reference=paper" : "reference=certified")};
    CU_ASSERT_FATAL(run(&r, 1));
    for (int i = 0; i < N_SET; ++i) {
      CU_ASSERT(r.of[i].outcome == SAL_OUT_STEP_CAP);
      CU_ASSERT(isnan(r.of[i].error) && isnan(r.of[i].error_watched));
      CU_ASSERT(r.of[i].reached > 0 && r.of[i].reached < r.sweep.t_end);
      CU_ASSERT(isnan(r.of[i].watch[r.sweep.n_mesh]));
      CU_ASSERT(r.of[i].watch[0] == 0.5);
    }
    clear(&r);
  }
}

/* Explicit methods take more attempts than there are where decay is fast; the others do not.  A cell that is slow keeps
 * its method, and its bits. */
static void another_method_takes_the_place_of_one_that_fails(void)
{
  enum { CELLS = 3, POINTS = 20 };
  static const double lambda[CELLS] = {1, 1e6, 30}, start[CELLS] = {1, 1, 1};
  sal_sweep sweep =
      DALLAS("model=decay", "cells={axes: [{name: lambda, list: [1, 1e6, 30]}]}", "options={}",
             "parameters={}", "initial={}", "t_end=2", "mesh=0.1", "max_attempts=20000");
  sal_reference of[CELLS] = {{0}}, spare[CELLS] = {{0}}, alone = {0}, other = {0};
  void *space = sal_alloc(sal_reference_bytes(&sweep, 1), 1);

  CU_ASSERT_FATAL(sweep.model && space && sweep.n_mesh == POINTS);
  for (int i = 0; i < CELLS; ++i)
    CU_ASSERT_FATAL(sal_reference_alloc(&sweep, &of[i]) && sal_reference_alloc(&sweep, &spare[i]));
  CU_ASSERT_FATAL(sal_reference_alloc(&sweep, &alone) && sal_reference_alloc(&sweep, &other));
  sal_reference_run(&sweep, 1, CELLS, lambda, start, of, spare, space, NULL);
  sal_reference_run(&sweep, 1, 1, &lambda[2], start, &alone, &other, space, NULL);
  for (int i = 0; i < CELLS; ++i) {
    const bool fast = i == 1;
    CU_ASSERT(of[i].outcome == SAL_OUT_DONE && of[i].error < 1e-9);
    CU_ASSERT(of[i].first == (fast ? SAL_OUT_STEP_CAP : SAL_OUT_DONE));
    CU_ASSERT(fast ? of[i].first_reached < 1 : of[i].first_reached == 2);
    CU_ASSERT(of[i].method == sal_registry_method(fast ? "radau5" : "dop853"));
    for (int j = 0; j <= POINTS; ++j)
      CU_ASSERT(fabs(of[i].watch[j] - exp(-lambda[i] * 0.1 * j)) < 1e-11);
  }
  CU_ASSERT(memcmp(alone.watch, of[2].watch, (POINTS + 1) * sizeof *alone.watch) == 0);
  CU_ASSERT(alone.error == of[2].error && of[2].watch[1] > 0.04);
  for (int i = 0; i < CELLS; ++i) {
    sal_reference_free(&of[i]);
    sal_reference_free(&spare[i]);
  }
  sal_reference_free(&alone);
  sal_reference_free(&other);
  sal_free(space);
  sal_sweep_free(&sweep);
}

static void each_method_of_reference_is_tried_once(void)
{
  for (int m = 0; sal_registry_models[m]; ++m) {
    const sal_model *model = sal_registry_models[m];
    int n = 0;
    CU_ASSERT(sal_registry_reference_at(model, 0) == sal_registry_reference(model));
    for (; sal_registry_reference_at(model, n); ++n)
      for (int k = 0; k < n; ++k)
        CU_ASSERT(sal_registry_reference_at(model, k) != sal_registry_reference_at(model, n));
    CU_ASSERT(n >= 4);
  }
}

/* Only ode113 of the four takes more than 400 attempts on set 9 at such a tolerance; it is neither
 * the first nor the last one. */
static void the_failure_of_one_of_the_four_is_the_reference_s(void)
{
  enum { SET_9 = 8 };
  for (int capped = 0; capped < 2; ++capped) {
    runs r = {.sweep = DALLAS("t_end=20", "mesh=0.1", "reference=paper", "reference_tolerance=0.1",
                              capped ? "max_attempts=400" : "max_attempts=0")};
    CU_ASSERT_FATAL(run(&r, 1));
    CU_ASSERT(r.of[SET_9].outcome == (capped ? SAL_OUT_STEP_CAP : SAL_OUT_DONE));
    CU_ASSERT(!isnan(r.of[SET_9].error) == !capped);
    clear(&r);
  }
}

static void memory_comes_back(void)
{
  clear(&certified);
  clear(&paper);
  CU_ASSERT(sal_memory_live() == 0);
}

SAL_TEST_MAIN("reference", setup,
              {"the certified estimate is no less than a third of the error",
               the_certified_estimate_is_no_less_than_a_third_of_the_error},
              {"the paper's estimate is no less than a third of the error",
               the_papers_estimate_is_no_less_than_a_third_of_the_error},
              {"both kinds agree within the paper's error estimate",
               both_kinds_agree_to_what_the_paper_s_says_of_itself},
              {"no contact is lost and none is invented", no_contact_is_lost_and_none_is_invented},
              {"the watched state is a column of the state",
               the_watched_state_is_a_column_of_the_state},
              {"width and company change no bit", width_and_company_change_no_bit},
              {"a failed reference is marked", a_failed_reference_says_so},
              {"another method takes the place of one that fails",
               another_method_takes_the_place_of_one_that_fails},
              {"each method of reference is tried once", each_method_of_reference_is_tried_once},
              {"the failure of one of the four is the reference's",
               the_failure_of_one_of_the_four_is_the_reference_s},
              {"memory comes back", memory_comes_back})
