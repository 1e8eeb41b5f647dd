/** Columns of the independent coordinates, and who depends on which. */
#include "chain_plan.h"
#include "base.h"

static void join(sal_chain_packs *to, const sal_chain_packs *from)
{
  for (int i = 0; i < from->n; ++i) {
    int at = 0;
    while (at < to->n && to->pack[at] < from->pack[i]) ++at;
    if (at < to->n && to->pack[at] == from->pack[i]) continue;
    memmove(to->pack + at + 1, to->pack + at, (size_t)(to->n - at) * sizeof *to->pack);
    to->pack[at] = from->pack[i];
    ++to->n;
  }
}

static const sal_chain_block *block_of(const sal_chain_plan *p, int body)
{
  return &p->block[p->link[body].block];
}

/* Is a row a coordinate of place? */
static bool is_place(const sal_system *s, const sal_chain_row *r)
{
  static const int places[SAL_N_BODY_KIND] = {
      [SAL_BODY_SPATIAL] = 3, [SAL_BODY_PLANAR] = 2, [SAL_BODY_PARTICLE] = 1};

  return !r->constraint && r->coordinate < places[s->body[r->body[1]].kind];
}

/* A body whose rows are coordinates of its own: of a free one any, else those that say how it is turned. */
static bool is_given(const sal_system *s, const sal_chain_plan *p, const sal_chain_block *b)
{
  const int body = p->order[b->body];

  for (int i = b->first; i < b->first + b->n; ++i) {
    const sal_chain_row *r = &p->row[i];
    if (r->constraint || r->body[1] != body) return false;
    if (is_place(s, r) && p->link[body].at >= 0) return false;
  }
  return b->n_body == 1;
}

/* Is it the first block, a free spatial body whose place is given?  The first pack is that place then. */
static bool is_carrier(const sal_system *s, const sal_chain_plan *p, const sal_chain_block *b)
{
  int n = 0;

  for (int i = b->first; i < b->first + b->n; ++i) n += is_place(s, &p->row[i]);
  return b == p->block && b->given && p->link[p->order[b->body]].at < 0 &&
         s->body[p->order[b->body]].kind == SAL_BODY_SPATIAL && n == 3;
}

/* Is a body displaced with the first block, or in block k, which is looked at? */
static bool may_ride(const sal_chain_plan *p, int k, int body)
{
  return body >= 0 && (p->link[body].block == k || block_of(p, body)->rides);
}

/* Is block k displaced with the first one?  It depends on nothing else then. */
static bool rides(const sal_system *s, const sal_chain_plan *p, int k)
{
  const sal_chain_block *b = &p->block[k];

  for (int i = b->first; i < b->first + b->n; ++i) {
    const sal_chain_row *r = &p->row[i];
    if (is_place(s, r) || !may_ride(p, k, r->body[1])) return false;
    if (r->constraint && !may_ride(p, k, r->body[0])) return false;
  }
  for (int i = b->body; i < b->body + b->n_body; ++i) {
    const sal_chain_link *l = &p->link[p->order[i]];
    if (s->body[p->order[i]].kind != SAL_BODY_SPATIAL) return false;
    if (l->at >= 0 && !may_ride(p, k, l->parent)) return false;
  }
  return true;
}

/* Columns of a block, from number n on; returns the next number. */
static int place_block(const sal_system *s, sal_chain_plan *p, sal_chain_block *b, int n)
{
  const bool carries = is_carrier(s, p, b);

  if (carries) n = SAL_CHAIN_LANES;
  for (int i = b->first; i < b->first + b->n; ++i) {
    const sal_chain_row *r = &p->row[i];
    if (r->constraint) continue;
    const int slot = carries && is_place(s, r) ? r->coordinate : n++;
    const sal_chain_packs own = {1, {slot / SAL_CHAIN_LANES}};
    p->slot[r->v] = slot;
    p->column[slot] = true;
    join(&b->on, &own);
  }
  return n;
}

static void add_dependencies(sal_chain_plan *p, int k)
{
  sal_chain_block *b = &p->block[k];

  for (int i = b->first; i < b->first + b->n; ++i)
    for (int side = 0; side < 2; ++side) {
      const int body = p->row[i].body[side];
      if (body >= 0 && p->link[body].block < k) join(&b->on, &block_of(p, body)->on);
    }
  for (int i = b->body; i < b->body + b->n_body; ++i) {
    const int parent = p->link[p->order[i]].parent;
    if (parent >= 0 && p->link[parent].block < k) join(&b->on, &block_of(p, parent)->on);
  }
}

/* Columns in the order of the blocks, and which packs each block depends on. */
static void place_columns(const sal_system *s, sal_chain_plan *p)
{
  int n = 0;

  for (int k = 0; k < p->n_block; ++k) {
    sal_chain_block *b = &p->block[k];
    b->given = is_given(s, p, b);
    b->rides = is_carrier(s, p, b) || (k > 0 && rides(s, p, k));
    n = place_block(s, p, b, n);
    add_dependencies(p, k);
    for (int i = 0; i < b->on.n; ++i)
      if (!b->rides || b->on.pack[i] != 0) b->turns.pack[b->turns.n++] = b->on.pack[i];
  }
  p->n_pack = (n + SAL_CHAIN_LANES - 1) / SAL_CHAIN_LANES;
}

/* An element between two bodies depends on the packs of both, but not on their common displacement. */
static sal_chain_packs reach(sal_chain_plan *p, const int body[2])
{
  const bool together =
      body[0] >= 0 && body[1] >= 0 && block_of(p, body[0])->rides && block_of(p, body[1])->rides;
  sal_chain_packs all = {0};

  for (int side = 0; side < 2; ++side)
    if (body[side] >= 0)
      join(&all, together ? &block_of(p, body[side])->turns : &block_of(p, body[side])->on);
  for (int side = 0; side < 2; ++side)
    if (body[side] >= 0) join(&p->reach[body[side]], &all);
  return all;
}

static void find_reach(const sal_system *s, sal_chain_plan *p)
{
  for (int b = 0; b < s->n_body; ++b) {
    const int tie[2] = {p->link[b].parent, b};
    join(&p->reach[b], &block_of(p, b)->turns);
    if (p->link[b].at >= 0) reach(p, tie);
  }
  for (int k = 0; k < p->n_speed; ++k)
    if (p->row[k].constraint) reach(p, p->row[k].body);
  for (int k = 0; k < p->n_force; ++k) p->force[k].on = reach(p, p->force[k].body);
}

/* Is an arm needed for more than to find a hinge's axis? */
static bool is_live(const sal_chain_plan *p, int n_body, int arm)
{
  for (int b = 0; b < n_body; ++b) {
    const sal_chain_link *l = &p->link[b];
    if (l->at == arm || l->of == arm || l->axis == arm) return true;
  }
  for (int k = 0; k < p->n_speed; ++k) {
    const sal_chain_row *r = &p->row[k];
    if (r->constraint && (r->a == arm || r->i == arm || r->j == arm)) return true;
  }
  for (int k = 0; k < p->n_force; ++k)
    if (p->force[k].a == arm || p->force[k].i == arm || p->force[k].j == arm) return true;
  return false;
}

static void sort_arms(const sal_system *s, sal_chain_plan *p)
{
  for (int b = 0; b < s->n_body; ++b) {
    p->link[b].arm = p->n_live;
    for (int k = 0; k < p->n_arm; ++k)
      if (p->arm[k].body == b && is_live(p, s->n_body, k)) p->sorted[p->n_live++] = k;
    p->link[b].n_arm = p->n_live - p->link[b].arm;
  }
}

static sal_err no_memory(void) { return sal_fail(SAL_ERR_MEMORY, "joints: out of memory"); }

static sal_err allocate(const sal_system *s, sal_chain_plan *p)
{
  const size_t n_body = (size_t)s->n_body, n_force = (size_t)s->n_force;
  const size_t n_row = (size_t)s->n_constraint + (size_t)s->n_v;
  const size_t n_arm = 3 * n_row + n_body + 3 * n_force;

  p->n_force = s->n_force;
  p->order = sal_alloc(n_body, sizeof *p->order);
  p->link = sal_alloc(n_body, sizeof *p->link);
  p->arm = sal_alloc(n_arm, sizeof *p->arm);
  p->sorted = sal_alloc(n_arm, sizeof *p->sorted);
  p->row = sal_alloc(n_row, sizeof *p->row);
  p->block = sal_alloc(n_body, sizeof *p->block);
  p->force = sal_alloc(n_force, sizeof *p->force);
  p->reach = sal_alloc(n_body, sizeof *p->reach);
  p->slot = sal_alloc((size_t)s->n_v, sizeof *p->slot);
  p->column = sal_alloc((size_t)SAL_CHAIN_PACKS * SAL_CHAIN_LANES, sizeof *p->column);
  const bool all = p->order && p->link && p->arm && p->sorted && p->row && p->block && p->force &&
                   p->reach && p->slot && p->column;
  return all ? SAL_OK : no_memory();
}

static sal_err fill(const sal_system *s, sal_chain_plan *p, const char **why)
{
  int n_row, largest;

  if (!sal_chain_tree_grow(s, p, &n_row)) return no_memory();
  if (n_row != p->n_speed) *why = "its joints are of a kind that the tree does not know";
  if (*why) return SAL_OK;
  if (!sal_chain_loops_find(s, p, &largest)) return no_memory();
  if (largest == 0) *why = "its independent coordinates do not determine the tree";
  if (largest > SAL_CHAIN_BLOCK) *why = "one of its loops has more than 24 relative speeds";
  if (*why) return SAL_OK;
  place_columns(s, p);
  find_reach(s, p);
  sort_arms(s, p);
  return SAL_OK;
}

static void drop_plan(sal_chain_plan **p) { sal_chain_plan_free(*p); }

sal_err sal_chain_plan_make(const sal_system *s, sal_chain_plan **out, const char **why)
{
  *out = NULL;
  *why = s->adapts                    ? "its partition is adaptive"
         : s->n_lock > 0              ? "it has contacts or friction that are constraints"
         : s->n_v > SAL_CHAIN_FREEDOM ? "it has more than 63 degrees of freedom"
                                      : NULL;
  if (*why) return SAL_OK;
  SAL_OWN_BY(drop_plan) sal_chain_plan *plan = sal_alloc(1, sizeof *plan);
  if (!plan) return no_memory();
  SAL_TRY(allocate(s, plan));
  SAL_TRY(fill(s, plan, why));
  if (*why) return SAL_OK;
  *out = plan;
  plan = NULL;
  return SAL_OK;
}

void sal_chain_plan_free(sal_chain_plan *p)
{
  if (!p) return;
  sal_free_all(p->order, p->link, p->arm, p->sorted, p->row, p->block, p->force, p->reach, p->slot,
               p->column);
  sal_free(p);
}
