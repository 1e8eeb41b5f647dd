/** Lagrange's equations by derivatives of the graph. */
#include "base.h"
#include "derivative.h"
#include "energy.h"

static int derive(sal_graph *g, int by, int node)
{
  int out;

  sal_derivative_take(g, by, 1, &node, &out);
  return out;
}

void sal_energy_moves(sal_graph *g, const sal_energy *e, int node, bool rates, bool on[])
{
  const sal_graph part = sal_graph_part(g, 1, &node);
  SAL_OWN bool *marked = sal_alloc((size_t)part.n, sizeof *marked);
  const int first = rates ? e->n : 0;

  if (!marked) g->full = true;
  if (g->full) return;
  sal_graph_reach(&part, 1, &node, marked);
  for (int i = 0; i < part.n; ++i) {
    const int of = part.node[i].a - first;
    if (marked[i] && part.node[i].kind == SAL_GRAPH_STATE && of >= 0 && of < e->n) on[of] = true;
  }
}

/* sum_j d node / dq_j v_j */
static int along_motion(sal_graph *g, const sal_energy *e, int node)
{
  bool on[SAL_ENERGY_MOST] = {false};
  int sum = sal_graph_constant(g, 0);

  sal_energy_moves(g, e, node, false, on);
  for (int j = 0; j < e->n; ++j)
    if (on[j]) sum = sal_algebra_add(g, sum, sal_algebra_mul(g, derive(g, j, node), e->v[j]));
  return sum;
}

static int rate_and_row(sal_graph *g, const sal_energy *e, int node, int row[], int *drift)
{
  bool on[SAL_ENERGY_MOST] = {false};
  int rate = *drift = derive(g, SAL_DERIVATIVE_TIME, node);

  sal_energy_moves(g, e, node, false, on);
  for (int j = 0; j < e->n; ++j) {
    row[j] = on[j] ? derive(g, j, node) : sal_graph_constant(g, 0);
    rate = sal_algebra_add(g, rate, sal_algebra_mul(g, row[j], e->v[j]));
  }
  return rate;
}

int sal_energy_rate_of(sal_graph *g, const sal_energy *e, int node)
{
  int row[SAL_ENERGY_MOST], drift, rate = sal_graph_constant(g, 0);

  (void)rate_and_row(g, e, node, row, &drift);
  for (int j = 0; j < e->n; ++j)
    rate = sal_algebra_add(g, rate, sal_algebra_mul(g, row[j], e->v[j]));
  return sal_algebra_add(g, rate, drift);
}

void sal_energy_bind(sal_graph *g, const sal_energy *e, int node, int row[], int *drift, int *turn)
{
  const int rate = rate_and_row(g, e, node, row, drift);

  *turn = sal_algebra_add(g, along_motion(g, e, rate), derive(g, SAL_DERIVATIVE_TIME, rate));
}

bool sal_energy_lagrange(sal_graph *g, sal_energy *e, const int force[])
{
  const int n = e->n;

  e->mass = sal_alloc((size_t)n * (size_t)n, sizeof *e->mass);
  e->load = sal_alloc((size_t)n, sizeof *e->load);
  if (!e->mass || !e->load) return false;
  for (int i = 0; i < n; ++i) {
    const int momentum = derive(g, n + i, e->kinetic);
    bool on[SAL_ENERGY_MOST] = {false};
    sal_energy_moves(g, e, momentum, true, on);
    for (int j = 0; j < n; ++j)
      e->mass[i * n + j] = on[j] ? derive(g, n + j, momentum) : sal_graph_constant(g, 0);
    int load = sal_algebra_sub(g, force[i], derive(g, i, e->potential));
    load = sal_algebra_add(g, load, derive(g, i, e->kinetic));
    load = sal_algebra_sub(g, load, along_motion(g, e, momentum));
    e->load[i] = sal_algebra_sub(g, load, derive(g, SAL_DERIVATIVE_TIME, momentum));
  }
  for (int i = 0; i < n; ++i) /* one of two orders of the same derivatives */
    for (int j = 0; j < i; ++j) e->mass[j * n + i] = e->mass[i * n + j];
  for (int i = 0; i < n && !e->at_run; ++i) {
    e->terms.load[i] = e->load[i];
    for (int j = 0; j < n; ++j) e->terms.mass[i][j] = e->mass[i * n + j];
  }
  return true;
}

void sal_energy_problem_free(sal_contact_program *p)
{
  sal_free_all(p->of, p->state, p->first, p->last, p->row);
}

void sal_energy_free(sal_energy *e)
{
  if (!e) return;
  sal_energy_problem_free(&e->problem);
  sal_free_all(e->mass, e->load, e->term);
}
