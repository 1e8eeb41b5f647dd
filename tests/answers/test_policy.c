/** @file tests/answers/test_policy.c
 *  Costs, binning and policies on grids that were filled by hand.
 */
#include "memory.h"
#include "parameter_column.h"
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
enum { N_CONTENDER = 4, B = 0, M1 = 1, K = 2, ADHESION = 6 };

static sal_sweep sweep;
static sal_performance_table table;
static sal_policy policy;

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
  sal_policy_free(&policy);
  sal_performance_free(&table);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void put(int64_t cell, const double work[], const double error[])
{
  for (int k = 0; k < N_CONTENDER; ++k) {
    table.work[cell * N_CONTENDER + k] = work[k];
    table.error[cell * N_CONTENDER + k] = error[k];
    table.sd[cell * N_CONTENDER + k] = table.dt[cell * N_CONTENDER + k] = work[k];
    table.iae[cell * N_CONTENDER + k] = error[k];
  }
}

static double at(int64_t cell, int column)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  sal_sweep_cell(&sweep, cell, param, initial);
  return param[column];
}

static void costs_are_what_following_costs(void)
{
  const double work[] = {100, 150, 1250, 1}, error[] = {1e-3, 1e-4, 1e-4, 1};
  const double none[] = {NAN, NAN, NAN, NAN};
  const sal_question q = {.error = 1e-3};
  sal_cost_matrix l;

  set_up(GRID);
  for (int64_t c = 0; c < sweep.n_cell; ++c) put(c, none, none);
  put(5, work, error);
  put(9, (double[]){100, NAN, 50, 1}, error);
  CU_ASSERT_EQUAL(sal_cost_matrix_make(&table, &q, 10, &l), SAL_OK);
  CU_ASSERT(l.n == 2 && l.cell[0] == 5 && l.cell[1] == 9);
  CU_ASSERT(l.winner[0] == 0 && l.winner[1] == 2);
  CU_ASSERT_EQUAL_FATAL(l.n_choice, 3); /* the last one never reaches it, and has no place */
  const double unit = l.miss / SAL_COST_MISS;
  CU_ASSERT_EQUAL(l.cost[0], 0);
  CU_ASSERT_DOUBLE_EQUAL(l.cost[1] * unit, 0.5, 1e-8);
  CU_ASSERT_EQUAL(l.cost[2], SAL_COST_MISS - 1); /* 11.5: no worse than a miss */
  CU_ASSERT_DOUBLE_EQUAL(l.cost[3] * unit, 1, 1e-8);
  CU_ASSERT_EQUAL(l.cost[4], SAL_COST_MISS);
  CU_ASSERT_EQUAL(l.cost[5], 0);
  sal_cost_matrix_free(&l);

  CU_ASSERT_EQUAL(sal_performance_score(&table, SAL_POINTS_PER_CELL), SAL_OK);
  const sal_question points = {.error = NAN, .weights = {1, 0, 1}, .tolerance = 0};
  CU_ASSERT_EQUAL(sal_cost_matrix_make(&table, &points, 10, &l), SAL_OK);
  CU_ASSERT(l.n == 2 && l.n_choice == 2 && l.miss == 18);
  /* in cell 5 each is best in one criterion: 11 points each */
  CU_ASSERT(l.cost[0] == 0 && l.cost[1] == 0 && l.cost[2] == 0 && l.cost[3] == SAL_COST_MISS);
  sal_cost_matrix_free(&l);
  tear_down();
}

static sal_err make_bins(const sal_sweep *of, int32_t n, const int32_t cell[], sal_binning *out)
{
  sal_binning edges;

  SAL_TRY(sal_binning_edges(of, &edges));
  return sal_binning_make(of, &edges, n, cell, out);
}

static void edges_lie_between_the_values(void)
{
  int32_t cell[24];
  sal_binning binning;

  set_up(GRID);
  for (int i = 0; i < 24; ++i) cell[i] = i;
  CU_ASSERT_EQUAL(make_bins(&sweep, 24, cell, &binning), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(binning.n, 3);
  CU_ASSERT(binning.quantity[0].column == B && binning.quantity[1].column == K &&
            binning.quantity[2].column == ADHESION);
  CU_ASSERT(binning.quantity[0].n_bin == 4 && binning.quantity[1].n_bin == 3 &&
            binning.quantity[2].n_bin == 2);
  CU_ASSERT(binning.quantity[0].edge[0] == 1410 && binning.quantity[0].edge[1] == 2830 &&
            binning.quantity[0].edge[2] == 5660);
  CU_ASSERT(binning.quantity[1].edge[0] == 15 && binning.quantity[1].edge[1] == 25);
  CU_ASSERT(binning.quantity[2].word && binning.quantity[2].edge[1] == 1);
  for (int i = 0; i < 24; ++i) {
    CU_ASSERT_EQUAL(binning.quantity[0].bin[i], i / 6);
    CU_ASSERT_EQUAL(binning.quantity[1].bin[i], i / 2 % 3);
    CU_ASSERT_EQUAL(binning.quantity[2].bin[i], i % 2);
  }
  sal_binning_free(&binning);
  tear_down();
}

/* An axis of so many words, and one of two points of all other parameters and states, so that the
 * bins of all quantities together are few. */
static sal_err bin_words(int n_word, sal_binning *out)
{
  enum { MOST = SAL_MAX_BIN + 1, ROW = SAL_MAX_QUANTITY };
  static double word[MOST], row[2 * ROW];
  static int32_t cell[2 * MOST];
  sal_axis axis[2] = {{.kind = SAL_AXIS_LIST,
                       .n_column = 1,
                       .column = {ADHESION},
                       .n_point = n_word,
                       .value = word},
                      {.kind = SAL_AXIS_ROWS, .n_point = 2, .value = row}};
  const sal_model *m = sweep.model;
  sal_sweep words = {.path = "s.yaml",
                     .model = m,
                     .n_cell = 2 * n_word,
                     .n_grid = 2 * n_word,
                     .n_axis = 2,
                     .axis = axis};

  for (int k = 0; k < m->n_param + m->n_option + m->n_state; ++k)
    if (k != ADHESION) axis[1].column[axis[1].n_column++] = k;
  for (int c = 0; c < axis[1].n_column; ++c) row[axis[1].n_column + c] = 1;
  for (int i = 0; i < n_word; ++i) word[i] = n_word - 1 - i;
  for (int i = 0; i < 2 * n_word; ++i) cell[i] = i;
  CU_ASSERT_FATAL(n_word <= MOST);
  return make_bins(&words, 2 * n_word, cell, out);
}

static void each_word_has_a_bin_or_is_refused(void)
{
  sal_binning binning;

  set_up(GRID);
  CU_ASSERT_EQUAL_FATAL(bin_words(SAL_MAX_BIN, &binning), SAL_OK);
  const sal_binning_quantity *q = &binning.quantity[0];
  CU_ASSERT(binning.n > SAL_FEATURE_BINS / SAL_MAX_BIN); /* others have fewer bins than that */
  CU_ASSERT(q->word && q->n_bin == SAL_MAX_BIN);
  for (int i = 0; i < 2 * SAL_MAX_BIN; ++i)
    CU_ASSERT_EQUAL(q->edge[q->bin[i]], SAL_MAX_BIN - 1 - i / 2);
  sal_binning_free(&binning);
  CU_ASSERT_EQUAL(bin_words(SAL_MAX_BIN + 1, &binning), SAL_ERR_INPUT);
  CU_ASSERT(strstr(sal_err_message(), "adhesion has 33 words; rules tell at most 32 apart") !=
            NULL);
  tear_down();
}

static void close_whole_and_many_values_get_good_edges(void)
{
  static int32_t cell[3000];
  sal_binning binning;

  for (int i = 0; i < 3000; ++i) cell[i] = i;
  set_up(REST "cells: {axes: [{name: k, list: [20.001, 20, 20.0015, 300]}]}\n");
  CU_ASSERT_EQUAL(make_bins(&sweep, 4, cell, &binning), SAL_OK);
  const sal_binning_quantity *c = &binning.quantity[0];
  CU_ASSERT(c->n_bin == 4 && 20 < c->edge[0] && c->edge[0] <= 20.001);
  CU_ASSERT(20.001 < c->edge[1] && c->edge[1] <= 20.0015 && c->edge[2] == 77.5);
  CU_ASSERT(c->bin[0] == 1 && c->bin[1] == 0 && c->bin[2] == 2 && c->bin[3] == 3);
  sal_binning_free(&binning);
  tear_down();

  set_up(REST "cells: {axes: [{name: k, list: [20, 20.000000000000004]}]}\n"); /* neighbours */
  CU_ASSERT_EQUAL(make_bins(&sweep, 2, cell, &binning), SAL_OK);
  c = &binning.quantity[0];
  CU_ASSERT(c->n_bin == 2 && c->edge[0] == 20.000000000000004 && c->bin[0] == 0 && c->bin[1] == 1);
  sal_binning_free(&binning);
  tear_down();

  sal_sweep plate;
  CU_ASSERT_EQUAL_FATAL(
      sal_sweep_parse("s.yaml",
                      "model: plate\nt_end: 1\nmethods: [ode45]\nstrategies: [event]\n"
                      "tolerances: [1e-3]\ncells: {axes: [{name: n, log: [2, 128], points: 7}]}\n",
                      0, NULL, &plate),
      SAL_OK);
  CU_ASSERT_EQUAL(make_bins(&plate, 7, cell, &binning), SAL_OK);
  for (int i = 0; i < 6; ++i) {
    const double x = binning.quantity[0].edge[i];
    CU_ASSERT(x == rint(x) && x > (2 << i) && x <= (4 << i));
  }
  CU_ASSERT_EQUAL(binning.quantity[0].edge[2], 12); /* between 8 and 16: 11.3 */
  sal_binning_free(&binning);
  sal_sweep_free(&plate);

  set_up(REST
         "cells: {axes: [{columns: [b, m1], random: [[1000, 20000], [5, 15]], points: 3000}]}\n");
  CU_ASSERT_EQUAL(make_bins(&sweep, 3000, cell, &binning), SAL_OK);
  for (int q = 0; q < 2; ++q) {
    int count[SAL_MAX_BIN] = {0};
    c = &binning.quantity[q];
    CU_ASSERT_EQUAL(c->n_bin, SAL_MAX_BIN);
    for (int i = 0; i < 3000; ++i) {
      const double x = at(i, c->column);
      const int b = c->bin[i];
      CU_ASSERT((b == 0 || c->edge[b - 1] <= x) && (b == SAL_MAX_BIN - 1 || x < c->edge[b]));
      ++count[b];
    }
    for (int b = 0; b < SAL_MAX_BIN; ++b) CU_ASSERT(count[b] == 93 || count[b] == 94);
  }
  sal_binning_free(&binning);
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
  const sal_question q = {.error = 1e-3};
  const sal_policy_tree_limits limits = {3, 1, 0.01};

  set_up(GRID);
  fill(-1);
  CU_ASSERT_EQUAL_FATAL(sal_policy_make(&table, &q, 10, &limits, &policy), SAL_OK);
  CU_ASSERT(policy.costs.n == 24 && policy.n_winner == 2);
  CU_ASSERT_EQUAL_FATAL(policy.tree.n, 5);
  CU_ASSERT_EQUAL(policy.rules.cost, 0);
  CU_ASSERT_EQUAL(policy.rules.n, 24);
  CU_ASSERT_EQUAL(policy.costs.contender[policy.tree.node[0].choice], 0);
  CU_ASSERT_DOUBLE_EQUAL(policy.single.regret, 0.25, 1e-8); /* twice the work in 6 of 24 cells */
  CU_ASSERT_EQUAL(policy.single.missed, 0);
  for (int i = 0; i < 24; ++i) {
    const int leaf = policy.costs.contender[policy.tree.node[policy.tree.node[0].yes].choice];
    CU_ASSERT(leaf == 0 || leaf == 1);
  }
  bool by_b = false, by_word = false;
  for (int i = 0; i < policy.tree.n; ++i) {
    const sal_policy_tree_node *node = &policy.tree.node[i];
    if (node->feature < 0) continue;
    const sal_binning_quantity *of = &policy.binning.quantity[node->feature];
    by_b = by_b || (of->column == B && of->edge[node->bin - 1] == 2830);
    by_word = by_word || (of->column == ADHESION && of->word);
  }
  CU_ASSERT(by_b && by_word);
  CU_ASSERT_EQUAL(policy.rules_out.n, 24); /* each cell is left out once */
  CU_ASSERT_EQUAL(policy.rules_out.cost, 0);
  CU_ASSERT_DOUBLE_EQUAL(policy.single_out.regret, 0.25, 1e-8);
  tear_down();
}

/* One odd cell: rules fitted to it know it, rules that do not see it cannot. */
static void leaving_out_shows_what_was_learnt_by_heart(void)
{
  const sal_question q = {.error = 1e-3};
  const sal_policy_tree_limits tiny = {4, 1, 0}, large = {4, 6, 0};

  set_up(GRID);
  fill(0);
  CU_ASSERT_EQUAL_FATAL(sal_policy_make(&table, &q, 10, &tiny, &policy), SAL_OK);
  CU_ASSERT_EQUAL(policy.rules.cost, 0);
  CU_ASSERT(policy.rules_out.cost > 1.0 / 24); /* 200 / 40 - 1 = 4 in that cell */
  sal_policy_free(&policy);
  CU_ASSERT_EQUAL_FATAL(sal_policy_make(&table, &q, 10, &large, &policy), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(policy.rules.cost, 4.0 / 24, 1e-8);
  tear_down();
}

/* A contender that is cheap and misses now and then is taken only as long as misses are cheap. */
static void a_miss_has_its_price(void)
{
  const sal_question q = {.error = 1e-3};
  const sal_policy_tree_limits limits = {1, 24, 0};
  const double dear[] = {300, 100, 900, 900}, good[] = {1e-4, 1e-4, 1, 1};
  const double bad[] = {1e-4, 1, 1, 1};

  set_up(GRID);
  for (int64_t c = 0; c < sweep.n_cell; ++c) put(c, dear, c < 6 ? bad : good);
  CU_ASSERT_EQUAL_FATAL(sal_policy_make(&table, &q, 2.5, &limits, &policy), SAL_OK);
  CU_ASSERT_EQUAL(policy.costs.contender[policy.tree.node[0].choice], 1);
  CU_ASSERT_EQUAL(policy.rules.missed, 6);
  CU_ASSERT_EQUAL(policy.rules.regret, 0);
  CU_ASSERT_DOUBLE_EQUAL(policy.rules.cost, 2.5 * 6 / 24, 1e-8);
  sal_policy_free(&policy);
  CU_ASSERT_EQUAL_FATAL(sal_policy_make(&table, &q, 10, &limits, &policy), SAL_OK);
  CU_ASSERT_EQUAL(policy.costs.contender[policy.tree.node[0].choice], 0);
  CU_ASSERT_EQUAL(policy.rules.missed, 0);
  CU_ASSERT_DOUBLE_EQUAL(policy.rules.regret, 2 * 18 / 24.0, 1e-8);
  tear_down();
}

static void without_answers_or_axes_there_are_no_rules(void)
{
  const sal_question q = {.error = 1e-9};
  const sal_policy_tree_limits limits = {3, 0, 0.01};

  set_up(GRID);
  fill(-1);
  CU_ASSERT_EQUAL(sal_policy_make(&table, &q, 10, &limits, &policy), SAL_OK);
  CU_ASSERT_EQUAL(policy.costs.n, 0);
  tear_down();
  set_up(REST);
  put(0, (double[]){1, 2, 3, 4}, (double[]){0, 0, 0, 0});
  CU_ASSERT_EQUAL(sal_policy_make(&table, &q, 10, &limits, &policy), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "s.yaml: nothing varies"));
  tear_down();
}

SAL_TEST_MAIN(
    "policy", NULL, {"costs are what following costs", costs_are_what_following_costs},
    {"edges lie between the values", edges_lie_between_the_values},
    {"each word has a bin, or is refused", each_word_has_a_bin_or_is_refused},
    {"close, whole and many values get good edges", close_whole_and_many_values_get_good_edges},
    {"rules that were planted are found", rules_that_were_planted_are_found},
    {"leaving out shows what was fitted too closely", leaving_out_shows_what_was_learnt_by_heart},
    {"a miss has its price", a_miss_has_its_price},
    {"without answers or axes there are no rules", without_answers_or_axes_there_are_no_rules})
