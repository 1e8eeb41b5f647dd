/** Poses of the bodies, from body to body. */
#include "base.h"
#include "chain_vector.h"
#include "scalar_math.h"

/* a b of quaternions; a' b where `turned`. */
static void multiply(const double a[4], const double b[4], bool turned, double out[4])
{
  const double v[3] = {turned ? -a[1] : a[1], turned ? -a[2] : a[2], turned ? -a[3] : a[3]};

  out[0] = a[0] * b[0] - dot3(v, b + 1);
  for (int i = 0; i < 3; ++i) out[i + 1] = a[0] * b[i + 1] + b[0] * v[i];
  add_cross(v, b + 1, out + 1);
}

static void scale(int n, double x[])
{
  double sum = 0;

  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  /* 1 / sqrt(sum) by a step of Newton's method where that is all that rounding can see */
  const double off = sum - 1, f = fabs(off) < 1e-8 ? 1 - off / 2 : 1 / sqrt(sum);
  for (int i = 0; i < n; ++i) x[i] *= f;
}

static const double upright[4] = {1, 0, 0, 0};

/* Euler parameters of a body that is spatial, or of the ground. */
static const double *euler_of(const sal_chain *c, const double q[], int body)
{
  return body < 0 || c->system->body[body].kind != SAL_BODY_SPATIAL
             ? upright
             : q + c->system->body[body].first + 3;
}

/* A(e) = (e0^2 - e . e) I + 2 e e^T + 2 e0 skew(e) */
static void turn_to(const double e[4], double A[9])
{
  const double s = e[0] * e[0] - e[1] * e[1] - e[2] * e[2] - e[3] * e[3];

  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) A[3 * i + j] = 2 * e[i + 1] * e[j + 1] + (i == j ? s : 0);
  A[1] -= 2 * e[0] * e[3], A[3] += 2 * e[0] * e[3];
  A[2] += 2 * e[0] * e[2], A[6] -= 2 * e[0] * e[2];
  A[5] -= 2 * e[0] * e[1], A[7] += 2 * e[0] * e[1];
}

static void form_rotation(sal_chain *c, int b)
{
  static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double *q = c->q + c->system->body[b].first;
  double *A = c->A[b];

  if (c->system->body[b].kind == SAL_BODY_SPATIAL) {
    turn_to(q + 3, A);
    return;
  }
  memcpy(A, none, sizeof none);
  if (c->system->body[b].kind != SAL_BODY_PLANAR) return;
  sal_scalar_sincos(q[2], &A[3], &A[0]);
  A[4] = A[0];
  A[1] = -A[3];
}

static void form_arms(sal_chain *c, int b)
{
  const sal_chain_link *l = &c->plan->link[b];

  for (int k = l->arm; k < l->arm + l->n_arm; ++k) {
    const int arm = c->plan->sorted[k];
    rotate(c->A[b], c->s[arm], c->x[arm]);
  }
}

/* Where the coordinates of a body's place stand in q, and which ones these are. */
static void exchange_place(sal_chain *c, int b, bool out)
{
  static const struct {
    int n, from;
  } places[SAL_N_BODY_KIND] = {
      [SAL_BODY_SPATIAL] = {3, 0}, [SAL_BODY_PLANAR] = {2, 0}, [SAL_BODY_PARTICLE] = {1, 2}};
  const sal_body *body = &c->system->body[b];
  const int n = places[body->kind].n, from = places[body->kind].from;

  for (int i = 0; i < n; ++i)
    if (out)
      c->q[body->first + i] = c->r[b][from + i];
    else
      c->r[b][from + i] = c->q[body->first + i];
}

/* Rotation, arms and place of a body whose own coordinates, and parent, are right. */
static void place_body(sal_chain *c, int b)
{
  const sal_chain_link *l = &c->plan->link[b];

  form_rotation(c, b);
  form_arms(c, b);
  if (l->at < 0) {
    exchange_place(c, b, false);
    return;
  }
  const int n = c->system->body[b].kind == SAL_BODY_SPATIAL ? 3 : 2;
  for (int i = 0; i < n; ++i)
    c->r[b][i] = (l->parent < 0 ? 0 : c->r[l->parent][i]) + c->x[l->at][i] - c->x[l->of][i];
  exchange_place(c, b, true);
}

/* e = e of the parent (cos, axis sin) start */
static void turn_hinge(sal_chain *c, int b)
{
  const sal_chain_link *l = &c->plan->link[b];
  const double *h = c->s[l->axis], *half = c->half[b];
  const double turn[4] = {half[0], half[1] * h[0], half[1] * h[1], half[1] * h[2]};
  double e[4];

  multiply(euler_of(c, c->q, l->parent), turn, false, e);
  multiply(e, c->start[b], false, c->q + c->system->body[b].first + 3);
}

/* The axis of a hinge in the parent, and what turns the body's own onto it. */
static void begin_hinge(sal_chain *c, int b)
{
  const sal_chain_link *l = &c->plan->link[b];
  double across[3] = {0}, along[3], now[4], back[4] = {0}, turned[3];

  memcpy(along, c->s[l->along], sizeof along);
  scale(3, along);
  add_cross(c->s[l->across[0]], c->s[l->across[1]], across);
  scale(3, across);
  multiply(euler_of(c, c->q, l->parent), euler_of(c, c->q, b), true, now);
  double A[9];
  turn_to(now, A);
  double *const here = l->own ? along : across, *const there = l->own ? across : along;
  rotate(A, there, turned);
  if (dot3(turned, here) < 0)
    for (int i = 0; i < 3; ++i) {
      if (l->own) turned[i] = -turned[i];
      across[i] = -across[i];
    }
  memcpy(c->s[l->axis], here, sizeof along);
  back[0] = 1 + dot3(turned, here);
  add_cross(turned, here, back + 1);
  scale(4, back);
  multiply(back, now, false, c->start[b]);
}

void sal_chain_pose_begin(sal_chain *c)
{
  for (int k = 0; k < c->plan->n_arm; ++k) {
    const sal_chain_arm *arm = &c->plan->arm[k];
    if (arm->s < 0) continue;
    memcpy(c->s[k], c->value + arm->s, sizeof c->s[k]);
    if (arm->body < 0) memcpy(c->x[k], c->s[k], sizeof c->x[k]);
  }
  for (int b = 0; b < c->system->n_body; ++b) {
    const sal_chain_link *l = &c->plan->link[b];
    if (l->axis < 0) continue;
    begin_hinge(c, b);
    if (l->parent < 0) memcpy(c->x[l->axis], c->s[l->axis], sizeof c->x[l->axis]);
  }
}

/* The half angle that comes nearest to how the body is turned. */
static void take_hinge(sal_chain *c, int b)
{
  const sal_chain_link *l = &c->plan->link[b];
  double now[4], turn[4], back[4];

  multiply(euler_of(c, c->q, l->parent), euler_of(c, c->q, b), true, now);
  memcpy(back, c->start[b], sizeof back);
  for (int i = 1; i < 4; ++i) back[i] = -back[i];
  multiply(now, back, false, turn);
  c->half[b][0] = turn[0];
  c->half[b][1] = dot3(turn + 1, c->s[l->axis]);
  scale(2, c->half[b]);
  turn_hinge(c, b);
}

void sal_chain_pose_take(sal_chain *c, const double q[])
{
  if (q != c->q) memcpy(c->q, q, (size_t)c->system->n_q * sizeof *q);
  for (int i = 0; i < c->system->n_body; ++i) {
    const int b = c->plan->order[i];
    if (c->plan->link[b].axis >= 0)
      take_hinge(c, b);
    else if (c->system->body[b].kind == SAL_BODY_SPATIAL)
      scale(4, c->q + c->system->body[b].first + 3);
    place_body(c, b);
  }
}

/* Moves a body by its own coordinates: its place where it is free, and its rotation. */
static void move_own(sal_chain *c, int b, const double by[])
{
  const sal_chain_link *l = &c->plan->link[b];
  const sal_body *body = &c->system->body[b];
  double *q = c->q + body->first;

  if (l->axis >= 0) {
    double *half = c->half[b];
    const double angle = by[l->n - 1] / 2, cosine = half[0] - angle * half[1];
    half[1] += angle * half[0];
    half[0] = cosine;
    scale(2, half);
    turn_hinge(c, b);
  } else if (body->kind == SAL_BODY_SPATIAL) {
    const double *w = by + l->n - 3, turn[4] = {0, w[0] / 2, w[1] / 2, w[2] / 2};
    double e[4];
    multiply(turn, q + 3, false, e);
    for (int i = 0; i < 4; ++i) q[3 + i] += e[i];
    scale(4, q + 3);
    for (int i = 0; i < l->n - 3; ++i) q[i] += by[i];
  } else {
    const int n = sal_system_coordinates(body->kind);
    for (int i = 0; i < l->n; ++i) q[n - l->n + i] += by[i];
  }
}

void sal_chain_pose_move(sal_chain *c, const sal_chain_block *block, const double by[])
{
  for (int i = block->body; i < block->body + block->n_body; ++i) {
    const int b = c->plan->order[i];
    move_own(c, b, by + c->plan->link[b].first - block->first);
    place_body(c, b);
  }
}

/* An Euler parameter of a hinged body is a cos + b sin of half the angle: the solution that goes on from where it
 * was.  False: there is none, or it is too far away. */
static bool give_hinge(sal_chain *c, int b, int coordinate, double v)
{
  static const double far = 0.25, flat = 0.05;
  const sal_chain_link *l = &c->plan->link[b];
  const double *h = c->s[l->axis], *e = euler_of(c, c->q, l->parent), *old = c->half[b];
  const double axis[4] = {0, h[0], h[1], h[2]};
  double at_0[4], turned[4], at_1[4];

  multiply(e, c->start[b], false, at_0);
  multiply(axis, c->start[b], false, turned);
  multiply(e, turned, false, at_1);
  const double x = at_0[coordinate - 3], y = at_1[coordinate - 3], square = x * x + y * y;
  const double root = sqrt(square - v * v), side = x * old[1] - y * old[0] < 0 ? -1 : 1;
  const double half[2] = {(v * x - side * root * y) / square, (v * y + side * root * x) / square};
  if (!(root > flat * sqrt(square)) || !(fabs(old[0] * half[1] - old[1] * half[0]) < far) ||
      old[0] * half[0] + old[1] * half[1] < 0)
    return false;
  memcpy(c->half[b], half, sizeof half);
  for (int i = 0; i < 4; ++i)
    c->q[c->system->body[b].first + 3 + i] = half[0] * at_0[i] + half[1] * at_1[i];
  return true;
}

/* The Euler parameter that is not given. */
static bool give_turn(double e[4], const bool given[4])
{
  double left = 1;
  int follows = 0;

  for (int i = 0; i < 4; ++i)
    if (given[i])
      left -= e[i] * e[i];
    else
      follows = i;
  e[follows] = copysign(sqrt(left), e[follows]);
  return left > 0;
}

bool sal_chain_pose_give(sal_chain *c, const sal_chain_block *block)
{
  const int b = c->plan->order[block->body];
  const sal_chain_row *row = &c->plan->row[block->first];
  const sal_body *body = &c->system->body[b];
  double *q = c->q + body->first;
  bool given[SAL_ARM] = {false};

  if (c->plan->link[b].axis >= 0) {
    if (!give_hinge(c, b, row->coordinate, c->v[c->plan->slot[row->v]])) return false;
  } else {
    for (int k = 0; k < block->n; ++k) {
      q[row[k].coordinate] = c->v[c->plan->slot[row[k].v]];
      given[row[k].coordinate] = true;
    }
    if (body->kind == SAL_BODY_SPATIAL && !give_turn(q + 3, given + 3)) return false;
  }
  place_body(c, b);
  return true;
}

static void difference(const sal_chain *c, const sal_chain_row *r, double d[3])
{
  for (int i = 0; i < 3; ++i)
    d[i] = c->x[r->j][i] + (r->body[1] < 0 ? 0 : c->r[r->body[1]][i]) - c->x[r->i][i] -
           (r->body[0] < 0 ? 0 : c->r[r->body[0]][i]);
}

static double gap_of(const sal_chain *c, const sal_chain_row *r)
{
  const sal_constraint *k = r->constraint;
  double d[3];

  if (!k)
    return c->q[c->system->body[r->body[1]].first + r->coordinate] - c->v[c->plan->slot[r->v]];
  if (k->kind == SAL_CONSTRAINT_DOT1) return dot3(c->x[r->a], c->x[r->j]);
  difference(c, r, d);
  if (k->kind == SAL_CONSTRAINT_POINT) return d[k->axis];
  if (k->kind == SAL_CONSTRAINT_DOT2) return dot3(c->x[r->a], d);
  return dot3(d, d) - c->value[k->length] * c->value[k->length];
}

void sal_chain_pose_gaps(sal_chain *c, const sal_chain_block *block)
{
  for (int k = block->first; k < block->first + block->n; ++k)
    c->gap[k] = gap_of(c, &c->plan->row[k]);
}

void sal_chain_pose_rates(const sal_chain *c, double (*w)[6], double qd[])
{
  for (int b = 0; b < c->system->n_body; ++b) {
    const sal_body *body = &c->system->body[b];
    double *out = qd + body->first;
    if (body->kind == SAL_BODY_PARTICLE) {
      out[0] = w[b][2];
      continue;
    }
    out[0] = w[b][0];
    out[1] = w[b][1];
    out[2] = body->kind == SAL_BODY_PLANAR ? w[b][5] : w[b][2];
    if (body->kind == SAL_BODY_PLANAR) continue;
    const double turn[4] = {0, w[b][3] / 2, w[b][4] / 2, w[b][5] / 2};
    multiply(turn, c->q + body->first + 3, false, out + 3);
  }
}
