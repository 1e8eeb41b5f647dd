/** Tasks of a tile, heaviest first. */
#include "tile_tasks.h"
#include <stdlib.h>

enum { FOR_EACH_THREAD = 4, FOR_EACH_LANE = 4 };

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

static int heavier(const void *a, const void *b)
{
  const sal_tile_task *x = a, *y = b;

  if (x->cost != y->cost) return x->cost > y->cost ? -1 : 1;
  if (x->config != y->config) return x->config > y->config ? -1 : 1;
  return (x->first > y->first) - (x->first < y->first);
}

/* One thread has nothing to share. */
static int64_t size_of_tasks(int n_config, int64_t most, int width, int threads)
{
  const int64_t cuts = threads == 1 ? 1 : divide_up((int64_t)FOR_EACH_THREAD * threads, n_config);

  return divide_up(divide_up(most, cuts), width) * width;
}

int64_t sal_tile_tasks_cut(int n_config, const int config[], const int64_t cells[], int width,
                           int threads, sal_tile_task task[])
{
  int64_t n = 0, most = 0;

  for (int i = 0; i < n_config; ++i) most = cells[config[i]] > most ? cells[config[i]] : most;
  if (most == 0) return 0;
  const int64_t size = size_of_tasks(n_config, most, width, threads);
  for (int i = 0; i < n_config; ++i)
    for (int64_t first = 0; first < cells[config[i]]; first += size) {
      const int64_t left = cells[config[i]] - first;
      task[n++] =
          (sal_tile_task){.config = config[i], .first = first, .count = left < size ? left : size};
    }
  return n;
}

int sal_tile_tasks_width(int widest, bool as_asked, int64_t runs)
{
  const int enough = runs >= INT64_C(8) * FOR_EACH_LANE ? 8 : runs > 1 ? 4 : 1;

  return as_asked || enough > widest ? widest : enough;
}

void sal_tile_tasks_heaviest_first(int64_t n, sal_tile_task task[])
{
  qsort(task, (size_t)n, sizeof *task, heavier);
}

void sal_tile_tasks_costly_first(int64_t n, const double labour[], int64_t order[])
{
  for (int64_t i = 0; i < n; ++i) {
    int64_t at = i;
    for (; at > 0 && labour[order[at - 1]] < labour[i]; --at) order[at] = order[at - 1];
    order[at] = i;
  }
}
