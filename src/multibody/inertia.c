/** G(e) x = -e x0 + e0 x - e x x, so that G(e) x = -G(x) e; G^T y and its derivative by e. */
#include "force.h"
#include <string.h>

typedef double euler_matrix[4][4];

static void form_G(const double e[4], double G[3][4])
{
  const double rows[3][4] = {
      {-e[1], e[0], e[3], -e[2]}, {-e[2], -e[3], e[0], e[1]}, {-e[3], e[2], -e[1], e[0]}};

  memcpy(G, rows, sizeof rows);
}

/* J of Ixx Iyy Izz Ixy Ixz Iyz. */
static void form_J(const double I[6], double J[3][3])
{
  const double rows[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};

  memcpy(J, rows, sizeof rows);
}

/* out += f A^T J B. */
static void add_product(double f, double A[3][4], double J[3][3], double B[3][4], euler_matrix out)
{
  double JB[3][4] = {{0}};

  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 4; ++l) JB[i][l] += J[i][k] * B[k][l];
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < 4; ++l) out[k][l] += f * A[i][k] * JB[i][l];
}

/* y = J G x. */
static void momentum(double J[3][3], double G[3][4], const double x[4], double y[3])
{
  double w[3] = {0};

  for (int i = 0; i < 3; ++i)
    for (int l = 0; l < 4; ++l) w[i] += G[i][l] * x[l];
  for (int i = 0; i < 3; ++i) y[i] = J[i][0] * w[0] + J[i][1] * w[1] + J[i][2] * w[2];
}

/* out += f d(G(e)^T y)/de. */
static void add_turned(double f, const double y[3], euler_matrix out)
{
  const double T[4][4] = {{0, -y[0], -y[1], -y[2]},
                          {y[0], 0, y[2], -y[1]},
                          {y[1], -y[2], 0, y[0]},
                          {y[2], y[1], -y[0], 0}};

  for (int k = 0; k < 4; ++k)
    for (int l = 0; l < 4; ++l) out[k][l] += f * T[k][l];
}

void sal_inertia_of(const sal_system *system, const double value[], const double q[], int body,
                    sal_inertia_block M)
{
  const sal_body *b = &system->body[body];
  const double *m = value + b->mass;
  double G[3][4], J[3][3];
  euler_matrix rotary = {{0}};

  memset(M, 0, sizeof(sal_inertia_block));
  M[0][0] = m[0];
  if (b->kind == SAL_BODY_PARTICLE) return;
  M[1][1] = m[0];
  M[2][2] = b->kind == SAL_BODY_PLANAR ? m[1] : m[0];
  if (b->kind == SAL_BODY_PLANAR) return;
  form_G(q + b->first + 3, G);
  form_J(m + 1, J);
  add_product(4, G, J, G, rotary);
  for (int k = 0; k < 4; ++k) memcpy(&M[3 + k][3], rotary[k], sizeof rotary[k]);
}

void sal_inertia_times(const sal_system *system, const double value[], const double q[],
                       const double x[], double y[])
{
  for (int i = 0; i < system->n_body; ++i) {
    const sal_body *b = &system->body[i];
    const int n = sal_system_coordinates(b->kind);
    sal_inertia_block M;
    sal_inertia_of(system, value, q, i, M);
    for (int k = 0; k < n; ++k) {
      double sum = 0;
      for (int l = 0; l < n; ++l) sum += M[k][l] * x[b->first + l];
      y[b->first + k] = sum;
    }
  }
}

/* For a particle gravity's last component is the one along its line. */
static void add_weight(const sal_body *b, const double value[], const double g[3], double Q[])
{
  const double m = value[b->mass];

  if (b->kind == SAL_BODY_PARTICLE) {
    Q[b->first] += m * g[2];
    return;
  }
  for (int i = 0; i < (b->kind == SAL_BODY_PLANAR ? 2 : 3); ++i) Q[b->first + i] += m * g[i];
}

void sal_inertia_force(const sal_system *system, const double value[], const double q[],
                       const double qd[], double Q[])
{
  for (int i = 0; i < system->n_body; ++i) {
    const sal_body *b = &system->body[i];
    double G[3][4], J[3][3], y[3];
    add_weight(b, value, value + system->gravity, Q);
    if (b->kind != SAL_BODY_SPATIAL) continue;
    form_G(qd + b->first + 3, G);
    form_J(value + b->mass + 1, J);
    momentum(J, G, q + b->first + 3, y);
    for (int k = 0; k < 4; ++k)
      Q[b->first + 3 + k] += 8 * (G[0][k] * y[0] + G[1][k] * y[1] + G[2][k] * y[2]);
  }
}

static void add_to(int n_q, int first, euler_matrix block, double S[])
{
  for (int k = 0; k < 4; ++k)
    for (int l = 0; l < 4; ++l) S[(first + k) * n_q + first + l] += block[k][l];
}

void sal_inertia_slopes(const sal_system *system, const double value[], const double q[],
                        const double qd[], const double x[], double S[], double V[])
{
  for (int i = 0; i < system->n_body; ++i) {
    const sal_body *b = &system->body[i];
    const int at = b->first + 3;
    double G[3][4], Gd[3][4], Gx[3][4], J[3][3], y[3];
    euler_matrix s = {{0}}, v = {{0}};
    if (b->kind != SAL_BODY_SPATIAL) continue;
    form_G(q + at, G);
    form_G(qd + at, Gd);
    form_G(x + at, Gx);
    form_J(value + b->mass + 1, J);
    momentum(J, G, x + at, y); /* (4 G^T J G x)_e */
    add_turned(4, y, s);
    add_product(-4, G, J, Gx, s);
    add_product(-8, Gd, J, Gd, s); /* the quadratic force */
    momentum(J, Gd, q + at, y);
    add_turned(8, y, v);
    add_product(-8, Gd, J, G, v);
    add_to(system->n_q, at, s, S);
    add_to(system->n_q, at, v, V);
  }
}
