/** A force is Q = F w with F = k (l - l0) + c l_q q' and a direction w: -l_q, or the vertical of a
 *  tire.
 */
#include "force.h"
#include "arm.h"
#include "base.h"
#include "constraint.h"
#include "scalar_math.h"

/* l(q) and w(q) in local coordinates, with their derivatives. */
typedef struct {
  double l, lq[SAL_PAIR], lqq[SAL_PAIR][SAL_PAIR];
  double w[SAL_PAIR], wq[SAL_PAIR][SAL_PAIR];
} gauge;

static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void measure_pair(const sal_pair_place *at, const sal_force *f, sal_pair *d)
{
  memset(d, 0, sizeof *d);
  sal_pair_put(at, &f->j, 1, 1, d);
  sal_pair_put(at, &f->i, 0, -1, d);
}

/* w = -l_q, as of all that pull two bodies together. */
static void pull_together(gauge *g)
{
  for (int k = 0; k < SAL_PAIR; ++k) {
    g->w[k] = -g->lq[k];
    for (int l = 0; l < SAL_PAIR; ++l) g->wq[k][l] = -g->lqq[k][l];
  }
}

static void measure_line(const sal_pair_place *at, const sal_force *f, bool bends, gauge *g)
{
  sal_pair d;

  measure_pair(at, f, &d);
  g->l = sqrt(d.x[0] * d.x[0] + d.x[1] * d.x[1] + d.x[2] * d.x[2]);
  for (int k = 0; k < SAL_PAIR; ++k)
    g->lq[k] = (d.x[0] * d.d[0][k] + d.x[1] * d.d[1][k] + d.x[2] * d.d[2][k]) / g->l;
  if (bends) {
    sal_pair_bend(at, &f->j, 1, 1, d.x, g->lqq);
    sal_pair_bend(at, &f->i, 0, -1, d.x, g->lqq);
    for (int k = 0; k < SAL_PAIR; ++k)
      for (int l = 0; l < SAL_PAIR; ++l) {
        double sum = g->lqq[k][l] - g->lq[k] * g->lq[l];
        for (int i = 0; i < 3; ++i) sum += d.d[i][k] * d.d[i][l];
        g->lqq[k][l] = sum / g->l;
      }
  }
  pull_together(g);
}

static void measure_axis(const sal_pair_place *at, const sal_force *f, bool bends, gauge *g)
{
  sal_pair d;

  measure_pair(at, f, &d);
  g->l = d.x[f->axis];
  memcpy(g->lq, d.d[f->axis], sizeof g->lq);
  if (bends) {
    sal_pair_bend(at, &f->j, 1, 1, axes[f->axis], g->lqq);
    sal_pair_bend(at, &f->i, 0, -1, axes[f->axis], g->lqq);
  }
  pull_together(g);
}

double sal_force_angle(const sal_force *f, const double value[], double angle)
{
  const double turn = 6.2831853071795864769, zero = value[f->k + 2];

  return f->side == SAL_SIDE_BOTH ? zero + remainder(angle - zero, turn) : angle;
}

static void measure_angle(const sal_pair_place *at, const sal_force *f, bool bends, gauge *g)
{
  const int ends[2] = {2, SAL_ARM + 2};

  (void)bends;
  for (int side = 0; side < 2; ++side) {
    const int c = f->column[ends[side]];
    const double sign = side ? 1 : -1;
    if (c < 0) continue;
    g->lq[ends[side]] = sign;
    g->l += sign * at->q[c];
  }
  g->l = sal_force_angle(f, at->value, g->l);
  pull_together(g);
}

static void measure_tire(const sal_pair_place *at, const sal_force *f, bool bends, gauge *g)
{
  sal_pair d = {{0}, {{0}}};
  double z[3];

  sal_pair_put(at, &f->j, 1, 1, &d);
  sal_road_at(&at->system->road, at->value, d.x[0], z);
  g->l = at->value[f->k + 2] + z[0] - d.x[2];
  for (int k = 0; k < SAL_PAIR; ++k) {
    g->lq[k] = z[1] * d.d[0][k] - d.d[2][k];
    g->w[k] = d.d[2][k];
  }
  if (!bends) return;
  sal_pair_bend(at, &f->j, 1, z[1], axes[0], g->lqq);
  sal_pair_bend(at, &f->j, 1, -1, axes[2], g->lqq);
  sal_pair_bend(at, &f->j, 1, 1, axes[2], g->wq);
  for (int k = 0; k < SAL_PAIR; ++k)
    for (int l = 0; l < SAL_PAIR; ++l) g->lqq[k][l] += z[2] * d.d[0][k] * d.d[0][l];
}

/* The height of P_j above the plane. */
static void measure_plane(const sal_pair_place *at, const sal_force *f, bool bends, gauge *g)
{
  sal_constraint c = {.kind = SAL_CONSTRAINT_DOT2, .a = f->a, .i = f->i, .j = f->j};

  memcpy(c.column, f->column, sizeof c.column);
  g->l = sal_constraint_value(at->system, at->value, at->q, &c);
  sal_constraint_slope(at->system, at->value, at->q, &c, g->lq);
  if (bends) sal_constraint_bend(at->system, at->value, at->q, &c, 1, g->lqq);
  pull_together(g);
}

static void measure(const sal_force_place *at, const sal_force *f, bool bends, gauge *g)
{
  static void (*const kinds[SAL_N_FORCE_KIND])(const sal_pair_place *, const sal_force *, bool,
                                               gauge *) = {
      [SAL_FORCE_LINE] = measure_line,   [SAL_FORCE_AXIS] = measure_axis,
      [SAL_FORCE_ANGLE] = measure_angle, [SAL_FORCE_TIRE] = measure_tire,
      [SAL_FORCE_PLANE] = measure_plane,
  };
  const sal_pair_place place = {at->system, at->value, at->q};

  memset(g, 0, sizeof *g);
  kinds[f->kind](&place, f, bends, g);
}

/* k, c, l0 of the mode; what a tire's third number is, its radius, is in l already. */
static void numbers(const sal_force_place *at, const sal_force *f, double out[3])
{
  const bool other = f->closed >= 0 && f->contact >= 0 && at->closed[f->contact];

  memcpy(out, at->value + (other ? f->closed : f->k), 3 * sizeof *out);
  if (f->kind == SAL_FORCE_TIRE) out[2] = 0;
}

/* Is it in the air, or on the side where it does not act? */
static bool is_off(const sal_force_place *at, const sal_force *f)
{
  if (f->side != SAL_SIDE_BOTH) return !at->closed[f->own];
  return f->kind == SAL_FORCE_TIRE && f->contact >= 0 && !at->closed[f->contact];
}

/* k (l - l0) + c l' */
static void pull_linearly(const double n[3], sal_force_state *out)
{
  out->F = n[0] * (out->l - n[2]) + n[1] * out->rate;
  out->by_l = n[0];
  out->by_rate = n[1];
}

/* Hunt and Crossley (1975) with the depth p = l0 - l. */
static void push_back(const double n[3], double exponent, sal_force_state *out)
{
  const double p = n[2] - out->l, stiff = n[0] - n[1] * out->rate, S = stiff > 0 ? stiff : 0;
  const double power = sal_scalar_pow(fabs(p), exponent - 1);

  out->F = -p * power * S;
  out->by_l = exponent * power * S;
  out->by_rate = stiff > 0 ? p * power * n[1] : 0;
}

static void apply_law(const sal_force_place *at, const sal_force *f, sal_force_state *out)
{
  double n[3];

  numbers(at, f, n);
  if (f->exponent >= 0)
    push_back(n, at->value[f->exponent], out);
  else
    pull_linearly(n, out);
}

static void state_of(const sal_force_place *at, const sal_force *f, const gauge *g,
                     sal_force_state *out)
{
  out->l = g->l;
  out->rate = sal_pair_dot(f->column, g->lq, at->qd);
  apply_law(at, f, out);
}

void sal_force_at(const sal_force_place *at, const sal_force *f, sal_force_state *out)
{
  gauge g;

  measure(at, f, false, &g);
  state_of(at, f, &g, out);
}

/* Does nothing act?  A tire that the ground would have to pull is none; nor is a spring whose damper acts
 * against its side. */
static bool is_slack(const sal_force_place *at, const sal_force *f, const sal_force_state *s)
{
  if (f->side == SAL_SIDE_PUSH) return s->F > 0;
  if (f->side == SAL_SIDE_PULL) return s->F < 0;
  return f->kind == SAL_FORCE_TIRE && at->pushes && s->F < 0;
}

bool sal_force_acts(const sal_force_place *at, const sal_force *f, sal_force_state *out)
{
  if (is_off(at, f)) return false;
  apply_law(at, f, out);
  return !is_slack(at, f, out);
}

/* Sliding friction as a share of the normal force: -mu sense, 0 without friction or where it holds; *c: of the
 * slip. */
static double friction_of(const sal_force_place *at, const sal_force *f, const sal_constraint **c)
{
  const sal_system *s = at->system;
  const int grip = f->side == SAL_SIDE_BOTH ? -1 : s->ground[f->own].partner;

  if (grip < 0 || at->closed[grip]) return 0;
  *c = &s->constraint[s->ground[grip].which];
  return -at->value[s->ground[grip].mu] * at->sense[s->ground[grip].number];
}

static void add_friction(const sal_force_place *at, const sal_force *f, double normal, double Q[])
{
  const sal_constraint *c = NULL;
  const double mu = friction_of(at, f, &c);
  sal_constraint_row row;

  if (!c || mu == 0) return;
  sal_constraint_slope(at->system, at->value, at->q, c, row);
  for (int k = 0; k < SAL_PAIR; ++k)
    if (f->column[k] >= 0) Q[f->column[k]] += mu * normal * row[k];
}

/* mu (G N_q + N G_q) and mu G N_q', with the normal force N = -F. */
static void add_friction_slopes(const sal_force_place *at, const sal_force *f, double F,
                                const double Fq[SAL_PAIR], const double Fv[SAL_PAIR],
                                double sq[SAL_PAIR][SAL_PAIR], double sv[SAL_PAIR][SAL_PAIR])
{
  const sal_constraint *c = NULL;
  const double mu = friction_of(at, f, &c);
  sal_constraint_row row;

  if (!c || mu == 0) return;
  sal_constraint_slope(at->system, at->value, at->q, c, row);
  sal_constraint_bend(at->system, at->value, at->q, c, mu * F, sq);
  for (int k = 0; k < SAL_PAIR; ++k)
    for (int l = 0; l < SAL_PAIR; ++l) {
      sq[k][l] += mu * row[k] * Fq[l];
      sv[k][l] -= mu * row[k] * Fv[l];
    }
}

void sal_force_add(const sal_force_place *at, double Q[])
{
  for (int i = 0; i < at->system->n_force; ++i) {
    const sal_force *f = &at->system->force[i];
    gauge g;
    sal_force_state s;
    if (is_off(at, f)) continue;
    measure(at, f, false, &g);
    state_of(at, f, &g, &s);
    if (is_slack(at, f, &s)) continue;
    for (int k = 0; k < SAL_PAIR; ++k)
      if (f->column[k] >= 0) Q[f->column[k]] += s.F * g.w[k];
    add_friction(at, f, -s.F, Q);
  }
}

/* F_q = F_l l_q + F_l' l_qq q' and F_q' = F_l' l_q. */
static void slopes_of(const sal_force_place *at, const sal_force *f, const gauge *g,
                      const sal_force_state *s, double Fq[SAL_PAIR], double Fv[SAL_PAIR])
{
  for (int k = 0; k < SAL_PAIR; ++k) {
    Fq[k] = s->by_l * g->lq[k] + s->by_rate * sal_pair_dot(f->column, g->lqq[k], at->qd);
    Fv[k] = s->by_rate * g->lq[k];
  }
}

void sal_force_slopes(const sal_force_place *at, double S[], double V[])
{
  for (int i = 0; i < at->system->n_force; ++i) {
    const sal_force *f = &at->system->force[i];
    gauge g;
    sal_force_state s;
    double Fq[SAL_PAIR], Fv[SAL_PAIR], sq[SAL_PAIR][SAL_PAIR], sv[SAL_PAIR][SAL_PAIR];
    if (is_off(at, f)) continue;
    measure(at, f, true, &g);
    state_of(at, f, &g, &s);
    if (is_slack(at, f, &s)) continue;
    slopes_of(at, f, &g, &s, Fq, Fv);
    for (int k = 0; k < SAL_PAIR; ++k)
      for (int l = 0; l < SAL_PAIR; ++l) {
        sq[k][l] = -(g.w[k] * Fq[l] + s.F * g.wq[k][l]);
        sv[k][l] = g.w[k] * Fv[l];
      }
    add_friction_slopes(at, f, s.F, Fq, Fv, sq, sv);
    sal_pair_scatter(f->column, sq, at->system->n_q, S);
    sal_pair_scatter(f->column, sv, at->system->n_q, V);
  }
}

void sal_force_gap(const sal_force_place *at, const sal_force *f, const double dq[], double *gap,
                   double *rate)
{
  const double side = f->side == SAL_SIDE_PULL ? -1 : 1;
  gauge g;
  double n[3];

  numbers(at, f, n);
  measure(at, f, false, &g);
  *gap = side * (g.l - n[2]);
  *rate = dq ? side * sal_pair_dot(f->column, g.lq, dq) : 0;
}

double sal_force_change(const sal_force_place *at, const sal_force *f, const double dq[],
                        const double dqd[])
{
  gauge g;
  sal_force_state s;
  double Fq[SAL_PAIR], Fv[SAL_PAIR];

  measure(at, f, true, &g);
  state_of(at, f, &g, &s);
  slopes_of(at, f, &g, &s, Fq, Fv);
  return sal_pair_dot(f->column, Fq, dq) + sal_pair_dot(f->column, Fv, dqd);
}

double sal_force_stretch(const sal_force_place *at, const sal_force *f, const double dq[])
{
  gauge g;

  measure(at, f, false, &g);
  return sal_pair_dot(f->column, g.lq, dq);
}
