/** The one parallel loop outside of the ensemble: numbers that the threads of a rank take one after another.
 *
 *  Results must not depend on the number of threads: a body writes what belongs to its number, or room of its thread.
 *  Bodies call neither MPI nor HDF5.
 */
#pragma once

#include "err.h"
#include <stdint.h>

/** Work on number i, by thread 0 .. threads - 1. */
typedef sal_err sal_parallel_body(void *with, int64_t i, int thread);

/** Calls body for each i = 0 .. n - 1, ascending, on up to so many threads.  After a failure no larger i is begun; of several
 *  failures that of the least i is returned, with its message. */
typedef sal_err sal_parallel_loop(int threads, int64_t n, sal_parallel_body *body, void *with);

/** By OpenMP, and by the calling thread alone. */
sal_err sal_parallel_for(int threads, int64_t n, sal_parallel_body *body, void *with);
sal_err sal_parallel_alone(int threads, int64_t n, sal_parallel_body *body, void *with);

/** Threads of this rank: OMP_NUM_THREADS. */
int sal_parallel_threads(void);
