/** @file src/answers/policy_question.c
 *  Exact search over one question, and over two.
 */
#include "policy_question.h"
#include "memory.h"
#include <string.h>

bool sal_policy_search_create(const sal_policy_bins *bins, sal_policy_search *out)
{
  *out = (sal_policy_search){
      .bins = bins, .total = sal_alloc(2 * (size_t)bins->cases->n_choice, sizeof *out->total)};
  return out->total && sal_policy_sums_create(bins, &out->yes) &&
         sal_policy_sums_create(bins, &out->no);
}

void sal_policy_search_free(sal_policy_search *s)
{
  sal_free(s->total);
  sal_policy_sums_free(&s->yes);
  sal_policy_sums_free(&s->no);
  s->total = NULL;
}

static int least_costly(int n_choice, const uint64_t cost[])
{
  int best = 0;

  for (int k = 1; k < n_choice; ++k)
    if (cost[k] < cost[best]) best = k;
  return best;
}

int64_t sal_policy_search_leaf(sal_policy_search *s, const sal_policy_sums *sums, int *choice,
                               uint64_t *cost)
{
  const int64_t n = sal_policy_sums_total(s->bins, sums, s->total);

  *choice = least_costly(s->bins->cases->n_choice, s->total);
  *cost = s->total[*choice];
  return n;
}

/* Least cost when the cases with "yes" get one choice and the others another. */
static uint64_t cost_of_two_leaves(int n_choice, const uint64_t all[], const uint64_t yes[])
{
  uint64_t least_yes = UINT64_MAX, least_no = UINT64_MAX;

  for (int k = 0; k < n_choice; ++k) {
    const uint64_t no = all[k] - yes[k];
    least_yes = yes[k] < least_yes ? yes[k] : least_yes;
    least_no = no < least_no ? no : least_no;
  }
  return least_yes + least_no;
}

static bool leaves_large_enough(const sal_policy_leaves *l, int64_t n_yes, int64_t n)
{
  return n_yes >= l->least && n - n_yes >= l->least;
}

/* How many questions a feature allows: of words, one for each. */
static int count_questions(const sal_policy_feature *f)
{
  return f->word ? f->n_bin : f->n_bin - 1;
}

sal_policy_question sal_policy_search_once(sal_policy_search *s, const sal_policy_leaves *leaves,
                                           const sal_policy_sums *sums)
{
  const sal_policy_cases *cases = s->bins->cases;
  const int n_choice = cases->n_choice;
  uint64_t *all = s->total, *yes = s->total + n_choice;
  const int64_t n = sal_policy_sums_total(s->bins, sums, all);
  sal_policy_question best = {all[least_costly(n_choice, all)] + leaves->price, -1, 0};

  for (int f = 0; f < cases->n_feature; ++f) {
    const bool word = cases->feature[f].word;
    int64_t n_yes = 0;
    memset(yes, 0, (size_t)n_choice * sizeof *yes);
    for (int b = 0; b < count_questions(&cases->feature[f]); ++b) {
      const int64_t at = s->bins->first[f] + b;
      const uint64_t *cost = sums->cost + at * n_choice;
      n_yes = (word ? 0 : n_yes) + sums->n[at];
      for (int k = 0; k < n_choice; ++k) yes[k] = (word ? 0 : yes[k]) + cost[k];
      if (!leaves_large_enough(leaves, n_yes, n)) continue;
      const uint64_t sum = cost_of_two_leaves(n_choice, all, yes) + 2 * leaves->price;
      if (sum < best.cost) best = (sal_policy_question){sum, f, word ? b : b + 1};
    }
  }
  return best;
}

/* Those whose first question is about feature f, if they cost less than `best`. */
static sal_policy_question improve_by_feature(sal_policy_search *s, const sal_policy_leaves *leaves,
                                              int f, int64_t n, const sal_policy_sums *sums,
                                              const sal_policy_pairs *pairs,
                                              sal_policy_question best)
{
  const sal_policy_feature *of = &s->bins->cases->feature[f];
  int64_t n_yes = 0;

  sal_policy_sums_clear(s->bins, &s->yes);
  for (int b = 0; b < count_questions(of); ++b) {
    if (of->word) sal_policy_sums_clear(s->bins, &s->yes);
    n_yes = (of->word ? 0 : n_yes) + sums->n[s->bins->first[f] + b];
    sal_policy_pairs_add_bin(s->bins, pairs, sums, f, b, &s->yes);
    if (!leaves_large_enough(leaves, n_yes, n)) continue;
    const uint64_t yes = sal_policy_search_once(s, leaves, &s->yes).cost;
    if (yes >= best.cost) continue;
    sal_policy_sums_subtract(s->bins, sums, &s->yes, &s->no);
    const uint64_t cost = yes + sal_policy_search_once(s, leaves, &s->no).cost;
    if (cost < best.cost) best = (sal_policy_question){cost, f, of->word ? b : b + 1};
  }
  return best;
}

sal_policy_question sal_policy_search_twice(sal_policy_search *s, const sal_policy_leaves *leaves,
                                            int64_t n, const sal_policy_sums *sums,
                                            const sal_policy_pairs *pairs, sal_policy_question best)
{
  for (int f = 0; f < s->bins->cases->n_feature; ++f)
    best = improve_by_feature(s, leaves, f, n, sums, pairs, best);
  return best;
}
