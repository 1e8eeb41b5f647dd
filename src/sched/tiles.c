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

/* Cells in tiles of one size, the last of which may be smaller. */
typedef struct {
  int64_t cells, size;
} stretch;

/* The first of the cells that are left. */
static stretch guided_stretch(int64_t left, int64_t n_rank, int64_t least, int64_t most,
                              int64_t unit)
{
  const int64_t size = guided_size(left, n_rank, least, most),
                cells = size < unit ? unit : size / unit * unit;
  const int64_t here = cells < left ? cells : left;

  return (stretch){here, size < here ? size : here};
}

/* How many stretches, and, where out is not NULL, which, sizes falling; *tile, *whole: as in sal_tiles_count. */
static int64_t guided_stretches(int64_t n_cell, int n_rank, int64_t most, int64_t unit,
                                stretch out[], int64_t *tile, int64_t *whole)
{
  const int64_t least = least_of(n_cell, n_rank);
  int64_t n = 0;

  *tile = *whole = 0;
  for (int64_t left = n_cell; left > 0; ++n) {
    const stretch here = guided_stretch(left, n_rank, least, most, unit);
    if (out) out[n] = here;
    *tile += (here.cells + here.size - 1) / here.size;
    *whole += here.size >= unit ? here.cells : 0;
    left -= here.cells;
  }
  return n;
}

int64_t sal_tiles_count(int64_t n_cell, int n_rank, int64_t most, int64_t unit, int64_t *whole)
{
  int64_t tile;

  guided_stretches(n_cell, n_rank, most, unit, NULL, &tile, whole);
  return tile;
}

/* Lays stretches along the runs; a tile is cut at the end of a run. */
static int64_t lay_tiles(int64_t n_run, const sal_tile run[], int64_t n, const stretch laid[],
                         sal_tile tile[])
{
  int64_t made = 0, k = 0, left = n > 0 ? laid[0].cells : 0, want = n > 0 ? laid[0].size : 0;

  for (int64_t r = 0; r < n_run; ++r)
    for (int64_t at = 0; at < run[r].count;) {
      const int64_t here = run[r].count - at < want ? run[r].count - at : want;
      tile[made++] = (sal_tile){run[r].first + at, here};
      at += here;
      left -= here;
      want -= here;
      if (left == 0 && ++k < n) left = laid[k].cells;
      if (want == 0 && k < n) want = laid[k].size < left ? laid[k].size : left;
    }
  return made;
}

sal_err sal_tiles_cut(int64_t n_run, const sal_tile run[], int n_rank, int64_t most, int64_t unit,
                      sal_tile **tile, int64_t *n_tile)
{
  int64_t n_cell = 0, tiles, whole;

  *tile = NULL;
  *n_tile = 0;
  for (int64_t r = 0; r < n_run; ++r) n_cell += run[r].count;
  const int64_t n = guided_stretches(n_cell, n_rank, most, unit, NULL, &tiles, &whole);
  tiles += n_run; /* which cut some */
  SAL_OWN stretch *falling = sal_alloc((size_t)n, sizeof *falling);
  SAL_OWN stretch *laid = sal_alloc((size_t)n, sizeof *laid);
  SAL_OWN int64_t *place = sal_alloc((size_t)n, sizeof *place);
  if (falling && laid && place) *tile = sal_alloc((size_t)tiles, sizeof **tile);
  if (!*tile)
    return sal_fail(SAL_ERR_MEMORY, "no memory for a list of %lld tiles", (long long)tiles);
  guided_stretches(n_cell, n_rank, most, unit, falling, &(int64_t){0}, &whole);
  /* Less than a unit is at the end, after whole ones. */
  const int64_t mixed = n > 0 && falling[n - 1].cells % unit ? n - 1 : n;
  sal_tiles_spread(mixed, place);
  for (int64_t k = 0; k < n; ++k) laid[k < mixed ? place[k] : k] = falling[k];
  *n_tile = lay_tiles(n_run, run, n, laid, *tile);
  return SAL_OK;
}
