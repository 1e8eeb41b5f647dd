/** The program of terms from which contacts are solved for at run time: sal_contact_program, its results and its making. */
#include "base.h"
#include "energy.h"
#include "equation_programs.h"
#include "program_hold.h"

/** A list while it is made. */
typedef struct {
  sal_graph *g;
  sal_energy *e;
  int *normal, *along, *row; /* [n] gradients, in the order of the problem / of the text */
} listing;

static void add(listing *l, int node) { l->e->term[l->e->n_term++] = node; }

static int mass(const listing *l, int i, int j)
{
  const int *state = l->e->problem.state;

  return l->e->mass[state[i] * l->e->n + state[j]];
}

/* Energies that are written out have the whole matrix and whole rows: exports read them. */
static void find_blocks(const listing *l)
{
  const sal_energy *e = l->e;
  const sal_contact_program *p = &e->problem;

  for (int i = 0, from = 0; i < e->n; from = i) {
    int end = e->at_run ? from + 1 : e->n;
    for (; i < end; ++i)
      for (int j = end; j < e->n; ++j)
        if (!sal_graph_is(l->g, mass(l, i, j), 0)) end = j + 1;
    for (int k = from; k < end; ++k) {
      p->first[k] = from;
      p->last[k] = end - 1;
    }
  }
}

static void list_mass(listing *l)
{
  sal_energy *e = l->e;

  for (int i = 0; i < e->n; ++i) {
    e->problem.row[i] = e->n_term - e->problem.first[i];
    for (int j = e->problem.first[i]; j <= e->problem.last[i]; ++j) add(l, mass(l, i, j));
  }
  e->problem.load = e->n_term;
  for (int i = 0; i < e->n; ++i) add(l, e->load[e->problem.state[i]]);
}

/* gradient [n], and the drift and turn of an expression. */
static void bind(const listing *l, int node, int gradient[], int bound[2])
{
  sal_energy_bind(l->g, l->e, node, l->row, &bound[0], &bound[1]);
  for (int i = 0; i < l->e->n; ++i) gradient[i] = l->row[l->e->problem.state[i]];
}

/* The coordinates that gradients move. */
static void find_range(const listing *l, sal_contact_place *of)
{
  const int n = l->e->n;

  of->from = l->e->at_run ? n : 0;
  of->to = l->e->at_run ? 0 : n;
  for (int i = 0; i < n; ++i) {
    if (sal_graph_is(l->g, l->normal[i], 0) && sal_graph_is(l->g, l->along[i], 0)) continue;
    of->from = i < of->from ? i : of->from;
    of->to = i + 1 > of->to ? i + 1 : of->to;
  }
  if (of->from > of->to) of->from = of->to = 0;
}

static void list_contact(listing *l, int c)
{
  const sal_energy_law *law = &l->e->law[c];
  const sal_energy_contact *of = &l->e->contact[c];
  const int zero = sal_graph_constant(l->g, 0);
  const bool rubs = of->stick > 0;
  sal_contact_place *place = &l->e->problem.of[c];
  int *load = &l->e->term[l->e->problem.load], bound[2][2] = {{0, 0}, {zero, zero}};

  bind(l, law->gap, l->normal, bound[0]);
  for (int i = 0; i < l->e->n; ++i) l->along[i] = zero;
  if (rubs) bind(l, law->slides, l->along, bound[1]);
  *place = (sal_contact_place){.guard = of->guard,
                               .stick = of->stick,
                               .sense = of->sense,
                               .rigid = of->rigid,
                               .poisson = of->poisson,
                               .at = l->e->n_term};
  find_range(l, place);
  add(l, law->gap);
  add(l, of->rigid ? law->restitution : law->push);
  add(l, rubs ? law->mu : zero);
  add(l, rubs ? law->hold : zero);
  for (int along = 0; along < 2; ++along) {
    for (int i = place->from; i < place->to; ++i) add(l, (along ? l->along : l->normal)[i]);
    add(l, bound[along][0]);
    add(l, bound[along][1]);
  }
  if (of->rigid) return;
  const int slides =
      rubs ? sal_algebra_and(l->g, law->closed, sal_algebra_not(l->g, law->sticks)) : 0;
  sal_energy_add_push(l->g, l->e, law, c, l->normal, l->along, slides, load);
}

/* Contacts of neighbours side by side, where the text has those of one kind after those of another. */
static bool sort_contacts(sal_contact_program *p)
{
  const size_t bytes = (size_t)p->m * sizeof *p->of;
  SAL_OWN sal_contact_place *text = sal_alloc(1, bytes + 1);
  const int band = sal_program_hold_band(p);

  if (!text) return false;
  memcpy(text, p->of, bytes);
  for (int c = 1; c < p->m; ++c)
    for (int k = c; k > 0 && p->of[k].from < p->of[k - 1].from; --k) {
      const sal_contact_place swap = p->of[k];
      p->of[k] = p->of[k - 1];
      p->of[k - 1] = swap;
    }
  if (2 * sal_program_hold_band(p) >= band) memcpy(p->of, text, bytes);
  return true;
}

/* A gap, and nothing that it moves. */
static void list_mark(listing *l, int i)
{
  sal_energy *e = l->e;
  const int zero = sal_graph_constant(l->g, 0);

  e->problem.of[e->n_contact + i] =
      (sal_contact_place){.guard = e->mark[i], .mark = true, .to = e->n, .at = e->n_term};
  add(l, e->mark_gap[i]);
  for (int j = 1; j < 2 * e->n + 8; ++j) add(l, zero);
}

bool sal_energy_list(sal_graph *g, sal_energy *e)
{
  const size_t n = (size_t)e->n, m = (size_t)e->n_contact + (size_t)e->n_mark;
  sal_contact_program *p = &e->problem;
  SAL_OWN int *gradients = sal_alloc(3 * n, sizeof *gradients);

  *p = (sal_contact_program){.n = e->n, .m = (int)m};
  p->of = sal_alloc(m + 1, sizeof *p->of);
  p->state = sal_alloc(n, sizeof *p->state);
  p->first = sal_alloc(n, sizeof *p->first);
  p->last = sal_alloc(n, sizeof *p->last);
  p->row = sal_alloc(n, sizeof *p->row);
  e->term = sal_alloc(n * n + n + m * (2 * n + 8), sizeof *e->term);
  if (!gradients || !p->of || !p->state || !p->first || !p->last || !p->row || !e->term)
    return false;
  listing l = {
      .g = g, .e = e, .normal = gradients, .along = gradients + n, .row = gradients + 2 * n};
  if (!sal_energy_order(g, e, p->state)) return false;
  find_blocks(&l);
  list_mass(&l);
  for (int c = 0; c < e->n_contact; ++c) list_contact(&l, c);
  for (int i = 0; i < e->n_mark; ++i) list_mark(&l, i);
  return !e->at_run || sort_contacts(p);
}

sal_err sal_energy_compile(sal_equation_reading *r, sal_equation_programs *p,
                           const sal_compile_layout *layout)
{
  sal_energy *e = r->energy;
  sal_contact_program *c = &p->contacts;

  if (!e || e->n_term == 0) return SAL_OK;
  *c = e->problem;
  e->problem = (sal_contact_program){0};
  c->plain = true;
  for (int i = 0; i < e->n_mark; ++i)
    c->plain &= r->contact[e->mark[i]].release < 0 && r->contact[e->mark[i]].during < 0;
  c->jump = sal_program_contacts_alone;
  c->slope = sal_program_contacts_slope;
  p->flow.motion = c;
  /* contacts without a law change states at their times, which steps pass over */
  const bool alone = e->n_mark == 0 && sal_model_is_second_order(r->model);
  r->model->motion = alone ? sal_program_contacts_motion : NULL;
  c->in_sequence = e->in_sequence;
  for (int i = 0; i < e->n_contact; ++i) {
    r->model->n_touch += e->contact[i].rigid;
    r->model->poisson |= e->contact[i].poisson;
    if (!e->contact[i].rigid && e->contact[i].stick > 0) r->model->motion = NULL;
  }
  r->model->in_sequence = e->in_sequence;
  SAL_TRY(sal_equation_compile(r, &r->graph, layout, "contacts", e->n_term, e->term, &c->terms));
  for (const sal_instruction *i = c->terms.code; i->op != SAL_PROGRAM_end; ++i)
    c->by_mode |= i->op == SAL_PROGRAM_closed || i->op == SAL_PROGRAM_held;
  if (r->model->motion && r->model->n_touch > 0)
    SAL_TRY(
        sal_equation_compile(r, &r->graph, layout, "contacts", e->n, e->term + c->load, &c->loads));
  if (e->at_run) {
    c->n_hold = sal_program_hold_words(c);
    r->model->motion_order = c->state;
    return SAL_OK;
  }
  if (r->model->n_touch > 0) {
    p->flow.contacts = c;
    if (r->model->n_touch > 1) c->release = sal_program_contacts_release; /* one alone is unique */
    r->model->jump_together = sal_program_contacts_jump;
    r->model->single = r->model->n_touch == 1 && !r->model->poisson;
  }
  for (int i = 0; i < e->n_contact; ++i) {
    if (!e->contact[i].rigid) continue;
    p->jump[e->contact[i].guard].joint = true;
    if (e->contact[i].stick > 0) p->jump[e->contact[i].stick].joint = true;
  }
  return sal_equation_compile(r, &r->graph, layout, "contacts", 1, &e->redundant, &c->redundant);
}
