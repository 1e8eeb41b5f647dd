/** Samples and events of one trajectory. */
#include "lost.h"
#include "memory.h"
#include "parameter_column.h"
#include "registry.h"
#include "sal_test.h"
#include "sweep.h"
#include "trajectory.h"
#include <math.h>
#include <string.h>

enum { Y1, N_STATE = 4, N_EVENT = 11 };

static double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

static int setup(void)
{
  sal_parameter_presets(sal_registry_model("monopod"), param, initial); /* set 5 of the paper */
  return 0;
}

static sal_trajectory run(const char *method, const char *strategy, double tolerance, double t_end,
                          double spacing, int64_t max_attempts)
{
  const sal_setup what = {.model = sal_registry_model("monopod"),
                          .method = sal_registry_method(method),
                          .strategy = sal_registry_strategy(strategy),
                          .rtol = tolerance,
                          .atol = tolerance,
                          .t_end = t_end,
                          .max_attempts = max_attempts};
  sal_trajectory out;

  CU_ASSERT_FATAL(sal_trajectory_run(&what, param, initial, spacing, &out) == SAL_OK);
  return out;
}

static void samples_lie_at_multiples_of_the_spacing(void)
{
  static const struct {
    double t_end, spacing;
    int64_t n;
  } cases[] = {{50, 0.01, 5001}, {50, 0.3, 168},      {10, 3, 5},  {10, 2.5, 5},
               {1, 1, 2},        {0.7, 0.1, 8},       {1, 0.7, 3}, {50, 1.0 / 3, 151},
               {7, 7e-3, 1001},  {33.3, 0.0333, 1001}};

  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    sal_trajectory tr = run("ode45", "event", 1e-6, cases[i].t_end, cases[i].spacing, 0);
    CU_ASSERT(tr.n == cases[i].n);
    for (int64_t j = 0; j < tr.n - 1; ++j) CU_ASSERT(tr.t[j] == (double)j * cases[i].spacing);
    CU_ASSERT(fabs(tr.t[tr.n - 1] - cases[i].t_end) < 1e-12 * cases[i].t_end);
    CU_ASSERT(memcmp(tr.state, initial, N_STATE * sizeof *initial) == 0);
    sal_trajectory_free(&tr);
  }
}

static void a_spacing_that_does_not_divide_the_interval_changes_no_value(void)
{
  sal_trajectory fine = run("ode45", "event", 1e-6, 10, 0.1, 0);
  sal_trajectory odd = run("ode45", "event", 1e-6, 10, 0.3, 0);

  for (int64_t j = 0; j < odd.n - 1; ++j)
    for (int i = 0; i < N_STATE; ++i) {
      CU_ASSERT(fabs(odd.state[j * N_STATE + i] - fine.state[3 * j * N_STATE + i]) < 1e-12);
      CU_ASSERT(odd.closed[j] == fine.closed[3 * j]);
    }
  CU_ASSERT(odd.n == 35 && odd.t[34] == 10);
  CU_ASSERT(fabs(odd.state[34 * N_STATE] - fine.state[100 * N_STATE]) < 1e-12);
  CU_ASSERT(odd.closed[34] == fine.closed[100]);
  CU_ASSERT(fabs(odd.state[30 * N_STATE] - odd.state[29 * N_STATE]) > 1e-3);
  sal_trajectory_free(&fine);
  sal_trajectory_free(&odd);
}

static void a_spacing_beyond_the_end_leaves_both_ends(void)
{
  sal_trajectory tr = run("ode45", "event", 1e-6, 1, 2, 0);

  CU_ASSERT(tr.n == 2 && tr.t[0] == 0 && tr.t[1] == 1);
  CU_ASSERT(memcmp(tr.state, initial, N_STATE * sizeof *initial) == 0);
  CU_ASSERT(initial[Y1] == 0.5 && fabs(tr.state[N_STATE + Y1] - (0.5 - 0.051 / 2)) < 1e-12);
  sal_trajectory_free(&tr);
}

/* That of the setup, of a job without its own; how far it has come is written on the way. */
static void a_budget_ends_a_run(void)
{
  sal_run_reached reached = {0};
  sal_setup what = {.model = sal_registry_model("monopod"),
                    .method = sal_registry_method("ode45"),
                    .strategy = sal_registry_strategy("event"),
                    .rtol = 1e-6,
                    .atol = 1e-6,
                    .t_end = 50,
                    .work = {.rhs = 1},
                    .budget = 1000,
                    .reached = &reached};
  sal_trajectory tr;

  for (int large = 0; large < 2; ++large) {
    if (large) what.budget = 1e6;
    CU_ASSERT_FATAL(sal_trajectory_run(&what, param, initial, 1, &tr) == SAL_OK);
    const double *v = tr.record.value;
    CU_ASSERT(v[SAL_METRIC_OUTCOME] == (large ? SAL_OUT_DONE : SAL_OUT_OVER_BUDGET));
    if (!large) {
      CU_ASSERT(v[SAL_METRIC_RHS] > 1000 && v[SAL_METRIC_RHS] < 1100);
      CU_ASSERT(reached.work > 500 && reached.t > 0 && reached.t <= v[SAL_METRIC_T_REACHED]);
      CU_ASSERT(tr.n < 51 && tr.t[tr.n - 1] <= v[SAL_METRIC_T_REACHED]);
    }
    sal_trajectory_free(&tr);
  }
}

/* y1 of the certified grid at t = 0.5 j, the fifth set. */
static bool read_grid(double y1[101])
{
  FILE *file = fopen(SAL_TEST_DATA "/dallas/grid.csv", "r");
  char line[256];
  int set, n = 0;
  double t, y;

  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "%d,%lf,%lf", &set, &t, &y) == 3 && set == 5) y1[n < 101 ? n : 100] = y, ++n;
  if (file) fclose(file);
  return n == 101;
}

static void samples_are_the_certified_values_with_every_method_and_strategy(void)
{
  double y1[101], largest = 0;

  CU_ASSERT_FATAL(read_grid(y1));
  for (const sal_method *const *m = sal_registry_methods; *m; ++m)
    for (const sal_strategy *const *s = sal_registry_strategies; *s; ++s) {
      if ((*s)->zoned) continue; /* their accuracy is the zone's, not the tolerance's */
      sal_trajectory tr = run((*m)->name, (*s)->name, 1e-8, 50, 0.5, 0);
      CU_ASSERT(tr.n == 101);
      for (int j = 0; j < 101; ++j) {
        const double error = fabs(tr.state[j * N_STATE] - y1[j]);
        CU_ASSERT(error < 1e-4);
        largest = fmax(largest, error);
      }
      sal_trajectory_free(&tr);
    }
  CU_ASSERT(largest > 1e-9 && fabs(y1[3]) > 0.1);
}

static void switch_reads_the_mode_from_the_gap(void)
{
  sal_trajectory tr = run("ode45", "switch", 1e-6, 50, 0.01, 0);
  int64_t closed = 0;

  for (int64_t j = 0; j < tr.n; ++j) {
    CU_ASSERT((tr.closed[j] != 0) == (tr.state[j * N_STATE] <= 0));
    closed += tr.closed[j];
  }
  CU_ASSERT(closed > tr.n / 10 && closed < tr.n * 9 / 10);
  CU_ASSERT(tr.n_event == 0);
  sal_trajectory_free(&tr);
}

static void the_mode_under_event_is_that_between_the_events(void)
{
  sal_trajectory tr = run("ode45", "event", 1e-9, 50, 0.01, 0);
  int64_t e = 0;

  CU_ASSERT(tr.n_event == N_EVENT);
  for (int64_t j = 0; j < tr.n; ++j) {
    while (e < tr.n_event && tr.event[e].t < tr.t[j]) ++e;
    CU_ASSERT((tr.closed[j] != 0) == (e > 0 && tr.event[e - 1].closes));
  }
  CU_ASSERT(e == N_EVENT);
  sal_trajectory_free(&tr);
}

static void modes_of_contacts_are_kept_from_the_start_on(void)
{
  sal_trajectory tr = run("ode45", "event", 1e-9, 50, 0.01, 0),
                 brief = run("ode45", "event", 1e-9, 1, 0.01, 0);
  sal_trajectory sides = run("ode45", "switch", 1e-6, 50, 0.01, 0);

  CU_ASSERT_FATAL(tr.n_guard == 1 && tr.start_closed && tr.event_closed && !tr.sides);
  CU_ASSERT(!tr.start_closed[0] && brief.n_event == 0 && !brief.start_closed[0]);
  for (int64_t e = 0; e < tr.n_event; ++e) CU_ASSERT(tr.event_closed[e] == tr.event[e].closes);
  CU_ASSERT_FATAL(sides.sides && !sides.start_closed && !sides.event_closed);
  CU_ASSERT(memcmp(sides.sides, sides.closed, (size_t)sides.n) == 0);
  sal_trajectory_free(&tr);
  sal_trajectory_free(&brief);
  sal_trajectory_free(&sides);
}

/* An impact closes the contact, which is open again at once; at rest it stays closed. */
static void a_rebound_leaves_the_contact_open(void)
{
  const sal_model *m = sal_registry_model("bouncing-ball");
  const sal_setup what = {.model = m,
                          .method = sal_registry_method("ode45"),
                          .strategy = sal_registry_strategy("event"),
                          .rtol = 1e-8,
                          .atol = 1e-8,
                          .t_end = 8};
  double p[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];
  sal_trajectory tr;

  sal_parameter_presets(m, p, y);
  CU_ASSERT_FATAL(sal_trajectory_run(&what, p, y, 1, &tr) == SAL_OK);
  CU_ASSERT_FATAL(tr.n_event > 3);
  for (int64_t e = 0; e < 3; ++e) CU_ASSERT(tr.event[e].closes && !tr.event_closed[e]);
  CU_ASSERT(tr.event_closed[tr.n_event - 1] && tr.end_closed[0]);
  y[0] = y[1] = 0; /* it lies there from the start */
  sal_trajectory_free(&tr);
  CU_ASSERT_FATAL(sal_trajectory_run(&what, p, y, 1, &tr) == SAL_OK);
  CU_ASSERT(tr.start_closed[0] || (tr.n_event > 0 && tr.event_closed[0]));
  sal_trajectory_free(&tr);
}

static void events_alternate_in_order_of_time(void)
{
  for (const sal_method *const *m = sal_registry_methods; *m; ++m) {
    sal_trajectory tr = run((*m)->name, "event", 1e-7, 50, 50, 0);
    CU_ASSERT(tr.n_event == N_EVENT);
    CU_ASSERT(tr.n_event == (int64_t)tr.record.value[SAL_METRIC_EVENTS]);
    for (int64_t e = 0; e < tr.n_event; ++e) {
      CU_ASSERT(tr.event[e].closes == (e % 2 == 0));
      CU_ASSERT(tr.event[e].t > (e ? tr.event[e - 1].t : 4) && tr.event[e].t < 50);
      CU_ASSERT(tr.event[e].y[Y1] == 0 && tr.event[e].guard == 0);
      CU_ASSERT((tr.event[e].y[1] < 0) == tr.event[e].closes);
      CU_ASSERT_PTR_EQUAL(tr.event[e].ahead, tr.event[e].y + N_STATE);
      CU_ASSERT_PTR_EQUAL(tr.event[e].y, tr.event[0].y + e * 2 * N_STATE);
    }
    sal_trajectory_free(&tr);
  }
}

static void a_trajectory_that_ends_early_is_kept_up_to_there(void)
{
  sal_trajectory whole = run("ode45", "event", 1e-6, 50, 0.01, 0);
  sal_trajectory tr = run("ode45", "event", 1e-6, 50, 0.01, 300);

  const double reached = tr.record.value[SAL_METRIC_T_REACHED];
  CU_ASSERT(tr.record.value[SAL_METRIC_OUTCOME] == SAL_OUT_STEP_CAP);
  CU_ASSERT(reached > 5 && reached < 45);
  CU_ASSERT(tr.n > 500 && tr.t[tr.n - 1] <= reached && tr.t[tr.n - 1] > reached - 0.0101);
  CU_ASSERT(memcmp(tr.state, whole.state, (size_t)tr.n * N_STATE * sizeof *tr.state) == 0);
  CU_ASSERT(tr.n_event > 0 && tr.n_event < whole.n_event);
  CU_ASSERT(tr.event[tr.n_event - 1].t <= reached);
  sal_trajectory_free(&whole);
  sal_trajectory_free(&tr);
}

static void memory_comes_back(void) { CU_ASSERT(sal_memory_live() == 0); }

/* Contact, side, gap and time of a jump that went wrong, which no model of the registry's makes. */
static void a_bad_jump_is_named(void)
{
  const sal_model *m = sal_registry_model("bouncing-ball");
  const double p[] = {9.81, 0.8};
  sal_event event = {.t = 0.5, .guard = 0, .closes = true};
  bool mode = false;
  sal_trajectory tr = {.n_event = 1, .event = &event, .end = {-0.25, 1}, .end_closed = &mode};
  char text[SAL_LOST_FAULT];

  tr.record.value[SAL_METRIC_OUTCOME] = SAL_OUT_BAD_JUMP;
  tr.record.value[SAL_METRIC_T_REACHED] = 0.5;
  CU_ASSERT_STRING_EQUAL(sal_lost_fault(&tr, m, p, text),
                         "contact 0 (impact) is open at t = 0.5 with a gap of -0.25");
  tr.end[0] = 0.25;
  mode = true;
  CU_ASSERT_STRING_EQUAL(sal_lost_fault(&tr, m, p, text),
                         "contact 0 (impact) is closed at t = 0.5 with a gap of 0.25");
  tr.record.value[SAL_METRIC_OUTCOME] = SAL_OUT_STUCK;
  const char *fault = sal_lost_fault(&tr, m, p, text);
  CU_ASSERT_PTR_EQUAL(strstr(fault, "contact 0 (impact) changed 1 times up to t = 0.5"), fault);
}

SAL_TEST_MAIN(
    "trajectory", setup,
    {"samples lie at multiples of the spacing", samples_lie_at_multiples_of_the_spacing},
    {"a spacing that does not divide the interval changes no value",
     a_spacing_that_does_not_divide_the_interval_changes_no_value},
    {"a spacing beyond the end leaves both ends", a_spacing_beyond_the_end_leaves_both_ends},
    {"samples are the certified values with every method and strategy",
     samples_are_the_certified_values_with_every_method_and_strategy},
    {"a bad jump is named", a_bad_jump_is_named},
    {"`switch` reads the mode from the gap", switch_reads_the_mode_from_the_gap},
    {"the mode under `event` is that between the events",
     the_mode_under_event_is_that_between_the_events},
    {"modes of contacts are kept from the start on", modes_of_contacts_are_kept_from_the_start_on},
    {"a rebound leaves the contact open", a_rebound_leaves_the_contact_open},
    {"events alternate in order of time", events_alternate_in_order_of_time},
    {"a trajectory that ends early is kept up to there",
     a_trajectory_that_ends_early_is_kept_up_to_there},
    {"a budget ends a run", a_budget_ends_a_run}, {"memory comes back", memory_comes_back})
