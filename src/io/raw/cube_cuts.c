/** Chunks of a round, in the file, and of all rounds, in the index. */
#include "array.h"
#include "atomic_file.h"
#include "base.h"
#include "collective_error.h"
#include "cube_chunk.h"
#include "raw.h"
#include "variable.h"
#include <sys/stat.h>

static sal_err fail_for_room(const sal_cube_cuts *c)
{
  return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", c->path);
}

void sal_cube_cuts_free(sal_cube_cuts *c)
{
  sal_free(c->deflated);
  c->deflated = NULL;
  sal_free_all(c->bytes, c->all, c->runs, c->own, c->there);
  c->bytes = c->all = NULL;
  c->runs = c->own = NULL;
  c->there = NULL;
}

void sal_cube_cuts_open(sal_cube_cuts *c, const sal_sweep *s)
{
  const int64_t chunk = sal_cube_chunk(s);

  c->sweep = s;
  c->n_cut = 0;
  for (int i = 0; i < SAL_METRICS_ALL; ++i)
    if (sal_cube_chunk_is_cut(s, i)) c->cut[c->n_cut++] = i;
  c->n_chunk = (s->n_cell + chunk - 1) / chunk;
  c->rank = sal_collective_rank(c->comm);
}

sal_err sal_cube_cuts_run(sal_cube_cuts *c, int64_t first, int64_t n)
{
  sal_cube_run *list = sal_array_grow(c->own, c->n_own, 1, &c->own_room, sizeof *list);

  if (!list) return fail_for_room(c);
  c->own = list;
  list[c->n_own++] = (sal_cube_run){first, n, c->n_deflated};
  return SAL_OK;
}

sal_err sal_cube_cuts_add(sal_cube_cuts *c, const char *chunk, int64_t n)
{
  uint32_t *list = sal_array_grow(c->bytes, c->n, 1, &c->room, sizeof *list);
  if (list) c->bytes = list;
  char *bytes = list ? sal_array_grow(c->deflated, c->n_deflated, n, &c->deflated_room, 1) : NULL;

  if (!bytes) return fail_for_room(c);
  assert(n > 0 && n <= UINT32_MAX);
  list[c->n++] = (uint32_t)n;
  c->deflated = bytes;
  memcpy(bytes + c->n_deflated, chunk, (size_t)n);
  c->n_deflated += n;
  return SAL_OK;
}

sal_err sal_cube_cuts_early(sal_cube_cuts *c, int64_t at)
{
  SAL_TRY(sal_shared_file_put(&c->data, "a metric", at, c->n_deflated, c->deflated));
  c->own[c->n_own - 1].at = at;
  if (at + c->n_deflated > c->end) c->end = at + c->n_deflated;
  return SAL_OK;
}

/* Collective.  Where this rank's bytes go, and where those of all end. */
static sal_err place_bytes(const sal_cube_cuts *c, int64_t *at, int64_t *end)
{
  int64_t before = 0, all = 0;

  SAL_TRY_MPI(MPI_Exscan(&c->n_deflated, &before, 1, MPI_INT64_T, MPI_SUM, c->comm));
  SAL_TRY_MPI(MPI_Allreduce(&c->n_deflated, &all, 1, MPI_INT64_T, MPI_SUM, c->comm));
  *at = c->end + (c->rank > 0 ? before : 0); /* MPI gives the first rank nothing */
  *end = c->end + all;
  return SAL_OK;
}

/* Room in the file up to there: a full disk is met here, in the system's own words. */
static sal_err claim_room(const sal_cube_cuts *c, int64_t end)
{
  char part[PATH_MAX];
  struct stat found;

  SAL_TRY(sal_atomic_file_name(c->path, part));
  if (stat(part, &found)) return sal_atomic_file_fail(c->path);
  return found.st_size < end ? sal_atomic_file_room(c->path, end - (int64_t)found.st_size) : SAL_OK;
}

static sal_err keep_round(sal_cube_cuts *c, int64_t n, const sal_cube_run run[],
                          const uint32_t bytes[])
{
  if (n == 0) return SAL_OK;
  sal_cube_run *list = sal_array_grow(c->runs, c->n_runs, n, &c->runs_room, sizeof *list);
  if (!list) return fail_for_room(c);
  c->runs = list;
  memcpy(list + c->n_runs, run, (size_t)n * sizeof *run);
  c->n_runs += n;
  for (const sal_cube_run *end = run + n; run < end; ++run)
    for (int m = 0; m < c->n_cut; ++m, bytes += run->n)
      memcpy(c->all + m * c->n_chunk + run->first, bytes, (size_t)run->n * sizeof *bytes);
  return SAL_OK;
}

/* Collective.  Sends the list of all chunks to the first rank. */
static sal_err gather_chunks(sal_cube_cuts *c)
{
  SAL_OWN void *run = NULL;
  SAL_OWN void *bytes = NULL;
  int64_t n_run, n_bytes;

  SAL_TRY(sal_collective_gather(c->comm, 0, c->n_own, sizeof *c->own, c->own, &n_run, &run));
  SAL_TRY(sal_collective_gather(c->comm, 0, c->n, sizeof *c->bytes, c->bytes, &n_bytes, &bytes));
  c->n_own = c->n = 0;
  return sal_collective_first(c->comm, keep_round(c, n_run, run, bytes));
}

/* Collective.  All ranks get to know what is there. */
static sal_err gather_early(sal_cube_cuts *c)
{
  c->there = sal_alloc((size_t)c->n_chunk, 1);
  SAL_TRY(sal_collective_error(c->comm, c->there ? SAL_OK : fail_for_room(c)));
  for (const sal_cube_run *r = c->own; r < c->own + c->n_own; ++r)
    memset(c->there + r->first, 1, (size_t)r->n);
  SAL_TRY_MPI(
      MPI_Allreduce(MPI_IN_PLACE, c->there, (int)c->n_chunk, MPI_UNSIGNED_CHAR, MPI_BOR, c->comm));
  return gather_chunks(c);
}

/* On the first rank.  Chunks that are there count for nothing where the frame takes more room than was left for it. */
static sal_err find_end(sal_cube_cuts *c, int64_t *end)
{
  if (c->n_cut > 0) c->all = sal_alloc((size_t)(c->n_cut * c->n_chunk), sizeof *c->all);
  if (c->n_cut > 0 && !c->all) return fail_for_room(c);
  SAL_TRY(sal_cube_place_end(&c->place, end));
  if (*end > c->frame) c->frame = 0;
  return SAL_OK;
}

sal_err sal_cube_cuts_begin(sal_cube_cuts *c)
{
  int64_t end = 0;

  SAL_TRY(sal_collective_first(c->comm, find_end(c, &end)));
  SAL_TRY(sal_collective_share(c->comm, &c->frame, sizeof c->frame));
  if (c->frame == 0) c->end = c->n_own = c->n = 0; /* they come with the rounds */
  if (end > c->end) c->end = end;
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, &c->end, 1, MPI_INT64_T, MPI_MAX, c->comm));
  return c->frame > 0 ? gather_early(c) : SAL_OK;
}

sal_err sal_cube_cuts_write(sal_cube_cuts *c)
{
  int64_t at = 0, end = 0;

  if (c->n_cut == 0) return SAL_OK;
  SAL_TRY(place_bytes(c, &at, &end));
  SAL_TRY(sal_collective_first(c->comm, claim_room(c, end)));
  for (int64_t r = 0; r < c->n_own; ++r) c->own[r].at += at;
  SAL_TRY(gather_chunks(c));
  SAL_TRY(sal_collective_error(
      c->comm, sal_shared_file_put(&c->data, "a metric", at, c->n_deflated, c->deflated)));
  c->n_deflated = 0;
  c->end = end;
  return SAL_OK;
}

/* Buffers for making indexes: where the chunks of a metric begin, and its nodes. */
typedef struct {
  int64_t *next; /* [n_runs] where the next chunk of a run begins */
  int64_t *at;   /* [n_chunk] */
  unsigned char *nodes, *root;
  int64_t root_at[SAL_METRICS_ALL];
} indexer;

static void drop_indexer(indexer *x) { sal_free_all(x->next, x->at, x->nodes, x->root); }

/* As create_metrics (cube_create.c) has a metric: along cells, and, of trajectories, configurations. */
static sal_cube_index index_of(const sal_cube_cuts *c, int m, const int64_t at[])
{
  const sal_sweep *s = c->sweep;
  const int i = c->cut[m];
  const size_t size = sal_datatype_size(sal_datatype_of(sal_metric_at(i)->kind));

  sal_cube_index index = {
      .size = (int64_t)size, .n = c->n_chunk, .bytes = c->all + m * c->n_chunk, .at = at};
  index.n_dim = sal_cube_chunk_shape(s, i, index.dim);
  return index;
}

static int64_t nodes_bytes(const sal_cube_cuts *c, int m)
{
  return sal_cube_index_bytes(index_of(c, m, NULL).n_dim, c->n_chunk);
}

static sal_err begin_indexer(const sal_cube_cuts *c, indexer *x)
{
  int64_t nodes = 1, root = 1;

  for (int m = 0; m < c->n_cut; ++m) {
    const int64_t most = nodes_bytes(c, m), node = sal_cube_index_node(index_of(c, m, NULL).n_dim);
    if (most > nodes) nodes = most;
    if (node > root) root = node;
  }
  x->next = sal_alloc((size_t)c->n_runs + 1, sizeof *x->next);
  x->at = sal_alloc((size_t)c->n_chunk, sizeof *x->at);
  x->nodes = sal_alloc((size_t)nodes, 1);
  x->root = sal_alloc((size_t)root, 1);
  if (!x->next || !x->at || !x->nodes || !x->root) return fail_for_room(c);
  for (int64_t r = 0; r < c->n_runs; ++r) x->next[r] = c->runs[r].at;
  return SAL_OK;
}

/* Where the chunks of metric m begin, after those of the metrics before it. */
static void find_chunks(const sal_cube_cuts *c, int m, indexer *x)
{
  const uint32_t *bytes = c->all + m * c->n_chunk;

  assert(x->next && x->at);
  for (int64_t r = 0; r < c->n_runs; ++r)
    for (int64_t i = c->runs[r].first; i < c->runs[r].first + c->runs[r].n; ++i) {
      x->at[i] = x->next[r];
      x->next[r] += bytes[i];
    }
}

static sal_err write_index(const sal_cube_cuts *c, int m, int64_t begin, indexer *x)
{
  const sal_cube_index index = index_of(c, m, x->at);

  find_chunks(c, m, x);
  sal_cube_index_fill(&index, begin, x->root, x->nodes);
  SAL_TRY(sal_shared_file_put(&c->data, "an index", begin, nodes_bytes(c, m), x->nodes));
  return sal_shared_file_put(&c->data, "an index", x->root_at[m], sal_cube_index_node(index.n_dim),
                             x->root);
}

/* Claims the room of all nodes, and finds the roots. */
static sal_err place_roots(sal_cube_cuts *c, indexer *x)
{
  int64_t end = c->end;

  for (int m = 0; m < c->n_cut; ++m) end += nodes_bytes(c, m);
  SAL_TRY(claim_room(c, end));
  SAL_TRY(sal_cube_place_claim(&c->place, end));
  for (int m = 0; m < c->n_cut; ++m)
    SAL_TRY(sal_cube_place_root(&c->place, sal_metric_at(c->cut[m])->name,
                                sal_cube_index_node(index_of(c, m, NULL).n_dim), &x->root_at[m]));
  return SAL_OK;
}

static sal_err write_all(sal_cube_cuts *c, indexer *x)
{
  int64_t begin = c->end;

  for (int m = 0; m < c->n_cut; ++m) {
    SAL_TRY(write_index(c, m, begin, x));
    begin += nodes_bytes(c, m);
  }
  return SAL_OK;
}

sal_err sal_cube_cuts_end(sal_cube_cuts *c, sal_err err)
{
  SAL_OWN_BY(drop_indexer) indexer x = {0};

  if (err == SAL_OK && c->n_cut > 0) err = begin_indexer(c, &x);
  if (err == SAL_OK && c->n_cut > 0) err = place_roots(c, &x);
  err = sal_cube_place_close(&c->place, err);
  return err == SAL_OK && c->n_cut > 0 ? write_all(c, &x) : err;
}
