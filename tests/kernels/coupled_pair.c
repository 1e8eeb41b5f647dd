/** y1'' = -y1 + (1 - y2^2) y1' / 2 + y2 sin(2 t) / 5,  y2'' = -2 sin y2 - y2'^3 / 10 + 3 y1 y1' / 10
 *  + cos t.
 */
#include "coupled_pair.h"
#include "lane_math.h"
#include "methods/rosenbrock_nystrom.h"
#include "stages.h"

enum { Y1, Y2, V1, V2, N_STATE };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  sal_v sine, cosine, sine2, cosine2, sine_y, cosine_y;

  (void)s;
  sal_lane_sincos(t, &sine, &cosine);
  sal_lane_sincos(2.0 * t, &sine2, &cosine2);
  sal_lane_sincos(y[Y2], &sine_y, &cosine_y);
  dy[Y1] = y[V1];
  dy[Y2] = y[V2];
  dy[V1] = -y[Y1] + 0.5 * (1.0 - y[Y2] * y[Y2]) * y[V1] + 0.2 * y[Y2] * sine2;
  dy[V2] = -2.0 * sine_y - 0.1 * y[V2] * y[V2] * y[V2] + 0.3 * y[Y1] * y[V1] + cosine;
}

static void jac_zero(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)s, (void)t, (void)y;
  for (int i = 0; i < N_STATE * N_STATE; ++i) J[i] = sal_set(0);
  J[Y1 * N_STATE + V1] = J[Y2 * N_STATE + V2] = sal_set(1);
}

static void jac_exact(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  sal_v sine2, cosine2, sine_y, cosine_y;

  sal_lane_sincos(2.0 * t, &sine2, &cosine2);
  sal_lane_sincos(y[Y2], &sine_y, &cosine_y);
  jac_zero(s, t, y, J);
  J[V1 * N_STATE + Y1] = sal_set(-1);
  J[V1 * N_STATE + Y2] = 0.2 * sine2 - y[Y2] * y[V1];
  J[V1 * N_STATE + V1] = 0.5 * (1.0 - y[Y2] * y[Y2]);
  J[V2 * N_STATE + Y1] = 0.3 * y[V1];
  J[V2 * N_STATE + Y2] = -2.0 * cosine_y;
  J[V2 * N_STATE + V1] = 0.3 * y[Y1];
  J[V2 * N_STATE + V2] = -0.3 * y[V2] * y[V2];
}

static void jac_frozen(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const sal_v start[N_STATE] = {sal_set(coupled_start[Y1]), sal_set(coupled_start[Y2]),
                                sal_set(coupled_start[V1]), sal_set(coupled_start[V2])};

  (void)t, (void)y;
  jac_exact(s, sal_set(0), start, J);
}

static void jac_wrong(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  sal_v right[N_STATE * N_STATE];

  jac_exact(s, t, y, right);
  jac_zero(s, t, y, J);
  for (int k = 0; k < 2; ++k) {
    const int place = (V1 + k) * N_STATE + Y1 + k, speed = (V1 + k) * N_STATE + V1 + k;
    J[place] = 0.7 * right[place];
    J[speed] = 1.3 * right[speed];
  }
}

SAL_FLOW(coupled_exact, N_STATE, .jac = jac_exact);
const sal_flow SAL_FN(coupled_frozen) = {.rhs = rhs, .stages = stages, .jac = jac_frozen};
const sal_flow SAL_FN(coupled_zero) = {.rhs = rhs, .stages = stages, .jac = jac_zero};
const sal_flow SAL_FN(coupled_wrong) = {.rhs = rhs, .stages = stages, .jac = jac_wrong};

#if SAL_LANES == 1
#define COUPLED(other)                                                                             \
  extern const struct sal_flow_w4 other##_w4;                                                      \
  extern const struct sal_flow_w8 other##_w8;                                                      \
  const sal_model other = {.name = #other,                                                         \
                           .n_state = N_STATE,                                                     \
                           .velocity = {[Y1] = 1 + V1, [Y2] = 1 + V2},                             \
                           .w1 = &other##_w1,                                                      \
                           .w4 = SAL_W4(&other##_w4),                                              \
                           .w8 = SAL_W8(&other##_w8)}
COUPLED(coupled_exact);
COUPLED(coupled_frozen);
COUPLED(coupled_zero);
COUPLED(coupled_wrong);

/* The weights of the embedded solution in place of the others. */
static sal_rosenbrock_nystrom embedded_of(const sal_rosenbrock_nystrom *table)
{
  sal_rosenbrock_nystrom other = *table;

  for (int i = 0; i < SAL_NYSTROM_STAGES; ++i) {
    other.m[i] -= table->e_m[i];
    other.mu[i] -= table->e_mu[i];
  }
  return other;
}

static sal_m step4(sal_step_state *s, sal_m lanes)
{
  const sal_rosenbrock_nystrom table = embedded_of(&sal_rosnys4_table);

  return sal_rosenbrock_nystrom_step(s, lanes, &table);
}

static sal_m step2(sal_step_state *s, sal_m lanes)
{
  const sal_rosenbrock_nystrom table = embedded_of(&sal_rosnysw2_table);

  return sal_rosenbrock_nystrom_step(s, lanes, &table);
}

static sal_m step_printed(sal_step_state *s, sal_m lanes)
{
  sal_rosenbrock_nystrom table = sal_rosnys4_table;

  table.a[1][0] = 0.2;
  return sal_rosenbrock_nystrom_step(s, lanes, &table);
}

static void start(sal_step_state *s, sal_m lanes)
{
  sal_rosenbrock_nystrom_start(s, lanes, &sal_rosnys4_table);
}

/* The ends of a step are compared, not its middle. */
static int dense(sal_step_state *s, sal_v c[])
{
  return sal_rosenbrock_nystrom_dense(s, &sal_rosnys4_table, c);
}

#define VARIANT(other, its_order, its_step)                                                        \
  static const sal_method_ops other##_w1 = {.words = sal_rosenbrock_nystrom_words,                 \
                                            .start = start,                                        \
                                            .step = (its_step),                                    \
                                            .advance = sal_rosenbrock_nystrom_advance,             \
                                            .retry = sal_rosenbrock_nystrom_retry,                 \
                                            .dense = dense};                                       \
  const sal_method other = {.name = #other,                                                        \
                            .order = (its_order),                                                  \
                            .min_order = (its_order),                                              \
                            .implicit = true,                                                      \
                            .second_order = true,                                                  \
                            .w1 = &other##_w1}
VARIANT(rosnys4_embedded, 3, step4);
VARIANT(rosnysw2_embedded, 1, step2);
VARIANT(rosnys4_printed, 1, step_printed);
#endif
