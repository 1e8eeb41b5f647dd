/** @file src/answers/tries.c
 *  The frontier of tries, and what follows a miss.
 */
#include "tries.h"
#include "memory.h"
#include <math.h>
#include <string.h>

/* Sums of weights differ by rounding where probabilities are the same. */
static const double sure = 0.998, same = 1e-12;

double sal_tries_miss(double probability) { return 1 - sure * probability; }

sal_err sal_tries_create(int most, sal_tries *p)
{
  *p = (sal_tries){.at = sal_alloc((size_t)most, sizeof *p->at)};
  return p->at ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a plan");
}

void sal_tries_free(sal_tries *p)
{
  sal_free(p->at);
  *p = (sal_tries){0};
}

/* How many tries of the frontier take no more work. */
static int place_of(const sal_tries *p, double work)
{
  int lo = 0, hi = p->n;

  while (lo < hi) {
    const int middle = lo + (hi - lo) / 2;
    if (p->at[middle].work <= work)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

void sal_tries_add(sal_tries *p, sal_try own)
{
  int i = place_of(p, own.work);

  if (i > 0 && own.probability <= p->at[i - 1].probability + same) return;
  if (i > 0 && p->at[i - 1].work == own.work) --i; /* as much work, and less sure */
  int j = i;
  while (j < p->n && p->at[j].probability <= own.probability + same) ++j;
  memmove(&p->at[i + 1], &p->at[j], (size_t)(p->n - j) * sizeof *p->at);
  p->at[i] = own;
  p->n += 1 + i - j;
}

/* Evenly by number, the first and the last among them. */
static void thin_out(sal_tries *p)
{
  if (p->n <= SAL_TRIES_MOST) return;
  for (int i = 1; i < SAL_TRIES_MOST; ++i) p->at[i] = p->at[i * (p->n - 1) / (SAL_TRIES_MOST - 1)];
  p->n = SAL_TRIES_MOST;
}

/* What follows a miss, of tries from `from` on. */
static double after_of(const sal_tries *p, int from, double miss, int *next)
{
  double least = miss * p->dearest;

  *next = -1;
  for (int j = from; j < p->n; ++j) {
    const double own = miss * p->at[j].work + p->after[j];
    if (!(own < least)) continue;
    least = own;
    *next = j;
  }
  return least;
}

void sal_tries_close(sal_tries *p, double dearest)
{
  thin_out(p);
  p->dearest = dearest;
  for (int i = p->n - 1; i >= 0; --i)
    p->after[i] = after_of(p, i + 1, sal_tries_miss(p->at[i].probability), &p->next[i]);
}

/* The first try that is surer. */
static int surer_than(const sal_tries *p, double probability)
{
  int i = 0;

  while (i < p->n && p->at[i].probability <= probability + same) ++i;
  return i;
}

int sal_tries_next(const sal_tries *p, double probability)
{
  int next;

  after_of(p, surer_than(p, probability), sal_tries_miss(probability), &next);
  return next;
}

double sal_tries_total(const sal_tries *p, double work, double probability)
{
  int next;

  return work + after_of(p, surer_than(p, probability), sal_tries_miss(probability), &next);
}
