/** Velocities of the bodies from those of their parents and the relative speeds of their block. */
#include "base.h"
#include "chain_vector.h"

enum { PACKS = SAL_CHAIN_BLOCK / SAL_CHAIN_LANES };

static sal_chain_pack *local_of(const sal_chain *c, int body, int p)
{
  return c->local + ((ptrdiff_t)body * PACKS + p) * 6;
}

static sal_chain_pack *factors_of(const sal_chain *c, int row)
{
  return c->lu + (ptrdiff_t)row * PACKS;
}

static int count_packs(const sal_chain_block *b)
{
  return (b->n + SAL_CHAIN_LANES - 1) / SAL_CHAIN_LANES;
}

sal_chain_pack *sal_chain_columns_at(const sal_chain_columns *X, int body, int p)
{
  return body < 0 ? NULL : X->x + ((ptrdiff_t)body * X->stride + p) * 6;
}

void sal_chain_columns_carry(const sal_chain *c, int body, const sal_chain_pack P[],
                             sal_chain_pack X[])
{
  const sal_chain_link *l = &c->plan->link[body];
  const sal_chain_pack none = {0};

  if (l->at < 0) return;
  for (int i = 0; i < 3; ++i) {
    if (l->axis >= 0 && P) X[3 + i] += P[3 + i];
    X[i] = P ? P[i] : none;
  }
  if (P) spin_back(c->x[l->at], P + 3, X); /* w x x */
  spin(c->x[l->of], X + 3, X);
  if (c->system->body[body].kind == SAL_BODY_PLANAR) X[2] = none;
}

/* Which component a speed of a body is; -1: that of a hinge. */
static int component(const sal_chain *c, int body, int k)
{
  const sal_chain_link *l = &c->plan->link[body];

  switch (c->system->body[body].kind) {
  case SAL_BODY_PARTICLE:
    return 2;
  case SAL_BODY_PLANAR:
    return k == l->n - 1 ? 5 : k;
  default:
    return l->axis >= 0 ? -1 : 6 - l->n + k;
  }
}

/* Velocities of the block's bodies for each of its speeds. */
static void form_local(sal_chain *c, const sal_chain_block *block)
{
  const int n = count_packs(block);

  for (int i = block->body; i < block->body + block->n_body; ++i) {
    const int b = c->plan->order[i];
    const sal_chain_link *l = &c->plan->link[b];
    const bool inside = l->parent >= 0 && c->plan->link[l->parent].block == l->block;
    clear(6 * n, local_of(c, b, 0));
    for (int k = 0; k < l->n; ++k) {
      const int at = l->first - block->first + k, part = component(c, b, k);
      sal_chain_pack *x = local_of(c, b, at / SAL_CHAIN_LANES);
      if (part >= 0) x[part][at % SAL_CHAIN_LANES] = 1;
      for (int j = 0; part < 0 && j < 3; ++j) x[3 + j][at % SAL_CHAIN_LANES] = c->x[l->axis][j];
    }
    for (int p = 0; p < n; ++p)
      sal_chain_columns_carry(c, b, inside ? local_of(c, l->parent, p) : NULL, local_of(c, b, p));
  }
}

/* Row . X of one side. */
static sal_chain_pack apply(const double row[6], const sal_chain_pack X[6])
{
  return dot_pack(row, X) + dot_pack(row + 3, X + 3);
}

static void form_equations(sal_chain *c, const sal_chain_block *block)
{
  for (int k = block->first; k < block->first + block->n; ++k)
    for (int p = 0; p < count_packs(block); ++p) {
      sal_chain_pack sum = {0};
      for (int side = 0; side < 2; ++side) {
        const int b = c->plan->row[k].body[side];
        if (b >= 0 && &c->plan->block[c->plan->link[b].block] == block)
          sum += apply(c->row[k][side], local_of(c, b, p));
      }
      factors_of(c, k)[p] = sum;
    }
}

static bool choose_pivot(sal_chain *c, const sal_chain_block *block, int k)
{
  double best = 0;
  int at = k;

  for (int i = k; i < block->n; ++i) {
    const double x = fabs(*lane_of(factors_of(c, block->first + i), k));
    if (x > best) best = x, at = i;
  }
  c->pivot[block->first + k] = at;
  if (!(best > 0)) return false;
  for (int p = 0; at != k && p < count_packs(block); ++p) {
    const sal_chain_pack kept = factors_of(c, block->first + k)[p];
    factors_of(c, block->first + k)[p] = factors_of(c, block->first + at)[p];
    factors_of(c, block->first + at)[p] = kept;
  }
  return true;
}

bool sal_chain_columns_factor(sal_chain *c, const sal_chain_block *block)
{
  form_local(c, block);
  form_equations(c, block);
  for (int k = 0; k < block->n; ++k) {
    if (!choose_pivot(c, block, k)) return false;
    const sal_chain_pack *from = factors_of(c, block->first + k);
    const int next = k / SAL_CHAIN_LANES + 1;
    for (int i = k + 1; i < block->n; ++i) {
      sal_chain_pack *to = factors_of(c, block->first + i);
      double *const numbers = lane_of(to, 0);
      const double f = numbers[k] / from[k / SAL_CHAIN_LANES][k % SAL_CHAIN_LANES];
      numbers[k] = f;
      if (f == 0) continue;
      for (int j = k + 1; j < next * SAL_CHAIN_LANES; ++j)
        numbers[j] -= f * from[j / SAL_CHAIN_LANES][j % SAL_CHAIN_LANES];
      for (int p = next; p < count_packs(block); ++p) to[p] -= f * from[p];
    }
  }
  return true;
}

static double factor(const sal_chain *c, const sal_chain_block *b, int i, int j)
{
  return *lane_of(factors_of(c, b->first + i), j);
}

static void swap(double *a, double *b)
{
  const double kept = *a;

  *a = *b;
  *b = kept;
}

void sal_chain_columns_solve(const sal_chain *c, const sal_chain_block *block, double b[])
{
  const int n = block->n;

  for (int k = 0; k < n; ++k) swap(&b[k], &b[c->pivot[block->first + k]]);
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) b[i] -= factor(c, block, i, k) * b[k];
  for (int k = n - 1; k >= 0; --k) {
    b[k] /= factor(c, block, k, k);
    for (int i = 0; i < k; ++i) b[i] -= factor(c, block, i, k) * b[k];
  }
}

void sal_chain_columns_solve_transposed(const sal_chain *c, const sal_chain_block *block,
                                        double b[])
{
  const int n = block->n;

  for (int k = 0; k < n; ++k) {
    b[k] /= factor(c, block, k, k);
    for (int i = k + 1; i < n; ++i) b[i] -= factor(c, block, k, i) * b[k];
  }
  for (int k = n - 1; k >= 0; --k)
    for (int i = 0; i < k; ++i) b[i] -= factor(c, block, k, i) * b[k];
  for (int k = n - 1; k >= 0; --k) swap(&b[k], &b[c->pivot[block->first + k]]);
}

static void solve_pack(const sal_chain *c, const sal_chain_block *block, sal_chain_pack y[])
{
  const int n = block->n;

  for (int k = 0; k < n; ++k) {
    const int at = c->pivot[block->first + k];
    const sal_chain_pack kept = y[at];
    y[at] = y[k];
    y[k] = kept;
  }
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) y[i] -= factor(c, block, i, k) * y[k];
  for (int k = n - 1; k >= 0; --k) {
    y[k] /= factor(c, block, k, k);
    for (int i = 0; i < k; ++i) y[i] -= factor(c, block, i, k) * y[k];
  }
}

/* Adds the speeds y to the bodies. */
static void add_speeds(const sal_chain *c, const sal_chain_block *block, const sal_chain_columns *X,
                       int p, const sal_chain_pack y[])
{
  for (int i = block->body; i < block->body + block->n_body; ++i) {
    sal_chain_pack *x = sal_chain_columns_at(X, c->plan->order[i], p);
    for (int k = 0; k < block->n; ++k) {
      const double *of = local_of_speed(c, c->plan->order[i], k);
      for (int part = 0; part < 6; ++part) x[part] += of[(ptrdiff_t)part * SAL_CHAIN_LANES] * y[k];
    }
  }
}

void sal_chain_columns_close(const sal_chain *c, const sal_chain_block *block,
                             const sal_chain_columns *X, sal_chain_pack S[])
{
  for (int i = 0; i < X->on->n; ++i) {
    const int p = X->on->pack[i];
    sal_chain_pack y[SAL_CHAIN_BLOCK];
    for (int k = 0; k < block->n; ++k) {
      const int row = block->first + k;
      y[k] = S[(ptrdiff_t)row * X->stride + p];
      for (int side = 0; side < 2; ++side) {
        const sal_chain_pack *x = sal_chain_columns_at(X, c->plan->row[row].body[side], p);
        if (x) y[k] -= apply(c->row[row][side], x);
      }
    }
    solve_pack(c, block, y);
    add_speeds(c, block, X, p, y);
    for (int k = 0; k < block->n; ++k) S[(ptrdiff_t)(block->first + k) * X->stride + p] = y[k];
  }
}

static void form_block(sal_chain *c, const sal_chain_block *block)
{
  const sal_chain_columns X = {c->B, c->plan->n_pack, &block->turns};
  const sal_chain_pack none = {0};

  for (int i = 0; i < block->turns.n; ++i) {
    const int p = block->turns.pack[i];
    for (int j = block->body; j < block->body + block->n_body; ++j) {
      const int b = c->plan->order[j];
      sal_chain_pack *x = sal_chain_columns_at(&X, b, p);
      clear(6, x);
      sal_chain_columns_carry(c, b, sal_chain_columns_at(&X, c->plan->link[b].parent, p), x);
    }
    for (int k = block->first; k < block->first + block->n; ++k) {
      const sal_chain_row *r = &c->plan->row[k];
      sal_chain_pack *s = c->SB + (ptrdiff_t)k * X.stride + p;
      *s = none;
      if (r->constraint || c->plan->slot[r->v] / SAL_CHAIN_LANES != p) continue;
      (*s)[c->plan->slot[r->v] % SAL_CHAIN_LANES] = 1;
    }
  }
  sal_chain_columns_close(c, block, &X, c->SB);
}

void sal_chain_columns_begin(sal_chain *c)
{
  for (int b = 0; b < c->system->n_body; ++b)
    for (int i = 0; c->plan->block[c->plan->link[b].block].rides && i < 3; ++i)
      pack_of(c, c->B, b, 0, 6)[i][i] = 1;
}

void sal_chain_columns_form(sal_chain *c)
{
  for (int k = 0; k < c->plan->n_block; ++k) form_block(c, &c->plan->block[k]);
}

void sal_chain_expand(const sal_chain *c, int body, const double x[], double out[6])
{
  const sal_chain_block *block = &c->plan->block[c->plan->link[body].block];
  const sal_chain_packs *on = &block->turns;
  sal_chain_pack sum[6] = {{0}};

  for (int i = 0; i < on->n; ++i) {
    const sal_chain_pack *B = pack_of(c, c->B, body, on->pack[i], 6);
    sal_chain_pack part;
    memcpy(&part, x + (ptrdiff_t)on->pack[i] * SAL_CHAIN_LANES, sizeof part);
    for (int k = 0; k < 6; ++k) sum[k] += B[k] * part;
  }
  for (int k = 0; k < 6; ++k) out[k] = sum_of(sum[k]) + (block->rides && k < 3 ? x[k] : 0);
}
