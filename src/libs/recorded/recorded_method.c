/** Methods made of files: finding the run, and replaying it. */
#include "recorded_method.h"
#include "base.h"
#include "plain_file.h"
#include "value.h"

/** Allocation of `make`: a method and everything it points to. */
typedef struct {
  sal_method method;
  sal_engine engine;
  sal_recorded_file *file;
  char *name, *type;
} recorded;

static const sal_recorded_file *file_of(const sal_setup *setup)
{
  return ((const recorded *)setup->method->engine->settings)->file;
}

/** The cells of a file as the model has them. */
typedef struct {
  const sal_recorded_file *file;
  int n_param, n_value; /* parameters and options; initial states after them */
  double *value;        /* [n_cell][n_value] */
} catalogue;

static bool find_option(const sal_option *option, const char *word, double *value)
{
  for (int c = 0; c < SAL_MAX_CHOICE && option->choice[c]; ++c)
    if (strcmp(option->choice[c], word) == 0) {
      *value = c;
      return true;
    }
  return false;
}

/* Puts a value where the model has its name. */
static bool place_value(const sal_model *m, const char *name, const char *text, double value[])
{
  for (int i = 0; i < m->n_param; ++i)
    if (strcmp(m->param[i].name, name) == 0) return sal_value_read(text, &value[i]);
  for (int i = 0; i < m->n_option; ++i)
    if (strcmp(m->option[i].name, name) == 0)
      return find_option(&m->option[i], text, &value[m->n_param + i]);
  for (int i = 0; i < m->n_state; ++i)
    if (strcmp(m->state[i].name, name) == 0)
      return sal_value_read(text, &value[m->n_param + m->n_option + i]);
  return false;
}

/* Values that a cell lacks are the model's presets.  The key that the model lacks, or whose value it cannot have; 0: none. */
static int read_cell(const sal_model *m, const sal_recorded_file *f, int cell, double value[])
{
  const sal_document *d = &f->head;
  const int mapping = sal_document_item(d, f->cells, cell);
  int n = 0;

  for (int i = 0; i < m->n_param; ++i) value[i] = m->param[i].preset;
  for (int i = 0; i < m->n_option; ++i) value[m->n_param + i] = 0;
  for (int i = 0; i < m->n_state; ++i) value[m->n_param + m->n_option + i] = m->state[i].preset;
  (void)!sal_value_pairs(d, mapping, "cells", &n); /* was read as a mapping */
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(d, mapping, i);
    const char *text = sal_document_text(d, pair->value);
    if (!text || !place_value(m, sal_document_text(d, pair->key), text, value)) return pair->key;
  }
  return 0;
}

/* The name of a state of the file, "nothing" after the last one. */
static const char *state_name(const sal_recorded_file *f, int i)
{
  const int node = sal_document_item(&f->head, f->states, i);

  return node ? sal_document_text(&f->head, node) : "nothing";
}

/* The first state, of either, that the other one has not at this place; -1: they have the same. */
static int find_other_state(const sal_recorded_file *f, const sal_model *m)
{
  int i = 0;

  while (i < f->n_state && i < m->n_state && strcmp(state_name(f, i), m->state[i].name) == 0) ++i;
  return i == f->n_state && i == m->n_state ? -1 : i;
}

/* Has it points wherever such a mesh needs them? */
static bool has_mesh(const sal_recorded_file *f, double t_end, int64_t n_mesh)
{
  return n_mesh == 0 || f->mesh == 0 || (f->t_end == t_end && f->mesh % n_mesh == 0);
}

const char *sal_recorded_flaw(const sal_setup *setup, int64_t n_mesh, char text[SAL_RECORDED_TEXT])
{
  const sal_recorded_file *f = file_of(setup);
  const sal_model *m = setup->model;
  double value[SAL_MAX_QUANTITY];
  char place[SAL_PLACE];
  const int other = find_other_state(f, m);
  const int size = SAL_RECORDED_TEXT;

  if (strcmp(f->model, m->name) != 0)
    snprintf(text, size, "%s: trajectories of model %s; expected: %s", f->path, f->model, m->name);
  else if (other >= 0)
    snprintf(text, size, "%s: state %d is %.60s; expected: %s, as in model %s",
             sal_document_place(&f->head, f->states, place), other + 1, state_name(f, other),
             other < m->n_state ? m->state[other].name : "nothing", m->name);
  else if (f->t_end < setup->t_end)
    snprintf(text, size, "%s: trajectories to t = %g; expected: to %g", f->path, f->t_end,
             setup->t_end);
  else if (!has_mesh(f, setup->t_end, n_mesh))
    snprintf(text, size,
             "%s: trajectories for a mesh of %lld intervals up to t = %g; expected: a multiple of "
             "%lld, up to %g",
             f->path, (long long)f->mesh, f->t_end, (long long)n_mesh, setup->t_end);
  else {
    for (int c = 0; c < f->n_cell; ++c) {
      const int key = read_cell(m, f, c, value);
      if (!key) continue;
      snprintf(text, size,
               "%s: cell %d has '%.60s', which model %s has not, or not with this value",
               sal_document_place(&f->head, key, place), c + 1, sal_document_text(&f->head, key),
               m->name);
      return text;
    }
    return NULL;
  }
  return text;
}

static void close_catalogue(void *own)
{
  catalogue *c = own;

  sal_free_all(c->value, c);
}

static void *open_catalogue(const sal_setup *setup, int n)
{
  const sal_recorded_file *f = file_of(setup);
  const sal_model *m = setup->model;
  char text[SAL_RECORDED_TEXT];
  catalogue *c = sal_alloc(1, sizeof *c);

  (void)n;
  if (!c || sal_recorded_flaw(setup, 0, text)) {
    sal_free(c);
    return NULL;
  }
  *c = (catalogue){f, m->n_param + m->n_option, m->n_param + m->n_option + m->n_state, NULL};
  c->value = sal_alloc((size_t)f->n_cell * (size_t)c->n_value, sizeof *c->value);
  if (!c->value) {
    close_catalogue(c);
    return NULL;
  }
  for (int i = 0; i < f->n_cell; ++i)
    (void)read_cell(m, f, i, c->value + (size_t)i * (size_t)c->n_value);
  return c;
}

static bool are_equal(const double a[], const double b[], int n)
{
  int i = 0;

  while (i < n && a[i] == b[i]) ++i;
  return i == n;
}

/* setup: its strategy and tolerances. */
static const sal_recorded_run *find_run(const catalogue *c, const sal_setup *setup,
                                        const double param[], const double initial[])
{
  const sal_recorded_file *f = c->file;
  sal_recorded_run key = {.strategy = setup->strategy->name, .tolerance = setup->rtol};

  for (int i = 0; i < f->n_cell && setup->atol == setup->rtol; ++i) {
    const double *cell = c->value + (size_t)i * (size_t)c->n_value;
    key.cell = i + 1;
    const sal_recorded_run *found =
        are_equal(cell, param, c->n_param) &&
                are_equal(cell + c->n_param, initial, c->n_value - c->n_param)
            ? bsearch(&key, f->run, (size_t)f->n_run, sizeof key, sal_recorded_compare)
            : NULL;
    if (found) return found;
  }
  return NULL;
}

bool sal_recorded_has(void *opened, const sal_setup *setup, const double param[],
                      const double initial[])
{
  return find_run(opened, setup, param, initial) != NULL;
}

/** One step: its points in order of time, the ends among them. */
typedef struct {
  sal_engine_run *run;
  int n, n_point;
  bool cubic, has_slopes;
  const double *point[SAL_RECORDED_POINTS]; /* t, y */
  double slope[2][SAL_MAX_STATE];
} step;

/* Values by the points of the step, a polynomial in Lagrange's form. */
static void through_points(const step *s, double t, double y[])
{
  for (int i = 0; i < s->n; ++i) y[i] = 0;
  for (int k = 0; k < s->n_point; ++k) {
    double weight = 1;
    for (int j = 0; j < s->n_point; ++j)
      if (j != k) weight *= (t - s->point[j][0]) / (s->point[k][0] - s->point[j][0]);
    for (int i = 0; i < s->n; ++i) y[i] += weight * s->point[k][1 + i];
  }
}

static void by_slopes(step *s, double t, double y[])
{
  const double *a = s->point[0], *b = s->point[1], h = b[0] - a[0], x = (t - a[0]) / h;

  if (!s->has_slopes) {
    sal_engine_slope(s->run, a[0], a + 1, s->slope[0]);
    sal_engine_slope(s->run, b[0], b + 1, s->slope[1]);
    s->has_slopes = true;
  }
  for (int i = 0; i < s->n; ++i) {
    const double rise = b[1 + i] - a[1 + i], left = h * s->slope[0][i], right = h * s->slope[1][i];
    y[i] =
        a[1 + i] + x * (left + x * ((3 * rise - 2 * left - right) + x * (left + right - 2 * rise)));
  }
}

static void value_at(void *with, double t, double y[])
{
  step *s = with;

  for (int k = 0; k < s->n_point; ++k)
    if (s->point[k][0] == t) {
      memcpy(y, s->point[k] + 1, (size_t)s->n * sizeof *y);
      return;
    }
  if (s->cubic)
    by_slopes(s, t, y);
  else
    through_points(s, t, y);
}

/* The mode in which the step was made: that of its middle. */
static void enter_step(step *s)
{
  const double *a = s->point[0], *b = s->point[s->n_point - 1];
  double middle[SAL_MAX_STATE];

  for (int i = 0; i < s->n; ++i) middle[i] = 0.5 * (a[1 + i] + b[1 + i]);
  sal_engine_read_mode(s->run, 0.5 * (a[0] + b[0]), middle);
}

/* Up to the end of the step or of the run; false when the run is over. */
static bool replay_step(step *s)
{
  sal_engine_run *run = s->run;
  const double *last = s->point[s->n_point - 1];
  double y[SAL_MAX_STATE];
  const double t = fmin(last[0], run->t_end);

  enter_step(s);
  value_at(s, t, y);
  return sal_engine_advance(run, t, y, value_at, s);
}

static void replay_rows(sal_engine_run *run, const sal_recorded_file *f, const sal_recorded_run *r)
{
  const int width = 1 + f->n_state;
  const double *row = f->row + r->first * width;
  step s = {.run = run, .n = run->n, .n_point = 1, .point = {row}};

  memcpy(run->y, row + 1, (size_t)f->n_state * sizeof *run->y);
  for (int64_t i = 1; i < r->n; ++i) {
    row += width;
    s.point[s.n_point++] = row;
    if (f->is_inside[r->first + i]) continue;
    if (row[0] == s.point[0][0]) { /* a jump; discrete states after the continuous ones */
      memcpy(run->y, row + 1, (size_t)f->n_state * sizeof *run->y);
    } else {
      s.cubic = s.n_point == 2 && !f->linear;
      s.has_slopes = false;
      if (!replay_step(&s)) return;
    }
    s.point[0] = row;
    s.n_point = 1;
  }
}

static void report(sal_engine_run *run, const sal_recorded_run *r)
{
  const sal_engine_counts counts = {r->failed,   r->rhs,  r->jacobians, r->events,
                                    r->restarts, r->gaps, r->seconds};

  run->steps = (int64_t)r->steps;
  run->failed = isnan(r->failed) ? 0 : (int64_t)r->failed;
  run->factorisations = (int64_t)r->factorisations;
  run->solves = (int64_t)r->solves;
  sal_engine_report(run, &counts);
}

static void fail(sal_engine_run *run, sal_outcome outcome, sal_library_reason reason)
{
  run->outcome = outcome;
  if (outcome == SAL_OUT_LIBRARY) run->reason = reason;
}

static void run_recorded(sal_engine_run *run, void *own)
{
  const catalogue *c = own;
  const sal_recorded_file *f = c->file;
  const sal_recorded_run *r = find_run(c, run->setup, run->job->param, run->job->initial);
  const int64_t n_mesh = run->job->score ? run->job->score->n_mesh : 0;

  if (!r || !has_mesh(f, run->setup->t_end, n_mesh)) {
    fail(run, SAL_OUT_LIBRARY, r ? SAL_LIBRARY_OTHER_MESH : SAL_LIBRARY_NOT_RECORDED);
    return;
  }
  replay_rows(run, f, r);
  report(run, r);
  if (run->outcome != SAL_OUT_DONE) return;
  if (r->outcome != SAL_OUT_DONE)
    fail(run, r->outcome, SAL_LIBRARY_RECORDED_FAILURE);
  else if (run->t < run->t_end)
    fail(run, SAL_OUT_LIBRARY, SAL_LIBRARY_NOT_RECORDED);
  else
    sal_engine_used_up(run);
}

static const char *format_version(void) { return "format 1"; }

void sal_recorded_drop(sal_method *method)
{
  if (!method) return;
  recorded *r = (recorded *)(void *)method;
  sal_recorded_free(r->file);
  sal_free_all(r->name, r->type, r);
}

/* "solve_ivp RK45 (SciPy 1.10.1)" */
static char *describe(const sal_recorded_file *f)
{
  sal_text text = {0};

  sal_text_add(&text, "%s", f->type ? f->type : "recorded");
  if (f->library) sal_text_add(&text, " (%s)", f->library);
  return sal_text_take(&text);
}

sal_err sal_recorded_method(const char *name, sal_recorded_file *file, sal_method **out)
{
  recorded *r = sal_alloc(1, sizeof *r);

  *out = NULL;
  if (!r) {
    sal_recorded_free(file);
    return sal_fail(SAL_ERR_MEMORY, "no memory for method %s", name);
  }
  r->file = file;
  r->name = sal_text_copy(name);
  r->type = describe(file);
  r->engine = (sal_engine){.library = "recorded",
                           .version = format_version,
                           .type = r->type,
                           .select = file->select,
                           .settings = r,
                           .replays = true,
                           .open = open_catalogue,
                           .run = run_recorded,
                           .close = close_catalogue};
  r->method = (sal_method){.name = r->name,
                           .title = r->type,
                           .source = file->path,
                           .order = file->order,
                           .min_order = file->order,
                           .mass = true,
                           .engine = &r->engine,
                           SAL_ENGINE_OPS};
  if (r->name && r->type) {
    *out = &r->method;
    return SAL_OK;
  }
  sal_recorded_drop(&r->method);
  return sal_fail(SAL_ERR_MEMORY, "no memory for method %s", name);
}

static const char mark[] = " checksum=";

/* The checksum that was noted counts for the other file, too. */
static char *elsewhere(const char *options, const char *file)
{
  const char *found = strstr(options, mark);
  sal_text text = {0};

  sal_text_add(&text, "%s%s", file, found ? found : "");
  return sal_text_take(&text);
}

/* "FILE", or "FILE checksum=0123456789abcdef", which the file must have. */
static sal_err make(const char *where, const char *name, const char *options, sal_method **out)
{
  const char *found = strstr(options, mark);
  char path[4096], is[17];
  SAL_OWN char *text = NULL;
  sal_recorded_file *file;

  *out = NULL;
  if (snprintf(path, sizeof path, "%.*s", (int)(found ? found - options : (long)strlen(options)),
               options) >= (int)sizeof path ||
      !path[0])
    return sal_fail(SAL_ERR_INPUT,
                    "%s: options of library recorded: '%.80s'; expected: a file's name", where,
                    options);
  SAL_TRY(sal_text_file_read(path, "a file of recorded trajectories", &text));
  snprintf(is, sizeof is, "%016llx", (unsigned long long)sal_recorded_checksum(text));
  if (found && strcmp(found + strlen(mark), is) != 0)
    return sal_fail(SAL_ERR_INPUT, "%s: %s has checksum %s; expected: %.40s, the file has changed",
                    where, path, is, found + strlen(mark));
  char *const taken = text; /* by the file, which frees it, after a failure, too */
  text = NULL;
  SAL_TRY(sal_recorded_parse(path, taken, &file));
  return sal_recorded_method(name, file, out);
}

static const sal_method *const none[] = {NULL};
const sal_provider sal_recorded_provider = {.gives = SAL_PROVIDES_LIBRARY,
                                            .name = "recorded",
                                            .methods = none,
                                            .make = make,
                                            .drop = sal_recorded_drop,
                                            .elsewhere = elsewhere};
