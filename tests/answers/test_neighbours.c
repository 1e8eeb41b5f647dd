/** The nearest cells against all cells looked at one by one. */
#include "memory.h"
#include "neighbours.h"
#include "parameter_column.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
  "model: monopod\nt_end: 50\nsolvers: [ode45]\nstrategies: [switch]\nrtol: [1e-3]\n"              \
  "cells:\n"
#define GRID                                                                                       \
  HEAD "  axes:\n    - {name: b, log: [100, 6400], points: 7}\n"                                   \
       "    - {name: k, list: [40, 10, 20, 70, 11]}\n"                                             \
       "    - {name: adhesion, list: [literal, clamp]}\n"                                          \
       "    - {name: m1, linear: [1, 2], points: 6}\n"
#define SQUARES                                                                                    \
  HEAD "  axes:\n    - {name: b, linear: [1, 2], points: 12}\n"                                    \
       "    - {name: k, linear: [1, 2], points: 12}\n"
#define SOBOL                                                                                      \
  HEAD "  axes:\n    - {columns: [b, k, m1], sobol: [[100, 6400], [10, 50], [1, 2]], points: "     \
       "3000}\n"
#define SOBOL_AND_AXES                                                                             \
  HEAD "  axes:\n    - {name: f, linear: [0.01, 0.1], points: 3}\n"                                \
       "    - {columns: [b, k], sobol: [[100, 6400], [10, 50]], points: 500}\n"                    \
       "    - {name: m1, linear: [1, 2], points: 2}\n"
#define SOBOL_OF_SEVEN                                                                             \
  HEAD "  axes:\n    - {columns: [b, k, m1, f, y1, v1, y2], sobol: [[100, 6400], [10, 50], [1, "   \
       "2], "                                                                                      \
       "[0.01, 0.1], [0.1, 1], [-1, 1], [1.5, 2]], points: 3900}\n"
#define RANDOM                                                                                     \
  HEAD "  axes:\n    - {name: f, linear: [0.01, 0.1], points: 4}\n"                                \
       "    - {columns: [b, k], random: [[100, 6400], [10, 50]], points: 300, seed: 5}\n"          \
       "    - {name: m1, linear: [1, 2], points: 3}\n"
#define ROWS HEAD "  columns: [b, k]\n  rows:\n"
enum { ASKED = 60, MOST = 4000, SEVEN = 7 };

static sal_sweep sweep;
static sal_surrogate_coordinates coordinates;
static sal_neighbours *neighbours;

static void begin(const char *text)
{
  sal_err_clear();
  const sal_err err = sal_sweep_parse("s.yaml", text, 0, NULL, &sweep);
  if (err != SAL_OK) printf("%s\n", sal_err_message());
  CU_ASSERT_EQUAL_FATAL(err, SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_coordinates_create(&sweep, &coordinates), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_neighbours_create(&coordinates, &neighbours), SAL_OK);
}

static void end(void)
{
  sal_neighbours_free(&neighbours);
  sal_surrogate_coordinates_free(&coordinates);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static int compare(const void *left, const void *right)
{
  const sal_near_cell *a = left, *b = right;

  return a->d2 != b->d2 ? (a->d2 > b->d2) - (a->d2 < b->d2)
                        : (a->cell > b->cell) - (a->cell < b->cell);
}

/* All cells of the sample by their distance; returns how many there are. */
static int look_at_all(const sal_neighbours_search *ask, sal_near_cell all[])
{
  int n = 0;

  for (int64_t cell = 0; cell < sweep.n_cell; ++cell) {
    sal_surrogate_place p;
    sal_surrogate_place_of_cell(&coordinates, cell, &p);
    if (p.sample != ask->place->sample || cell == ask->skip) continue;
    for (int a = 0; a < coordinates.n; ++a) p.z[a] -= ask->place->z[a];
    all[n++] = (sal_near_cell){cell, sal_surrogate_metric_square(ask->metric, p.z)};
  }
  qsort(all, (size_t)n, sizeof *all, compare);
  return n;
}

/* Returns how many more than k were found. */
static int compare_with_all(const sal_neighbours_search *ask)
{
  static sal_near_cell all[MOST];
  const int n = look_at_all(ask, all);
  const double edge = all[ask->k - 1].d2 * (1 + 1e-9);
  sal_nearest list = {0};
  double next;
  int near = 0, found = 0;

  CU_ASSERT_EQUAL_FATAL(sal_neighbours_find(neighbours, ask, &list, &next), SAL_OK);
  while (near < n && all[near].d2 <= edge) ++near;
  CU_ASSERT_EQUAL(list.n_near, near);
  CU_ASSERT_EQUAL(next, near < n ? sqrt(all[near].d2) : 1.25 * sqrt(all[near - 1].d2));
  for (int i = 0; i < list.n_near; ++i) {
    CU_ASSERT(i == 0 || list.at[i].cell > list.at[i - 1].cell);
    for (int j = 0; j < near; ++j)
      found += all[j].cell == list.at[i].cell && all[j].d2 == list.at[i].d2;
  }
  CU_ASSERT_EQUAL(found, near);
  sal_nearest_free(&list);
  return near - ask->k;
}

/* Places in the box, on its edges, and of cells; scales far from each other, and directions that go together. */
static int compare_everywhere(int k)
{
  static const double scale[][4] = {{1, 1, 1, 1}, {0.1, 2, 1, 5}};
  static const double triangle[] = {1.2, -0.7, 0.9, 0.5, 0.8, 0.6, 1, -0.4, 0.3, 0.7};
  sal_surrogate_metric metric[3];
  int more = 0;

  for (int m = 0; m < 2; ++m) sal_surrogate_metric_of_scales(coordinates.n, scale[m], &metric[m]);
  CU_ASSERT_FATAL(sal_surrogate_metric_of_triangle(coordinates.n, triangle, &metric[2]));

  srand(7);
  for (int i = 0; i < ASKED; ++i) {
    const int64_t cell = rand() % sweep.n_cell;
    sal_surrogate_place place;
    sal_surrogate_place_of_cell(&coordinates, cell, &place);
    for (int a = 0; a < coordinates.n && i % 3 > 0; ++a)
      place.z[a] = i % 3 == 1 ? (double)rand() / RAND_MAX : round((double)rand() / RAND_MAX);
    more += compare_with_all(&(sal_neighbours_search){
        .place = &place, .metric = &metric[i % 3], .k = k, .skip = i % 4 ? -1 : cell});
  }
  return more;
}

static void both_ways(const char *text, int k)
{
  begin(text);
  compare_everywhere(k);
  CU_ASSERT_EQUAL_FATAL(sal_neighbours_index(neighbours), SAL_OK);
  compare_everywhere(k);
  end();
}

static void grids_with_options(void)
{
  both_ways(GRID, 32);
  both_ways(GRID, 209); /* all but the one left out */
}

static void equals_are_all_there_and_rounding_is_no_difference(void)
{
  begin(SQUARES);
  const int more = compare_everywhere(30);
  CU_ASSERT(more > ASKED / 3);
  /* by hand: around a cell 1 + 4 + 4 + 4 + 8 within sqrt(5) gaps, then 4 at sqrt(8) */
  sal_surrogate_place place;
  sal_surrogate_metric one;
  sal_nearest list = {0};
  double next;
  sal_surrogate_metric_of_scales(2, (double[]){1, 1}, &one);
  sal_surrogate_place_of_cell(&coordinates, 5 * 12 + 6, &place);
  const sal_neighbours_search ask = {.place = &place, .metric = &one, .k = 14, .skip = -1};
  CU_ASSERT_EQUAL_FATAL(sal_neighbours_find(neighbours, &ask, &list, &next), SAL_OK);
  CU_ASSERT_EQUAL(list.n_near, 21);
  CU_ASSERT_DOUBLE_EQUAL(next, sqrt(8) / 11, 1e-12);
  sal_nearest_free(&list);
  end();
}

static void points_of_several_quantities(void)
{
  both_ways(SOBOL, 64);
  both_ways(SOBOL_AND_AXES, 40);
  both_ways(RANDOM, 32);
}

static void rows_and_scattered_cells_of_the_same_words(void)
{
  char text[32768];
  char *at = text + sprintf(text, ROWS);

  srand(11);
  for (int i = 0; i < 400; ++i)
    at += sprintf(at, "    - [%.6f, %.6f]\n", 100 * pow(64, (double)rand() / RAND_MAX),
                  10 + 40.0 * rand() / RAND_MAX);
  both_ways(text, 40);
  at = text + sprintf(text, GRID "  scattered:\n    columns: [b, k, m1, adhesion]\n    rows:\n");
  for (int i = 0; i < 300; ++i)
    at += sprintf(at, "    - [%.6f, %.6f, %.6f, %s]\n", 100 * pow(64, (double)rand() / RAND_MAX),
                  10 + 40.0 * rand() / RAND_MAX, 1 + (double)rand() / RAND_MAX,
                  i % 3 ? "literal" : "clamp");
  both_ways(text, 40);
}

/* Boxes are halved along these alone. */
static void few_of_seven_coordinates_decide(void)
{
  sal_surrogate_metric metric;
  sal_surrogate_place place;

  begin(SOBOL_OF_SEVEN);
  CU_ASSERT_EQUAL_FATAL(coordinates.n, SEVEN);
  for (int some = 1; some < 1 << SEVEN; ++some) {
    double scale[SEVEN];
    for (int k = 0; k < SEVEN; ++k) scale[k] = some >> k & 1 ? 1 : 1e-3;
    sal_surrogate_metric_of_scales(SEVEN, scale, &metric);
    sal_surrogate_place_of_cell(&coordinates, 29 * some, &place);
    compare_with_all(
        &(sal_neighbours_search){.place = &place, .metric = &metric, .k = 24, .skip = -1});
  }
  end();
}

/* Their points are found by equations. */
static void a_sequence_needs_no_index(void)
{
  begin(SOBOL);
  const size_t before = sal_memory_bytes();
  CU_ASSERT_EQUAL_FATAL(sal_neighbours_index(neighbours), SAL_OK);
  CU_ASSERT_EQUAL(sal_memory_bytes(), before);
  end();
}

/* The index of the only axis that has one. */
static void an_index_takes_what_is_forecast(void)
{
  const int n_point = 300, n = 2;

  begin(RANDOM);
  const double before = (double)sal_memory_bytes();
  sal_memory_watch();
  CU_ASSERT_EQUAL_FATAL(sal_neighbours_index(neighbours), SAL_OK);
  const double kept = (double)sal_memory_bytes() - before,
               most = (double)sal_memory_most() - before;
  const double told = sal_point_set_bytes(n_point, n, false),
               making = sal_point_set_bytes(n_point, n, true);
  CU_ASSERT(told > 0.95 * kept && told < 1.1 * kept);
  CU_ASSERT(making > 0.95 * most && making < 1.1 * most);
  CU_ASSERT(most > 1.5 * kept);
  end();
}

static void coordinates_are_those_of_the_axes(void)
{
  sal_surrogate_place p;
  sal_surrogate_outside outside;
  double value[SAL_MAX_QUANTITY] = {0};

  begin(GRID);
  CU_ASSERT_EQUAL(coordinates.n, 3);
  CU_ASSERT_EQUAL(coordinates.n_sample, 2);
  CU_ASSERT_EQUAL(coordinates.n_in[1], 7 * 5 * 6);
  CU_ASSERT_EQUAL(
      sal_parameter_point_parse("at", &sweep, "b=800,k=20,adhesion=clamp,m1=2.5", value), SAL_OK);
  CU_ASSERT_EQUAL(sal_surrogate_place_of_point(&coordinates, value, &p, &outside), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(p.z[0], 0.5, 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(p.z[1], log(2) / log(7), 1e-15);
  CU_ASSERT_EQUAL(p.z[2], 1);
  CU_ASSERT_EQUAL(p.sample, 1);
  CU_ASSERT_EQUAL_FATAL(outside.n, 1);
  CU_ASSERT_STRING_EQUAL(sal_parameter_column_name(sweep.model, outside.column[0]), "m1");
  CU_ASSERT(outside.lo[0] == 1 && outside.hi[0] == 2);
  end();

  begin(HEAD "  axes:\n    - {name: adhesion, list: [clamp]}\n    - {name: b, list: [3, 3.5, 4]}\n"
             "    - {name: k, list: [7]}\n");
  CU_ASSERT_EQUAL(coordinates.n, 1); /* k is the same everywhere */
  CU_ASSERT_EQUAL(sal_parameter_point_parse("at", &sweep, "b=3,k=7,adhesion=literal", value),
                  SAL_OK);
  CU_ASSERT_EQUAL(sal_surrogate_place_of_point(&coordinates, value, &p, &outside), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "adhesion = literal is not in the map"));
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_surrogate_coordinates_check(&coordinates), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(
      sal_err_message(),
      "s.yaml: has 3 cells with adhesion = clamp; a plane in 1 coordinate needs 6 at least"));
  end();
}

enum { TOGETHER = 24 };

/* Places in a box of that width, the first of them the place of a cell, searched together as one by one. */
static bool compare_together(const sal_surrogate_metric *metric, double width, int k)
{
  static sal_surrogate_place place[TOGETHER];
  const int64_t cell = rand() % sweep.n_cell;
  bool pays;

  for (int i = 0; i < TOGETHER; ++i) {
    sal_surrogate_place_of_cell(&coordinates, cell, &place[i]);
    for (int a = 0; a < coordinates.n && i > 0; ++a)
      place[i].z[a] = fmin(fmax(place[i].z[a] + width * ((double)rand() / RAND_MAX - 0.5), 0), 1);
  }
  CU_ASSERT_EQUAL_FATAL(sal_neighbours_gather(neighbours, metric, TOGETHER, place, k, &pays),
                        SAL_OK);
  for (int i = 0; i < TOGETHER; ++i)
    compare_with_all(&(sal_neighbours_search){
        .place = &place[i], .metric = metric, .k = k, .skip = i == 0 ? cell : -1});
  sal_neighbours_gather_end(neighbours);
  return pays;
}

/* In the middle and at edges, where neighbours are farther away than the points that were looked up; far from each other it does
 * not pay. */
static void places_that_lie_together(void)
{
  static const double scale[] = {0.4, 2, 1.25}, triangle[] = {1.2, -0.7, 0.9, 0.5, 0.8, 0.6};
  sal_surrogate_metric metric[2];
  int paid = 0;

  begin(SOBOL);
  srand(11);
  sal_surrogate_metric_of_scales(coordinates.n, scale, &metric[0]);
  CU_ASSERT_FATAL(sal_surrogate_metric_of_triangle(coordinates.n, triangle, &metric[1]));
  for (int i = 0; i < ASKED / 4; ++i) paid += compare_together(&metric[i % 2], 0.12, 20);
  CU_ASSERT(paid > ASKED / 8);
  CU_ASSERT(!compare_together(&metric[0], 2, 20));
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_coordinates_keep(&coordinates), SAL_OK);
  CU_ASSERT(compare_together(&metric[0], 0.01, 32));
  end();
  begin(SOBOL_AND_AXES);
  sal_surrogate_metric_of_scales(coordinates.n, (const double[]){1, 1, 1, 1}, &metric[0]);
  CU_ASSERT(!compare_together(&metric[0], 0.05, 20));
  end();
}

/* More cells than are kept: the most recently used ones, which others replace. */
static void coordinates_that_are_kept_are_those_that_are_computed(void)
{
  enum { CELLS = 60000 };
  sal_surrogate_coordinates computed;
  sal_surrogate_place kept, due;

  begin(HEAD "  axes:\n    - {columns: [b, k, m1], sobol: [[100, 6400], [10, 50], [1, 2]], points: "
             "1000000, log: true}\n    - {name: f, list: [0.1, 0.2]}\n");
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_coordinates_create(&sweep, &computed), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_coordinates_keep(&coordinates), SAL_OK);
  CU_ASSERT(!coordinates.kept && coordinates.recent);
  for (int i = 0; i < CELLS; ++i) {
    const int64_t cell = (int64_t)(i / 2 * 7919 + i % 2) % sweep.n_cell;
    sal_surrogate_place_of_cell(&coordinates, cell, &kept);
    sal_surrogate_place_of_cell(&computed, cell, &due);
    CU_ASSERT_FATAL(memcmp(kept.z, due.z, (size_t)coordinates.n * sizeof *due.z) == 0);
  }
  sal_surrogate_coordinates_free(&computed);
  end();
}

SAL_TEST_MAIN("nearest cells", NULL, {"grids with options", grids_with_options},
              {"equals are all there, and rounding is not a difference",
               equals_are_all_there_and_rounding_is_no_difference},
              {"points of several quantities", points_of_several_quantities},
              {"rows and scattered cells of the same words",
               rows_and_scattered_cells_of_the_same_words},
              {"few of seven coordinates decide", few_of_seven_coordinates_decide},
              {"a sequence needs no index", a_sequence_needs_no_index},
              {"an index takes what is forecast", an_index_takes_what_is_forecast},
              {"coordinates are those of the axes", coordinates_are_those_of_the_axes},
              {"places that lie together", places_that_lie_together},
              {"coordinates that are kept are those that are computed",
               coordinates_that_are_kept_are_those_that_are_computed})
