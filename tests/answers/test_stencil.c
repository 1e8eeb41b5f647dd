/** @file tests/answers/test_stencil.c
 *  The cells around a point, and what each weighs.
 */
#include "memory.h"
#include "parameter_column.h"
#include "sal_test.h"
#include "stencil.h"
#include "sweep_read.h"
#include <math.h>
#include <string.h>

#define GRID                                                                                       \
  "model: monopod\n"                                                                               \
  "t_end: 50\n"                                                                                    \
  "methods: [ode45]\n"                                                                             \
  "strategies: [switch]\n"                                                                         \
  "tolerances: [1e-3]\n"
enum { B = 0, K = 2 };

static sal_sweep sweep;

static void read_sweep(const char *text)
{
  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", text, 0, NULL, &sweep), SAL_OK);
}

static void tear_down(void)
{
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static sal_stencil find(const char *text)
{
  sal_stencil near;
  double      value[SAL_MAX_QUANTITY];

  CU_ASSERT_EQUAL_FATAL(sal_parameter_point_parse("at", &sweep, text, value), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_stencil_find(&sweep, value, &near), SAL_OK);
  double sum = 0;
  for (int i = 0; i < near.n; ++i) sum += near.weight[i];
  CU_ASSERT_DOUBLE_EQUAL(sum, 1, 1e-14);
  return near;
}

static void points_of_the_grid_are_met_and_the_edge_answers_outside(void)
{
  read_sweep(GRID
             "cells: {axes: [{name: b, log: [1000, 8000], points: 4}, {name: k, linear: [10, 30], "
             "points: 3}]}\n");
  sal_stencil near = find("b=4000,k=20"); /* b: 1000 2000 4000 8000 */
  CU_ASSERT_EQUAL(near.n, 1);
  CU_ASSERT_EQUAL(near.cell[0], 2 * 3 + 1);
  CU_ASSERT_EQUAL(near.n_outside, 0);
  sal_stencil_free(&near);

  near = find("b=2000,k=25");
  CU_ASSERT_EQUAL(near.n, 2);
  CU_ASSERT_EQUAL(near.cell[0], 4);
  CU_ASSERT_EQUAL(near.cell[1], 5);
  CU_ASSERT_DOUBLE_EQUAL(near.weight[0], 0.5, 1e-14);
  sal_stencil_free(&near);

  near = find("b=2828.42712474619,k=10"); /* half way by ratio, not by distance */
  CU_ASSERT_EQUAL(near.n, 2);
  CU_ASSERT_DOUBLE_EQUAL(near.weight[0], 0.5, 1e-12);
  sal_stencil_free(&near);

  near = find("b=16000,k=30");
  CU_ASSERT_EQUAL(near.n, 1);
  CU_ASSERT_EQUAL(near.cell[0], 11);
  CU_ASSERT_EQUAL(near.n_outside, 1);
  CU_ASSERT_EQUAL(near.outside[0], B);
  CU_ASSERT(near.lo[0] == 1000 && near.hi[0] == 8000);
  sal_stencil_free(&near);
  tear_down();
}

static void lists_in_any_order_and_options_are_axes(void)
{
  read_sweep(GRID "cells: {axes: [{name: k, list: [40, 10, 20]}, {name: adhesion, list: [clamp, "
                  "literal]}]}\n");
  sal_stencil near = find("k=14.142135623730951,adhesion=literal");
  CU_ASSERT_EQUAL(near.n, 2);
  CU_ASSERT_EQUAL(near.cell[0], 3);
  CU_ASSERT_EQUAL(near.cell[1], 5);
  CU_ASSERT_DOUBLE_EQUAL(near.weight[0], 0.5, 1e-14);
  sal_stencil_free(&near);
  tear_down();

  read_sweep(GRID "cells: {axes: [{name: adhesion, list: [clamp]}]}\n");
  double value[SAL_MAX_QUANTITY];
  CU_ASSERT_EQUAL(sal_parameter_point_parse("at", &sweep, "adhesion=literal", value), SAL_OK);
  CU_ASSERT_EQUAL(sal_stencil_find(&sweep, value, &near), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "adhesion = literal is not in the map"));
  tear_down();
}

static void scattered_points_answer_by_their_distance(void)
{
  read_sweep(GRID "cells: {columns: [b, k], rows: [[100, 10], [10000, 10], [100, 12], [10000, 12], "
                  "[1000, 11]]}\n");
  sal_stencil near = find("b=1000,k=11");
  CU_ASSERT_EQUAL(near.n, 1);
  CU_ASSERT_EQUAL(near.cell[0], 4);
  sal_stencil_free(&near);

  /* b by its logarithm, k as it is: distances 1/4, 1/4 and sqrt(5)/4 of the ranges */
  near = find("b=316.22776601683796,k=11");
  CU_ASSERT_EQUAL(near.n, 3);
  CU_ASSERT_EQUAL(near.cell[2], 4);
  const double ratio = near.weight[2] / near.weight[0];
  CU_ASSERT_DOUBLE_EQUAL(ratio, sqrt(0.25 * 0.25 + 0.25) / 0.25, 1e-12);
  sal_stencil_free(&near);

  near = find("b=100,k=13");
  CU_ASSERT_EQUAL(near.n_outside, 1);
  CU_ASSERT_EQUAL(near.outside[0], K);
  sal_stencil_free(&near);
  tear_down();
}

SAL_TEST_MAIN("neighbouring cells", NULL,
              {"points of the grid are met, and the edge answers outside",
               points_of_the_grid_are_met_and_the_edge_answers_outside},
              {"lists in any order and options are axes", lists_in_any_order_and_options_are_axes},
              {"scattered points answer by their distance",
               scattered_points_answer_by_their_distance})
