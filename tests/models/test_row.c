/** Contacts in a row: the closed ones as a range, and runs that see two candidates against twins
 *  that look at every contact.
 */
#include "kernels/run_one.h"
#include "plate_cases.h"
#include "registry.h"
#include "row.h"
#include "sal_test.h"
#include <math.h>

enum { MOST = 60 };

static double uniform(uint64_t *seed, double lo, double hi)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return lo + (hi - lo) * (double)(*seed >> 11) * 0x1p-53;
}

/* Counts by looking at each; the closed ones must be the first or the last few. */
static void check_range(const sal_row *r, int count)
{
  double from, to;
  int closed = 0;

  sal_row_closed(r, count, &from, &to);
  for (int k = 0; k < count; ++k) {
    const bool is = sal_row_gap(r, k) <= 0;
    closed += is;
    CU_ASSERT_FATAL(is == (from <= k && k < to));
  }
  CU_ASSERT_FATAL(to - from == closed && (closed > 0 || (from == 0 && to == 0)));
}

static void the_closed_ones_are_a_range(void)
{
  uint64_t seed = 5;
  int none = 0, all = 0, some = 0;

  for (int i = 0; i < 20000; ++i) {
    const int count = 1 + (int)uniform(&seed, 0, MOST);
    const double size = pow(10, uniform(&seed, -18, 2));
    const sal_row r = {.middle = 0.5 * (count - 1),
                       .gap = uniform(&seed, -1, 1) * size * count,
                       .slope = uniform(&seed, -1, 1) * size};
    const double closed = sal_row_closed_count(&r, count);
    none += closed == 0;
    all += closed == count;
    some += closed > 0 && closed < count;
    check_range(&r, count);
  }
  CU_ASSERT(none > 1000 && all > 1000 && some > 1000);
}

/* Contacts exactly on the surface, level rows, rows so level that rounding makes steps in them. */
static void ties_and_level_rows_are_ranges_too(void)
{
  static const double gaps[] = {0, 1e-300, -1e-300, 1, -1, 3e-16, -3e-16};
  static const double slopes[] = {0, 1, -1, 1e-17, -1e-17, 1e-300, -1e-300, 0.5, -0.25};

  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; ++g)
    for (size_t s = 0; s < sizeof slopes / sizeof *slopes; ++s)
      for (int count = 1; count <= 33; ++count) {
        const sal_row r = {.middle = 0.5 * (count - 1), .gap = gaps[g], .slope = slopes[s]};
        check_range(&r, count);
      }
}

typedef struct {
  sal_record record;
  double end[PLATE_STATES];
  sal_events events;
  sal_event event[64 * MOST];
  double at_events[64 * MOST][2 * PLATE_STATES];
} harvest;

static void reap(sal_setup *setup, bool every, const double param[], const double start[],
                 harvest *out)
{
  double state[2 * PLATE_STATES];
  sal_samples ends = {.n_mesh = 1, .state = state};

  setup->every_contact = every;
  setup->n_guard = (int)param[0];
  out->events = (sal_events){.event = out->event,
                             .capacity = 64 * MOST,
                             .state = *out->at_events,
                             .n_state = PLATE_STATES};
  out->record = run_one(setup, param, start, &ends, &out->events);
  memcpy(out->end, state + PLATE_STATES, sizeof out->end);
}

static harvest row, every;

/* Every count of the record, the end, and every event's contact and direction. */
static void check_twins(sal_setup *setup, double n, const double start[])
{
  double param[PLATE_PARAMS];

  plate_presets(n, param);
  reap(setup, false, param, start, &row);
  reap(setup, true, param, start, &every);
  CU_ASSERT_EQUAL(outcome(&row.record), outcome(&every.record));
  for (int m = 0; m <= SAL_METRIC_PROJECTIONS; ++m)
    if (m != SAL_METRIC_T_REACHED && !isnan(every.record.value[m]))
      CU_ASSERT_EQUAL(row.record.value[m], every.record.value[m]);
  for (int i = 0; i < PLATE_STATES; ++i) CU_ASSERT_DOUBLE_EQUAL(row.end[i], every.end[i], 1e-11);
  CU_ASSERT_EQUAL(row.events.n, every.events.n);
  for (int64_t e = 0; e < row.events.n && e < every.events.n; ++e)
    CU_ASSERT(fabs(row.event[e].t - every.event[e].t) < 1e-11 &&
              row.event[e].closes == every.event[e].closes);
}

static void check_config(const sal_method *method, const sal_strategy *strategy)
{
  static const double counts[] = {1, 2, 3, 10, 50};
  uint64_t seed = 11;
  sal_setup setup = config("plate", method->name, strategy->name, 1e-6, 2);

  for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
    const double start[PLATE_STATES] = {
        0, uniform(&seed, 2, 3), counts[c] == 1 ? 0 : uniform(&seed, -0.1, 0.1), 0, 0, 0};
    check_twins(&setup, counts[c], start);
  }
}

static void two_candidates_do_what_all_contacts_do(void)
{
  int pairs = 0, events = 0;

  for (int m = 0; sal_registry_methods[m]; ++m)
    for (int s = 0; sal_registry_strategies[s]; ++s) {
      if (!sal_strategy_drives(sal_registry_strategies[s], sal_registry_methods[m]) ||
          sal_registry_strategies[s]->every)
        continue;
      check_config(sal_registry_methods[m], sal_registry_strategies[s]);
      ++pairs;
      events += n_event(&row.record);
    }
  CU_ASSERT(pairs >= 24 && events > 16 * 100);
}

/* A level plate: every contact closes and opens at one instant, and each is counted and logged. */
static void a_level_row_changes_all_at_once(void)
{
  static const double start[PLATE_STATES] = {0, 2.5, 0, 0, 0, 0};
  sal_setup setup = config("plate", "ode45", "event", 1e-8, 2);
  bool seen[10] = {false};
  double param[PLATE_PARAMS];

  plate_presets(10, param);
  reap(&setup, false, param, start, &row);
  CU_ASSERT_EQUAL(outcome(&row.record), SAL_OUT_DONE);
  CU_ASSERT(n_event(&row.record) >= 20 && n_event(&row.record) % 10 == 0);
  CU_ASSERT_EQUAL(row.record.value[SAL_METRIC_RESTARTS], n_event(&row.record) / 10);
  for (int e = 0; e < 10; ++e) {
    seen[row.event[e].guard] = true;
    CU_ASSERT(row.event[e].closes && row.event[e].t == row.event[0].t);
    CU_ASSERT_DOUBLE_EQUAL(row.event[e].y[1], 1, 1e-12);
  }
  for (int k = 0; k < 10; ++k) CU_ASSERT(seen[k]);
  CU_ASSERT_DOUBLE_EQUAL(row.event[0].t, sqrt(2 * 1.5 / 9.81), 1e-12);
  CU_ASSERT(row.event[10].t > row.event[0].t && !row.event[10].closes);
}

/* How often each contact closed less how often it opened, and the same of its twin. */
static void check_the_same_contacts(void)
{
  int sum[2][MOST] = {{0}};

  for (int64_t e = 0; e < row.events.n; ++e) sum[0][row.event[e].guard] += 1 + row.event[e].closes;
  for (int64_t e = 0; e < every.events.n; ++e)
    sum[1][every.event[e].guard] += 1 + every.event[e].closes;
  for (int k = 0; k < MOST; ++k) CU_ASSERT_EQUAL(sum[0][k], sum[1][k]);
}

/* So nearly level that some of the contacts, or all, change within the resolution of time. */
static void nearly_level_rows_change_in_groups(void)
{
  int groups = 0;

  for (double th = 1e-17; th < 1e-8; th *= 3.7)
    for (int sign = -1; sign <= 1; sign += 2) {
      const double start[PLATE_STATES] = {0, 2.5, sign * th, 0, 0, 0};
      sal_setup setup = config("plate", "ode45", "event", 1e-8, 1.2);
      check_twins(&setup, 10, start);
      check_the_same_contacts();
      groups += row.record.value[SAL_METRIC_RESTARTS] > 2 &&
                row.record.value[SAL_METRIC_RESTARTS] < 0.9 * n_event(&row.record);
    }
  CU_ASSERT(groups >= 4); /* else all went at once, or one by one */
}

/* Rocking on the border of the row: where all gaps vanish at one instant the set becomes its
 * complement.  Without springs' forces to speak of, the plate turns freely about its centre. */
static void a_pivoting_row_changes_to_its_complement(void)
{
  double param[PLATE_PARAMS], state[11 * PLATE_STATES];
  uint8_t first[11] = {0};

  for (int sign = -1; sign <= 1; sign += 2) {
    const double start[PLATE_STATES] = {0, 1, -0.05 * sign, 0, 0, 0.1 * sign};
    sal_setup setup = config("plate", "ode45", "event", 1e-9, 1);
    sal_samples mesh = {.n_mesh = 10, .state = state, .closed = first};
    int closed = 0;

    plate_presets(10, param);
    param[1] = 1e-25; /* K */
    param[2] = 0;     /* C */
    param[3] = 0;     /* g */
    reap(&setup, false, param, start, &row);
    CU_ASSERT_EQUAL(outcome(&row.record), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(n_event(&row.record), 10);
    for (int e = 0; e < 10; ++e) {
      closed += row.event[e].closes;
      CU_ASSERT_DOUBLE_EQUAL(row.event[e].t, 0.5, 1e-12);
    }
    CU_ASSERT_EQUAL(closed, 5);
    CU_ASSERT_EQUAL(row.record.value[SAL_METRIC_RESTARTS], 1); /* all at once */
    reap(&setup, true, param, start, &every);
    CU_ASSERT_EQUAL(n_event(&every.record), 10);
    check_the_same_contacts();
    setup.every_contact = false;
    run_one(&setup, param, start, &mesh, NULL);
    for (int j = 0; j <= 10; ++j)
      if (j != 5) CU_ASSERT_EQUAL(first[j] != 0, (j < 5) == (sign < 0));
  }
}

SAL_TEST_MAIN("contacts in a row", NULL,
              {"the closed ones are a range", the_closed_ones_are_a_range},
              {"ties and level rows are ranges too", ties_and_level_rows_are_ranges_too},
              {"two candidates do what all contacts do", two_candidates_do_what_all_contacts_do},
              {"a level row changes all at once", a_level_row_changes_all_at_once},
              {"nearly level rows change in groups", nearly_level_rows_change_in_groups},
              {"a pivoting row changes to its complement",
               a_pivoting_row_changes_to_its_complement})
