/** The CPU clock runs while the thread computes, the wall clock always. */
#include "clock.h"
#include "sal_test.h"
#include <time.h>

static volatile double sink;

static void the_cpu_clock_runs_with_the_work(void)
{
  const double cpu = sal_clock_cpu(), wall = sal_clock_wall();
  while (sal_clock_cpu() - cpu < 0.02)
    for (int i = 0; i < 1000; ++i) sink += i;
  CU_ASSERT(sal_clock_wall() - wall > 0.015); /* a thread cannot use more than the time there is */
}

static void the_cpu_clock_stands_still_in_sleep(void)
{
  const double cpu = sal_clock_cpu(), wall = sal_clock_wall();
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  CU_ASSERT(sal_clock_wall() - wall >= 0.05);
  CU_ASSERT(sal_clock_cpu() - cpu < 0.025);
}

SAL_TEST_MAIN("clock", NULL, {"the CPU clock runs with the work", the_cpu_clock_runs_with_the_work},
              {"the CPU clock stops in sleep", the_cpu_clock_stands_still_in_sleep})
