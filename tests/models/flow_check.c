/** Derivatives against central differences. */
#include "flow_check.h"
#include <math.h>
#include <string.h>

enum { NEAR = 1, FAR = 2 };

static const double distance = 0x1p-18;
static const double stencil[4] = {-FAR, -NEAR, NEAR, FAR};

/* Differences at two distances: what they disagree by is their own uncertainty. */
typedef struct {
  double value, doubt;
} difference;

static difference central(double far_below, double below, double above, double far_above)
{
  const double near = (above - below) / (2 * NEAR * distance);
  const double far = (far_above - far_below) / (2 * FAR * distance);

  return (difference){near, fabs(near - far)};
}

/* The model at `at`, moved by `by` times (dt, e). */
static void values_at(const sal_model *m, int n_guard, const flow_point *at, double dt,
                      const double e[], double by, flow_values *out)
{
  flow_point moved = *at;

  moved.t += by * dt;
  for (int i = 0; i < sal_model_continuous(m); ++i) moved.y[i] += by * e[i];
  memset(out, 0, sizeof *out);
  flow_probe_w1(m, n_guard, 0, 1, &moved, out);
}

flow_verdict flow_check_jacobian(const sal_model *m, int n_guard, const flow_point *at)
{
  const int n = sal_model_continuous(m);
  flow_verdict out = {.text = ""};
  flow_point frozen = *at;
  static flow_values here, v[4];

  frozen.held = true; /* differences must not straddle a change of mode */
  values_at(m, n_guard, &frozen, 0, at->tangent, 0, &here);
  for (int j = 0; j < n && here.has_jacobian; ++j) {
    double e[SAL_MAX_STATE] = {0};
    e[j] = 1;
    for (int i = 0; i < 4; ++i) values_at(m, n_guard, &frozen, 0, e, stencil[i] * distance, &v[i]);
    for (int i = 0; i < n; ++i) {
      const double J = here.jacobian[i * n + j], size = 1 + fabs(J) + fabs(here.slope[i]);
      const difference d = central(v[0].slope[i], v[1].slope[i], v[2].slope[i], v[3].slope[i]);
      if (d.doubt < 1e-6 * size) out.size = fmax(out.size, fabs(d.value));
      if (fabs(J - d.value) <= 3e-9 * size + d.doubt || out.text[0]) continue;
      snprintf(out.text, sizeof out.text,
               "%s: J[%d][%d] = d(%s')/d(%s) is %.9g, by differences %.9g", m->name, i, j,
               m->state[i].name, m->state[j].name, J, d.value);
    }
  }
  return out;
}

flow_verdict flow_check_rate(const sal_model *m, int n_guard, const flow_point *at)
{
  flow_verdict out = {.text = ""};
  static flow_values here, v[4];

  values_at(m, n_guard, at, 0, at->tangent, 0, &here);
  for (int i = 0; i < 4; ++i)
    values_at(m, n_guard, at, 1, at->tangent, stencil[i] * distance, &v[i]);
  for (int k = 0; k < n_guard; ++k) {
    const difference d = central(v[0].gap[k], v[1].gap[k], v[2].gap[k], v[3].gap[k]);
    const double size = 1 + fabs(here.gap[k]);
    out.size = fmax(out.size, fabs(d.value));
    if (fabs(here.rate[k] - d.value) <= 3e-9 * size + d.doubt || out.text[0]) continue;
    snprintf(out.text, sizeof out.text, "%s: the rate of contact %d is %.9g, by differences %.9g",
             m->name, k, here.rate[k], d.value);
  }
  return out;
}

flow_verdict flow_check_slope(const sal_model *m, int n_guard, const flow_point *at)
{
  flow_verdict out = {.text = ""};
  static flow_values here;

  values_at(m, n_guard, at, 0, at->tangent, 0, &here);
  for (int i = 0; i < sal_model_continuous(m); ++i) {
    out.size = fmax(out.size, fabs(here.slope[i]));
    if (!isfinite(here.slope[i]))
      snprintf(out.text, sizeof out.text, "%s: %s' is %g", m->name, m->state[i].name,
               here.slope[i]);
  }
  if (here.touched)
    snprintf(out.text, sizeof out.text, "%s: the right-hand side changes its arguments", m->name);
  return out;
}

flow_verdict flow_check_velocity(const sal_model *m, int n_guard, const flow_point *at)
{
  flow_verdict out = {.text = ""};
  static flow_values here, moved;
  double all[SAL_MAX_STATE];

  for (int i = 0; i < SAL_MAX_STATE; ++i) all[i] = 1;
  values_at(m, n_guard, at, 0, all, 0, &here);
  values_at(m, n_guard, at, 0, all, distance, &moved);
  for (int i = 0; i < sal_model_continuous(m); ++i) {
    const int v = m->velocity[i] - 1;
    if (v < 0) continue;
    const bool held = here.slope[i] == moved.slope[i] && here.slope[v] == moved.slope[v];
    out.size += here.slope[i] == at->y[v];
    if (here.slope[i] == at->y[v] || (held && m->n_guard > 0)) continue;
    snprintf(out.text, sizeof out.text, "%s: %s' is %.9g, and its velocity %s is %.9g", m->name,
             m->state[i].name, here.slope[i], m->state[v].name, at->y[v]);
  }
  return out;
}

flow_verdict flow_check_time(const sal_model *m, int n_guard, const flow_point *at)
{
  flow_verdict out = {.text = ""};
  static flow_values here, later;

  values_at(m, n_guard, at, 1, at->tangent, 0, &here);
  values_at(m, n_guard, at, 1, (const double[SAL_MAX_STATE]){0}, 0.3, &later);
  for (int i = 0; i < sal_model_continuous(m); ++i) {
    out.size = fmax(out.size, fabs(here.slope[i]));
    if (here.slope[i] == later.slope[i] || !m->autonomous) continue;
    snprintf(out.text, sizeof out.text, "%s: %s' depends on t: %.9g, later %.9g", m->name,
             m->state[i].name, here.slope[i], later.slope[i]);
  }
  return out;
}

flow_verdict flow_check_energy(const sal_model *m, int n_guard, const flow_point *at)
{
  flow_verdict out = {.text = ""};
  flow_point frozen = *at;
  double E[4], size = 0;
  static flow_values here;

  frozen.held = true;
  if (!m->energy) return out;
  values_at(m, n_guard, &frozen, 0, at->tangent, 0, &here);
  for (int i = 0; i < 4; ++i) {
    double y[SAL_MAX_STATE];
    const double by = stencil[i] * distance;
    memcpy(y, at->y, sizeof y);
    for (int j = 0; j < sal_model_continuous(m); ++j) y[j] += by * here.slope[j];
    E[i] = m->energy(m->inner, at->param, at->t + by, y, at->closed);
  }
  const difference d = central(E[0], E[1], E[2], E[3]);
  for (int j = 0; j < sal_model_continuous(m); ++j) size = fmax(size, fabs(here.slope[j]));
  const double middle = 0.5 * (E[1] + E[2]);
  size = (1 + size) * (1 + fabs(middle));
  if (isnan(d.value)) return out;
  out.size = fabs(middle);
  if (fabs(d.value) > 1e-8 * size + d.doubt)
    snprintf(out.text, sizeof out.text, "%s: the invariant %.6g changes along f by %.6g", m->name,
             middle, d.value);
  return out;
}
