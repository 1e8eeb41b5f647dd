/** @file src/driver/assemble.c
 *  The cube from journals.
 *
 *  Two passes over the journals: points need the range of each criterion over all cells, and then
 *  every cell once more.  In a round each rank has one run of cells, and the runs of all ranks
 *  follow one another, so that a round is one piece of each dataset.
 */
#include "assemble.h"
#include "collective_error.h"
#include "cube_size.h"
#include "cube_write.h"
#include "memory.h"
#include "points.h"
#include "sched.h"
#include "stored_cube.h"

typedef struct {
  const sal_journal *journal;
  const char        *path;
  sal_journal_reader reader;
  sal_points_range   range;
  int64_t            cells; /* of a round, on each rank, but for the last entry's */
  int                n_slab;
  sal_tile_result   *result; /* [most] */
  int64_t            most;
  int                rank, n_rank;
} assembly;

/* The first entry that begins at `cell` or behind it. */
static int64_t entry_at(const sal_journal *j, int64_t cell)
{
  int64_t low = 0, high = j->n_entry;

  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (j->entry[middle].first < cell)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* This rank's entries of a round: low .. high - 1. */
static void entries_of(const assembly *a, int64_t round, int64_t *low, int64_t *high)
{
  const int64_t first = (round * a->n_rank + a->rank) * a->cells;

  *low  = entry_at(a->journal, first);
  *high = entry_at(a->journal, first + a->cells);
}

static void drop_slabs(assembly *a)
{
  for (int i = 0; i < a->n_slab; ++i) {
    sal_free(a->result[i].cell);
    sal_free(a->result[i].record);
  }
  a->n_slab = 0;
}

static sal_err make_room(assembly *a, int64_t n)
{
  if (n <= a->most) return SAL_OK;
  sal_free(a->result);
  a->most   = 0;
  a->result = sal_alloc((size_t)n, sizeof *a->result);
  if (!a->result) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of results");
  a->most = n;
  return SAL_OK;
}

static sal_err read_round(assembly *a, int64_t round)
{
  int64_t low, high;

  drop_slabs(a);
  entries_of(a, round, &low, &high);
  SAL_TRY(make_room(a, high - low));
  for (int64_t i = low; i < high; ++i)
    SAL_TRY(sal_journal_read(&a->reader, &a->journal->entry[i], &a->result[a->n_slab++]));
  return SAL_OK;
}

static sal_err get_round(void *with, int64_t round, int *n_slab, const sal_tile_result **result)
{
  assembly *a = with;

  SAL_TRY(read_round(a, round));
  for (int i = 0; i < a->n_slab; ++i) sal_points_fill(&a->range, a->journal->sweep, &a->result[i]);
  *n_slab = a->n_slab;
  *result = a->result;
  return SAL_OK;
}

static sal_err range_here(assembly *a, int64_t rounds)
{
  for (int64_t round = 0; round < rounds; ++round) {
    SAL_TRY(read_round(a, round));
    for (int i = 0; i < a->n_slab; ++i)
      sal_points_range_add(&a->range, a->journal->sweep, &a->result[i]);
  }
  return SAL_OK;
}

static sal_err find_range(assembly *a, int64_t rounds)
{
  const sal_journal *j = a->journal;

  sal_points_range_clear(&a->range);
  if (j->sweep->points == SAL_POINTS_PER_CELL) return SAL_OK;
  SAL_TRY(sal_collective_error(j->comm, range_here(a, rounds)));
  return sal_sched_reduce_range(j->comm, SAL_N_CRITERION * SAL_MAX_LIST, &a->range.lo[0][0],
                                &a->range.hi[0][0]);
}

/* The trajectories to be kept; what they are is made anew, not read from the journals. */
static sal_err add_trajectories(void *with)
{
  const sal_journal *j    = ((const assembly *)with)->journal;
  const char        *path = ((const assembly *)with)->path;

  const sal_err err = sal_stored_cube_fill(j->comm, path, j->sweep, NULL);
  return err != SAL_ERR_STOPPED
             ? err
             : sal_fail(err, "a signal stopped it before all trajectories were kept; all cells are "
                             "in the journals, and the same command goes on from there");
}

sal_err sal_assemble(const sal_journal *j, const char *path, const sal_cube_origin *origin)
{
  assembly a = {.journal = j, .path = path, .reader.journal = j, .cells = sal_cube_round(j->sweep)};

  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &a.rank));
  SAL_TRY_MPI(MPI_Comm_size(j->comm, &a.n_rank));
  const int64_t fair = (j->sweep->n_cell + a.n_rank - 1) / a.n_rank;
  if (a.cells > fair) a.cells = fair;
  const int64_t         together = a.cells * a.n_rank;
  const sal_cube_source source   = {.rounds = (j->sweep->n_cell + together - 1) / together,
                                    .get    = get_round,
                                    .add    = j->sweep->stored.n_cell ? add_trajectories : NULL,
                                    .with   = &a};
  sal_err               err      = find_range(&a, source.rounds);
  if (err == SAL_OK) {
    err = sal_cube_write_rounds(j->comm, path, j->sweep, origin, &source);
    if (err != SAL_OK && err != SAL_ERR_STOPPED) err = SAL_ERR_COMM;
  }
  drop_slabs(&a);
  sal_free(a.result);
  sal_journal_read_end(&a.reader);
  return err;
}
