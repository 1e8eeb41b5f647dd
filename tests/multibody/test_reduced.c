/** The state-space form: J1 and J2 against differences of the acceleration, in all modes; results that
 *  do not depend on where Newton's method started.
 */
#include "differences.h"
#include "model_text.h"
#include "reduced.h"

/* v'' and, after it, the multipliers of the closed locks at a state. */
static void accelerate(const sal_reduced *like, const double state[], const bool closed[],
                       double out[])
{
  sal_reduced *r = (sal_reduced *)like;

  CU_ASSERT(sal_reduced_move(r, state, state + r->n_v));
  sal_reduced_enter(r, closed);
  CU_ASSERT(sal_reduced_accelerate(r));
  memcpy(out, r->vdd, (size_t)(r->n_v + r->n_c) * sizeof *out);
}

/* [J1 J2], and the slopes of the multipliers. */
static void check_jacobian(sal_reduced *r, const double state[], const bool closed[], double h,
                           double tolerance)
{
  const int n_v = r->n_v, n = 2 * n_v;
  double J[128 * 64], f[6][64], x[128], out[64], most = 0, off = 0;

  accelerate(r, state, closed, out);
  CU_ASSERT(sal_reduced_linearize(r));
  const int size = n_v + r->n_c;
  memcpy(J, r->J, (size_t)(size * n) * sizeof *J);
  for (int j = 0; j < n; ++j) {
    const double step = h * (1 + fabs(state[j]));
    memcpy(x, state, sizeof x);
    for (int i = 0; i < 6; ++i) {
      x[j] = state[j] + sixth_order_at[i] * step;
      accelerate(r, x, closed, f[i]);
    }
    for (int k = 0; k < size; ++k) {
      const double at[6] = {f[0][k], f[1][k], f[2][k], f[3][k], f[4][k], f[5][k]};
      most = fmax(most, fabs(J[j * size + k]));
      off = fmax(off, fabs(J[j * size + k] - sixth_order(at, step)));
    }
  }
  CU_ASSERT(most > 0.1);
  if (!(off <= tolerance * most)) printf("%.3g of %.3g\n", off, most);
  CU_ASSERT(off <= tolerance * most);
}

/* At the initial state with other numbers added. */
static void check_model(sal_model_file *file, const bool closed[], double by, double h,
                        double tolerance)
{
  const sal_model *m = sal_model_file_model(file);
  solver s = open_solver(file);
  double state[128] = {0};
  unsigned seed = 11;

  for (int i = 0; i < 2 * s.r->n_v; ++i)
    state[i] = m->state[i].preset + by * (i < s.r->n_v ? 0.02 : 1) * draw(&seed);
  check_jacobian(s.r, state, closed, h, tolerance);
  close_solver(&s);
  sal_model_file_free(file);
}

static void jacobians_are_those_of_the_acceleration(void)
{
  const bool none[8] = {false}, all[8] = {true, true, true, true}, some[8] = {true, false, true};

  check_model(read_model("double-pendulum.yaml"), none, 1, 1e-3, 1e-9);
  check_model(read_model("double-pendulum-cartesian.yaml"), none, 1, 1e-4, 1e-9);
  check_model(read_model("hopping-leg-dae.yaml"), none, 1, 1e-3, 1e-10);
  check_model(read_model("hopping-leg-dae.yaml"), all, 1, 1e-3, 1e-10);
  check_model(read_model("vehicle.yaml"), all, 0.2, 1e-4, 1e-8);
  check_model(read_model("vehicle.yaml"), some, 0.2, 1e-4, 1e-8);
  check_model(read_model("vehicle-dof10.yaml"), all, 0.2, 1e-4, 1e-8);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Two wheels of the same axle, one in the air: the mode must matter. */
static void modes_differ(void)
{
  sal_model_file *file = read_model("vehicle.yaml");
  const bool all[4] = {true, true, true, true}, some[4] = {true, false, true, true};
  solver s = open_solver(file);
  double state[128] = {0}, a[64], b[64];

  for (int i = 0; i < 36; ++i) state[i] = sal_model_file_model(file)->state[i].preset;
  accelerate(s.r, state, all, a);
  accelerate(s.r, state, some, b);
  double rest = 0, falls = 0;
  for (int i = 0; i < 18; ++i) rest = fmax(rest, fabs(a[i])), falls = fmax(falls, fabs(b[i]));
  CU_ASSERT(rest < 1e-6);
  CU_ASSERT(falls > 1);
  close_solver(&s);
  sal_model_file_free(file);
}

/* Stages of a step that is far too long ask for points after singular positions, and are refused or
 * not: what comes back must be on the same side as before. */
static void wild_points_do_not_fold_the_linkage(void)
{
  sal_model_file *file = read_model("vehicle.yaml");
  solver s = open_solver(file);
  double home[36] = {0}, q[98], wild[36];
  unsigned seed = 17;
  int refused = 0;

  for (int i = 0; i < 18; ++i) home[i] = sal_model_file_model(file)->state[i].preset;
  CU_ASSERT(sal_reduced_move(s.r, home, home + 18));
  memcpy(q, s.r->q, sizeof q);
  for (int k = 0; k < 60; ++k) {
    for (int turn = 0; turn < 3; ++turn) {
      for (int i = 0; i < 36; ++i) wild[i] = home[i] + (i < 18 ? 0.6 : 0) * draw(&seed);
      refused += !sal_reduced_move(s.r, wild, wild + 18);
    }
    CU_ASSERT(sal_reduced_move(s.r, home, home + 18));
    for (int i = 0; i < 98; ++i) CU_ASSERT_DOUBLE_EQUAL(s.r->q[i], q[i], 1e-12);
  }
  CU_ASSERT(refused > 20);
  close_solver(&s);
  sal_model_file_free(file);
}

/* From the initial pose, and from other points: the same to rounding times the stiffness. */
static void the_way_there_does_not_matter(void)
{
  sal_model_file *file = read_model("vehicle.yaml");
  const bool all[4] = {true, true, true, true};
  solver fresh = open_solver(file), old = open_solver(file);
  double state[128] = {0}, detour[128], a[64], b[64];
  unsigned seed = 3;

  for (int i = 0; i < 36; ++i)
    state[i] = sal_model_file_model(file)->state[i].preset + (i < 18 ? 0.01 : 0.3) * draw(&seed);
  for (int k = 0; k < 5; ++k) {
    for (int i = 0; i < 36; ++i) detour[i] = state[i] + (i < 18 ? 0.03 : 1) * draw(&seed);
    detour[0] += 10;
    accelerate(old.r, detour, all, b);
  }
  accelerate(fresh.r, state, all, a);
  accelerate(old.r, state, all, b);
  for (int i = 0; i < 98; ++i) CU_ASSERT_DOUBLE_EQUAL(fresh.r->q[i], old.r->q[i], 1e-13);
  for (int i = 0; i < 18; ++i) CU_ASSERT_DOUBLE_EQUAL(a[i], b[i], 1e-9 * (1 + fabs(a[i])) + 1e-5);
  close_solver(&fresh);
  close_solver(&old);
  sal_model_file_free(file);
}

static void what_cannot_be_reached_is_told(void)
{
  const bool none[1] = {false};
  sal_model_file *file = read_model("double-pendulum-cartesian.yaml");
  solver s = open_solver(file);
  double v[2] = {s.r->q[s.r->v[0]], s.r->q[s.r->v[1]]}, vd[2] = {0, 0};

  sal_reduced_enter(s.r, none);
  CU_ASSERT(sal_reduced_move(s.r, v, vd));
  v[1] = 9; /* longer than both rods */
  CU_ASSERT_FALSE(sal_reduced_move(s.r, v, vd));
  v[1] = NAN;
  CU_ASSERT_FALSE(sal_reduced_move(s.r, v, vd));
  v[1] = s.r->good[s.r->v[1]] - 0.01; /* and it goes on from where it was */
  CU_ASSERT(sal_reduced_move(s.r, v, vd));
  close_solver(&s);
  sal_model_file_free(file);
}

static void pivots_are_the_largest(void)
{
  double A[2 * 4] = {1, 5, 0, 1, 2, 10, 1e-3, 2.5};
  double B[2 * 3] = {1, 2, 3, 2, 4, 6};
  int u[2], v[2], row[2];

  CU_ASSERT_EQUAL(sal_partition_choose(2, 4, A, u, v, row), 2);
  CU_ASSERT(u[0] == 1 && u[1] == 3 && v[0] == 0 && v[1] == 2);
  CU_ASSERT_EQUAL(sal_partition_choose(2, 3, B, u, v, row), 1);
  CU_ASSERT_EQUAL(row[0], 0);
}

SAL_TEST_MAIN("reduced", NULL,
              {"Jacobians are those of the acceleration", jacobians_are_those_of_the_acceleration},
              {"modes differ", modes_differ},
              {"wild points do not fold the linkage", wild_points_do_not_fold_the_linkage},
              {"the way there does not matter", the_way_there_does_not_matter},
              {"unreachable positions are refused", what_cannot_be_reached_is_told},
              {"pivots are the largest", pivots_are_the_largest})
