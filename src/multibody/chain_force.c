/** Springs, dampers and tires between points of bodies, weight, and what rotation makes of inertia.
 */
#include "base.h"
#include "chain_vector.h"

static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Where a force acts: d = P_j - P_i and its rate, the normal of a plane, the road. */
typedef struct {
  double d[3], dd[3], n[3], nd[3], z[3];
} stretch;

static void add_point(const sal_chain *c, int body, int arm, double sign, stretch *s)
{
  if (arm < 0) return;
  for (int i = 0; i < 3; ++i) {
    s->d[i] += sign * (c->x[arm][i] + (body < 0 ? 0 : c->r[body][i]));
    s->dd[i] += sign * (c->xd[arm][i] + (body < 0 ? 0 : c->w[body][i]));
  }
}

/* The sine of a planar body's angle does not count its turns: the coordinate does. */
static double angle_of(const sal_chain *c, int body)
{
  return body < 0 ? 0 : c->q[c->system->body[body].first + 2];
}

static double turn_of(const sal_chain *c, int body) { return body < 0 ? 0 : c->w[body][5]; }

/* Length and rate, and the direction n of a force that pulls j to i, or pushes a wheel up. */
static void measure(const sal_chain *c, const sal_chain_force *f, stretch *s, sal_force_state *out)
{
  memset(s, 0, sizeof *s);
  if (f->force->kind == SAL_FORCE_ANGLE) {
    out->l = sal_force_angle(f->force, c->value, angle_of(c, f->body[1]) - angle_of(c, f->body[0]));
    out->rate = turn_of(c, f->body[1]) - turn_of(c, f->body[0]);
    return;
  }
  add_point(c, f->body[1], f->j, 1, s);
  add_point(c, f->body[0], f->i, -1, s);
  switch (f->force->kind) {
  case SAL_FORCE_LINE:
    out->l = sqrt(dot3(s->d, s->d));
    for (int i = 0; i < 3; ++i) s->n[i] = s->d[i] / out->l;
    break;
  case SAL_FORCE_PLANE:
    memcpy(s->n, c->x[f->a], sizeof s->n);
    memcpy(s->nd, c->xd[f->a], sizeof s->nd);
    out->l = dot3(s->n, s->d);
    break;
  case SAL_FORCE_TIRE:
    sal_road_at(&c->system->road, c->value, s->d[0], s->z);
    out->l = c->value[f->force->k + 2] + s->z[0] - s->d[2];
    out->rate = s->z[1] * s->dd[0] - s->dd[2];
    return;
  default:
    memcpy(s->n, axes[f->force->axis], sizeof s->n);
    out->l = s->d[f->force->axis];
  }
  out->rate = dot3(s->n, s->dd) + dot3(s->nd, s->d);
}

/* Adds a force g at x of a body. */
static void push(sal_chain *c, int body, const double x[3], const double g[3], double sign)
{
  if (body < 0) return;
  double *load = c->load[body];
  const double signed_g[3] = {sign * g[0], sign * g[1], sign * g[2]};

  for (int i = 0; i < 3; ++i) load[i] += signed_g[i];
  add_cross(x, signed_g, load + 3);
}

/* Where the reaction stands in body i. */
static void reaction_of(const sal_chain *c, const sal_chain_force *f, const stretch *s, double x[3])
{
  for (int i = 0; i < 3; ++i)
    x[i] = c->x[f->i][i] + (f->force->kind == SAL_FORCE_PLANE ? s->d[i] : 0);
}

static void force_of(const sal_chain_force *f, const stretch *s, double F, double g[3])
{
  for (int i = 0; i < 3; ++i)
    g[i] = f->force->kind == SAL_FORCE_TIRE ? axes[2][i] * F : -F * s->n[i];
}

static void add_force(sal_chain *c, const sal_force_place *at, const sal_chain_force *f)
{
  sal_force_state state;
  stretch s;
  double g[3], x[3];

  measure(c, f, &s, &state);
  if (!sal_force_acts(at, f->force, &state)) return;
  if (f->force->kind == SAL_FORCE_ANGLE) {
    if (f->body[1] >= 0) c->load[f->body[1]][5] -= state.F;
    if (f->body[0] >= 0) c->load[f->body[0]][5] += state.F;
    return;
  }
  force_of(f, &s, state.F, g);
  push(c, f->body[1], c->x[f->j], g, 1);
  if (f->i < 0) return;
  reaction_of(c, f, &s, x);
  push(c, f->body[0], x, g, -1);
}

/* m g - w x J w */
static void begin_load(sal_chain *c, int b)
{
  const double m = c->value[c->system->body[b].mass], *g = c->value + c->system->gravity;
  const double *w = c->w[b] + 3;
  double momentum[3];

  rotate(c->J[b], w, momentum);
  for (int i = 0; i < 3; ++i) {
    c->load[b][i] = m * g[i];
    c->load[b][3 + i] = 0;
  }
  add_cross(momentum, w, c->load[b] + 3);
}

void sal_chain_force_add(sal_chain *c, const sal_force_place *at)
{
  for (int b = 0; b < c->system->n_body; ++b) begin_load(c, b);
  for (int k = 0; k < c->plan->n_force; ++k) add_force(c, at, &c->plan->force[k]);
}

/* Changes of d and d' along dv, and of n. */
typedef struct {
  sal_chain_pack d[3], dd[3], n[3], nd[3];
} stretch_change;

static void add_change(const sal_chain *c, int body, int arm, int p, double sign,
                       stretch_change *out)
{
  if (body < 0 || arm < 0) return;
  const sal_chain_pack *B = pack_of(c, c->B, body, p, 6), *D = pack_of(c, c->D, body, p, 6),
                       *x = pack_of(c, c->X, arm, p, 3), *v = pack_of(c, c->V, arm, p, 3);

  for (int i = 0; i < 3; ++i) {
    out->d[i] += sign * (B[i] + x[i]);
    out->dd[i] += sign * (D[i] + v[i]);
  }
}

/* dF along dv and dv': what d is for dv, d' is for dv'. */
static void change_law(const sal_chain_force *f, const stretch *s, const sal_force_state *state,
                       stretch_change *e, sal_chain_pack dF[2])
{
  sal_chain_pack dl, rate;

  if (f->force->kind == SAL_FORCE_TIRE) {
    dl = s->z[1] * e->d[0] - e->d[2];
    rate = s->z[1] * e->dd[0] - e->dd[2] + s->z[2] * s->dd[0] * e->d[0];
  } else if (f->force->kind == SAL_FORCE_LINE) {
    dl = dot_pack(s->n, e->d);
    for (int i = 0; i < 3; ++i) e->n[i] = (e->d[i] - s->n[i] * dl) / state->l;
    rate = dot_pack(s->n, e->dd) + dot_pack(s->dd, e->n);
  } else {
    dl = dot_pack(s->n, e->d) + dot_pack(s->d, e->n);
    rate = dot_pack(s->n, e->dd) + dot_pack(s->dd, e->n) + dot_pack(s->nd, e->d) +
           dot_pack(s->d, e->nd);
  }
  dF[0] = state->by_l * dl + state->by_rate * rate;
  /* a plane's normal turns as fast as it is turned */
  dF[1] = state->by_rate * dl;
}

void sal_chain_force_push(sal_chain *c, int way, int body, int p, double sign,
                          const sal_chain_push *push)
{
  if (body < 0) return;
  sal_chain_pack *Z = pack_of(c, c->Z[way], body, p, 6), moment[3] = {{0}};

  spin(push->x, push->dg, moment);
  if (push->dx) spin_back(push->g, push->dx, moment);
  for (int i = 0; i < 3; ++i) {
    Z[i] -= sign * push->dg[i];
    Z[3 + i] -= sign * moment[i];
  }
}

static void change_pack(sal_chain *c, const sal_chain_force *f, const stretch *s,
                        const sal_force_state *state, int p)
{
  stretch_change e = {0};
  sal_chain_pack dF[2], dg[2][3], dx[3];
  double g[3], x[3];

  add_change(c, f->body[1], f->j, p, 1, &e);
  add_change(c, f->body[0], f->i, p, -1, &e);
  if (f->a >= 0 && f->body[0] >= 0) {
    memcpy(e.n, pack_of(c, c->X, f->a, p, 3), sizeof e.n);
    memcpy(e.nd, pack_of(c, c->V, f->a, p, 3), sizeof e.nd);
  }
  change_law(f, s, state, &e, dF);
  force_of(f, s, state->F, g);
  for (int i = 0; i < 3; ++i) {
    const double n = f->force->kind == SAL_FORCE_TIRE ? -axes[2][i] : s->n[i];
    dg[0][i] = -dF[0] * n - state->F * e.n[i];
    dg[1][i] = -dF[1] * n;
  }
  const sal_chain_push on_j = {c->x[f->j], g, pack_of(c, c->X, f->j, p, 3), dg[0]};
  const sal_chain_push on_j_too = {c->x[f->j], g, NULL, dg[1]};
  sal_chain_force_push(c, 0, f->body[1], p, 1, &on_j);
  sal_chain_force_push(c, 1, f->body[1], p, 1, &on_j_too);
  if (f->i < 0) return;
  reaction_of(c, f, s, x);
  memcpy(dx, pack_of(c, c->X, f->i, p, 3), sizeof dx);
  for (int i = 0; i < 3 && f->force->kind == SAL_FORCE_PLANE; ++i) dx[i] += e.d[i];
  const sal_chain_push on_i = {x, g, dx, dg[0]}, on_i_too = {x, g, NULL, dg[1]};
  sal_chain_force_push(c, 0, f->body[0], p, -1, &on_i);
  sal_chain_force_push(c, 1, f->body[0], p, -1, &on_i_too);
}

static void change_torque(sal_chain *c, const sal_chain_force *f, const sal_force_state *state,
                          int p)
{
  const sal_chain_pack *of[2];
  static const sal_chain_pack none[2][6] = {{{0}}};
  const sal_chain_pack *D[2];

  for (int side = 0; side < 2; ++side) {
    const int b = f->body[side];
    of[side] = b < 0 ? none[0] : pack_of(c, c->B, b, p, 6);
    D[side] = b < 0 ? none[1] : pack_of(c, c->D, b, p, 6);
  }
  const sal_chain_pack dl = of[1][5] - of[0][5],
                       dF = state->by_l * dl + state->by_rate * (D[1][5] - D[0][5]);
  for (int side = 0; side < 2; ++side) {
    const double sign = side ? 1 : -1;
    if (f->body[side] < 0) continue;
    pack_of(c, c->Z[0], f->body[side], p, 6)[5] += sign * dF;
    pack_of(c, c->Z[1], f->body[side], p, 6)[5] += sign * state->by_rate * dl;
  }
}

void sal_chain_force_change(sal_chain *c, const sal_force_place *at)
{
  for (int k = 0; k < c->plan->n_force; ++k) {
    const sal_chain_force *f = &c->plan->force[k];
    sal_force_state state;
    stretch s;
    measure(c, f, &s, &state);
    if (!sal_force_acts(at, f->force, &state)) continue;
    for (int i = 0; i < f->on.n; ++i)
      if (f->force->kind == SAL_FORCE_ANGLE)
        change_torque(c, f, &state, f->on.pack[i]);
      else
        change_pack(c, f, &s, &state, f->on.pack[i]);
  }
}
