/** Where the flow has different derivatives on the two sides of a surface that belongs to no contact.
 *
 *  The surface is where a quantity is 0: x of abs(x) and sign(x), a - b of min, max and comparisons.  It belongs to a contact where
 *  that quantity is the gap of a contact, or its negative.
 */
#include "base.h"
#include "equation_inquiry.h"

/* Of each node: does it change along a run, not by modes alone? / is it a condition that changes on a surface that no
 * contact has? / is it part of the flow? */
typedef struct {
  int n;
  bool *moves, *unmet, *flows;
} marks;

static void drop_marks(marks *m) { sal_free_all(m->moves, m->unmet, m->flows); }

static bool is_comparison(sal_program_op op)
{
  return op >= SAL_PROGRAM_lt && op <= SAL_PROGRAM_ne;
}

/* Is it the gap of a contact, or its negative? */
static bool is_gap(const sal_equation_inquiry *q, int node)
{
  sal_graph *g = &q->r->graph;
  const sal_scope *scope = &q->r->scope;

  for (int i = 0; i < scope->n; ++i) {
    const sal_scope_span *gap = scope->name[i].kind == SAL_SCOPE_CONTACT
                                    ? sal_equation_inquiry_at(q, scope->name[i].text)
                                    : NULL;
    if (gap &&
        (node == gap->value || node == sal_graph_make(g, SAL_PROGRAM_neg, gap->value, 0, 0) ||
         gap->value == sal_graph_make(g, SAL_PROGRAM_neg, node, 0, 0)))
      return true;
  }
  return false;
}

/* Is a - b, or b - a? */
static bool is_met(const sal_equation_inquiry *q, int a, int b)
{
  sal_graph *g = &q->r->graph;

  if (sal_graph_is(g, b, 0) && is_gap(q, a)) return true;
  if (sal_graph_is(g, a, 0) && is_gap(q, b)) return true;
  return is_gap(q, sal_graph_make(g, SAL_PROGRAM_sub, a, b, 0)) ||
         is_gap(q, sal_graph_make(g, SAL_PROGRAM_sub, b, a, 0));
}

static void mark_node(const sal_equation_inquiry *q, marks *m, int i)
{
  sal_equation_reading *r = q->r;
  const sal_graph_node n = r->graph.node[i];
  const int operand[] = {n.a, n.b, n.c}, n_operand = sal_graph_operands(&n);

  m->moves[i] = n.kind == SAL_GRAPH_STATE || n.kind == SAL_GRAPH_TIME || n.kind == SAL_GRAPH_SLOPE;
  if (n.kind != SAL_GRAPH_OPERATION || n.op == SAL_PROGRAM_closed || n.op == SAL_PROGRAM_clock)
    return;
  for (int k = 0; k < n_operand; ++k) {
    m->moves[i] |= m->moves[operand[k]];
    m->unmet[i] |= sal_graph_is_mask(&r->graph, i) && m->unmet[operand[k]];
  }
  if (is_comparison(n.op)) m->unmet[i] = m->moves[i] && !is_met(q, n.a, n.b);
}

/* Marks the operands of flow and forces, but not those of a contact's mode. */
static void mark_flow(const sal_equation_inquiry *q, marks *m)
{
  static const char *const keys[] = {"flow: ", "forces: ", "kinetic", "potential"};

  for (int i = 0; i < q->trace->n; ++i)
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k)
      if (strncmp(q->trace->span[i].key, keys[k], strlen(keys[k])) == 0)
        m->flows[q->trace->span[i].value] = true;
  for (int i = m->n - 1; i >= 0; --i) {
    const sal_graph_node *n = &q->r->graph.node[i];
    const int operand[] = {n->a, n->b, n->c};
    if (!m->flows[i] || n->op == SAL_PROGRAM_closed) continue;
    for (int k = 0; k < sal_graph_operands(n); ++k) m->flows[operand[k]] = true;
  }
}

/* Straight lines meet at the knots of such a table. */
static bool is_linear(const sal_lookup *t)
{
  for (int i = 0; i < t->n_knot - 1; ++i)
    for (int k = 2; k < SAL_LOOKUP_ORDERS; ++k)
      if (t->piece[SAL_LOOKUP_ORDERS * i + k] != 0) return false;
  return t->n_knot > 2;
}

/* The word for a kink at a node; NULL: there is none. */
static const char *find_kink(const sal_equation_inquiry *q, const marks *m, int i)
{
  sal_equation_reading *r = q->r;
  const sal_graph_node n = r->graph.node[i];

  if (n.kind != SAL_GRAPH_OPERATION || !m->moves[i]) return NULL;
  switch (n.op) {
  case SAL_PROGRAM_select:
    return m->unmet[n.a] ? "if or sign" : NULL;
  case SAL_PROGRAM_abs:
    return is_met(q, n.a, sal_graph_constant(&r->graph, 0)) ? NULL : "abs";
  case SAL_PROGRAM_floor:
    return "floor or %";
  case SAL_PROGRAM_min:
    return is_met(q, n.a, n.b) ? NULL : "min";
  case SAL_PROGRAM_table:
    return is_linear(&r->table[n.b / SAL_LOOKUP_ORDERS]) ? "a linear table" : NULL;
  case SAL_PROGRAM_max:
    return is_met(q, n.a, n.b) ? NULL : "max";
  default:
    return NULL;
  }
}

sal_err sal_equation_inquiry_kinks(sal_equation_inquiry *q)
{
  sal_equation_reading *r = q->r;
  const size_t n = (size_t)r->graph.n;
  SAL_OWN_BY(drop_marks)
  marks m = {.n = r->graph.n,
             .moves = sal_alloc(n, sizeof *m.moves),
             .unmet = sal_alloc(n, sizeof *m.unmet),
             .flows = sal_alloc(n, sizeof *m.flows)};
  const sal_scope_span *last = NULL;

  if (!m.moves || !m.unmet || !m.flows)
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  for (int i = 0; i < m.n; ++i) mark_node(q, &m, i);
  mark_flow(q, &m);
  for (int i = 0; i < m.n; ++i) {
    const char *kink = m.flows[i] ? find_kink(q, &m, i) : NULL;
    const sal_scope_span *span = kink ? sal_equation_inquiry_span(q, i) : NULL;
    const bool table = r->graph.node[i].op == SAL_PROGRAM_table;
    if (!span || span == last) continue;
    last = span;
    sal_equation_inquiry_put(
        q, SAL_EQUATION_NOTE, span->text,
        "%s: %s changes where no contact's gap is 0: steps are rejected there; %s", span->key, kink,
        table ? "one of kind cubic is smooth"
        : r->graph.node[i].op == SAL_PROGRAM_select
            ? "give it a contact whose gap is 0 there: of kind surface, or of kind friction where "
              "both "
              "sides "
              "lead to it, as with dry friction"
            : "give it a contact of kind surface, whose gap is 0 there");
  }
  if (q->n == 0)
    sal_equation_inquiry_put(q, SAL_EQUATION_FINE, 0,
                             "the flow changes where contacts do%s, and nowhere else",
                             r->scope.n_stop > 0 ? ", and at stops" : "");
  return SAL_OK;
}
