/** Eigenvalues on subspaces of matrices whose spectrum is known. */
#include "cycle.h"
#include "sal_test.h"
#include <math.h>

/* A [3][3] = V diag(1, 0.3, -2) V^-1 with the columns of V (1,1,0), (0,1,1), (1,0,1). */
static const double values[] = {1, 0.3, -2};
static void known_matrix(double A[])
{
  static const double V[] = {1, 0, 1, 1, 1, 0, 0, 1, 1};
  static const double Vi[] = {0.5, 0.5, -0.5, -0.5, 0.5, 0.5, 0.5, -0.5, 0.5};

  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      A[i * 3 + j] = 0;
      for (int k = 0; k < 3; ++k) A[i * 3 + j] += V[i * 3 + k] * values[k] * Vi[k * 3 + j];
    }
}

static void all_of_a_space_has_all_of_them(void)
{
  double A[9];
  sal_multipliers f;

  known_matrix(A);
  CU_ASSERT(sal_multipliers_find(3, A, 3, NULL, &f));
  CU_ASSERT_EQUAL(f.n, 3);
  const double sorted[] = {-2, 1, 0.3};
  for (int i = 0; i < 3; ++i) CU_ASSERT_DOUBLE_EQUAL(f.re[i], sorted[i], 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(sal_multipliers_radius(&f), 2, 1e-13);
}

/* The first two vectors span the plane normal to (1,-1,1): 1 and 0.3 are left, although -2 is the
 * largest. */
static void a_direction_is_left_out_by_where_it_points(void)
{
  const double normal[] = {1, -1, 1, -2, 2, -2};
  double A[9], basis[9];
  int m;
  sal_multipliers f;

  known_matrix(A);
  CU_ASSERT(sal_multipliers_basis(3, 2, normal, &m, basis));
  CU_ASSERT_EQUAL_FATAL(m, 2); /* the rows say the same */
  CU_ASSERT(sal_multipliers_find(3, A, m, basis, &f));
  CU_ASSERT_EQUAL_FATAL(f.n, 2);
  CU_ASSERT_DOUBLE_EQUAL(f.re[0], 1, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(f.re[1], 0.3, 1e-13);
}

static void pairs_stand_together(void)
{
  const double turn[] = {0.1, 0, 0, 0, 0.6, -0.5, 0, 0.5, 0.6};
  sal_multipliers f;

  CU_ASSERT(sal_multipliers_find(3, turn, 3, NULL, &f));
  CU_ASSERT_DOUBLE_EQUAL(f.im[0], 0.5, 1e-14);
  CU_ASSERT_DOUBLE_EQUAL(f.im[1], -0.5, 1e-14);
  CU_ASSERT_DOUBLE_EQUAL(sal_multipliers_radius(&f), sqrt(0.61), 1e-14);
}

static void what_is_no_number_has_none(void)
{
  const double A[] = {1, NAN, 0, 1};
  sal_multipliers f;

  CU_ASSERT(!sal_multipliers_find(2, A, 2, NULL, &f));
  CU_ASSERT_EQUAL(f.n, 0);
  CU_ASSERT_EQUAL(sal_multipliers_radius(&f), 0);
}

SAL_TEST_MAIN("multipliers", NULL,
              {"all of a space has all of them", all_of_a_space_has_all_of_them},
              {"a direction is left out by where it points",
               a_direction_is_left_out_by_where_it_points},
              {"pairs stand together", pairs_stand_together},
              {"what is not a number has none", what_is_no_number_has_none})
