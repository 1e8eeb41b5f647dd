/** The frontier of attempts, and what follows a miss. */
#include "schedule.h"
#include "base.h"

/* Sums of weights differ by rounding where probabilities are the same. */
static const double sure = 0.998, same = 1e-12;

double sal_schedule_miss(double probability) { return 1 - sure * probability; }

sal_err sal_schedule_create(int most, sal_schedule *p)
{
  *p = (sal_schedule){.at = sal_alloc((size_t)most, sizeof *p->at)};
  return p->at ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a schedule");
}

void sal_schedule_free(sal_schedule *p)
{
  sal_free(p->at);
  *p = (sal_schedule){0};
}

/* How many attempts of the frontier take no more work. */
static int place_of(const sal_schedule *p, double work)
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

void sal_schedule_add(sal_schedule *p, sal_attempt own)
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
static void thin_out(sal_schedule *p)
{
  if (p->n <= SAL_SCHEDULE_MOST) return;
  for (int i = 1; i < SAL_SCHEDULE_MOST; ++i)
    p->at[i] = p->at[i * (p->n - 1) / (SAL_SCHEDULE_MOST - 1)];
  p->n = SAL_SCHEDULE_MOST;
}

/* Expected work after a miss, with attempts from `from` on; *next: the next attempt. */
static double after_of(const sal_schedule *p, int from, double miss, int *next)
{
  double least = miss * p->fallback;

  *next = -1;
  for (int j = from; j < p->n; ++j) {
    const double own = miss * p->at[j].work + p->after[j];
    if (!(own < least)) continue;
    least = own;
    *next = j;
  }
  return least;
}

void sal_schedule_close(sal_schedule *p, double fallback)
{
  thin_out(p);
  p->fallback = fallback;
  for (int i = p->n - 1; i >= 0; --i)
    p->after[i] = after_of(p, i + 1, sal_schedule_miss(p->at[i].probability), &p->next[i]);
}

/* The first attempt that is surer. */
static int surer_than(const sal_schedule *p, double probability)
{
  int i = 0;

  while (i < p->n && p->at[i].probability <= probability + same) ++i;
  return i;
}

int sal_schedule_next(const sal_schedule *p, double probability)
{
  int next;

  after_of(p, surer_than(p, probability), sal_schedule_miss(probability), &next);
  return next;
}

double sal_schedule_total(const sal_schedule *p, double work, double probability)
{
  int next;

  return work + after_of(p, surer_than(p, probability), sal_schedule_miss(probability), &next);
}
