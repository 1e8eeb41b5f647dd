/** @file tests/multibody/test_vehicle.c
 *  The 14-body vehicle against an independent implementation: specs of CSTR-01-06, section 5.2.
 */
#include "inertia.h"
#include "model_text.h"

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
  sal_model_file   *file      = read_model("vehicle.yaml");
  solver            s         = open_solver(file);
  sal_reduced      *r         = s.r;
  const sal_system *sys       = sal_model_file_system(file);
  const bool        closed[4] = {true, true, true, true};
  double            v[V], vd[V], force[16], MJ1[V * V], MJ2[V * V];

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

SAL_TEST_MAIN("vehicle", NULL,
              {"a state agrees with the prototype", a_state_agrees_with_the_prototype})
