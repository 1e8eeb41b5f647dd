/** Nodes of a B-tree, level by level.
 *
 *  Entry e of level l leads to all chunks from e * 64^l on, up to those of the next entry.  The nodes of a level lie one
 *  after another, the lowest level first; the root, the only node of the highest, lies where HDF5 looks for it.
 */
#include "base.h"
#include "h5_bytes.h"
#include "raw.h"

enum { CHILDREN = 64, HEAD = 24, ADDRESS = 8 };

static const unsigned char of_chunks[] = {'T', 'R', 'E', 'E', 1};
static const uint64_t nowhere = UINT64_MAX;

static int64_t up(int64_t n, int64_t by) { return (n + by - 1) / by; }

/* Bytes and filters that a chunk was not to pass, its first places, and one more for the bytes of a value. */
static int64_t key_bytes(int n_dim) { return 4 + 4 + 8 * ((int64_t)n_dim + 1); }

int64_t sal_cube_index_node(int n_dim)
{
  return HEAD + (CHILDREN + 1) * key_bytes(n_dim) + (int64_t)CHILDREN * ADDRESS;
}

int64_t sal_cube_index_bytes(int n_dim, int64_t n)
{
  int64_t nodes = 0;

  for (int64_t level = up(n, CHILDREN); level > 1; level = up(level, CHILDREN)) nodes += level;
  return nodes * sal_cube_index_node(n_dim);
}

/* State of the filler of a level. */
typedef struct {
  const sal_cube_index *index;
  int level;
  int64_t reach; /* chunks of an entry: 64^level */
  int64_t n;     /* entries */
  int64_t here,
      below; /* where the nodes of this level begin, and of the one below, which the entries lead to */
} filler;

/* The key of a chunk; of the one after the last, what is greater than all. */
static unsigned char *put_key(const sal_cube_index *x, int64_t chunk, unsigned char *to)
{
  const bool beyond = chunk >= x->n;
  const int64_t i = beyond ? x->n : chunk;

  to = sal_h5_bytes_put(to, 4, beyond ? 0 : x->bytes[i]);
  to = sal_h5_bytes_put(to, 4, 0);
  to = sal_h5_bytes_put(to, 8, (uint64_t)(i * x->dim[0]));
  for (int d = 1; d < x->n_dim; ++d) to = sal_h5_bytes_put(to, 8, beyond ? (uint64_t)x->dim[d] : 0);
  return sal_h5_bytes_put(to, 8, beyond ? (uint64_t)x->size : 0);
}

static uint64_t address_of(const filler *f, int64_t entry)
{
  if (f->level == 0) return (uint64_t)f->index->at[entry];
  return (uint64_t)(f->below + entry * sal_cube_index_node(f->index->n_dim));
}

/* Node number k of a level. */
static void fill_node(const filler *f, int64_t k, unsigned char *to)
{
  const int64_t size = sal_cube_index_node(f->index->n_dim), first = k * CHILDREN;
  const int64_t end = first + CHILDREN < f->n ? first + CHILDREN : f->n;

  memset(to, 0, (size_t)size);
  memcpy(to, of_chunks, sizeof of_chunks);
  to[5] = (unsigned char)f->level;
  to = sal_h5_bytes_put(to + 6, 2, (uint64_t)(end - first));
  to = sal_h5_bytes_put(to, 8, k > 0 ? (uint64_t)(f->here + (k - 1) * size) : nowhere);
  to = sal_h5_bytes_put(to, 8, end < f->n ? (uint64_t)(f->here + (k + 1) * size) : nowhere);
  for (int64_t e = first; e < end; ++e) {
    to = put_key(f->index, e * f->reach, to);
    to = sal_h5_bytes_put(to, ADDRESS, address_of(f, e));
  }
  put_key(f->index, end * f->reach, to);
}

void sal_cube_index_fill(const sal_cube_index *x, int64_t begin, unsigned char root[],
                         unsigned char nodes[])
{
  const int64_t size = sal_cube_index_node(x->n_dim);
  filler f = {.index = x, .reach = 1, .n = x->n, .here = begin};

  assert(x->n > 0 && x->n_dim <= SAL_RAW_MOST_DIM);
  while (f.n > CHILDREN) {
    const int64_t count = up(f.n, CHILDREN);
    for (int64_t k = 0; k < count; ++k, nodes += size) fill_node(&f, k, nodes);
    f.below = f.here;
    f.here += count * size;
    f.n = count;
    f.reach *= CHILDREN;
    ++f.level;
  }
  fill_node(&f, 0, root);
}
