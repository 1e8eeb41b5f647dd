/** Forces and impulses of contacts: a small system of equations, of which modes choose the rows. */
#include "energy.h"

/** The rows that may be bound: a contact's own, and that of its friction. */
typedef struct {
  int contact;
  bool along;
} row;

static int list_rows(const sal_energy *e, row list[])
{
  int n = 0;

  for (int c = 0; c < e->n_contact; ++c) {
    if (e->contact[c].rigid) list[n++] = (row){c, false};
    if (e->contact[c].stick) list[n++] = (row){c, true};
  }
  return n;
}

static int dot(sal_graph *g, int n, const int a[], const int b[])
{
  int sum = sal_graph_constant(g, 0);

  for (int i = 0; i < n; ++i) sum = sal_algebra_add(g, sum, sal_algebra_mul(g, a[i], b[i]));
  return sum;
}

static const int *gradient(const sal_energy_terms *s, row r)
{
  return r.along ? s->law[r.contact].along.row : s->law[r.contact].normal.row;
}

/* -mu sense where it slides, else 0. */
static int drag(sal_graph *g, const sal_energy_law *law, int slides)
{
  const int pull = sal_algebra_neg(g, sal_algebra_mul(g, law->mu, law->sense));

  return sal_algebra_pick(g, slides, pull, sal_graph_constant(g, 0));
}

/* The direction of a row's force: of a normal one friction follows where it slides. */
static void direct(sal_graph *g, const sal_energy *e, const sal_energy_terms *s,
                   const sal_energy_modes *modes, row r, int out[])
{
  const sal_energy_law *law = &s->law[r.contact];
  const bool rubs = !r.along && e->contact[r.contact].stick;
  const int share = rubs ? drag(g, law, modes->slides[r.contact]) : sal_graph_constant(g, 0);

  for (int i = 0; i < e->n; ++i)
    out[i] = sal_algebra_add(g, gradient(s, r)[i], sal_algebra_mul(g, share, law->along.row[i]));
}

int sal_energy_rate(sal_graph *g, const sal_energy *e, const sal_energy_terms *s,
                    const sal_energy_bound *bound)
{
  return sal_algebra_add(g, dot(g, e->n, bound->row, s->v), bound->drift);
}

void sal_energy_current(sal_graph *g, const sal_energy *e, const sal_energy_terms *s,
                        sal_energy_modes *modes)
{
  for (int c = 0; c < e->n_contact; ++c) {
    const sal_energy_law *law = &s->law[c];
    modes->normal[c] = e->contact[c].rigid ? law->closed : sal_algebra_false(g);
    modes->along[c] = e->contact[c].stick ? law->sticks : sal_algebra_false(g);
    modes->slides[c] = sal_algebra_and(g, law->closed, sal_algebra_not(g, modes->along[c]));
  }
}

/* Place of a row's value among those of the contacts: its target, whether it is bound, or its force. */
static int *slot(sal_energy_forces *forces, row r)
{
  return r.along ? &forces->along[r.contact] : &forces->normal[r.contact];
}

static int acts(const sal_energy_modes *modes, row r)
{
  return r.along ? modes->along[r.contact] : modes->normal[r.contact];
}

/* E M^-1 C of the rows that act; the other rows are those of the identity. */
static void couple(sal_graph *g, const sal_energy *e, const sal_energy_terms *s,
                   const sal_energy_modes *modes, int n, const row list[],
                   int Y[][SAL_ALGEBRA_MOST], sal_algebra_matrix A)
{
  const int zero = sal_graph_constant(g, 0), one = sal_graph_constant(g, 1);

  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int both = sal_algebra_and(g, acts(modes, list[i]), acts(modes, list[j]));
      A[i][j] =
          sal_algebra_pick(g, both, dot(g, e->n, gradient(s, list[i]), Y[j]), i == j ? one : zero);
    }
}

static int abs_of(sal_graph *g, int a) { return sal_graph_make(g, SAL_PROGRAM_abs, a, 0, 0); }

static int is_small(sal_graph *g, int a, int size)
{
  const int least = sal_algebra_mul(g, sal_graph_constant(g, 1e-13), size);

  return sal_graph_make(g, SAL_PROGRAM_le, abs_of(g, a), least, 0);
}

void sal_energy_respond(sal_graph *g, const sal_energy *e, const sal_energy_terms *s,
                        const sal_energy_modes *modes, const sal_energy_forces *target,
                        sal_energy_forces *out, int change[])
{
  row list[2 * SAL_PROGRAM_CONTACTS];
  const int n = list_rows(e, list), zero = sal_graph_constant(g, 0);
  int Y[SAL_ALGEBRA_MOST][SAL_ALGEBRA_MOST], b[SAL_ALGEBRA_MOST], diagonal[SAL_ALGEBRA_MOST];
  sal_algebra_matrix A;
  sal_energy_forces wanted = *target;

  for (int i = 0; i < n; ++i) direct(g, e, s, modes, list[i], Y[i]);
  sal_algebra_solve_symmetric(g, e->n, s->mass, n, Y, NULL);
  couple(g, e, s, modes, n, list, Y, A);
  for (int i = 0; i < n; ++i)
    b[i] = sal_algebra_pick(g, acts(modes, list[i]), *slot(&wanted, list[i]), zero);
  for (int i = 0; i < n; ++i) diagonal[i] = A[i][i];
  out->redundant = sal_algebra_solve_rows(g, n, A, b);
  for (int i = 0; i < n && target->has_size; ++i)
    if (!list[i].along)
      out->redundant =
          sal_algebra_or(g, out->redundant,
                         sal_algebra_and(g, acts(modes, list[i]),
                                         is_small(g, sal_algebra_mul(g, b[i], diagonal[i]),
                                                  target->size[list[i].contact])));
  for (int c = 0; c < e->n_contact; ++c) out->normal[c] = out->along[c] = zero;
  for (int i = 0; i < e->n; ++i) change[i] = zero;
  for (int r = 0; r < n; ++r) {
    *slot(out, list[r]) = b[r];
    for (int i = 0; i < e->n; ++i)
      change[i] = sal_algebra_add(g, change[i], sal_algebra_mul(g, Y[r][i], b[r]));
  }
}

void sal_energy_add_push(sal_graph *g, const sal_energy *e, const sal_energy_law *law, int c,
                         const int normal[], const int along[], int slides, int load[])
{
  const bool rubs = e->contact[c].stick > 0;
  const int share = rubs ? drag(g, law, slides) : 0;

  for (int i = 0; i < e->n; ++i) {
    const int way =
        rubs ? sal_algebra_add(g, normal[i], sal_algebra_mul(g, share, along[i])) : normal[i];
    load[i] = sal_algebra_add(g, load[i], sal_algebra_mul(g, law->push, way));
  }
}

/* Loads, with what soft contacts do. */
static void load_all(sal_graph *g, const sal_energy *e, const sal_energy_terms *s,
                     const sal_energy_modes *modes, int load[])
{
  for (int i = 0; i < e->n; ++i) load[i] = s->load[i];
  for (int c = 0; c < e->n_contact; ++c) {
    const sal_energy_law *law = &s->law[c];
    if (!e->contact[c].rigid)
      sal_energy_add_push(g, e, law, c, law->normal.row, law->along.row, modes->slides[c], load);
  }
}

void sal_energy_accelerate(sal_graph *g, const sal_energy *e, const sal_energy_terms *s,
                           const sal_energy_modes *modes, sal_energy_forces *out,
                           int acceleration[])
{
  int free[1][SAL_ALGEBRA_MOST], change[SAL_ALGEBRA_MOST];
  sal_energy_forces target = {0};

  load_all(g, e, s, modes, free[0]);
  sal_algebra_solve_symmetric(g, e->n, s->mass, 1, free, NULL);
  for (int c = 0; c < e->n_contact; ++c) {
    const sal_energy_law *law = &s->law[c];
    target.normal[c] = sal_algebra_neg(
        g, sal_algebra_add(g, dot(g, e->n, law->normal.row, free[0]), law->normal.turn));
    target.size[c] = abs_of(g, law->normal.turn);
    for (int i = 0; i < e->n; ++i)
      target.size[c] = sal_algebra_add(
          g, target.size[c], abs_of(g, sal_algebra_mul(g, law->normal.row[i], free[0][i])));
    target.along[c] = sal_algebra_neg(
        g, sal_algebra_add(g, dot(g, e->n, law->along.row, free[0]), law->along.turn));
  }
  target.has_size = true;
  sal_energy_respond(g, e, s, modes, &target, out, change);
  for (int i = 0; i < e->n; ++i) acceleration[i] = sal_algebra_add(g, free[0][i], change[i]);
  for (int c = 0; c < e->n_contact; ++c) {
    const sal_energy_law *law = &s->law[c];
    if (!e->contact[c].rigid) out->normal[c] = law->push;
    if (e->contact[c].stick) /* also where it slides */
      out->along[c] = sal_algebra_pick(
          g, modes->slides[c], sal_algebra_mul(g, drag(g, law, modes->slides[c]), out->normal[c]),
          out->along[c]);
  }
}
