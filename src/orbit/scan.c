/** Boxes of points, and Newton's iteration from all of them at once. */
#include "base.h"
#include "cycle.h"
#include "scalar_math.h"

enum { POINTS = 160, ITERATIONS = 15 };

/* Half the widths of the boxes, in the unknowns' sizes at the guess. */
static const double reaches[] = {0.5, 2, 8};

/** The points of a box. */
typedef struct {
  double *y, *end;   /* [POINTS][n_state] */
  bool *closed;      /* [POINTS][n_guard] */
  sal_return *point; /* [POINTS] */
  sal_cycle *cell;   /* [POINTS] */
} box;

static void free_box(box *b) { sal_free_all(b->y, b->end, b->closed, b->point, b->cell); }

static sal_err make_box(const sal_return_map *map, box *b)
{
  const size_t ns = (size_t)map->model.n_state, g = (size_t)map->n_guard;

  *b = (box){.y = sal_alloc(POINTS * ns, sizeof *b->y),
             .end = sal_alloc(POINTS * ns, sizeof *b->end),
             .closed = sal_alloc(POINTS * g, sizeof *b->closed),
             .point = sal_alloc(POINTS, sizeof *b->point),
             .cell = sal_alloc(POINTS, sizeof *b->cell)};
  if (b->y && b->end && b->closed && b->point && b->cell) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "no memory for a scan of the section");
}

/* Number p of the j-th coordinate, in (-1, 1): multiples of g^-(j + 1) modulo 1, g^(n + 1) = g + 1, which
 * fill a cube of n dimensions evenly (Roberts (2018); the golden section for n = 1). */
static double spread(int n, int j, int p)
{
  double g = 2, at;

  for (int i = 0; i < 60; ++i) g = sal_scalar_pow(1 + g, 1.0 / (n + 1));
  at = 0.5 + (double)(p + 1) * sal_scalar_pow(g, -(j + 1));
  return 2 * (at - floor(at)) - 1;
}

/* Puts the points of a box onto the section; returns how many can lie there. */
static int64_t place_points(const sal_return_map *map, const sal_cycle *c, const double guess[],
                            double reach, box *b)
{
  const int64_t ns = map->model.n_state, g = map->n_guard;
  int64_t n = 0;

  for (int p = 0; p < POINTS; ++p) {
    double *y = b->y + n * ns;
    bool *closed = b->closed + n * g;
    memcpy(y, guess, (size_t)ns * sizeof *y);
    for (int j = 0; j < map->n_unknown; ++j)
      y[map->unknown[j]] +=
          reach * sal_return_map_size(map, guess, j) * spread(map->n_unknown, j, p);
    if (sal_return_map_begin(map, c->param, y, closed, NULL) != SAL_RETURN_MADE) continue;
    b->point[n] =
        (sal_return){.param = c->param, .start = y, .closed = closed, .end = b->end + n * ns};
    ++n;
  }
  return n;
}

/* Runs Newton's iteration from points that come back; *tried: how many. */
static sal_err seek_all(const sal_return_map *map, const sal_cycle_setup *setup, int64_t n, box *b,
                        int64_t *tried)
{
  sal_cycle_setup s = *setup;

  s.max_iterations = ITERATIONS;
  *tried = 0;
  SAL_TRY(sal_return_map_run(map, n, b->point));
  for (int64_t p = 0; p < n; ++p)
    if (b->point[p].why == SAL_RETURN_MADE)
      b->cell[(*tried)++] = (sal_cycle){.param = b->point[p].param,
                                        .y = b->y + p * map->model.n_state,
                                        .closed = b->closed + p * map->n_guard};
  return sal_cycle_find(map, &s, *tried, b->cell);
}

/* Distance from the guess, in the unknowns' sizes there. */
static double distance(const sal_return_map *map, const double guess[], const double y[])
{
  double sum = 0;

  for (int j = 0; j < map->n_unknown; ++j) {
    const int i = map->unknown[j];
    const double by = (y[i] - guess[i]) / sal_return_map_size(map, guess, j);
    sum += by * by;
  }
  return sqrt(sum);
}

/* The best of the orbits found, -1: none. */
static int64_t choose(const sal_return_map *map, const double guess[], int64_t n,
                      const sal_cycle cell[], int *found)
{
  double least = INFINITY;
  int64_t best = -1;

  *found = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (cell[i].why != SAL_CYCLE_FOUND) continue;
    ++*found;
    const bool sooner = cell[i].least < map->setup.returns;
    const double off = distance(map, guess, cell[i].y);
    if (best >= 0 && sooner && cell[best].least == map->setup.returns) continue;
    if (best >= 0 && sooner == (cell[best].least < map->setup.returns) && !(off < least)) continue;
    least = off;
    best = i;
  }
  return best;
}

/* The orbit of a box, once more in full. */
static sal_err take(const sal_return_map *map, const sal_cycle_setup *setup, const sal_cycle *from,
                    sal_cycle *c)
{
  memcpy(c->y, from->y, (size_t)map->model.n_state * sizeof *c->y);
  memcpy(c->closed, from->closed, (size_t)map->n_guard * sizeof *c->closed);
  SAL_TRY(sal_cycle_find(map, setup, 1, c));
  c->iterations += from->iterations;
  return SAL_OK;
}

sal_err sal_scan_find(const sal_return_map *map, const sal_cycle_setup *setup, const double guess[],
                      sal_cycle *c, sal_scan_report *report)
{
  SAL_OWN_BY(free_box) box b = {0};

  *report = (sal_scan_report){0};
  c->why = SAL_CYCLE_DIVERGES;
  SAL_TRY(make_box(map, &b));
  for (size_t w = 0; w < sizeof reaches / sizeof *reaches; ++w) {
    int64_t tried;
    SAL_TRY(seek_all(map, setup, place_points(map, c, guess, reaches[w], &b), &b, &tried));
    report->points += POINTS;
    report->reach = reaches[w];
    const int64_t best = choose(map, guess, tried, b.cell, &report->found);
    if (best >= 0) SAL_TRY(take(map, setup, &b.cell[best], c));
    if (c->why == SAL_CYCLE_FOUND) break;
  }
  return SAL_OK;
}
