/** Models of a text for the counts of members that cells have. */
#include "array.h"
#include "base.h"
#include "design.h"
#include "sweep.h"
#include "validate.h"
#include "value.h"

enum { MOST = 64 }; /* variants */

/* The largest of the numbers of a node, a list's in all it has; `most` where it has none. */
static double largest(const sal_document *d, int node, double most)
{
  const char *text = sal_document_text(d, node);
  double value;

  if (text) return sal_value_read(text, &value) ? fmax(most, value) : most;
  for (int i = 0; i < sal_document_count(d, node); ++i)
    most = largest(d, sal_document_item(d, node, i), most);
  return most;
}

/* The largest value of a count in cells, a table or an axis. */
static double largest_of_axis(const sal_document *d, int node, const char *name, double most)
{
  static const char *const kinds[] = {"linear", "log", "list"};
  const char *own = sal_document_text(d, sal_document_child(d, node, "name"));
  const int columns = sal_document_child(d, node, "columns"),
            rows = sal_document_child(d, node, "rows");

  for (int i = 0; i < 3 && own && strcmp(own, name) == 0; ++i)
    most = largest(d, sal_document_child(d, node, kinds[i]), most);
  for (int c = 0; c < sal_document_count(d, columns); ++c) {
    const char *column = sal_document_text(d, sal_document_item(d, columns, c));
    if (!column || strcmp(column, name) != 0) continue;
    for (int i = 0; i < sal_document_count(d, rows); ++i)
      most = largest(d, sal_document_item(d, sal_document_item(d, rows, i), c), most);
    for (int k = 0; k < 2; ++k) { /* boxes of draws: a pair for each column */
      const int box = sal_document_child(d, node, k ? "sobol" : "random");
      most = largest(d, sal_document_item(d, box, c), most);
    }
  }
  return most;
}

sal_err sal_variants_count(const sal_document *d, bool named, sal_provided **source)
{
  const sal_model *m = (*source)->model;
  const int fixed = sal_document_find(d, "parameters"), cells = sal_document_find(d, "cells"),
            axes = sal_document_child(d, cells, "axes");
  double count[SAL_MAX_PARAM], most_of_file[SAL_MAX_PARAM];
  sal_provided *counted;
  bool differ = false;

  SAL_TRY(sal_design_counts(d, named, m, most_of_file));
  for (int i = 0; i < m->n_count; ++i) {
    const char *name = m->param[i].name;
    double most = largest(d, sal_document_child(d, fixed, name), -INFINITY);
    most = largest_of_axis(d, cells, name, most);
    most = fmax(most, most_of_file[i]);
    most = largest_of_axis(d, sal_document_child(d, cells, "scattered"), name, most);
    for (int a = 0; a < sal_document_count(d, axes); ++a)
      most = largest_of_axis(d, sal_document_item(d, axes, a), name, most);
    count[i] = most > 0 ? most : m->param[i].preset;
    differ |= count[i] != m->param[i].preset;
  }
  if (!differ) return SAL_OK;
  SAL_TRY(sal_provided_counted(*source, sal_document_text(d, sal_document_find(d, "model")), count,
                               &counted));
  sal_provided_free(*source);
  *source = counted;
  return SAL_OK;
}

/* The variant of these parameters; -1: the sweep's model, -2: there is none yet. */
static int find_variant(const sal_sweep *s, const double param[])
{
  for (int v = -1; v < s->n_variant; ++v) {
    const sal_model *m = v < 0 ? s->model : s->variant[v].source->model;
    int i = 0;
    while (i < m->n_count && param[i] == m->param[i].preset) ++i;
    if (i == m->n_count) return v;
  }
  return -2;
}

static sal_err add_variant(const sal_document *d, sal_sweep *s, const double param[])
{
  const sal_model *base = s->model;
  sal_sweep_variant *v = &s->variant[s->n_variant];

  if (s->n_variant == MOST)
    return sal_document_fail(d, sal_document_find(d, "cells"), "more than %d counts of members",
                             MOST);
  SAL_TRY(sal_provided_counted(s->source, base->name, param, &v->source));
  ++s->n_variant;
  const sal_model *m = v->source->model;
  v->initial = sal_alloc((size_t)m->n_state, sizeof *v->initial);
  v->state = sal_alloc((size_t)base->n_state, sizeof *v->state);
  if (!v->initial || !v->state) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", d->path);
  if (m->n_state > base->n_state || m->n_guard > base->n_guard)
    return sal_document_fail(d, sal_document_find(d, "cells"),
                             "%s = %g: its model is larger than that of the largest count that "
                             "the sweep names",
                             m->param[0].name, m->param[0].preset);
  for (int i = 0; i < m->n_state; ++i) v->initial[i] = m->state[i].preset;
  for (int k = 0; k < base->n_state; ++k) {
    int i = 0;
    while (i < m->n_state && strcmp(m->state[i].name, base->state[k].name) != 0) ++i;
    v->state[k] = i < m->n_state ? i : -1;
    if (i < m->n_state && s->initial[k] != base->state[k].preset) v->initial[i] = s->initial[k];
  }
  return SAL_OK;
}

/* Their files are of one model's states. */
static bool has_recorded(const sal_sweep *s)
{
  for (int i = 0; i < s->n_method; ++i)
    if (s->method[i]->engine && strcmp(s->method[i]->engine->library, "recorded") == 0) return true;
  return false;
}

sal_err sal_variants_check(const sal_document *d, const sal_sweep *s)
{
  const char *key = s->stored.n_cell > 0                       ? "store.trajectories"
                    : sal_sweep_asks(s, SAL_GROUP_EQUILIBRIUM) ? "orbit"
                    : s->measured                              ? "measure"
                    : s->scaled                                ? "scale"
                    : has_recorded(s)                          ? "library recorded"
                                                               : NULL;
  const int node = key ? sal_document_find(d, key) : 0;

  if (!key || s->n_variant == 0) return SAL_OK;
  return sal_document_fail(d, node ? node : 1,
                           "%s: it needs the same states in all cells, and %s varies", key,
                           s->model->param[0].name);
}

static bool has_counts(const sal_sweep *s, const sal_axis *axis)
{
  for (int c = 0; c < axis->n_column; ++c)
    if (axis->column[c] < s->model->n_count) return true;
  return false;
}

/* The next cell of the grid with another point of the axes of counts; n_grid: there is none. */
static int64_t next_of_counts(const sal_sweep *s, int64_t cell)
{
  int64_t each = 1; /* cells from a point of the axis to the next */

  for (int a = s->n_axis - 1; a >= 0; each *= s->axis[a--].n_point) {
    const int64_t n = s->axis[a].n_point, point = cell / each % n;
    if (!has_counts(s, &s->axis[a])) continue;
    if (point + 1 < n) return cell + each;
    cell -= point * each;
  }
  return s->n_grid;
}

/* A member that the cell's model has not is varied. */
static sal_err check_members(const sal_document *d, const sal_sweep *s, int variant,
                             const double initial[])
{
  const sal_model *m = s->model, *own = s->variant[variant].source->model;
  const int n_param = m->n_param + m->n_option;

  for (int a = 0; a < s->n_axis; ++a)
    for (int c = 0; c < s->axis[a].n_column; ++c) {
      const int i = s->axis[a].column[c] - n_param;
      if (i < 0 || s->variant[variant].state[i] >= 0) continue;
      if (has_counts(s, &s->axis[a]) && initial[i] == m->state[i].preset) continue;
      return sal_document_fail(d, sal_document_find(d, "cells"),
                               "%s = %.10g in a cell of %s = %g, whose model has no such state; "
                               "allowed there, in a table: %.10g, its preset",
                               m->state[i].name, initial[i], own->param[0].name,
                               own->param[0].preset, m->state[i].preset);
    }
  return SAL_OK;
}

sal_err sal_variants_make(const sal_document *d, sal_sweep *s)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  bool varies = false;

  for (int a = 0; a < s->n_axis; ++a) varies |= has_counts(s, &s->axis[a]);
  if (!varies) return SAL_OK;
  s->variant = sal_alloc(MOST, sizeof *s->variant);
  if (!s->variant) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", d->path);
  for (int64_t cell = 0; cell < s->n_cell;
       cell = cell < s->n_grid ? next_of_counts(s, cell) : cell + 1) {
    sal_sweep_cell(s, cell, param, initial);
    if (find_variant(s, param) == -2) SAL_TRY(add_variant(d, s, param));
    const int v = find_variant(s, param);
    if (v >= 0) SAL_TRY(check_members(d, s, v, initial));
  }
  return SAL_OK;
}

const char *sal_variants_flaw(const sal_sweep *s, const double param[])
{
  const sal_model *m = s->model;

  if (s->n_variant == 0) return sal_model_flaw(m, param);
  return m->flaw ? m->flaw(m->inner, param) : NULL;
}

static int variant_of(const sal_sweep *s, int64_t cell)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  sal_sweep_cell(s, cell, param, initial);
  return find_variant(s, param);
}

const sal_sweep *sal_variants_at(const sal_sweep *s, int64_t cell, sal_sweep *room)
{
  const int k = s->n_variant > 0 ? variant_of(s, cell) : -1;

  if (k < 0) return s;
  const sal_sweep_variant *v = &s->variant[k];
  *room = *s;
  room->source = v->source;
  room->model = v->source->model;
  room->state_of = v->state;
  room->n_guard = v->source->model->n_guard;
  room->n_variant = 0;
  memcpy(room->initial, v->initial, (size_t)room->model->n_state * sizeof *v->initial);
  return room;
}

int64_t sal_variants_alike(const sal_sweep *s, int64_t first, int64_t most)
{
  int64_t n = 1;

  if (s->n_variant == 0) return most;
  const int v = variant_of(s, first);
  while (n < most && variant_of(s, first + n) == v) ++n;
  return n;
}

sal_err sal_variants_split(const sal_sweep *sweep, sal_tile **run, int64_t *n)
{
  sal_tile *out = NULL;
  int64_t room = 0, m = 0;

  if (sweep->n_variant == 0) return SAL_OK;
  for (int64_t i = 0; i < *n; ++i)
    for (int64_t at = (*run)[i].first, end = at + (*run)[i].count; at < end;) {
      sal_tile *more = sal_array_grow(out, m, 1, &room, sizeof *out);
      if (!more) {
        sal_free(out);
        return sal_fail(SAL_ERR_MEMORY, "no memory for a list of cells");
      }
      out = more;
      out[m] = (sal_tile){at, sal_variants_alike(sweep, at, end - at)};
      at += out[m++].count;
    }
  sal_free(*run);
  *run = out;
  *n = m;
  return SAL_OK;
}
