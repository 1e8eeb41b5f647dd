/** A sweep divided into parts. */
#include "tiles.h"

enum { BLOCKS = 4, MOST_CELLS = 64 }; /* blocks for each part, if there are cells enough */

static int64_t block_of(sal_job_part part, int64_t n_cell)
{
  const int64_t size = n_cell / ((int64_t)BLOCKS * part.of);

  if (part.of == 1) return n_cell;
  return size < 1 ? 1 : size > MOST_CELLS ? MOST_CELLS : size;
}

/* Cells of this part before cell `end`. */
static int64_t cells_before(sal_job_part part, int64_t block, int64_t end)
{
  const int64_t turn = block * part.of, rest = end % turn - block * (part.index - 1);

  return end / turn * block + (rest < 0 ? 0 : rest > block ? block : rest);
}

int64_t sal_job_part_cells(sal_job_part part, int64_t n_cell)
{
  return cells_before(part, block_of(part, n_cell), n_cell);
}

sal_err sal_job_part_cut(sal_job_part part, int64_t n_cell, int64_t n_run, const sal_tile run[],
                         sal_tile **out, int64_t *n_out)
{
  const int64_t block = block_of(part, n_cell), turn = block * part.of;
  int64_t most = 0;

  for (int64_t r = 0; r < n_run; ++r) most += run[r].count / turn + 2;
  *n_out = 0;
  *out = sal_alloc((size_t)most, sizeof **out);
  if (!*out) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of cells to do");
  for (int64_t r = 0; r < n_run; ++r) {
    const int64_t end = run[r].first + run[r].count;
    for (int64_t own = run[r].first / turn * turn + block * (part.index - 1); own < end;
         own += turn) {
      const int64_t from = own > run[r].first ? own : run[r].first;
      const int64_t to = own + block < end ? own + block : end;
      if (to > from) (*out)[(*n_out)++] = (sal_tile){from, to - from};
    }
  }
  return SAL_OK;
}
