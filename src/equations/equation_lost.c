/** From a value that is not finite to what it is made of, as far as that is not finite either. */
#include "equation_lost.h"
#include "base.h"
#include "energy.h"
#include "equation_inquiry.h"
#include "members.h"

static const char *const names[] = {
#define SAL_PROGRAM_OP(name, operands, ...) [SAL_PROGRAM_##name] = #name,
#include "program_ops.def"
#undef SAL_PROGRAM_OP
};

/** A reading, and the point. */
typedef struct {
  sal_equation_reading *r;
  const sal_equation_lost *at;
} place;

/* The value of a node, NaN where it cannot be computed; *is: whether a condition is true. */
static double value_of(const place *p, int node, bool *is)
{
  const sal_model *m = p->r->model;
  const int n = m->n_state - m->n_discrete;
  const sal_compile_layout layout = {
      .n_word = m->n_param + m->n_option, .n_continuous = n, .n_discrete = m->n_discrete};
  const sal_flow_programs of = {.n_words = layout.n_word,
                                .n_continuous = n,
                                .n_discrete = m->n_discrete,
                                .n_guard = m->n_guard,
                                .table = p->r->table};
  static const double zero;
  sal_program program;
  double value = NAN;

  if (sal_compile_program(&p->r->graph, &layout, 1, &node, &program)) return NAN;
  sal_program_run(&of, &program, p->at->words, p->at->t, p->at->y, p->at->closed, &value);
  sal_compile_free(&program);
  if (is) *is = memcmp(&value, &zero, sizeof value) != 0;
  return value;
}

/* The first node on the way down that is made of finite numbers alone. */
static int find_source(const place *p, int node)
{
  for (;;) {
    const sal_graph_node n = p->r->graph.node[node];
    const int operand[] = {n.a, n.b, n.c}, count = sal_graph_operands(&n);
    int next = -1;
    bool is = false;
    if (n.kind != SAL_GRAPH_OPERATION) return node;
    if (n.op == SAL_PROGRAM_select) {
      value_of(p, n.a, &is);
      next = is ? n.b : n.c;
    }
    for (int i = 0; i < count && next < 0; ++i)
      if (!sal_graph_is_mask(&p->r->graph, operand[i]) && !isfinite(value_of(p, operand[i], NULL)))
        next = operand[i];
    if (next < 0) return node;
    node = next;
  }
}

/* Where accelerations are solved for at run time: a load that is not finite, as it makes them so. */
static int find_load(const place *p)
{
  const sal_energy *e = p->r->energy;

  for (int i = 0; i < e->n; ++i)
    if (!isfinite(value_of(p, e->load[i], NULL))) return e->load[i];
  return -1;
}

/* The node of the value; -1: the text has none. */
static int root_of(const place *p)
{
  const sal_equation_lost *at = p->at;
  const bool at_run = p->r->energy && p->r->energy->at_run;

  if (at->contact < 0)
    return at_run && at->state < p->r->n_energetic ? find_load(p) : p->r->flow[at->state];
  const sal_equation_contact *c = &p->r->contact[at->contact];
  if (at->state >= 0) return c->value[at->closes][at->state];
  return at->closed[at->contact] && c->release >= 0 ? c->release : c->gap;
}

static void write_source(const place *p, const sal_scope_trace *trace, int node, int size,
                         char out[])
{
  const sal_graph_node n = p->r->graph.node[node];
  const sal_equation_inquiry q = {.r = p->r, .trace = trace};
  const sal_scope_span *span = sal_equation_inquiry_span(&q, node);
  const int operand[] = {n.a, n.b, n.c}, count = sal_graph_operands(&n);
  char where[SAL_PLACE];

  if (!span || n.kind != SAL_GRAPH_OPERATION) return;
  int at = snprintf(out, (size_t)size, "%s: %s: %s(",
                    sal_document_place(&p->r->document, span->text, where), span->key, names[n.op]);
  for (int i = 0; i < count && at < size; ++i)
    at += snprintf(out + at, (size_t)(size - at), "%s%.17g", i ? ", " : "",
                   value_of(p, operand[i], NULL));
  if (at < size) snprintf(out + at, (size_t)(size - at), ")");
}

static void drop_trace(sal_scope_trace *trace) { sal_free(trace->span); }

sal_err sal_equation_lost_find(const char *path, const char *text, const sal_equation_lost *lost,
                               int size, char out[])
{
  SAL_OWN_BY(drop_trace) sal_scope_trace trace = {0};
  SAL_OWN sal_model *model = sal_alloc(1, sizeof *model);
  SAL_OWN_BY(sal_equation_reading_drop) sal_equation_reading *r = sal_alloc(1, sizeof *r);

  out[0] = '\0';
  if (!r || !model) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  r->model = model;
  r->count = lost->words;
  r->scope.trace = &trace;
  SAL_TRY(sal_document_parse(path, text, &r->document));
  SAL_TRY(sal_members_expand(&r->document, r->count));
  SAL_TRY(sal_equation_read(r));
  const place p = {r, lost};
  const int root = root_of(&p);
  if (root >= 0) write_source(&p, &trace, find_source(&p, root), size, out);
  return SAL_OK;
}
