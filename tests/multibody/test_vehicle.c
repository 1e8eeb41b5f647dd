/** The 14-body vehicle against an independent implementation: specs of CSTR-01-06, section 5.2. */
#include "kernels/run_one.h"
#include "model_text.h"
#include <lapacke.h>

enum { N = 98, M = 80, V = 18 };

static double largest(int n, const double x[])
{
  double most = 0;

  for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
  return most;
}

static double difference(int n, const double a[], const double b[])
{
  double most = 0;

  for (int i = 0; i < n; ++i) {
    const double d = fabs(a[i] - b[i]);
    if (!(d <= most)) most = d;
  }
  return most;
}

/* Is x [n] the quantity of the table, relative to its largest entry? */
static void compare(const char *quantity, int n, const double x[], double tolerance)
{
  double *want = calloc((size_t)n, sizeof *want);

  CU_ASSERT_EQUAL(read_numbers("sandu/hmmwv_dof18_check.txt", quantity, n, want), n);
  const double most = largest(n, want), off = difference(n, want, x) / most;
  if (!(off <= tolerance)) printf("%s: %.3g\n", quantity, off);
  CU_ASSERT(most > 0);
  CU_ASSERT(off <= tolerance);
  free(want);
}

static void go_to_check_state(const sal_reduced *r, double v[], double vd[])
{
  double q[N], qd[N];

  CU_ASSERT_EQUAL(read_numbers("sandu/hmmwv_dof18_check.txt", "q", N, q), N);
  CU_ASSERT_EQUAL(read_numbers("sandu/hmmwv_dof18_check.txt", "qdot", N, qd), N);
  for (int j = 0; j < V; ++j) v[j] = q[r->v[j]], vd[j] = qd[r->v[j]];
}

static void a_state_agrees_with_the_prototype(void)
{
  sal_model_file *file = read_model("vehicle.yaml");
  solver s = open_solver(file);
  sal_reduced *r = s.r;
  const sal_system *sys = sal_model_file_system(file);
  const bool closed[4] = {true, true, true, true};
  double v[V], vd[V], force[16], MJ1[V * V], MJ2[V * V];

  CU_ASSERT_EQUAL(r->n, N);
  CU_ASSERT_EQUAL(r->m, M);
  go_to_check_state(r, v, vd);
  CU_ASSERT(sal_reduced_move(r, v, vd));
  sal_reduced_enter(r, closed);
  CU_ASSERT(sal_reduced_linearize(r));
  compare("q", N, r->q, 1e-12);
  compare("qdot", N, r->qd, 1e-11);
  compare("qddot", N, r->qdd, 1e-8);
  compare("lam", M, r->lambda, 1e-8);
  compare("Mhat", V * V, r->Mhat, 1e-10);
  compare("Qhat", V, r->Qhat, 1e-8);
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; ++j) {
      MJ1[i * V + j] = r->MJ[i * 2 * V + j];
      MJ2[i * V + j] = r->MJ[i * 2 * V + V + j];
    }
  compare("Mhat_J1", V * V, MJ1, 1e-8);
  compare("Mhat_J2", V * V, MJ2, 1e-8);
  const sal_force_place at = sal_reduced_place(r);
  for (int f = 0; f < sys->n_force; ++f) {
    sal_force_state state;
    sal_force_at(&at, &sys->force[f], &state);
    force[f] = state.F;
  }
  compare("tsda_force", 12, force, 1e-8);
  compare("tire_force", 4, force + 12, 1e-8);
  close_solver(&s);
  sal_model_file_free(file);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* At rest on the road: a state of the presets without speed. */
static void rest_state(const sal_model *m, double state[])
{
  for (int i = 0; i < 2 * V; ++i) state[i] = i < V ? m->state[i].preset : 0;
}

static void the_start_is_an_equilibrium(void)
{
  sal_model_file *file = read_model("vehicle.yaml");
  const sal_model *m = sal_model_file_model(file);
  solver s = open_solver(file);
  const bool closed[4] = {true, true, true, true};
  double state[2 * V], most = 0;

  for (int i = 0; i < 2 * V; ++i) state[i] = m->state[i].preset;
  CU_ASSERT_STRING_EQUAL(m->state[m->watch].name, "chassis_z");
  CU_ASSERT_DOUBLE_EQUAL(state[m->watch], 0.71, 1e-12);
  CU_ASSERT(sal_reduced_move(s.r, state, state + V));
  sal_reduced_enter(s.r, closed);
  CU_ASSERT(sal_reduced_accelerate(s.r));
  for (int k = 0; k < M; ++k) {
    const sal_constraint *c = &s.r->system->constraint[k];
    most = fmax(most, fabs(sal_constraint_value(s.r->system, s.r->value, s.r->q, c)));
  }
  CU_ASSERT(most < 1e-12);
  CU_ASSERT(largest(N, s.r->qdd) < 1e-6);
  CU_ASSERT(largest(N, s.r->qd) > 4);
  close_solver(&s);
  sal_model_file_free(file);
}

/* Singular values of Phi_q: full rank, 98 - 80 = 18 degrees of freedom. */
static void constraints_are_independent(void)
{
  sal_model_file *file = read_model("vehicle.yaml");
  solver s = open_solver(file);
  double state[2 * V], sigma[M], *A = calloc(M, N * sizeof *A), work[M];

  rest_state(sal_model_file_model(file), state);
  CU_ASSERT(sal_reduced_move(s.r, state, state + V));
  for (int k = 0; k < M; ++k)
    for (int l = 0; l < SAL_PAIR; ++l) {
      const int c = s.r->system->constraint[k].column[l];
      if (c >= 0) A[k * N + c] += s.r->row[k][l];
    }
  CU_ASSERT_EQUAL(
      LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', M, N, A, N, sigma, NULL, N, NULL, N, work), 0);
  CU_ASSERT_DOUBLE_EQUAL(sigma[0], 11.951131268748973, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(sigma[M - 1], 0.08247781263697673, 1e-10);
  free(A);
  close_solver(&s);
  sal_model_file_free(file);
}

static int by_real_part(const void *a, const void *b)
{
  return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}

static void the_spectrum_is_the_published_one(void)
{
  static const double want[] = {-259890.3991540693, -257861.7350295081, -247098.39598457722,
                                -245500.86040016505, -76.16683226948518};
  sal_model_file *file = read_model("vehicle.yaml");
  const sal_model *m = sal_model_file_model(file);
  double state[2 * V], *J = calloc((size_t)2 * V, (size_t)2 * V * sizeof *J), re[2 * V], im[2 * V],
                       param[SAL_MAX_P] = {0};
  int n_zero = 0;

  rest_state(m, state);
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  sal_model_jacobian(m, param, 0, state, false, J);
  CU_ASSERT_EQUAL(
      LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', 2 * V, J, 2 * V, re, im, NULL, 1, NULL, 1), 0);
  qsort(re, (size_t)2 * V, sizeof *re, by_real_part);
  for (int i = 0; i < 5; ++i) CU_ASSERT_DOUBLE_EQUAL(re[i] / want[i], 1, 1e-7);
  for (int i = 0; i < 2 * V; ++i) n_zero += fabs(re[i]) < 0.1;
  CU_ASSERT_EQUAL(n_zero, 6); /* x, y, yaw */
  CU_ASSERT(re[2 * V - 1] < 0.1);
  free(J);
  sal_model_file_free(file);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* How a run over the bump goes. */
typedef struct {
  const char *method, *strategy;
  double tolerance, t_end;
  bool unilateral;
  bool any; /* no max_step: the road alone bounds steps */
} bump_run;

/* state [t_end / 0.1 + 1][36] */
static sal_record drive(const sal_model *m, const bump_run *run, double state[], sal_events *events)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0}, initial[SAL_MAX_STATE];
  sal_samples samples = {.n_mesh = (int)fmax(1, round(run->t_end * 10)), .state = state};
  sal_setup setup = {.model = m,
                     .method = sal_registry_method(run->method),
                     .strategy = sal_registry_strategy(run->strategy),
                     .rtol = run->tolerance,
                     .atol = run->tolerance,
                     .t_end = run->t_end,
                     .max_step = run->any ? 0 : 0.05,
                     .n_guard = m->n_guard,
                     .jacobian = SAL_JACOBIAN_ANALYTIC};

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  param[m->n_param] = run->unilateral;
  for (int i = 0; i < m->n_state; ++i) initial[i] = m->state[i].preset;
  return run_one(&setup, param, initial, &samples, events);
}

static void the_chassis_goes_over_the_bump_as_published(void)
{
  static const struct {
    int tenth;
    double z;
  } want[] = {{5, 0.7123221},  {6, 0.7265982},  {8, 0.7086113},  {10, 0.7058332},
              {12, 0.7127276}, {13, 0.7281061}, {15, 0.7083192}, {20, 0.7112982}};
  static const struct {
    bump_run run;
    double bound;
  } runs[] = {{{"radau5", "event", 1e-5, 2, false, false}, 1e-6},
              {{"ode15s", "event", 1e-3, 2, false, false}, 1e-3},
              {{"rosnys4", "event", 1e-2, 2, false, false}, 8.1e-4},
              {{"rosnys4", "event", 1e-3, 2, false, false}, 1e-4},
              {{"rosnys4", "event", 1e-4, 2, false, false}, 2e-5},
              {{"rosnys4", "switch", 1e-4, 2, false, true}, 2e-5}};
  sal_model_file *file = read_model("vehicle.yaml");
  const sal_model *m = sal_model_file_model(file);
  double state[21 * 2 * V];

  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const sal_record r = drive(m, &runs[i].run, state, NULL);
    double worst = 0;
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
    for (size_t k = 0; k < sizeof want / sizeof *want; ++k)
      worst = fmax(worst, fabs(state[want[k].tenth * 2 * V + m->watch] - want[k].z));
    if (!(worst < runs[i].bound)) printf("%s: %.3g\n", runs[i].run.method, worst);
    CU_ASSERT(worst < runs[i].bound);
  }
  sal_model_file_free(file);
}

/* Tires that cannot pull leave the ground after the bump; a run that does not look for that errs. */
static void wheels_lift_off_and_land(void)
{
  const bump_run event = {"ode15s", "event", 1e-4, 0.7, true, false};
  const bump_run blind = {"ode15s", "switch", 1e-4, 0.7, true, false};
  sal_model_file *file = read_model("vehicle.yaml");
  const sal_model *m = sal_model_file_model(file);
  static sal_event log[16];
  sal_events events = {.event = log, .capacity = 16};
  double state[8 * 2 * V], other[8 * 2 * V];

  sal_record r = drive(m, &event, state, &events);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  CU_ASSERT_EQUAL_FATAL(events.n, 4);
  CU_ASSERT(!log[0].closes && !log[1].closes && log[2].closes && log[3].closes);
  CU_ASSERT_DOUBLE_EQUAL(log[0].t, 0.546820, 1e-4);
  CU_ASSERT_DOUBLE_EQUAL(log[0].t, log[1].t, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(log[2].t, 0.576563, 1e-4);
  CU_ASSERT(state[6 * 2 * V + m->watch] > 0.7275); /* 0.7266 where tires pull */
  r = drive(m, &blind, other, NULL);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  const double apart = difference(8 * 2 * V, state, other);
  CU_ASSERT(apart > 1e-7 && apart < 0.1);
  sal_model_file_free(file);
}

/* The published steps over 4 s, with a first step and a norm of much the same kind. */
static void steps_are_about_those_published(void)
{
  static const struct {
    double tolerance;
    int steps;
  } published[] = {{1e-2, 92}, {1e-3, 128}, {1e-4, 182}, {1e-5, 285}};
  sal_model_file *file = read_model("vehicle.yaml");
  const sal_model *m = sal_model_file_model(file);
  double state[41 * 2 * V];

  for (int i = 0; i < 4; ++i) {
    const bump_run run = {"rosnys4", "event", published[i].tolerance, 4, false, false};
    const sal_record r = drive(m, &run, state, NULL);
    const double ratio = r.value[SAL_METRIC_STEPS] / published[i].steps;
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(r.value[SAL_METRIC_JACOBIANS], r.value[SAL_METRIC_STEPS]);
    CU_ASSERT(ratio > 0.9 && ratio < 1.1);
  }
  CU_ASSERT_DOUBLE_EQUAL(state[40 * 2 * V + m->watch], 0.7099997, 1e-6);
  sal_model_file_free(file);
}

/* On a level road, where accuracy would allow steps of any length.  Where order and step go to and fro at the
 * border of stability depends on rounding, so on the instruction set that BLAS takes: the ratio is 1.43 to 1.51. */
static void stability_alone_bounds_explicit_steps(void)
{
  const bump_run loose = {"ode113", "switch", 1e-3, 0.01, false, false};
  const bump_run tight = {"ode113", "switch", 1e-5, 0.01, false, false};
  const bump_run stiff = {"rosnys4", "switch", 1e-5, 0.01, false, false};
  sal_model_file *file = read_model("vehicle.yaml");
  const sal_model *m = sal_model_file_model(file);
  double state[2 * 2 * V];

  const sal_record few = drive(m, &loose, state, NULL);
  const sal_record many = drive(m, &tight, state, NULL);
  const sal_record other = drive(m, &stiff, state, NULL);
  const double ratio = many.value[SAL_METRIC_RHS] / few.value[SAL_METRIC_RHS];
  CU_ASSERT(ratio > 0.7 && ratio < 1.8);
  CU_ASSERT(few.value[SAL_METRIC_STEPS] > 0.01 * 2.599e5 / 4);
  CU_ASSERT(many.value[SAL_METRIC_RHS] > 50 * other.value[SAL_METRIC_RHS]);
  CU_ASSERT_DOUBLE_EQUAL(state[2 * V + m->watch], 0.71, 1e-6);
  sal_model_file_free(file);
}

/* Largest error of the watched state at tenths of a second. */
static double watched_error(const sal_model *m, const bump_run *run, const double right[],
                            sal_record *out)
{
  double state[8 * 2 * V], worst = 0;

  *out = drive(m, run, state, NULL);
  CU_ASSERT_EQUAL(outcome(out), SAL_OUT_DONE);
  for (int i = 0; i < 8; ++i)
    worst = fmax(worst, fabs(state[i * 2 * V + m->watch] - right[i * 2 * V + m->watch]));
  return worst;
}

/* A run that steps over a lift-off is refused more steps, and errs more. */
static void events_save_refused_steps(void)
{
  const bump_run exact = {"radau5", "event", 1e-7, 0.7, true, false};
  const bump_run event = {"rosnys4", "event", 1e-4, 0.7, true, false};
  const bump_run blind = {"rosnys4", "switch", 1e-4, 0.7, true, false};
  sal_model_file *file = read_model("vehicle.yaml");
  const sal_model *m = sal_model_file_model(file);
  double right[8 * 2 * V];
  sal_record r[2];

  const sal_record best = drive(m, &exact, right, NULL);
  CU_ASSERT_EQUAL(outcome(&best), SAL_OUT_DONE);
  const double with = watched_error(m, &event, right, &r[0]);
  const double without = watched_error(m, &blind, right, &r[1]);

  CU_ASSERT(with > 1e-8 && with < without && without < 1e-4);
  CU_ASSERT_EQUAL(n_event(&r[0]), 4);
  CU_ASSERT_EQUAL(n_event(&r[1]), 0);
  CU_ASSERT(1.2 * r[0].value[SAL_METRIC_FAILED] < r[1].value[SAL_METRIC_FAILED]);
  sal_model_file_free(file);
}

/* Runs of a batch are those of runs alone, whatever ran before. */
static void runs_do_not_know_of_each_other(void)
{
  const bump_run short_run = {"ode15s", "event", 1e-3, 0.6, false, false};
  sal_model_file *file = read_model("vehicle.yaml");
  const sal_model *m = sal_model_file_model(file);
  double param[3][SAL_MAX_P] = {{0}}, initial[SAL_MAX_STATE], end[3][SAL_MAX_STATE], one[7 * 2 * V];
  sal_job job[3];
  sal_record out[3];
  const sal_setup setup = {.model = m,
                           .method = sal_registry_method("ode15s"),
                           .strategy = sal_registry_strategy("event"),
                           .rtol = 1e-3,
                           .atol = 1e-3,
                           .t_end = 0.6,
                           .max_step = 0.05,
                           .n_guard = 4,
                           .jacobian = SAL_JACOBIAN_ANALYTIC};

  for (int i = 0; i < m->n_state; ++i) initial[i] = m->state[i].preset;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < m->n_param; ++i) param[k][i] = m->param[i].preset;
    if (k == 1) param[k][0] = 1e6;
    job[k] = (sal_job){.param = param[k], .initial = initial, .end = end[k]};
  }
  run_batch(&setup, 8, 3, job, out);
  CU_ASSERT_EQUAL(memcmp(end[0], end[2], (size_t)2 * V * sizeof(double)), 0);
  CU_ASSERT(difference(2 * V, end[0], end[1]) > 1e-6);
  const sal_record r = drive(m, &short_run, one, NULL);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  CU_ASSERT_EQUAL(r.value[SAL_METRIC_STEPS], out[2].value[SAL_METRIC_STEPS]);
  sal_model_file_free(file);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("vehicle", NULL,
              {"a state agrees with the prototype", a_state_agrees_with_the_prototype},
              {"the start is an equilibrium", the_start_is_an_equilibrium},
              {"constraints are independent", constraints_are_independent},
              {"the spectrum is the published one", the_spectrum_is_the_published_one},
              {"the chassis goes over the bump as published",
               the_chassis_goes_over_the_bump_as_published},
              {"steps are about those published", steps_are_about_those_published},
              {"stability alone bounds explicit steps", stability_alone_bounds_explicit_steps},
              {"wheels lift off and land", wheels_lift_off_and_land},
              {"events save refused steps", events_save_refused_steps},
              {"runs do not know of each other", runs_do_not_know_of_each_other})
