/** An order of coordinates in which those that M couples, or that one contact moves, lie side by side: where a text lists all x
 *  ahead of all y, a contact of one point would reach over n coordinates.
 */
#include "band_order.h"
#include "base.h"
#include "energy.h"

/** Blocks of coordinates that M couples, each named by one of them, and the coordinates that contacts move. */
typedef struct {
  int n, m, n_link;
  int *block;          /* [n] */
  bool *moves;         /* [m][n] */
  sal_band_link *link; /* [m n] blocks that one contact moves */
  int *order, *place;  /* [n] of blocks / of each coordinate in an order */
} layout;

static void find_blocks(const sal_graph *g, const sal_energy *e, layout *l)
{
  for (int i = 0; i < l->n; ++i) l->block[i] = i;
  for (int i = 0; i < l->n; ++i)
    for (int j = 0; j < i; ++j) {
      const int from = l->block[i], to = l->block[j];
      if (from == to || sal_graph_is(g, e->mass[i * l->n + j], 0)) continue;
      for (int k = 0; k <= i; ++k)
        if (l->block[k] == from) l->block[k] = to;
    }
}

static void find_links(sal_graph *g, const sal_energy *e, layout *l)
{
  for (int c = 0; c < l->m; ++c) {
    const sal_energy_law *law = &e->law[c];
    bool *on = l->moves + (size_t)c * (size_t)l->n;
    int first = -1;
    sal_energy_moves(g, e, law->gap, false, on);
    if (e->contact[c].stick > 0) sal_energy_moves(g, e, law->slides, false, on);
    for (int i = 0; i < l->n; ++i) {
      if (!on[i]) continue;
      if (first >= 0) l->link[l->n_link++] = (sal_band_link){l->block[first], l->block[i]};
      if (first < 0) first = i;
    }
  }
}

/* How far the coordinates marked by on, or those of one block, reach. */
static int reach(const layout *l, const bool on[], int block)
{
  int lo = l->n, hi = -1;

  for (int i = 0; i < l->n; ++i) {
    if (on ? !on[i] : l->block[i] != block) continue;
    lo = l->place[i] < lo ? l->place[i] : lo;
    hi = l->place[i] > hi ? l->place[i] : hi;
  }
  return hi < lo ? 0 : hi - lo + 1;
}

/* How far all contacts and rows of M reach in an order. */
static int64_t length(const layout *l, const int state[])
{
  int64_t sum = 0;

  for (int i = 0; i < l->n; ++i) l->place[state[i]] = i;
  for (int c = 0; c < l->m; ++c) sum += reach(l, l->moves + (size_t)c * (size_t)l->n, 0);
  for (int i = 0; i < l->n; ++i) sum += reach(l, NULL, l->block[i]);
  return sum;
}

bool sal_energy_order(sal_graph *g, const sal_energy *e, int state[])
{
  const size_t n = (size_t)e->n, m = (size_t)e->n_contact;
  SAL_OWN int *memory = sal_alloc(4 * n, sizeof *memory);
  SAL_OWN bool *moves = sal_alloc(m * n + 1, sizeof *moves);
  SAL_OWN sal_band_link *link = sal_alloc(m * n + 1, sizeof *link);

  for (int i = 0; i < e->n; ++i) state[i] = i;
  if (!e->at_run) return true;
  if (!memory || !moves || !link) return false;
  layout l = {.n = e->n, .m = e->n_contact, .block = memory, .moves = moves, .link = link};
  l.order = memory + n, l.place = l.order + n;
  int *near = l.place + n, at = 0;
  find_blocks(g, e, &l);
  find_links(g, e, &l);
  if (!sal_band_order(l.n, l.n_link, link, l.order)) return false;
  for (int k = 0; k < l.n; ++k)
    for (int i = 0; i < l.n; ++i)
      if (l.block[i] == l.order[k]) near[at++] = i;
  /* an order that is good enough keeps the bits of its sums */
  if (2 * length(&l, near) < length(&l, state)) memcpy(state, near, n * sizeof *state);
  return true;
}
