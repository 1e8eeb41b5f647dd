/** @file src/answers/policy_sums.c
 *  Adding costs up by bins and by pairs of bins.
 */
#include "policy_sums.h"
#include "memory.h"
#include <string.h>

sal_policy_bins sal_policy_bins_of(const sal_policy_cases *cases)
{
  sal_policy_bins bins = {.cases = cases};

  for (int f = 0; f < cases->n_feature; ++f) {
    bins.first[f] = bins.n;
    bins.n += cases->feature[f].n_bin;
  }
  bins.first[cases->n_feature] = bins.n;
  return bins;
}

static bool alloc_sums(size_t n, const sal_policy_bins *bins, sal_policy_sums *out)
{
  out->n = sal_alloc(n, sizeof *out->n);
  out->cost = sal_alloc(n * (size_t)bins->cases->n_choice, sizeof *out->cost);
  return out->n && out->cost;
}

static void clear_sums(size_t n, const sal_policy_bins *bins, sal_policy_sums *sums)
{
  memset(sums->n, 0, n * sizeof *sums->n);
  memset(sums->cost, 0, n * (size_t)bins->cases->n_choice * sizeof *sums->cost);
}

bool sal_policy_sums_create(const sal_policy_bins *bins, sal_policy_sums *out)
{
  return alloc_sums((size_t)bins->n, bins, out);
}

void sal_policy_sums_free(sal_policy_sums *sums)
{
  sal_free(sums->n);
  sal_free(sums->cost);
  *sums = (sal_policy_sums){0};
}

void sal_policy_sums_clear(const sal_policy_bins *bins, sal_policy_sums *sums)
{
  clear_sums((size_t)bins->n, bins, sums);
}

static void add_costs(int n_choice, const uint32_t cost[], uint64_t sum[])
{
  for (int k = 0; k < n_choice; ++k) sum[k] += cost[k];
}

static const uint32_t *costs_of(const sal_policy_cases *cases, int32_t row)
{
  return cases->cost + (size_t)row * (size_t)cases->n_choice;
}

void sal_policy_sums_add_case(const sal_policy_bins *bins, int32_t row, sal_policy_sums *sums)
{
  const sal_policy_cases *cases = bins->cases;
  const int n_choice = cases->n_choice;

  for (int f = 0; f < cases->n_feature; ++f) {
    const int b = bins->first[f] + cases->feature[f].bin[row];
    ++sums->n[b];
    add_costs(n_choice, costs_of(cases, row), sums->cost + (size_t)b * (size_t)n_choice);
  }
}

static void subtract(int64_t n, const sal_policy_bins *bins, const sal_policy_sums *all,
                     const sal_policy_sums *part, sal_policy_sums *out)
{
  const int64_t n_cost = n * bins->cases->n_choice;

  for (int64_t b = 0; b < n; ++b) out->n[b] = all->n[b] - part->n[b];
  for (int64_t i = 0; i < n_cost; ++i) out->cost[i] = all->cost[i] - part->cost[i];
}

void sal_policy_sums_subtract(const sal_policy_bins *bins, const sal_policy_sums *all,
                              const sal_policy_sums *part, sal_policy_sums *out)
{
  subtract(bins->n, bins, all, part, out);
}

/* Numbers of cases are not negative. */
static sal_err share(int64_t n, const sal_policy_bins *bins, sal_policy_sums *sums)
{
  const sal_policy_parts *parts = bins->cases->parts;

  SAL_TRY(sal_policy_parts_add(parts, n, (uint64_t *)sums->n));
  return sal_policy_parts_add(parts, n * bins->cases->n_choice, sums->cost);
}

sal_err sal_policy_sums_share(const sal_policy_bins *bins, sal_policy_sums *sums)
{
  return share(bins->n, bins, sums);
}

/* The bins of any one feature together have all cases. */
int64_t sal_policy_sums_total(const sal_policy_bins *bins, const sal_policy_sums *sums,
                              uint64_t total[])
{
  const int n_choice = bins->cases->n_choice;
  int64_t n = 0;

  memset(total, 0, (size_t)n_choice * sizeof *total);
  for (int b = 0; b < bins->first[1]; ++b) {
    n += sums->n[b];
    for (int k = 0; k < n_choice; ++k) total[k] += sums->cost[(int64_t)b * n_choice + k];
  }
  return n;
}

/* ---- pairs ---- */

/* How many bins the features after one have. */
static size_t bins_behind(const sal_policy_bins *bins, int feature)
{
  return (size_t)(bins->n - bins->first[feature + 1]);
}

/* The entry of a bin of a feature with bin 0 of a later one. */
static size_t pair_entry(const sal_policy_bins *bins, const sal_policy_pairs *pairs, int feature,
                         int bin, int later)
{
  return pairs->row[feature] + (size_t)bin * bins_behind(bins, feature) +
         (size_t)(bins->first[later] - bins->first[feature + 1]);
}

bool sal_policy_pairs_create(const sal_policy_bins *bins, sal_policy_pairs *out)
{
  *out = (sal_policy_pairs){0};
  for (int f = 0; f < bins->cases->n_feature; ++f) {
    out->row[f] = out->n_entry;
    out->n_entry += (size_t)bins->cases->feature[f].n_bin * bins_behind(bins, f);
  }
  return alloc_sums(out->n_entry, bins, &out->entry);
}

void sal_policy_pairs_free(sal_policy_pairs *pairs) { sal_policy_sums_free(&pairs->entry); }

sal_err sal_policy_pairs_share(const sal_policy_bins *bins, sal_policy_pairs *pairs)
{
  return share((int64_t)pairs->n_entry, bins, &pairs->entry);
}

void sal_policy_pairs_subtract(const sal_policy_bins *bins, const sal_policy_pairs *all,
                               const sal_policy_pairs *part, sal_policy_pairs *out)
{
  subtract((int64_t)all->n_entry, bins, &all->entry, &part->entry, &out->entry);
}

/* The cases by their bin of a feature, so that what is added to stays in the cache. */
static void sort_by_bin(const sal_policy_feature *feature, int64_t n, const int32_t row[],
                        int32_t order[])
{
  int64_t end[256] = {0}, from = 0;

  for (int64_t i = 0; i < n; ++i) ++end[feature->bin[row[i]]];
  for (int b = 0; b < feature->n_bin; ++b) {
    const int64_t count = end[b];
    end[b] = from;
    from += count;
  }
  for (int64_t i = 0; i < n; ++i) order[end[feature->bin[row[i]]]++] = row[i];
}

void sal_policy_pairs_fill(const sal_policy_bins *bins, int64_t n, const int32_t row[],
                           int32_t order[], sal_policy_pairs *pairs)
{
  const sal_policy_cases *cases = bins->cases;
  const sal_policy_feature *feature = cases->feature;
  const int n_choice = cases->n_choice;

  clear_sums(pairs->n_entry, bins, &pairs->entry);
  for (int f = 0; f < cases->n_feature - 1; ++f) {
    sort_by_bin(&feature[f], n, row, order);
    for (int64_t i = 0; i < n; ++i)
      for (int g = f + 1; g < cases->n_feature; ++g) {
        const size_t at =
            pair_entry(bins, pairs, f, feature[f].bin[order[i]], g) + feature[g].bin[order[i]];
        ++pairs->entry.n[at];
        add_costs(n_choice, costs_of(cases, order[i]), pairs->entry.cost + at * (size_t)n_choice);
      }
  }
}

/* Adds n entries of `from`, `stride` apart from `at` on, to n neighbouring ones from `to` on. */
static void add_entries(int n_choice, int n, const sal_policy_sums *from, size_t at, size_t stride,
                        size_t to, sal_policy_sums *sums)
{
  for (int b = 0; b < n; ++b, at += stride, ++to) {
    const uint64_t *cost = from->cost + at * (size_t)n_choice;
    uint64_t *sum = sums->cost + to * (size_t)n_choice;
    sums->n[to] += from->n[at];
    for (int k = 0; k < n_choice; ++k) sum[k] += cost[k];
  }
}

void sal_policy_pairs_add_bin(const sal_policy_bins *bins, const sal_policy_pairs *pairs,
                              const sal_policy_sums *all, int feature, int bin,
                              sal_policy_sums *sums)
{
  const sal_policy_cases *cases = bins->cases;
  const int n_choice = cases->n_choice;
  const size_t own = (size_t)bins->first[feature] + (size_t)bin;

  add_entries(n_choice, 1, all, own, 1, own, sums);
  for (int g = 0; g < feature; ++g)
    add_entries(n_choice, cases->feature[g].n_bin, &pairs->entry,
                pair_entry(bins, pairs, g, 0, feature) + (size_t)bin, bins_behind(bins, g),
                (size_t)bins->first[g], sums);
  for (int g = feature + 1; g < cases->n_feature; ++g)
    add_entries(n_choice, cases->feature[g].n_bin, &pairs->entry,
                pair_entry(bins, pairs, feature, bin, g), 1, (size_t)bins->first[g], sums);
}
