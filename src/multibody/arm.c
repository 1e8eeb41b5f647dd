/** Body-fixed vectors of the three kinds of bodies. */
#include "arm.h"
#include "scalar_math.h"
#include <string.h>

static void cross(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* B(e, s) = d(A(e) s)/de, linear in e; B(e, s) f = B(f, s) e, and A(e) s = B(e, s) e / 2. */
static void euler_slope(const double e[4], const double s[3], double B[3][4])
{
  const double v[3] = {e[1], e[2], e[3]}, vs = v[0] * s[0] + v[1] * s[1] + v[2] * s[2];
  double x[3];

  cross(v, s, x);
  for (int i = 0; i < 3; ++i) {
    B[i][0] = 2 * (e[0] * s[i] + x[i]);
    for (int j = 0; j < 3; ++j) B[i][j + 1] = 2 * (v[i] * s[j] - s[i] * v[j]);
    B[i][i + 1] += 2 * vs;
  }
  B[0][2] += 2 * e[0] * s[2], B[0][3] -= 2 * e[0] * s[1]; /* - 2 e0 skew(s) */
  B[1][3] += 2 * e[0] * s[0], B[1][1] -= 2 * e[0] * s[2];
  B[2][1] += 2 * e[0] * s[1], B[2][2] -= 2 * e[0] * s[0];
}

static void spatial_place(const double q[], const double s[3], bool placed, double x[3])
{
  const double *e = q + 3, ss = e[0] * e[0] - e[1] * e[1] - e[2] * e[2] - e[3] * e[3];
  const double vs = e[1] * s[0] + e[2] * s[1] + e[3] * s[2];
  double c[3];

  cross(e + 1, s, c);
  for (int i = 0; i < 3; ++i)
    x[i] = ss * s[i] + 2 * vs * e[i + 1] + 2 * e[0] * c[i] + (placed ? q[i] : 0);
}

static void planar_place(const double q[], const double s[3], bool placed, double x[3])
{
  double n, c;

  sal_scalar_sincos(q[2], &n, &c);
  x[0] = c * s[0] - n * s[1] + (placed ? q[0] : 0);
  x[1] = n * s[0] + c * s[1] + (placed ? q[1] : 0);
  x[2] = s[2];
}

static void particle_place(const double q[], const double s[3], bool placed, double x[3])
{
  memcpy(x, s, 3 * sizeof *x);
  if (placed) x[2] += q[0];
}

static void spatial_slope(const double q[], const double s[3], bool placed, sal_arm_value *out)
{
  double B[3][4];

  spatial_place(q, s, placed, out->x);
  euler_slope(q + 3, s, B);
  for (int i = 0; i < 3; ++i) {
    if (placed) out->d[i][i] = 1;
    memcpy(&out->d[i][3], B[i], sizeof B[i]);
  }
}

static void planar_slope(const double q[], const double s[3], bool placed, sal_arm_value *out)
{
  planar_place(q, s, false, out->x);
  out->d[0][2] = -out->x[1];
  out->d[1][2] = out->x[0];
  for (int i = 0; i < 2 && placed; ++i) {
    out->x[i] += q[i];
    out->d[i][i] = 1;
  }
}

static void particle_slope(const double q[], const double s[3], bool placed, sal_arm_value *out)
{
  particle_place(q, s, placed, out->x);
  if (placed) out->d[2][0] = 1;
}

static void spatial_turn(const double q[], const double p[], const double s[3], sal_arm_turn *out)
{
  double B[3][4];

  (void)q;
  euler_slope(p + 3, s, B);
  for (int i = 0; i < 3; ++i) {
    memcpy(&out->d2[i][3], B[i], sizeof B[i]);
    for (int j = 0; j < 4; ++j) out->bend[i] += B[i][j] * p[3 + j];
  }
}

static void planar_turn(const double q[], const double p[], const double s[3], sal_arm_turn *out)
{
  const double w = p[2];
  double n, c;

  sal_scalar_sincos(q[2], &n, &c);
  const double x[2] = {c * s[0] - n * s[1], n * s[0] + c * s[1]};

  for (int i = 0; i < 2; ++i) out->d2[i][2] = -x[i] * w, out->bend[i] = -x[i] * w * w;
  out->d3[0][2] = x[1] * w * w;
  out->d3[1][2] = -x[0] * w * w;
}

static void particle_turn(const double q[], const double p[], const double s[3], sal_arm_turn *out)
{
  (void)q, (void)p, (void)s, (void)out;
}

/* w . A(e) s = e^T K e with a symmetric K. */
static void spatial_hessian(const double q[], const double s[3], const double w[3],
                            double K[SAL_ARM][SAL_ARM])
{
  const double sw = s[0] * w[0] + s[1] * w[1] + s[2] * w[2];
  double x[3];

  (void)q;
  cross(s, w, x);
  K[3][3] += 2 * sw;
  for (int i = 0; i < 3; ++i) {
    K[3][4 + i] += 2 * x[i];
    K[4 + i][3] += 2 * x[i];
    for (int j = 0; j < 3; ++j) K[4 + i][4 + j] += 2 * (s[i] * w[j] + w[i] * s[j]);
    K[4 + i][4 + i] -= 2 * sw;
  }
}

static void planar_hessian(const double q[], const double s[3], const double w[3],
                           double K[SAL_ARM][SAL_ARM])
{
  double x[3];

  planar_place(q, s, false, x);
  K[2][2] -= x[0] * w[0] + x[1] * w[1];
}

static void particle_hessian(const double q[], const double s[3], const double w[3],
                             double K[SAL_ARM][SAL_ARM])
{
  (void)q, (void)s, (void)w, (void)K;
}

static const struct {
  void (*place)(const double q[], const double s[3], bool placed, double x[3]);
  void (*slope)(const double q[], const double s[3], bool placed, sal_arm_value *out);
  void (*turn)(const double q[], const double p[], const double s[3], sal_arm_turn *out);
  void (*hessian)(const double q[], const double s[3], const double w[3],
                  double K[SAL_ARM][SAL_ARM]);
} kinds[SAL_N_BODY_KIND] = {
    [SAL_BODY_SPATIAL] = {spatial_place, spatial_slope, spatial_turn, spatial_hessian},
    [SAL_BODY_PLANAR] = {planar_place, planar_slope, planar_turn, planar_hessian},
    [SAL_BODY_PARTICLE] = {particle_place, particle_slope, particle_turn, particle_hessian},
};

void sal_arm_place(const sal_system *system, const double value[], const double q[],
                   const sal_arm *arm, double x[3])
{
  const double *s = value + arm->s;

  if (arm->body < 0) {
    memcpy(x, s, 3 * sizeof *x);
    return;
  }
  const sal_body *b = &system->body[arm->body];
  kinds[b->kind].place(q + b->first, s, arm->placed, x);
}

void sal_arm_at(const sal_system *system, const double value[], const double q[],
                const sal_arm *arm, sal_arm_value *out)
{
  memset(out, 0, sizeof *out);
  if (arm->body < 0) memcpy(out->x, value + arm->s, sizeof out->x);
  if (arm->body < 0) return;
  const sal_body *b = &system->body[arm->body];
  kinds[b->kind].slope(q + b->first, value + arm->s, arm->placed, out);
}

void sal_arm_along(const sal_system *system, const double value[], const double q[],
                   const double p[], const sal_arm *arm, sal_arm_turn *out)
{
  memset(out, 0, sizeof *out);
  if (arm->body < 0) return;
  const sal_body *b = &system->body[arm->body];
  kinds[b->kind].turn(q + b->first, p + b->first, value + arm->s, out);
}

void sal_arm_hessian(const sal_system *system, const double value[], const double q[],
                     const sal_arm *arm, const double w[3], double K[SAL_ARM][SAL_ARM])
{
  if (arm->body < 0) return;
  const sal_body *b = &system->body[arm->body];
  kinds[b->kind].hessian(q + b->first, value + arm->s, w, K);
}
