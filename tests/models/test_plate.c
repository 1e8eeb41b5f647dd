/** The plate on its springs: forces written down a second time, one spring after the other, and
 *  final states that two independent integrations certify (tests/data/anderson).
 */
#include "kernels/run_one.h"
#include "plate_cases.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

enum { X, Z, TH, VX, VZ, W, N_STATE };
enum { N, K, C, G, M, INERTIA, WIDTH, LENGTH, L0, F0, A, OMEGA, H, D, N_PARAM };

static sal_setup setup_for(const double param[], const char *method, double tolerance)
{
  sal_setup setup = config("plate", method, "event", tolerance, 2);

  setup.n_guard = sal_model_guards(setup.model, param);
  return setup;
}

/* The largest error of the final state. */
static double error_of(const plate_case *row, const char *method, double tolerance)
{
  const sal_setup setup = setup_for(row->param, method, tolerance);
  static sal_event event[512];
  sal_events log = {.event = event, .capacity = 512};
  double state[2 * N_STATE], worst = 0;
  sal_samples mesh = {.n_mesh = 1, .state = state};
  const sal_record r = run_one(&setup, row->param, row->start, &mesh, &log);
  int closed = 0;

  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  CU_ASSERT(log.n == row->n_touch + row->n_release && n_event(&r) == log.n);
  for (int i = 0; i < log.n && i < log.capacity; ++i) closed += event[i].closes;
  CU_ASSERT_EQUAL(closed, row->n_touch);
  for (int j = 0; j < N_STATE; ++j) worst = fmax(worst, fabs(state[N_STATE + j] - row->end[j]));
  return worst;
}

static void check(const char *file, int rows, const char *method, double tolerance, double bound)
{
  plate_case row[PLATE_MOST];

  CU_ASSERT_EQUAL_FATAL(read_plate_cases(file, row), rows);
  for (int i = 0; i < rows; ++i) {
    const double error = error_of(&row[i], method, tolerance);
    CU_ASSERT(error < bound && error > 0);
  }
}

static void two_contacts_end_as_certified(void)
{
  check("final_setA_nc2.csv", 10, "ode45", 1e-9, 1e-6);
  check("final_setA_nc2.csv", 10, "dop853", 1e-12, 1e-9);
}

static void fifty_contacts_end_as_certified(void)
{
  check("final_setA_nc50.csv", 10, "ode45", 1e-9, 1e-6);
  check("final_setA_nc50.csv", 10, "dop853", 1e-12, 1e-9);
}

static void simultaneous_contacts_end_as_certified(void)
{
  check("final_setA_nc10_simultaneous.csv", 5, "ode45", 1e-9, 1e-6);
  check("final_setA_nc10_simultaneous.csv", 5, "dop853", 1e-12, 1e-9);
}

/* Where no certified end is at hand: the eighth-order method at its tightest, which looks at every
 * contact and so shares neither method nor bookkeeping; from the starts of the comparison. */
static void hundreds_of_contacts_end_as_one_by_one(void)
{
  static const double counts[] = {20, 100, 200, 1024};
  plate_case row[PLATE_MOST];
  const int n = read_plate_cases("final_setA_nc50.csv", row);

  for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
    for (int i = 0; i<n; i += counts[c]> 200 ? 5 : 1) {
      double end[2 * N_STATE];
      sal_samples mesh = {.n_mesh = 1, .state = end};
      plate_presets(counts[c], row[i].param);
      sal_setup setup = setup_for(row[i].param, "dop853", 1e-13);
      setup.every_contact = true;
      const sal_record r = run_one(&setup, row[i].param, row[i].start, &mesh, NULL);
      memcpy(row[i].end, end + N_STATE, sizeof row[i].end);
      setup = setup_for(row[i].param, "ode45", 1e-9);
      const sal_record fast = run_one(&setup, row[i].param, row[i].start, &mesh, NULL);
      CU_ASSERT(outcome(&r) == SAL_OUT_DONE && outcome(&fast) == SAL_OUT_DONE);
      CU_ASSERT(n_event(&fast) == n_event(&r) && n_event(&r) >= 2 * counts[c]);
      for (int j = 0; j < N_STATE; ++j)
        CU_ASSERT_DOUBLE_EQUAL(end[N_STATE + j], row[i].end[j], 1e-8);
    }
}

/* Trajectories of 2 and of 50 contacts in one batch: the bits are those of each alone. */
static void the_bits_do_not_depend_on_the_batch(void)
{
  enum { JOBS = 20 };
  static const int widths[] = {1, 4, 8};
  plate_case row[2 * PLATE_MOST];
  sal_job job[JOBS];
  double alone[JOBS][2 * N_STATE], state[JOBS][2 * N_STATE];
  sal_samples mesh[JOBS];
  sal_record out[JOBS];

  CU_ASSERT_EQUAL_FATAL(read_plate_cases("final_setA_nc2.csv", row), 10);
  CU_ASSERT_EQUAL_FATAL(read_plate_cases("final_setA_nc50.csv", row + 10), 10);
  for (int i = 0; i < JOBS; ++i) {
    const plate_case *mine = &row[i % 2 * 10 + i / 2];
    const sal_setup setup = setup_for(mine->param, "ode45", 1e-6);
    mesh[i] = (sal_samples){.n_mesh = 1, .state = alone[i]};
    run_one(&setup, mine->param, mine->start, &mesh[i], NULL);
    mesh[i].state = state[i];
    job[i] = (sal_job){.param = mine->param, .initial = mine->start, .samples = &mesh[i]};
  }
  const sal_setup setup = setup_for(row[10].param, "ode45", 1e-6);
  for (int w = 0; w < 3 && widths[w] <= sal_integrate_widest(); ++w) {
    memset(state, 0, sizeof state);
    run_batch(&setup, widths[w], JOBS, job, out);
    CU_ASSERT(memcmp(state, alone, sizeof state) == 0);
  }
  CU_ASSERT(alone[0][N_STATE + Z] != alone[1][N_STATE + Z]);
}

/* The equations with one force per spring. */
static void forces_one_by_one(const double p[], double t, const double y[], double dy[])
{
  const double tangent = tan(y[TH]), secant2 = 1 / (cos(y[TH]) * cos(y[TH]));
  const double top = p[L0] + p[A] * sin(p[OMEGA] * t), lift = p[A] * p[OMEGA] * cos(p[OMEGA] * t);
  const int n = (int)p[N];

  for (int i = 0; i < 3; ++i) dy[i] = y[VX + i];
  dy[VX] = -(p[H] * y[X] + p[D] * y[VX]) / p[M];
  dy[VZ] = -p[G];
  dy[W] = 0;
  for (int i = 0; i < n; ++i) {
    const double xs = n > 1 ? p[WIDTH] * (i / (n - 1.0) - 0.5) : 0, arm = y[X] - xs;
    const double h = top + tangent * arm - y[Z];
    const double dh = lift + tangent * y[VX] - y[VZ] + secant2 * arm * y[W];
    const double F = h >= 0 ? (p[K] * h + p[C] * dh + p[F0]) / p[N] : 0;
    dy[VX] -= F * tangent / p[M];
    dy[VZ] += F / p[M];
    dy[W] -= F * secant2 * arm / p[INERTIA];
  }
}

static void the_springs_push_one_by_one(void)
{
  const double places[][N_STATE] = {
      {0.1, 0.93, 0.08, 0.3, -2, 0.4}, {-0.2, 1.02, -0.13, -0.5, 1.5, -1}, {0, 0.7, 0, 0, -3, 0}};
  double right[N_STATE], found[N_STATE], p[N_PARAM], turned = 0;

  for (int n = 1; n <= 31; n += 6)
    for (int i = 0; i < 3; ++i) {
      plate_presets(n, p);
      p[M] = 1.7;
      p[INERTIA] = 0.4;
      p[WIDTH] = 1.6;
      p[F0] = 3;
      p[A] = n % 4 ? 0.03 : 0;
      p[H] = 1.3;
      p[D] = 0.7;
      forces_one_by_one(p, 0.37, places[i], right);
      sal_model_rhs(sal_registry_model("plate"), p, 0.37, places[i], found);
      for (int j = 0; j < N_STATE; ++j) CU_ASSERT_DOUBLE_EQUAL(found[j], right[j], 1e-12);
      turned = fmax(turned, fabs(right[W]));
    }
  CU_ASSERT(turned > 1);
}

static void beds_that_make_no_sense_are_refused(void)
{
  static const struct {
    int which;
    double value;
  } bad[] = {{N, 0}, {K, 0}, {M, 0}, {INERTIA, 0}, {LENGTH, 1.9}, {WIDTH, 4.1}};
  const sal_model *m = sal_registry_model("plate");
  double p[N_PARAM];

  plate_presets(7, p);
  CU_ASSERT_PTR_NULL(m->flaw(m->inner, p));
  CU_ASSERT_EQUAL(sal_model_guards(m, p), 7);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    plate_presets(7, p);
    p[bad[i].which] = bad[i].value;
    CU_ASSERT_PTR_NOT_NULL(m->flaw(m->inner, p));
  }
  CU_ASSERT(m->param[K].least == 0 && m->param[C].least == 0 && m->param[N].least == 1);
  CU_ASSERT(m->param[N].most == SAL_MAX_GUARD && m->param[N].whole);
}

static void a_preload_beyond_the_weight_leaves_no_rest(void)
{
  const sal_model *m = sal_registry_model("plate");
  double p[N_PARAM], y[N_STATE];

  plate_presets(7, p);
  CU_ASSERT(m->equilibrium(m->inner, p, SAL_EQUILIBRIUM_TRUE, y));
  CU_ASSERT_DOUBLE_EQUAL(y[Z], 1 - 9.81 / 200, 1e-15);
  p[F0] = 10;
  CU_ASSERT(!m->equilibrium(m->inner, p, SAL_EQUILIBRIUM_TRUE, y));
  p[F0] = 0;
  p[A] = 0.01;
  CU_ASSERT(!m->equilibrium(m->inner, p, SAL_EQUILIBRIUM_TRUE, y)); /* nor does a bed that shakes */
}

SAL_TEST_MAIN("plate", NULL, {"two contacts end as certified", two_contacts_end_as_certified},
              {"fifty contacts end as certified", fifty_contacts_end_as_certified},
              {"simultaneous contacts end as certified", simultaneous_contacts_end_as_certified},
              {"hundreds of contacts end as one by one", hundreds_of_contacts_end_as_one_by_one},
              {"the bits do not depend on the batch", the_bits_do_not_depend_on_the_batch},
              {"the springs push one by one", the_springs_push_one_by_one},
              {"beds that make no sense are refused", beds_that_make_no_sense_are_refused},
              {"a preload beyond the weight leaves no rest",
               a_preload_beyond_the_weight_leaves_no_rest})
