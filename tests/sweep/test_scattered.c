/** Scattered cells in a sweep file: after those of the grid, and refused when they make
 *  no sense.
 */
#include "refuse.h"

/* Two axes, one of them a list in no order, and an option; 3 x 4 x 2 cells. */
#define AXES                                                                                       \
  "cells:\n"                                                                                       \
  "  axes:\n"                                                                                      \
  "    - {name: b, list: [400, 100, 200]}\n"                                                       \
  "    - {name: k, linear: [10, 40], points: 4}\n"                                                 \
  "    - {name: adhesion, list: [clamp, literal]}\n"
#define SCATTERED(inside) AXES "  scattered: {" inside "}\n"
#define COLUMNS "columns: [adhesion, k, b], "
enum { B = 0, K = 2, ADHESION = 6, GRID = 24 };

static void they_follow_the_grid(void)
{
  sal_sweep plain = accept(AXES);
  sal_sweep s = accept(SCATTERED(COLUMNS "rows: [[clamp, 15, 150], [literal, 20, 300]]"));
  double p[SAL_MAX_PARAM + SAL_MAX_OPTION], q[SAL_MAX_PARAM + SAL_MAX_OPTION];
  double y[SAL_MAX_STATE];

  CU_ASSERT(plain.n_cell == GRID && plain.n_grid == GRID && s.n_grid == GRID);
  CU_ASSERT_EQUAL_FATAL(s.n_cell, GRID + 2);
  for (int64_t i = 0; i < GRID; ++i) {
    sal_sweep_cell(&plain, i, p, y);
    sal_sweep_cell(&s, i, q, y);
    for (int k = 0; k < 5; ++k) CU_ASSERT_EQUAL(p[k], q[k]);
  }
  sal_sweep_cell(&s, GRID, p, y);
  CU_ASSERT(p[B] == 150 && p[K] == 15 && p[ADHESION] == 1 && p[1] == 1.88 && y[0] == 0.5);
  sal_sweep_cell(&s, GRID + 1, p, y);
  CU_ASSERT(p[B] == 300 && p[K] == 20 && p[ADHESION] == 0);
  CU_ASSERT(strcmp(plain.settled, s.settled) != 0); /* journals distinguish the two */
  sal_sweep_free(&plain);
  sal_sweep_free(&s);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void contacts_of_scattered_cells_count(void)
{
  sal_sweep s = accept_with("model: plate\nt_end: 2\nsolvers: [ode45]\nstrategies: [event]\n"
                            "rtol: [1e-3]\n"
                            "cells: {axes: [{name: n, list: [2, 64]}, {name: z, list: [2, 3]}], "
                            "scattered: {columns: [n, z], rows: [[32, 2.5]]}}\n",
                            0, NULL);
  double p[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];

  CU_ASSERT(s.n_guard == 64 && s.n_cell == 5);
  sal_sweep_cell(&s, 4, p, y);
  CU_ASSERT_EQUAL(p[0], 32);
  sal_sweep_free(&s);
}

static void what_makes_no_sense_is_refused(void)
{
  refuse(SCATTERED("columns: [k, b], rows: [[15, 150]]"), "s.yaml:11",
         "cells.scattered.columns lacks adhesion, which an axis varies");
  refuse(SCATTERED("columns: [k, b, adhesion, f], rows: [[15, 150, clamp, 1]]"), "s.yaml:11",
         "f is varied by no axis");
  refuse(SCATTERED("columns: [k, b, adhesion, k], rows: [[15, 150, clamp, 1]]"), "s.yaml:11",
         "duplicate 'k' in cells.scattered.columns");
  refuse(SCATTERED("columns: [k, b, adhesio], rows: [[15, 150, clamp]]"), "s.yaml:11", "'adhesio'",
         "did you mean 'adhesion'?");
  refuse(SCATTERED(COLUMNS "rows: [[clamp, 15]]"), "s.yaml:11",
         "entry 1 of cells.scattered.rows: a list of 2; allowed: 3, one for each column");
  refuse(SCATTERED(COLUMNS "rows: [[clamp, 15, -150]]"), "s.yaml:11", "b = -150 is out of range");
  refuse(SCATTERED(COLUMNS "rows: [[clam, 15, 150]]"), "s.yaml:11", "'clam'", "clamp");
  refuse(SCATTERED(COLUMNS "rows: [[clamp, 41, 150]]"), "s.yaml:11",
         "k = 41 lies outside its axis; allowed: from 10 to 40");
  refuse(SCATTERED(COLUMNS "rows: [[clamp, 15, 150], [literal, 20, 200]]"), "s.yaml:11",
         "entry 2 of cells.scattered.rows is a cell that is there already");
  refuse(SCATTERED(COLUMNS "rows: [[clamp, 15, 150], [clamp, 16, 150], [clamp, 15, 150]]"),
         "s.yaml:11", "entry 3 of cells.scattered.rows is a cell that is there already");
  refuse(SCATTERED("columns: [k, b, adhesion]"), "s.yaml:11", "cells.scattered.rows");
  refuse(SCATTERED("rows: [[1, 2, clamp]]"), "s.yaml:11", "cells.scattered.columns");
  refuse("cells: {columns: [b], rows: [[1]], scattered: {columns: [b], rows: [[2]]}}\n", "s.yaml:6",
         "cells.scattered without axes");
  refuse("cells:\n  axes: [{columns: [b], random: [[1, 2]], points: 3}]\n"
         "  scattered: {columns: [b], rows: [[2]]}\n",
         "s.yaml:7", "entry 1 of cells.axes is random; allowed: linear, log, list");
  refuse("cells: {axes: [{name: adhesion, list: [clamp]}], scattered: {columns: [adhesion], rows: "
         "[[literal]]}}\n",
         "s.yaml:6", "adhesion = literal is not on its axis");
}

SAL_TEST_MAIN("scattered cells", NULL, {"they follow the grid", they_follow_the_grid},
              {"contacts of scattered cells count", contacts_of_scattered_cells_count},
              {"what makes no sense is refused", what_makes_no_sense_is_refused})
