/** A cube from results that are all in memory. */
#pragma once

#include "cube_write.h"

typedef struct {
  int n, rounds;
  const sal_tile_result *result;
} results_at_hand;

static inline sal_err get_at_hand(void *with, int64_t round, sal_tile_result *result)
{
  const results_at_hand *all = with;

  if (round < all->n) *result = all->result[round];
  return SAL_OK;
}

/** Collective over comm, of whose ranks each has n results: a round each. */
static inline sal_err write_cube(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                                 const sal_origin *origin, int n, const sal_tile_result result[])
{
  results_at_hand all = {.n = n, .result = result};
  sal_cube_source source = {.get = get_at_hand, .with = &all};

  MPI_Allreduce(&n, &all.rounds, 1, MPI_INT, MPI_MAX, comm);
  source.rounds = all.rounds;
  return sal_cube_write_rounds(comm, path, sweep, origin, &source);
}
