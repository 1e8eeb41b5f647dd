/** Nodes in their order become instructions; a register is free again after its last use. */
#include "compile.h"
#include "base.h"
#include "program_paired.h"

static const char no_memory[] = "memory ran out";

/** While a program is made. */
typedef struct {
  const sal_graph *graph;
  const sal_compile_layout *layout;
  bool *marked;  /* [n] nodes that are needed */
  int *needed;   /* [n_needed] the same in their order */
  int *last;     /* [n] the last node that uses this one; n: a result */
  int *reg;      /* [n] register of a node */
  int *released; /* [SAL_PROGRAM_REGISTERS] registers that can be used again */
  int n_needed, n_released, n_register, n_code, n_paired;
  int before; /* the node of the last instruction that may be the first of a pair; -1: none */
  double *constant;
  sal_instruction *code, *paired;
} writing;

void sal_compile_free(sal_program *program)
{
  sal_free_all(program->constant, program->code, program->paired, program->out, program->word);
  *program = (sal_program){0};
}

static void drop(writing *w)
{
  sal_free_all(w->marked, w->needed, w->last, w->reg, w->released, w->constant, w->code, w->paired);
}

static bool is_given(const writing *w, int node)
{
  return node < w->layout->n_known && w->layout->word && w->layout->word[node] > 0;
}

static int operands_of(const writing *w, int node, int operand[3])
{
  const sal_graph_node *n = &w->graph->node[node];

  operand[0] = n->a, operand[1] = n->b, operand[2] = n->c;
  return is_given(w, node) ? 0 : sal_graph_operands(n);
}

/* As sal_graph_reach, but not into what the run has computed already. */
static bool mark(writing *w, int n_root, const int root[])
{
  const int n = w->graph->n;
  int n_needed = 0, at = 0;
  int operand[3] = {0};

  for (int i = 0; i < n_root; ++i) w->marked[root[i]] = true, w->last[root[i]] = n;
  for (int i = sal_graph_last(w->marked, n); i >= 0; i = sal_graph_last(w->marked, i)) {
    const int m = operands_of(w, i, operand);
    ++n_needed;
    for (int k = 0; k < m; ++k) {
      w->marked[operand[k]] = true;
      if (w->last[operand[k]] < i) w->last[operand[k]] = i;
    }
  }
  const size_t size = (size_t)n_needed + 1;
  w->needed = sal_alloc(size, sizeof *w->needed);
  w->code = sal_alloc(size, sizeof *w->code);
  w->paired = sal_alloc(size, sizeof *w->paired);
  if (!w->needed || !w->code || !w->paired) return false;
  w->n_needed = at = n_needed;
  for (int i = n; at > 0;) w->needed[--at] = i = sal_graph_last(w->marked, i);
  return true;
}

/* The first register after those of words, states, the time and slopes. */
static int first_constant_of(const sal_compile_layout *l)
{
  return l->n_word + l->n_continuous + l->n_discrete + 1 +
         (l->n_slope ? l->n_slope : l->n_continuous);
}

/* Registers of what is there before the first instruction; constants come after them. */
static bool place_given(writing *w)
{
  const sal_compile_layout *l = w->layout;
  const int y = l->n_word, q = y + l->n_continuous, t = q + l->n_discrete, dy = t + 1;
  const int first[] = {[SAL_GRAPH_WORD] = 0,
                       [SAL_GRAPH_STATE] = y,
                       [SAL_GRAPH_DISCRETE] = q,
                       [SAL_GRAPH_TIME] = t,
                       [SAL_GRAPH_SLOPE] = dy};
  const int first_constant = first_constant_of(l);

  w->n_register = first_constant;
  for (int j = 0; j < w->n_needed; ++j) {
    const int i = w->needed[j];
    const sal_graph_node *node = &w->graph->node[i];
    if (is_given(w, i)) {
      w->reg[i] = l->word[i] - 1;
    } else if (node->kind == SAL_GRAPH_CONSTANT) {
      if (w->n_register == SAL_PROGRAM_REGISTERS) return false;
      w->constant[w->n_register - first_constant] = node->value;
      w->reg[i] = w->n_register++;
    } else if (node->kind != SAL_GRAPH_OPERATION) {
      w->reg[i] = first[node->kind] + (node->kind == SAL_GRAPH_TIME ? 0 : node->a);
    }
  }
  return w->n_register <= SAL_PROGRAM_REGISTERS;
}

static bool is_computed(const writing *w, int node)
{
  return w->graph->node[node].kind == SAL_GRAPH_OPERATION && !is_given(w, node);
}

/* The registers of operands that nothing needs after node i. */
static void release(writing *w, int i, int n, const int operand[])
{
  for (int k = 0; k < n; ++k) {
    const int a = operand[k];
    bool again = false;
    for (int l = 0; l < k; ++l) again |= operand[l] == a;
    if (!again && w->last[a] == i && is_computed(w, a)) w->released[w->n_released++] = w->reg[a];
  }
}

/* Adds the instruction of a node to those for the interpreter: as a pair where the node alone reads the value of the one before, once. */
static void add_paired(writing *w, int i, const sal_instruction *own)
{
  const sal_graph_node *node = &w->graph->node[i];
  const bool pairs = sal_program_pairs(own->op);
  const int before = pairs ? w->before : -1;

  if (before >= 0 && w->last[before] == i && (node->a == before) != (node->b == before)) {
    sal_instruction *first = &w->paired[w->n_paired - 1];
    const bool last = node->b == before;
    first->op = (uint16_t)sal_program_pair(first->op, own->op, last);
    first->to = own->to;
    first->c = last ? own->a : own->b;
    w->before = -1;
  } else {
    w->paired[w->n_paired++] = *own;
    w->before = pairs ? i : -1;
  }
}

/* Marks operands that are the value of the instruction before.  Operands that an operation lacks are 0, which none computes. */
static void follow_values(const writing *w)
{
  for (int i = 1; i < w->n_paired; ++i) {
    sal_instruction *own = &w->paired[i];
    const int op = own->op, to = w->paired[i - 1].to;

    if (!SAL_PROGRAM_CAN_FOLLOW(op)) continue;
    if (own->a == to)
      own->op = (uint16_t)SAL_PROGRAM_FOLLOWS(op, 0);
    else if (own->b == to && op != SAL_PROGRAM_closed)
      own->op = (uint16_t)SAL_PROGRAM_FOLLOWS(op, 1);
    else if (own->c == to)
      own->op = (uint16_t)SAL_PROGRAM_FOLLOWS(op, 2);
  }
}

static bool write_code(writing *w)
{
  w->before = -1;
  for (int j = 0; j < w->n_needed; ++j) {
    const int i = w->needed[j];
    const sal_graph_node *node = &w->graph->node[i];
    int operand[3] = {0}, r[3] = {0};
    if (!is_computed(w, i)) continue;
    const int n = operands_of(w, i, operand);
    for (int k = 0; k < n; ++k) r[k] = w->reg[operand[k]];
    if (node->op == SAL_PROGRAM_closed || node->op == SAL_PROGRAM_table) r[1] = node->b;
    if (node->op == SAL_PROGRAM_held) r[0] = node->a;
    release(w, i, n, operand);
    if (w->n_released == 0 && w->n_register == SAL_PROGRAM_REGISTERS) return false;
    w->reg[i] = w->n_released ? w->released[--w->n_released] : w->n_register++;
    w->code[w->n_code] = (sal_instruction){(uint16_t)node->op, (uint16_t)w->reg[i], (uint16_t)r[0],
                                           (uint16_t)r[1], (uint16_t)r[2]};
    add_paired(w, i, &w->code[w->n_code++]);
  }
  w->paired[w->n_paired] = w->code[w->n_code] = (sal_instruction){.op = SAL_PROGRAM_end};
  follow_values(w);
  return true;
}

static bool open(writing *w)
{
  const size_t n = (size_t)w->graph->n;

  w->marked = sal_alloc(n, sizeof *w->marked);
  w->last = sal_alloc(n, sizeof *w->last);
  w->reg = sal_alloc(n, sizeof *w->reg);
  w->released = sal_alloc(SAL_PROGRAM_REGISTERS, sizeof *w->released);
  w->constant = sal_alloc(SAL_PROGRAM_REGISTERS, sizeof *w->constant);
  return w->marked && w->last && w->reg && w->released && w->constant;
}

/* The words of the run that are read, once each: word [n_word]; gives their number. */
static int list_words(const writing *w, uint16_t word[])
{
  bool read[SAL_MAX_P] = {false};
  int n = 0;

  for (int j = 0; j < w->n_needed; ++j) {
    const int i = w->needed[j];
    if (is_given(w, i) || w->graph->node[i].kind == SAL_GRAPH_WORD) read[w->reg[i]] = true;
  }
  for (int k = 0; k < w->layout->n_word; ++k)
    if (read[k]) word[n++] = (uint16_t)k;
  return n;
}

/* A copy as long as it needs to be: the arrays of writing are as long as the graph. */
static void *copy_of(const void *from, size_t n, size_t size)
{
  void *copy = sal_alloc(n + 1, size);

  if (copy && n > 0) memcpy(copy, from, n * size);
  return copy;
}

/* Fills the program. */
static const char *finish(writing *w, int n_root, const int root[], sal_program *out)
{
  const int first = first_constant_of(w->layout);
  uint16_t *result = sal_alloc((size_t)n_root + 1, sizeof *result);
  uint16_t *word = sal_alloc((size_t)w->layout->n_word + 1, sizeof *word);
  int n_constant = 0;

  for (int j = 0; j < w->n_needed; ++j)
    n_constant +=
        !is_given(w, w->needed[j]) && w->graph->node[w->needed[j]].kind == SAL_GRAPH_CONSTANT;
  double *constant = copy_of(w->constant, (size_t)n_constant, sizeof *constant);
  sal_instruction *code = copy_of(w->code, (size_t)w->n_code + 1, sizeof *code);
  sal_instruction *paired = copy_of(w->paired, (size_t)w->n_paired + 1, sizeof *paired);
  if (!result || !word || !constant || !code || !paired) {
    sal_free_all(result, word, constant, code, paired);
    return no_memory;
  }
  for (int i = 0; i < n_root; ++i) result[i] = (uint16_t)w->reg[root[i]];
  *out = (sal_program){.n_register = w->n_register,
                       .n_word = list_words(w, word),
                       .word = word,
                       .first_constant = first,
                       .n_constant = n_constant,
                       .constant = constant,
                       .code = code,
                       .paired = paired,
                       .n_out = n_root,
                       .out = result};
  return NULL;
}

const char *sal_compile_program(const sal_graph *graph, const sal_compile_layout *layout,
                                int n_root, const int root[], sal_program *out)
{
  const sal_graph part = sal_graph_part(graph, n_root, root);
  SAL_OWN_BY(drop) writing w = {.graph = &part, .layout = layout};

  *out = (sal_program){0};
  if (!open(&w) || !mark(&w, n_root, root)) return no_memory;
  if (!place_given(&w) || !write_code(&w))
    return "more values at once than the 8192 that there is room for";
  return finish(&w, n_root, root, out);
}

int sal_compile_once(const sal_graph *graph, int n_root, const int root[], int most, int part[])
{
  SAL_OWN bool *marked = sal_alloc((size_t)graph->n, sizeof *marked);
  SAL_OWN bool *once = sal_alloc((size_t)graph->n, sizeof *once);
  SAL_OWN bool *asked = sal_alloc((size_t)graph->n, sizeof *asked); /* by what is not once a run */
  int n = 0;

  if (!marked || !once || !asked) return 0;
  sal_graph_reach(graph, n_root, root, marked);
  for (int i = 0; i < n_root; ++i) asked[root[i]] = true;
  for (int i = 0; i < graph->n; ++i) {
    const sal_graph_node *node = &graph->node[i];
    const int operand[] = {node->a, node->b, node->c}, m = sal_graph_operands(node);
    once[i] = m > 0 ? node->op != SAL_PROGRAM_closed
                    : node->kind == SAL_GRAPH_WORD || node->kind == SAL_GRAPH_CONSTANT;
    for (int k = 0; k < m && k < 3; ++k) once[i] &= once[operand[k]];
    const bool number = once[i] && !sal_graph_is_mask(graph, i);
    for (int k = 0; k < m && k < 3 && marked[i] && !number; ++k) asked[operand[k]] = true;
  }
  for (int i = 0; i < graph->n && n < most; ++i)
    if (marked[i] && asked[i] && once[i] && sal_graph_operands(&graph->node[i]) > 0 &&
        !sal_graph_is_mask(graph, i))
      part[n++] = i;
  return n;
}
