/** The text of a sweep around a point. */
#include "base.h"
#include "extension.h"
#include "scalar_math.h"
#include "solver_home.h"
#include <ctype.h>

static const struct haste {
  int decades, varied;         /* rtol less at the tight end; quantities that vary at most */
  bool one_strategy;           /* event alone, or what there is without contacts */
  const char *solvers, *stiff; /* where all of ours would run; NULL: all */
  double reference;            /* its tolerance, as a share of the error; 0: as it is */
  double share;
} hastes[SAL_AROUND_HASTES] = {
    {.varied = SAL_MAX_QUANTITY, .share = 1},
    {.decades = 2, .varied = SAL_MAX_QUANTITY, .share = 0.6},
    {.decades = 2, .varied = 3, .one_strategy = true, .reference = 1e-5, .share = 0.2},
    {.decades = 2,
     .varied = 1,
     .one_strategy = true,
     .solvers = "ode45, dop853, ode113, radau5",
     .stiff = "ode15s, ode23tb, radau5, rosnys4",
     .reference = 1e-5,
     .share = 0.06}};

double sal_around_share(int haste) { return hastes[haste].share; }

/** One of the quantities of a model: parameters, then continuous states. */
typedef struct {
  const sal_field *field;
  double value;
} quantity;

static int count(const sal_model *m) { return m->n_param + sal_model_continuous(m); }

static quantity quantity_at(const sal_around *a, int i)
{
  const sal_model *m = a->model;
  const int state = i - m->n_param;

  return i < m->n_param ? (quantity){&m->param[i], a->param[i]}
                        : (quantity){&m->state[state], a->initial[state]};
}

static bool has_ranges(const sal_model *m)
{
  for (int i = 0; i < m->n_param; ++i)
    if (m->param[i].lo < m->param[i].hi) return true;
  return false;
}

/* The box in one direction; false where there is none. */
static bool room_of(const sal_around *a, int i, double *lo, double *hi)
{
  const quantity q = quantity_at(a, i);
  const sal_field *f = q.field;
  const double half = a->share * (q.value != 0 ? fabs(q.value) : f->hi - f->lo);

  if (f->whole || (i + 1 == a->model->counted_by) || f->lo == f->hi) {
    if (f->whole || i + 1 == a->model->counted_by || has_ranges(a->model)) return false;
  }
  *lo = fmax(q.value - half, f->least);
  *hi = fmin(q.value + half, f->most);
  return *lo < *hi;
}

/* How many of the first quantities have room. */
static int rooms(const sal_around *a, int first)
{
  double lo, hi;
  int n = 0;

  for (int i = 0; i < first; ++i) n += room_of(a, i, &lo, &hi);
  return n;
}

/* The least effect of a quantity that varies, as a share of the largest. */
static const double least_effect = 0.1;

/* Does the quantity vary that is the place-th of those with room? */
static bool is_chosen(const sal_around *a, int place)
{
  const int most = hastes[a->haste].varied;
  double largest = 0;
  int above = 0;

  if (a->along_axes) return true;
  if (!a->effect) return place < most;
  for (int c = rooms(a, count(a->model)) - 1; c >= 0; --c) {
    above += a->effect[c] > a->effect[place] || (a->effect[c] == a->effect[place] && c < place);
    largest = fmax(largest, a->effect[c]);
  }
  return above < (most < SAL_AROUND_JOINT ? most : SAL_AROUND_JOINT) &&
         a->effect[place] >= least_effect * largest;
}

/* The box of those that vary. */
static bool range_of(const sal_around *a, int i, double *lo, double *hi)
{
  return room_of(a, i, lo, hi) && is_chosen(a, rooms(a, i));
}

int sal_around_varies(const sal_around *around)
{
  double lo, hi;
  int n = 0;

  for (int i = 0; i < count(around->model); ++i) n += range_of(around, i, &lo, &hi);
  return n;
}

int64_t sal_around_fewest(const sal_around *around)
{
  const int n = sal_around_varies(around);

  return around->haste > 0 ? 12 + 3 * n : 24 + 4 * n;
}

int64_t sal_around_usable(const sal_around *around)
{
  return (int64_t)3 * (sal_around_varies(around) + 1);
}

int sal_around_fitting(const sal_around *around, int least, double whole, double left)
{
  sal_around less = *around;

  for (less.haste = least; less.haste < SAL_AROUND_LAST; ++less.haste)
    if (whole * hastes[less.haste].share * (double)sal_around_fewest(&less) <= left) break;
  return less.haste;
}

/* In quotes, as YAML has them. */
static void put_quoted(sal_text *out, const char *text)
{
  sal_text_add(out, "\"");
  for (; *text; ++text)
    sal_text_add(out,
                 iscntrl((unsigned char)*text)   ? "\\x%02x"
                 : *text == '"' || *text == '\\' ? "\\%c"
                                                 : "%c",
                 (unsigned char)*text);
  sal_text_add(out, "\"");
}

/* The point, and for each quantity the farther end of its range. */
static void put_along_axes(const sal_around *a, sal_text *out)
{
  double lo, hi;

  sal_text_add(out, "]\n      rows:\n");
  for (int row = -1; row < count(a->model); ++row) {
    const char *between = "        - [";
    if (row >= 0 && !range_of(a, row, &lo, &hi)) continue;
    for (int i = 0; i < count(a->model); ++i)
      if (range_of(a, i, &lo, &hi)) {
        const double value = quantity_at(a, i).value, end = hi - value < value - lo ? lo : hi;
        sal_text_add(out, "%s%.17g", between, i == row ? end : value);
        between = ", ";
      }
    sal_text_add(out, "]\n");
  }
}

static void put_box(const sal_around *a, sal_text *out)
{
  const char *between = "";
  double lo, hi;

  sal_text_add(out, "cells:\n  axes:\n    - columns: [");
  for (int i = 0; i < count(a->model); ++i)
    if (range_of(a, i, &lo, &hi)) {
      sal_text_add(out, "%s%s", between, quantity_at(a, i).field->name);
      between = ", ";
    }
  if (a->along_axes) {
    put_along_axes(a, out);
    return;
  }
  sal_text_add(out, "]\n      sobol: [");
  between = "";
  for (int i = 0; i < count(a->model); ++i)
    if (range_of(a, i, &lo, &hi)) {
      sal_text_add(out, "%s[%.17g, %.17g]", between, lo, hi);
      between = ", ";
    }
  sal_text_add(out, "]\n      points: %lld\n", (long long)a->points);
}

/* Writes the fixed values, from quantity `from` to `to`. */
static void put_fixed(const sal_around *a, const char *key, int from, int to, sal_text *out)
{
  const char *between = "";
  double lo, hi;

  sal_text_add(out, "%s: {", key);
  for (int i = from; i < to; ++i)
    if (!range_of(a, i, &lo, &hi)) {
      const quantity q = quantity_at(a, i);
      sal_text_add(out, "%s%s: %.17g", between, q.field->name, q.value);
      between = ", ";
    }
  if (from > 0) /* discrete states come last, and never vary */
    for (int i = sal_model_continuous(a->model); i < a->model->n_state; ++i) {
      if (a->model->state[i].follows) continue;
      sal_text_add(out, "%s%s: %.17g", between, a->model->state[i].name, a->initial[i]);
      between = ", ";
    }
  sal_text_add(out, "}\n");
}

static void put_options(const sal_around *a, sal_text *out)
{
  const sal_model *m = a->model;

  if (m->n_option == 0) return;
  sal_text_add(out, "options: {");
  for (int i = 0; i < m->n_option; ++i)
    sal_text_add(out, "%s%s: %s", i ? ", " : "", m->option[i].name,
                 m->option[i].choice[(int)a->param[m->n_param + i]]);
  sal_text_add(out, "}\n");
}

/* Names by commas. */
static void put_files(const char *list, sal_text *out)
{
  while (list && *list) {
    const size_t length = strcspn(list, ",");
    SAL_OWN_BY(sal_text_free) sal_text name = {0};
    sal_text_append(&name, list, length);
    sal_text_add(out, ", ");
    put_quoted(out, name.string ? name.string : "");
    list += length + (list[length] == ',');
  }
}

/* A solver of time stepping, for models with several rigid contacts; NULL: none, or its error would not converge. */
static const char *stepping_of(const sal_around *a)
{
  enum { CROWD = 3 };
  const sal_model *m = a->model;

  if (!m->motion || m->n_touch < CROWD || !m->velocity[m->watch]) return NULL;
  for (int i = 0; sal_method_names_at(i); ++i)
    if (sal_method_names_at(i)->captures) return sal_method_names_at(i)->name;
  return NULL;
}

static void put_strategies(const sal_around *a, const char *all, bool captures, sal_text *out)
{
  const char *one = a->model->n_guard > 0 ? "event" : "switch";

  sal_text_add(out, "]\nstrategies: [%s%s]\n", hastes[a->haste].one_strategy ? one : all,
               captures ? ", capture" : "");
}

static void put_configs(const sal_around *a, sal_text *out)
{
  const char *between = "", *few = a->stiff ? hastes[a->haste].stiff : hastes[a->haste].solvers;

  if (a->home < 0) {
    const char *stepping = stepping_of(a);
    sal_text_add(out, "solvers: [%s%s%s", few ? few : "all", stepping ? ", " : "",
                 stepping ? stepping : "");
    put_files(a->solvers, out);
    put_strategies(a, "switch, event, ess2", stepping != NULL, out);
    return;
  }
  sal_text_add(out, "solvers: [");
  for (int i = 0; sal_method_names_at(i); ++i)
    if (sal_solver_home_has(a->home, sal_method_names_at(i))) {
      sal_text_add(out, "%s%s", between, sal_method_names_at(i)->name);
      between = ", ";
    }
  put_strategies(a, "switch, event", false, out);
}

/* Decades of the tightest rtol: an error over its tolerance is the amplification times what a solver makes of it. */
static int tightest_of(const sal_around *a)
{
  const double beyond = 2, solver = 3, unknown = 4, least = 6, most = 12;
  const double asked = -sal_scalar_log10(a->error);
  const int less = hastes[a->haste].decades;
  const double grown =
      ceil(asked + solver + sal_scalar_log10(fmax(a->amplification, 1))); /* at most, if known */
  double decades = fmax(least, ceil(asked) + unknown) - less;

  if (a->amplification > 0) decades = fmax(least - less, grown);
  if (a->answer > 0) {
    decades = ceil(beyond - sal_scalar_log10(a->answer) - 1e-9);
    if (a->amplification > 0 && grown > decades) ++decades;
  }
  return (int)fmin(most, decades);
}

/* Decades, and quarters of them around the answer. */
static void put_tolerances(const sal_around *a, sal_text *out)
{
  const int last = 4 * tightest_of(a);
  const int beyond =
      a->amplification > 0 ? 8 : 4; /* the answer may lie at the end of a pilot's range */
  const double at = a->answer > 0 ? -4 * sal_scalar_log10(a->answer) : INFINITY;

  sal_text_add(out, "rtol: [1e-2");
  for (int q = 9; q <= last; ++q)
    if (q % 4 == 0)
      sal_text_add(out, ", 1e-%d", q / 4);
    else if (q > at - 4 && q < at + beyond)
      sal_text_add(out, ", %.17g", sal_scalar_pow(10, -q / 4.0));
  sal_text_add(out, "]\n");
}

sal_err sal_around_text(const sal_around *a, char **text)
{
  const sal_model *m = a->model;
  const struct haste *haste = &hastes[a->haste];
  sal_text out = {0};

  *text = NULL;
  if (a->home >= 0 && !sal_solver_home_baselines(a->home)[0])
    return sal_fail(SAL_ERR_USAGE,
                    "%s: it has time stepping alone, which no advice starts from; "
                    "allowed: a cube of both, and recommend --in %s",
                    sal_solver_homes[a->home], sal_solver_homes[a->home]);
  if (sal_around_varies(a) == 0)
    return sal_fail(SAL_ERR_INPUT, "model %s: nothing can vary around this point", m->name);
  sal_text_add(&out, "title: around a point\nmodel: ");
  put_quoted(&out, a->name);
  sal_text_add(&out, "\n");
  put_options(a, &out);
  put_box(a, &out);
  put_fixed(a, "parameters", 0, m->n_param, &out);
  put_fixed(a, "initial", m->n_param, count(m), &out);
  sal_text_add(&out, "t_end: %.17g\nmesh: %.17g\n", a->t_end, a->t_end / 1000);
  put_configs(a, &out);
  if (haste->reference > 0)
    sal_text_add(&out, "reference_tolerance: %.17g\n",
                 fmin(fmax(haste->reference * a->error, 1e-13), 1e-8));
  if (a->budget > 0) sal_text_add(&out, "budget: {work: %.17g}\n", a->budget);
  sal_text_add(&out, "unsupported: leave-out\nmax_attempts: %d\n", a->stiff ? 20000 : 50000);
  put_tolerances(a, &out);
  const char *baselines = sal_solver_home_baselines(a->home < 0 ? SAL_SOLVER_HOME_OURS : a->home);
  if (a->stiff) baselines = strrchr(baselines, ' ') + 1; /* the last one is implicit */
  sal_text_add(&out, "points: global\ncutoff: {baselines: [%s], error: %.17g, factor: 4}\n",
               baselines, a->error);
  *text = sal_text_take(&out);
  return *text ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a sweep");
}
