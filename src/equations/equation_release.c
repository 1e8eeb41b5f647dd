/** Soft contacts that make no jump are where their force is. */
#include "algebra.h"
#include "equation_programs.h"

static int make(sal_equation_reading *r, sal_program_op op, int a, int b, int c)
{
  return sal_graph_make(&r->graph, op, a, b, c);
}

static bool jumps(const sal_equation_reading *r, const sal_equation_contact *c)
{
  bool any = c->stays[0] >= 0 || c->stays[1] >= 0;

  for (int i = 0; i < r->model->n_state; ++i) any |= c->value[0][i] >= 0 || c->value[1][i] >= 0;
  for (int k = 0; k < r->model->n_guard; ++k) any |= c->sets[k] >= 0;
  return any;
}

static void replace_all(sal_equation_reading *r, int from, int to, int n, int root[])
{
  for (int i = 0; i < n; ++i)
    if (root[i] >= 0) sal_algebra_replace(&r->graph, 1, &from, &to, 1, &root[i], &root[i]);
}

/* Replaces `from` in all expressions of the text. */
static void replace_everywhere(sal_equation_reading *r, int from, int to)
{
  replace_all(r, from, to, r->model->n_state - r->model->n_discrete, r->flow);
  replace_all(r, from, to, SAL_EQUATION_N_SINGLE, r->single);
  for (int k = 0; k < r->model->n_guard; ++k) {
    sal_equation_contact *c = &r->contact[k];
    int *const one[] = {&c->gap, &c->release, &c->during, &c->stays[0], &c->stays[1]};
    for (size_t i = 0; i < sizeof one / sizeof *one; ++i) replace_all(r, from, to, 1, one[i]);
    for (int e = 0; e < 2; ++e) replace_all(r, from, to, r->model->n_state, c->value[e]);
    replace_all(r, from, to, r->model->n_guard, c->sets);
  }
}

void sal_equation_end_by_force(sal_equation_reading *r)
{
  sal_graph *g = &r->graph;

  for (int k = 0; k < r->model->n_guard; ++k) {
    sal_equation_contact *c = &r->contact[k];
    if (r->model->contact[k].kind != SAL_CONTACT_COMPLIANT || c->release < 0 || jumps(r, c))
      continue;
    const int closed = make(r, SAL_PROGRAM_closed, c->gap, k, 0), yes = sal_algebra_true(g);
    int release;
    sal_algebra_replace(g, 1, &closed, &yes, 1, &c->release, &release);
    const int over = make(r, SAL_PROGRAM_neg, release, 0, 0), zero = sal_graph_constant(g, 0);
    const int gap = sal_algebra_pick(g, make(r, SAL_PROGRAM_gt, c->gap, zero, 0), c->gap,
                                     make(r, SAL_PROGRAM_max, c->gap, over, 0));
    c->release = SAL_EQUATION_NONE;
    replace_everywhere(r, closed, make(r, SAL_PROGRAM_closed, gap, k, 0));
    c->gap = gap;
  }
}
