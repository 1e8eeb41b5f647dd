/** Once all of a text of energies is read: the flow, what holds contacts, jumps, and the energies of a run. */
#include "base.h"
#include "derivative.h"
#include "energy.h"

static bool depends_on_time(sal_graph *g, int node)
{
  int by_time;

  sal_derivative_take(g, SAL_DERIVATIVE_TIME, 1, &node, &by_time);
  return !sal_graph_is(g, by_time, 0);
}

/* Is there no kinetic energy without rates?  Frames that move give it terms that are linear in them, or have none. */
static bool is_at_rest_without_rates(sal_graph *g, const sal_energy *e)
{
  int zero[SAL_ENERGY_MOST], root[1 + SAL_ENERGY_MOST] = {e->kinetic}, at_rest[1 + SAL_ENERGY_MOST];
  bool none = true;

  for (int i = 0; i < e->n; ++i) {
    zero[i] = sal_graph_constant(g, 0);
    sal_derivative_take(g, e->n + i, 1, &e->kinetic, &root[1 + i]);
  }
  sal_algebra_replace(g, e->n, e->v, zero, 1 + e->n, root, at_rest);
  for (int i = 0; i <= e->n; ++i) none = none && sal_graph_is(g, at_rest[i], 0);
  return none;
}

/* Kinetic energy, and the mechanical one where no force of it depends on time: in a frame that moves steadily it is
 * sum v dT/dv - T + V that stays the same (Jacobi's integral). */
static void add_energies(sal_equation_reading *r)
{
  const sal_energy *e = r->energy;
  sal_graph *g = &r->graph;
  int motion = e->kinetic;

  if (depends_on_time(g, e->kinetic)) return;
  r->single[SAL_EQUATION_KINETIC] = e->kinetic;
  if (r->single[SAL_EQUATION_MECHANICAL] >= 0 || depends_on_time(g, e->potential)) return;
  if (!is_at_rest_without_rates(g, e)) {
    motion = sal_algebra_sub(g, sal_graph_constant(g, 0), e->kinetic);
    for (int i = 0; i < e->n; ++i) {
      int momentum;
      sal_derivative_take(g, e->n + i, 1, &e->kinetic, &momentum);
      motion = sal_algebra_add(g, motion, sal_algebra_mul(g, e->v[i], momentum));
    }
  }
  r->single[SAL_EQUATION_MECHANICAL] =
      sal_algebra_add(g, sal_algebra_add(g, motion, e->potential), e->stored);
}

/* The flow and what holds contacts, written out. */
static void pose(sal_equation_reading *r)
{
  sal_energy *e = r->energy;
  sal_graph *g = &r->graph;
  sal_energy_modes modes;
  sal_energy_forces force = {0};
  int acceleration[SAL_ALGEBRA_MOST];
  const int zero = sal_graph_constant(g, 0);

  sal_energy_current(g, e, &e->terms, &modes);
  sal_energy_accelerate(g, e, &e->terms, &modes, &force, acceleration);
  for (int i = 0; i < e->n; ++i) {
    r->flow[i] = e->v[i];
    r->flow[e->n + i] = acceleration[i];
  }
  for (int c = 0; c < e->n_contact; ++c) {
    const sal_energy_contact *contact = &e->contact[c];
    /* A soft contact that carries nothing sticks where nothing slips, even if its gap is above 0 by rounding. */
    const int push = contact->rigid ? force.normal[c]
                                    : sal_graph_make(g, SAL_PROGRAM_max, force.normal[c], zero, 0);
    if (contact->rigid) r->contact[contact->guard].release = force.normal[c];
    if (contact->stick)
      r->contact[contact->stick].release =
          sal_algebra_sub(g, sal_algebra_mul(g, e->terms.law[c].hold, push),
                          sal_graph_make(g, SAL_PROGRAM_abs, force.along[c], 0, 0));
  }
  e->redundant = force.redundant;
}

/* Solved for at run time are all jumps at once, of rigid contacts. */
static sal_err check_at_run(const sal_equation_reading *r)
{
  const sal_energy *e = r->energy;
  const int contacts = sal_document_find(&r->document, "contacts");
  const char *lacks = e->n_mark > 0 ? "contacts without a law" : NULL;

  for (int c = 0; c < e->n_contact && !lacks; ++c)
    if (!e->contact[c].rigid && e->contact[c].stick > 0) lacks = "friction of compliant contacts";
  if (!lacks) return SAL_OK;
  return sal_document_fail(&r->document, contacts,
                           "contacts: %s need at most %d coordinates and %d contacts, each with "
                           "friction counted twice; there are %d and %d",
                           lacks, SAL_ALGEBRA_MOST, SAL_PROGRAM_CONTACTS, e->n, r->model->n_guard);
}

sal_err sal_energy_finish(sal_equation_reading *r)
{
  sal_energy *e = r->energy;

  if (e->at_run) SAL_TRY(check_at_run(r));
  if (!e->at_run) pose(r);
  if ((e->at_run || e->n_contact > 0) && !sal_energy_list(&r->graph, e))
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  if (!e->at_run) sal_energy_jumps(r);
  add_energies(r);
  return SAL_OK;
}
