/** A row is u . w with two vectors that bodies carry, as in constraint.c, or a coordinate. */
#include "chain_vector.h"
#include <string.h>

static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* A vector with its first and second rates. */
typedef struct {
  double x[3], v[3], a[3];
} motion;

/* Their changes, of which second rates lack what is not known yet. */
typedef struct {
  sal_chain_pack x[3], v[3], a[3];
} change;
_Static_assert(sizeof(change) == 9 * sizeof(sal_chain_pack), "cleared as one array");

static bool is_spatial(const sal_chain *c, int body)
{
  return c->system->body[body].kind == SAL_BODY_SPATIAL;
}

/* n and x n of a pair of points, as the row of one side. */
static void put_pair(const double n[3], const double x[3], double sign, double out[6])
{
  for (int i = 0; i < 3; ++i) out[i] = sign * n[i];
  add_cross(x, out, out + 3);
}

static void between(const sal_chain *c, const sal_chain_row *r, double d[3])
{
  for (int i = 0; i < 3; ++i)
    d[i] = (r->body[1] < 0 ? 0 : c->r[r->body[1]][i]) + c->x[r->j][i] -
           (r->body[0] < 0 ? 0 : c->r[r->body[0]][i]) - c->x[r->i][i];
}

/* The reaction of DOT2 stands where P_j is. */
static void form_pair(sal_chain *c, const sal_chain_row *r, sal_chain_wrench out)
{
  const sal_constraint *k = r->constraint;
  double d[3], at[3], n[3];

  between(c, r, d);
  memcpy(at, c->x[r->i], sizeof at);
  for (int i = 0; i < 3; ++i) {
    n[i] = k->kind == SAL_CONSTRAINT_POINT  ? axes[k->axis][i]
           : k->kind == SAL_CONSTRAINT_DOT2 ? c->x[r->a][i]
                                            : 2 * d[i];
    if (k->kind == SAL_CONSTRAINT_DOT2) at[i] += d[i];
  }
  put_pair(n, at, -1, out[0]);
  put_pair(n, c->x[r->j], 1, out[1]);
}

/* e' = (0, w) e / 2 */
static void form_euler(const double e[4], int k, double out[3])
{
  for (int i = 0; i < 3; ++i) out[i] = k == 0 ? -e[i + 1] / 2 : i == k - 1 ? e[0] / 2 : 0;
  if (k == 0) return;
  double x[3] = {0};
  add_cross(e + 1, axes[k - 1], x);
  for (int i = 0; i < 3; ++i) out[i] += x[i] / 2;
}

static void form_coordinate(sal_chain *c, const sal_chain_row *r, double out[6])
{
  const sal_body *b = &c->system->body[r->body[1]];

  if (b->kind == SAL_BODY_SPATIAL && r->coordinate >= 3)
    form_euler(c->q + b->first + 3, r->coordinate - 3, out + 3);
  else if (b->kind == SAL_BODY_PARTICLE)
    out[2] = 1;
  else
    out[b->kind == SAL_BODY_PLANAR && r->coordinate == 2 ? 5 : r->coordinate] = 1;
}

void sal_chain_rows_form(sal_chain *c, const sal_chain_block *block)
{
  for (int k = block->first; k < block->first + block->n; ++k) {
    const sal_chain_row *r = &c->plan->row[k];
    memset(c->row[k], 0, sizeof c->row[k]);
    if (!r->constraint) {
      form_coordinate(c, r, c->row[k][1]);
    } else if (r->constraint->kind == SAL_CONSTRAINT_DOT1) {
      add_cross(c->x[r->a], c->x[r->j], c->row[k][0] + 3);
      add_cross(c->x[r->j], c->x[r->a], c->row[k][1] + 3);
    } else {
      form_pair(c, r, c->row[k]);
    }
  }
}

static void take_arm(const sal_chain *c, int arm, motion *out)
{
  memcpy(out->x, c->x[arm], sizeof out->x);
  memcpy(out->v, c->xd[arm], sizeof out->v);
  memcpy(out->a, c->xdd[arm], sizeof out->a);
}

/* Adds a point of a body, with the acceleration of its origin where it is known. */
static void add_point(const sal_chain *c, int body, int arm, bool known, double sign, motion *out)
{
  for (int i = 0; i < 3; ++i) {
    out->x[i] += sign * (c->x[arm][i] + (body < 0 ? 0 : c->r[body][i]));
    out->v[i] += sign * (c->xd[arm][i] + (body < 0 ? 0 : c->w[body][i]));
    out->a[i] += sign * (c->xdd[arm][i] + (body < 0 || !known ? 0 : c->a[body][i]));
  }
}

/* The two vectors of a row. */
static void measure(const sal_chain *c, const sal_chain_row *r, bool known, motion *u, motion *w)
{
  memset(u, 0, sizeof *u);
  memset(w, 0, sizeof *w);
  if (r->a >= 0) take_arm(c, r->a, u);
  if (r->constraint->kind == SAL_CONSTRAINT_DOT1) {
    take_arm(c, r->j, w);
    return;
  }
  add_point(c, r->body[1], r->j, known, 1, w);
  add_point(c, r->body[0], r->i, known, -1, w);
  if (r->constraint->kind == SAL_CONSTRAINT_POINT)
    memcpy(u->x, axes[r->constraint->axis], sizeof u->x);
  if (r->constraint->kind == SAL_CONSTRAINT_DISTANCE) *u = *w;
}

void sal_chain_rows_bend(sal_chain *c, const sal_chain_block *block)
{
  for (int k = block->first; k < block->first + block->n; ++k) {
    const sal_chain_row *r = &c->plan->row[k];
    motion u, w;
    c->gap[k] = 0;
    if (r->constraint) {
      measure(c, r, false, &u, &w);
      c->gap[k] = dot3(u.a, w.x) + 2 * dot3(u.v, w.v) + dot3(u.x, w.a);
    } else if (is_spatial(c, r->body[1]) && r->coordinate >= 3) {
      const double *turn = c->w[r->body[1]] + 3;
      c->gap[k] = -dot3(turn, turn) / 4 * c->q[c->system->body[r->body[1]].first + r->coordinate];
    }
  }
}

static void change_arm(const sal_chain *c, int arm, int p, change *out)
{
  memcpy(out->x, pack_of(c, c->X, arm, p, 3), sizeof out->x);
  memcpy(out->v, pack_of(c, c->V, arm, p, 3), sizeof out->v);
  memcpy(out->a, pack_of(c, c->Y, arm, p, 3), sizeof out->a);
}

static void add_change(const sal_chain *c, int body, int arm, int p, double sign, bool bends,
                       change *out)
{
  const sal_chain_pack *x = pack_of(c, c->X, arm, p, 3), *v = pack_of(c, c->V, arm, p, 3),
                       *a = pack_of(c, c->Y, arm, p, 3);

  if (body < 0) return;
  const sal_chain_pack *B = pack_of(c, c->B, body, p, 6), *D = pack_of(c, c->D, body, p, 6);
  for (int i = 0; i < 3; ++i) {
    out->x[i] += sign * (x[i] + B[i]);
    out->v[i] += bends ? sign * (v[i] + D[i]) : sign * v[i];
    out->a[i] += sign * a[i];
  }
}

/* Where `bends` D is known, else it does not count. */
static void measure_change(const sal_chain *c, const sal_chain_row *r, int p, bool bends, change *u,
                           change *w)
{
  if (r->a >= 0)
    change_arm(c, r->a, p, u);
  else
    clear(9, u->x);
  if (r->constraint->kind == SAL_CONSTRAINT_DOT1) {
    change_arm(c, r->j, p, w);
    return;
  }
  clear(9, w->x);
  add_change(c, r->body[1], r->j, p, 1, bends, w);
  add_change(c, r->body[0], r->i, p, -1, bends, w);
  if (r->constraint->kind == SAL_CONSTRAINT_DISTANCE) *u = *w;
}

/* de = (0, dphi) e / 2, and coordinate k of (0, w) de / 2. */
static sal_chain_pack turn_change(const double e[4], const sal_chain_pack phi[3], const double w[3],
                                  int k)
{
  const sal_chain_pack none = {0};
  sal_chain_pack de[4];
  double row[3];

  for (int i = 0; i < 4; ++i) {
    form_euler(e, i, row);
    de[i] = dot_pack(row, phi);
  }
  if (k == 0) return -dot_pack(w, de + 1) / 2;
  sal_chain_pack x[3] = {none, none, none};
  spin(w, de + 1, x);
  return (de[0] * w[k - 1] + x[k - 1]) / 2;
}

/* Change of a velocity of Euler parameters, or of an acceleration where it `bends`. */
static sal_chain_pack change_coordinate(const sal_chain *c, const sal_chain_row *r, int p,
                                        bool bends)
{
  const int b = r->body[1], k = r->coordinate - 3;
  const sal_chain_pack none = {0};

  if (!is_spatial(c, b) || k < 0) return none;
  const double *e = c->q + c->system->body[b].first + 3, *w = c->w[b] + 3;
  const sal_chain_pack *phi = pack_of(c, c->B, b, p, 6) + 3;
  if (!bends) return turn_change(e, phi, w, k);
  double row[3];
  form_euler(e, k, row);
  return turn_change(e, phi, c->a[b] + 3, k) -
         dot_pack(w, pack_of(c, c->D, b, p, 6) + 3) * (e[k] / 2) -
         dot_pack(row, phi) * (dot3(w, w) / 4);
}

/* Change of a row's rate, or of its second one where it `bends`. */
static sal_chain_pack change_row(const sal_chain *c, const sal_chain_row *r, const motion of[2],
                                 int p, bool bends)
{
  const motion *u = &of[0], *w = &of[1];
  change du, dw;

  if (!r->constraint) return change_coordinate(c, r, p, bends);
  measure_change(c, r, p, bends, &du, &dw);
  if (!bends)
    return dot_pack(w->x, du.v) + dot_pack(u->v, dw.x) + dot_pack(w->v, du.x) +
           dot_pack(u->x, dw.v);
  return dot_pack(w->x, du.a) + dot_pack(u->a, dw.x) + dot_pack(w->a, du.x) + dot_pack(u->x, dw.a) +
         2 * (dot_pack(w->v, du.v) + dot_pack(u->v, dw.v));
}

void sal_chain_rows_change(sal_chain *c, const sal_chain_block *block, bool bends,
                           sal_chain_pack S[])
{
  for (int k = block->first; k < block->first + block->n; ++k) {
    const sal_chain_row *r = &c->plan->row[k];
    motion of[2];
    if (r->constraint) measure(c, r, true, &of[0], &of[1]);
    for (int i = 0; i < block->turns.n; ++i) {
      const int p = block->turns.pack[i];
      S[(ptrdiff_t)k * c->plan->n_pack + p] = -change_row(c, r, of, p, bends);
    }
  }
}
