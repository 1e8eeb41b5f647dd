/** Eigenvalues against published figures, closed forms, and roots found without LAPACK. */
#include "memory.h"
#include "reference.h"
#include "registry.h"
#include "sal_test.h"
#include "stiffness.h"
#include "sweep_file.h"
#include <complex.h>
#include <math.h>

#define FOUR_PI2 39.478417604357434475

/* Table 2; then from the equations as printed, at their true equilibrium; then the largest frozen
 * |eigenvalue| that binary128 trajectories meet. */
static const struct {
  double published, corrected, digit, along;
} table2[N_SET] = {
    {35, 6.0, 0.1, 13},    {172, 25.7, 0.1, 15},  {1328, 193, 1, 15},    {3564, 431, 1, 17},
    {7010, 431, 1, 18},    {17805, 793, 1, 22},   {31044, 1646, 1, 19},  {36144, 1161, 1, 39},
    {50072, 440, 1, 136},  {72942, 6970, 10, 44}, {176750, 857, 1, 239}, {181160, 16860, 10, 58},
    {234440, 168, 1, 114},
};

static sal_sweep sweep;
static sal_reference path[N_SET], spare[N_SET];
static double set_param[N_SET * (6 + 1)], set_initial[N_SET * 4];

static const double *param_of(int i)
{
  return set_param + i * (sweep.model->n_param + sweep.model->n_option);
}

static int setup(void)
{
  sweep = DALLAS("mesh=0.01");
  bool ok = true;
  void *space = sal_alloc(sal_reference_bytes(&sweep, 1), 1);
  for (int i = 0; i < N_SET; ++i)
    ok = ok && sal_reference_alloc(&sweep, &path[i]) && sal_reference_alloc(&sweep, &spare[i]);
  dallas_cells(&sweep, set_param, set_initial);
  if (ok && space)
    sal_reference_run(&sweep, 1, N_SET, set_param, set_initial, path, spare, space, NULL);
  sal_free(space);
  return !ok || !space;
}

/* Printed without decimals: half a unit besides the one per cent. */
static void table_2_is_reproduced(void)
{
  for (int i = 0; i < N_SET; ++i) {
    const double ratio =
        sal_stiffness_at_equilibrium(sweep.model, param_of(i), SAL_EQUILIBRIUM_PUBLISHED).ratio;
    CU_ASSERT(fabs(ratio - table2[i].published) < 0.01 * table2[i].published + 0.5);
    CU_ASSERT(ratio > 30);
  }
}

static void the_true_point_has_the_corrected_ratios(void)
{
  for (int i = 0; i < N_SET; ++i) {
    const double ratio =
        sal_stiffness_at_equilibrium(sweep.model, param_of(i), SAL_EQUILIBRIUM_TRUE).ratio;
    CU_ASSERT(fabs(ratio - table2[i].corrected) <= 0.5 * table2[i].digit);
    CU_ASSERT(ratio < table2[i].published / 3); /* the two points are not mixed up */
  }
}

/* Roots of x^4 + c[3] x^3 + c[2] x^2 + c[1] x + c[0], all at once (Durand and Kerner). */
static void quartic(const double c[4], double complex root[4])
{
  const double size = 1 + fabs(c[3]) + sqrt(fabs(c[2]));

  for (int i = 0; i < 4; ++i) root[i] = size * cpow(0.4 + 0.9 * I, i);
  for (int turn = 0; turn < 2000; ++turn)
    for (int i = 0; i < 4; ++i) {
      const double complex x = root[i];
      double complex q = 1;
      for (int j = 0; j < 4; ++j)
        if (j != i) q *= x - root[j];
      root[i] = x - ((((x + c[3]) * x + c[2]) * x + c[1]) * x + c[0]) / q;
    }
}

/* Eq. (31) multiplied out: with damping d and stiffness s of the toe at rest, (l^2 + d l + s) (l^2
 * + m1) = c m1. */
static sal_stiffness by_polynomial(const double p[], sal_equilibrium which)
{
  const double b = p[0], m1 = p[1], k = p[2], f = p[3], c = FOUR_PI2 - m1;
  const double load = FOUR_PI2 * f / (k * m1 * (which == SAL_EQUILIBRIUM_TRUE ? c : 1));
  const double depth = cbrt(load * load), d = b * pow(depth, 1.5), g = 1.5 * sqrt(depth) * c * k;
  const double coefficient[4] = {m1 * g, d * m1, c + g + m1, d};
  double least = INFINITY, most = 0, radius = 0;
  double complex root[4];

  quartic(coefficient, root);
  for (int i = 0; i < 4; ++i) {
    least = fmin(least, fabs(creal(root[i])));
    most = fmax(most, fabs(creal(root[i])));
    radius = fmax(radius, cabs(root[i]));
  }
  return (sal_stiffness){most / least, radius};
}

static void eigenvalues_are_roots_of_the_characteristic_polynomial(void)
{
  for (int i = 0; i < N_SET; ++i)
    for (int which = 0; which < 2; ++which) {
      const sal_stiffness ours =
          sal_stiffness_at_equilibrium(sweep.model, param_of(i), (sal_equilibrium)which);
      const sal_stiffness theirs = by_polynomial(param_of(i), (sal_equilibrium)which);
      CU_ASSERT(fabs(ours.radius / theirs.radius - 1) < 1e-9);
      CU_ASSERT(fabs(ours.ratio / theirs.ratio - 1) < 1e-6);
      CU_ASSERT(theirs.radius > 8 && theirs.ratio > 5);
    }
}

static void an_overdamped_ground_has_its_textbook_eigenvalues(void)
{
  const double p[] = {1, 100, 25}; /* l^2 + 25 l + 100 = (l + 5) (l + 20) */
  const sal_stiffness s =
      sal_stiffness_at_equilibrium(sal_registry_model("linear-ground"), p, SAL_EQUILIBRIUM_TRUE);

  CU_ASSERT(fabs(s.ratio - 4) < 1e-12);
  CU_ASSERT(fabs(s.radius - 20) < 1e-12);
}

static bool nowhere(const void *inner, const double param[], sal_equilibrium which, double y[])
{
  (void)inner, (void)param, (void)which, (void)y;
  return false;
}

static void without_an_equilibrium_there_is_no_figure(void)
{
  sal_model model = *sweep.model;

  model.equilibrium = NULL;
  sal_stiffness none = sal_stiffness_at_equilibrium(&model, param_of(0), SAL_EQUILIBRIUM_TRUE);
  CU_ASSERT(isnan(none.ratio) && isnan(none.radius));
  model.equilibrium = nowhere;
  none = sal_stiffness_at_equilibrium(&model, param_of(0), SAL_EQUILIBRIUM_PUBLISHED);
  CU_ASSERT(isnan(none.ratio) && isnan(none.radius));
}

static double along(int set, int64_t n, int64_t stride, double spacing, const double state[])
{
  const sal_stiffness_path points = {n, spacing, state};

  return sal_stiffness_along(sweep.model, param_of(set), &points, stride);
}

static void the_radius_along_the_trajectories_is_that_of_the_errata(void)
{
  for (int i = 0; i < N_SET; ++i) {
    const double radius =
        along(i, sweep.n_mesh + 1, 1, sweep.t_end / (double)sweep.n_mesh, path[i].state);
    CU_ASSERT(fabs(radius - table2[i].along) < 0.5 + 0.03 * table2[i].along);
    CU_ASSERT(radius > 12);
  }
}

static void flight_has_the_frequency_of_the_leg(void)
{
  const double state[2][4] = {{0.5, 0, 1.5, 0}, {0.1, -0.3, 1.2, 0.4}};

  for (int i = 0; i < N_SET; ++i)
    CU_ASSERT(fabs(along(i, 2, 1, 1, state[0]) - sqrt(FOUR_PI2)) < 1e-7);
}

static void the_stride_passes_over_flight_alone(void)
{
  const double state[5][4] = {
      {0.5, 0, 1.5, 0},
      {-0.02, 0, 1, 0}, /* on the ground, between two points of the stride */
      {NAN, NAN, NAN, NAN},
      {0.5, 0, 1.5, 0},
      {0.5, 0, 1.5, 0}};

  CU_ASSERT(along(4, 5, 3, 1, state[0]) > 12);
  CU_ASSERT(along(4, 5, 1, 1, state[0]) == along(4, 5, 3, 1, state[0]));
  CU_ASSERT(fabs(along(4, 2, 3, 1, state[3]) - sqrt(FOUR_PI2)) < 1e-7);
  CU_ASSERT(isnan(along(4, 1, 1, 1, state[2])));
}

/* The largest of all eigenvalues, none passed over. */
static double by_all_eigenvalues(int set, int64_t n, const double state[])
{
  double largest = 0;

  for (int64_t i = 0; i < n; ++i) largest = fmax(largest, along(set, 1, 1, 1, state + 4 * i));
  return largest;
}

static void what_is_passed_over_is_no_larger(void)
{
  for (int i = 0; i < N_SET; ++i) {
    const int64_t n = sweep.n_mesh / 10;
    CU_ASSERT(along(i, n, 1, 1, path[i].state) == by_all_eigenvalues(i, n, path[i].state));
    CU_ASSERT(along(i, n, 1, 1, path[i].state) >= sqrt(FOUR_PI2) * (1 - 1e-9));
  }
}

static void memory_comes_back(void)
{
  for (int i = 0; i < N_SET; ++i) {
    sal_reference_free(&path[i]);
    sal_reference_free(&spare[i]);
  }
  sal_sweep_free(&sweep);
  CU_ASSERT(sal_memory_live() == 0);
}

/* A decay is stiff by its rate over the span; a ground that is touched after a flight is not. */
static void stiffness_is_felt_by_explicit_solvers(void)
{
  const double start[] = {1, 0}, slow[] = {1}, fast[] = {1e5}, ground[] = {1, 100, 1};
  bool felt;

  CU_ASSERT(sal_stiffness_felt(sal_registry_model("decay"), slow, start, 2, &felt) == SAL_OK);
  CU_ASSERT(!felt);
  CU_ASSERT(sal_stiffness_felt(sal_registry_model("decay"), fast, start, 2, &felt) == SAL_OK);
  CU_ASSERT(felt);
  CU_ASSERT(sal_stiffness_felt(sal_registry_model("linear-ground"), ground, start, 12, &felt) ==
            SAL_OK);
  CU_ASSERT(!felt);
}

SAL_TEST_MAIN("stiffness", setup,
              {"the ratios of Table 2 are reproduced within 1 %", table_2_is_reproduced},
              {"the true equilibrium has the corrected ratios",
               the_true_point_has_the_corrected_ratios},
              {"eigenvalues are the roots of eq. (31)'s polynomial",
               eigenvalues_are_roots_of_the_characteristic_polynomial},
              {"an overdamped ground has its textbook eigenvalues",
               an_overdamped_ground_has_its_textbook_eigenvalues},
              {"no figure without an equilibrium", without_an_equilibrium_there_is_no_figure},
              {"the radius along the trajectories is that of the errata",
               the_radius_along_the_trajectories_is_that_of_the_errata},
              {"flight has the frequency of the leg", flight_has_the_frequency_of_the_leg},
              {"the stride passes over flight alone", the_stride_passes_over_flight_alone},
              {"what is passed over is no larger", what_is_passed_over_is_no_larger},
              {"stiffness is felt by explicit solvers", stiffness_is_felt_by_explicit_solvers},
              {"memory comes back", memory_comes_back})
