/** @file tests/answers/test_policy.c
 *  Losses, cuts and rules on grids that were filled by hand.
 */
#include "memory.h"
#include "policy.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <math.h>
#include <string.h>

/* 2 methods, 1 strategy, 2 tolerances: contender = 2 t + m. */
#define REST                                                                                       \
  "model: monopod\nt_end: 50\nmethods: [ode45, ode15s]\nstrategies: [event]\n"                     \
  "tolerances: [1e-3, 1e-6]\n"
#define GRID                                                                                       \
  REST "cells: {axes: [{name: b, log: [1000, 8000], points: 4}, {name: k, linear: [10, 30], "      \
       "points: 3}, {name: adhesion, list: [literal, clamp]}]}\n"
enum { N_CONTENDER = 4, B = 0, M1 = 1, K = 2, ADHESION = 4 };

static sal_sweep             sweep;
static sal_performance_table table;
static sal_policy            book;

static void set_up(const char *text)
{
  const sal_work_weights rhs = {.rhs = 1};

  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", text, 0, NULL, &sweep), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_performance_create(&sweep, sweep.n_cell, &rhs, true, false, &table),
                        SAL_OK);
}

static void tear_down(void)
{
  sal_policy_free(&book);
  sal_performance_free(&table);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void put(int64_t cell, const double work[], const double error[])
{
  for (int k = 0; k < N_CONTENDER; ++k) {
    table.work[cell * N_CONTENDER + k]  = work[k];
    table.error[cell * N_CONTENDER + k] = error[k];
    table.sd[cell * N_CONTENDER + k] = table.dt[cell * N_CONTENDER + k] = work[k];
    table.iae[cell * N_CONTENDER + k]                                   = error[k];
  }
}

static double at(int64_t cell, int column)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  sal_sweep_cell(&sweep, cell, param, initial);
  return param[column];
}

static void losses_are_what_following_costs(void)
{
  const double       work[] = {100, 150, 1250, 1}, error[] = {1e-3, 1e-4, 1e-4, 1};
  const double       none[] = {NAN, NAN, NAN, NAN};
  const sal_question q      = {.error = 1e-3};
  sal_cost_matrix    l;

  set_up(GRID);
  for (int64_t c = 0; c < sweep.n_cell; ++c) put(c, none, none);
  put(5, work, error);
  put(9, (double[]){100, NAN, 50, 1}, error);
  CU_ASSERT_EQUAL(sal_cost_matrix_make(&table, &q, 10, &l), SAL_OK);
  CU_ASSERT(l.n == 2 && l.cell[0] == 5 && l.cell[1] == 9);
  CU_ASSERT(l.winner[0] == 0 && l.winner[1] == 2);
  CU_ASSERT_EQUAL_FATAL(l.n_choice, 3); /* the last one never reaches it, and has no place */
  const double unit = l.miss / SAL_COST_MISS;
  CU_ASSERT_EQUAL(l.loss[0], 0);
  CU_ASSERT_DOUBLE_EQUAL(l.loss[1] * unit, 0.5, 1e-8);
  CU_ASSERT_EQUAL(l.loss[2], SAL_COST_MISS - 1); /* 11.5: no worse than a miss */
  CU_ASSERT_DOUBLE_EQUAL(l.loss[3] * unit, 1, 1e-8);
  CU_ASSERT_EQUAL(l.loss[4], SAL_COST_MISS);
  CU_ASSERT_EQUAL(l.loss[5], 0);
  sal_cost_matrix_free(&l);

  CU_ASSERT_EQUAL(sal_performance_score(&table, SAL_POINTS_PER_CELL), SAL_OK);
  const sal_question points = {.error = NAN, .weights = {1, 0, 1}, .tolerance = 0};
  CU_ASSERT_EQUAL(sal_cost_matrix_make(&table, &points, 10, &l), SAL_OK);
  CU_ASSERT(l.n == 2 && l.n_choice == 2 && l.miss == 18);
  /* in cell 5 each is best in one criterion: 11 points each */
  CU_ASSERT(l.loss[0] == 0 && l.loss[1] == 0 && l.loss[2] == 0 && l.loss[3] == SAL_COST_MISS);
  sal_cost_matrix_free(&l);
  tear_down();
}

static void cuts_lie_between_the_values(void)
{
  int32_t     cell[24];
  sal_binning cuts;

  set_up(GRID);
  for (int i = 0; i < 24; ++i) cell[i] = i;
  CU_ASSERT_EQUAL(sal_binning_make(&sweep, 24, cell, &cuts), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(cuts.n, 3);
  CU_ASSERT(cuts.cut[0].column == B && cuts.cut[1].column == K && cuts.cut[2].column == ADHESION);
  CU_ASSERT(cuts.cut[0].n_bin == 4 && cuts.cut[1].n_bin == 3 && cuts.cut[2].n_bin == 2);
  CU_ASSERT(cuts.cut[0].cut[0] == 1410 && cuts.cut[0].cut[1] == 2830 && cuts.cut[0].cut[2] == 5660);
  CU_ASSERT(cuts.cut[1].cut[0] == 15 && cuts.cut[1].cut[1] == 25);
  CU_ASSERT(cuts.cut[2].word && cuts.cut[2].cut[1] == 1);
  for (int i = 0; i < 24; ++i) {
    CU_ASSERT_EQUAL(cuts.cut[0].bin[i], i / 6);
    CU_ASSERT_EQUAL(cuts.cut[1].bin[i], i / 2 % 3);
    CU_ASSERT_EQUAL(cuts.cut[2].bin[i], i % 2);
  }
  sal_binning_free(&cuts);
  tear_down();
}

static void close_whole_and_many_values_are_cut_well(void)
{
  static int32_t cell[3000];
  sal_binning    cuts;

  for (int i = 0; i < 3000; ++i) cell[i] = i;
  set_up(REST "cells: {axes: [{name: k, list: [20.001, 20, 20.0015, 300]}]}\n");
  CU_ASSERT_EQUAL(sal_binning_make(&sweep, 4, cell, &cuts), SAL_OK);
  const sal_bins *c = &cuts.cut[0];
  CU_ASSERT(c->n_bin == 4 && 20 < c->cut[0] && c->cut[0] <= 20.001);
  CU_ASSERT(20.001 < c->cut[1] && c->cut[1] <= 20.0015 && c->cut[2] == 77.5);
  CU_ASSERT(c->bin[0] == 1 && c->bin[1] == 0 && c->bin[2] == 2 && c->bin[3] == 3);
  sal_binning_free(&cuts);
  tear_down();

  set_up(REST "cells: {axes: [{name: k, list: [20, 20.000000000000004]}]}\n"); /* neighbours */
  CU_ASSERT_EQUAL(sal_binning_make(&sweep, 2, cell, &cuts), SAL_OK);
  c = &cuts.cut[0];
  CU_ASSERT(c->n_bin == 2 && c->cut[0] == 20.000000000000004 && c->bin[0] == 0 && c->bin[1] == 1);
  sal_binning_free(&cuts);
  tear_down();

  sal_sweep plate;
  CU_ASSERT_EQUAL_FATAL(
      sal_sweep_parse("s.yaml",
                      "model: plate\nt_end: 1\nmethods: [ode45]\nstrategies: [event]\n"
                      "tolerances: [1e-3]\ncells: {axes: [{name: n, log: [2, 128], points: 7}]}\n",
                      0, NULL, &plate),
      SAL_OK);
  CU_ASSERT_EQUAL(sal_binning_make(&plate, 7, cell, &cuts), SAL_OK);
  for (int i = 0; i < 6; ++i) {
    const double x = cuts.cut[0].cut[i];
    CU_ASSERT(x == rint(x) && x > (2 << i) && x <= (4 << i));
  }
  CU_ASSERT_EQUAL(cuts.cut[0].cut[2], 12); /* between 8 and 16: 11.3 */
  sal_binning_free(&cuts);
  sal_sweep_free(&plate);

  set_up(REST "cells: {axes: [{columns: [b, m1], random: [[1000, 20000], [5, 15]], points: "
              "3000}]}\n");
  CU_ASSERT_EQUAL(sal_binning_make(&sweep, 3000, cell, &cuts), SAL_OK);
  for (int q = 0; q < 2; ++q) {
    int count[SAL_MAX_BIN] = {0};
    c                      = &cuts.cut[q];
    CU_ASSERT_EQUAL(c->n_bin, SAL_MAX_BIN);
    for (int i = 0; i < 3000; ++i) {
      const double x = at(i, c->column);
      const int    b = c->bin[i];
      CU_ASSERT((b == 0 || c->cut[b - 1] <= x) && (b == SAL_MAX_BIN - 1 || x < c->cut[b]));
      ++count[b];
    }
    for (int b = 0; b < SAL_MAX_BIN; ++b) CU_ASSERT(count[b] == 93 || count[b] == 94);
  }
  sal_binning_free(&cuts);
  tear_down();
}

/* ode15s is half as dear where b >= 4000, and misses where adhesion is `clamp`. */
static void fill(double wrong_in_cell)
{
  for (int64_t c = 0; c < sweep.n_cell; ++c) {
    const bool stiff = at(c, B) >= 4000, clamp = at(c, ADHESION) == 1;
    put(c, (double[]){200, stiff ? 100 : 300, 500, c == (int64_t)wrong_in_cell ? 40 : 800},
        (double[]){1e-4, clamp ? 1e-1 : 1e-4, 1e-7, 1e-7});
  }
}

static void rules_that_were_planted_are_found(void)
{
  const sal_question           q      = {.error = 1e-3};
  const sal_policy_tree_limits limits = {3, 1, 0.01};

  set_up(GRID);
  fill(-1);
  CU_ASSERT_EQUAL_FATAL(sal_policy_make(&table, &q, 10, &limits, &book), SAL_OK);
  CU_ASSERT(book.costs.n == 24 && book.n_winner == 2);
  CU_ASSERT_EQUAL_FATAL(book.tree.n, 5);
  CU_ASSERT_EQUAL(book.rules.loss, 0);
  CU_ASSERT_EQUAL(book.rules.n, 24);
  CU_ASSERT_EQUAL(book.costs.contender[book.tree.node[0].choice], 0);
  CU_ASSERT_DOUBLE_EQUAL(book.single.regret, 0.25, 1e-8); /* twice the work in 6 of 24 cells */
  CU_ASSERT_EQUAL(book.single.missed, 0);
  for (int i = 0; i < 24; ++i) {
    const int leaf = book.costs.contender[book.tree.node[book.tree.node[0].yes].choice];
    CU_ASSERT(leaf == 0 || leaf == 1);
  }
  bool by_b = false, by_word = false;
  for (int i = 0; i < book.tree.n; ++i) {
    const sal_policy_tree_node *node = &book.tree.node[i];
    if (node->feature < 0) continue;
    const sal_bins *cut = &book.cuts.cut[node->feature];
    by_b                = by_b || (cut->column == B && cut->cut[node->bin - 1] == 2830);
    by_word             = by_word || (cut->column == ADHESION && cut->word);
  }
  CU_ASSERT(by_b && by_word);
  CU_ASSERT_EQUAL(book.rules_out.n, 24); /* each cell is left out once */
  CU_ASSERT_EQUAL(book.rules_out.loss, 0);
  CU_ASSERT_DOUBLE_EQUAL(book.single_out.regret, 0.25, 1e-8);
  tear_down();
}

/* One odd cell: rules fitted to it know it, rules that do not see it cannot. */
static void leaving_out_shows_what_was_learnt_by_heart(void)
{
  const sal_question           q    = {.error = 1e-3};
  const sal_policy_tree_limits tiny = {4, 1, 0}, large = {4, 6, 0};

  set_up(GRID);
  fill(0);
  CU_ASSERT_EQUAL_FATAL(sal_policy_make(&table, &q, 10, &tiny, &book), SAL_OK);
  CU_ASSERT_EQUAL(book.rules.loss, 0);
  CU_ASSERT(book.rules_out.loss > 1.0 / 24); /* 200 / 40 - 1 = 4 in that cell */
  sal_policy_free(&book);
  CU_ASSERT_EQUAL_FATAL(sal_policy_make(&table, &q, 10, &large, &book), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(book.rules.loss, 4.0 / 24, 1e-8);
  tear_down();
}

/* A contender that is cheap and misses now and then is taken only as long as misses are cheap. */
static void a_miss_has_its_price(void)
{
  const sal_question           q      = {.error = 1e-3};
  const sal_policy_tree_limits limits = {1, 24, 0};
  const double                 dear[] = {300, 100, 900, 900}, good[] = {1e-4, 1e-4, 1, 1};
  const double                 bad[] = {1e-4, 1, 1, 1};

  set_up(GRID);
  for (int64_t c = 0; c < sweep.n_cell; ++c) put(c, dear, c < 6 ? bad : good);
  CU_ASSERT_EQUAL_FATAL(sal_policy_make(&table, &q, 2.5, &limits, &book), SAL_OK);
  CU_ASSERT_EQUAL(book.costs.contender[book.tree.node[0].choice], 1);
  CU_ASSERT_EQUAL(book.rules.missed, 6);
  CU_ASSERT_EQUAL(book.rules.regret, 0);
  CU_ASSERT_DOUBLE_EQUAL(book.rules.loss, 2.5 * 6 / 24, 1e-8);
  sal_policy_free(&book);
  CU_ASSERT_EQUAL_FATAL(sal_policy_make(&table, &q, 10, &limits, &book), SAL_OK);
  CU_ASSERT_EQUAL(book.costs.contender[book.tree.node[0].choice], 0);
  CU_ASSERT_EQUAL(book.rules.missed, 0);
  CU_ASSERT_DOUBLE_EQUAL(book.rules.regret, 2 * 18 / 24.0, 1e-8);
  tear_down();
}

static void without_answers_or_axes_there_are_no_rules(void)
{
  const sal_question           q      = {.error = 1e-9};
  const sal_policy_tree_limits limits = {3, 0, 0.01};

  set_up(GRID);
  fill(-1);
  CU_ASSERT_EQUAL(sal_policy_make(&table, &q, 10, &limits, &book), SAL_OK);
  CU_ASSERT_EQUAL(book.costs.n, 0);
  tear_down();
  set_up(REST);
  put(0, (double[]){1, 2, 3, 4}, (double[]){0, 0, 0, 0});
  CU_ASSERT_EQUAL(sal_policy_make(&table, &q, 10, &limits, &book), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "s.yaml: nothing varies"));
  tear_down();
}

SAL_TEST_MAIN(
    "rules", NULL, {"costs are what following costs", losses_are_what_following_costs},
    {"cuts lie between the values", cuts_lie_between_the_values},
    {"close, whole and many values are cut well", close_whole_and_many_values_are_cut_well},
    {"rules that were planted are found", rules_that_were_planted_are_found},
    {"leaving out shows what was learnt by heart", leaving_out_shows_what_was_learnt_by_heart},
    {"a miss has its price", a_miss_has_its_price},
    {"without answers or axes there are no rules", without_answers_or_axes_there_are_no_rules})
