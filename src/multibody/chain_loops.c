/** Blocks of rows and speeds: a matching of both, and the strongly connected bodies of what it leaves.
 */
#include "base.h"
#include "chain_plan.h"

/* State of the sorting. */
typedef struct {
  const sal_system *system;
  sal_chain_plan *plan;
  bool *touches;     /* [n_speed][n_speed] does the row depend on the speed? */
  bool *tried;       /* [n_speed] */
  int *owner;        /* [n_speed] body of a speed */
  int *of_speed;     /* [n_speed] row of a speed; -1: none yet */
  int *number, *low; /* [n_body] of Tarjan's search; number 0: not yet seen */
  int *stack, n_stack, n_seen;
  bool *stacked;
} sorting;

static void touch(sorting *s, int row, int first, int n)
{
  memset(s->touches + (size_t)row * (size_t)s->plan->n_speed + first, true, (size_t)n);
}

static void touch_turn(sorting *s, int row, int b)
{
  const sal_chain_link *l;

  for (; b >= 0; b = l->axis >= 0 ? l->parent : -1) {
    l = &s->plan->link[b];
    const int turns = l->axis >= 0 || s->system->body[b].kind == SAL_BODY_PLANAR ? 1
                      : s->system->body[b].kind == SAL_BODY_SPATIAL              ? 3
                                                                                 : 0;
    touch(s, row, l->first + l->n - turns, turns);
  }
}

static void touch_all(sorting *s, int row, int b)
{
  for (; b >= 0; b = s->plan->link[b].parent) {
    touch_turn(s, row, b);
    touch(s, row, s->plan->link[b].first, s->plan->link[b].n);
  }
}

static void find_touched(sorting *s)
{
  int n = 0;

  for (int b = 0; b < s->system->n_body; ++b) {
    sal_chain_link *l = &s->plan->link[b];
    l->first = n;
    for (int i = 0; i < l->n; ++i) s->owner[n++] = b;
  }
  for (int k = 0; k < n; ++k) {
    const sal_chain_row *r = &s->plan->row[k];
    for (int side = 0; side < 2; ++side) {
      const bool turns =
          r->constraint ? r->constraint->kind == SAL_CONSTRAINT_DOT1
                        : r->body[side] >= 0 &&
                              r->coordinate >=
                                  (s->system->body[r->body[side]].kind == SAL_BODY_SPATIAL ? 3 : 2);
      if (turns)
        touch_turn(s, k, r->body[side]);
      else
        touch_all(s, k, r->body[side]);
    }
  }
}

/* Kuhn's augmenting path. */
static bool match(sorting *s, int row)
{
  const int n = s->plan->n_speed;

  for (int c = 0; c < n; ++c) {
    if (!s->touches[(size_t)row * (size_t)n + (size_t)c] || s->tried[c]) continue;
    s->tried[c] = true;
    if (s->of_speed[c] >= 0 && !match(s, s->of_speed[c])) continue;
    s->of_speed[c] = row;
    return true;
  }
  return false;
}

static bool match_all(sorting *s)
{
  const int n = s->plan->n_speed;

  for (int c = 0; c < n; ++c) s->of_speed[c] = -1;
  for (int k = 0; k < n; ++k) {
    memset(s->tried, 0, (size_t)n * sizeof *s->tried);
    if (!match(s, k)) return false;
  }
  return true;
}

static void visit(sorting *s, int b);

static void look_at(sorting *s, int b, int other)
{
  if (s->number[other] == 0) {
    visit(s, other);
    if (s->low[other] < s->low[b]) s->low[b] = s->low[other];
  } else if (s->stacked[other] && s->number[other] < s->low[b]) {
    s->low[b] = s->number[other];
  }
}

static void close_block(sorting *s, int b)
{
  sal_chain_plan *p = s->plan;
  sal_chain_block *block = &p->block[p->n_block];
  int top;

  *block = (sal_chain_block){.body = p->n_block > 0 ? block[-1].body + block[-1].n_body : 0};
  do {
    top = s->stack[--s->n_stack];
    s->stacked[top] = false;
    p->link[top].block = p->n_block;
    p->order[block->body + block->n_body++] = top;
  } while (top != b);
  ++p->n_block;
}

/* A body depends on its parent and on all that the rows of its speeds touch: what it depends on makes
 * a block first. */
static void visit(sorting *s, int b)
{
  const sal_chain_link *l = &s->plan->link[b];
  const int n = s->plan->n_speed;

  s->number[b] = s->low[b] = ++s->n_seen;
  s->stack[s->n_stack++] = b;
  s->stacked[b] = true;
  if (l->parent >= 0) look_at(s, b, l->parent);
  for (int c = l->first; c < l->first + l->n; ++c)
    for (int k = 0; k < n; ++k)
      if (s->touches[(size_t)s->of_speed[c] * (size_t)n + (size_t)k]) look_at(s, b, s->owner[k]);
  if (s->low[b] == s->number[b]) close_block(s, b);
}

static int depth_of(const sal_chain_plan *p, int b)
{
  int n = 0;

  for (; b >= 0; b = p->link[b].parent) ++n;
  return n;
}

static void sort_bodies(sal_chain_plan *p, const sal_chain_block *b)
{
  int *order = p->order + b->body;

  for (int i = 1; i < b->n_body; ++i)
    for (int k = i; k > 0 && depth_of(p, order[k]) < depth_of(p, order[k - 1]); --k) {
      const int kept = order[k];
      order[k] = order[k - 1];
      order[k - 1] = kept;
    }
}

/* Numbers speeds and rows anew, block by block; the largest block. */
static int renumber(sorting *s, const sal_chain_row old[])
{
  sal_chain_plan *p = s->plan;
  int n = 0, most = 0;

  for (int k = 0; k < p->n_block; ++k) {
    sal_chain_block *b = &p->block[k];
    sort_bodies(p, b);
    b->first = n;
    for (int i = b->body; i < b->body + b->n_body; ++i) {
      sal_chain_link *l = &p->link[p->order[i]];
      const int before = l->first;
      l->first = n;
      for (int c = 0; c < l->n; ++c) p->row[n++] = old[s->of_speed[before + c]];
    }
    b->n = n - b->first;
    if (b->n > most) most = b->n;
  }
  return most;
}

bool sal_chain_loops_find(const sal_system *system, sal_chain_plan *p, int *largest)
{
  const size_t n = (size_t)p->n_speed, n_body = (size_t)system->n_body;
  SAL_OWN bool *flag = sal_alloc(n * n + n + n_body, sizeof *flag);
  SAL_OWN int *number = sal_alloc(2 * n + 3 * n_body, sizeof *number);
  SAL_OWN sal_chain_row *old = sal_alloc(n, sizeof *old);

  *largest = 0;
  if (!flag || !number || !old) return false;
  sorting s = {.system = system,
               .plan = p,
               .touches = flag,
               .tried = flag + n * n,
               .stacked = flag + n * n + n,
               .owner = number,
               .of_speed = number + n,
               .number = number + 2 * n,
               .low = number + 2 * n + n_body,
               .stack = number + 2 * n + 2 * n_body};
  find_touched(&s);
  if (!match_all(&s)) return true;
  for (int b = 0; b < system->n_body; ++b)
    if (s.number[b] == 0) visit(&s, b);
  memcpy(old, p->row, n * sizeof *old);
  *largest = renumber(&s, old);
  return true;
}
