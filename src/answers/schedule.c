/** The frontier of attempts, and what follows a miss; schedules of the candidates of a place. */
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

static const double half = 0.5;

static int number_of(const sal_surrogate_totals *t, int pair, int step)
{
  return pair * t->steps->n + step;
}

void sal_schedule_of_totals(sal_schedule *p, const sal_surrogate_totals *t)
{
  p->n = 0;
  for (int pair = 0; pair < t->n_pair; ++pair)
    for (int i = 0; i < t->steps->n_candidate && t->allowed[pair]; ++i) {
      const int at = number_of(t, pair, i);
      if (isnan(t->work[at])) continue;
      sal_schedule_add(p, (sal_attempt){pair, i, t->work[at], t->probability[at]});
    }
  sal_schedule_close(p, t->fallback);
}

sal_surrogate_pick sal_schedule_least(const sal_schedule *p, const sal_surrogate_totals *t,
                                      int pair)
{
  sal_surrogate_pick best = {pair, -1, INFINITY};

  for (int i = t->steps->n_candidate - 1; i >= 0 && t->allowed[pair]; --i) {
    const int at = number_of(t, pair, i);
    if (isnan(t->work[at]) || t->work[at] > best.total || t->probability[at] < half) continue;
    const double total = sal_schedule_total(p, t->work[at], t->probability[at]);
    if (total <= best.total) best = (sal_surrogate_pick){pair, i, total};
  }
  return best;
}

sal_surrogate_pick sal_schedule_best(const sal_schedule *p, const sal_surrogate_totals *t)
{
  sal_surrogate_pick best = {-1, -1, INFINITY};

  for (int pair = 0; pair < t->n_pair; ++pair) {
    const sal_surrogate_pick own = sal_schedule_least(p, t, pair);
    if (own.step >= 0 && own.total < best.total) best = own;
  }
  return best;
}

sal_surrogate_choice sal_schedule_choice(const sal_schedule *p, const sal_surrogate_totals *t,
                                         sal_surrogate_pick pick)
{
  sal_surrogate_choice c = sal_surrogate_totals_choice(t, pick);

  if (pick.step >= 0) c.total = sal_schedule_total(p, c.work, c.probability);
  return c;
}

int sal_schedule_list(const sal_schedule *p, const sal_surrogate_totals *t,
                      const sal_surrogate_choice *first, sal_surrogate_choice out[])
{
  int n = 0;

  out[n++] = *first;
  for (int i = sal_schedule_next(p, first->probability); i >= 0; i = p->next[i])
    out[n++] = sal_schedule_choice(p, t, (sal_surrogate_pick){p->at[i].pair, p->at[i].step, NAN});
  return n;
}
