/** The parallel loop, by OpenMP. */
#include "parallel.h"
#include <omp.h>
#include <stdatomic.h>

int sal_parallel_threads(void) { return omp_get_max_threads(); }

sal_err sal_parallel_alone(int threads, int64_t n, sal_parallel_body *body, void *with)
{
  (void)threads;
  for (int64_t i = 0; i < n; ++i) SAL_TRY(body(with, i, 0));
  return SAL_OK;
}

sal_err sal_parallel_for(int threads, int64_t n, sal_parallel_body *body, void *with)
{
  sal_err_note note = {0};
  sal_err first = SAL_OK;
  _Atomic int64_t end = n; /* the least number that has failed */

  if (threads <= 1 || n <= 1) return sal_parallel_alone(1, n, body, with);
#pragma omp parallel for num_threads(threads < n ? threads : (int)n) schedule(dynamic)
  for (int64_t i = 0; i < n; ++i) {
    if (i >= end) continue;
    const sal_err err = body(with, i, omp_get_thread_num());
    if (err == SAL_OK) continue;
    sal_err_note own = {0};
    sal_err_keep(&own);
#pragma omp critical
    if (i < end) {
      first = err;
      end = i;
      note = own;
    }
  }
  return first == SAL_OK ? SAL_OK : sal_err_take(first, &note);
}
