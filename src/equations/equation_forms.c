/** Finds the gaps that are affine in the states and the time. */
#include "energy.h"
#include "equation_programs.h"
#include "memory.h"

/* Is a node constant in a mode (0), affine in the states and the time (1), or neither (2)?  degree [node]: of its operands. */
static int degree_of(const sal_graph_node *n, const char degree[])
{
  const int operand[] = {n->a, n->b, n->c}, count = sal_graph_operands(n);
  int most = 0, sum = 0;

  if (n->kind == SAL_GRAPH_STATE || n->kind == SAL_GRAPH_TIME) return 1;
  if (n->kind != SAL_GRAPH_OPERATION || n->op == SAL_PROGRAM_closed || n->op == SAL_PROGRAM_clock)
    return 0;
  for (int i = 0; i < count; ++i) {
    sum += degree[operand[i]];
    most = degree[operand[i]] > most ? degree[operand[i]] : most;
  }
  switch (n->op) {
  case SAL_PROGRAM_add:
  case SAL_PROGRAM_sub:
  case SAL_PROGRAM_neg:
    return most;
  case SAL_PROGRAM_mul:
    return sum < 2 ? sum : 2;
  case SAL_PROGRAM_div:
    return degree[n->b] == 0 ? most : 2;
  case SAL_PROGRAM_select:
    return degree[n->a] == 0 ? most : 2;
  default:
    return most == 0 ? 0 : 2;
  }
}

void sal_equation_forms(sal_equation_reading *r)
{
  const sal_graph *g = &r->graph;
  const sal_gap_form other =
      sal_document_find(&r->document, "longest_step") ? SAL_FORM_SMOOTH : SAL_FORM_CURVED;
  SAL_OWN char *degree = sal_alloc((size_t)g->n, 1);

  for (int i = 0; degree && i < g->n; ++i) degree[i] = (char)degree_of(&g->node[i], degree);
  for (int k = 0; degree && k < r->model->n_guard; ++k) {
    const sal_equation_contact *c = &r->contact[k];
    const int in_mode[] = {c->gap, c->release >= 0 ? c->release : c->gap};
    const bool apart = c->during < 0 || degree[c->during] == 0;
    const bool at_run =
        r->energy && r->energy->at_run && r->model->contact[k].kind != SAL_CONTACT_COMPLIANT;
    for (int closed = 0; closed < 2; ++closed)
      r->model->contact[k].form[closed] =
          apart && degree[in_mode[closed]] < 2 && !(closed && at_run) ? SAL_FORM_AFFINE : other;
  }
}
