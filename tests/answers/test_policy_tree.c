/** @file tests/answers/test_policy_tree.c
 *  Decision trees against all trees there are, on planted answers, and in other orders.
 */
#include "memory.h"
#include "policy_tree.h"
#include "random.h"
#include "sal_test.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { N = 60, N_CHOICE = 5, N_FEATURE = 3, TRIALS = 60 };
static const int n_bin[N_FEATURE] = {5, 3, 4};

static uint32_t costs[N * N_CHOICE];
static uint8_t bin[N_FEATURE][N];
static sal_policy_feature feature[N_FEATURE];
static sal_policy_cases table = {
    .n = N, .n_choice = N_CHOICE, .n_feature = N_FEATURE, .cost = costs, .feature = feature};

static uint32_t draw(uint64_t seed, int i, int j, uint32_t below)
{
  return (uint32_t)(sal_random(seed, (uint64_t)i, (uint32_t)j) * below);
}

/* Costs that depend on the bins, with noise; the last feature is a word. */
static void make_cases(uint64_t seed)
{
  for (int f = 0; f < N_FEATURE; ++f) feature[f] = (sal_policy_feature){n_bin[f], f == 2, bin[f]};
  for (int i = 0; i < N; ++i) {
    for (int f = 0; f < N_FEATURE; ++f) bin[f][i] = (uint8_t)draw(seed, i, f, (uint32_t)n_bin[f]);
    for (int k = 0; k < N_CHOICE; ++k)
      costs[i * N_CHOICE + k] = draw(seed, i, 10 + k, 100) +
                                draw(seed, bin[0][i] / 2, 20 + k, 200) +
                                draw(seed, bin[1][i] + 3 * (bin[2][i] == 1), 30 + k, 300);
  }
}

static uint64_t best_leaf(const bool in[])
{
  uint64_t best = UINT64_MAX;

  for (int k = 0; k < N_CHOICE; ++k) {
    uint64_t sum = 0;
    for (int i = 0; i < N; ++i) sum += in[i] ? costs[i * N_CHOICE + k] : 0;
    if (sum < best) best = sum;
  }
  return best;
}

static int count(const bool in[])
{
  int n = 0;

  for (int i = 0; i < N; ++i) n += in[i];
  return n;
}

/* The least cost over all trees of depth 1 that divide no further than allowed. */
static uint64_t best_once(const bool in[], int least, uint64_t price)
{
  uint64_t best = best_leaf(in) + price;

  for (int f = 0; f < N_FEATURE; ++f)
    for (int b = 0; b < n_bin[f]; ++b) {
      bool yes[N], no[N];
      for (int i = 0; i < N; ++i) {
        const bool says = feature[f].word ? bin[f][i] == b : bin[f][i] < b;
        yes[i] = in[i] && says;
        no[i] = in[i] && !says;
      }
      if (count(yes) < least || count(no) < least) continue;
      const uint64_t cost = best_leaf(yes) + best_leaf(no) + 2 * price;
      if (cost < best) best = cost;
    }
  return best;
}

static uint64_t best_twice(int least, uint64_t price)
{
  bool all[N];

  for (int i = 0; i < N; ++i) all[i] = true;
  uint64_t best = best_leaf(all) + price;
  for (int f = 0; f < N_FEATURE; ++f)
    for (int b = 0; b < n_bin[f]; ++b) {
      bool yes[N], no[N];
      for (int i = 0; i < N; ++i)
        no[i] = !(yes[i] = feature[f].word ? bin[f][i] == b : bin[f][i] < b);
      if (count(yes) < least || count(no) < least) continue;
      const uint64_t cost = best_once(yes, least, price) + best_once(no, least, price);
      if (cost < best) best = cost;
    }
  return best;
}

static uint64_t price_of(double share)
{
  bool all[N];

  for (int i = 0; i < N; ++i) all[i] = true;
  return (uint64_t)(share * (double)best_leaf(all));
}

/* Costs and prices of a tree, added up case by case; checks what its nodes say on the way. */
static uint64_t cost_of(const sal_policy_tree *tree, const sal_policy_tree_limits *limits)
{
  uint64_t sum[SAL_POLICY_TREE_NODES] = {0}, cost = 0;
  int64_t n[SAL_POLICY_TREE_NODES] = {0};

  for (int i = 0; i < N; ++i) {
    const int at = sal_policy_tree_leaf(tree, &table, i);
    sum[at] += costs[i * N_CHOICE + tree->node[at].choice];
    ++n[at];
  }
  for (int i = 0; i < tree->n; ++i) {
    const sal_policy_tree_node *node = &tree->node[i];
    CU_ASSERT(node->depth <= limits->depth);
    if (node->feature >= 0) {
      CU_ASSERT(node->yes > i && node->no > i);
      CU_ASSERT_EQUAL(tree->node[node->yes].n + tree->node[node->no].n, node->n);
      continue;
    }
    CU_ASSERT_EQUAL(node->cost, sum[i]);
    CU_ASSERT_EQUAL(node->n, n[i]);
    CU_ASSERT(i == 0 || n[i] >= limits->least);
    cost += sum[i] + price_of(limits->price);
  }
  return cost;
}

static sal_policy_tree fit(const sal_policy_tree_limits *limits)
{
  sal_policy_tree tree;

  CU_ASSERT_EQUAL_FATAL(sal_policy_tree_fit(&table, limits, &tree), SAL_OK);
  return tree;
}

static void no_tree_of_depth_2_is_better(void)
{
  bool all[N];
  int divided = 0, twice = 0, words = 0;

  for (int i = 0; i < N; ++i) all[i] = true;
  for (uint64_t seed = 0; seed < TRIALS; ++seed) {
    const sal_policy_tree_limits once = {1, 1 + (int)(seed % 12), 0.01 * (double)(seed % 5)};
    const sal_policy_tree_limits two = {2, once.least, once.price};
    make_cases(seed);
    const sal_policy_tree a = fit(&once), b = fit(&two);
    CU_ASSERT_EQUAL(cost_of(&a, &once), best_once(all, (int)once.least, price_of(once.price)));
    CU_ASSERT_EQUAL(cost_of(&b, &two), best_twice((int)two.least, price_of(two.price)));
    divided += a.n == 3;
    twice += b.n > 3;
    for (int i = 0; i < b.n; ++i) words += b.node[i].feature == 2;
  }
  CU_ASSERT(divided > TRIALS / 2 && twice > TRIALS / 2 && words > TRIALS / 4);
}

static void deeper_trees_lose_less_and_a_price_makes_them_smaller(void)
{
  int smaller = 0, better = 0;

  for (uint64_t seed = 0; seed < TRIALS; ++seed) {
    uint64_t last = UINT64_MAX;
    make_cases(seed);
    for (int depth = 0; depth <= SAL_POLICY_TREE_DEPTH; ++depth) {
      const sal_policy_tree_limits limits = {depth, 2, 0};
      const sal_policy_tree tree = fit(&limits);
      const uint64_t cost = cost_of(&tree, &limits);
      if (depth <= 3) CU_ASSERT(cost <= last); /* beyond, looking ahead is no proof */
      better += cost < last;
      last = cost;
    }
    const sal_policy_tree_limits cheap = {4, 2, 0}, dear = {4, 2, 0.1}, most_work = {4, 2, 1};
    const int n = fit(&cheap).n;
    CU_ASSERT(fit(&dear).n <= n);
    CU_ASSERT_EQUAL(fit(&most_work).n, 1);
    smaller += fit(&dear).n < n;
  }
  CU_ASSERT(smaller > TRIALS / 2 && better > 4 * TRIALS);
}

/* Which choice is right, from the bins; the others lose 10. */
static void plant(int (*right)(int a, int b, int c))
{
  make_cases(1);
  for (int i = 0; i < N; ++i) {
    bin[0][i] = (uint8_t)(i % 5);
    bin[1][i] = (uint8_t)(i / 5 % 3);
    bin[2][i] = (uint8_t)(i / 15);
    for (int k = 0; k < N_CHOICE; ++k)
      costs[i * N_CHOICE + k] = k == right(bin[0][i], bin[1][i], bin[2][i]) ? 0 : 10;
  }
}

static int exclusive(int a, int b, int c) { return (a < 3) != (b < 1) ? 1 + 0 * c : 3; }

/* As much of each kind on either side of any single question. */
static void balance(void)
{
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < N_CHOICE; ++k)
      costs[i * N_CHOICE + k] *= (bin[0][i] < 3 ? 2u : 3u) * (bin[1][i] < 1 ? 2u : 1u);
}

static void two_questions_that_help_only_together_are_found(void)
{
  const sal_policy_tree_limits once = {1, 1, 0}, twice = {2, 1, 0};

  plant(exclusive);
  balance();
  CU_ASSERT_EQUAL(fit(&once).n, 1);
  const sal_policy_tree tree = fit(&twice);
  CU_ASSERT_EQUAL(cost_of(&tree, &twice), 0);
  CU_ASSERT_EQUAL(tree.n, 7);
  CU_ASSERT(tree.node[0].cost > 200);
  const bool first = tree.node[0].feature == 0;
  CU_ASSERT(first ? tree.node[0].bin == 3 : tree.node[0].feature == 1 && tree.node[0].bin == 1);
}

static int nested(int a, int b, int c) { return c == 2 ? 4 : a < 2 ? 0 : b < 2 ? 2 : 1; }

static void a_planted_tree_is_found_and_read_in_order(void)
{
  const sal_policy_tree_limits limits = {4, 1, 0.001};
  int order[SAL_POLICY_TREE_NODES], seen[SAL_POLICY_TREE_NODES] = {0};

  plant(nested);
  const sal_policy_tree tree = fit(&limits);
  CU_ASSERT(tree.n >= 7);
  for (int i = 0; i < N; ++i)
    CU_ASSERT_EQUAL(tree.node[sal_policy_tree_leaf(&tree, &table, i)].choice,
                    nested(bin[0][i], bin[1][i], bin[2][i]));
  sal_policy_tree_order(&tree, order);
  CU_ASSERT_EQUAL(order[0], 0);
  for (int i = 0; i < tree.n; ++i) {
    ++seen[order[i]];
    if (tree.node[order[i]].feature >= 0) CU_ASSERT_EQUAL(order[i + 1], tree.node[order[i]].yes);
  }
  for (int i = 0; i < tree.n; ++i) CU_ASSERT_EQUAL(seen[i], 1);
}

/* Cases in another order. */
static void the_order_of_the_cases_does_not_matter(void)
{
  const sal_policy_tree_limits limits = {4, 2, 0.005};
  static uint32_t mixed_costs[N * N_CHOICE];
  static uint8_t mixed_bin[N_FEATURE][N];
  int nodes = 0;

  for (uint64_t seed = 0; seed < TRIALS; ++seed) {
    make_cases(seed);
    const sal_policy_tree tree = fit(&limits);
    for (int i = 0; i < N; ++i) {
      const int from = (i * 37 + 11) % N;
      memcpy(mixed_costs + i * N_CHOICE, costs + from * N_CHOICE, N_CHOICE * sizeof *costs);
      for (int f = 0; f < N_FEATURE; ++f) mixed_bin[f][i] = bin[f][from];
    }
    memcpy(costs, mixed_costs, sizeof costs);
    memcpy(bin, mixed_bin, sizeof bin);
    const sal_policy_tree mixed = fit(&limits);
    CU_ASSERT_EQUAL(memcmp(&tree, &mixed, sizeof tree), 0);
    nodes += tree.n;
  }
  CU_ASSERT(nodes > 5 * TRIALS);

  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* The cases that a part has: numbers first .. end - 1, those of one fold left out of them or not. */
typedef struct {
  uint32_t costs[N * N_CHOICE];
  uint8_t bin[N_FEATURE][N], fold[N];
  sal_policy_feature feature[N_FEATURE];
  sal_policy_cases cases;
} part;

static part part_of(int first, int end, const uint8_t fold[], int without)
{
  part p = {.cases = table};

  p.cases.n = 0;
  for (int i = first; i < end; ++i) {
    if (fold[i] == without) continue;
    const int to = p.cases.n++;
    memcpy(p.costs + to * N_CHOICE, costs + i * N_CHOICE, N_CHOICE * sizeof *costs);
    for (int f = 0; f < N_FEATURE; ++f) p.bin[f][to] = bin[f][i];
    p.fold[to] = fold[i];
  }
  return p;
}

static void connect(part *p)
{
  memcpy(p->feature, table.feature, sizeof p->feature);
  for (int f = 0; f < N_FEATURE; ++f) p->feature[f].bin = p->bin[f];
  p->cases.feature = p->feature;
  p->cases.cost = p->costs;
}

enum { FOLDS = 3 };

/* Trees that share their sums are those that are fitted to the other cases alone. */
static void trees_without_a_fold_are_those_of_the_other_cases(void)
{
  uint8_t fold[N];
  int alike = 0, nodes = 0;

  for (uint64_t seed = 0; seed < TRIALS; ++seed) {
    const sal_policy_tree_limits limits = {(int)(seed % 5), 2, 0.005};
    const sal_policy_tree_limits each[1 + FOLDS] = {limits, limits, limits, limits};
    sal_policy_tree tree[1 + FOLDS], own;
    make_cases(seed);
    for (int i = 0; i < N; ++i) fold[i] = (uint8_t)((i * 7 + (int)seed) % 11 % FOLDS);
    CU_ASSERT_EQUAL(sal_policy_tree_fit_folds(&table, &(sal_policy_folds){FOLDS, fold}, each, tree),
                    SAL_OK);
    own = fit(&limits);
    CU_ASSERT_EQUAL(memcmp(&tree[0], &own, sizeof own), 0);
    for (int f = 0; f < FOLDS; ++f) {
      part rest = part_of(0, N, fold, f);
      connect(&rest);
      CU_ASSERT_EQUAL(sal_policy_tree_fit(&rest.cases, &limits, &own), SAL_OK);
      CU_ASSERT_EQUAL(memcmp(&tree[1 + f], &own, sizeof own), 0);
      alike +=
          own.node[0].feature == tree[0].node[0].feature && own.node[0].bin == tree[0].node[0].bin;
      nodes += own.n;
    }
  }
  CU_ASSERT(alike > TRIALS && alike < 3 * TRIALS && nodes > 10 * TRIALS);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Two parts as threads that wait for each other. */
typedef struct {
  pthread_barrier_t *both;
  uint64_t **sum; /* of the two */
  int number, calls;
  part *of;
  sal_policy_parts parts;
  sal_policy_tree tree[1 + FOLDS];
} partner;

static sal_err add_both(void *with, int64_t n, uint64_t sum[])
{
  partner *p = with;
  uint64_t *total = malloc((size_t)n * sizeof *total);

  ++p->calls;
  p->sum[p->number] = sum;
  pthread_barrier_wait(p->both);
  for (int64_t i = 0; i < n; ++i) total[i] = p->sum[0][i] + p->sum[1][i];
  pthread_barrier_wait(p->both);
  memcpy(sum, total, (size_t)n * sizeof *total);
  free(total);
  return SAL_OK;
}

static sal_err agree_here(void *with, sal_err here)
{
  (void)with;
  return here;
}

static void *fit_part(void *with)
{
  partner *p = with;
  const sal_policy_tree_limits limits = {4, 2, 0.005};
  const sal_policy_tree_limits each[1 + FOLDS] = {limits, limits, limits, limits};

  p->parts = (sal_policy_parts){add_both, agree_here, p};
  p->of->cases.parts = &p->parts;
  const sal_err err = sal_policy_tree_fit_folds(
      &p->of->cases, &(sal_policy_folds){FOLDS, p->of->fold}, each, p->tree);
  return (void *)(uintptr_t)(err != SAL_OK);
}

/* Cases in two parts, of which one may have none. */
static void parts_have_the_trees_of_all_cases(void)
{
  static const int cut[] = {0, 1, N / 3, N};
  const sal_policy_tree_limits limits = {4, 2, 0.005};
  const sal_policy_tree_limits each[1 + FOLDS] = {limits, limits, limits, limits};
  uint8_t fold[N];

  for (uint64_t seed = 0; seed < 4 * TRIALS / 10; ++seed) {
    sal_policy_tree tree[1 + FOLDS];
    pthread_barrier_t both;
    uint64_t *sum[2];
    make_cases(seed);
    for (int i = 0; i < N; ++i) fold[i] = (uint8_t)(i % FOLDS);
    CU_ASSERT_EQUAL(sal_policy_tree_fit_folds(&table, &(sal_policy_folds){FOLDS, fold}, each, tree),
                    SAL_OK);
    part of[] = {part_of(0, cut[seed % 4], fold, -1), part_of(cut[seed % 4], N, fold, -1)};
    pthread_barrier_init(&both, NULL, 2);
    pthread_t thread[2];
    partner p[2];
    for (int i = 0; i < 2; ++i) {
      connect(&of[i]);
      p[i] = (partner){.both = &both, .sum = sum, .number = i, .of = &of[i]};
      pthread_create(&thread[i], NULL, fit_part, &p[i]);
    }
    for (int i = 0; i < 2; ++i) {
      void *failed;
      pthread_join(thread[i], &failed);
      CU_ASSERT(!failed && p[i].calls > 3);
      CU_ASSERT_EQUAL(memcmp(p[i].tree, tree, sizeof tree), 0);
    }
    pthread_barrier_destroy(&both);
  }
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("trees", NULL, {"no tree of depth 2 is better", no_tree_of_depth_2_is_better},
              {"deeper trees lose less, and a price makes them smaller",
               deeper_trees_lose_less_and_a_price_makes_them_smaller},
              {"two questions that help only together are found",
               two_questions_that_help_only_together_are_found},
              {"a planted tree is found and read in order",
               a_planted_tree_is_found_and_read_in_order},
              {"the order of the cases does not matter", the_order_of_the_cases_does_not_matter},
              {"trees without a fold are those of the other cases",
               trees_without_a_fold_are_those_of_the_other_cases},
              {"parts have the trees of all cases", parts_have_the_trees_of_all_cases})
