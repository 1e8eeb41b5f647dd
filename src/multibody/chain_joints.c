/** Forces and torques of the joints, from the leaves of the tree to its root. */
#include "chain_vector.h"
#include <string.h>

/* M a - load of a body. */
static void form_rest(const sal_chain *c, int b, double out[6])
{
  const double m = c->value[c->system->body[b].mass];

  rotate(c->J[b], c->a[b] + 3, out + 3);
  for (int i = 0; i < 3; ++i) out[i] = m * c->a[b][i];
  for (int i = 0; i < 6; ++i) out[i] -= c->load[b][i];
}

/* Multipliers of a block: what is left of its bodies along each relative speed. */
static void find_multipliers(sal_chain *c, const sal_chain_block *block, double (*rest)[6])
{
  double y[SAL_CHAIN_BLOCK] = {0};

  for (int i = block->body; i < block->body + block->n_body; ++i) {
    const int b = c->plan->order[i];
    for (int k = 0; k < block->n; ++k) {
      const double *of = local_of_speed(c, b, k);
      for (int part = 0; part < 6; ++part)
        y[k] -= of[(ptrdiff_t)part * SAL_CHAIN_LANES] * rest[b][part];
    }
  }
  sal_chain_columns_solve_transposed(c, block, y);
  for (int k = 0; k < block->n; ++k) {
    const sal_chain_row *r = &c->plan->row[block->first + k];
    c->lambda[block->first + k] = r->constraint ? y[k] : 0;
    for (int side = 0; side < 2 && r->constraint; ++side)
      for (int part = 0; r->body[side] >= 0 && part < 6; ++part)
        rest[r->body[side]][part] += y[k] * c->row[block->first + k][side][part];
  }
}

/* Passes the load of a body's joint on to its parent. */
static void pass_on(sal_chain *c, int b, double (*rest)[6])
{
  const sal_chain_link *l = &c->plan->link[b];
  double *f = c->through[b];

  if (l->at < 0) return;
  memcpy(f, rest[b], sizeof c->through[b]);
  double moment[3] = {0};
  add_cross(c->x[l->of], f, moment);
  for (int i = 0; i < 3; ++i) f[3 + i] -= moment[i];
  if (l->parent < 0) return;
  for (int i = 0; i < 6; ++i) rest[l->parent][i] += f[i];
  add_cross(c->x[l->at], f, rest[l->parent] + 3);
}

void sal_chain_joints_load(sal_chain *c)
{
  double rest[SAL_MAX_Q][6];

  for (int b = 0; b < c->system->n_body; ++b) form_rest(c, b, rest[b]);
  for (int k = c->plan->n_block - 1; k >= 0; --k) {
    const sal_chain_block *block = &c->plan->block[k];
    find_multipliers(c, block, rest);
    for (int i = block->body + block->n_body - 1; i >= block->body; --i)
      pass_on(c, c->plan->order[i], rest);
  }
}

/* A hinge's torque is t x h with t in one body and h in the other.  Its change by the turn of the first one is normal
 * to the axis, and has no power. */
static void change_torque(const sal_chain *c, int b, int p, sal_chain_pack out[3])
{
  const sal_chain_link *l = &c->plan->link[b];
  const int of_h = l->own ? l->parent : b;
  const double *h = c->x[l->axis];
  double t[3] = {0};
  sal_chain_pack dh[3] = {{0}};

  add_cross(h, c->through[b] + 3, t);
  if (of_h >= 0) spin_back(h, pack_of(c, c->B, of_h, p, 6) + 3, dh);
  spin(t, dh, out);
}

/* The force at the point of a joint keeps its direction, a hinge's torque its components. */
static void change_tie(sal_chain *c, int b, int p)
{
  const sal_chain_link *l = &c->plan->link[b];
  sal_chain_pack torque[3] = {{0}};
  sal_chain_pack *Z = pack_of(c, c->Z[0], b, p, 6) + 3;

  if (l->axis >= 0) change_torque(c, b, p, torque);
  for (int i = 0; i < 3; ++i) Z[i] -= torque[i];
  spin(c->through[b], pack_of(c, c->X, l->of, p, 3), Z); /* -= dx x f */
  if (l->parent < 0) return;
  Z = pack_of(c, c->Z[0], l->parent, p, 6) + 3;
  for (int i = 0; i < 3; ++i) Z[i] += torque[i];
  spin_back(c->through[b], pack_of(c, c->X, l->at, p, 3), Z);
}

/* lambda a_i x a_j acts on j, and against i. */
static void change_dot1(sal_chain *c, const sal_chain_row *r, double lambda, int p)
{
  sal_chain_pack torque[3] = {{0}};

  spin(c->x[r->a], pack_of(c, c->X, r->j, p, 3), torque);
  spin_back(c->x[r->j], pack_of(c, c->X, r->a, p, 3), torque);
  for (int side = 0; side < 2; ++side)
    for (int i = 0; r->body[side] >= 0 && i < 3; ++i)
      pack_of(c, c->Z[0], r->body[side], p, 6)[3 + i] += (side ? -lambda : lambda) * torque[i];
}

/* d = P_j - P_i of a row, and what it changes by. */
static void separation(const sal_chain *c, const sal_chain_row *r, int p, double d[3],
                       sal_chain_pack dd[3])
{
  const int arms[2] = {r->i, r->j};

  for (int side = 0; side < 2; ++side) {
    const double sign = side ? 1 : -1;
    const int b = r->body[side];
    const sal_chain_pack *x = pack_of(c, c->X, arms[side], p, 3);
    for (int i = 0; i < 3; ++i) {
      d[i] += sign * (c->x[arms[side]][i] + (b < 0 ? 0 : c->r[b][i]));
      if (b >= 0) dd[i] += sign * (pack_of(c, c->B, b, p, 6)[i] + x[i]);
    }
  }
}

/* -lambda n at P_j, and its reaction, which of DOT2 stands there, too. */
static void change_pair(sal_chain *c, const sal_chain_row *r, double lambda, int p)
{
  const sal_constraint_kind kind = r->constraint->kind;
  double d[3] = {0}, g[3] = {0}, x[3];
  sal_chain_pack dd[3] = {{0}}, dg[3] = {{0}}, dx[3];

  separation(c, r, p, d, dd);
  memcpy(x, c->x[r->i], sizeof x);
  memcpy(dx, pack_of(c, c->X, r->i, p, 3), sizeof dx);
  if (kind == SAL_CONSTRAINT_POINT) g[r->constraint->axis] = -lambda;
  for (int i = 0; i < 3 && kind == SAL_CONSTRAINT_DISTANCE; ++i) {
    g[i] = -2 * lambda * d[i];
    dg[i] = -2 * lambda * dd[i];
  }
  for (int i = 0; i < 3 && kind == SAL_CONSTRAINT_DOT2; ++i) {
    g[i] = -lambda * c->x[r->a][i];
    dg[i] = -lambda * pack_of(c, c->X, r->a, p, 3)[i];
    x[i] += d[i];
    dx[i] += dd[i];
  }
  const sal_chain_push on_i = {x, g, dx, dg};
  const sal_chain_push on_j = {c->x[r->j], g, pack_of(c, c->X, r->j, p, 3), dg};
  sal_chain_force_push(c, 0, r->body[0], p, -1, &on_i);
  sal_chain_force_push(c, 0, r->body[1], p, 1, &on_j);
}

static void change_block(sal_chain *c, const sal_chain_block *block, int p)
{
  for (int i = block->body; i < block->body + block->n_body; ++i)
    if (c->plan->link[c->plan->order[i]].at >= 0) change_tie(c, c->plan->order[i], p);
  for (int k = block->first; k < block->first + block->n; ++k) {
    const sal_chain_row *r = &c->plan->row[k];
    if (!r->constraint) continue;
    if (r->constraint->kind == SAL_CONSTRAINT_DOT1)
      change_dot1(c, r, c->lambda[k], p);
    else
      change_pair(c, r, c->lambda[k], p);
  }
}

void sal_chain_joints_change(sal_chain *c)
{
  for (int k = 0; k < c->plan->n_block; ++k) {
    const sal_chain_block *block = &c->plan->block[k];
    for (int i = 0; i < block->turns.n; ++i) change_block(c, block, block->turns.pack[i]);
  }
}
