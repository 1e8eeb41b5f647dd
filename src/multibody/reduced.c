/** Memory of the solver; positions and velocities. */
#include "reduced.h"
#include "base.h"
#include <lapacke.h>

static const double enough = 1e-12; /* of a correction, relative to 1 + |u| */
static const double fold = 0.1;     /* a larger first correction may lead to another assembly */
/* With the factors of the point it comes from, the iteration does not converge to an assembly after a
 * singular position: a leap that needs other ones is too long, unless little is left of it. */
static const double bent = 0.25, near = 1e-8;
/* Bound for a row that follows from others, relative to its length. */
static const double dependent = 1e-9;

enum { MAX_TURN = 30, MAX_PIECE = 4096 };

/* The next n bytes of the block, rounded up to a cache line; NULL while it is only counted. */
static void *carve(char *block, size_t *used, size_t n)
{
  void *piece = block ? block + *used : NULL;

  *used += (n + 63) / 64 * 64;
  return piece;
}

/* Points the arrays into the block; returns how many bytes there are. */
static size_t lay_out(const sal_system *s, sal_reduced *r, char *block)
{
  const size_t n = (size_t)s->n_q, m = (size_t)s->n_constraint, n_v = n - m;
  const size_t locks = (size_t)s->n_lock, all = m + locks, small = n_v + locks;
  size_t used = 0;
  const struct {
    double **at;
    size_t count;
  } arrays[] = {{&r->value, (size_t)s->n_value},
                {&r->q, n},
                {&r->qd, n},
                {&r->qdd, n},
                {&r->lambda, all},
                {&r->phi, m},
                {&r->good, n},
                {&r->lu, m * m},
                {&r->N, n * n_v},
                {&r->D, n * n_v},
                {&r->L, n * n_v},
                {&r->tau, all},
                {&r->c, n},
                {&r->Q, n},
                {&r->small, small * small},
                {&r->Mhat, n_v * n_v},
                {&r->Qhat, small},
                {&r->vdd, small},
                {&r->S, n * n},
                {&r->V, n * n},
                {&r->P, 2 * n * n_v},
                {&r->MJ, 2 * small * n_v},
                {&r->J, 2 * small * n_v},
                {&r->work, 2 * n * n_v + n},
                {&r->sense, (size_t)s->n_grip}};
  const struct {
    int **at;
    size_t count;
  } ranks[] = {{&r->u, m},        {&r->v, n_v},        {&r->pivot, m}, {&r->pivot_small, small},
               {&r->lock, locks}, {&r->contact, locks}};
  sal_constraint_row **const rows[] = {&r->row, &r->along, &r->third, &r->along2};

  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
    *arrays[i].at = carve(block, &used, arrays[i].count * sizeof(double));
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; ++i)
    *ranks[i].at = carve(block, &used, ranks[i].count * sizeof(int));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    *rows[i] = carve(block, &used, all * sizeof(sal_constraint_row));
  r->closed = carve(block, &used, (size_t)s->n_ground * sizeof(bool));
  r->carried = carve(block, &used, (size_t)s->n_ground * sizeof(bool));
  r->chain = NULL;
  if (s->chain) {
    sal_chain unused;
    r->chain = carve(block, &used, sizeof *r->chain);
    used += sal_chain_lay_out(s, r->chain ? r->chain : &unused, block ? block + used : NULL);
  }
  return used;
}

/* The block begins at a cache line after the struct. */
size_t sal_reduced_words(const sal_system *system)
{
  sal_reduced unused;

  return (sizeof unused + lay_out(system, &unused, NULL) + 128) / sizeof(double);
}

static void begin(sal_reduced *r, const sal_system *s, const double param[])
{
  const size_t n = (size_t)s->n_q * sizeof(double);

  r->system = s;
  r->n = s->n_q;
  r->m = s->n_constraint;
  r->n_v = r->n - r->m;
  memcpy(r->value, s->value, (size_t)s->n_value * sizeof *r->value);
  for (int i = 0; i < s->n_binding; ++i)
    r->value[s->binding[i].at] = s->binding[i].factor * param[s->binding[i].param];
  memcpy(r->q, s->q0, n);
  memcpy(r->qd, s->qd0, n);
  memcpy(r->good, s->q0, n);
  sal_reduced_choose(r, s->independent);
  r->straight = r->m + s->n_force == 0;
  for (int b = 0; b < s->n_body; ++b) r->straight &= s->body[b].kind == SAL_BODY_PARTICLE;
  for (int k = 0; k < s->n_lock; ++k)
    r->straight &= sal_constraint_is_constant(s, &s->constraint[k]);
  r->ready = true;
  if (!r->chain) return;
  r->chain->way = sal_chain_choose();
  r->chain->way->begin(r->chain, s, r->value, r->q, r->good);
}

sal_reduced *sal_reduced_open(const sal_system *system, double memory[], const double param[])
{
  sal_reduced *r = (sal_reduced *)(void *)memory;

  if (r->ready) return r;
  char *block = (char *)(r + 1);
  block += (64 - (size_t)(uintptr_t)block % 64) % 64;
  lay_out(system, r, block);
  begin(r, system, param);
  return r;
}

void sal_reduced_leave_chain(sal_reduced *r)
{
  r->chain = NULL;
  r->factored = false;
  r->known = SAL_REDUCED_NOTHING;
}

void sal_reduced_choose(sal_reduced *r, const int independent[])
{
  const size_t bytes = (size_t)r->n_v * sizeof *independent;

  if (r->ready && memcmp(independent, r->v, bytes) == 0) return;
  memcpy(r->v, independent, bytes);
  sal_partition_complement(r->n, r->n_v, r->v, r->u);
  r->factored = false;
  r->known = SAL_REDUCED_NOTHING;
}

void sal_reduced_back(const sal_reduced *r, double b[])
{
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', r->m, 1, r->lu, r->m, r->pivot, b, r->m);
}

void sal_reduced_back_all(const sal_reduced *r, int count, double B[])
{
  const int m = r->m;

  if (m == 0) return;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < count; ++j) r->work[j * m + i] = B[i * count + j];
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', m, count, r->lu, m, r->pivot, r->work, m);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < count; ++j) B[i * count + j] = r->work[j * m + i];
}

void sal_reduced_row_times(const sal_constraint *c, const sal_constraint_row row, int count,
                           const double A[], double factor, double out[])
{
  for (int l = 0; l < SAL_PAIR; ++l) {
    if (c->column[l] < 0 || row[l] == 0) continue;
    const double f = factor * row[l];
    const int at = c->column[l] * count;
    for (int j = 0; j < count; ++j) out[j] += f * A[at + j];
  }
}

/* Phi_q at q, and the factors of Phi_u. */
static bool factorize(sal_reduced *r)
{
  const sal_system *s = r->system;
  const int m = r->m, all = m + (r->few_rows ? 0 : s->n_lock);
  int rank[SAL_PAIR];

  for (int k = 0; k < all; ++k)
    if (!r->factored || !sal_constraint_is_constant(s, &s->constraint[k]))
      sal_constraint_slope(s, r->value, r->q, &s->constraint[k], r->row[k]);
  memset(r->lu, 0, (size_t)(m * m) * sizeof *r->lu);
  int *const where = (int *)(void *)r->work; /* of each coordinate among the dependent ones */
  for (int i = 0; i < r->n; ++i) where[i] = -1;
  for (int i = 0; i < m; ++i) where[r->u[i]] = i;
  for (int k = 0; k < m; ++k) {
    const sal_constraint *c = &s->constraint[k];
    for (int l = 0; l < SAL_PAIR; ++l) {
      rank[l] = c->column[l] < 0 ? -1 : where[c->column[l]];
      if (rank[l] >= 0) r->lu[rank[l] * m + k] += r->row[k][l];
    }
  }
  r->factored = m == 0 || LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, r->lu, m, r->pivot) == 0;
  return r->factored;
}

/* H = -Phi_u^-1 Phi_v: the rows of N. */
static void form_N(sal_reduced *r)
{
  const sal_system *s = r->system;
  const int n_v = r->n_v;
  double *B = r->P;

  memset(r->N, 0, (size_t)(r->n * n_v) * sizeof *r->N);
  for (int j = 0; j < n_v; ++j) r->N[r->v[j] * n_v + j] = 1;
  memset(B, 0, (size_t)(r->m * n_v) * sizeof *B);
  for (int k = 0; k < r->m; ++k)
    sal_reduced_row_times(&s->constraint[k], r->row[k], n_v, r->N, -1, sal_reduced_line(B, k, n_v));
  sal_reduced_back_all(r, n_v, B);
  for (int i = 0; i < r->m; ++i)
    memcpy(sal_reduced_line(r->N, r->u[i], n_v), sal_reduced_line(B, i, n_v),
           (size_t)n_v * sizeof *B);
}

static double largest(int n, const double x[], const int which[])
{
  double most = 0;

  for (int i = 0; i < n; ++i) {
    const double a = fabs(x[which ? which[i] : i]);
    if (!(a <= most)) most = a;
  }
  return most;
}

/* One step of Newton's method with the factors there are; returns its size. */
static double correct(sal_reduced *r)
{
  const sal_system *s = r->system;

  for (int k = 0; k < r->m; ++k)
    r->phi[k] = sal_constraint_value(s, r->value, r->q, &s->constraint[k]);
  if (r->m > 0) sal_reduced_back(r, r->phi);
  for (int i = 0; i < r->m; ++i) r->q[r->u[i]] -= r->phi[i];
  return largest(r->m, r->phi, NULL) / (1 + largest(r->m, r->q, r->u));
}

/* From the last point to q_v = v: a prediction along H, then Newton's method. */
static bool leap(sal_reduced *r, const double v[])
{
  double before = INFINITY;

  if (r->factored)
    for (int i = 0; i < r->m; ++i)
      for (int j = 0; j < r->n_v; ++j)
        r->q[r->u[i]] += r->N[r->u[i] * r->n_v + j] * (v[j] - r->q[r->v[j]]);
  for (int j = 0; j < r->n_v; ++j) r->q[r->v[j]] = v[j];
  if (!r->factored && !factorize(r)) return false;
  for (int turn = 0; turn < MAX_TURN; ++turn) {
    const double size = correct(r);
    if (!(size < (turn == 0 ? fold : 1))) return false;
    if (size <= enough) return true;
    if (size > bent * before && (before > near || !factorize(r))) return false;
    before = size;
  }
  return false;
}

/* Back to the last good point, with its own factors. */
static bool return_to_good(sal_reduced *r)
{
  memcpy(r->q, r->good, (size_t)r->n * sizeof *r->q);
  if (!factorize(r)) return false;
  form_N(r);
  return true;
}

/* In one leap where that is safe, else in shorter ones. */
static bool walk(sal_reduced *r, const double v[])
{
  double part = 1, done = 0;
  double from[SAL_MAX_FREEDOM] = {0}, to[SAL_MAX_FREEDOM];

  for (int j = 0; j < r->n_v; ++j) from[j] = r->good[r->v[j]];
  if (!r->factored && !return_to_good(r)) return false;
  for (int piece = 0; piece < MAX_PIECE && part > 1e-3; ++piece) {
    const double next = done + part < 1 ? done + part : 1;
    for (int j = 0; j < r->n_v; ++j) to[j] = next < 1 ? from[j] + next * (v[j] - from[j]) : v[j];
    if (leap(r, to) && factorize(r)) {
      correct(r);
      form_N(r);
      memcpy(r->good, r->q, (size_t)r->n * sizeof *r->q);
      if (next >= 1) return true;
      done = next;
      part *= 2;
    } else {
      if (!return_to_good(r)) return false;
      part /= 2;
    }
  }
  return false;
}

/* A point that cannot be reached leaves the solver where it was: from the singular position on the way
 * there the next walk could lead to another assembly. */
static bool find_positions(sal_reduced *r, const double v[])
{
  if (r->m == 0 && r->factored) { /* N = I */
    memcpy(r->q, v, (size_t)r->n * sizeof *v);
    memcpy(r->good, v, (size_t)r->n * sizeof *v);
    return factorize(r);
  }
  const size_t bytes = (size_t)r->n * sizeof *r->good;
  double start[SAL_MAX_Q];

  memcpy(start, r->good, bytes);
  if (walk(r, v)) return true;
  memcpy(r->good, start, bytes);
  return_to_good(r);
  return false;
}

/* By the chain where it is near; it goes on from where the walk came to. */
static bool find_by_chain(sal_reduced *r, const double v[])
{
  if (r->chain->way->leap(r->chain, v)) return true;
  r->factored = false;
  return find_positions(r, v) && r->chain->way->take(r->chain, r->q, v);
}

double sal_reduced_height(const sal_reduced *r, const sal_ground *g)
{
  return sal_constraint_value(r->system, r->value, r->q, &r->system->constraint[g->which]);
}

void sal_reduced_expand(const sal_reduced *r, const double x[], double out[])
{
  if (r->m == 0) memcpy(out, x, (size_t)r->n * sizeof *x); /* N = I */
  for (int i = 0; i < r->n && r->m > 0; ++i) {
    double sum = 0;
    for (int j = 0; j < r->n_v; ++j) sum += r->N[i * r->n_v + j] * x[j];
    out[i] = sum;
  }
}

static void find_velocities(sal_reduced *r, const double vd[])
{
  if (r->chain) {
    r->chain->way->advance(r->chain, vd, r->qd);
    return;
  }
  sal_reduced_expand(r, vd, r->qd);
}

/* Is the solver there already? */
static bool is_at(const sal_reduced *r, const int which[], const double x[], const double want[])
{
  for (int j = 0; j < r->n_v; ++j)
    if (x[which[j]] != want[j]) return false;
  return true;
}

void sal_reduced_slide(sal_reduced *r, const double sense[])
{
  const size_t n = (size_t)r->system->n_grip * sizeof *sense;

  if (memcmp(r->sense, sense, n) == 0) return;
  r->small_fits = false;
  if (r->known > SAL_REDUCED_VELOCITIES) r->known = SAL_REDUCED_VELOCITIES;
  memcpy(r->sense, sense, n);
}

/* Is constraint k independent of the joints and of `rank` others, whose directions, of length 1, are in r->work?
 * Adds its own to them. */
static bool says_more(sal_reduced *r, int k, int *rank)
{
  const int n_v = r->n_v;
  double *const mine = sal_reduced_line(r->work, *rank, n_v);
  double length = 0, left = 0;

  if (*rank >= n_v) return false;
  memset(mine, 0, (size_t)n_v * sizeof *mine);
  sal_reduced_row_times(&r->system->constraint[k], r->row[k], n_v, r->N, 1, mine);
  for (int l = 0; l < SAL_PAIR; ++l) length += r->row[k][l] * r->row[k][l];
  for (int i = 0; i < *rank; ++i) {
    const double *other = sal_reduced_line(r->work, i, n_v);
    double along = 0;
    for (int j = 0; j < n_v; ++j) along += other[j] * mine[j];
    for (int j = 0; j < n_v; ++j) mine[j] -= along * other[j];
  }
  for (int j = 0; j < n_v; ++j) left += mine[j] * mine[j];
  if (!(left > dependent * dependent * length)) return false;
  for (int j = 0; j < n_v; ++j) mine[j] /= sqrt(left);
  ++*rank;
  return true;
}

/* The closed contacts of this turn: those that keep bodies apart first, then friction that holds. */
static void bind(sal_reduced *r, bool friction, int *rank)
{
  static const bool has_constraint[SAL_N_GROUND_KIND] = {
      [SAL_GROUND_LOCK] = true, [SAL_GROUND_RIGID] = true, [SAL_GROUND_GRIP] = true};
  const sal_system *s = r->system;

  for (int k = 0; k < s->n_ground; ++k) {
    const sal_ground *g = &s->ground[k];
    if (!r->closed[k] || !has_constraint[g->kind] || (g->kind == SAL_GROUND_GRIP) != friction)
      continue;
    if (!says_more(r, g->which, rank) && g->kind != SAL_GROUND_LOCK) continue;
    r->contact[r->n_c] = k;
    r->lock[r->n_c++] = g->which;
  }
}

void sal_reduced_enter(sal_reduced *r, const bool closed[])
{
  const sal_system *s = r->system;
  const size_t n = (size_t)s->n_ground * sizeof *closed;
  const bool same = memcmp(r->closed, closed, n) == 0;

  if (same && r->straight) return;
  if (!same && r->known > SAL_REDUCED_VELOCITIES) r->known = SAL_REDUCED_VELOCITIES;
  memcpy(r->closed, closed, n);
  r->small_fits = false;
  r->n_c = 0;
  int rank = 0;
  bind(r, false, &rank);
  bind(r, true, &rank);
  for (int k = 0; k < s->n_ground; ++k) {
    const sal_ground *g = &s->ground[k];
    int next = rank;
    r->carried[k] = g->kind == SAL_GROUND_GRIP && closed[g->partner] && !closed[k] &&
                    !says_more(r, g->which, &next);
  }
}

bool sal_reduced_move(sal_reduced *r, const double v[], const double vd[])
{
  if (r->known < SAL_REDUCED_POSITIONS || !is_at(r, r->v, r->q, v)) {
    r->known = SAL_REDUCED_NOTHING;
    for (int j = 0; j < r->n_v; ++j)
      if (!isfinite(v[j])) return false;
    if (!(r->chain ? find_by_chain(r, v) : find_positions(r, v))) return false;
    r->known = SAL_REDUCED_POSITIONS;
  }
  if (r->known < SAL_REDUCED_VELOCITIES || !is_at(r, r->v, r->qd, vd)) {
    find_velocities(r, vd);
    r->known = SAL_REDUCED_VELOCITIES;
  }
  return true;
}
