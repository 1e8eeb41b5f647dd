/** A cube from results that are all in memory. */
#pragma once

#include "cube_write.h"

typedef struct {
  int n;
  const sal_tile_result *result;
} results_at_hand;

static inline sal_err get_at_hand(void *with, int64_t round, int *n, const sal_tile_result **result)
{
  const results_at_hand *all = with;

  (void)round;
  *n = all->n;
  *result = all->result;
  return SAL_OK;
}

/** Collective over comm, of whose ranks each has n results. */
static inline sal_err write_cube(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                                 const sal_origin *origin, int n, const sal_tile_result result[])
{
  results_at_hand all = {n, result};
  const sal_cube_source source = {.rounds = 1, .get = get_at_hand, .with = &all};

  return sal_cube_write_rounds(comm, path, sweep, origin, &source);
}
