/** Coordinates, words and samples. */
#include "surrogate_coordinates.h"
#include "base.h"
#include "scalar_math.h"
#include <float.h>

enum { MOST_KEPT = 1 << 21 }; /* coordinates of cells */
enum { RECENT_BITS = 15 };    /* of the number of points whose coordinates are kept beyond that */

static sal_err fail_memory(void) { return sal_fail(SAL_ERR_MEMORY, "no memory for the axes"); }

static bool has_words(const sal_sweep *s, const sal_axis *axis)
{
  for (int c = 0; c < axis->n_column; ++c)
    if (sal_parameter_column_is_discrete(s->model, axis->column[c])) return true;
  return false;
}

static bool same_words(const sal_sweep *s, const sal_axis *axis, int64_t i, int64_t j)
{
  for (int c = 0; c < axis->n_column; ++c)
    if (sal_parameter_column_is_discrete(s->model, axis->column[c]) &&
        sal_axis_value(axis, i, c) != sal_axis_value(axis, j, c))
      return false;
  return true;
}

static sal_err divide_axis(const sal_sweep *s, const sal_axis *axis, sal_word_classes *words)
{
  *words = (sal_word_classes){.n = 1};
  if (!has_words(s, axis)) return SAL_OK;
  words->of = sal_alloc((size_t)axis->n_point, sizeof *words->of);
  words->first = sal_alloc((size_t)axis->n_point, sizeof *words->first);
  if (!words->of || !words->first) return fail_memory();
  words->n = 0;
  for (int64_t i = 0; i < axis->n_point; ++i) {
    int k = 0;
    while (k < words->n && !same_words(s, axis, i, words->first[k])) ++k;
    words->of[i] = k;
    if (k == words->n) words->first[words->n++] = i;
  }
  return SAL_OK;
}

static int64_t sample_of(const sal_surrogate_coordinates *c, const int word[])
{
  int64_t sample = 0;

  for (int a = 0; a < c->sweep->n_axis; ++a) sample = sample * c->words[a].n + word[a];
  return sample;
}

/* The class of a value on an axis of one quantity; -1: none. */
static int word_of_value(const sal_axis *axis, const sal_word_classes *words, double value)
{
  if (!words->of) return 0;
  for (int k = 0; k < words->n; ++k)
    if (sal_axis_value(axis, words->first[k], 0) == value) return k;
  return -1;
}

static void words_of_scattered(const sal_surrogate_coordinates *c, int64_t point, int word[])
{
  const sal_scattered *s = &c->sweep->scattered;

  for (int a = 0; a < c->sweep->n_axis; ++a) {
    const sal_axis *axis = &c->sweep->axis[a];
    word[a] = c->words[a].of
                  ? word_of_value(axis, &c->words[a],
                                  sal_axis_value(&s->point, point, sal_scattered_column(s, axis)))
                  : 0;
  }
}

/* How many cells of the grid are in each sample: the product of those of the classes. */
static sal_err count_grid(sal_surrogate_coordinates *c)
{
  int64_t *count[SAL_MAX_AXIS] = {NULL};
  bool ok = (c->n_in = sal_alloc((size_t)c->n_sample, sizeof *c->n_in)) != NULL;

  for (int a = 0; a < c->sweep->n_axis && ok; ++a) {
    const int64_t n = c->sweep->axis[a].n_point;
    ok = (count[a] = sal_alloc((size_t)c->words[a].n, sizeof *count[a])) != NULL;
    for (int64_t i = 0; ok && i < n && c->words[a].of; ++i) ++count[a][c->words[a].of[i]];
    if (ok && !c->words[a].of) count[a][0] = n;
  }
  for (int64_t s = 0; s < c->n_sample && ok; ++s) {
    int64_t rest = s;
    c->n_in[s] = 1;
    for (int a = c->sweep->n_axis - 1; a >= 0; rest /= c->words[a--].n)
      c->n_in[s] *= count[a][rest % c->words[a].n];
  }
  for (int a = 0; a < c->sweep->n_axis; ++a) sal_free(count[a]);
  return ok ? SAL_OK : fail_memory();
}

static sal_err count_samples(sal_surrogate_coordinates *c)
{
  const int64_t n = c->sweep->scattered.point.n_point;
  int word[SAL_MAX_AXIS] = {0};

  SAL_TRY(count_grid(c));
  if (c->n_sample == 1) {
    c->n_in[0] += n;
    return SAL_OK;
  }
  if (n == 0) return SAL_OK;
  if (!(c->scattered_sample = sal_alloc((size_t)n, sizeof *c->scattered_sample)))
    return fail_memory();
  for (int64_t i = 0; i < n; ++i) {
    words_of_scattered(c, i, word);
    c->scattered_sample[i] = (int32_t)sample_of(c, word);
    ++c->n_in[c->scattered_sample[i]];
  }
  return SAL_OK;
}

/* Ends of a column: of the axis where it has them, else of its values; false where all its points
 * have the same value. */
static bool column_ends(const sal_axis *axis, int c, double *lo, double *hi)
{
  const bool listed = axis->kind == SAL_AXIS_LIST || axis->kind == SAL_AXIS_ROWS;
  const double first = sal_axis_value(axis, 0, c);
  const int64_t n = axis->n_point;
  bool varies = false;

  *lo = listed ? first : fmin(axis->lo[c], axis->hi[c]);
  *hi = listed ? first : fmax(axis->lo[c], axis->hi[c]);
  for (int64_t i = 1; i < n && (listed || !varies); ++i) {
    const double x = sal_axis_value(axis, i, c);
    varies = varies || x != first;
    if (listed) *lo = fmin(*lo, x), *hi = fmax(*hi, x);
  }
  return varies;
}

double sal_surrogate_coordinate_of(const sal_surrogate_coordinate *at, double value)
{
  return ((at->by_log ? sal_scalar_log(value) : value) - at->lo) / at->range;
}

double sal_surrogate_coordinate_value(const sal_surrogate_coordinate *at, double z)
{
  const double v = at->lo + z * at->range;

  return at->by_log ? sal_scalar_exp(v) : v;
}

static void add_axis(sal_surrogate_coordinates *c, int a)
{
  const sal_axis *axis = &c->sweep->axis[a];
  const sal_scattered *s = &c->sweep->scattered;
  double lo, hi;

  for (int k = 0; k < axis->n_column; ++k) {
    if (sal_parameter_column_is_discrete(c->sweep->model, axis->column[k]) ||
        !column_ends(axis, k, &lo, &hi))
      continue;
    const bool by_log = sal_axis_column_by_log(axis, k);
    c->at[c->n++] = (sal_surrogate_coordinate){
        .axis = a,
        .c = k,
        .scattered_c = s->point.n_point ? sal_scattered_column(s, axis) : -1,
        .column = axis->column[k],
        .by_log = by_log,
        .lo = by_log ? sal_scalar_log(lo) : lo,
        .range = by_log ? sal_scalar_log(hi) - sal_scalar_log(lo) : hi - lo};
  }
  c->first[a + 1] = c->n;
}

sal_err sal_surrogate_coordinates_create(const sal_sweep *s, sal_surrogate_coordinates *c)
{
  int64_t stride = 1;

  *c = (sal_surrogate_coordinates){.sweep = s, .n_sample = 1};
  for (int a = 0; a < s->n_axis; ++a) {
    add_axis(c, a);
    SAL_TRY(divide_axis(s, &s->axis[a], &c->words[a]));
    c->n_sample *= c->words[a].n;
  }
  for (int a = s->n_axis - 1; a >= 0; stride *= s->axis[a--].n_point) c->stride[a] = stride;
  return count_samples(c);
}

static void free_recent(sal_recent_points *r)
{
  if (!r) return;
  sal_free_all(r->point, r->z, r);
}

void sal_surrogate_coordinates_free(sal_surrogate_coordinates *c)
{
  for (int a = 0; a < SAL_MAX_AXIS && !c->twin; ++a) {
    sal_free_all(c->words[a].of, c->words[a].first);
  }
  if (!c->twin) {
    sal_free_all(c->n_in, c->scattered_sample, c->kept);
  }
  free_recent(c->recent);
  *c = (sal_surrogate_coordinates){0};
}

/* "adhesion = clamp", after `next`. */
static void add_word(const sal_model *m, int column, double x, const char *next, sal_text *text)
{
  char number[SAL_TEXT_NUMBER];

  sal_text_add(text, "%s%s = %s", next, sal_parameter_column_name(m, column),
               sal_parameter_column_text(m, column, x, 10, number));
}

/* The words of a sample. */
static void add_words(const sal_surrogate_coordinates *c, int64_t sample, sal_text *text)
{
  const sal_model *m = c->sweep->model;
  const char *next = " with ";
  int word[SAL_MAX_AXIS] = {0};

  for (int a = c->sweep->n_axis - 1; a >= 0; sample /= c->words[a--].n)
    word[a] = (int)(sample % c->words[a].n);
  for (int a = 0; a < c->sweep->n_axis; ++a) {
    const sal_axis *axis = &c->sweep->axis[a];
    for (int k = 0; k < axis->n_column && c->words[a].of; ++k) {
      if (!sal_parameter_column_is_discrete(m, axis->column[k])) continue;
      add_word(m, axis->column[k], sal_axis_value(axis, c->words[a].first[word[a]], k), next, text);
      next = ", ";
    }
  }
}

sal_err sal_surrogate_coordinates_check(const sal_surrogate_coordinates *c)
{
  const int64_t needed = sal_surrogate_least_cells(c);
  SAL_OWN_BY(sal_text_free) sal_text words = {0};

  if (c->n > SAL_SURROGATE_MOST_COORDINATES)
    return sal_fail(SAL_ERR_INPUT, "%s: varies %d quantities; a plane is made in up to %d",
                    c->sweep->path, c->n, SAL_SURROGATE_MOST_COORDINATES);
  for (int64_t s = 0; s < c->n_sample; ++s) {
    if (c->n_in[s] >= needed) continue;
    add_words(c, s, &words);
    return sal_fail(
        SAL_ERR_INPUT, "%s: has %lld cell%s%s; a plane in %d coordinate%s needs %lld at least",
        c->sweep->path, (long long)c->n_in[s], sal_text_plural(c->n_in[s]),
        words.string ? words.string : "", c->n, sal_text_plural(c->n), (long long)needed);
  }
  return SAL_OK;
}

/* Coordinates of a point of an axis, computed. */
static void make_coordinates(const sal_surrogate_coordinates *c, int a, int64_t point, double z[])
{
  for (int k = c->first[a]; k < c->first[a + 1]; ++k)
    z[k - c->first[a]] = sal_surrogate_coordinate_of(
        &c->at[k], sal_axis_value(&c->sweep->axis[a], point, c->at[k].c));
}

void sal_surrogate_coordinates_point(const sal_surrogate_coordinates *c, int a, int64_t point,
                                     double z[])
{
  const sal_recent_points *r = c->recent;
  const int n = c->first[a + 1] - c->first[a];

  if (c->kept && c->sweep->axis[a].n_point == c->sweep->n_cell) { /* points are cells */
    memcpy(z, &c->kept[point * c->n + c->first[a]], (size_t)n * sizeof *z);
    return;
  }
  if (!r || r->axis != a) {
    make_coordinates(c, a, point, z);
    return;
  }
  const uint64_t at = (uint64_t)point * 0x9e3779b97f4a7c15U >> (64 - RECENT_BITS);
  double *const kept = &r->z[at * (uint64_t)n];
  if (r->point[at] != 1 + point) make_coordinates(c, a, point, kept);
  r->point[at] = 1 + point;
  memcpy(z, kept, (size_t)n * sizeof *z);
}

/* A coordinate of a cell, at these points of the axes of a grid. */
static double coordinate_of_cell(const sal_surrogate_coordinates *c, int k, int64_t cell,
                                 const int64_t point[])
{
  const sal_sweep *s = c->sweep;
  const sal_surrogate_coordinate *at = &c->at[k];

  return sal_surrogate_coordinate_of(
      at, cell >= s->n_grid ? sal_axis_value(&s->scattered.point, cell - s->n_grid, at->scattered_c)
                            : sal_axis_value(&s->axis[at->axis], point[at->axis], at->c));
}

static void find_coordinates(const sal_surrogate_coordinates *c, int64_t cell,
                             const int64_t point[], double z[])
{
  const int recent = c->recent && cell < c->sweep->n_grid ? c->recent->axis : -1;

  if (c->kept) {
    memcpy(z, &c->kept[cell * c->n], (size_t)c->n * sizeof *z);
    return;
  }
  if (recent >= 0) sal_surrogate_coordinates_point(c, recent, point[recent], &z[c->first[recent]]);
  for (int k = 0; k < c->n; ++k)
    if (c->at[k].axis != recent) z[k] = coordinate_of_cell(c, k, cell, point);
}

void sal_surrogate_place_of_cell(const sal_surrogate_coordinates *c, int64_t cell,
                                 sal_surrogate_place *p)
{
  const sal_sweep *s = c->sweep;
  const bool scattered = cell >= s->n_grid;
  int64_t point[SAL_MAX_AXIS];

  for (int a = 0; a < s->n_axis; ++a) {
    point[a] = scattered ? 0 : cell / c->stride[a] % s->axis[a].n_point;
    p->word[a] = c->words[a].of && !scattered ? c->words[a].of[point[a]] : 0;
  }
  if (scattered) words_of_scattered(c, cell - s->n_grid, p->word);
  find_coordinates(c, cell, point, p->z);
  p->sample = sample_of(c, p->word);
}

/* Caches points of the first sequence; the values of grids and rows are in memory. */
static sal_err keep_recent(sal_surrogate_coordinates *c)
{
  int a = 0;

  while (a < c->sweep->n_axis && !sal_axis_is_smooth_sequence(&c->sweep->axis[a])) ++a;
  if (a == c->sweep->n_axis) return SAL_OK;
  const size_t n = (size_t)(c->first[a + 1] - c->first[a]), room = (size_t)1 << RECENT_BITS;
  sal_recent_points *r = sal_alloc(1, sizeof *r);
  if (!r) return fail_memory();
  *r = (sal_recent_points){.axis = a,
                           .point = sal_alloc(room, sizeof *r->point),
                           .z = sal_alloc(room * n, sizeof *r->z)};
  if (!r->point || !r->z) {
    free_recent(r);
    return fail_memory();
  }
  c->recent = r;
  return SAL_OK;
}

sal_err sal_surrogate_coordinates_keep(sal_surrogate_coordinates *c)
{
  const int64_t n_cell = c->sweep->n_cell;
  sal_surrogate_place place;

  if (c->kept || c->recent || c->n == 0) return SAL_OK;
  if (n_cell > MOST_KEPT / c->n) return keep_recent(c);
  SAL_OWN double *kept = sal_alloc((size_t)(n_cell * c->n), sizeof *kept);
  if (!kept) return fail_memory();
  for (int64_t cell = 0; cell < n_cell; ++cell) {
    sal_surrogate_place_of_cell(c, cell, &place);
    memcpy(&kept[cell * c->n], place.z, (size_t)c->n * sizeof *kept);
  }
  c->kept = kept;
  kept = NULL;
  return SAL_OK;
}

static void note_outside(const sal_axis *axis, int k, double x, sal_surrogate_outside *out)
{
  double lo, hi;

  column_ends(axis, k, &lo, &hi);
  const double slack = 4 * DBL_EPSILON * fmax(fabs(lo), fabs(hi));
  if (x >= lo - slack && x <= hi + slack) return;
  out->lo[out->n] = lo;
  out->hi[out->n] = hi;
  out->column[out->n++] = axis->column[k];
}

static sal_err fail_words(const sal_model *m, const sal_axis *axis, const double value[])
{
  SAL_OWN_BY(sal_text_free) sal_text text = {0};
  const char *next = "";

  for (int k = 0; k < axis->n_column; ++k) {
    const int column = axis->column[k];
    if (!sal_parameter_column_is_discrete(m, column)) continue;
    add_word(m, column, value[column], next, &text);
    next = ", ";
  }
  return sal_fail(SAL_ERR_INPUT, "%s is not in the map", text.string ? text.string : "");
}

/* The class of the point on an axis, whose words it has all. */
static sal_err find_word(const sal_surrogate_coordinates *c, int a, const double value[], int *word)
{
  const sal_axis *axis = &c->sweep->axis[a];
  const sal_word_classes *words = &c->words[a];

  *word = 0;
  if (!words->of) return SAL_OK;
  for (; *word < words->n; ++*word) {
    bool same = true;
    for (int k = 0; k < axis->n_column; ++k)
      same = same && (!sal_parameter_column_is_discrete(c->sweep->model, axis->column[k]) ||
                      sal_axis_value(axis, words->first[*word], k) == value[axis->column[k]]);
    if (same) return SAL_OK;
  }
  return fail_words(c->sweep->model, axis, value);
}

sal_err sal_surrogate_place_of_point(const sal_surrogate_coordinates *c, const double value[],
                                     sal_surrogate_place *p, sal_surrogate_outside *outside)
{
  const sal_sweep *s = c->sweep;

  outside->n = 0;
  for (int a = 0; a < s->n_axis; ++a) {
    SAL_TRY(find_word(c, a, value, &p->word[a]));
    for (int k = 0; k < s->axis[a].n_column; ++k)
      if (!sal_parameter_column_is_discrete(s->model, s->axis[a].column[k]))
        note_outside(&s->axis[a], k, value[s->axis[a].column[k]], outside);
  }
  p->sample = sample_of(c, p->word);
  for (int k = 0; k < c->n; ++k) {
    const sal_surrogate_coordinate *at = &c->at[k];
    const double z = at->by_log && !(value[at->column] > 0)
                         ? 0
                         : sal_surrogate_coordinate_of(at, value[at->column]);
    p->z[k] = fmin(fmax(z, 0), 1);
  }
  return SAL_OK;
}
