/** Bound rows G v' + turn = 0 by W = G M^-1 D', with D = G but for a gap that rubs: G - mu sense T.
 *
 *  Pivots stay on the diagonal, as W is positive semidefinite but for friction that slides: in the order of the contacts where W is
 *  a band, else the largest first.  A row whose pivot is nothing but rounding follows from those before, and has no force.
 */
#include "program_hold.h"
#include "contact_rows.h"
#include <math.h>
#include <string.h>

static int rows_of(const sal_contact_place *of) { return of->rigid ? 1 + (of->stick > 0) : 0; }

/* Coordinates lo .. hi - 1 that a force on those of a contact moves: blocks of M are whole. */
static void reach(const sal_contact_program *p, const sal_contact_place *of, int *lo, int *hi)
{
  *lo = *hi = of->from;
  if (of->from == of->to) return;
  *lo = p->first[of->from];
  *hi = p->last[of->to - 1] + 1;
}

/* How far rows lie apart that move the same coordinate. */
static int band_of(const sal_program_hold *h)
{
  int band = 0;

  for (int i = 0; i < h->of->n; ++i) h->touched[i] = h->n_row;
  for (int r = 0; r < h->n_row; ++r)
    for (int i = h->row[r].lo; i < h->row[r].hi; ++i) {
      if (h->touched[i] > r) h->touched[i] = r;
      if (r - h->touched[i] > band) band = r - h->touched[i];
    }
  return band;
}

static void list_rows(sal_program_hold *h)
{
  h->n_row = 0;
  for (int c = 0; c < h->of->m; ++c) {
    const sal_contact_place *of = &h->of->of[c];
    for (int along = 0; along < rows_of(of); ++along) {
      sal_program_hold_row *row = &h->row[h->n_row];
      if (!(along ? h->sticks[c] : h->closed[c])) continue;
      *row = (sal_program_hold_row){.c = c, .along = along};
      reach(h->of, of, &row->lo, &row->hi);
      ++h->n_row;
    }
  }
}

int sal_program_hold_band(const sal_contact_program *p)
{
  int most = 0;

  for (int c = 0; c < p->m; ++c) {
    int lo, hi, first = c;
    reach(p, &p->of[c], &lo, &hi);
    for (int k = 0; k < c && first == c; ++k) {
      int from, to;
      reach(p, &p->of[k], &from, &to);
      if (from < hi && lo < to) first = k;
    }
    most = c - first > most ? c - first : most;
  }
  return most;
}

size_t sal_program_hold_words(const sal_contact_program *p)
{
  const size_t m = (size_t)p->m, n = (size_t)p->n;
  size_t rows = 0, store = 0;

  for (int c = 0; c < p->m; ++c) {
    int lo, hi;
    reach(p, &p->of[c], &lo, &hi);
    rows += (size_t)rows_of(&p->of[c]);
    store += (size_t)(rows_of(&p->of[c]) * (hi - lo));
  }
  const size_t band = 2 * (size_t)sal_program_hold_band(p) + 1; /* two rows of each contact */
  return (size_t)p->terms.n_out + 2 * sal_contact_words(m, sizeof(bool)) + 3 * m + n +
         sal_contact_words(rows, sizeof(sal_program_hold_row)) + 3 * rows +
         sal_contact_words(rows, sizeof(bool)) + sal_contact_words(rows, sizeof(int)) +
         sal_contact_words(n, sizeof(int)) + store + rows * (2 * band + 1);
}

sal_program_hold sal_program_hold_open(const sal_contact_program *p, double memory[])
{
  const size_t m = (size_t)p->m, n = (size_t)p->n;
  sal_program_hold h = {.of = p};
  size_t rows = 0;

  for (int c = 0; c < p->m; ++c) rows += (size_t)rows_of(&p->of[c]);
  h.out = sal_contact_carve(&memory, (size_t)p->terms.n_out);
  h.closed = sal_contact_carve(&memory, sal_contact_words(m, sizeof(bool)));
  h.sticks = sal_contact_carve(&memory, sal_contact_words(m, sizeof(bool)));
  h.sense = sal_contact_carve(&memory, m);
  h.normal = sal_contact_carve(&memory, m);
  h.along = sal_contact_carve(&memory, m);
  h.a = sal_contact_carve(&memory, n);
  h.row = sal_contact_carve(&memory, sal_contact_words(rows, sizeof *h.row));
  h.diagonal = sal_contact_carve(&memory, rows);
  h.size = sal_contact_carve(&memory, rows);
  h.b = sal_contact_carve(&memory, rows);
  h.done = sal_contact_carve(&memory, sal_contact_words(rows, sizeof(bool)));
  h.order = sal_contact_carve(&memory, sal_contact_words(rows, sizeof(int)));
  h.touched = sal_contact_carve(&memory, sal_contact_words(n, sizeof(int)));
  h.store = memory;
  return h;
}

/* ---- mass --------------------------------------------------------------------------------------- */

static double *mass_row(const sal_program_hold *h, int i) { return h->out + h->of->row[i]; }

static bool factor(const sal_program_hold *h, int *at)
{
  for (int i = 0; i < h->of->n; ++i) {
    double *L = mass_row(h, i);
    const int first = h->of->first[i];
    for (int j = first; j <= i; ++j) {
      const double *other = mass_row(h, j);
      double sum = L[j];
      for (int k = first; k < j; ++k) sum -= L[k] * other[k];
      if (j < i)
        L[j] = sum / other[j];
      else
        L[i] = sum > 0 ? sqrt(sum) : sum;
    }
    if (L[i] > 0) continue;
    if (at) *at = i;
    return false;
  }
  return true;
}

/* x = M^-1 x in the coordinates lo .. hi - 1, of whole blocks. */
static void solve_mass(const sal_program_hold *h, int lo, int hi, double x[])
{
  for (int i = lo; i < hi; ++i) {
    const double *L = mass_row(h, i);
    for (int k = h->of->first[i]; k < i; ++k) x[i - lo] -= L[k] * x[k - lo];
    x[i - lo] /= L[i];
  }
  for (int i = hi - 1; i >= lo; --i) {
    for (int k = i + 1; k <= h->of->last[i]; ++k) x[i - lo] -= mass_row(h, k)[i] * x[k - lo];
    x[i - lo] /= mass_row(h, i)[i];
  }
}

/* ---- rows --------------------------------------------------------------------------------------- */

/* The gradient of a row where its contact's coordinates begin; *turn follows its drift. */
static const double *gradient(const sal_program_hold *h, int c, bool along, double *turn)
{
  const sal_contact_place *of = &h->of->of[c];
  const int n = of->to - of->from;
  const double *row = h->out + of->at + 4 + (along ? n + 2 : 0);

  if (turn) *turn = row[n + 1];
  return row;
}

/* -mu sense where contact c slides. */
static double drag(const sal_program_hold *h, int c)
{
  const bool slides = h->of->of[c].stick > 0 && h->closed[c] && !h->sticks[c];

  return slides ? -h->out[h->of->of[c].at + 2] * h->sense[c] : 0;
}

static void pose(sal_program_hold *h)
{
  double *next = h->store;

  for (int r = 0; r < h->n_row; ++r) {
    sal_program_hold_row *row = &h->row[r];
    const sal_contact_place *of = &h->of->of[row->c];
    const int n = of->to - of->from;
    double turn;
    const double *G = gradient(h, row->c, row->along, &turn),
                 share = row->along ? 0 : drag(h, row->c);
    const double *T = gradient(h, row->c, true, NULL);
    row->response = sal_contact_carve(&next, (size_t)(row->hi - row->lo));
    memset(row->response, 0, (size_t)(row->hi - row->lo) * sizeof *next);
    h->b[r] = -turn;
    h->size[r] = fabs(turn);
    for (int i = 0; i < n; ++i) {
      const double a = h->a[of->from + i];
      row->response[of->from - row->lo + i] = G[i] + share * T[i];
      h->b[r] -= G[i] * a;
      h->size[r] += fabs(G[i] * a);
    }
    solve_mass(h, row->lo, row->hi, row->response);
  }
  h->A = next;
}

/* The rate of row r by a force of 1 on row s. */
static double coupling(const sal_program_hold *h, const sal_program_hold_row *r,
                       const sal_program_hold_row *s)
{
  const sal_contact_place *of = &h->of->of[r->c];
  const int from = of->from > s->lo ? of->from : s->lo, to = of->to < s->hi ? of->to : s->hi;
  const double *G = gradient(h, r->c, r->along, NULL);
  double sum = 0;

  for (int i = from; i < to; ++i) sum += G[i - of->from] * s->response[i - s->lo];
  return sum;
}

static double *entry(const sal_program_hold *h, int i, int j)
{
  return h->A + (size_t)i * (2 * (size_t)h->band + 1) + (size_t)(j - i + h->band);
}

static int first_of(const sal_program_hold *h, int i) { return i > h->band ? i - h->band : 0; }
static int end_of(const sal_program_hold *h, int i)
{
  return i + h->band < h->n_row ? i + h->band + 1 : h->n_row;
}

/* The next row to eliminate: in a band the next one, else that of the largest pivot; -1: the rest are redundant. */
static int next_pivot(sal_program_hold *h, int turn)
{
  const bool banded = h->band < h->n_row - 1;
  int best = -1;

  for (int i = banded ? turn : 0; i < (banded ? turn + 1 : h->n_row); ++i) {
    const double size = fabs(*entry(h, i, i));
    if (h->done[i] || (best >= 0 && !(size > fabs(*entry(h, best, best))))) continue;
    if (size > 1e-12 * fabs(h->diagonal[i])) best = i;
  }
  h->redundant |= best < 0;
  return best;
}

/* Takes row p off the others that are left. */
static void eliminate_row(sal_program_hold *h, int p)
{
  const int first = first_of(h, p), end = end_of(h, p);
  const double pivot = *entry(h, p, p);

  h->done[p] = true;
  for (int i = first; i < end; ++i) {
    const double share = h->done[i] ? 0 : *entry(h, i, p) / pivot;
    if (share == 0) continue;
    for (int j = first; j < end; ++j)
      if (!h->done[j]) *entry(h, i, j) -= share * *entry(h, p, j);
    h->b[i] -= share * h->b[p];
  }
}

/* b becomes the forces: 0 in redundant rows. */
static void eliminate(sal_program_hold *h)
{
  const int n = h->n_row;
  int rank = 0;

  for (int i = 0; i < n; ++i) {
    for (int j = first_of(h, i); j < end_of(h, i); ++j)
      *entry(h, i, j) = coupling(h, &h->row[i], &h->row[j]);
    h->diagonal[i] = *entry(h, i, i);
    h->done[i] = false;
  }
  for (int turn = 0; turn < n; ++turn) {
    const int p = next_pivot(h, turn);
    if (p < 0) continue;
    h->order[rank++] = p;
    eliminate_row(h, p);
  }
  for (int i = 0; i < n; ++i)
    if (!h->done[i]) h->b[i] = 0;
  for (int k = rank - 1; k >= 0; --k) {
    const int p = h->order[k];
    for (int l = k + 1; l < rank && (h->band == n - 1 || h->order[l] - p <= h->band); ++l)
      h->b[p] -= *entry(h, p, h->order[l]) * h->b[h->order[l]];
    h->b[p] /= *entry(h, p, p);
  }
}

static void take_forces(sal_program_hold *h)
{
  const int m = h->of->m;

  for (int c = 0; c < m; ++c) h->normal[c] = h->along[c] = 0;
  for (int r = 0; r < h->n_row; ++r) {
    const sal_program_hold_row *row = &h->row[r];
    *(row->along ? &h->along[row->c] : &h->normal[row->c]) = h->b[r];
    if (!row->along && !(fabs(h->b[r] * h->diagonal[r]) > 1e-13 * h->size[r])) h->redundant = true;
    for (int i = row->lo; i < row->hi; ++i) h->a[i] += row->response[i - row->lo] * h->b[r];
  }
  for (int c = 0; c < m; ++c) {
    const double share = drag(h, c);
    if (share != 0) h->along[c] = share * h->normal[c];
  }
}

bool sal_program_hold_solve(sal_program_hold *h, int *at)
{
  const sal_contact_program *p = h->of;

  h->redundant = false;
  if (!factor(h, at)) return false;
  memcpy(h->a, h->out + p->load, (size_t)p->n * sizeof *h->a);
  solve_mass(h, 0, p->n, h->a);
  list_rows(h);
  pose(h);
  h->band = band_of(h);
  eliminate(h);
  take_forces(h);
  return true;
}
