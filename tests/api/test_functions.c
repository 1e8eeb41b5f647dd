/** The C library: models of the caller's functions, and advice for them. */
#include "api.h"
#include "memory.h"
#include "model_point.h"
#include "sal_test.h"
#include "saltus.h"
#include "stop.h"
#include <math.h>
#include <string.h>

static const double g = 9.81;

/* Context of the functions below. */
typedef struct {
  double bounce; /* the share of the speed that an impact leaves */
  int64_t calls;
  int64_t fails_at; /* > 0: that call of f fails */
  double nan_from;  /* > 0: f is NaN from that time on */
} ball;

static int fall(void *with, double t, const double y[], const double p[], const int closed[],
                double slope[])
{
  ball *b = with;

  (void)closed;
  if (++b->calls == b->fails_at) return 1;
  slope[0] = y[1];
  slope[1] = b->nan_from > 0 && t >= b->nan_from ? NAN : -p[0];
  return 0;
}

/* The same where the floor holds what rests on it. */
static int fall_or_rest(void *with, double t, const double y[], const double p[],
                        const int closed[], double slope[])
{
  const int failed = fall(with, t, y, p, closed, slope);

  if (closed[0]) slope[1] = 0;
  return failed;
}

static int height(void *with, double t, const double y[], const double p[], double gap[])
{
  (void)with, (void)t, (void)p;
  gap[0] = y[0];
  return 0;
}

static int rebound(void *with, int contact, int closes, double t, double y[], const double p[])
{
  (void)contact, (void)t, (void)p;
  if (!closes) return 1;
  y[0] = 0;
  y[1] *= -((const ball *)with)->bounce;
  return 0;
}

/* Leaves the height as it was found. */
static int rebound_there(void *with, int contact, int closes, double t, double y[],
                         const double p[])
{
  const double here = y[0];
  const int failed = rebound(with, contact, closes, t, y, p);

  y[0] = here;
  return failed;
}

static saltus_model *make(ball *b, const saltus_contact *contact)
{
  static const double initial[2] = {1, 0};
  saltus_model *m;
  const saltus_functions f = {.name = "ball",
                              .n_state = 2,
                              .n_param = 1,
                              .n_contact = contact ? 1 : 0,
                              .span = 1,
                              .initial = initial,
                              .param = &g,
                              .contact = contact,
                              .with = b,
                              .f = fall,
                              .gaps = height,
                              .jump = rebound};

  CU_ASSERT_FATAL(saltus_model_of_functions(&f, &m) == SALTUS_OK);
  return m;
}

static const saltus_contact bounces = {.resets = SALTUS_CLOSING | SALTUS_OPENING},
                            ends = {.ends = 1};

/* The first impact at sqrt(2 h / g), further ones 2 e^k of that apart. */
static void a_ball_bounces_as_it_must(void)
{
  ball b = {.bounce = 0.7};
  const long before = sal_memory_live();
  saltus_model *m = make(&b, &bounces);
  saltus_event event[8] = {{0}};
  saltus_figures figures = {0};
  const saltus_runs runs = {.n = 1, .figures = &figures, .most_events = 8, .event = event};
  const double first = sqrt(2 / g), at[2] = {first, first * (1 + 2 * 0.7)};

  for (int lanes = 1; lanes <= 4; lanes += 3) {
    CU_ASSERT_FATAL(
        saltus_integrate(
            m, &(saltus_setup){.solver = "dop853", .rtol = 1e-10, .t_end = 1.5, .lanes = lanes},
            &runs) == SALTUS_OK);
    int met = 0;
    for (int i = 0; i < figures.events && i < 8; ++i)
      if (event[i].closes && met < 2) CU_ASSERT_DOUBLE_EQUAL(event[i].t, at[met++], 1e-9);
    CU_ASSERT(met == 2 && figures.completed);
    CU_ASSERT(b.calls >= figures.evaluations && figures.evaluations > 20);
  }
  saltus_model_close(m);
  CU_ASSERT(sal_memory_live() == before);
}

/* With each solver that takes functions.  The floor holds the ball, or nothing does. */
static void bounce_without_end(bool held, bool there)
{
  static const double initial[2] = {1, 0};
  ball b = {.bounce = 0.8};
  saltus_functions f = {.n_state = 2,
                        .n_param = 1,
                        .n_contact = 1,
                        .span = 8,
                        .initial = initial,
                        .param = &g,
                        .contact = &(saltus_contact){.resets = SALTUS_CLOSING},
                        .with = &b,
                        .f = held ? fall_or_rest : fall,
                        .gaps = height,
                        .jump = there ? rebound_there : rebound};
  const double when = sqrt(2 / g) * (1 + 2 * 0.8 / (1 - 0.8));
  saltus_model *m;
  int n = 0;

  CU_ASSERT_FATAL(saltus_model_of_functions(&f, &m) == SALTUS_OK);
  for (int i = 0; saltus_name(SALTUS_SOLVERS, i); ++i) {
    double end[2];
    saltus_figures figures = {.t = 0};
    const saltus_setup setup = {.solver = saltus_name(SALTUS_SOLVERS, i), .budget = 2e4};
    if (saltus_integrate(m, &setup, &(saltus_runs){.n = 1, .end = end, .figures = &figures}))
      continue; /* one for second-order systems */
    const double error = strcmp(setup.solver, "ode15s") == 0 ? 0.02 : 1e-6;
    ++n;
    CU_ASSERT_STRING_EQUAL(saltus_outcome(figures.outcome, NULL), held ? "done" : "zeno");
    CU_ASSERT_DOUBLE_EQUAL(figures.t, held ? 8 : when, error);
    CU_ASSERT(fabs(end[0]) < 1e-10 && fabs(end[1]) < 1e-6 && figures.events > 30);
  }
  CU_ASSERT(n >= 10);
  saltus_model_close(m);
}

static void infinitely_many_impacts_have_an_end(void)
{
  for (int i = 0; i < 4; ++i) bounce_without_end(i & 1, i & 2);
}

static void a_contact_may_end_the_run(void)
{
  ball b = {.bounce = 1};
  saltus_model *m = make(&b, &ends);
  saltus_figures figures = {0};

  CU_ASSERT(saltus_integrate(m, NULL, &(saltus_runs){.n = 1, .figures = &figures}) == SALTUS_OK);
  CU_ASSERT_DOUBLE_EQUAL(figures.t, sqrt(2 / g), 1e-6);
  CU_ASSERT_STRING_EQUAL(saltus_outcome(figures.outcome, NULL), "ended");
  saltus_model_close(m);
}

/* One that needs Jacobians takes them from differences: y = 1 - g t^2 / 2. */
static void implicit_solvers_run_functions(void)
{
  ball b = {.bounce = 1};
  saltus_model *m = make(&b, NULL);
  double end[2];

  for (int i = 0; saltus_name(SALTUS_SOLVERS, i); ++i) {
    const saltus_setup how = {.solver = saltus_name(SALTUS_SOLVERS, i), .rtol = 1e-9, .t_end = 0.4};
    const saltus_status status = saltus_integrate(m, &how, &(saltus_runs){.n = 1, .end = end});
    if (status == SALTUS_INVALID) continue; /* one for second-order systems */
    CU_ASSERT(status == SALTUS_OK);
    CU_ASSERT_DOUBLE_EQUAL(end[0], 1 - g * 0.08, 1e-6);
  }
  saltus_model_close(m);
}

static int swing(void *with, double t, const double y[], const double p[], const int closed[],
                 double slope[])
{
  (void)with, (void)t, (void)p, (void)closed;
  slope[0] = y[1] * y[1];
  slope[1] = sin(y[0]) - 3 * y[1];
  return 0;
}

static void jacobians_are_differences(void)
{
  const double initial[2] = {1, 0}, y[2] = {0.7, -2}, is[4] = {0, -4, cos(0.7), -3};
  const saltus_functions f = {.n_state = 2, .span = 1, .initial = initial, .f = swing};
  saltus_model *m;
  double J[4];

  CU_ASSERT_FATAL(saltus_model_of_functions(&f, &m) == SALTUS_OK);
  sal_model_jacobian(m->model, NULL, 0, y, false, J);
  for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(J[i], is[i], 1e-9);
  saltus_model_close(m);
}

static void a_function_that_fails_ends_the_call(void)
{
  ball b = {.bounce = 0.5, .fails_at = 40};
  saltus_model *m = make(&b, &bounces);
  double end[2];
  saltus_answer answer;
  const saltus_runs runs = {.n = 1, .end = end};

  CU_ASSERT(saltus_integrate(m, NULL, &runs) == SALTUS_FAILED);
  CU_ASSERT(strstr(saltus_message(), "ball") != NULL && b.calls == 40);
  b.fails_at = 0;
  CU_ASSERT(saltus_integrate(m, NULL, &runs) == SALTUS_OK);
  b = (ball){.bounce = 0.5, .fails_at = 10000};
  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 1e-3, .t_end = 0.4}, &answer) ==
            SALTUS_FAILED);
  CU_ASSERT(b.calls == 10000);
  saltus_model_close(m);
}

static void nan_is_an_outcome_and_no_answer(void)
{
  ball b = {.bounce = 0.5, .nan_from = 0.2};
  saltus_model *m = make(&b, &bounces);
  saltus_figures figures = {0};
  saltus_answer answer;

  CU_ASSERT(saltus_integrate(m, NULL, &(saltus_runs){.n = 1, .figures = &figures}) == SALTUS_OK);
  CU_ASSERT(!figures.completed && figures.t < 0.2 + 1e-9);
  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 1e-3, .t_end = 0.4}, &answer) ==
            SALTUS_INVALID);
  CU_ASSERT(saltus_message()[0] != '\0');
  saltus_model_close(m);
}

static void what_is_no_model_is_refused(void)
{
  ball b = {.bounce = 1};
  const double initial[2] = {1, NAN};
  saltus_functions f = {.n_state = 2, .span = 1, .initial = initial, .f = fall, .with = &b};
  saltus_model *m = (saltus_model *)&b;

  CU_ASSERT(saltus_model_of_functions(&f, &m) == SALTUS_INVALID && m == NULL);
  CU_ASSERT(strstr(saltus_message(), "initial[1]") != NULL);
  f.n_contact = 513;
  CU_ASSERT(saltus_model_of_functions(&f, &m) == SALTUS_INVALID);
  CU_ASSERT(strstr(saltus_message(), "513 contacts") != NULL);
  f = (saltus_functions){.n_state = 200, .initial = initial, .f = fall};
  CU_ASSERT(saltus_model_of_functions(&f, &m) == SALTUS_INVALID);
}

static void what_contacts_do_is_one_of_the_words(void)
{
  ball b = {.bounce = 1};
  const double initial[2] = {1, 0};
  saltus_contact contact = {.resets = 77};
  saltus_functions f = {.n_state = 2,
                        .n_contact = 1,
                        .span = 1,
                        .initial = initial,
                        .with = &b,
                        .contact = &contact,
                        .f = fall,
                        .gaps = height,
                        .jump = rebound};
  saltus_model *m;

  CU_ASSERT(saltus_model_of_functions(&f, &m) == SALTUS_INVALID && m == NULL);
  CU_ASSERT(strstr(saltus_message(), "contact 0: resets = 77; allowed: 0, SALTUS_CLOSING") != NULL);
  contact = (saltus_contact){.ends = 2};
  CU_ASSERT(saltus_model_of_functions(&f, &m) == SALTUS_INVALID);
  CU_ASSERT(strstr(saltus_message(), "ends = 2; allowed: 0, 1") != NULL);
  contact = (saltus_contact){.resets = SALTUS_OPENING, .ends = 1};
  CU_ASSERT(saltus_model_of_functions(&f, &m) == SALTUS_OK);
  saltus_model_close(m);
}

/* Calls the library while it is run. */
typedef struct {
  saltus_model *inner;
  int called;
  saltus_status advised, integrated;
} nested;

static int calls_again(void *with, double t, const double y[], const double p[], const int closed[],
                       double slope[])
{
  nested *n = with;
  saltus_answer answer;

  (void)t, (void)p, (void)closed;
  slope[0] = -y[0];
  if (n->called++ > 0) return 0;
  n->integrated = saltus_integrate(n->inner, NULL, &(saltus_runs){.n = 1});
  n->advised = saltus_advise(n->inner, &(saltus_around){.error = 1e-2}, &answer);
  return n->advised;
}

static void a_function_that_advise_runs_may_not_call_it(void)
{
  nested n = {.inner = NULL};
  const double initial = 1;
  const saltus_functions f = {
      .name = "outer", .n_state = 1, .span = 1, .initial = &initial, .with = &n, .f = calls_again};
  saltus_model *m;
  saltus_answer answer;

  CU_ASSERT_FATAL(saltus_model_open("decay", &n.inner) == SALTUS_OK);
  CU_ASSERT_FATAL(saltus_model_of_functions(&f, &m) == SALTUS_OK);
  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 1e-2}, &answer) == SALTUS_FAILED);
  CU_ASSERT(n.advised == SALTUS_INVALID && n.integrated == SALTUS_INVALID);
  n.called = 0;
  CU_ASSERT(saltus_integrate(m, NULL, &(saltus_runs){.n = 1}) == SALTUS_OK);
  CU_ASSERT(n.advised == SALTUS_OK && n.integrated == SALTUS_OK);
  saltus_model_close(m);
  saltus_model_close(n.inner);
}

/* A fall of one arc has an answer that any accurate pair gives, and the impact is met by events. */
static void a_ball_has_an_answer(void)
{
  ball b = {.bounce = 0.8};
  const long before = sal_memory_live();
  saltus_model *m = make(&b, &bounces);
  saltus_answer a;

  CU_ASSERT_FATAL(saltus_advise(m,
                                &(saltus_around){.error = 1e-5, .program = "scipy", .t_end = 0.7},
                                &a) == SALTUS_OK);
  CU_ASSERT_STRING_EQUAL(a.best.strategy, "event");
  CU_ASSERT(a.best.call && strstr(a.best.call, "solve_ivp") != NULL);
  CU_ASSERT(a.best.probability > 0.5 && a.best.work > 10 && a.best.work < 2000 &&
            a.best.error <= 1e-5);
  CU_ASSERT(a.n_attempt > 0 && strcmp(a.schedule[0].solver, a.best.solver) == 0);
  saltus_model_close(m);
  CU_ASSERT(sal_memory_live() == before);
}

static void advice_is_refused_or_halted_as_runs_are(void)
{
  ball b = {.bounce = 0.8};
  saltus_model *m = make(&b, &bounces);
  saltus_answer a;
  const int halt = 1;

  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 0}, &a) == SALTUS_INVALID);
  CU_ASSERT(strstr(saltus_message(), "error = 0 is out of range") != NULL);
  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 1e-3, .program = "scpy"}, &a) ==
            SALTUS_INVALID);
  CU_ASSERT(strstr(saltus_message(), "did you mean 'scipy'?") != NULL);
  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 1e-3, .program = "sundials"}, &a) ==
            SALTUS_INVALID);
  CU_ASSERT(saltus_advise(m, &(saltus_around){.error = 1e-3, .halt = &halt}, &a) == SALTUS_HALTED);
  CU_ASSERT(!sal_stop_halted());
  saltus_model_close(m);
}

SAL_TEST_MAIN("C library: functions", NULL,
              {"a ball bounces as it must", a_ball_bounces_as_it_must},
              {"infinitely many impacts have an end", infinitely_many_impacts_have_an_end},
              {"a contact may end the run", a_contact_may_end_the_run},
              {"implicit solvers run functions", implicit_solvers_run_functions},
              {"Jacobians are differences", jacobians_are_differences},
              {"a function that fails ends the call", a_function_that_fails_ends_the_call},
              {"NaN is an outcome", nan_is_an_outcome_and_no_answer},
              {"an invalid model is refused", what_is_no_model_is_refused},
              {"what contacts do is one of the words", what_contacts_do_is_one_of_the_words},
              {"a function that advise runs may not call it",
               a_function_that_advise_runs_may_not_call_it},
              {"a ball has an answer", a_ball_has_an_answer},
              {"advice is refused or halted", advice_is_refused_or_halted_as_runs_are})
