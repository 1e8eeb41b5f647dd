/** Scattered cells, sorted by the boxes of the grid they lie in. */
#include "base.h"
#include "sweep.h"

/* Entry of the sort. */
typedef struct {
  int64_t slots, number;
  const double *value;
  int n;
} sort_entry;

int sal_scattered_column(const sal_scattered *s, const sal_axis *axis)
{
  int c = 0;

  while (s->point.column[c] != axis->column[0]) ++c;
  assert(c < s->point.n_column);
  return c;
}

static int64_t slot_of(const sal_axis *axis, double value)
{
  sal_axis_neighbours b;
  double lo, hi;

  sal_axis_bracket(axis, value, &lo, &hi, &b);
  return 2 * b.below + (b.below != b.above);
}

/* A value between two points of an axis whose numbers are not neighbours has a slot of its own,
 * too: each point begins one gap. */
static int64_t slots_of(const sal_axis *axis) { return 2 * axis->n_point; }

static int compare_values(const sort_entry *a, const sort_entry *b)
{
  for (int c = 0; c < a->n; ++c)
    if (a->value[c] != b->value[c]) return a->value[c] < b->value[c] ? -1 : 1;
  return 0;
}

static int compare_entries(const void *left, const void *right)
{
  const sort_entry *a = left, *b = right;

  if (a->slots != b->slots) return a->slots < b->slots ? -1 : 1;
  const int by_value = compare_values(a, b);
  return by_value ? by_value : (a->number > b->number) - (a->number < b->number);
}

/* The slots of a point on all axes; *on_grid: it has a value of the axis on each of them. */
static int64_t pack_slots(const sal_scattered *s, int n_axis, const sal_axis axis[], int64_t point,
                          bool *on_grid)
{
  int64_t all = 0;

  *on_grid = true;
  for (int a = 0; a < n_axis; ++a) {
    const int c = sal_scattered_column(s, &axis[a]);
    const int64_t slot = slot_of(&axis[a], sal_axis_value(&s->point, point, c));
    *on_grid = *on_grid && slot % 2 == 0;
    all = all * slots_of(&axis[a]) + slot;
  }
  return all;
}

static void note_least(int64_t point, int64_t *replicate)
{
  if (*replicate < 0 || point < *replicate) *replicate = point;
}

bool sal_scattered_sort(int n_axis, const sal_axis axis[], sal_scattered *s, int64_t *replicate)
{
  const int64_t n = s->point.n_point;
  SAL_OWN sort_entry *list = sal_alloc((size_t)n, sizeof *list);

  *replicate = -1;
  s->number = sal_alloc((size_t)n, sizeof *s->number);
  if (!list || !s->number) return false;
  for (int64_t i = 0; i < n; ++i) {
    bool on_grid;
    list[i] = (sort_entry){pack_slots(s, n_axis, axis, i, &on_grid), i,
                           s->point.value + i * s->point.n_column, s->point.n_column};
    if (on_grid) note_least(i, replicate);
  }
  qsort(list, (size_t)n, sizeof *list, compare_entries);
  for (int64_t i = 0; i < n; ++i) {
    s->number[i] = list[i].number;
    if (i > 0 && list[i].slots == list[i - 1].slots && !compare_values(&list[i], &list[i - 1]))
      note_least(list[i].number, replicate);
  }
  return true;
}

void sal_scattered_free(sal_scattered *s)
{
  sal_free_all(s->point.value, s->number);
  *s = (sal_scattered){0};
}
