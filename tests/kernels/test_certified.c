/** The reference integrator against trajectories certified to 1e-17. */
#include "monopod_runs.h"
#include "sal_test.h"
#include <math.h>

static const double bound = 1e-9;

static set_runs tight, loose;

static int run_both(void)
{
  set_run_all("dop853", "event", 1e-13, SET_GRID, &tight);
  set_run_all("dop853", "event", 1e-6, SET_GRID, &loose);
  return 0;
}

/* Largest error of any state on the grid of one set. */
static double grid_error(const set_runs *runs, int set)
{
  const set_reference *right = set_read();
  double worst = 0;

  for (int j = 0; j <= SET_GRID; ++j)
    for (int i = 0; i < SET_STATES; ++i)
      worst = fmax(worst, fabs(runs->state[set][j * SET_STATES + i] - right->grid[set][j][i]));
  return worst;
}

static void the_files_hold_what_they_should(void)
{
  const set_reference *right = set_read();

  for (int set = 0; set < SETS; ++set) {
    double low = 1, high = -1;
    CU_ASSERT_EQUAL(right->n_event[set], set_events[set]);
    for (int j = 0; j <= SET_GRID; ++j) {
      low = fmin(low, right->grid[set][j][0]);
      high = fmax(high, right->grid[set][j][2]);
    }
    CU_ASSERT(low < 0 && high == 1.5);
  }
}

static void all_states_agree_on_the_grid(void)
{
  for (int set = 0; set < SETS; ++set) {
    const double error = grid_error(&tight, set);
    printf("%s%d: %.1e", set ? ", " : "\n    ", set + 1, error);
    CU_ASSERT_EQUAL(outcome(&tight.record[set]), SAL_OUT_DONE);
    CU_ASSERT(error < bound);
    CU_ASSERT(grid_error(&loose, set) > bound);
  }
  printf("\n");
}

/* Largest errors of the times of one set's events, and of the states there. */
static void event_errors(int set, double *time, double *state)
{
  const set_reference *right = set_read();

  *time = *state = 0;
  for (int i = 0; i < right->n_event[set]; ++i) {
    const sal_event *found = &tight.event[set][i];
    const set_event *e = &right->event[set][i];
    CU_ASSERT(found->closes == e->closes && found->guard == 0);
    CU_ASSERT_EQUAL(found->y[0], 0);
    *time = fmax(*time, fabs(found->t - e->t));
    for (int j = 1; j < SET_STATES; ++j) *state = fmax(*state, fabs(found->y[j] - e->y[j]));
  }
}

/* The toe of set 1 comes down at 0.0057, which magnifies the error of its height into one of
 * time. */
static void every_touchdown_and_liftoff_is_found_in_its_place(void)
{
  const set_reference *right = set_read();

  for (int set = 0; set < SETS; ++set) {
    double time, state;
    CU_ASSERT_EQUAL_FATAL(tight.log[set].n, right->n_event[set]);
    CU_ASSERT_EQUAL(n_event(&tight.record[set]), right->n_event[set]);
    event_errors(set, &time, &state);
    printf("%s%d: %.1e", set ? ", " : "\n    ", set + 1, time);
    CU_ASSERT(state < bound && state > 0);
    CU_ASSERT(time < (set == 0 ? 3e-9 : bound) && time > 0);
  }
  printf("\n");
}

static double shortest_flight(int set)
{
  double shortest = set_span;

  for (int i = 0; i + 1 < tight.log[set].n; ++i)
    if (!tight.event[set][i].closes)
      shortest = fmin(shortest, tight.event[set][i + 1].t - tight.event[set][i].t);
  return shortest;
}

static void the_shortest_flights_are_not_lost(void)
{
  CU_ASSERT_DOUBLE_EQUAL(shortest_flight(9), 0.039, 5e-4);
  CU_ASSERT_DOUBLE_EQUAL(shortest_flight(11), 0.0057, 5e-5);
}

SAL_TEST_MAIN("certified trajectories", run_both,
              {"the files hold what they should", the_files_hold_what_they_should},
              {"all states agree on the grid", all_states_agree_on_the_grid},
              {"every touchdown and lift-off is found in its place",
               every_touchdown_and_liftoff_is_found_in_its_place},
              {"the shortest flights are not lost", the_shortest_flights_are_not_lost})
