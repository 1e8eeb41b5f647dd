/** Sums of blocks of cells, by which cells that are looked up alone are verified. */
#include "block_sums.h"
#include "array.h"
#include "base.h"
#include "checksum.h"
#include "collective_error.h"
#include "cube_chunk.h"
#include "group_seal.h"
#include "quantiles.h"
#include "variable.h"

/* Least bytes of a block; it has so many cells where these have fewer bytes. */
enum { BYTES = 256, CELLS = 4, CELLS_BYTES = 1024 };

static int64_t cells_for(int64_t bytes, int64_t row) { return (bytes + row - 1) / row; }

void sal_block_places(const sal_sweep *s, sal_block_place place[SAL_METRICS_ALL])
{
  int64_t first = 0;

  for (int i = 0; i < SAL_METRICS_ALL; ++i) {
    place[i] = (sal_block_place){.first = first};
    if (!sal_sweep_keeps(s, i)) continue;
    const int64_t bytes = sal_cube_chunk_row(s, i);
    const int64_t least = cells_for(BYTES, bytes), some = cells_for(CELLS_BYTES, bytes),
                  few = some < CELLS ? some : CELLS, cells = least > few ? least : few;
    place[i].cells = cells < s->n_cell ? cells : s->n_cell;
    place[i].n = (s->n_cell + place[i].cells - 1) / place[i].cells;
    first += place[i].n;
  }
}

int64_t sal_block_count(const sal_sweep *s)
{
  sal_block_place place[SAL_METRICS_ALL];

  sal_block_places(s, place);
  return place[SAL_METRICS_ALL - 1].first + place[SAL_METRICS_ALL - 1].n;
}

static bool grow(sal_block_list *l)
{
  int64_t room = l->room; /* both grow alike */
  int64_t *at = sal_array_grow(l->at, l->n, 1, &room, sizeof *at);
  if (!at) return false;
  l->at = at;
  uint64_t *sum = sal_array_grow(l->sum, l->n, 1, &l->room, sizeof *sum);
  if (sum) l->sum = sum;
  return sum;
}

static bool append(sal_block_list *l, int64_t at, uint64_t sum)
{
  if (l->n == l->room && !grow(l)) return false;
  l->at[l->n] = at;
  l->sum[l->n++] = sum;
  return true;
}

/* Cells of block number b: the last one may be shorter. */
static int64_t cells_of(const sal_block_sums *s, int64_t b)
{
  const int64_t left = s->n_cell - b * s->place.cells;

  return left < s->place.cells ? left : s->place.cells;
}

void sal_block_sums_begin(sal_block_sums *s, sal_block_place place)
{
  s->place = place;
  s->block = 0;
  s->cells = 0;
  s->sum = 0;
}

void sal_block_sums_end(sal_block_sums *s)
{
  const int64_t at = s->place.first + s->block;

  if (s->cells == 0) return;
  if (s->cells == cells_of(s, s->block)) {
    s->lost |= !append(&s->whole, at, s->sum);
    s->total += sal_checksum_of(at, 1, sizeof s->sum, &s->sum);
  } else {
    s->lost |= !append(&s->cut, at, s->sum);
  }
  s->cells = 0;
  s->sum = 0;
}

uint64_t sal_block_sums_add(sal_block_sums *s, int64_t first, int64_t count, const uint64_t sum[])
{
  uint64_t all = 0;

  for (int64_t i = 0; i < count; ++i) {
    const int64_t block = (first + i) / s->place.cells;
    if (block != s->block) sal_block_sums_end(s);
    s->block = block;
    ++s->cells;
    s->sum += sum[i];
    all += sum[i];
  }
  return all;
}

void sal_block_sums_next(sal_block_sums *s) { s->whole.n = 0; }

void sal_block_sums_free_list(sal_block_list *l)
{
  sal_free_all(l->at, l->sum);
  *l = (sal_block_list){0};
}

void sal_block_sums_free(sal_block_sums *s)
{
  sal_block_sums_free_list(&s->whole);
  sal_block_sums_free_list(&s->cut);
}

sal_err sal_block_sums_create(const sal_h5 *file, const sal_sweep *sweep)
{
  const sal_variable_dim dim = {SAL_BLOCK_SET, (hsize_t)sal_block_count(sweep)};
  const sal_variable v = {.name = SAL_BLOCK_SET,
                          .unit = "1",
                          .what = "sum of the checksums of a block of cells",
                          .kind = SAL_CHECKSUM_KIND,
                          .type = SAL_DATATYPE_WHOLE,
                          .in_one = true,
                          .scale = true,
                          .n_dim = 1,
                          .dim = &dim};

  SAL_HID group = -1;
  SAL_TRY(sal_h5_create_group(file, file->id, SAL_BLOCK_GROUP, &group));
  const sal_h5 in = {group, file->path, SAL_DIMENSION_OF_SUMS};
  SAL_TRY(sal_variable_create(&in, &v, NULL));
  return sal_group_seal_prepare(&in);
}

typedef struct {
  int64_t at;
  uint64_t sum;
} entry;

/* Each place once. */
static sal_err add_up(int64_t n, entry e[], sal_block_list *l)
{
  sal_quantiles_sort_wholes(n, sizeof *e, e);
  for (int64_t i = 0; i < n; ++i)
    if (i > 0 && e[i].at == e[i - 1].at)
      l->sum[l->n - 1] += e[i].sum;
    else if (!append(l, e[i].at, e[i].sum))
      return sal_fail(SAL_ERR_MEMORY, "no memory for sums of blocks");
  return SAL_OK;
}

sal_err sal_block_sums_gather(MPI_Comm comm, sal_block_sums *s, sal_block_list *all)
{
  SAL_OWN entry *mine = sal_alloc((size_t)s->cut.n, sizeof *mine);
  SAL_OWN void *e = NULL;
  int64_t n;

  *all = (sal_block_list){0};
  const bool fits = mine && !s->lost;
  SAL_TRY(sal_collective_error(
      comm, fits ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for sums of blocks")));
  assert(mine);
  for (int64_t i = 0; i < s->cut.n; ++i) mine[i] = (entry){s->cut.at[i], s->cut.sum[i]};
  SAL_TRY(sal_collective_gather(comm, 0, s->cut.n, sizeof *mine, mine, &n, &e));
  return sal_collective_error(comm, e ? add_up(n, e, all) : SAL_OK);
}

static sal_err write_cut(const sal_h5 *file, hid_t set, const sal_block_list *cut)
{
  const hsize_t n = (hsize_t)cut->n;
  SAL_HID space = H5Dget_space(set);
  SAL_TRY_H5(file, space);
  SAL_HID memory = H5Screate_simple(1, &n, NULL);
  SAL_OWN hsize_t *at = NULL;

  SAL_TRY_ROOM(file, at, cut->n);
  for (int64_t i = 0; i < cut->n; ++i) at[i] = (hsize_t)cut->at[i];
  SAL_TRY_H5(file, H5Sselect_elements(space, H5S_SELECT_SET, n, at));
  SAL_TRY_H5(file, H5Dwrite(set, H5T_NATIVE_INT64, memory, space, H5P_DEFAULT, cut->sum));
  return SAL_OK;
}

sal_err sal_block_sums_finish(const sal_h5 *file, const sal_block_list *cut, uint64_t total)
{
  SAL_HID group = H5Gopen2(file->id, SAL_BLOCK_GROUP, H5P_DEFAULT);
  SAL_TRY_H5(file, group);
  const sal_h5 in = {.id = group, .path = file->path};
  SAL_HID set = H5Dopen2(group, SAL_BLOCK_SET, H5P_DEFAULT);
  SAL_TRY_H5(file, set);

  if (cut->n > 0) SAL_TRY(write_cut(file, set, cut));
  for (int64_t i = 0; i < cut->n; ++i)
    total += sal_checksum_of(cut->at[i], 1, sizeof cut->sum[i], &cut->sum[i]);
  SAL_TRY(sal_checksum_put_sum(file, set, total));
  return sal_group_seal_put(&in);
}
