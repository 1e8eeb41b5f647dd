/** The POSIX clocks. */
#include "clock.h"
#include <time.h>

static double read_clock(clockid_t clock)
{
  struct timespec now = {0};
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double sal_clock_cpu(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

double sal_clock_wall(void) { return read_clock(CLOCK_MONOTONIC); }
