/** The hopping leg in its constrained form: Zana, Bodor, Bencsik & Zelei (2018), section 4.2 with
 *  eighteen digits from an independent computation.
 */
#include "impact.h"
#include "kernels/run_one.h"
#include "model_text.h"
#include "models/start_check.h"

static const double t_flight = 0.298898121589078119, t_stance = 0.249342539299599147;
static const double touchdown[4] = {-0.00848777256463664581, 0, -1.54446412028896124,
                                    -1.52170395822451969}; /* zU, zL, vU, vL */

static void go_to(solver *s, const double y[4], bool closed)
{
  CU_ASSERT(sal_reduced_move(s->r, y, y + 2));
  sal_reduced_enter(s->r, &closed);
  CU_ASSERT(sal_reduced_accelerate(s->r));
}

/* (18): q'' and the multipliers, against the two equations of motion of each phase. */
static void accelerations_are_those_of_the_minimal_form(void)
{
  sal_model_file *file = read_model("hopping-leg-dae.yaml");
  solver s = open_solver(file);
  const double y[4] = {0.1, 0.05, 0.3, -0.7}, F = 15000 * 0.05 + 150 * 1.0;

  go_to(&s, y, false);
  CU_ASSERT_DOUBLE_EQUAL(s.r->qdd[0], -F / 60 - 9.81, 1e-11);
  CU_ASSERT_DOUBLE_EQUAL(s.r->qdd[1], -F / 60 - 9.81, 1e-11);
  CU_ASSERT_DOUBLE_EQUAL(s.r->qdd[3], F / 15 - 9.81, 1e-11);
  const double foot[4] = {touchdown[0], 0, touchdown[2], 0};
  go_to(&s, foot, true);
  CU_ASSERT_DOUBLE_EQUAL(s.r->qdd[0], -(15000 * foot[0] - 80 * foot[2]) / 60 - 9.81, 1e-11);
  CU_ASSERT_DOUBLE_EQUAL(s.r->qdd[3], 0, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(s.r->lambda[2], -150.909458846432788, 1e-10);
  close_solver(&s);
  sal_model_file_free(file);
}

/* Kinetic energy of velocities p, and of what an impact onto the closed locks leaves of them (AMSKE) and takes
 * (CMSKE). */
typedef struct {
  double T, T_a, T_c;
} energies;

static double kinetic(const sal_reduced *r, const double p[4])
{
  double y[4], sum = 0;

  sal_inertia_times(r->system, r->value, r->q, p, y);
  for (int i = 0; i < 4; ++i) sum += p[i] * y[i];
  return sum / 2;
}

static energies split_energy(const sal_reduced *r, const double p[4])
{
  double x[4];

  CU_ASSERT_FATAL(r->n == 4 && sal_impact_project(r, p, x));
  energies e = {.T = kinetic(r, p), .T_a = kinetic(r, x)};
  for (int i = 0; i < 4; ++i) x[i] = p[i] - x[i];
  e.T_c = kinetic(r, x);
  return e;
}

/* P_a q' and the split of the energy, (26) and what follows it. */
static void the_impact_splits_the_energy(void)
{
  sal_model_file *file = read_model("hopping-leg-dae.yaml");
  solver s = open_solver(file);
  const double any[4] = {1, 2, -3, 5};
  double x[4];

  go_to(&s, touchdown, true);
  CU_ASSERT(
      sal_impact_project(s.r, any, x)); /* not only on the tangent space: rows (1/2, 1/2, 0, 0) */
  CU_ASSERT_DOUBLE_EQUAL(x[0], 1.5, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(x[1], 1.5, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(x[2], 0, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(x[3], 0, 1e-13);
  energies e = split_energy(s.r, s.r->qd);
  const double T_c = 15 * touchdown[3] * touchdown[3] / 2,
               T_a = 60 * touchdown[2] * touchdown[2] / 2;
  CU_ASSERT_DOUBLE_EQUAL(e.T_c, T_c, 1e-12 * T_c);
  CU_ASSERT_DOUBLE_EQUAL(e.T_a, T_a, 1e-12 * T_a);
  CU_ASSERT_DOUBLE_EQUAL(e.T_a + e.T_c, e.T, 1e-12 * e.T);
  CU_ASSERT_DOUBLE_EQUAL(e.T_c / e.T, 0.195291481781671871, 1e-12);
  go_to(&s, touchdown, false); /* nothing is lost where nothing lands */
  e = split_energy(s.r, s.r->qd);
  CU_ASSERT(e.T_a > 50 && fabs(e.T_c) < 1e-12 * e.T);
  close_solver(&s);
  sal_model_file_free(file);
}

static sal_record run_leg(const sal_model *m, const double param[], const double initial[],
                          double t_end, double state[2 * 4], sal_events *events)
{
  sal_samples samples = {.n_mesh = 1, .state = state};
  const sal_setup setup = {.model = m,
                           .method = sal_registry_method("dop853"),
                           .strategy = sal_registry_strategy("event"),
                           .rtol = 1e-12,
                           .atol = 1e-12,
                           .n_guard = m->n_guard,
                           .t_end = t_end};

  return run_one(&setup, param, initial, &samples, events);
}

static void the_orbit_closes(void)
{
  sal_model_file *file = read_model("hopping-leg-dae.yaml");
  const sal_model *m = sal_model_file_model(file);
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0}, initial[4], state[2 * 4];
  static sal_event log[8];
  static double at_events[8][2 * 4];
  sal_events events = {.event = log, .capacity = 8, .state = *at_events, .n_state = 4};

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < 4; ++i) initial[i] = m->state[i].preset;
  const sal_record r = run_leg(m, param, initial, t_flight + t_stance, state, &events);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  CU_ASSERT_EQUAL(events.n, 2);
  CU_ASSERT(log[0].closes && !log[1].closes && log[0].guard == 0 && log[1].guard == 0);
  CU_ASSERT_DOUBLE_EQUAL(log[0].t, t_flight - 0.1, 1e-10); /* it begins 0.1 s after the release */
  CU_ASSERT_DOUBLE_EQUAL(log[1].t, t_flight + t_stance - 0.1, 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(log[0].y[0], touchdown[0], 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(log[0].y[2], touchdown[2], 1e-9);
  CU_ASSERT_EQUAL(log[0].y[3], 0);
  for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(state[4 + i], initial[i], 1e-8);
  sal_model_file_free(file);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* The same flights, with a foot that the ground has to hold down at first, as the model in minimal
 * coordinates. */
static void the_minimal_form_bounces_alike(void)
{
  const double initial[4] = {1.6, 0.5, 0.4, -0.2}; /* zU, zL, vU, vL */
  const double dae[] = {60, 15, 15000, 150, -130, 1};
  const double minimal[] = {75, 0.8, 15000, 150, -130, 9.81, 1, 0};
  sal_model_file *file = read_model("hopping-leg-dae.yaml");
  const sal_model *m[2] = {sal_model_file_model(file), sal_registry_model("hopping-leg")};
  static sal_event log[2][32];
  sal_events events[2] = {{.event = log[0], .capacity = 32}, {.event = log[1], .capacity = 32}};
  double state[2][2 * 4];
  int n_load = 0;

  for (int i = 0; i < 2; ++i) {
    const sal_record r = run_leg(m[i], i ? minimal : dae, initial, 2.5, state[i], &events[i]);
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  }
  CU_ASSERT_EQUAL_FATAL(events[0].n, events[1].n);
  CU_ASSERT(events[0].n >= 4 && events[0].n <= 32);
  for (int e = 0; e < (int)events[0].n; ++e) {
    n_load += log[0][e].guard == 1;
    CU_ASSERT_EQUAL(log[0][e].guard, log[1][e].guard);
    CU_ASSERT_DOUBLE_EQUAL(log[0][e].t, log[1][e].t, 1e-8);
  }
  CU_ASSERT(n_load >= 1);
  for (int i = 4; i < 8; ++i) CU_ASSERT_DOUBLE_EQUAL(state[0][i], state[1][i], 1e-7);
  sal_model_file_free(file);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* On the ground at the start, as a little ahead of it. */
static void starts_on_the_ground(void)
{
  sal_model_file *file = read_model("hopping-leg-dae.yaml");
  start_tally tally = {0};

  CU_ASSERT_EQUAL(start_check(sal_model_file_model(file), 0, "dop853", &tally), 0);
  CU_ASSERT_EQUAL(start_check(sal_model_file_model(file), 0, "radau5", &tally), 0);
  CU_ASSERT(tally.met >= 4 && tally.leaves >= 4 && tally.rests >= 4 && tally.beyond >= 4);
  sal_model_file_free(file);
}

SAL_TEST_MAIN("hopping leg", NULL,
              {"accelerations are those of the minimal form",
               accelerations_are_those_of_the_minimal_form},
              {"the impact splits the energy", the_impact_splits_the_energy},
              {"the orbit closes", the_orbit_closes},
              {"the minimal form bounces alike", the_minimal_form_bounces_alike},
              {"starts on the ground", starts_on_the_ground})
