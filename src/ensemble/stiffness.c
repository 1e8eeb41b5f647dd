/** Eigenvalues by LAPACK. */
#include "stiffness.h"
#include "base.h"
#include "registry.h"
#include "scalar_math.h"
#include "stop.h"
#include "trajectory.h"
#include <float.h>
#include <lapacke.h>

enum { MAX_ENTRIES = SAL_MAX_DENSE * SAL_MAX_DENSE };

/* Eigenvalues of a general matrix, which is overwritten; false when LAPACK gives up. */
static bool find_eigenvalues(int n, double A[], double re[], double im[])
{
  for (int i = 0; i < n * n; ++i)
    if (!isfinite(A[i])) return false;
  return LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, A, n, re, im, NULL, 1, NULL, 1) == 0;
}

static double spectral_radius(int n, const double re[], const double im[])
{
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = fmax(largest, sal_scalar_hypot(re[i], im[i]));
  return largest;
}

sal_stiffness sal_stiffness_at_equilibrium(const sal_model *model, const double param[],
                                           sal_equilibrium which)
{
  const int n = sal_model_continuous(model);
  sal_stiffness none = {NAN, NAN};
  double y[SAL_MAX_STATE], re[SAL_MAX_STATE], im[SAL_MAX_STATE];
  double J[MAX_ENTRIES];

  if (n > SAL_MAX_DENSE || !model->equilibrium ||
      !model->equilibrium(model->inner, param, which, y))
    return none;
  sal_model_jacobian(model, param, 0, y, true, J);
  if (!find_eigenvalues(n, J, re, im)) return none;
  double least = INFINITY, most = 0;
  for (int i = 0; i < n; ++i) {
    least = fmin(least, fabs(re[i]));
    most = fmax(most, fabs(re[i]));
  }
  return (sal_stiffness){most / least, spectral_radius(n, re, im)};
}

/* Cuts out the states whose rows are 0; returns how many are left. */
static int cut_held_states(int n, double J[])
{
  int keep[SAL_MAX_STATE], left = 0;

  for (int i = 0; i < n; ++i) {
    bool moves = false;
    for (int j = 0; j < n; ++j) moves = moves || J[i * n + j] != 0;
    if (moves) keep[left++] = i;
  }
  for (int i = 0; i < left; ++i)
    for (int j = 0; j < left; ++j) J[i * left + j] = J[keep[i] * n + keep[j]];
  return left;
}

sal_stiffness_slowest sal_stiffness_slowest_rate(const sal_model *model, const double param[])
{
  sal_stiffness_slowest slowest = {NAN, NAN};
  double y[SAL_MAX_STATE], re[SAL_MAX_STATE], im[SAL_MAX_STATE];
  double J[MAX_ENTRIES];

  if (sal_model_continuous(model) > SAL_MAX_DENSE || !model->equilibrium ||
      !model->equilibrium(model->inner, param, SAL_EQUILIBRIUM_TRUE, y))
    return slowest;
  sal_model_jacobian(model, param, 0, y, true, J);
  const int n = cut_held_states(sal_model_continuous(model), J);
  if (n == 0 || !find_eigenvalues(n, J, re, im)) return slowest;
  for (int i = 0; i < n; ++i)
    if (!(re[i] <= slowest.re)) slowest = (sal_stiffness_slowest){re[i], fabs(im[i])};
  return slowest;
}

static double row_norm(int n, const double A[])
{
  double largest = 0;

  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += fabs(A[i * n + j]);
    if (!(sum <= largest)) largest = sum;
  }
  return largest;
}

static void square_matrix(int n, const double A[], double out[])
{
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) out[i * n + j] = 0;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) out[i * n + j] += A[i * n + k] * A[k * n + j];
  }
}

/* Is every |lambda| of J sure to be below `bound` > 0?  A power of J / bound whose norm is below 1
 * proves it, and costs less than eigenvalues.  `rounding` bounds its error.  room: scratch. */
static bool is_radius_below(int n, const double J[], double bound, double room[2][MAX_ENTRIES])
{
  enum { SQUARINGS = 6 };
  double *A = room[0], *B = room[1];

  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i * n + j] = J[i * n + j] / bound;
  double rounding = DBL_EPSILON * row_norm(n, A);
  for (int k = 0;; ++k) {
    const double norm = row_norm(n, A);
    if (norm + rounding < 1) return true;
    if (k == SQUARINGS || !(norm < 1e100)) return false;
    square_matrix(n, A, B);
    rounding = rounding * (2 * norm + rounding) + (n + 1) * DBL_EPSILON * norm * norm;
    double *const swap = A;
    A = B;
    B = swap;
  }
}

static bool is_in_contact(const sal_model *model, const double param[], double t, const double y[])
{
  bool closed[SAL_MAX_GUARD], any = false;

  sal_model_mode(model, param, t, y, closed);
  for (int k = 0; k < sal_model_guards(model, param); ++k) any = any || closed[k];
  return any;
}

/* Raises *largest, NaN as long as there is none, to the radius of J, which is overwritten. */
static void raise_radius(int n, double J[], double room[2][MAX_ENTRIES], double *largest)
{
  double re[SAL_MAX_STATE], im[SAL_MAX_STATE];

  if (*largest > 0 && is_radius_below(n, J, *largest, room)) return;
  if (find_eigenvalues(n, J, re, im)) *largest = fmax(*largest, spectral_radius(n, re, im));
}

/* ---- many states ---- */

/* x = J x / |J x| by a difference in a frozen mode; returns |J x|.  x [n] is a unit vector. */
static double push(const sal_model *m, const double param[], const bool closed[], double t,
                   const double y[], double x[])
{
  const int n = sal_model_continuous(m);
  double at[2][SAL_MAX_STATE], slope[2][SAL_MAX_STATE], size = 1, square = 0;

  for (int i = 0; i < n; ++i) size = fmax(size, fabs(y[i]));
  const double h = 0x1p-18 * size;
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < m->n_state; ++i) at[side][i] = y[i] + (i < n ? (side ? h : -h) * x[i] : 0);
    sal_model_field(m, param, closed, t, at[side], slope[side]);
  }
  for (int i = 0; i < n; ++i) {
    x[i] = (slope[1][i] - slope[0][i]) / (2 * h);
    square += x[i] * x[i];
  }
  for (int i = 0; i < n && square > 0; ++i) x[i] /= sqrt(square);
  return sqrt(square);
}

/* The growth of a vector in powers of J, mean of the later ones, which is that of a pair of eigenvalues, too. */
static double radius_of_many(const sal_model *m, const double param[], double t, const double y[])
{
  enum { FIRST = 40, LAST = 120 };
  const int n = sal_model_continuous(m);
  double x[SAL_MAX_STATE], growth = 0;
  bool closed[SAL_MAX_GUARD];

  sal_model_mode(m, param, t, y, closed);
  for (int i = 0; i < n; ++i) x[i] = (1 + (double)(i * 37 % 101) / 101) / sqrt(n);
  for (int k = 0; k < LAST; ++k) {
    const double size = push(m, param, closed, t, y, x);
    if (size == 0) return 0;
    if (k >= FIRST) growth += sal_scalar_log(size);
  }
  return sal_scalar_exp(growth / (LAST - FIRST));
}

static double radius_along_many(const sal_model *model, const double param[],
                                const sal_stiffness_path *path, int64_t stride)
{
  double largest = NAN;

  for (int64_t i = 0; i < path->n && !sal_stop_halted(); i += stride) {
    const double *y = path->state + i * model->n_state;
    if (isfinite(y[0]))
      largest = fmax(largest, radius_of_many(model, param, path->spacing * (double)i, y));
  }
  return largest;
}

double sal_stiffness_along(const sal_model *model, const double param[],
                           const sal_stiffness_path *path, int64_t stride)
{
  const int n = sal_model_continuous(model);
  const size_t bytes = (size_t)(n * n) * sizeof(double);
  double largest = NAN, J[MAX_ENTRIES], last[MAX_ENTRIES], room[2][MAX_ENTRIES];
  bool seen = false;

  if (n > SAL_MAX_DENSE) return radius_along_many(model, param, path, stride);
  for (int64_t i = 0; i < path->n && !sal_stop_halted(); ++i) {
    const double *y = path->state + i * model->n_state, t = path->spacing * (double)i;
    if (!isfinite(y[0]) || (i % stride && !is_in_contact(model, param, t, y))) continue;
    sal_model_jacobian(model, param, t, y, false, J);
    if (seen && memcmp(J, last, bytes) == 0) continue;
    memcpy(last, J, bytes);
    seen = true;
    raise_radius(n, J, room, &largest);
  }
  return largest;
}

sal_err sal_stiffness_try(const char *solver, int attempts, const sal_model *m,
                          const double param[], const double initial[], double t_end,
                          sal_trajectory *out)
{
  const sal_setup setup = {.model = m,
                           .method = sal_registry_method(solver),
                           .strategy = sal_registry_strategy("event"),
                           .t_end = t_end,
                           .rtol = 1e-6,
                           .atol = 1e-6,
                           .n_guard = sal_model_guards(m, param),
                           .halt = sal_stop_halt(),
                           .max_attempts = attempts};

  return sal_trajectory_run(&setup, param, initial, t_end, out);
}

/* Evaluations of f of a run; 0: it has not come to the end in so many attempts. */
static sal_err work_of(const char *solver, int attempts, const sal_model *m, const double param[],
                       const double initial[], double t_end, double *work)
{
  SAL_OWN_BY(sal_trajectory_free) sal_trajectory tr = {0};

  SAL_TRY(sal_stiffness_try(solver, attempts, m, param, initial, t_end, &tr));
  *work = sal_metric_finished((int)tr.record.value[SAL_METRIC_OUTCOME])
              ? tr.record.value[SAL_METRIC_RHS]
              : 0;
  return SAL_OK;
}

sal_err sal_stiffness_felt(const sal_model *m, const double param[], const double initial[],
                           double t_end, bool *felt)
{
  enum { MOST = 5000, TIMES = 4, OF_STEP = 11 }; /* evaluations of a step of dop853 */
  double implicit, explicit = 0;

  *felt = false;
  if (sal_model_continuous(m) > SAL_MAX_DENSE) return SAL_OK;
  SAL_TRY(work_of("radau5", MOST, m, param, initial, t_end, &implicit));
  const int most = 100 + (int)(TIMES * implicit / OF_STEP);
  if (implicit > 0) SAL_TRY(work_of("dop853", most, m, param, initial, t_end, &explicit));
  *felt = implicit > 0 && explicit == 0 && !sal_stop_halted();
  return SAL_OK;
}
