/** Winners and margins counted. */
#include "map_summary.h"
#include "base.h"
#include "config.h"

/* Counts of a question: these, a count for each pair, and one for each class of margins. */
enum { MISSED, UNKNOWN, UNPROVEN, OPEN, N_FIXED };
/* A class of margins, which are not negative, is the first bits of a float32: exponent and 8 more. */
enum { SHIFT = 15, N_CLASS = 1 << (31 - SHIFT) };

static int class_of(double margin)
{
  const float single = (float)margin;
  uint32_t bits;

  memcpy(&bits, &single, sizeof bits);
  return (int)((bits & 0x7fffffff) >> SHIFT);
}

/* The middle of a class; of the first one 0, which ties have. */
static double middle_of(int class)
{
  const uint32_t bits = ((uint32_t) class << SHIFT) + (class ? 1U << (SHIFT - 1) : 0);
  float single;

  memcpy(&single, &bits, sizeof single);
  return single;
}

sal_err sal_map_summary_create(const sal_sweep *sweep, const sal_map *m, sal_map_summary *s)
{
  *s = (sal_map_summary){.n_question = m->n_error + m->n_weights * m->n_tolerance,
                         .pairs = sal_config_pairs(sweep)};
  s->n = (int64_t)s->n_question * (N_FIXED + s->pairs + N_CLASS);
  s->count = sal_alloc((size_t)s->n, sizeof *s->count);
  return s->count ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a summary");
}

void sal_map_summary_free(sal_map_summary *s)
{
  sal_free(s->count);
  *s = (sal_map_summary){0};
}

static int64_t *counts_of(const sal_map_summary *s, int q)
{
  return s->count + q * (s->n / s->n_question);
}

static void add_places(sal_map_summary *s, int q, const sal_map_place place[], int64_t n,
                       int64_t stride)
{
  int64_t *count = counts_of(s, q), *wins = count + N_FIXED, *margin = wins + s->pairs;

  for (int64_t i = 0; i < n; ++i) {
    const sal_map_place *at = &place[i * stride];
    count[UNPROVEN] += at->reason == SAL_REASON_OVER_CUTOFF;
    if (at->best < 0)
      ++count[sal_reason_lacks_reference(at->reason) ? UNKNOWN
              : at->reason == SAL_REASON_OVER_CUTOFF ? OPEN
                                                     : MISSED];
    else
      ++wins[at->best % s->pairs];
    if (!isnan(at->margin)) ++margin[class_of(at->margin)];
  }
}

void sal_map_summary_add(sal_map_summary *s, const sal_map *part)
{
  const int points = part->n_weights * part->n_tolerance;

  for (int e = 0; e < part->n_error; ++e)
    add_places(s, e, part->by_error + e, part->n_cell, part->n_error);
  for (int p = 0; p < points; ++p)
    add_places(s, part->n_error + p, part->by_points + p, part->n_cell, points);
}

static double median_of(const int64_t margin[N_CLASS])
{
  int64_t all = 0, seen = 0;
  int at = 0;

  for (int i = 0; i < N_CLASS; ++i) all += margin[i];
  if (all == 0) return NAN;
  while (seen + margin[at] <= all / 2) seen += margin[at++];
  return middle_of(at);
}

sal_map_shares sal_map_summary_shares(const sal_map_summary *s, int q)
{
  const int64_t *count = counts_of(s, q), *wins = count + N_FIXED;

  return (sal_map_shares){.wins = wins,
                          .missed = count[MISSED],
                          .unknown = count[UNKNOWN],
                          .unproven = count[UNPROVEN],
                          .open = count[OPEN],
                          .margin = median_of(wins + s->pairs)};
}
