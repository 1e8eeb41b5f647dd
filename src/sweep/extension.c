/** More points of a sequence, or Sobol's points between those of a grid. */
#include "extension.h"
#include "base.h"
#include "document_edit.h"
#include "parameter_column.h"
#include "scalar_math.h"

static const double same_place = 1e-9; /* of the range of an axis */

static bool goes_on(const sal_axis *axis)
{
  return axis->kind == SAL_AXIS_SOBOL || axis->kind == SAL_AXIS_RANDOM;
}

static sal_err more_points(const sal_sweep *s, int64_t wanted, sal_document *document,
                           int64_t *added)
{
  const int64_t now = s->axis[0].n_point, each = s->n_cell / now;
  const int axes = sal_document_find(document, "cells.axes");

  *added = wanted / each * each;
  if (*added == 0)
    return sal_fail(SAL_ERR_INPUT,
                    "%s: the other axes have %lld cells for each point of the first; allowed: to "
                    "add %lld or more",
                    s->path, (long long)each, (long long)each);
  return sal_document_put_whole(document, sal_document_item(document, axes, 0), "points",
                                now + wanted / each);
}

/* The axes of a grid, and points of the box of those that are divided. */
typedef struct {
  const sal_sweep *sweep;
  sal_axis box;            /* of kind sobol; a column for each axis that is divided */
  int place[SAL_MAX_AXIS]; /* of an axis in the box; -1: its values come in turn */
  bool by_log[SAL_MAX_AXIS];
  double lo[SAL_MAX_AXIS], hi[SAL_MAX_AXIS];
  int64_t n;      /* cells chosen */
  double *value;  /* [n][n_axis] */
  int64_t *next;  /* [n] the cell chosen before in the same bucket; -1: none */
  int64_t *first; /* [n_bucket] the last one chosen */
  int64_t n_bucket;
} grid_box;

static grid_box box_of(const sal_sweep *s)
{
  grid_box g = {.sweep = s, .box = {.kind = SAL_AXIS_SOBOL}};

  for (int a = 0; a < s->n_axis; ++a) {
    const sal_axis *axis = &s->axis[a];
    sal_axis_ends(axis, 0, &g.lo[a], &g.hi[a]);
    g.by_log[a] = sal_axis_column_by_log(axis, 0);
    g.place[a] = -1;
    if (sal_parameter_column_is_discrete(s->model, axis->column[0]) || g.lo[a] == g.hi[a]) continue;
    const int c = g.place[a] = g.box.n_column++;
    g.box.column[c] = axis->column[0];
    g.box.lo[c] = g.lo[a];
    g.box.hi[c] = g.hi[a];
    g.box.whole[c] = axis->whole[0];
    g.box.log[c] = g.by_log[a];
  }
  return g;
}

/* The values of point i of the box, and of the other axes in turn. */
static void values_of_point(const grid_box *g, int64_t i, double value[])
{
  int64_t turn = i;

  for (int a = 0; a < g->sweep->n_axis; ++a) {
    const sal_axis *axis = &g->sweep->axis[a];
    if (g->place[a] >= 0) {
      value[a] = sal_axis_value(&g->box, i, g->place[a]);
      continue;
    }
    value[a] = sal_axis_value(axis, turn % axis->n_point, 0);
    turn /= axis->n_point;
  }
}

static bool is_same(const grid_box *g, int a, double x, double y)
{
  if (g->by_log[a] && x > 0 && y > 0)
    return fabs(sal_scalar_log(x / y)) <= same_place * sal_scalar_log(g->hi[a] / g->lo[a]);
  return fabs(x - y) <= same_place * (g->hi[a] - g->lo[a]);
}

static bool is_on_grid(const grid_box *g, const double value[])
{
  for (int a = 0; a < g->sweep->n_axis; ++a) {
    const sal_axis *axis = &g->sweep->axis[a];
    int64_t i = 0;
    while (i < axis->n_point && !is_same(g, a, value[a], sal_axis_value(axis, i, 0))) ++i;
    if (i == axis->n_point) return false;
  }
  return true;
}

/* By how far it lies along all axes: what is the same but for rounding has the same number, or one
 * beside it. */
static int64_t bucket_of(const grid_box *g, const double value[])
{
  double sum = 0;

  for (int a = 0; a < g->sweep->n_axis; ++a)
    if (g->hi[a] > g->lo[a])
      sum += (a + 1) * (g->by_log[a] ? sal_scalar_log(value[a] / g->lo[a]) /
                                           sal_scalar_log(g->hi[a] / g->lo[a])
                                     : (value[a] - g->lo[a]) / (g->hi[a] - g->lo[a]));
  const double most = g->sweep->n_axis * (g->sweep->n_axis + 1) / 2.0;
  return 1 + (int64_t)(sum / most * (double)(g->n_bucket - 3));
}

static bool is_chosen(const grid_box *g, const double value[])
{
  const int n = g->sweep->n_axis;
  const int64_t b = bucket_of(g, value);

  for (int64_t k = b - 1; k <= b + 1; ++k)
    for (int64_t i = g->first[k]; i >= 0; i = g->next[i]) {
      int a = 0;
      while (a < n && is_same(g, a, value[a], g->value[i * n + a])) ++a;
      if (a == n) return true;
    }
  return false;
}

static void choose(grid_box *g, const double value[])
{
  const int64_t b = bucket_of(g, value);

  for (int a = 0; a < g->sweep->n_axis; ++a) g->value[g->n * g->sweep->n_axis + a] = value[a];
  g->next[g->n] = g->first[b];
  g->first[b] = g->n++;
}

/* Do the parameters make sense together? */
static bool suits_model(const sal_sweep *s, const double value[])
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  if (!s->model->flaw) return true;
  sal_sweep_cell(s, 0, param, initial);
  for (int a = 0; a < s->n_axis; ++a)
    if (s->axis[a].column[0] < s->model->n_param + s->model->n_option)
      param[s->axis[a].column[0]] = value[a];
  return !s->model->flaw(s->model->inner, param);
}

static void choose_scattered(grid_box *g)
{
  const sal_scattered *there = &g->sweep->scattered;
  double value[SAL_MAX_AXIS];

  for (int64_t i = 0; i < there->point.n_point; ++i) {
    for (int a = 0; a < g->sweep->n_axis; ++a)
      value[a] = sal_axis_value(&there->point, i, sal_scattered_column(there, &g->sweep->axis[a]));
    choose(g, value);
  }
}

/* Chooses the scattered cells that are there, and up to `most` with the first points of the box; false for lack
 * of memory. */
static bool choose_points(grid_box *g, int64_t n_point, int64_t most)
{
  double value[SAL_MAX_AXIS];

  g->n = 0;
  g->box.n_point = n_point;
  sal_free(g->box.value);
  for (int64_t b = 0; b < g->n_bucket; ++b) g->first[b] = -1;
  if (!sal_axis_fill(&g->box)) return false;
  choose_scattered(g);
  for (int64_t i = 0; i < n_point && g->n < most; ++i) {
    values_of_point(g, i, value);
    if (suits_model(g->sweep, value) && !is_on_grid(g, value) && !is_chosen(g, value))
      choose(g, value);
  }
  return true;
}

/* As many points are looked at as that takes, up to a number at which whole numbers and options are
 * taken to leave no more. */
static bool choose_cells(grid_box *g, int64_t most)
{
  const int64_t last = 64 * most + 65536;

  g->n_bucket = most + 3;
  g->value = sal_alloc((size_t)(most * g->sweep->n_axis), sizeof *g->value);
  g->next = sal_alloc((size_t)most, sizeof *g->next);
  g->first = sal_alloc((size_t)g->n_bucket, sizeof *g->first);
  bool ok = g->value && g->next && g->first;
  int64_t n = most + most / 4 + 64;
  for (ok = ok && choose_points(g, n, most); ok && g->n < most && n < last;
       ok = choose_points(g, n, most))
    n *= 2;
  return ok;
}

static void free_box(grid_box *g) { sal_free_all(g->box.value, g->value, g->next, g->first); }

/* All scattered cells as an override. */
static char *scattered_text(const grid_box *g)
{
  const sal_sweep *s = g->sweep;
  sal_text text = {0};
  char number[SAL_TEXT_NUMBER];

  sal_text_add(&text, "cells.scattered=\n  columns: [");
  for (int a = 0; a < s->n_axis; ++a)
    sal_text_add(&text, "%s%s", a ? ", " : "",
                 sal_parameter_column_name(s->model, s->axis[a].column[0]));
  sal_text_add(&text, "]\n  rows:\n");
  for (int64_t i = 0; i < g->n; ++i)
    for (int a = 0; a < s->n_axis; ++a) {
      sal_text_add(&text, "%s%s", a ? ", " : "    - [",
                   sal_parameter_column_text(s->model, s->axis[a].column[0],
                                             g->value[i * s->n_axis + a], 17, number));
      if (a == s->n_axis - 1) sal_text_add(&text, "]\n");
    }
  return sal_text_take(&text);
}

static sal_err put_cells(const grid_box *g, sal_document *document)
{
  SAL_OWN char *set = scattered_text(g);

  if (!set) return sal_fail(SAL_ERR_MEMORY, "no memory for a sweep");
  const sal_err err = sal_document_override(document, 1, (const char *const[]){set});
  document->set = NULL;
  return err;
}

static sal_err more_scattered(const sal_sweep *s, int64_t wanted, sal_document *document,
                              int64_t *added)
{
  grid_box g = box_of(s);
  const int64_t old = s->scattered.point.n_point;
  sal_err err = SAL_OK;

  if (g.box.n_column == 0)
    return sal_fail(
        SAL_ERR_INPUT,
        "%s: has no axis of numbers with two points or more; nothing lies between its cells",
        s->path);
  if (!choose_cells(&g, old + wanted)) err = sal_fail(SAL_ERR_MEMORY, "no memory for cells");
  *added = g.n - old;
  if (err == SAL_OK && *added == 0)
    err = sal_fail(SAL_ERR_INPUT, "%s: all that lies between its cells is there already", s->path);
  if (err == SAL_OK) err = put_cells(&g, document);
  free_box(&g);
  return err;
}

static sal_err check_axes(const sal_sweep *s)
{
  for (int a = 0; a < s->n_axis; ++a) {
    const sal_axis *axis = &s->axis[a];
    if (a > 0 && goes_on(axis))
      return sal_fail(SAL_ERR_INPUT,
                      "%s: its axis of %s points is entry %d; allowed: the first, so that the "
                      "cells that are there keep their numbers",
                      s->path, sal_axis_kind_name(axis->kind), a + 1);
    if (sal_axis_joint(axis))
      return sal_fail(SAL_ERR_INPUT,
                      "%s: one of its axes is %s, whose points have no neighbours; allowed: "
                      "linear, log, list, or sobol or random first",
                      s->path, sal_axis_kind_name(axis->kind));
  }
  return SAL_OK;
}

sal_err sal_extension_text(const sal_sweep *s, int64_t wanted, char **text, int64_t *added)
{
  const bool points = s->n_axis > 0 && goes_on(&s->axis[0]);
  SAL_OWN_BY(sal_document_free) sal_document document = {.path = s->path};

  *text = NULL;
  *added = 0;
  if (!points) SAL_TRY(check_axes(s));
  SAL_TRY(sal_document_parse(s->path, s->text, &document));
  SAL_TRY((points ? more_points : more_scattered)(s, wanted, &document, added));
  *text = sal_document_emit(&document);
  return *text ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a sweep");
}
