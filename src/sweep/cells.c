/** Checks and texts that need all cells. */
#include "cells.h"
#include "base.h"
#include "parameter_column.h"

/* The most contacts among the points of an axis; `most` when it does not vary their number. */
static int most_guards(const sal_model *m, const sal_axis *axis, int most)
{
  for (int c = 0; c < axis->n_column; ++c) {
    if (m->counted_by != 1 + axis->column[c]) continue;
    most = 0;
    for (int64_t i = 0; i < axis->n_point; ++i) {
      const int n = (int)sal_axis_value(axis, i, c);
      if (n > most) most = n;
    }
  }
  return most;
}

int sal_cells_guards(const sal_sweep *sweep)
{
  int most = sal_model_guards(sweep->model, sweep->param);

  for (int a = 0; a < sweep->n_axis; ++a) most = most_guards(sweep->model, &sweep->axis[a], most);
  const int more = most_guards(sweep->model, &sweep->scattered.point, 0);
  return more > most ? more : most;
}

const char *sal_cells_stray(const sal_field *field, double value, char text[SAL_CELLS_TEXT])
{
  int n = 0;

  if (sal_field_lists(field, value)) return NULL;
  n = snprintf(text, SAL_CELLS_TEXT, "%.60s = %g; allowed:", field->name, value);
  for (int i = 0; i < field->n_listed && n < SAL_CELLS_TEXT; ++i)
    n += snprintf(text + n, (size_t)(SAL_CELLS_TEXT - n), "%s %g", i ? "," : "", field->listed[i]);
  return text;
}

static const char *find_stray(const sal_model *model, const double initial[], char text[])
{
  const char *stray = NULL;

  for (int i = sal_model_continuous(model); i < model->n_state && !stray; ++i)
    stray = sal_cells_stray(&model->state[i], initial[i], text);
  return stray;
}

/* Corners of a box of more columns would cost more than the cells of most sweeps. */
enum { MOST_COLUMNS = 12 };

/* The box of the points of some axes: their columns, and bounds that contain all of the points. */
typedef struct {
  int n, column[MOST_COLUMNS];
  double lo[MOST_COLUMNS], hi[MOST_COLUMNS];
} box;

/* False where the box would have too many columns. */
static bool widen_box(const sal_axis *axis, box *b)
{
  for (int c = 0; c < axis->n_column; ++c) {
    if (b->n == MOST_COLUMNS) return false;
    b->column[b->n] = axis->column[c];
    b->lo[b->n] = axis->lo[c];
    b->hi[b->n] = axis->hi[c];
    if (axis->value) sal_axis_ends(axis, c, &b->lo[b->n], &b->hi[b->n]);
    ++b->n;
  }
  return true;
}

/* Have all corners of the box neither a flaw nor a stray state?  False, too, where a state varies that takes single
 * values alone: what lies between two of them is not allowed. */
static bool corners_are_sound(const sal_sweep *sweep, const box *b)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  const sal_model *m = sweep->model;
  const int n_param = m->n_param + m->n_option;
  char text[SAL_CELLS_TEXT];
  bool sound = true;

  memcpy(param, sweep->param, (size_t)n_param * sizeof *param);
  memcpy(initial, sweep->initial, (size_t)m->n_state * sizeof *initial);
  for (int i = 0; i < b->n; ++i) sound = sound && b->column[i] < n_param + sal_model_continuous(m);
  for (unsigned corner = 0; corner < 1U << b->n && sound; ++corner) {
    for (int i = 0; i < b->n; ++i)
      if (b->column[i] < n_param) param[b->column[i]] = corner >> i & 1 ? b->hi[i] : b->lo[i];
    sound = !sal_model_flaw(m, param) && !find_stray(m, initial, text);
  }
  return sound;
}

/* No cell has a flaw where the parameters without one form a convex set and the corners of a box around all cells lie
 * in it: 10^8 cells need not be looked at. */
static bool box_is_sound(const sal_sweep *sweep)
{
  box grid = {.n = 0}, scattered = {.n = 0};

  if (!sweep->model->flaw || !sweep->model->flaw_is_convex) return false;
  for (int a = 0; a < sweep->n_axis; ++a)
    if (!widen_box(&sweep->axis[a], &grid)) return false;
  if (!corners_are_sound(sweep, &grid)) return false;
  if (sweep->scattered.point.n_point == 0) return true;
  return widen_box(&sweep->scattered.point, &scattered) && corners_are_sound(sweep, &scattered);
}

const char *sal_cells_flaw(const sal_sweep *sweep, int64_t *cell, char text[SAL_CELLS_TEXT])
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  const sal_model *m = sweep->model;
  const char *flaw = NULL;
  sal_sweep room;

  if ((!m->flaw && m->n_discrete == 0) || box_is_sound(sweep)) return NULL;
  for (*cell = 0; *cell < sweep->n_cell; ++*cell) {
    const sal_sweep *at = sal_variants_at(sweep, *cell, &room);
    sal_sweep_cell(at, *cell, param, initial);
    flaw = sal_model_flaw(at->model, param);
    if (!flaw) flaw = find_stray(at->model, initial, text);
    if (flaw) break;
  }
  return flaw;
}

const char *sal_cells_zone_flaw(const sal_sweep *sweep, int64_t *cell,
                                char text[SAL_COMPATIBILITY_TEXT])
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  const char *flaw = NULL;
  bool zoned = false;
  sal_sweep room;

  for (int s = 0; s < sweep->n_strategy; ++s) zoned = zoned || sweep->strategy[s]->zoned;
  for (*cell = 0; zoned && *cell < sweep->n_cell; ++*cell) {
    const sal_sweep *at = sal_variants_at(sweep, *cell, &room);
    sal_sweep_cell(at, *cell, param, initial);
    flaw = sal_compatibility_zone_flaw(at->model, param, initial, sweep->zone, sweep->zone_in_time,
                                       sweep->t_end, text);
    if (flaw || sweep->zone_in_time) break; /* time is the same in all cells */
  }
  return flaw;
}

void sal_cells_describe(const sal_sweep *sweep, int64_t cell, size_t size, char text[])
{
  const sal_model *m = sweep->model;
  double value[SAL_MAX_QUANTITY];
  char number[SAL_TEXT_NUMBER];
  size_t at = 0;

  sal_sweep_cell(sweep, cell, value, value + m->n_param + m->n_option);
  text[0] = '\0';
  for (int a = 0; a < sweep->n_axis; ++a)
    for (int c = 0; c < sweep->axis[a].n_column && at < size; ++c) {
      const int k = sweep->axis[a].column[c];
      at += (size_t)snprintf(text + at, size - at, "%s%s = %s", at ? ", " : "",
                             sal_parameter_column_name(m, k),
                             sal_parameter_column_text(m, k, value[k], 10, number));
    }
}
