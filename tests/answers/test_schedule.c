/** Schedules by hand, against all schedules there are, and against the single attempt. */
#include "memory.h"
#include "sal_test.h"
#include "schedule.h"
#include <math.h>

enum { FEW = 9, MANY = 300, ROUNDS = 200 };

static sal_attempt candidate[MANY];

/* Deterministic numbers in 0 .. 1. */
static uint64_t state = 12345;
static double draw(void)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) / 9007199254740992.0;
}

static void make(sal_schedule *p, int n, double fallback)
{
  CU_ASSERT_EQUAL_FATAL(sal_schedule_create(n, p), SAL_OK);
  for (int i = 0; i < n; ++i) sal_schedule_add(p, candidate[i]);
  sal_schedule_close(p, fallback);
}

static void by_hand(void)
{
  sal_schedule p;

  candidate[0] = (sal_attempt){1, 0, 100, 0.5}; /* more expensive and surer than the next one */
  candidate[1] = (sal_attempt){2, 0, 10, 0.25};
  candidate[2] = (sal_attempt){3, 0, 120, 0.4}; /* beaten by the first */
  candidate[3] = (sal_attempt){4, 0, 100, 0.5}; /* the same again */
  candidate[4] = (sal_attempt){5, 0, 400, 1};
  make(&p, 5, 1000);
  CU_ASSERT_EQUAL(p.n, 3);
  CU_ASSERT(p.at[0].pair == 2 && p.at[1].pair == 1 && p.at[2].pair == 5);
  CU_ASSERT_DOUBLE_EQUAL(sal_schedule_miss(1), 0.002, 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(p.after[2], 0.002 * 1000, 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(p.after[1], 0.501 * 400 + 2,
                         1e-10); /* 0.501 times the most expensive is more */
  /* of 0.7505 (100 and the rest of that), 0.7505 400 and 2, and 0.7505 1000 the first is least */
  CU_ASSERT_DOUBLE_EQUAL(p.after[0], 0.7505 * 100 + 0.501 * 400 + 2, 1e-10);
  CU_ASSERT(p.next[0] == 1 && p.next[1] == 2 && p.next[2] == -1);
  CU_ASSERT_DOUBLE_EQUAL(sal_schedule_total(&p, 120, 0.4), 120 + 0.6008 * 400 + 2, 1e-10);
  CU_ASSERT_EQUAL(sal_schedule_next(&p, 0.4), 2);
  sal_schedule_free(&p);

  make(&p, 5, 300); /* nothing that takes 400 is worth it */
  CU_ASSERT(p.next[1] == -1 && fabs(p.after[1] - 0.501 * 300) < 1e-10);
  sal_schedule_free(&p);
  make(&p, 0, 7);
  CU_ASSERT(p.n == 0 && sal_schedule_next(&p, 0.5) == -1);
  sal_schedule_free(&p);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Expected work of the attempts in a mask, in order of their probability, whatever their work. */
static double work_of(int n, const sal_attempt at[], unsigned mask, double fallback)
{
  double sum = 0, missed = 1;

  for (int i = 0; i < n; ++i) {
    if (!(mask >> i & 1)) continue;
    sum += missed * at[i].work;
    missed = 1 - 0.998 * at[i].probability;
  }
  return sum + missed * fallback;
}

static void sort_by_probability(int n)
{
  for (int i = 1; i < n; ++i)
    for (int j = i; j > 0 && candidate[j].probability < candidate[j - 1].probability; --j) {
      const sal_attempt own = candidate[j];
      candidate[j] = candidate[j - 1];
      candidate[j - 1] = own;
    }
}

/* No schedule of up to nine attempts takes less work; and the schedule found takes the work computed for it. */
static void no_plan_takes_less(void)
{
  for (int round = 0; round < ROUNDS; ++round) {
    sal_schedule p;
    const int n = 1 + (int)(draw() * FEW);
    const double fallback = exp(4 + 6 * draw());
    double least = INFINITY, told = INFINITY;

    for (int i = 0; i < n; ++i) {
      const double surer = draw();
      candidate[i] = (sal_attempt){i, 0, exp(3 + 4 * surer + 2 * draw()), surer};
    }
    sort_by_probability(n);
    for (int i = 0; i < n; ++i) candidate[i].pair = i;
    make(&p, n, fallback);
    for (unsigned mask = 1; mask < 1u << n; ++mask)
      least = fmin(least, work_of(n, candidate, mask, fallback));
    int first = 0;
    for (int i = 0; i < n; ++i) {
      const double total = sal_schedule_total(&p, candidate[i].work, candidate[i].probability);
      CU_ASSERT(total <= work_of(n, candidate, 1u << i, fallback) * (1 + 1e-12));
      if (total < told) first = i;
      told = fmin(told, total);
    }
    CU_ASSERT_DOUBLE_EQUAL(told / least, 1, 1e-12);

    unsigned followed = 1u << first;
    for (int i = sal_schedule_next(&p, candidate[first].probability); i >= 0; i = p.next[i])
      followed |= 1u << p.at[i].pair;
    CU_ASSERT_DOUBLE_EQUAL(work_of(n, candidate, followed, fallback) / told, 1, 1e-12);
    sal_schedule_free(&p);
  }
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Order of the candidates does not matter, and of many the ends stay. */
static void many_are_thinned_out(void)
{
  sal_schedule p, q;

  for (int i = 0; i < MANY; ++i) candidate[i] = (sal_attempt){i, 0, 10 + i, (i + 1.) / MANY};
  make(&p, MANY, 1e4);
  CU_ASSERT_EQUAL(p.n, SAL_SCHEDULE_MOST);
  CU_ASSERT(p.at[0].pair == 0 && p.at[p.n - 1].pair == MANY - 1);
  for (int i = 1; i < p.n; ++i) {
    const int step = p.at[i].pair - p.at[i - 1].pair;
    CU_ASSERT(step == 7 || step == 8); /* 299 in 39 */
  }
  for (int i = 0; i < MANY / 2; ++i) {
    const sal_attempt own = candidate[i];
    candidate[i] = candidate[MANY - 1 - i];
    candidate[MANY - 1 - i] = own;
  }
  make(&q, MANY, 1e4);
  for (int i = 0; i < p.n; ++i) {
    CU_ASSERT_EQUAL(p.at[i].pair, q.at[i].pair);
    CU_ASSERT(p.after[i] == q.after[i] && p.next[i] == q.next[i]);
  }
  sal_schedule_free(&p);
  sal_schedule_free(&q);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("schedule", NULL, {"by hand", by_hand},
              {"no schedule takes less", no_plan_takes_less},
              {"many are thinned out", many_are_thinned_out})
