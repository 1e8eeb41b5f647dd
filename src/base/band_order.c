/** Reverse Cuthill-McKee, level by level. */
#include "band_order.h"
#include "memory.h"

typedef struct {
  int n;
  int *first, *next; /* [n + 1], [2 n_link] neighbours, those of few neighbours first */
  int *level;        /* [n] distance from the root of the last walk; -1: not reached */
  int *queue;        /* [n] */
} graph;

static int degree(const graph *g, int i) { return g->first[i + 1] - g->first[i]; }

static void list_neighbours(graph *g, int n_link, const sal_band_link link[])
{
  for (int k = 0; k < n_link; ++k) ++g->first[link[k].a + 1], ++g->first[link[k].b + 1];
  for (int i = 0; i < g->n; ++i) g->first[i + 1] += g->first[i];
  for (int k = 0; k < n_link; ++k) {
    g->next[g->first[link[k].a]++] = link[k].b;
    g->next[g->first[link[k].b]++] = link[k].a;
  }
  for (int i = g->n; i > 0; --i) g->first[i] = g->first[i - 1];
  g->first[0] = 0;
}

/* By insertion: there are few, and equal ones stay in order. */
static void sort_neighbours(const graph *g)
{
  for (int i = 0; i < g->n; ++i)
    for (int k = g->first[i] + 1; k < g->first[i + 1]; ++k)
      for (int l = k; l > g->first[i] && degree(g, g->next[l]) < degree(g, g->next[l - 1]); --l) {
        const int swap = g->next[l];
        g->next[l] = g->next[l - 1];
        g->next[l - 1] = swap;
      }
}

/* Breadth first from root into queue; returns how many are reached. */
static int walk(const graph *g, int root, int queue[])
{
  int reached = 1;

  queue[0] = root;
  g->level[root] = 0;
  for (int k = 0; k < reached; ++k)
    for (int e = g->first[queue[k]]; e < g->first[queue[k] + 1]; ++e) {
      const int to = g->next[e];
      if (g->level[to] >= 0) continue;
      g->level[to] = g->level[queue[k]] + 1;
      queue[reached++] = to;
    }
  return reached;
}

static void forget(const graph *g, int n, const int queue[])
{
  for (int k = 0; k < n; ++k) g->level[queue[k]] = -1;
}

/* A row far from the others: of those farthest from the last one the one with fewest neighbours, as long as that is farther. */
static int find_end(const graph *g, int root)
{
  for (int height = -1;;) {
    const int reached = walk(g, root, g->queue), far = g->level[g->queue[reached - 1]];
    int end = g->queue[reached - 1];
    for (int k = reached; k-- > 0 && g->level[g->queue[k]] == far;)
      if (degree(g, g->queue[k]) < degree(g, end)) end = g->queue[k];
    forget(g, reached, g->queue);
    if (far <= height) return root;
    height = far;
    root = end;
  }
}

bool sal_band_order(int n, int n_link, const sal_band_link link[], int order[])
{
  SAL_OWN int *first = sal_alloc((size_t)n + 1, sizeof *first);
  SAL_OWN int *next = sal_alloc(2 * (size_t)n_link + 1, sizeof *next);
  SAL_OWN int *level = sal_alloc((size_t)n, sizeof *level);
  SAL_OWN int *queue = sal_alloc((size_t)n, sizeof *queue);
  graph g = {n, first, next, level, queue};
  int done = 0;

  if (!first || !next || !level || !queue) return false;
  list_neighbours(&g, n_link, link);
  sort_neighbours(&g);
  for (int i = 0; i < n; ++i) level[i] = -1;
  for (int i = 0; i < n; ++i)
    if (level[i] < 0) done += walk(&g, find_end(&g, i), order + done);
  for (int k = 0; k < n / 2; ++k) {
    const int swap = order[k];
    order[k] = order[n - 1 - k];
    order[n - 1 - k] = swap;
  }
  return true;
}
