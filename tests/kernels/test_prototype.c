/** The seven methods of the MATLAB suite at 1e-9 beside an independent implementation of them: the
 *  same events, the same steps, no more work, no larger errors.
 *
 *  On one set the error depends on how rounding happens to steer the steps, above all at the kinks
 *  of `switch` and where the trajectory is sensitive (set 10 amplifies 10^5 times): tolerances that
 *  differ by 0.4 % give errors that differ up to a hundredfold.  Compared are the largest
 *  over the sets and the mean over sets and nearby tolerances; ratios of single sets are printed.
 */
#include "monopod_runs.h"
#include "sal_test.h"
#include <math.h>

enum { STRATEGIES = 2, NEARBY = 5, EXACT = NEARBY / 2 };
static const double tolerance = 1e-9, apart = 0.004;
static const double factor_error = 3, factor_work = 1.25, factor_mean = 1.5;
static const char *const strategies[STRATEGIES] = {"switch", "event"};

/** Results of either implementation for one configuration on all sets. */
typedef struct {
  double steps, work, error[SETS], largest;
  int events[SETS];
} account;

static set_runs reference, runs;
static account ours[SET_SUITE][STRATEGIES][NEARBY], theirs[SET_SUITE][STRATEGIES];

static int place_of(const char *name, int n, const char *const list[])
{
  for (int i = 0; i < n; ++i)
    if (strcmp(name, list[i]) == 0) return i;
  fprintf(stderr, "prototype.csv: what is %s?\n", name);
  abort();
}

static void read_theirs(void)
{
  FILE *file = set_file("prototype.csv");
  char method[16], strategy[16];
  double tol, steps, work, error;
  int set, events;

  while (fscanf(file, "%15[^,],%15[^,],%lf,%d,%lf,%lf,%d,%lf ", method, strategy, &tol, &set,
                &steps, &work, &events, &error) == 8) {
    account *a =
        &theirs[place_of(method, SET_SUITE, set_suite)][place_of(strategy, STRATEGIES, strategies)];
    a->steps += steps;
    a->work += work;
    a->error[set - 1] = error;
    a->events[set - 1] = events;
    a->largest = fmax(a->largest, error);
  }
  fclose(file);
}

static void take_account(account *a)
{
  for (int set = 0; set < SETS; ++set) {
    double worst = outcome(&runs.record[set]) == SAL_OUT_DONE ? 0 : NAN;
    for (int j = 0; j <= SET_MAX_MESH; ++j) {
      const int toe = j * SET_STATES;
      worst = fmax(worst, fabs(runs.state[set][toe] - reference.state[set][toe]));
    }
    a->steps += runs.record[set].value[SAL_METRIC_STEPS];
    a->work += runs.record[set].value[SAL_METRIC_RHS];
    a->events[set] = n_event(&runs.record[set]);
    a->error[set] = worst;
    a->largest = fmax(a->largest, worst);
  }
}

static int run_everything(void)
{
  read_theirs();
  set_run_all("dop853", "event", 1e-14, SET_MAX_MESH, &reference);
  for (int m = 0; m < SET_SUITE; ++m)
    for (int s = 0; s < STRATEGIES; ++s)
      for (int i = 0; i < NEARBY; ++i) {
        const double tol = i == EXACT ? tolerance : tolerance * (1 + apart * (i - EXACT));
        set_run_all(set_suite[m], strategies[s], tol, SET_MAX_MESH, &runs);
        take_account(&ours[m][s][i]);
      }
  return 0;
}

static void the_reference_is_the_certified_one(void)
{
  const set_reference *right = set_read();
  double worst = 0, height = 0;

  for (int set = 0; set < SETS; ++set)
    for (int j = 0; j <= SET_GRID; ++j) {
      const double toe = reference.state[set][j * (SET_MAX_MESH / SET_GRID) * SET_STATES];
      worst = fmax(worst, fabs(toe - right->grid[set][j][0]));
      height = fmax(height, fabs(toe));
    }
  printf("(%.1e) ", worst);
  CU_ASSERT(worst < 1e-9);
  CU_ASSERT(height >= 0.5);
}

static void located_events_are_as_many(void)
{
  for (int m = 0; m < SET_SUITE; ++m)
    for (int set = 0; set < SETS; ++set) {
      CU_ASSERT_EQUAL(ours[m][0][EXACT].events[set], 0);
      CU_ASSERT_EQUAL(ours[m][1][EXACT].events[set], set_events[set]);
      CU_ASSERT_EQUAL(theirs[m][1].events[set], set_events[set]);
    }
}

/* With `event` nothing but rounding moves the steps; at the kinks of `switch` that goes far. */
static void the_steps_are_as_many(void)
{
  printf("\n");
  for (int m = 0; m < SET_SUITE; ++m)
    for (int s = 0; s < STRATEGIES; ++s) {
      const double ratio = ours[m][s][EXACT].steps / theirs[m][s].steps;
      printf("    %-8s %-7s %8.0f accepted, %.4f of the prototype's\n", set_suite[m], strategies[s],
             ours[m][s][EXACT].steps, ratio);
      CU_ASSERT_DOUBLE_EQUAL(ratio, 1, s == 0 ? 0.06 : 0.003);
    }
}

static void the_work_is_no_larger(void)
{
  printf("\n");
  for (int m = 0; m < SET_SUITE; ++m)
    for (int s = 0; s < STRATEGIES; ++s) {
      const double work = ours[m][s][EXACT].work, ratio = work / theirs[m][s].work;
      printf("    %-8s %-7s %8.0f evaluations, %.3f of the prototype's\n", set_suite[m],
             strategies[s], work, ratio);
      CU_ASSERT(ratio < factor_work && ratio > 0.5);
    }
}

/* ode113 with `switch` on set 10: the prototype's 2.7e-5 lies within 3e-6 .. 7e-4, what tolerances
 * within 4 % of 1e-9 give here. */
static double factor_largest(int m, int s)
{
  return s == 0 && strcmp(set_suite[m], "ode113") == 0 ? 10 : factor_error;
}

static void the_largest_error_is_no_larger(void)
{
  printf("\n");
  for (int m = 0; m < SET_SUITE; ++m)
    for (int s = 0; s < STRATEGIES; ++s) {
      const account *a = &ours[m][s][EXACT], *b = &theirs[m][s];
      printf("    %-8s %-7s largest error %.1e, %.2f of the prototype's;", set_suite[m],
             strategies[s], a->largest, a->largest / b->largest);
      for (int set = 0; set < SETS; ++set)
        if (!(a->error[set] <= factor_error * b->error[set]))
          printf(" set %d %.1f", set + 1, a->error[set] / b->error[set]);
      printf("\n");
      CU_ASSERT(a->largest < factor_largest(m, s) * b->largest);
      CU_ASSERT(a->largest > 1e-9);
    }
}

static void the_mean_error_is_the_same(void)
{
  printf("\n");
  for (int m = 0; m < SET_SUITE; ++m)
    for (int s = 0; s < STRATEGIES; ++s) {
      double sum = 0;
      for (int i = 0; i < NEARBY; ++i)
        for (int set = 0; set < SETS; ++set)
          sum += log(ours[m][s][i].error[set] / theirs[m][s].error[set]);
      const double mean = exp(sum / (NEARBY * SETS));
      printf("    %-8s %-7s %.2f\n", set_suite[m], strategies[s], mean);
      CU_ASSERT(mean < factor_mean && mean > 0.5);
    }
}

SAL_TEST_MAIN("the prototype", run_everything,
              {"the reference is the certified one", the_reference_is_the_certified_one},
              {"located events are as many", located_events_are_as_many},
              {"the steps are as many", the_steps_are_as_many},
              {"the work is no larger", the_work_is_no_larger},
              {"the largest error is no larger", the_largest_error_is_no_larger},
              {"the mean error is the same", the_mean_error_is_the_same})
