/** A raster, asked by all ranks. */
#include "ask.h"
#include "base.h"
#include "collective_error.h"
#include "surrogate_view.h"

enum { BATCH = 2048 }; /* points that are made at once */

sal_err sal_raster_cube_open(sal_raster_cube *r, const char *where)
{
  r->question.method = r->cube.method;
  r->question.strategy = r->cube.strategy;
  SAL_TRY(sal_ask_surrogate(&r->cube, true, &r->source, &r->surrogate));
  SAL_TRY(sal_surrogate_view_share(r->surrogate, sal_parallel_threads(), sal_parallel_for));
  return sal_surrogate_box_settle(sal_surrogate_coordinates_of(r->surrogate), where, r->raster.lo,
                                  r->raster.hi);
}

sal_err sal_raster_cube_settle(sal_raster_cube *r)
{
  sal_surrogate_raster *raster = &r->raster;

  memcpy(r->box_lo, raster->lo, sizeof r->box_lo);
  memcpy(r->box_hi, raster->hi, sizeof r->box_hi);
  SAL_TRY(
      sal_surrogate_raster_decides(r->surrogate, &r->question, raster->lo, raster->hi, r->share));
  sal_surrogate_raster_settle(raster, sal_surrogate_coordinates_of(r->surrogate), r->share);
  r->n = sal_surrogate_raster_count(raster);
  return SAL_OK;
}

/* Points first .. first + n - 1. */
static sal_err ask_run(const sal_raster_cube *r, int64_t first, int64_t n, sal_answer spot[])
{
  const sal_surrogate_coordinates *c = sal_surrogate_coordinates_of(r->surrogate);
  SAL_OWN double(*value)[SAL_MAX_QUANTITY] = sal_alloc(BATCH, sizeof *value);

  if (!value) return sal_fail(SAL_ERR_MEMORY, "no memory for points");
  for (int64_t done = 0; done < n; done += BATCH) {
    const int64_t m = n - done < BATCH ? n - done : BATCH;
    for (int64_t i = 0; i < m; ++i)
      sal_surrogate_raster_point(&r->raster, c, first + done + i, value[i]);
    SAL_TRY(sal_surrogate_spots(r->surrogate, m, value, &r->question, spot + done));
  }
  return SAL_OK;
}

static sal_err ask_own(const sal_raster_cube *r, int rank, int n_rank, int64_t *n,
                       sal_answer **spot)
{
  const int64_t first = r->n * rank / n_rank;

  *n = r->n * (rank + 1) / n_rank - first;
  *spot = sal_alloc((size_t)*n, sizeof **spot);
  if (!*spot) return sal_fail(SAL_ERR_MEMORY, "no memory for a raster");
  return ask_run(r, first, *n, *spot);
}

sal_err sal_raster_cube_ask(MPI_Comm comm, sal_raster_cube *r, sal_err here)
{
  SAL_OWN sal_answer *own = NULL;
  void *all = NULL;
  int64_t n = 0, n_all;

  if (here == SAL_OK)
    here = ask_own(r, sal_collective_rank(comm), sal_collective_ranks(comm), &n, &own);
  SAL_TRY(sal_collective_error(comm, here));
  const sal_err err = sal_collective_gather(comm, 0, n, sizeof *own, own, &n_all, &all);
  r->spot = all;
  return err;
}

void sal_raster_cube_free(sal_raster_cube *r)
{
  sal_surrogate_close(&r->surrogate);
  sal_free(r->spot);
  sal_performance_cube_free(&r->cube);
}
