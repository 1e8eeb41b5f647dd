/** Memory of the chain, and which of its builds this CPU runs. */
#include "chain.h"
#include "integrate.h"
#include <string.h>

enum { PACKS = SAL_CHAIN_BLOCK / SAL_CHAIN_LANES };

size_t sal_chain_lay_out(const sal_system *s, sal_chain *c, char *block)
{
  const sal_chain_plan *p = s->chain;
  const size_t n_body = (size_t)s->n_body, n_arm = (size_t)p->n_arm, n_speed = (size_t)p->n_speed,
               n_pack = (size_t)p->n_pack, n = SAL_CHAIN_LANES * n_pack,
               pack = sizeof(sal_chain_pack), real = sizeof(double);
  const size_t columns = n_body * n_pack * 6 * pack, arms = n_arm * n_pack * 3 * pack;
  size_t used = 0;
  const struct {
    void *at; /* of a pointer */
    size_t bytes;
  } arrays[] = {{&c->v, n * real},
                {&c->rate, n * real},
                {&c->start, n_body * 4 * real},
                {&c->half, n_body * 2 * real},
                {&c->s, n_arm * 3 * real},
                {&c->A, n_body * 9 * real},
                {&c->r, n_body * 3 * real},
                {&c->x, n_arm * 3 * real},
                {&c->xd, n_arm * 3 * real},
                {&c->xdd, n_arm * 3 * real},
                {&c->w, n_body * 6 * real},
                {&c->a, n_body * 6 * real},
                {&c->J, n_body * 9 * real},
                {&c->turn, n_body * real},
                {&c->turn2, n_body * real},
                {&c->row, n_speed * sizeof *c->row},
                {&c->gap, n_speed * real},
                {&c->local, n_body * PACKS * 6 * pack},
                {&c->lu, n_speed * PACKS * pack},
                {&c->pivot, n_speed * sizeof *c->pivot},
                {&c->B, columns},
                {&c->D, columns},
                {&c->L, columns},
                {&c->c, n_body * 6 * pack},
                {&c->SB, n_speed * n_pack * pack},
                {&c->SD, n_speed * n_pack * pack},
                {&c->S, n_speed * n_pack * pack},
                {&c->M, n * n_pack * pack},
                {&c->load, n_body * 6 * real},
                {&c->through, n_body * 6 * real},
                {&c->lambda, n_speed * real},
                {&c->X, arms},
                {&c->V, arms},
                {&c->Y, arms},
                {&c->Z[0], columns},
                {&c->Z[1], columns},
                {&c->R[0], n * n_pack * pack},
                {&c->R[1], n * n_pack * pack}};

  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
    char *const piece = block ? block + used : NULL;
    memcpy(arrays[i].at, &piece, sizeof piece);
    used += (arrays[i].bytes + 63) / 64 * 64;
  }
  return used;
}

const sal_chain_way *sal_chain_choose(void)
{
#if SAL_WIDEST >= 4
  if (sal_integrate_widest() >= 4) return &sal_chain_way_w4;
#endif
  return &sal_chain_way_w1;
}
