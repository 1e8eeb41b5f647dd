/** The product rule for u . w. */
#include "constraint.h"
#include "arm.h"
#include <string.h>

static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* The two vectors of a constraint. */
static void factors(const sal_pair_place *at, const sal_constraint *c, sal_pair *u, sal_pair *w)
{
  memset(u, 0, sizeof *u);
  memset(w, 0, sizeof *w);
  if (c->kind == SAL_CONSTRAINT_DOT1) {
    sal_pair_put(at, &c->a, 0, 1, u);
    sal_pair_put(at, &c->j, 1, 1, w);
    return;
  }
  sal_pair_put(at, &c->j, 1, 1, w);
  sal_pair_put(at, &c->i, 0, -1, w);
  if (c->kind == SAL_CONSTRAINT_POINT) memcpy(u->x, axes[c->axis], sizeof u->x);
  if (c->kind == SAL_CONSTRAINT_DOT2) sal_pair_put(at, &c->a, 0, 1, u);
  if (c->kind == SAL_CONSTRAINT_DISTANCE) *u = *w;
}

static void turn_factors(const sal_pair_place *at, const double p[], const sal_constraint *c,
                         sal_pair_turn *u, sal_pair_turn *w)
{
  memset(u, 0, sizeof *u);
  memset(w, 0, sizeof *w);
  sal_pair_put_turn(at, p, &c->j, 1, 1, w);
  if (c->kind != SAL_CONSTRAINT_DOT1) sal_pair_put_turn(at, p, &c->i, 0, -1, w);
  if (c->kind == SAL_CONSTRAINT_DOT1 || c->kind == SAL_CONSTRAINT_DOT2)
    sal_pair_put_turn(at, p, &c->a, 0, 1, u);
  if (c->kind == SAL_CONSTRAINT_DISTANCE) *u = *w;
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

enum { ANGLE = 2 }; /* local coordinate of a planar body */

/* A disc that rolls: its radius times the angle between the bodies, beside the place of its centre. */
static double rolled(const double value[], const double q[], const sal_constraint *c)
{
  const int i = c->column[ANGLE], j = c->column[SAL_ARM + ANGLE];

  return c->roll ? value[c->roll] * ((j < 0 ? 0 : q[j]) - (i < 0 ? 0 : q[i])) : 0;
}

/* The four Euler parameters of a body, from local coordinate 3 on. */
static const double *euler_of(const sal_constraint *c, const double q[])
{
  return q + c->column[3];
}

double sal_constraint_value(const sal_system *system, const double value[], const double q[],
                            const sal_constraint *c)
{
  double d[3], a[3];

  if (c->kind == SAL_CONSTRAINT_NORM) {
    const double *e = euler_of(c, q);
    return dot(e, e) + e[3] * e[3] - 1;
  }
  sal_arm_place(system, value, q, &c->j, d);
  if (c->kind == SAL_CONSTRAINT_DOT1 || c->kind == SAL_CONSTRAINT_DOT2)
    sal_arm_place(system, value, q, &c->a, a);
  if (c->kind == SAL_CONSTRAINT_DOT1) return dot(a, d);
  double from[3];
  sal_arm_place(system, value, q, &c->i, from);
  for (int i = 0; i < 3; ++i) d[i] -= from[i];
  if (c->kind == SAL_CONSTRAINT_POINT) return d[c->axis];
  if (c->kind == SAL_CONSTRAINT_DOT2) return dot(a, d) + rolled(value, q, c);
  return dot(d, d) - value[c->length] * value[c->length];
}

void sal_constraint_slope(const sal_system *system, const double value[], const double q[],
                          const sal_constraint *c, sal_constraint_row row)
{
  const sal_pair_place at = {system, value, q};
  sal_pair u, w;

  memset(row, 0, sizeof(sal_constraint_row));
  if (c->kind == SAL_CONSTRAINT_NORM) {
    for (int l = 0; l < 4; ++l) row[3 + l] = 2 * euler_of(c, q)[l];
    return;
  }
  factors(&at, c, &u, &w);
  for (int i = 0; i < 3; ++i)
    for (int l = 0; l < SAL_PAIR; ++l) row[l] += u.x[i] * w.d[i][l] + w.x[i] * u.d[i][l];
  if (c->roll) row[ANGLE] -= value[c->roll];
  if (c->roll) row[SAL_ARM + ANGLE] += value[c->roll];
}

/* x_q p of a vector. */
static void advance(const sal_constraint *c, const double p[], const sal_pair *u, double v[3])
{
  for (int i = 0; i < 3; ++i) v[i] = sal_pair_dot(c->column, u->d[i], p);
}

void sal_constraint_along(const sal_system *system, const double value[], const double q[],
                          const double p[], const sal_constraint *c, sal_constraint_turn *out)
{
  const sal_pair_place at = {system, value, q};
  sal_pair u, w;
  sal_pair_turn up, wp;

  memset(out, 0, sizeof *out);
  if (c->kind == SAL_CONSTRAINT_NORM) {
    const double *e = euler_of(c, p);
    for (int l = 0; l < 4; ++l) out->along[3 + l] = 2 * e[l];
    out->bend = 2 * (dot(e, e) + e[3] * e[3]);
    return;
  }
  factors(&at, c, &u, &w);
  turn_factors(&at, p, c, &up, &wp);
  advance(c, p, &u, up.v);
  advance(c, p, &w, wp.v);
  out->bend = dot(u.x, wp.bend) + dot(w.x, up.bend) + 2 * dot(up.v, wp.v);
  for (int i = 0; i < 3; ++i)
    for (int l = 0; l < SAL_PAIR; ++l) {
      out->along[l] +=
          up.d2[i][l] * w.x[i] + wp.d2[i][l] * u.x[i] + u.d[i][l] * wp.v[i] + w.d[i][l] * up.v[i];
      out->third[l] += u.d[i][l] * wp.bend[i] + w.d[i][l] * up.bend[i] + u.x[i] * wp.d3[i][l] +
                       w.x[i] * up.d3[i][l] + 2 * (up.d2[i][l] * wp.v[i] + wp.d2[i][l] * up.v[i]);
    }
}

static void bend_factors(const sal_pair_place *at, const sal_constraint *c, const sal_pair *u,
                         const sal_pair *w, double factor, double block[SAL_PAIR][SAL_PAIR])
{
  const bool twice = c->kind == SAL_CONSTRAINT_DISTANCE;
  const double f = twice ? 2 * factor : factor;

  sal_pair_bend(at, &c->j, 1, f, u->x, block);
  if (c->kind != SAL_CONSTRAINT_DOT1) sal_pair_bend(at, &c->i, 0, -f, u->x, block);
  if (c->kind == SAL_CONSTRAINT_DOT1 || c->kind == SAL_CONSTRAINT_DOT2)
    sal_pair_bend(at, &c->a, 0, factor, w->x, block);
}

void sal_constraint_bend(const sal_system *system, const double value[], const double q[],
                         const sal_constraint *c, double factor, double block[SAL_PAIR][SAL_PAIR])
{
  const sal_pair_place at = {system, value, q};
  sal_pair u, w;

  factors(&at, c, &u, &w);
  bend_factors(&at, c, &u, &w, factor, block);
  if (c->kind != SAL_CONSTRAINT_POINT)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < SAL_PAIR; ++k)
        for (int l = 0; l < SAL_PAIR; ++l)
          block[k][l] += factor * (u.d[i][k] * w.d[i][l] + w.d[i][k] * u.d[i][l]);
}

void sal_constraint_hessian(const sal_system *system, const double value[], const double q[],
                            const sal_constraint *c, double factor, double S[])
{
  const int n = system->n_q;
  double block[SAL_PAIR][SAL_PAIR] = {{0}};

  if (c->kind == SAL_CONSTRAINT_NORM) {
    for (int l = 3; l < 7; ++l) S[c->column[l] * n + c->column[l]] += 2 * factor;
    return;
  }
  sal_constraint_bend(system, value, q, c, factor, block);
  sal_pair_scatter(c->column, block, n, S);
}

bool sal_constraint_is_constant(const sal_system *s, const sal_constraint *c)
{
  const int body[] = {c->a.body, c->i.body, c->j.body};

  for (int i = 0; i < 3; ++i)
    if (body[i] >= 0 && s->body[body[i]].kind != SAL_BODY_PARTICLE) return false;
  return c->kind == SAL_CONSTRAINT_POINT || c->kind == SAL_CONSTRAINT_DOT2;
}
