/** Chooses among the builds of the kernels. */
#include "engine.h"
#include "integrate.h"

#ifdef __aarch64__
#define SAL_W4_LANES 2 /* of NEON */
#else
#define SAL_W4_LANES 4
#endif

size_t sal_integrate_bytes_w1(const sal_setup *setup);
size_t sal_integrate_bytes_w4(const sal_setup *setup);
size_t sal_integrate_bytes_w8(const sal_setup *setup);
void sal_integrate_w1(const sal_setup *, int64_t, const sal_job *, sal_record *, void *);
void sal_integrate_w4(const sal_setup *, int64_t, const sal_job *, sal_record *, void *);
void sal_integrate_w8(const sal_setup *, int64_t, const sal_job *, sal_record *, void *);
typedef void again(const sal_model *, const double[], const bool[], int, const double[], double[]);
again sal_field_again_w1, sal_field_again_w4, sal_field_again_w8;

static const struct width {
  int lanes;
  size_t (*bytes)(const sal_setup *);
  void (*run)(const sal_setup *, int64_t, const sal_job *, sal_record *, void *);
  again *field;
} widths[] = {
#if SAL_WIDEST == 8
    {8, sal_integrate_bytes_w8, sal_integrate_w8, sal_field_again_w8},
#endif
#if SAL_WIDEST >= 4
    {SAL_W4_LANES, sal_integrate_bytes_w4, sal_integrate_w4, sal_field_again_w4},
#endif
    {1, sal_integrate_bytes_w1, sal_integrate_w1, sal_field_again_w1},
};

#if SAL_WIDEST == 1 || SAL_W4_LANES == 2
int sal_integrate_widest(void) { return SAL_WIDEST == 1 ? 1 : 2; }
#else
int sal_integrate_widest(void)
{
  if (SAL_WIDEST == 8 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd"))
    return 8;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 4;
  return 1;
}
#endif

/* At most so many lanes, or one. */
static const struct width *choose_width(bool several, int lanes)
{
  const struct width *w = widths;

  while (w->lanes > 1 && (w->lanes > lanes || !several)) ++w;
  return w;
}

static const struct width *width_of(const sal_setup *setup, int lanes)
{
  return choose_width(setup->method->w4 && setup->model->w4, lanes);
}

void sal_integrate_field(const sal_model *model, int width, const double param[],
                         const bool closed[], int times, const double y[], double dy[])
{
  choose_width(model->w4 != NULL, width)->field(model, param, closed, times, y, dy);
}

size_t sal_integrate_bytes(const sal_setup *setup, int width)
{
  if (setup->method->engine) return sal_engine_bytes(setup);
  return width_of(setup, width)->bytes(setup);
}

/* Fixed steps are counted beforehand: a hundred times their number is a run that turns in
 * circles. */
static int64_t most_attempts(const sal_setup *setup)
{
  const double most = 1e9, steps = setup->fixed_step > 0 ? setup->t_end / setup->fixed_step : most;
  const double circles = 1000 + 100 * steps;

  return (int64_t)(circles < most ? circles : most);
}

void sal_integrate(const sal_setup *setup, int width, int64_t n, const sal_job *job,
                   sal_record *out, void *work)
{
  sal_setup full = *setup;

  if (full.max_attempts <= 0) full.max_attempts = most_attempts(setup);
  if (setup->method->engine)
    sal_engine_integrate(&full, n, job, out, work);
  else
    width_of(setup, width)->run(&full, n, job, out, work);
}
