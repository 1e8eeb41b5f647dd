/** One run with all tangent vectors. */
#include "growth.h"
#include "base.h"
#include "scalar_math.h"

static double length_of(int64_t n, const double x[])
{
  double squares = 0;

  for (int64_t i = 0; i < n; ++i) squares += x[i] * x[i];
  return sqrt(squares);
}

/* Never called: the map goes over a time. */
static double no_period(const void *inner, const double param[])
{
  (void)inner;
  (void)param;
  return INFINITY;
}

sal_err sal_growth_rate(const sal_setup *run, const double param[], const double initial[],
                        double *rate)
{
  sal_return_setup setup = sal_return_setup_of(run, 1);
  SAL_OWN_BY(sal_return_map_destroy) sal_return_map *map = NULL;
  SAL_OWN double *dp = NULL;

  *rate = NAN;
  if (sal_tangent_model_most(run->model) < 1) return SAL_OK;
  setup.section = (sal_section){.name = "end", .period = no_period};
  setup.time = run->t_end;
  setup.width = 1;
  SAL_TRY(sal_return_map_new(&setup, &map));
  const int64_t n = (int64_t)map->n_unknown * map->n_unknown;
  dp = sal_alloc((size_t)n + 1, sizeof *dp);
  if (!dp) return sal_fail(SAL_ERR_MEMORY, "no memory for tangent vectors");
  sal_return p = {.param = param, .start = initial, .dp = dp};
  SAL_TRY(sal_return_map_run(map, 1, &p));
  if (p.why == SAL_RETURN_MADE) *rate = sal_scalar_log(length_of(n, dp)) / run->t_end;
  return SAL_OK;
}
