/** J1 and J2: velocities and accelerations change along B like poses do, joint by joint and loop by loop.
 *
 *  With the velocity w of a body (B_phi)' = D_phi + w x B_phi, so that accelerations change by
 *  2 D + w x B along v'.
 */
#include "chain_vector.h"
#include <string.h>

static const sal_chain_packs *packs_of(const sal_chain *c, int body)
{
  return &c->plan->block[c->plan->link[body].block].turns;
}

/* dx = B_phi x x of all arms, and w x dx. */
static void turn_arms(sal_chain *c)
{
  for (int n = 0; n < c->plan->n_live; ++n) {
    const int k = c->plan->sorted[n], b = c->plan->arm[k].body;
    for (int i = 0; i < packs_of(c, b)->n; ++i) {
      const int p = packs_of(c, b)->pack[i];
      sal_chain_pack *X = pack_of(c, c->X, k, p, 3), *V = pack_of(c, c->V, k, p, 3);
      clear(3, X);
      clear(3, V);
      spin_back(c->x[k], pack_of(c, c->B, b, p, 6) + 3, X);
      spin(c->w[b] + 3, X, V);
    }
  }
}

/* dx' now that D is known, and dx'' but for that of w'; x'' with w'. */
static void bend_arms(sal_chain *c)
{
  for (int n = 0; n < c->plan->n_live; ++n) {
    const int k = c->plan->sorted[n], b = c->plan->arm[k].body;
    add_cross(c->a[b] + 3, c->x[k], c->xdd[k]);
    for (int i = 0; i < packs_of(c, b)->n; ++i) {
      const int p = packs_of(c, b)->pack[i];
      const sal_chain_pack *turn = pack_of(c, c->D, b, p, 6) + 3;
      sal_chain_pack *V = pack_of(c, c->V, k, p, 3), *Y = pack_of(c, c->Y, k, p, 3);
      clear(3, Y);
      spin_back(c->x[k], turn, V);
      spin(c->a[b] + 3, pack_of(c, c->X, k, p, 3), Y);
      spin_back(c->xd[k], turn, Y);
      spin(c->w[b] + 3, V, Y);
    }
  }
}

/* Carries a body's columns on; a hinge's axis adds `turn`, and points add `shift`. */
static void carry(sal_chain *c, const sal_chain_columns *X, int b, int p,
                  const sal_chain_pack turn[3], const sal_chain_pack shift[])
{
  const sal_chain_link *l = &c->plan->link[b];
  sal_chain_pack *x = sal_chain_columns_at(X, b, p);

  clear(6, x);
  if (l->at < 0) return;
  memcpy(x + 3, turn, 3 * sizeof *x);
  sal_chain_columns_carry(c, b, sal_chain_columns_at(X, l->parent, p), x);
  const sal_chain_pack *at = shift + ((ptrdiff_t)l->at * c->plan->n_pack + p) * 3,
                       *of = shift + ((ptrdiff_t)l->of * c->plan->n_pack + p) * 3;
  const int n = c->system->body[b].kind == SAL_BODY_PLANAR ? 2 : 3;
  for (int i = 0; i < n; ++i) x[i] += at[i] - of[i];
}

static void form_D(sal_chain *c, const sal_chain_block *block)
{
  const sal_chain_columns X = {c->D, c->plan->n_pack, &block->turns};

  for (int i = 0; i < block->turns.n; ++i)
    for (int k = block->body; k < block->body + block->n_body; ++k) {
      const int b = c->plan->order[k], p = block->turns.pack[i], axis = c->plan->link[b].axis;
      sal_chain_pack turn[3] = {{0}};
      for (int j = 0; axis >= 0 && j < 3; ++j)
        turn[j] = c->turn[b] * pack_of(c, c->X, axis, p, 3)[j];
      carry(c, &X, b, p, turn, c->V);
    }
  sal_chain_rows_change(c, block, false, c->SD);
  sal_chain_columns_close(c, block, &X, c->SD);
}

/* The acceleration of a hinge. */
static void take_turn2(sal_chain *c, int b)
{
  const sal_chain_link *l = &c->plan->link[b];
  double relative[3];

  for (int i = 0; i < 3; ++i)
    relative[i] = c->a[b][3 + i] - (l->parent < 0 ? 0 : c->a[l->parent][3 + i]);
  c->turn2[b] = dot3(relative, c->x[l->axis]);
}

static void form_L(sal_chain *c, const sal_chain_block *block)
{
  const sal_chain_columns X = {c->L, c->plan->n_pack, &block->turns};

  for (int k = block->body; k < block->body + block->n_body; ++k) {
    const int b = c->plan->order[k], axis = c->plan->link[b].axis;
    if (axis >= 0) take_turn2(c, b);
    for (int i = 0; i < block->turns.n; ++i) {
      const int p = block->turns.pack[i];
      const sal_chain_pack *S =
          c->SD + (ptrdiff_t)(c->plan->link[b].first + c->plan->link[b].n - 1) * X.stride + p;
      sal_chain_pack turn[3] = {{0}};
      for (int j = 0; axis >= 0 && j < 3; ++j)
        turn[j] = c->turn[b] * pack_of(c, c->V, axis, p, 3)[j] + c->xd[axis][j] * *S +
                  c->turn2[b] * pack_of(c, c->X, axis, p, 3)[j];
      carry(c, &X, b, p, turn, c->Y);
    }
  }
  sal_chain_rows_change(c, block, true, c->S);
  sal_chain_columns_close(c, block, &X, c->S);
}

/* Adds the part of inertia in the changes: J' = dphi x J - J dphi x, in the directions of the ground. */
static void turn_inertia(sal_chain *c, int b, int p, const double momentum[3],
                         const double torque[3])
{
  const double *w = c->w[b] + 3, *J = c->J[b];
  const sal_chain_pack *B = pack_of(c, c->B, b, p, 6) + 3, *D = pack_of(c, c->D, b, p, 6) + 3,
                       *L = pack_of(c, c->L, b, p, 6) + 3;
  sal_chain_pack *Z = pack_of(c, c->Z[0], b, p, 6) + 3, *Y = pack_of(c, c->Z[1], b, p, 6) + 3;
  sal_chain_pack own[3], rate[3], dH[3] = {{0}}, dH2[3] = {{0}}, twice[3];

  for (int i = 0; i < 3; ++i) {
    own[i] = L[i];
    rate[i] = D[i];
    twice[i] = 2 * D[i];
  }
  spin(c->a[b] + 3, B, own); /* -= dphi x w' */
  spin(w, B, rate);
  spin(w, B, twice);
  weigh(J, own, Z);
  spin_back(torque, B, Z); /* += dphi x J w' */
  weigh(J, rate, dH);
  spin_back(momentum, B, dH);
  spin_back(momentum, D, Z);
  spin(w, dH, Z);
  weigh(J, twice, Y);
  weigh(J, B, dH2);
  spin_back(momentum, B, Y);
  spin(w, dH2, Y);
}

static void change_inertia(sal_chain *c, int b)
{
  const double m = c->value[c->system->body[b].mass];
  double momentum[3], torque[3];

  rotate(c->J[b], c->w[b] + 3, momentum);
  rotate(c->J[b], c->a[b] + 3, torque);
  for (int i = 0; i < packs_of(c, b)->n; ++i) {
    const int p = packs_of(c, b)->pack[i];
    const sal_chain_pack *D = pack_of(c, c->D, b, p, 6), *L = pack_of(c, c->L, b, p, 6);
    for (int k = 0; k < 3; ++k) {
      pack_of(c, c->Z[0], b, p, 6)[k] += m * L[k];
      pack_of(c, c->Z[1], b, p, 6)[k] += 2 * m * D[k];
    }
    if (c->system->body[b].kind != SAL_BODY_PARTICLE) turn_inertia(c, b, p, momentum, torque);
  }
}

static void clear_change(sal_chain *c, int b)
{
  for (int way = 0; way < 2; ++way)
    for (int i = 0; i < c->plan->reach[b].n; ++i)
      clear(6, pack_of(c, c->Z[way], b, c->plan->reach[b].pack[i], 6));
}

/* The same along the columns that displace it. */
static void project_still(sal_chain *c, int b)
{
  const sal_chain_packs *reach = &c->plan->reach[b];

  for (int way = 0; way < 2; ++way)
    for (int i = 0; i < reach->n; ++i) {
      const sal_chain_pack *Z = pack_of(c, c->Z[way], b, reach->pack[i], 6);
      for (int k = 0; k < 3; ++k)
        c->R[way][(ptrdiff_t)k * c->plan->n_pack + reach->pack[i]] -= Z[k];
    }
}

/* R -= B^T Z of a body. */
static void project(sal_chain *c, int b)
{
  const sal_chain_packs *on = packs_of(c, b), *reach = &c->plan->reach[b];

  if (c->plan->block[c->plan->link[b].block].rides) project_still(c, b);

  for (int j = 0; j < on->n; ++j) {
    const double *B = lane_of(pack_of(c, c->B, b, on->pack[j], 6), 0);
    for (int lane = 0; lane < SAL_CHAIN_LANES; ++lane) {
      const ptrdiff_t row = (ptrdiff_t)(on->pack[j] * SAL_CHAIN_LANES + lane) * c->plan->n_pack;
      for (int i = 0; i < reach->n; ++i) {
        const int p = reach->pack[i];
        const sal_chain_pack *Z = pack_of(c, c->Z[0], b, p, 6), *Y = pack_of(c, c->Z[1], b, p, 6);
        sal_chain_pack a = {0}, d = {0};
        for (int k = 0; k < 6; ++k) {
          a += B[k * SAL_CHAIN_LANES + lane] * Z[k];
          d += B[k * SAL_CHAIN_LANES + lane] * Y[k];
        }
        c->R[0][row + p] -= a;
        c->R[1][row + p] -= d;
      }
    }
  }
}

static void hand_over(const sal_chain *c, double J[])
{
  const int n_v = c->system->n_v;

  for (int way = 0; way < 2; ++way)
    for (int j = 0; j < n_v; ++j)
      for (int i = 0; i < n_v; ++i)
        J[(ptrdiff_t)(way * n_v + j) * n_v + i] =
            *lane_of(c->R[way] + (ptrdiff_t)c->plan->slot[i] * c->plan->n_pack, c->plan->slot[j]);
}

void sal_chain_linearize(sal_chain *c, const sal_force_place *at, double J[])
{
  const size_t bytes = (size_t)(SAL_CHAIN_LANES * c->plan->n_pack * c->plan->n_pack) * sizeof *c->M;

  turn_arms(c);
  for (int k = 0; k < c->plan->n_block; ++k) form_D(c, &c->plan->block[k]);
  bend_arms(c);
  for (int k = 0; k < c->plan->n_block; ++k) form_L(c, &c->plan->block[k]);
  sal_chain_joints_load(c);
  for (int b = 0; b < c->system->n_body; ++b) clear_change(c, b);
  for (int b = 0; b < c->system->n_body; ++b) change_inertia(c, b);
  sal_chain_force_change(c, at);
  sal_chain_joints_change(c);
  for (int way = 0; way < 2; ++way) memset(c->R[way], 0, bytes);
  for (int b = 0; b < c->system->n_body; ++b) project(c, b);
  for (int way = 0; way < 2; ++way) sal_chain_motion_solve(c, c->plan->n_pack, c->R[way]);
  hand_over(c, J);
}
