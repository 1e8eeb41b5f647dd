/** Lagrange's equations by derivatives of the graph. */
#include "derivative.h"
#include "energy.h"

static int derive(sal_graph *g, int by, int node)
{
  int out;

  sal_derivative_take(g, by, 1, &node, &out);
  return out;
}

/* sum_j d node / dq_j v_j */
static int along_motion(sal_graph *g, const sal_energy *e, int node)
{
  int sum = sal_graph_constant(g, 0);

  for (int j = 0; j < e->n; ++j)
    sum = sal_algebra_add(g, sum, sal_algebra_mul(g, derive(g, j, node), e->terms.v[j]));
  return sum;
}

sal_energy_bound sal_energy_bind(sal_graph *g, const sal_energy *e, int node)
{
  sal_energy_bound b = {.drift = derive(g, SAL_DERIVATIVE_TIME, node)};
  int rate = b.drift;

  for (int j = 0; j < e->n; ++j) {
    b.row[j] = derive(g, j, node);
    rate = sal_algebra_add(g, rate, sal_algebra_mul(g, b.row[j], e->terms.v[j]));
  }
  b.turn = sal_algebra_add(g, along_motion(g, e, rate), derive(g, SAL_DERIVATIVE_TIME, rate));
  return b;
}

void sal_energy_lagrange(sal_graph *g, sal_energy *e, const int force[])
{
  sal_energy_terms *s = &e->terms;

  for (int i = 0; i < e->n; ++i) {
    const int momentum = derive(g, e->n + i, e->kinetic);
    for (int j = 0; j < e->n; ++j) s->mass[i][j] = derive(g, e->n + j, momentum);
    s->load[i] = sal_algebra_sub(g, force[i], derive(g, i, e->potential));
    s->load[i] = sal_algebra_add(g, s->load[i], derive(g, i, e->kinetic));
    s->load[i] = sal_algebra_sub(g, s->load[i], along_motion(g, e, momentum));
    s->load[i] = sal_algebra_sub(g, s->load[i], derive(g, SAL_DERIVATIVE_TIME, momentum));
  }
  for (int i = 0; i < e->n; ++i) /* one of two orders of the same derivatives */
    for (int j = 0; j < i; ++j) s->mass[j][i] = s->mass[i][j];
}

void sal_energy_terms_at(sal_graph *g, const sal_energy_terms *terms, int n, const int from[],
                         const int to[], sal_energy_terms *out)
{
  sal_algebra_replace(g, n, from, to, (int)(sizeof *terms / sizeof(int)), (const int *)terms,
                      (int *)out);
}
