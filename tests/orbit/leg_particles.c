/** Flow, gap and jump of the leg of four particles (lane half). */
#include "leg_particles.h"
#include "lane_math.h"
#include "stages.h"

enum { PARTICLES = 4, Z = 0, V = PARTICLES, N_STATE = 2 * PARTICLES, ROWS = 3 };

static const double row[ROWS][PARTICLES] = {{1, -1, 0, 0}, {0, 0, 1, -1}, {0, 0, 0, 1}};

static void weigh(const sal_phase *s, sal_v H[PARTICLES])
{
  const sal_v *p = s->p, upper = p[LEG_MU] * p[LEG_M], lower = (1.0 - p[LEG_MU]) * p[LEG_M];

  H[0] = upper * p[LEG_MU_U];
  H[1] = upper * (1.0 - p[LEG_MU_U]);
  H[2] = lower * p[LEG_MU_L];
  H[3] = lower * (1.0 - p[LEG_MU_L]);
}

/* B lam = G x, B = G H^-1 G^T, for the first n rows: Gauss, since B is positive definite. */
static void find_multipliers(int n, const sal_v H[], const sal_v x[], sal_v lam[])
{
  sal_v B[ROWS][ROWS];

  for (int a = 0; a < n; ++a) {
    lam[a] = sal_set(0);
    for (int i = 0; i < PARTICLES; ++i) lam[a] += row[a][i] * x[i];
    for (int b = 0; b < n; ++b) {
      B[a][b] = sal_set(0);
      for (int i = 0; i < PARTICLES; ++i) B[a][b] += row[a][i] * row[b][i] / H[i];
    }
  }
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b) {
      const sal_v by = B[b][a] / B[a][a];
      for (int c = a; c < n; ++c) B[b][c] -= by * B[a][c];
      lam[b] -= by * lam[a];
    }
  for (int a = n - 1; a >= 0; --a) {
    for (int b = a + 1; b < n; ++b) lam[a] -= B[a][b] * lam[b];
    lam[a] /= B[a][a];
  }
}

/* x becomes x - H^-1 G^T lam for the first n rows: P_a x; lam [n]. */
static void project(int n, const sal_v H[], sal_v x[], sal_v lam[])
{
  find_multipliers(n, H, x, lam);
  for (int i = 0; i < PARTICLES; ++i)
    for (int a = 0; a < n; ++a) x[i] -= row[a][i] * lam[a] / H[i];
}

/* q'' of (18) and the multiplier of the ground in stance; `weight` 0 leaves the linear part alone. */
static void accelerate(const sal_phase *s, sal_m stands, double weight, const sal_v y[],
                       sal_v qdd[], sal_v *ground)
{
  const sal_v *p = s->p, d = sal_sel(stands, p[LEG_DG], p[LEG_DF]);
  const sal_v F = p[LEG_K] * (y[Z + 1] - y[Z + 2] - weight * p[LEG_L0]) + d * (y[V + 1] - y[V + 2]);
  sal_v H[PARTICLES], held[PARTICLES], lam[ROWS];

  weigh(s, H);
  for (int i = 0; i < PARTICLES; ++i) qdd[i] = sal_set(0) - weight * p[LEG_G];
  qdd[1] -= F / H[1];
  qdd[2] += F / H[2];
  memcpy(held, qdd, sizeof held);
  project(ROWS - 1, H, qdd, lam);
  project(ROWS, H, held, lam);
  sal_assign(PARTICLES, stands, qdd, held);
  if (ground) *ground = lam[ROWS - 1];
}

static sal_m foot_stands(const sal_phase *s, const sal_v y[])
{
  return sal_model_closed(s, 0, y[Z + 3]);
}

static void slope(const sal_phase *s, double weight, const sal_v y[], sal_v dy[])
{
  const sal_m stands = foot_stands(s, y);

  accelerate(s, stands, weight, y, dy + V, NULL);
  for (int i = 0; i < PARTICLES; ++i) dy[Z + i] = y[V + i];
}

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  (void)t;
  slope(s, 1, y, dy);
}

/* f is affine in each mode. */
static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const sal_m stands = foot_stands(s, y);
  sal_v e[N_STATE], column[N_STATE];

  (void)t;
  for (int j = 0; j < N_STATE; ++j) {
    for (int i = 0; i < N_STATE; ++i) e[i] = sal_set(i == j);
    accelerate(s, stands, 0, e, column + V, NULL);
    for (int i = 0; i < PARTICLES; ++i) column[Z + i] = e[V + i];
    for (int i = 0; i < N_STATE; ++i) J[i * N_STATE + j] = column[i];
  }
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  const sal_m stood = s->held & s->closed[0];
  sal_v unused[PARTICLES], pull, rise;

  (void)t;
  accelerate(s, ~sal_none(), 1, y, unused, &pull);
  accelerate(s, ~sal_none(), 0, dy, unused, &rise);
  gap[0] = sal_sel(stood, pull, y[Z + 3]);
  rate[0] = sal_sel(stood, rise, dy[Z + 3]);
}

/* Touchdown; at the release the foot is where and as fast as it was, which is nothing but rounding. */
static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const sal_m lands = lanes & s->closed[k], stops = sal_eq(s->p[LEG_RESET], sal_set(LEG_STOPS));
  const sal_v zero = sal_set(0);
  sal_v H[PARTICLES], qd[PARTICLES], lam[ROWS];

  (void)t;
  weigh(s, H);
  memcpy(qd, y + V, sizeof qd);
  project(ROWS, H, qd, lam);
  sal_assign(PARTICLES, lands & ~stops, y + V, qd);
  y[V + 2] = sal_sel(lands, zero, y[V + 2]);
  y[V + 3] = sal_sel(lanes, zero, y[V + 3]);
  y[Z + 3] = sal_sel(lanes, zero, y[Z + 3]);
}

SAL_FLOW(leg_particles, N_STATE, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
#define POSITION(name)                                                                             \
  {                                                                                                \
    name, "m", "height", 0, 0, 1, -1e6, 1e6, false, 0, false                                       \
  }
#define VELOCITY(name)                                                                             \
  {                                                                                                \
    name, "m/s", "velocity", 0, 0, 1, -1e6, 1e6, false, 0, false                                   \
  }
#define NUMBER(name, preset, most)                                                                 \
  {                                                                                                \
    name, "1", "", preset, preset, preset, -1e6, most, false, 0, false                             \
  }

extern const struct sal_flow_w4 leg_particles_w4;
extern const struct sal_flow_w8 leg_particles_w8;
const sal_model leg_particles = {
    .name = "leg-particles",
    .title = "hopping leg of four particles in redundant coordinates",
    .source = "test",
    .n_state = N_STATE,
    .n_guard = 1,
    .n_param = LEG_RESET,
    .n_option = 1,
    .contact = {{"touchdown", "release", false}},
    .section = {"release", 0, false, NULL},
    .resets = true,
    .autonomous = true,
    .span = 5,
    .velocity = {1 + V, 2 + V, 3 + V, 4 + V},
    .state = {POSITION("z1"), POSITION("z2"), POSITION("z3"), POSITION("z4"), VELOCITY("v1"),
              VELOCITY("v2"), VELOCITY("v3"), VELOCITY("v4")},
    .param = {NUMBER("m", 75, 1e6), NUMBER("mu", 0.8, 1), NUMBER("k", 15000, 1e9),
              NUMBER("dF", 150, 1e6), NUMBER("dG", -80, 1e6), NUMBER("g", 9.81, 1e3),
              NUMBER("L0", 0, 1e3), NUMBER("muU", 0.5, 1), NUMBER("muL", 0.5, 1)},
    .option = {{"reset", "of velocities", {"projects", "stops"}}},
    .w1 = &leg_particles_w1,
    .w4 = SAL_W4(&leg_particles_w4),
    .w8 = SAL_W8(&leg_particles_w8),
};
#endif
