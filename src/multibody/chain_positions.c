/** Positions and velocities. */
#include "base.h"
#include "chain_vector.h"

/* Bounds of a correction, relative to 1 + |q|; `left`: of the next one, predicted by the rate of the last two. */
static const double enough = 1e-12, left = 1e-13;
/* With factors of its own a point hardly moves, and is that point at last. */
static const double polish = 1e-9, exact = 1e-14;
/* A larger first correction, in m or rad, or one that does not shrink like this, is left to the solver that walks. */
static const double fold = 0.05, bent = 0.25;

enum { MAX_TURN = 12 };

static void begin(sal_chain *c, const sal_system *system, const double value[], double q[],
                  double good[])
{
  c->system = system;
  c->plan = system->chain;
  c->value = value;
  c->q = q;
  c->good = good;
  sal_chain_pose_begin(c);
  sal_chain_columns_begin(c);
}

static void set_scale(sal_chain *c)
{
  c->scale = 1;
  for (int i = 0; i < c->system->n_q; ++i) c->scale = fmax(c->scale, 1 + fabs(c->q[i]));
}

/* The independent coordinates are v to the last bit; what is found next is compared with them. */
static void keep(sal_chain *c, const double v[])
{
  set_scale(c);
  for (int j = 0; j < c->system->n_v; ++j) c->q[c->system->independent[j]] = v[j];
  memcpy(c->good, c->q, (size_t)c->system->n_q * sizeof *c->q);
  sal_chain_columns_form(c);
  c->factored = true;
}

static void set_columns(const sal_chain *c, const double x[], double out[])
{
  for (int j = 0; j < c->system->n_v; ++j) out[c->plan->slot[j]] = x[j];
}

/* One step of Newton's method in a block with the factors there are; returns its size. */
static double correct(sal_chain *c, const sal_chain_block *block)
{
  double by[SAL_CHAIN_BLOCK], most = 0;

  sal_chain_pose_gaps(c, block);
  for (int k = 0; k < block->n; ++k) by[k] = -c->gap[block->first + k];
  sal_chain_columns_solve(c, block, by);
  for (int k = 0; k < block->n; ++k)
    if (!(fabs(by[k]) <= most)) most = fabs(by[k]);
  sal_chain_pose_move(c, block, by);
  return most;
}

static bool factorize(sal_chain *c, const sal_chain_block *block)
{
  sal_chain_rows_form(c, block);
  return sal_chain_columns_factor(c, block);
}

/* Newton's method with the factors of the last point. */
static bool approach(sal_chain *c, const sal_chain_block *block)
{
  double before = INFINITY;

  for (int turn = 0; turn < MAX_TURN; ++turn) {
    const double size = correct(c, block);
    if (!(size < (turn == 0 ? fold : bent * before))) return size <= enough * c->scale;
    if (size <= enough * c->scale || (turn > 0 && size * size <= left * c->scale * before))
      return true;
    before = size;
  }
  return false;
}

/* Newton's method, at last with factors of the point itself, or as near as rounding allows: those of one that is off
 * by more would leave that much, times curvature and condition, in all that follows from them. */
static bool finish(sal_chain *c, const sal_chain_block *block)
{
  double size = polish * c->scale, before = INFINITY;

  while (size > exact * c->scale && size < before / 2) {
    before = size;
    if (!factorize(c, block)) return false;
    size = correct(c, block);
    if (!(size <= polish * c->scale)) return false;
  }
  return size <= enough * c->scale;
}

/* A free body that is displaced with the first one. */
static void add_still(const sal_chain *c, const sal_chain_block *block, const double still[3],
                      double by[])
{
  for (int i = block->body; i < block->body + block->n_body; ++i) {
    const sal_chain_link *l = &c->plan->link[c->plan->order[i]];
    for (int k = 0; l->at < 0 && k < 3; ++k) by[l->first - block->first + k] += still[k];
  }
}

/* The block at v, which is near the last one: a prediction, then Newton's method, at last with factors of
 * its own. */
static bool settle(sal_chain *c, const sal_chain_block *block, const sal_chain_pack dv[])
{
  double by[SAL_CHAIN_BLOCK];

  if (block->given) return sal_chain_pose_give(c, block) && factorize(c, block);
  for (int k = 0; k < block->n; ++k) {
    const sal_chain_pack *of = c->SB + (ptrdiff_t)(block->first + k) * c->plan->n_pack;
    sal_chain_pack sum = {0};
    for (int i = 0; i < block->turns.n; ++i)
      sum += of[block->turns.pack[i]] * dv[block->turns.pack[i]];
    by[k] = sum_of(sum);
  }
  if (block->rides) add_still(c, block, (const double *)dv, by);
  sal_chain_pose_move(c, block, by);
  return approach(c, block) && finish(c, block);
}

/* The block as q has it, put onto its equations. */
static bool settle_anew(sal_chain *c, const sal_chain_block *block)
{
  double size = 1;

  if (block->given) return sal_chain_pose_give(c, block) && factorize(c, block);
  for (int turn = 0; turn < MAX_TURN && size > polish * c->scale; ++turn) {
    if (!factorize(c, block)) return false;
    size = correct(c, block);
    if (!(size <= fold)) return false;
  }
  return size <= polish * c->scale && finish(c, block);
}

static bool take(sal_chain *c, const double q[], const double v[])
{
  set_columns(c, v, c->v);
  sal_chain_pose_take(c, q);
  set_scale(c);
  c->factored = false;
  for (int k = 0; k < c->plan->n_block; ++k)
    if (!settle_anew(c, &c->plan->block[k])) return false;
  keep(c, v);
  return true;
}

/* Back to the last good point. */
static void return_to_good(sal_chain *c)
{
  double v[SAL_CHAIN_FREEDOM] = {0};

  for (int j = 0; j < c->system->n_v; ++j) v[j] = c->good[c->system->independent[j]];
  take(c, c->good, v);
}

static bool leap(sal_chain *c, const double v[])
{
  sal_chain_pack dv[SAL_CHAIN_PACKS] = {{0}};
  bool there = true;

  if (!c->factored) return_to_good(c);
  if (!c->factored) return false;
  for (int j = 0; j < c->system->n_v; ++j) {
    const int slot = c->plan->slot[j];
    *lane_of(dv, slot) = v[j] - c->v[slot];
  }
  set_columns(c, v, c->v);
  for (int k = 0; k < c->plan->n_block && there; ++k) there = settle(c, &c->plan->block[k], dv);
  if (!there) {
    return_to_good(c);
    return false;
  }
  keep(c, v);
  return true;
}

static void advance(sal_chain *c, const double vd[], double qd[])
{
  set_columns(c, vd, c->rate);
  for (int b = 0; b < c->system->n_body; ++b) sal_chain_expand(c, b, c->rate, c->w[b]);
  sal_chain_pose_rates(c, c->w, qd);
  for (int j = 0; j < c->system->n_v; ++j) qd[c->system->independent[j]] = vd[j];
}

static void vary(const sal_chain *c, const double dv[], double dq[])
{
  double x[SAL_CHAIN_PACKS * SAL_CHAIN_LANES] = {0}, w[SAL_MAX_Q][6];

  set_columns(c, dv, x);
  for (int b = 0; b < c->system->n_body; ++b) sal_chain_expand(c, b, x, w[b]);
  sal_chain_pose_rates(c, w, dq);
}

const sal_chain_way SAL_CHAIN_BUILD(sal_chain_way) = {
    begin, leap, take, advance, sal_chain_accelerate, sal_chain_linearize, vary};
