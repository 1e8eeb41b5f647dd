/** The tree of the joints, its arms, and what is left of the joints. */
#include "chain_plan.h"
#include "memory.h"

/* The tree in progress. */
typedef struct {
  const sal_system *system;
  sal_chain_plan *plan;
  bool *hung;  /* [n_body] is in the tree */
  bool *spent; /* [n_constraint] is kept by the tree itself */
  int n_row;
} builder;

static const sal_binding *binding_of(const sal_system *s, int at)
{
  for (int i = 0; i < s->n_binding; ++i)
    if (s->binding[i].at == at) return &s->binding[i];
  return NULL;
}

/* Are two numbers the same whatever the parameters are? */
static bool is_same(const sal_system *s, int a, int b)
{
  const sal_binding *x = binding_of(s, a), *y = binding_of(s, b);

  if (!x || !y) return !x && !y && s->value[a] == s->value[b];
  return x->param == y->param && x->factor == y->factor;
}

static bool is_same_vector(const sal_system *s, int a, int b)
{
  return a == b || (is_same(s, a, b) && is_same(s, a + 1, b + 1) && is_same(s, a + 2, b + 2));
}

/* The number of an arm, which is new or one of those that there are. */
static int arm_of(builder *m, const sal_arm *arm)
{
  sal_chain_plan *p = m->plan;

  for (int k = 0; k < p->n_arm; ++k)
    if (p->arm[k].s >= 0 && p->arm[k].body == arm->body &&
        is_same_vector(m->system, p->arm[k].s, arm->s))
      return k;
  p->arm[p->n_arm] = (sal_chain_arm){arm->body, arm->s};
  return p->n_arm++;
}

/* How many constraints of this kind a joint has; the first two of them. */
static int count(const sal_system *s, int joint, sal_constraint_kind kind, int which[2])
{
  int n = 0;

  for (int k = 0; k < s->n_constraint; ++k) {
    if (s->constraint[k].joint != joint || s->constraint[k].kind != kind) continue;
    if (n < 2) which[n] = k;
    ++n;
  }
  return n;
}

/* Do the bodies of a joint share a point, as far as the child can move? */
static bool shares_point(const sal_system *s, int joint, int child, int *first)
{
  int which[2] = {-1, -1};
  const int n = count(s, joint, SAL_CONSTRAINT_POINT, which);

  *first = which[0];
  if (s->body[child].kind == SAL_BODY_SPATIAL) return n == 3;
  return s->body[child].kind == SAL_BODY_PLANAR && n == 2 && s->constraint[which[1]].axis == 1;
}

static void spend(builder *m, int joint, sal_constraint_kind kind)
{
  for (int k = 0; k < m->system->n_constraint; ++k)
    if (m->system->constraint[k].joint == joint && m->system->constraint[k].kind == kind)
      m->spent[k] = true;
}

/* A hinge: two vectors of one body are normal to one of the other. */
static void add_hinge(builder *m, int joint, int child)
{
  const sal_system *s = m->system;
  sal_chain_link *l = &m->plan->link[child];
  int which[2];

  if (count(s, joint, SAL_CONSTRAINT_DOT1, which) != 2) return;
  const sal_constraint *c = &s->constraint[which[0]], *d = &s->constraint[which[1]];
  if (!is_same_vector(s, c->j.s, d->j.s) || s->body[child].kind != SAL_BODY_SPATIAL) return;
  l->across[0] = arm_of(m, &c->a);
  l->across[1] = arm_of(m, &d->a);
  l->along = arm_of(m, &c->j);
  l->own = c->a.body == child;
  l->axis = m->plan->n_arm++;
  m->plan->arm[l->axis] = (sal_chain_arm){l->parent, -1};
  spend(m, joint, SAL_CONSTRAINT_DOT1);
}

static void hang(builder *m, int joint, int parent, int child, const sal_constraint *c)
{
  sal_chain_link *l = &m->plan->link[child];
  const bool forwards = c->j.body == child;

  l->parent = parent;
  l->at = arm_of(m, forwards ? &c->i : &c->j);
  l->of = arm_of(m, forwards ? &c->j : &c->i);
  spend(m, joint, SAL_CONSTRAINT_POINT);
  add_hinge(m, joint, child);
  m->hung[child] = true;
}

/* Hangs bodies on the root, and others on these: the nearest first.  -1: the ground. */
static void grow(builder *m, int root, int queue[])
{
  const sal_system *s = m->system;
  int n = 1;

  queue[0] = root;
  for (int at = 0; at < n; ++at)
    for (int k = 0; k < s->n_constraint; ++k) {
      const sal_constraint *c = &s->constraint[k];
      const int i = c->i.body, j = c->j.body, parent = queue[at], child = i == parent ? j : i;
      int first;
      if (c->joint < 0 || c->kind != SAL_CONSTRAINT_POINT || (i != parent && j != parent)) continue;
      if (child < 0 || m->hung[child] || !shares_point(s, c->joint, child, &first)) continue;
      hang(m, c->joint, parent, child, &s->constraint[first]);
      queue[n++] = child;
    }
}

static int body_of(const sal_system *s, int q)
{
  int b = s->n_body - 1;

  while (s->body[b].first > q) --b;
  return b;
}

/* The body with the most independent coordinates of those that do not hang yet; -1: all do. */
static int next_root(const builder *m)
{
  const sal_system *s = m->system;
  int best = -1, most = -1;

  for (int b = 0; b < s->n_body; ++b) {
    int n = 0;
    for (int j = 0; j < s->n_v; ++j) n += body_of(s, s->independent[j]) == b;
    if (!m->hung[b] && n > most) best = b, most = n;
  }
  return best;
}

static void count_speeds(builder *m)
{
  static const int turns[SAL_N_BODY_KIND] = {[SAL_BODY_SPATIAL] = 3, [SAL_BODY_PLANAR] = 1};
  static const int moves[SAL_N_BODY_KIND] = {
      [SAL_BODY_SPATIAL] = 3, [SAL_BODY_PLANAR] = 2, [SAL_BODY_PARTICLE] = 1};

  for (int b = 0; b < m->system->n_body; ++b) {
    sal_chain_link *l = &m->plan->link[b];
    const sal_body_kind kind = m->system->body[b].kind;
    l->n = (l->at >= 0 ? 0 : moves[kind]) + (l->axis >= 0 ? 1 : turns[kind]);
    m->plan->n_speed += l->n;
  }
}

static void add_row(builder *m, const sal_constraint *c)
{
  sal_chain_row *r = &m->plan->row[m->n_row++];

  *r = (sal_chain_row){.constraint = c, .body = {c->i.body, c->j.body}, .a = -1, .i = -1};
  if (c->kind == SAL_CONSTRAINT_DOT1) r->body[0] = c->a.body;
  if (c->kind == SAL_CONSTRAINT_DOT1 || c->kind == SAL_CONSTRAINT_DOT2) r->a = arm_of(m, &c->a);
  if (c->kind != SAL_CONSTRAINT_DOT1) r->i = arm_of(m, &c->i);
  r->j = arm_of(m, &c->j);
}

static void add_rows(builder *m)
{
  const sal_system *s = m->system;

  for (int k = 0; k < s->n_constraint; ++k)
    if (!m->spent[k] && s->constraint[k].kind != SAL_CONSTRAINT_NORM) add_row(m, &s->constraint[k]);
  for (int v = 0; v < s->n_v; ++v) {
    const int q = s->independent[v], b = body_of(s, q);
    m->plan->row[m->n_row++] =
        (sal_chain_row){.body = {-1, b}, .coordinate = q - s->body[b].first, .v = v};
  }
}

static void add_forces(builder *m)
{
  const sal_system *s = m->system;

  for (int k = 0; k < s->n_force; ++k) {
    const sal_force *f = &s->force[k];
    sal_chain_force *out = &m->plan->force[k];
    const bool pair = f->kind != SAL_FORCE_TIRE;
    *out = (sal_chain_force){
        .force = f, .body = {pair ? f->i.body : -1, f->j.body}, .a = -1, .i = -1, .j = -1};
    if (f->kind == SAL_FORCE_ANGLE) continue;
    out->j = arm_of(m, &f->j);
    if (pair) out->i = arm_of(m, &f->i);
    if (f->kind == SAL_FORCE_PLANE) out->a = arm_of(m, &f->a);
  }
}

/* From the ground, then from one free body after the other. */
static void grow_all(builder *m, int queue[])
{
  for (int b = 0; b < m->system->n_body; ++b)
    m->plan->link[b] = (sal_chain_link){.parent = -1, .at = -1, .of = -1, .axis = -1};
  grow(m, -1, queue);
  for (int root = next_root(m); root >= 0; root = next_root(m)) {
    m->hung[root] = true;
    grow(m, root, queue);
  }
}

bool sal_chain_tree_grow(const sal_system *s, sal_chain_plan *plan, int *n_row)
{
  SAL_OWN bool *hung = sal_alloc((size_t)s->n_body, sizeof *hung);
  SAL_OWN bool *spent = sal_alloc((size_t)s->n_constraint, sizeof *spent);
  SAL_OWN int *queue = sal_alloc((size_t)s->n_body + 1, sizeof *queue);
  builder m = {s, plan, hung, spent, 0};

  if (!hung || !spent || !queue) return false;
  grow_all(&m, queue);
  count_speeds(&m);
  add_rows(&m);
  add_forces(&m);
  *n_row = m.n_row;
  return true;
}
