/** From the nodes of a text to its programs. */
#include "equation_programs.h"
#include "clocks.h"
#include "compile.h"
#include "derivative.h"
#include "energy.h"
#include "memory.h"
#include "model_point.h"

/** Nodes of what becomes the flow's programs. */
typedef struct {
  int n_root,
      *root; /* flow [n], Jacobian [n_jac], df/dt [n], gaps and rates [2 contacts], jumps; or other flow, terms, .. */
  int n_jac, n_flow, n_jump; /* n n, or 0; how many come before the gaps / the jumps */
  int n_value[SAL_MAX_CONTACT], n_mode[SAL_MAX_CONTACT];
} roots;

static void drop_roots(roots *all) { sal_free(all->root); }

static int make(sal_equation_reading *r, sal_program_op op, int a, int b, int c)
{
  return sal_graph_make(&r->graph, op, a, b, c);
}

static int rate_of(sal_equation_reading *r, int node)
{
  int rate;

  sal_derivative_take(&r->graph, SAL_DERIVATIVE_RATE, 1, &node, &rate);
  return rate;
}

/* Gap and rate of contact k: below 0 while it is held, and constant where it plays no part. */
static void add_gap(sal_equation_reading *r, int k, int *gap, int *rate)
{
  const sal_equation_contact *c = &r->contact[k];
  const int held = make(r, SAL_PROGRAM_held, k, 0, 0), zero = sal_graph_constant(&r->graph, 0);

  *gap = c->gap;
  *rate = rate_of(r, c->gap);
  if (c->release >= 0) {
    const int over = make(r, SAL_PROGRAM_neg, c->release, 0, 0);
    *gap = make(r, SAL_PROGRAM_select, held, over, *gap);
    *rate = make(r, SAL_PROGRAM_select, held, rate_of(r, over), *rate);
  }
  if (c->during >= 0) {
    const int still = make(r, SAL_PROGRAM_select, held, sal_graph_constant(&r->graph, -1),
                           sal_graph_constant(&r->graph, 1));
    *gap = make(r, SAL_PROGRAM_select, c->during, *gap, still);
    *rate = make(r, SAL_PROGRAM_select, c->during, *rate, zero);
  }
}

/* A node by whether the contact that jumps has closed. */
static int by_event(sal_equation_reading *r, int closed, int opened)
{
  const int closing = make(r, SAL_PROGRAM_closing, 0, 0, 0);

  return closed == opened ? closed : make(r, SAL_PROGRAM_select, closing, closed, opened);
}

/* The mode after a jump: conditions have no select. */
static int mode_by_event(sal_equation_reading *r, const int stays[2])
{
  const int closing = make(r, SAL_PROGRAM_closing, 0, 0, 0),
            opening = make(r, SAL_PROGRAM_not, closing, 0, 0);
  const int closed = stays[1] < 0 ? closing : make(r, SAL_PROGRAM_and, closing, stays[1], 0);

  if (stays[0] < 0) return closed;
  return make(r, SAL_PROGRAM_or, closed, make(r, SAL_PROGRAM_and, opening, stays[0], 0), 0);
}

static int own_value(sal_equation_reading *r, int state)
{
  const int n = r->model->n_state - r->model->n_discrete;

  return state < n ? sal_graph_quantity(&r->graph, SAL_GRAPH_STATE, state)
                   : sal_graph_quantity(&r->graph, SAL_GRAPH_DISCRETE, state - n);
}

/* The results of a jump: values [.. most], what they are of, and modes after them. */
static void add_jump(sal_equation_reading *r, int k, roots *all, uint16_t value[], uint16_t mode[])
{
  const sal_equation_contact *c = &r->contact[k];
  int *root = all->root + all->n_root, n = 0, m = 0;

  for (int i = 0; i < r->model->n_state; ++i) {
    const int *v[] = {&c->value[0][i], &c->value[1][i]};
    if (*v[0] < 0 && *v[1] < 0) continue;
    value[n] = (uint16_t)i;
    root[n++] =
        by_event(r, *v[1] < 0 ? own_value(r, i) : *v[1], *v[0] < 0 ? own_value(r, i) : *v[0]);
  }
  if (c->stays[0] >= 0 || c->stays[1] >= 0) {
    mode[m] = (uint16_t)k;
    root[n + m++] = mode_by_event(r, c->stays);
  }
  for (int other = 0; other < r->model->n_guard; ++other) {
    if (c->sets[other] < 0) continue;
    mode[m] = (uint16_t)other;
    root[n + m++] = c->sets[other];
  }
  all->n_value[k] = n;
  all->n_mode[k] = m;
  all->n_root += n + m;
}

/* Are accelerations solved for at run time?  The flow is then that of the other states. */
static bool solves_at_run(const sal_equation_reading *r) { return r->energy && r->energy->at_run; }

static bool open_roots(const sal_equation_reading *r, roots *all)
{
  const sal_model *m = r->model;
  const size_t n = (size_t)(m->n_state - m->n_discrete), k = (size_t)m->n_guard;
  const size_t terms = r->energy ? (size_t)r->energy->n_term : 0;

  all->n_jac = n > SAL_MAX_DENSE || solves_at_run(r)
                   ? 0
                   : (int)(n * n); /* differences are taken, by a pattern */
  all->root = sal_alloc(2 * n + (size_t)all->n_jac + 2 * k +
                            k * ((size_t)m->n_state + SAL_MAX_CONTACT + 1) + terms,
                        sizeof *all->root);
  return all->root != NULL;
}

/* The flow with its derivatives. */
static void find_flow(sal_equation_reading *r, roots *all)
{
  const int n = r->model->n_state - r->model->n_discrete, nn = all->n_jac;
  int *jac = all->root + n, *by_time = jac + nn;
  int column[SAL_MAX_STATE];

  for (int i = 0; i < n; ++i) all->root[i] = r->flow[i];
  for (int j = 0; j < n && nn > 0; ++j) {
    sal_derivative_take(&r->graph, j, n, r->flow, column);
    for (int i = 0; i < n; ++i) jac[i * n + j] = column[i];
  }
  sal_derivative_take(&r->graph, SAL_DERIVATIVE_TIME, n, r->flow, by_time);
  all->n_flow = n + nn + n;
}

/* That of states which are neither coordinates nor rates, then the terms. */
static void find_terms(const sal_equation_reading *r, roots *all)
{
  const sal_energy *e = r->energy;

  for (int i = 2 * e->n; i < r->n_continuous; ++i) all->root[all->n_flow++] = r->flow[i];
  for (int i = 0; i < e->n_term; ++i) all->root[all->n_flow++] = e->term[i];
}

static void find_roots(sal_equation_reading *r, sal_equation_programs *p, roots *all)
{
  const int m = r->model->n_guard;

  if (solves_at_run(r))
    find_terms(r, all);
  else
    find_flow(r, all);
  int *gap = all->root + all->n_flow;
  for (int k = 0; k < m; ++k) add_gap(r, k, &gap[k], &gap[m + k]);
  sal_equation_forms(r);
  all->n_root = all->n_jump = all->n_flow + 2 * m;
  for (int k = 0; k < m; ++k)
    add_jump(r, k, all, (uint16_t *)p->jump[k].value, (uint16_t *)p->jump[k].mode);
}

/* The derivatives of a jump along all states and the time; false: they are too long for a program, and differences are
 * taken. */
static bool compile_slope(sal_equation_reading *r, const sal_compile_layout *layout,
                          sal_jump_program *jump, const int root[])
{
  sal_compile_layout wide = *layout;
  SAL_OWN int *slope = sal_alloc((size_t)jump->n_value + 1, sizeof *slope);

  wide.n_slope = layout->n_continuous + layout->n_discrete + 1;
  if (!slope) return false;
  sal_derivative_take(&r->graph, sal_derivative_whole(layout->n_continuous, layout->n_discrete),
                      jump->n_value, root, slope);
  return !r->graph.full &&
         sal_compile_program(&r->graph, &wide, jump->n_value, slope, &jump->slope) == NULL;
}

/* As few parts as there is room for: half of the rows, a quarter, .. in each. */
static sal_err compile_jacobian(const sal_equation_reading *r, sal_equation_programs *p,
                                const sal_compile_layout *layout, int n, const int jac[])
{
  p->flow.jac = sal_alloc((size_t)n + 1, sizeof *p->flow.jac);
  if (!p->flow.jac) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  for (int rows = n, done = 0; done < n;) {
    const int now = rows < n - done ? rows : n - done;
    const int *row = &jac[(size_t)done * (size_t)n];
    sal_program *part = &p->flow.jac[p->flow.n_jac];
    if (sal_compile_program(&r->graph, layout, now * n, row, part) == NULL) {
      ++p->flow.n_jac;
      done += now;
    } else if (rows == 1) {
      return sal_equation_compile(r, &r->graph, layout, "flow", n, row, part);
    } else {
      rows = (rows + 1) / 2;
    }
  }
  return SAL_OK;
}

static sal_err compile_jumps(sal_equation_reading *r, sal_equation_programs *p,
                             const sal_compile_layout *layout, const roots *all)
{
  const int *root = all->root + all->n_jump, m = r->model->n_guard;

  r->model->exact_jumps = m > 0 && !sal_model_special_impacts(r->model) && !solves_at_run(r);
  for (int k = 0; k < m; ++k) {
    sal_jump_program *jump = &p->jump[k];
    jump->n_value = all->n_value[k];
    jump->n_mode = all->n_mode[k];
    SAL_TRY(sal_equation_compile(r, &r->graph, layout, "contacts", jump->n_value + jump->n_mode,
                                 root, &jump->program));
    r->model->exact_jumps = r->model->exact_jumps && compile_slope(r, layout, jump, root);
    root += jump->n_value + jump->n_mode;
  }
  p->flow.jump = p->jump;
  return SAL_OK;
}

static sal_err compile_flow(sal_equation_reading *r, sal_equation_programs *p,
                            const sal_compile_layout *layout, const roots *all)
{
  const int n = r->model->n_state - r->model->n_discrete, m = r->model->n_guard;
  const int *jac = all->root + n, *gap = all->root + all->n_flow;

  if (solves_at_run(r)) {
    SAL_TRY(sal_equation_compile(r, &r->graph, layout, "flow", n - r->n_energetic, all->root,
                                 &p->flow.rhs));
  } else {
    SAL_TRY(sal_equation_compile(r, &r->graph, layout, "flow", n, all->root, &p->flow.rhs));
    SAL_TRY(compile_jacobian(r, p, layout, all->n_jac > 0 ? n : 0, jac));
    sal_equation_band_make(&p->flow, r->model, &p->band_order);
    SAL_TRY(
        sal_equation_compile(r, &r->graph, layout, "flow", n, &jac[all->n_jac], &p->flow.by_time));
  }
  SAL_TRY(sal_energy_compile(r, p, layout));
  SAL_TRY(sal_equation_capture_make(r, p, layout));
  SAL_TRY(sal_equation_compile(r, &r->graph, layout, "contacts", 2 * m, gap, &p->flow.guard));
  SAL_TRY(compile_jumps(r, p, layout, all));
  /* forces of contacts that act together depend on all slopes */
  if (!p->flow.contacts || r->model->single) sal_equation_gap_pattern(&p->flow, &p->pattern);
  p->pattern.open = solves_at_run(r);
  if (p->pattern.n_group > 0) r->model->pattern = &p->pattern;
  return SAL_OK;
}

/* Values that a run computes once become words of their own. */
static sal_err compile_all(sal_equation_reading *r, sal_equation_programs *p, const roots *all)
{
  const sal_model *m = r->model;
  SAL_OWN int *word = sal_alloc((size_t)r->graph.n, sizeof *word);
  int part[SAL_MAX_CONST], stop[2 * SAL_SCOPE_STOPS];
  sal_compile_layout layout = {.n_continuous = m->n_state - m->n_discrete,
                               .n_discrete = m->n_discrete,
                               .n_known = r->graph.n};

  if (!word) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  p->n_const = sal_compile_once(&r->graph, all->n_root, all->root, SAL_MAX_CONST, part);
  layout.n_word = p->n_given + p->n_const;
  p->flow.n_words = layout.n_word;
  SAL_TRY(
      sal_equation_compile(r, &r->graph, &layout, "parameters", p->n_const, part, &p->constants));
  for (int i = 0; i < p->n_const; ++i) word[part[i]] = 1 + p->n_given + i;
  layout.word = word;
  SAL_TRY(compile_flow(r, p, &layout, all));
  layout.word = NULL; /* descriptors know parameters and options alone */
  const int n_stop = sal_clocks_stops(&r->scope, all->n_root, all->root, stop);
  if (n_stop > SAL_SCOPE_STOPS)
    return sal_document_fail(&r->document, 1, "more than %d comparisons and steps of times",
                             SAL_SCOPE_STOPS);
  if (n_stop > 0)
    SAL_TRY(sal_equation_compile(r, &r->graph, &layout, "flow", 2 * n_stop, stop, &p->stops));
  for (int i = 0; i < SAL_EQUATION_N_SINGLE; ++i)
    if (r->single[i] >= 0)
      SAL_TRY(
          sal_equation_compile(r, &r->graph, &layout, "energy", 1, &r->single[i], &p->single[i]));
  for (int i = 0; i < 2; ++i)
    if (r->equilibrium[i][0] >= 0)
      SAL_TRY(sal_equation_compile(r, &r->graph, &layout, "equilibrium", m->n_state,
                                   r->equilibrium[i], &p->equilibrium[i]));
  if (r->n_start > 0)
    SAL_TRY(sal_equation_compile(r, &r->graph, &layout, "discrete", m->n_discrete, r->start,
                                 &p->begin));
  if (r->energy && !r->energy->at_run)
    SAL_TRY(sal_equation_compile(r, &r->graph, &layout, "kinetic", r->energy->n, r->energy->pivot,
                                 &p->pivots));
  return sal_equation_compile(r, &r->graph, &layout, "flaws", r->n_flaw, r->flaw, &p->flaws);
}

static sal_err compile_conversion(sal_equation_reading *r, sal_equation_programs *p)
{
  const sal_compile_layout layout = {.n_word = r->conversion.n_quantity};
  int root[SAL_MAX_PARAM + 2], n = 0;

  if (r->conversion.n_quantity == 0) return SAL_OK;
  for (int i = 0; i < r->model->n_param; ++i)
    if (r->physical_of[i] >= 0) {
      p->follows[n] = i;
      root[n++] = r->physical_of[i];
    }
  p->n_follow = n;
  for (int i = 0; i < 2; ++i) {
    const int node = r->physical_of[SAL_MAX_PARAM + i];
    root[n++] = node < 0 ? sal_graph_constant(&r->quantities, 1) : node;
  }
  p->quantities.n_words = layout.n_word;
  return sal_equation_compile(r, &r->quantities, &layout, "physical", n, root, &p->conversion);
}

/* A jump that only puts the one state that its gap depends on changes no more than a rounding of it. */
static bool resets(sal_equation_reading *r, const roots *all)
{
  for (int k = 0; k < r->model->n_guard; ++k) {
    const sal_equation_contact *c = &r->contact[k];
    int moved = SAL_EQUATION_NONE, by;
    if (c->release >= 0 || c->during >= 0 || all->n_mode[k] > 0 || all->n_value[k] > 1) return true;
    for (int i = 0; i < r->model->n_state; ++i)
      if (c->value[0][i] >= 0 || c->value[1][i] >= 0) moved = i;
    if (moved < 0) continue;
    if (moved >= r->model->n_state - r->model->n_discrete) return true;
    sal_derivative_take(&r->graph, moved, 1, &c->gap, &by);
    if (sal_graph_is(&r->graph, by, 0)) return true;
  }
  for (int c = 0; r->energy && c < r->energy->n_contact; ++c)
    if (r->energy->contact[c].rigid) return true;
  return r->model->n_discrete > 0;
}

sal_err sal_equation_programs_make(sal_equation_reading *r, sal_equation_programs *p)
{
  SAL_OWN_BY(drop_roots) roots all = {0};
  sal_model *m = r->model;

  sal_equation_end_by_force(r);
  p->n_param = m->n_param;
  p->n_given = m->n_param + m->n_option;
  p->flow.n_continuous = m->n_state - m->n_discrete;
  p->flow.n_discrete = m->n_discrete;
  p->flow.n_guard = m->n_guard;
  p->n_table = r->n_table;
  p->flow.table = r->table;
  r->n_table = 0;
  r->table = NULL;
  bool there = open_roots(r, &all);
  for (int k = 0; k < m->n_guard; ++k) {
    p->jump[k].value = sal_alloc((size_t)m->n_state, sizeof *p->jump[k].value);
    p->jump[k].mode = sal_alloc(SAL_MAX_CONTACT, sizeof *p->jump[k].mode);
    there &= p->jump[k].value && p->jump[k].mode;
  }
  if (!there) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  find_roots(r, p, &all);
  m->resets = resets(r, &all);
  m->autonomous = solves_at_run(r) ? !sal_clocks_drives(&r->graph, all.n_flow, all.root)
                                   : !sal_clocks_drives(&r->graph, p->flow.n_continuous, r->flow);
  if (r->graph.full)
    return sal_document_fail(&r->document, 1,
                             "the model and its derivatives are made of more than "
                             "%d operations",
                             SAL_GRAPH_NODES);
  for (int i = 0; i < r->n_flaw; ++i) {
    p->sentence[i] = r->sentence[i];
    p->flaw_node[i] = r->flaw_node[i];
  }
  SAL_TRY(compile_all(r, p, &all));
  return compile_conversion(r, p);
}

void sal_equation_programs_free(sal_equation_programs *p)
{
  sal_compile_free(&p->flow.rhs);
  for (int i = 0; i < p->flow.n_jac; ++i) sal_compile_free(&p->flow.jac[i]);
  sal_free_all(p->flow.jac, p->band_order);
  sal_compile_free(&p->flow.by_time);
  sal_compile_free(&p->flow.guard);
  sal_equation_gap_pattern_free(&p->pattern);
  sal_energy_problem_free(&p->contacts);
  sal_compile_free(&p->contacts.terms);
  sal_compile_free(&p->contacts.loads);
  sal_compile_free(&p->contacts.redundant);
  sal_compile_free(&p->unit.terms);
  sal_free_all(p->unit.from, p->unit.to);
  sal_equation_tables_free(p->n_table, p->flow.table);
  sal_compile_free(&p->constants);
  sal_compile_free(&p->equilibrium[0]);
  sal_compile_free(&p->equilibrium[1]);
  sal_compile_free(&p->flaws);
  sal_compile_free(&p->stops);
  sal_compile_free(&p->begin);
  sal_compile_free(&p->pivots);
  sal_compile_free(&p->conversion);
  for (int i = 0; i < SAL_EQUATION_N_SINGLE; ++i) sal_compile_free(&p->single[i]);
  for (int k = 0; k < SAL_MAX_CONTACT; ++k) {
    sal_compile_free(&p->jump[k].program);
    sal_compile_free(&p->jump[k].slope);
    sal_free_all(p->jump[k].value, p->jump[k].mode);
  }
}
