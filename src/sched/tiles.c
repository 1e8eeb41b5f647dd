/** Guided tiles, laid out so that large and small ones lie mixed.
 *
 *  Polychronopoulos and Kuck, "Guided self-scheduling: a practical scheduling scheme for parallel
 *  supercomputers", IEEE Trans. Comput. 36 (1987): each piece is 1/P of what is left.  Costs differ
 *  here, so that a piece is half of that.
 */
#include "tiles.h"

enum { LANES = 8, LEAST_TILES = 4, SHARE = 2 };

static int64_t guided_size(int64_t left, int64_t n_rank, int64_t least, int64_t most)
{
  const int64_t fair = (left + SHARE * n_rank - 1) / (SHARE * n_rank);
  const int64_t size = n_rank == 1 ? left : fair; /* one rank waits for none */
  const int64_t some = size > most ? most : size < least ? least : size;

  return some < left ? some : left;
}

static int64_t least_of(int64_t n_cell, int64_t n_rank)
{
  const int64_t size = n_cell / (LEAST_TILES * n_rank);

  return size < 1 ? 1 : size > LANES ? LANES : size;
}

int64_t sal_tiles_largest(int64_t n_cell, int n_rank, int64_t most)
{
  return n_cell < 1 ? 1 : guided_size(n_cell, n_rank, least_of(n_cell, n_rank), most);
}

void sal_tiles_spread(int64_t n, int64_t place[])
{
  int64_t end = 1, k = 0;

  while (end < n) end *= 2;
  for (int64_t i = 0; i < end; ++i) { /* bits of i reversed; what is beyond n is passed over */
    int64_t reversed = 0;
    for (int64_t low = 1, high = end / 2; high > 0; low *= 2, high /= 2)
      if (i & low) reversed += high;
    if (reversed < n) place[k++] = reversed;
  }
}

/* How many tiles, and, where size is not NULL, their cells, falling. */
static int64_t guided_sizes(int64_t n_cell, int n_rank, int64_t most, int64_t size[])
{
  const int64_t least = least_of(n_cell, n_rank);
  int64_t n = 0;

  for (int64_t left = n_cell; left > 0; ++n) {
    const int64_t here = guided_size(left, n_rank, least, most);
    if (size) size[n] = here;
    left -= here;
  }
  return n;
}

int64_t sal_tiles_count(int64_t n_cell, int n_rank, int64_t most)
{
  return guided_sizes(n_cell, n_rank, most, NULL);
}

/* Lays tiles of these sizes along the runs; a tile is cut at the end of a run. */
static int64_t lay_tiles(int64_t n_run, const sal_tile run[], int64_t n, const int64_t size[],
                         sal_tile tile[])
{
  int64_t made = 0, k = 0, want = n > 0 ? size[0] : 0;

  for (int64_t r = 0; r < n_run; ++r)
    for (int64_t at = 0; at < run[r].count;) {
      const int64_t here = run[r].count - at < want ? run[r].count - at : want;
      tile[made++] = (sal_tile){run[r].first + at, here};
      at += here;
      want -= here;
      if (want == 0 && ++k < n) want = size[k];
    }
  return made;
}

sal_err sal_tiles_cut(int64_t n_run, const sal_tile run[], int n_rank, int64_t most,
                      sal_tile **tile, int64_t *n_tile)
{
  int64_t n_cell = 0;

  *tile = NULL;
  *n_tile = 0;
  for (int64_t r = 0; r < n_run; ++r) n_cell += run[r].count;
  const int64_t n = guided_sizes(n_cell, n_rank, most, NULL);
  SAL_OWN int64_t *size = sal_alloc((size_t)n, sizeof *size);
  SAL_OWN int64_t *laid = sal_alloc((size_t)n, sizeof *laid);
  SAL_OWN int64_t *place = sal_alloc((size_t)n, sizeof *place);
  if (size && laid && place) *tile = sal_alloc((size_t)(n + n_run), sizeof **tile);
  if (!*tile)
    return sal_fail(SAL_ERR_MEMORY, "no memory for a list of %lld tiles", (long long)n + n_run);
  guided_sizes(n_cell, n_rank, most, size);
  sal_tiles_spread(n, place);
  for (int64_t k = 0; k < n; ++k) laid[place[k]] = size[k];
  *n_tile = lay_tiles(n_run, run, n, laid, *tile);
  return SAL_OK;
}
