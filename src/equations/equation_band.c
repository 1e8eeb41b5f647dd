/** The band of a Jacobian with many states: which states make each slope, and an order in which they lie near the diagonal. */
#include "band_order.h"
#include "equation_programs.h"
#include "memory.h"

sal_equation_pattern *sal_equation_pattern_of(const sal_program *program, int first, int n)
{
  sal_equation_pattern *of =
      program->n_register > 0 ? sal_alloc((size_t)program->n_register, sizeof *of) : NULL;

  for (int i = 0; of && i < n; ++i) of[first + i].bit[i / 64] |= UINT64_C(1) << i % 64;
  for (const sal_instruction *c = program->code; of && c->op != SAL_PROGRAM_end; ++c) {
    const sal_graph_node node = {.kind = SAL_GRAPH_OPERATION, .op = (sal_program_op)c->op};
    const uint16_t from[] = {c->a, c->b, c->c};
    sal_equation_pattern made = {{0}};
    for (int k = 0; k < sal_graph_operands(&node) && k < 3; ++k)
      for (size_t w = 0; w < sizeof made.bit / sizeof *made.bit; ++w)
        made.bit[w] |= of[from[k]].bit[w];
    of[c->to] = made;
  }
  return of;
}

/* Groups of states that stay together, a position and its velocity or one other state, and which are neighbours. */
typedef struct {
  int n, n_link;
  uint16_t *state[2], *of; /* [n] 1 + state, the second 0 where it is alone; group of each state */
  sal_band_link *link;
} groups;

static void find_groups(const sal_model *m, int n, groups *g)
{
  for (int i = 0; i < n; ++i) {
    const int v = m->velocity[i];
    if (v == 0) continue;
    g->state[0][g->n] = (uint16_t)(1 + i);
    g->state[1][g->n] = (uint16_t)v;
    g->of[i] = g->of[v - 1] = (uint16_t)(1 + g->n++);
  }
  for (int i = 0; i < n; ++i) {
    if (g->of[i]) continue;
    g->state[0][g->n] = (uint16_t)(1 + i);
    g->of[i] = (uint16_t)(1 + g->n++);
  }
}

/* Pairs of groups with an entry of the Jacobian; false: there are more than a band has. */
static bool find_links(const sal_flow_programs *f, const sal_equation_pattern of[], groups *g)
{
  const int n = f->n_continuous, most = n * (2 * SAL_MAX_BAND + 1);

  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (!sal_equation_pattern_has(&of[f->rhs.out[i]], j) || g->of[i] == g->of[j]) continue;
      if (g->n_link == most) return false;
      g->link[g->n_link++] = (sal_band_link){g->of[i] - 1, g->of[j] - 1};
    }
  return true;
}

static bool open_groups(int n, groups *g)
{
  const size_t count = (size_t)n;

  for (int k = 0; k < 2; ++k) g->state[k] = sal_alloc(count, sizeof *g->state[k]);
  g->of = sal_alloc(count, sizeof *g->of);
  g->link = sal_alloc(count * (2 * SAL_MAX_BAND + 1), sizeof *g->link);
  return g->state[0] && g->state[1] && g->of && g->link;
}

/* The order of the states, and how far entries lie from the diagonal. */
static void lay_out(const sal_flow_programs *f, const sal_equation_pattern of[], const groups *g,
                    const int group[], sal_model *m, uint16_t order[])
{
  int lower = 0, upper = 0, p = 0;

  for (int k = 0; k < g->n; ++k)
    for (int part = 0; part < 2; ++part)
      if (g->state[part][group[k]]) order[p++] = (uint16_t)(g->state[part][group[k]] - 1);
  for (int i = 0; i < p; ++i)
    for (int j = 0; j < p; ++j) {
      if (!sal_equation_pattern_has(&of[f->rhs.out[order[i]]], order[j])) continue;
      lower = i - j > lower ? i - j : lower;
      upper = j - i > upper ? j - i : upper;
    }
  if (lower > SAL_MAX_BAND || upper > SAL_MAX_BAND) return;
  m->band.lower = lower;
  m->band.upper = upper > 0 ? upper : 1; /* of a diagonal Jacobian, too */
  m->band.order = order;
}

void sal_equation_band_make(const sal_flow_programs *f, sal_model *m, uint16_t **order)
{
  const int n = f->n_continuous;
  groups g = {0};

  if (n <= SAL_MAX_DENSE) return;
  SAL_OWN sal_equation_pattern *of = sal_equation_pattern_of(&f->rhs, f->n_words, n);
  SAL_OWN int *group = sal_alloc((size_t)n, sizeof *group);

  *order = sal_alloc((size_t)n, sizeof **order);
  if (of && group && *order && open_groups(n, &g)) {
    find_groups(m, n, &g);
    if (find_links(f, of, &g) && sal_band_order(g.n, g.n_link, g.link, group))
      lay_out(f, of, &g, group, m, *order);
  }
  sal_free_all(g.state[0], g.state[1], g.of, g.link);
}
