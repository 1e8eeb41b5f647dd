/** Contacts of a text that gives its flow itself, for time stepping: by the key `restitution`, with masses of 1. */
#include "base.h"
#include "derivative.h"
#include "equation_programs.h"

/* Velocities follow the positions in the same order, and there is nothing else. */
static bool is_ordered(const sal_model *m)
{
  const int n = sal_model_continuous(m) / 2;

  for (int i = 0; i < n; ++i)
    if (m->velocity[i] != 1 + n + i) return false;
  return n > 0 && m->n_discrete == 0 && sal_model_is_second_order(m);
}

static sal_err check(const sal_equation_reading *r, bool *any)
{
  const int mapping = sal_document_find(&r->document, "contacts");
  int n = 0;

  for (int k = 0; k < r->model->n_guard; ++k) n += r->contact[k].restitution >= 0;
  *any = n > 0;
  if (n == 0) return SAL_OK;
  if (n < r->model->n_guard)
    return sal_document_fail(&r->document, mapping,
                             "restitution: %d of %d contacts have it; all or none are expected", n,
                             r->model->n_guard);
  if (is_ordered(r->model)) return SAL_OK;
  return sal_document_fail(&r->document, mapping,
                           "restitution: time stepping needs states that are all positions, and "
                           "then their velocities (rate_of) in the same order");
}

/* Results of contact k, after those in root; returns how many there are then. */
static int list_terms(sal_equation_reading *r, sal_unit_program *c, int k, int n, int root[])
{
  const int gap = r->contact[k].gap, coordinates = r->n_continuous / 2;
  int slope[SAL_MAX_STATE] = {0}, from = coordinates, to = 0;

  root[n++] = gap;
  root[n++] = r->contact[k].restitution;
  sal_derivative_take(&r->graph, SAL_DERIVATIVE_TIME, 1, &gap, &root[n++]);
  for (int i = 0; i < coordinates; ++i) {
    sal_derivative_take(&r->graph, i, 1, &gap, &slope[i]);
    if (sal_graph_is(&r->graph, slope[i], 0)) continue;
    from = i < from ? i : from;
    to = i + 1;
  }
  c->from[k] = from < to ? from : 0;
  c->to[k] = to > 0 ? to : 1;
  for (int i = c->from[k]; i < c->to[k] && n < SAL_MAX_UNIT_TERMS; ++i) root[n++] = slope[i];
  return n;
}

sal_err sal_equation_capture_make(sal_equation_reading *r, sal_equation_programs *p,
                                  const sal_compile_layout *layout)
{
  const int m = r->model->n_guard;
  sal_unit_program *c = &p->unit;
  bool any;
  int n = 0;

  SAL_TRY(check(r, &any));
  if (!any) return SAL_OK;
  SAL_OWN int *root = sal_alloc(SAL_MAX_UNIT_TERMS + 4, sizeof *root);
  c->from = sal_alloc((size_t)m, sizeof *c->from);
  c->to = sal_alloc((size_t)m, sizeof *c->to);
  if (!root || !c->from || !c->to)
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  for (int k = 0; k < m && n < SAL_MAX_UNIT_TERMS - 3; ++k) n = list_terms(r, c, k, n, root);
  const char *flaw = n >= SAL_MAX_UNIT_TERMS - 3
                         ? "fewer coordinates between those that a gap depends on"
                         : sal_compile_program(&r->graph, layout, n, root, &c->terms);
  if (flaw)
    return sal_document_fail(&r->document, sal_document_find(&r->document, "contacts"),
                             "restitution: it needs %s", flaw);
  c->m = m;
  p->flow.unit = c;
  r->model->motion = sal_program_unit_motion;
  r->model->n_touch = m;
  return SAL_OK;
}
