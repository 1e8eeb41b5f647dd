/** Accelerations. */
#include "chain_vector.h"
#include <string.h>

/* w x x and w x (w x x) of all arms. */
static void form_rates(sal_chain *c)
{
  for (int n = 0; n < c->plan->n_live; ++n) {
    const int k = c->plan->sorted[n], b = c->plan->arm[k].body;
    memset(c->xd[k], 0, sizeof c->xd[k]);
    memset(c->xdd[k], 0, sizeof c->xdd[k]);
    add_cross(c->w[b] + 3, c->x[k], c->xd[k]);
    add_cross(c->w[b] + 3, c->xd[k], c->xdd[k]);
  }
}

/* A J A^T of a spatial body; of a planar one the last entry. */
static void form_inertia(sal_chain *c, int b)
{
  const sal_body *body = &c->system->body[b];
  const double *m = c->value + body->mass, *A = c->A[b];
  double *J = c->J[b];

  if (body->kind == SAL_BODY_PLANAR) J[8] = m[1];
  if (body->kind != SAL_BODY_SPATIAL) return;
  const double own[9] = {m[1], m[4], m[5], m[4], m[2], m[6], m[5], m[6], m[3]};
  double half[9];
  for (int i = 0; i < 3; ++i) rotate(own, A + 3 * (ptrdiff_t)i, half + 3 * (ptrdiff_t)i);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) J[3 * i + j] = dot3(half + 3 * (ptrdiff_t)i, A + 3 * (ptrdiff_t)j);
}

/* Part of the angular acceleration from the parent's rotation and the hinge's speed. */
static void bend_hinge(sal_chain *c, int b, double out[3])
{
  const sal_chain_link *l = &c->plan->link[b];
  double relative[3];

  for (int i = 0; i < 3; ++i)
    relative[i] = c->w[b][3 + i] - (l->parent < 0 ? 0 : c->w[l->parent][3 + i]);
  c->turn[b] = dot3(relative, c->x[l->axis]);
  for (int i = 0; i < 3; ++i) out[i] = c->turn[b] * c->xd[l->axis][i];
}

/* c of a block, from that of the parents. */
static void bend_block(sal_chain *c, const sal_chain_block *block)
{
  static const sal_chain_packs first = {1, {0}};
  const sal_chain_columns X = {c->c, 1, &first};
  sal_chain_pack *S = c->S;

  for (int i = block->body; i < block->body + block->n_body; ++i) {
    const int b = c->plan->order[i];
    const sal_chain_link *l = &c->plan->link[b];
    sal_chain_pack *x = sal_chain_columns_at(&X, b, 0);
    double turn[3] = {0};
    clear(6, x);
    if (l->axis >= 0) bend_hinge(c, b, turn);
    for (int k = 0; k < 3; ++k) x[3 + k][0] = turn[k];
    if (l->at < 0) continue;
    sal_chain_columns_carry(c, b, sal_chain_columns_at(&X, l->parent, 0), x);
    const int n = c->system->body[b].kind == SAL_BODY_PLANAR ? 2 : 3;
    for (int k = 0; k < n; ++k) x[k][0] += c->xdd[l->at][k] - c->xdd[l->of][k];
  }
  sal_chain_rows_bend(c, block);
  for (int k = block->first; k < block->first + block->n; ++k) {
    const sal_chain_pack side = {-c->gap[k]};
    S[k] = side;
  }
  sal_chain_columns_close(c, block, &X, S);
}

/* load - M c of a body. */
static void rest_of(const sal_chain *c, int b, double force[6])
{
  const double m = c->value[c->system->body[b].mass];
  const sal_chain_pack *bend = c->c + (ptrdiff_t)b * 6;

  for (int k = 0; k < 3; ++k) {
    const double *J = c->J[b] + 3 * (ptrdiff_t)k;
    force[k] = c->load[b][k] - m * bend[k][0];
    force[3 + k] = c->load[b][3 + k] - (J[0] * bend[3][0] + J[1] * bend[4][0] + J[2] * bend[5][0]);
  }
}

/* Adds rows of a pack of columns times P, which is M B of pack p. */
static void add_product(sal_chain *c, const sal_chain_pack B[6], int other, int p,
                        const sal_chain_pack P[6])
{
  const double *row = lane_of((sal_chain_pack *)B, 0);

  for (int i = 0; i < SAL_CHAIN_LANES; ++i) {
    sal_chain_pack part = {0};
    for (int q = 0; q < 6; ++q) part += row[q * SAL_CHAIN_LANES + i] * P[q];
    c->M[(ptrdiff_t)(other * SAL_CHAIN_LANES + i) * c->plan->n_pack + p] += part;
  }
}

/* The columns along which a body is displaced: of those there is 1, or its place of the others. */
static void add_still(sal_chain *c, int b, const double force[6], double right[])
{
  const sal_chain_packs *on = &c->plan->block[c->plan->link[b].block].turns;
  const double m = c->value[c->system->body[b].mass];

  for (int k = 0; k < 3; ++k) {
    c->M[(ptrdiff_t)k * c->plan->n_pack][k] += m;
    right[k] += force[k];
  }
  for (int j = 0; j < on->n; ++j) {
    const double *B = lane_of(pack_of(c, c->B, b, on->pack[j], 6), 0);
    for (int i = 0; i < SAL_CHAIN_LANES; ++i) {
      const sal_chain_pack part = {B[i], B[SAL_CHAIN_LANES + i], B[2 * SAL_CHAIN_LANES + i], 0};
      c->M[(ptrdiff_t)(on->pack[j] * SAL_CHAIN_LANES + i) * c->plan->n_pack] += m * part;
    }
  }
}

/* Adds B^T M B of a body, below the diagonal, and B^T (load - M c). */
static void add_body(sal_chain *c, int b, double right[])
{
  const sal_chain_block *block = &c->plan->block[c->plan->link[b].block];
  const sal_chain_packs *on = &block->turns;
  const double m = c->value[c->system->body[b].mass];
  double force[6];

  rest_of(c, b, force);
  if (block->rides) add_still(c, b, force, right);
  for (int j = 0; j < on->n; ++j) {
    const int p = on->pack[j];
    const sal_chain_pack *B = pack_of(c, c->B, b, p, 6);
    sal_chain_pack P[6] = {m * B[0], m * B[1], m * B[2], {0}, {0}, {0}}, sum = {0};
    weigh(c->J[b], B + 3, P + 3);
    for (int k = 0; k < 6; ++k) sum += B[k] * force[k];
    for (int i = 0; i < SAL_CHAIN_LANES; ++i) right[p * SAL_CHAIN_LANES + i] += sum[i];
    for (int k = j; k < on->n; ++k)
      add_product(c, pack_of(c, c->B, b, on->pack[k], 6), on->pack[k], p, P);
  }
}

static double *entry(const sal_chain *c, int i, int j)
{
  return lane_of(c->M + (ptrdiff_t)i * c->plan->n_pack, j);
}

/* M = U D U^T from the last row on, so that what hangs on a body alone leaves the others as they are; U below
 * the diagonal, as M has rows and columns exchanged. */
static bool factorize(sal_chain *c)
{
  const int n = SAL_CHAIN_LANES * c->plan->n_pack;

  for (int k = n - 1; k >= 0; --k) {
    const double pivot = *entry(c, k, k);
    if (!(pivot > 0)) return false;
    const sal_chain_pack *row = c->M + (ptrdiff_t)k * c->plan->n_pack;
    for (int i = 0; i < k; ++i) {
      const double f = *entry(c, k, i) / pivot;
      if (f == 0) continue;
      for (int p = 0; p <= i / SAL_CHAIN_LANES; ++p)
        c->M[(ptrdiff_t)i * c->plan->n_pack + p] -= f * row[p];
    }
  }
  return true;
}

void sal_chain_motion_solve(const sal_chain *c, int stride, sal_chain_pack X[])
{
  const int n = SAL_CHAIN_LANES * c->plan->n_pack;

  for (int k = n - 1; k >= 0; --k) {
    sal_chain_pack *x = X + (ptrdiff_t)k * stride;
    const double pivot = *entry(c, k, k);
    for (int p = 0; p < stride; ++p) x[p] /= pivot;
    for (int i = 0; i < k; ++i) {
      const double f = *entry(c, k, i);
      for (int p = 0; f != 0 && p < stride; ++p) X[(ptrdiff_t)i * stride + p] -= f * x[p];
    }
  }
  for (int k = 0; k < n; ++k) {
    sal_chain_pack sum[SAL_CHAIN_PACKS] = {{0}};
    const double pivot = *entry(c, k, k);
    for (int i = 0; i < k; ++i) {
      const double f = *entry(c, k, i);
      for (int p = 0; f != 0 && p < stride; ++p) sum[p] += f * X[(ptrdiff_t)i * stride + p];
    }
    for (int p = 0; p < stride; ++p) X[(ptrdiff_t)k * stride + p] -= sum[p] / pivot;
  }
}

static void form_system(sal_chain *c, double right[])
{
  const int n = SAL_CHAIN_LANES * c->plan->n_pack;

  memset(c->M, 0, (size_t)n * (size_t)c->plan->n_pack * sizeof *c->M);
  for (int b = 0; b < c->system->n_body; ++b) add_body(c, b, right);
  for (int k = 0; k < n; ++k)
    if (!c->plan->column[k]) *entry(c, k, k) = 1;
}

/* a = B v'' + c */
static void form_accelerations(sal_chain *c, const double x[])
{
  for (int b = 0; b < c->system->n_body; ++b) {
    sal_chain_expand(c, b, x, c->a[b]);
    for (int k = 0; k < 6; ++k) c->a[b][k] += c->c[(ptrdiff_t)b * 6 + k][0];
  }
}

bool sal_chain_accelerate(sal_chain *c, const sal_force_place *at, double vdd[])
{
  sal_chain_pack right[SAL_CHAIN_PACKS] = {{0}}, X[SAL_CHAIN_PACKS * SAL_CHAIN_LANES] = {{0}};
  const int n = SAL_CHAIN_LANES * c->plan->n_pack;

  form_rates(c);
  for (int b = 0; b < c->system->n_body; ++b) form_inertia(c, b);
  for (int k = 0; k < c->plan->n_block; ++k) bend_block(c, &c->plan->block[k]);
  sal_chain_force_add(c, at);
  form_system(c, lane_of(right, 0));
  if (!factorize(c)) return false;
  for (int k = 0; k < n; ++k) X[k][0] = *lane_of(right, k);
  sal_chain_motion_solve(c, 1, X);
  for (int k = 0; k < n; ++k) *lane_of(right, k) = X[k][0];
  form_accelerations(c, lane_of(right, 0));
  for (int j = 0; j < c->system->n_v; ++j) vdd[j] = *lane_of(right, c->plan->slot[j]);
  return true;
}
