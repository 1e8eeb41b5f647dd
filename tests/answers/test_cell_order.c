/** The order of cells by boxes against the definition: a permutation, in boxes, whose cells have neighbours close by.
 */
#include "cell_order.h"
#include "memory.h"
#include "neighbours.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <stdio.h>
#include <stdlib.h>

#define HEAD                                                                                       \
  "model: monopod\nt_end: 50\nsolvers: [ode45]\nstrategies: [switch]\nrtol: [1e-3]\n"              \
  "cells:\n  axes:\n"
#define SOBOL                                                                                      \
  "    - {columns: [b, k, m1, f], sobol: [[100, 6400], [10, 50], [1, 2], [0.01, 0.1]], points: "
#define GRID                                                                                       \
  "    - {name: b, log: [100, 6400], points: 7}\n    - {name: k, list: [40, 10, 20, 70, 11]}\n"    \
  "    - {name: adhesion, list: [literal, clamp]}\n    - {name: m1, linear: [1, 2], points: 6}\n"
#define SOBOL_AND_AXES                                                                             \
  "    - {name: f, linear: [0.01, 0.1], points: 3}\n"                                              \
  "    - {columns: [b, k], sobol: [[100, 6400], [10, 50]], points: 500}\n"                         \
  "    - {name: m1, linear: [1, 2], points: 2}\n"
#define RANDOM "    - {columns: [b, k], random: [[100, 6400], [10, 50]], points: 300, seed: 5}\n"

static sal_sweep sweep;
static sal_cell_order *order;

static void begin(const char *axes)
{
  char text[2048];

  snprintf(text, sizeof text, HEAD "%s", axes);
  sal_err_clear();
  const sal_err err = sal_sweep_parse("s.yaml", text, 0, NULL, &sweep);
  if (err != SAL_OK) printf("%s\n", sal_err_message());
  CU_ASSERT_EQUAL_FATAL(err, SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_cell_order_create(&sweep, &order), SAL_OK);
}

static void end(void)
{
  sal_cell_order_free(&order);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Each cell has one place, from which it is found again; returns how many cells are not at the place of their number. */
static int64_t check_permutation(void)
{
  SAL_OWN char *seen = sal_alloc((size_t)sweep.n_cell, 1);
  int64_t moved = 0;

  CU_ASSERT_PTR_NOT_NULL_FATAL(seen);
  for (int64_t place = 0; place < sweep.n_cell; ++place) {
    const int64_t cell = sal_cell_order_cell(order, place);
    CU_ASSERT_FATAL(cell >= 0 && cell < sweep.n_cell && !seen[cell]);
    seen[cell] = 1;
    CU_ASSERT_EQUAL(sal_cell_order_place(order, cell), place);
    moved += cell != place;
  }
  return moved;
}

/* Coordinates of the cells first .. first + n - 1 in the order: the volume of the box around them. */
static double volume_of(const sal_surrogate_coordinates *c, int64_t first, int64_t n)
{
  double volume = 1, lo[SAL_MAX_QUANTITY] = {0}, hi[SAL_MAX_QUANTITY] = {0};

  for (int64_t i = first; i < first + n; ++i) {
    sal_surrogate_place p;
    sal_surrogate_place_of_cell(c, sal_cell_order_cell(order, i), &p);
    for (int k = 0; k < c->n; ++k) {
      lo[k] = i == first || p.z[k] < lo[k] ? p.z[k] : lo[k];
      hi[k] = i == first || p.z[k] > hi[k] ? p.z[k] : hi[k];
    }
  }
  for (int k = 0; k < c->n; ++k) volume *= hi[k] - lo[k];
  return volume;
}

static void points_of_a_sequence_lie_in_boxes(void)
{
  enum { POINTS = 4095, EACH = 256 }; /* with the corner a power of two */
  sal_surrogate_coordinates c;

  begin(SOBOL "4095}\n");
  CU_ASSERT(sal_cell_order_has_boxes(order));
  CU_ASSERT(check_permutation() > POINTS / 2);
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_coordinates_create(&sweep, &c), SAL_OK);
  for (int64_t box = 0; box < 16;
       ++box) /* of 16 each coordinate is halved once; the first one lacks the corner */
    CU_ASSERT(volume_of(&c, box == 0 ? 0 : box * EACH - 1, box == 0 ? EACH - 1 : EACH) < 1. / 16);
  CU_ASSERT(volume_of(&c, EACH / 2, EACH) > 1. / 16);
  sal_surrogate_coordinates_free(&c);
  end();
}

static void any_number_of_points_is_in_order(void)
{
  static const int n[] = {1, 2, 31, 32, 33, 1000, 1296, 3001};

  for (size_t i = 0; i < sizeof n / sizeof *n; ++i) {
    char axes[512];
    snprintf(axes, sizeof axes, SOBOL "%d}\n", n[i]);
    begin(axes);
    check_permutation();
    end();
  }
}

static void grids_and_products_are_in_order(void)
{
  static const char *const axes[] = {GRID, SOBOL_AND_AXES};

  for (int i = 0; i < 2; ++i) {
    begin(axes[i]);
    CU_ASSERT(check_permutation() > sweep.n_cell / 2);
    end();
  }
}

/* Words come first: each half of the order has one of the two. */
static void samples_stay_together(void)
{
  begin(GRID);
  for (int64_t place = 0; place < sweep.n_cell; ++place)
    CU_ASSERT_EQUAL(sal_cell_order_cell(order, place) / 6 % 2, place >= sweep.n_cell / 2);
  end();
}

static void random_points_keep_their_order(void)
{
  begin(RANDOM);
  CU_ASSERT_FALSE(sal_cell_order_has_boxes(order));
  CU_ASSERT_EQUAL(check_permutation(), 0);
  end();
}

static void the_plain_order_is_that_of_the_numbers(void)
{
  begin(GRID);
  sal_cell_order_free(&order);
  CU_ASSERT_EQUAL_FATAL(sal_cell_order_plain(&sweep, &order), SAL_OK);
  CU_ASSERT_FALSE(sal_cell_order_has_boxes(order));
  CU_ASSERT_EQUAL(check_permutation(), 0);
  end();
}

/* Cells whose rows are needed for the answers in cells first .. first + n - 1 of the order, themselves among them. */
static int64_t count_rows(const sal_neighbours *all, const sal_surrogate_coordinates *c,
                          int64_t first, int64_t n)
{
  SAL_OWN char *needed = sal_alloc((size_t)sweep.n_cell, 1);
  const double one[SAL_MAX_QUANTITY] = {1, 1, 1, 1};
  sal_surrogate_metric metric;
  sal_nearest list = {0};
  int64_t count = 0;

  CU_ASSERT_PTR_NOT_NULL_FATAL(needed);
  sal_surrogate_metric_of_scales(c->n, one, &metric);
  for (int64_t i = first; i < first + n; ++i) {
    sal_surrogate_place p;
    double next;
    sal_surrogate_place_of_cell(c, sal_cell_order_cell(order, i), &p);
    const sal_neighbours_search ask = {.place = &p, .metric = &metric, .k = 48, .skip = -1};
    CU_ASSERT_EQUAL_FATAL(sal_neighbours_find(all, &ask, &list, &next), SAL_OK);
    for (int k = 0; k < list.n_near; ++k) {
      count += !needed[list.at[k].cell];
      needed[list.at[k].cell] = 1;
    }
  }
  sal_nearest_free(&list);
  return count;
}

/* A million points, a 64th of which belongs to one rank: rows a cell, in this order and in that of the numbers. */
static void neighbours_are_close_by(void)
{
  enum { SHARE = 15625, FEW = 1000 };
  static const int rank[] = {21, 37}; /* with faces of the whole box, and without */
  sal_surrogate_coordinates c;
  sal_neighbours *all;
  double rows = 0;

  begin(SOBOL "1000000}\n");
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_coordinates_create(&sweep, &c), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_neighbours_create(&c, &all), SAL_OK);
  for (int i = 0; i < 2; ++i)
    rows += (double)count_rows(all, &c, rank[i] * (int64_t)SHARE, SHARE) / SHARE / 2;
  CU_ASSERT(rows > 1 && rows <= 2);
  sal_cell_order_free(&order);
  CU_ASSERT_EQUAL_FATAL(sal_cell_order_plain(&sweep, &order), SAL_OK);
  CU_ASSERT((double)count_rows(all, &c, 37 * (int64_t)SHARE, FEW) / FEW > 40);
  sal_neighbours_free(&all);
  sal_surrogate_coordinates_free(&c);
  end();
}

SAL_TEST_MAIN("the order of cells by boxes", NULL,
              {"points of a sequence lie in boxes", points_of_a_sequence_lie_in_boxes},
              {"any number of points is in order", any_number_of_points_is_in_order},
              {"grids and products are in order", grids_and_products_are_in_order},
              {"samples stay together", samples_stay_together},
              {"random points keep their order", random_points_keep_their_order},
              {"the plain order is that of the numbers", the_plain_order_is_that_of_the_numbers},
              {"neighbours are close by", neighbours_are_close_by})
