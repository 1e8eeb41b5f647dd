/** Tangent vectors and periodic orbits of models from files: against differences, and section 4.2 of
 *  Zana, Bodor, Bencsik & Zelei (2018) in its constrained form.
 */
#include "cycle.h"
#include "kernels/run_one.h"
#include "model_text.h"
#include "return_map.h"
#include "scalar_flow.h"
#include "trace.h"

enum { MOST = 8 };

/* Two bars that hang on a hinge and fall onto the ground: their angles follow from the heights of
 * their centres, so that positions need Newton's method. */
static const char flail[] =
    "name: flail\n"
    "gravity: [0, -10]\n"
    "independent: [upper_y, lower_y]\n"
    "bodies:\n"
    "  - {name: upper, kind: planar, mass: 2, inertia: 0.3, angle: -0.3,\n"
    "     position: [0.477668244562803, 1.0522398966693303]}\n"
    "  - {name: lower, kind: planar, mass: 1, inertia: 0.2, angle: -0.3,\n"
    "     position: [1.4330047336884092, 0.7567196900079908]}\n"
    "joints:\n"
    "  - {name: hinge, type: pin, bodies: [ground, upper], P_i: [0, 1.2], P_j: [-0.5, 0]}\n"
    "  - {name: elbow, type: pin, bodies: [upper, lower], P_i: [0.5, 0], P_j: [-0.5, 0]}\n"
    "contacts:\n"
    "  - {name: tip, body: lower, P: [0.5, 0]}\n";

static void presets(const sal_model *m, double param[], double y[])
{
  for (int i = 0; i < m->n_param + m->n_option; ++i)
    param[i] = i < m->n_param ? m->param[i].preset : 0;
  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
}

/* ---- vectors -------------------------------------------------------------------------------- */

static sal_record end_of(const sal_model *m, const double param[], double t_end, double y[])
{
  sal_setup setup = config("decay", "dop853", "event", 1e-13, t_end);
  sal_record r;
  const sal_job job = {.param = param, .initial = y, .end = y};

  setup.model = m;
  setup.every_contact = true;
  run_batch(&setup, 8, 1, &job, &r);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  return r;
}

/* Largest difference of the vectors at t_end to central differences, over the longest; the section's
 * return is left out. */
static double compare(const sal_model *model, const double param[], double t_end, double h,
                      int *events)
{
  static sal_tangent_model t;
  static sal_model m;
  const int n = model->n_state, nc = sal_model_continuous(model);
  double full[SAL_MAX_STATE], unused[SAL_MAX_P], y[SAL_MAX_STATE], end[SAL_MAX_STATE];
  double v[MOST * MOST] = {0}, side[2][SAL_MAX_STATE], worst = 0, size = 0;

  m = *model;
  m.section.name = NULL;
  presets(&m, unused, y);
  sal_tangent_model_make(&m, nc, &t);
  for (int c = 0; c < nc; ++c) v[c * n + c] = 1;
  sal_tangent_model_load(&t, y, v, full);
  *events = n_event(&(sal_record[]){end_of(&t.model, param, t_end, full)}[0]);
  sal_tangent_model_read(&t, full, end, v, NULL);
  for (int c = 0; c < nc; ++c) {
    for (int a = 0; a < 2; ++a) {
      memcpy(side[a], y, sizeof y);
      side[a][c] += a ? h : -h;
      const sal_record r = end_of(&m, param, t_end, side[a]);
      CU_ASSERT_EQUAL(n_event(&r), *events);
    }
    for (int i = 0; i < n; ++i) {
      worst = fmax(worst, fabs((side[1][i] - side[0][i]) / (2 * h) - v[c * n + i]));
      size = fmax(size, fabs(v[c * n + i]));
    }
  }
  CU_ASSERT(size > 0.5);
  return worst / size;
}

static void vectors_are_derivatives(void)
{
  const struct {
    sal_model_file *file;
    double t_end;
    int events;
    double k2, c2; /* of the double pendulum */
  } runs[] = {{read_model("hopping-leg-dae.yaml"), 1.05, 4, 0, 0},
              {parse_model(flail), 0.5, 1, 0, 0},
              {read_model("double-pendulum-cartesian.yaml"), 0.6, 1, 300, 50}};

  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const sal_model *m = sal_model_file_model(runs[i].file);
    double param[SAL_MAX_P], y[SAL_MAX_STATE];
    int events;
    presets(m, param, y);
    if (runs[i].k2 > 0) param[2] = runs[i].k2, param[3] = runs[i].c2;
    const double off = compare(m, param, runs[i].t_end, 1e-5, &events);
    if (getenv("SHOW")) printf("\n%s: %.2e, %d events", m->name, off, events);
    CU_ASSERT(off <= 1e-7);
    CU_ASSERT(events >= runs[i].events);
    sal_model_file_free(runs[i].file);
  }
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* ---- jumps ---------------------------------------------------------------------------------- */

/* The landing of the flail's tip from y + h x in some memory, NULL: none. */
static void land(const sal_model *m, double memory[], double h, const double x[], double y[])
{
  const sal_scalar_functions *f = m->inner;
  int64_t closed[2] = {-1, 0};
  sal_scalar_phase phase = {
      .n_guard = 2, .closed = closed, .held = true, .memory = memory, .inner = f->inner};

  for (int i = 0; i < m->n_state; ++i) y[i] += h * x[i];
  f->jump(&phase, 0, 0, y);
}

/* A solver that has just been elsewhere. */
static void wander(const sal_model *m, double memory[], const double y[], double by)
{
  double at[SAL_MAX_STATE];

  memcpy(at, y, (size_t)m->n_state * sizeof *at);
  land(m, memory, by, (const double[]){0.3, -0.2, 1, -2}, at);
}

/* Differences of the jump, as tangent vectors take them, do not depend on where the solver has been:
 * by far less than its own tolerance over the step. */
static void landings_do_not_depend_on_where_the_solver_was(void)
{
  sal_model_file *file = parse_model(flail);
  const sal_model *m = sal_model_file_model(file);
  double *memory = sal_alloc((size_t)m->n_memory, sizeof *memory);
  const double y[] = {0.75, 0.12, -2, -3}, x[] = {0.3, -1, 0.7, 0.2}, h = 0x1p-13;
  double most = 0;

  for (int i = 0; i < 8; ++i) {
    double at[2][2][4]; /* alone, in the memory; the sides */
    for (int a = 0; a < 2; ++a)
      for (int side = 0; side < 2; ++side) {
        memcpy(at[a][side], y, sizeof y);
        if (a) wander(m, memory, y, 0.04 * i);
        land(m, a ? memory : NULL, side ? h : -h, x, at[a][side]);
      }
    for (int j = 0; j < 4; ++j) {
      const double alone = (at[0][1][j] - at[0][0][j]) / (2 * h);
      const double again = (at[1][1][j] - at[1][0][j]) / (2 * h);
      CU_ASSERT_DOUBLE_EQUAL(at[0][0][j], at[1][0][j], 1e-13);
      CU_ASSERT_DOUBLE_EQUAL(alone, again, 3e-11);
      most = fmax(most, fabs(alone - x[j]));
    }
  }
  CU_ASSERT(most > 0.1); /* the landing changes the velocities */
  sal_free(memory);
  sal_model_file_free(file);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* ---- orbits --------------------------------------------------------------------------------- */

static const double t_F = 0.298898121589078119, t_G = 0.249342539299599147;
static const double released[] = {0.0190918565660852228, 0, 1.74034810614097928, 0};
static const double nu = 0.4713876308238839340197;

static void check_spectrum(const sal_trace *t)
{
  sal_multipliers all;

  CU_ASSERT_EQUAL_FATAL(t->n_full, 4); /* independent coordinates: the tangent space */
  CU_ASSERT(sal_multipliers_find(4, t->monodromy, 4, NULL, &all));
  CU_ASSERT_DOUBLE_EQUAL(all.re[0], 1, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(all.re[1], nu, 1e-10);
  for (int i = 2; i < 4; ++i) CU_ASSERT(hypot(all.re[i], all.im[i]) < 1e-6); /* a Jordan block */
}

static void section_4_2_has_its_digits(void)
{
  static sal_return_map map;
  sal_model_file *file = read_model("hopping-leg-dae.yaml");
  const sal_return_setup setup = {.model = sal_model_file_model(file),
                                  .method = sal_registry_method("dop853"),
                                  .rtol = 1e-12,
                                  .atol = 1e-12};
  double param[SAL_MAX_P], y[4], end[4], dp[4];
  bool closed[2];
  sal_cycle c = {.param = param, .y = y, .closed = closed};
  sal_trace t;

  presets(setup.model, param, y);
  CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&setup, &map), SAL_OK);
  CU_ASSERT_EQUAL(map.n_unknown, 2);
  memcpy(y, (const double[]){0.025, 0.3, 1.5, 0.7}, sizeof y);
  CU_ASSERT_EQUAL(sal_return_map_begin(&map, param, y, closed, NULL), SAL_RETURN_MADE);
  CU_ASSERT_EQUAL_FATAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
  for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(y[i], released[i], 1e-10);
  CU_ASSERT_EQUAL_FATAL(c.multipliers.n, 1);
  CU_ASSERT_DOUBLE_EQUAL(c.multipliers.re[0], nu, 1e-10);
  CU_ASSERT(c.flow < 1e-10);
  sal_return p = {.param = param, .start = y, .closed = closed, .end = end, .dp = dp};
  CU_ASSERT_EQUAL(sal_return_differences(&map, 0, 1, &p), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(dp[0] + dp[3], nu, 1e-8);
  CU_ASSERT_EQUAL_FATAL(sal_trace_run(&map, &c, 64, &t), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(t.n, 2);
  CU_ASSERT_DOUBLE_EQUAL(t.phase[0].end, t_F, 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(t.phase[1].end - t.phase[1].begin, t_G, 1e-10);
  check_spectrum(&t);
  sal_trace_free(&t);
  sal_return_map_free(&map);
  sal_model_file_free(file);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("orbits of models from files", NULL,
              {"vectors are derivatives", vectors_are_derivatives},
              {"landings do not depend on where the solver was",
               landings_do_not_depend_on_where_the_solver_was},
              {"section 4.2 has its digits", section_4_2_has_its_digits})
