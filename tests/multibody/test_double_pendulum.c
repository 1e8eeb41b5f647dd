/** The double pendulum of CSTR-01-06, section 5.1: minimal form, constrained form in the angles, and
 *  in Cartesian coordinates that are chosen anew, against each other and a reference in quadruple
 *  precision.
 */
#include "kernels/run_one.h"
#include "model_text.h"

enum { N_POINT = 41 };

static double reference[N_POINT][5];

static int read_reference(void)
{
  FILE *f = fopen(SAL_TEST_DATA "/sandu/double_pendulum_ref.csv", "r");
  int n = 0;

  if (!f) return 1;
  for (int line = 0, c = 0; line < 2 && c != EOF; line += c == '\n') c = fgetc(f);
  while (n < N_POINT && fscanf(f, "%lf,%lf,%lf,%lf,%lf", &reference[n][0], &reference[n][1],
                               &reference[n][2], &reference[n][3], &reference[n][4]) == 5)
    ++n;
  fclose(f);
  return n != N_POINT;
}

/* th'' of the two angles alone. */
static void minimal_form(const double th[2], const double w[2], double out[2])
{
  const double s = sin(th[0] - th[1]), c = cos(th[0] - th[1]), B = 0.9, g = 9.81;
  const double n = 3e5 * (th[1] - th[0]) + 5e4 * (w[1] - w[0]);
  const double r1 =
      -400 * (th[0] - 3 * M_PI / 2) - 15 * w[0] + n - B * s * w[1] * w[1] - 3.6 * g * cos(th[0]);
  const double r2 = -n + B * s * w[0] * w[0] - 0.3 * 1.5 * g * cos(th[1]);
  const double det = 5.2 * 0.9 - B * c * B * c;

  out[0] = (0.9 * r1 - B * c * r2) / det;
  out[1] = (5.2 * r2 - B * c * r1) / det;
}

/* Accelerations of the angles in the constrained form. */
static void constrained_form(solver *s, const double v[], const double vd[], double out[2])
{
  CU_ASSERT(sal_reduced_move(s->r, v, vd));
  CU_ASSERT(sal_reduced_accelerate(s->r));
  out[0] = s->r->qdd[2];
  out[1] = s->r->qdd[5];
}

static void forms_agree(void)
{
  sal_model_file *file[2] = {read_model("double-pendulum.yaml"),
                             read_model("double-pendulum-cartesian.yaml")};
  solver s[2] = {open_solver(file[0]), open_solver(file[1])};

  for (int i = 0; i < N_POINT; ++i) {
    const double *th = &reference[i][1], *w = &reference[i][3];
    double minimal[2], a[2], b[2], v[2], vd[2];
    minimal_form(th, w, minimal);
    constrained_form(&s[0], th, w, a);
    for (int j = 0; j < 2; ++j) v[j] = s[0].r->q[s[1].r->v[j]], vd[j] = s[0].r->qd[s[1].r->v[j]];
    if (i < 3) constrained_form(&s[1], v, vd, b);
    for (int j = 0; j < 2; ++j) {
      const double scale = 1 + fabs(minimal[j]);
      CU_ASSERT_DOUBLE_EQUAL(a[j], minimal[j], 1e-10 * scale);
      if (i < 3) CU_ASSERT_DOUBLE_EQUAL(b[j], minimal[j], 1e-9 * scale);
    }
  }
  for (int k = 0; k < 2; ++k) {
    close_solver(&s[k]);
    sal_model_file_free(file[k]);
  }
}

static void check_row(const double want[], const double is[], int n)
{
  for (int i = 0; i < n; ++i) CU_ASSERT_DOUBLE_EQUAL(is[i] / want[i], 1, 1e-9);
}

static void accelerations_and_Jacobians_are_the_published_ones(void)
{
  const double want[10] = {-35562.5474442,  121612.50775852,  -127020.97492382, 446821.90892174,
                           126929.49098445, -446734.81172943, -22546.96903073,  77334.25524688,
                           22543.52889145,  -77330.9323275};
  const double fast[10] = {189867.39922889, -651691.65530754, -179985.34374051, 556327.12417033,
                           179893.85980115, -556240.02697802, -22546.96903073,  77334.25524688,
                           22542.46044317,  -77329.90028571};
  sal_model_file *file = read_model("double-pendulum.yaml");
  solver s = open_solver(file);
  const double v[2] = {2 * M_PI, 23 * M_PI / 12}, slow[2] = {0, 0}, quick[2] = {0, 10};
  double a[2];

  constrained_form(&s, v, slow, a);
  CU_ASSERT(sal_reduced_linearize(s.r));
  check_row(want, a, 2);
  check_row(want + 2, s.r->J, 8);
  constrained_form(&s, v, quick, a);
  CU_ASSERT(sal_reduced_linearize(s.r));
  check_row(fast, a, 2);
  check_row(fast + 2, s.r->J, 8);
  close_solver(&s);
  sal_model_file_free(file);
}

/* Integrates to t = 2; state [N_POINT][n_state]. */
static sal_record integrate(const sal_model *m, const char *method, double tolerance,
                            double state[], sal_events *events)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0}, initial[SAL_MAX_STATE];
  sal_samples samples = {.n_mesh = N_POINT - 1, .state = state};
  sal_setup setup = {.model = m,
                     .method = sal_registry_method(method),
                     .strategy = sal_registry_strategy("event"),
                     .rtol = tolerance,
                     .atol = tolerance,
                     .t_end = 2,
                     .n_guard = m->n_guard,
                     .jacobian = SAL_JACOBIAN_ANALYTIC};

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) initial[i] = m->state[i].preset;
  return run_one(&setup, param, initial, &samples, events);
}

static double worst_angle(const double state[])
{
  double worst = 0;

  for (int i = 0; i < N_POINT; ++i)
    for (int j = 0; j < 2; ++j) worst = fmax(worst, fabs(state[i * 4 + j] - reference[i][1 + j]));
  return worst;
}

static void the_reference_is_met(void)
{
  static const struct {
    const char *method;
    double tolerance, bound;
  } runs[] = {{"radau5", 1e-12, 1e-10}, {"ode15s", 1e-6, 1e-4},  {"radau5", 1e-4, 1e-3},
              {"rosnys4", 1e-2, 4e-2},  {"rosnys4", 1e-3, 4e-3}, {"rosnys4", 1e-4, 4e-4},
              {"rosnys4", 1e-5, 4e-5},  {"rosnys4", 1e-9, 1e-8}};
  sal_model_file *file = read_model("double-pendulum.yaml");
  double state[N_POINT * 4];

  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const sal_record r =
        integrate(sal_model_file_model(file), runs[i].method, runs[i].tolerance, state, NULL);
    const double worst = worst_angle(state);
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
    if (!(worst < runs[i].bound))
      printf("%s at %g: %.3g\n", runs[i].method, runs[i].tolerance, worst);
    CU_ASSERT(worst < runs[i].bound && worst > runs[i].bound / 1000);
  }
  sal_model_file_free(file);
}

/* The end by the Cartesian form, whose coordinates change on the way. */
static void other_coordinates_lead_to_the_same_end(void)
{
  sal_model_file *file = read_model("double-pendulum-cartesian.yaml");
  const sal_model *m = sal_model_file_model(file);
  static sal_event log[16];
  static double at_events[16][2 * 7];
  sal_events events = {.event = log, .capacity = 16, .state = *at_events, .n_state = 7};
  double state[N_POINT * 7];
  int changed = 0;

  const sal_record r = integrate(m, "radau5", 1e-12, state, &events);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  CU_ASSERT(events.n >= 2 && events.n <= 8);
  const size_t last = (size_t)(N_POINT - 1) * 7;
  const double *end = state + last;
  solver s = open_solver(file);
  for (int e = -1; e < (int)events.n; ++e) { /* follows the assembly from change to change */
    const double *y = e < 0 ? state : log[e].y;
    const int v[2] = {(int)y[4], (int)y[5]};
    if (e >= 0 && (v[0] != s.r->v[0] || v[1] != s.r->v[1])) ++changed;
    sal_reduced_choose(s.r, v);
    CU_ASSERT(sal_reduced_move(s.r, y, y + 2));
  }
  CU_ASSERT(sal_reduced_move(s.r, end, end + 2));
  CU_ASSERT(changed >= 1);
  CU_ASSERT_DOUBLE_EQUAL(s.r->q[2], reference[N_POINT - 1][1], 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(s.r->q[5], reference[N_POINT - 1][2], 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(s.r->qd[2], reference[N_POINT - 1][3], 1e-9);
  close_solver(&s);
  sal_model_file_free(file);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* The end at t = 1/2 without the stiff spring, in 20 << k steps or, k < 0, to rounding. */
static void swing_freely(const sal_model *m, int k, double end[4])
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0}, initial[SAL_MAX_STATE];
  const sal_setup setup = {.model = m,
                           .method = sal_registry_method(k < 0 ? "dop853" : "rosnys4"),
                           .strategy = sal_registry_strategy("switch"),
                           .rtol = 1e-13,
                           .atol = 1e-13,
                           .t_end = 0.5,
                           .max_step = 0.5,
                           .fixed_step = k < 0 ? 0 : 0.5 / (20 << k),
                           .jacobian = SAL_JACOBIAN_ANALYTIC};
  const sal_job job = {.param = param, .initial = initial, .end = end};
  sal_record out;

  for (int i = 0; i < m->n_param; ++i)
    param[i] = strchr(m->param[i].name, '2') ? 0 : m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) initial[i] = m->state[i].preset;
  run_batch(&setup, 1, 1, &job, &out);
  CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_DONE);
}

/* Mhat depends on the angles.  The order was 1 if a stage had the force of (45) as printed, Qhat, in
 * place of Mhat v''. */
static void the_order_is_4_with_a_changing_mass_matrix(void)
{
  sal_model_file *file = read_model("double-pendulum.yaml");
  const sal_model *m = sal_model_file_model(file);
  double right[4], end[4], error = NAN, last = NAN;

  swing_freely(m, -1, right);
  for (int k = 3; k < 8; ++k) {
    swing_freely(m, k, end);
    last = error;
    error = 0;
    for (int i = 0; i < 4; ++i) error = fmax(error, fabs(end[i] - right[i]));
    if (k > 3) CU_ASSERT_DOUBLE_EQUAL(log2(last / error), 4, 0.12);
    if (k == 3) CU_ASSERT(error > 1e-6 && error < 1e-5);
  }
  CU_ASSERT_DOUBLE_EQUAL(log2(last / error), 4, 0.02);
  CU_ASSERT(fabs(right[0] - 2 * M_PI) > 0.1 && fabs(right[0] - right[1]) > 0.1);
  sal_model_file_free(file);
}

SAL_TEST_MAIN("double pendulum", read_reference, {"forms agree", forms_agree},
              {"accelerations and Jacobians are the published ones",
               accelerations_and_Jacobians_are_the_published_ones},
              {"the reference is met", the_reference_is_met},
              {"other coordinates lead to the same end", other_coordinates_lead_to_the_same_end},
              {"the order is 4 with a changing mass matrix",
               the_order_is_4_with_a_changing_mass_matrix})
