/** Return maps as batches of jobs of the kernels. */
#include "return_map.h"
#include "base.h"
#include "registry.h"
#include "stop.h"

static sal_err fail_no_memory(void)
{
  return sal_fail(SAL_ERR_MEMORY, "no memory for the runs of a return map");
}

static const sal_section *section_of(const sal_return_map *map) { return &map->model.section; }

static bool is_event_section(const sal_model *m) { return m->section.name && !m->section.period; }

/* Applies the section's jump to a point of general position, moved in state j. */
static void jump_beside(const sal_model *m, const double param[], int j, double y[])
{
  bool closed[SAL_MAX_GUARD] = {false};

  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset + 0.01 * sqrt(2.0 + i);
  if (j >= 0) y[j] += 0.01;
  closed[m->section.contact] = m->section.closes;
  sal_model_jump(m, param, m->section.contact, closed, 0, y);
}

/* States that the section's jump sets, whatever they were before: set [n_state]. */
static void find_set_states(const sal_model *m, bool set[])
{
  const int n = m->n_state;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0}, y[SAL_MAX_STATE], beside[SAL_MAX_STATE];

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < n; ++i) set[i] = is_event_section(m);
  if (!is_event_section(m)) return;
  jump_beside(m, param, -1, y);
  for (int j = 0; j < n; ++j) {
    jump_beside(m, param, j, beside);
    for (int i = 0; i < n; ++i) set[i] = set[i] && y[i] == beside[i];
  }
}

static sal_err check_setup(const sal_return_setup *s)
{
  const sal_model *m = s->model;

  if (!m->section.name)
    return sal_fail(SAL_ERR_USAGE,
                    "model %s has no section where periodic orbits begin; a text has it as "
                    "section: {period: T} of a drive, or {contact: NAME, event: closes}",
                    m->name);
  if (!s->strategy->held || s->strategy->zoned)
    return sal_fail(SAL_ERR_USAGE,
                    "strategy %s does not locate the events of a return map; allowed: event",
                    s->strategy->name);
  if (s->vectors >= 0 && sal_tangent_model_most(m) == 0)
    return sal_fail(SAL_ERR_USAGE, "model %s has %s: no tangent vector can be carried along",
                    m->name, sal_model_has_mass(m) ? "a mass matrix" : "too many states");
  return SAL_OK;
}

int sal_return_map_unknowns(const sal_model *m, bool every, int unknown[])
{
  bool set[SAL_MAX_STATE] = {false};
  int n = 0;

  find_set_states(m, set);
  for (int i = 0; i < m->n_state; ++i)
    if ((!set[i] || every) && !m->state[i].drifts) unknown[n++] = i;
  return n;
}

/* Is the jump of the section the projection onto its surface?  So it is of a contact that opens and does not
 * set states one by one. */
static bool is_projection(const sal_model *m, const bool set[])
{
  bool any = !is_event_section(m) || m->section.closes;

  for (int i = 0; i < m->n_state; ++i) any |= set[i];
  return !any;
}

void sal_return_map_put_back(const sal_return_map *map, const double param[], const bool closed[],
                             double y[])
{
  const sal_model *m = &map->model;
  bool set[SAL_MAX_STATE], mode[SAL_MAX_GUARD];

  find_set_states(m, set);
  if (!closed || !is_projection(m, set)) return;
  memcpy(mode, closed, (size_t)map->n_guard * sizeof *mode);
  mode[m->section.contact] = false;
  sal_model_jump(m, param, m->section.contact, mode, 0, y);
}

/* The event that ends a run; none for a section in time. */
static sal_stop stop_of(const sal_return_map *map)
{
  const sal_section *x = section_of(map);

  if (x->period) return (sal_stop){0};
  return (sal_stop){x->contact, x->closes, map->setup.returns};
}

/* The setup of a batch: of the model itself, or of the one with vectors. */
static sal_setup batch_setup(const sal_return_map *map, bool vectors)
{
  const sal_return_setup *s = &map->setup;

  return (sal_setup){
      .model = vectors ? &map->tangent.model : sal_return_map_runs(map),
      .method = s->method,
      .strategy = s->strategy,
      .rtol = s->rtol,
      .atol = s->atol,
      .t_end = s->t_most,
      .max_step = s->max_step,
      .n_guard = map->n_guard,
      .every_contact = true,
      .max_attempts = s->max_attempts,
      .work = s->work,
      .budget = s->budget,
      .reached = s->reached,
      .stop = stop_of(map),
      .halt = sal_stop_halt(),
  };
}

/* Columns of dp, and those that are carried: one at least. */
static int columns_of(const sal_return_map *map)
{
  return map->setup.vectors > 0 ? map->setup.vectors : map->n_unknown;
}

static int rounds_for(const sal_return_map *map, int together)
{
  const int n = columns_of(map) > 0 ? columns_of(map) : 1;

  return (n + together - 1) / together;
}

static void make_tangent(sal_return_map *map)
{
  const int n = columns_of(map) > 0 ? columns_of(map) : 1;
  const int rounds = rounds_for(map, sal_tangent_model_most(&map->model));

  map->n_round = (n + rounds - 1) / rounds;
  map->carried = map->model;
  if (map->setup.through) map->carried.section.name = NULL;
  sal_tangent_model_make(&map->carried, map->n_round, &map->tangent);
}

sal_err sal_return_map_create(const sal_return_setup *setup, sal_return_map *out)
{
  *out = (sal_return_map){.setup = *setup, .model = *setup->model};
  sal_return_setup *s = &out->setup;
  sal_model *m = &out->model;

  if (s->section.name) m->section = s->section;
  s->model = m;
  if (!s->strategy) s->strategy = sal_registry_strategy("event");
  if (s->t_most <= 0) s->t_most = 20 * m->span;
  if (s->max_attempts <= 0) s->max_attempts = 50000;
  if (s->returns < 1) s->returns = 1;
  if (s->width <= 0) s->width = sal_integrate_widest();
  if (!s->method->w4 || !m->w4) s->width = 1;
  if (s->changed == 0 && is_event_section(m)) s->changed = 1 + m->section.contact;
  SAL_TRY(check_setup(s));
  out->n_guard = s->n_guard > 0 ? s->n_guard : m->n_guard;
  out->n_unknown = sal_return_map_unknowns(m, s->every_state, out->unknown);
  const int kinds = s->vectors < 0 ? 1 : 2;
  if (s->mutes) sal_tangent_model_make(m, 0, &out->plain);
  if (kinds > 1) make_tangent(out);
  for (int v = 0; v < kinds; ++v) {
    const sal_setup batch = batch_setup(out, v);
    out->bytes[v] = sal_integrate_bytes(&batch, s->width);
    out->work[v] = sal_alloc(out->bytes[v], 1);
  }
  if (out->work[0] && out->work[kinds - 1]) return SAL_OK;
  sal_return_map_free(out);
  return fail_no_memory();
}

void sal_return_map_free(sal_return_map *map)
{
  sal_free_all(map->work[0], map->work[1]);
  map->work[0] = map->work[1] = NULL;
}

sal_err sal_return_map_new(const sal_return_setup *setup, sal_return_map **out)
{
  *out = sal_alloc(1, sizeof **out);
  return *out ? sal_return_map_create(setup, *out) : fail_no_memory();
}

void sal_return_map_destroy(sal_return_map **map)
{
  if (*map) sal_return_map_free(*map);
  sal_free(*map);
  *map = NULL;
}

/* The period of the section in time; 0 for a section at an event. */
static double section_period(const sal_return_map *map, const double param[])
{
  const sal_section *x = section_of(map);

  if (map->setup.time > 0) return map->setup.time;
  return x->period ? x->period(map->setup.model->inner, param) : 0;
}

double sal_return_map_size(const sal_return_map *map, const double y[], int i)
{
  double most = 0;

  for (int j = 0; j < map->n_unknown; ++j) most = fmax(most, fabs(y[map->unknown[j]]));
  return most > 0 ? fmax(fabs(y[map->unknown[i]]), 0.1 * most) : 1;
}

bool sal_return_map_alike(const sal_return_map *map, double close, const double y[],
                          const double before[])
{
  for (int j = 0; j < map->n_unknown; ++j) {
    const int i = map->unknown[j];
    if (!(fabs(y[i] - before[i]) <= close * sal_return_map_size(map, y, j))) return false;
  }
  return true;
}

bool sal_return_map_unbounded(const sal_return_map *map, double bound, const double y[])
{
  for (int j = 0; j < map->n_unknown; ++j)
    if (!(fabs(y[map->unknown[j]]) <= bound)) return true;
  return false;
}

bool sal_return_map_stalls(const sal_return_map *map, double time, int *brief)
{
  *brief = time <= 1e-9 * map->model.span ? *brief + 1 : 0;
  return *brief >= 3;
}

int sal_return_map_wrong_contact(const sal_return_map *map, const double param[], const double y[],
                                 const bool closed[], int from)
{
  const sal_model *m = map->setup.model;
  double f[SAL_MAX_STATE] = {0}, gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD], size = 0;

  sal_model_field(m, param, closed, 0, y, f);
  sal_model_rates(m, param, closed, 0, y, f, gap, rate);
  for (int i = 0; i < m->n_state; ++i) size = fmax(size, fabs(y[i]));
  for (int k = from; k < sal_model_guards(m, param); ++k) {
    if (sal_return_map_mutes(map, k)) continue;
    const double side = closed[k] ? -1 : 1, least = 1e-9 * (size > 0 ? size : 1);
    if (side * gap[k] < -least || (fabs(gap[k]) <= 1e-3 * least && side * rate[k] < 0)) return k;
  }
  return -1;
}

sal_return_end sal_return_map_begin(const sal_return_map *map, const double param[], double y[],
                                    bool closed[], int *contact)
{
  const sal_model *m = &map->model;
  const int k = m->section.contact;
  double after[SAL_MAX_STATE];
  bool set[SAL_MAX_STATE] = {false};
  int wrong = -1;

  sal_model_mode(m, param, 0, y, closed);
  for (int i = 0; i < sal_model_guards(m, param); ++i)
    if (sal_return_map_mutes(map, i)) closed[i] = false;
  if (is_event_section(m)) {
    memcpy(after, y, (size_t)m->n_state * sizeof *y);
    closed[k] = m->section.closes;
    sal_model_jump(m, param, k, closed, 0, after);
    find_set_states(m, set);
    for (int i = 0; i < m->n_state; ++i)
      if (set[i] || is_projection(m, set)) y[i] = after[i];
    if (!m->section.closes && closed[k]) wrong = k;
  }
  if (wrong < 0) wrong = sal_return_map_wrong_contact(map, param, y, closed, 0);
  if (contact) *contact = wrong;
  return wrong < 0 ? SAL_RETURN_MADE : SAL_RETURN_WRONG_MODE;
}

/** The jobs of a call, `rounds` of each point. */
typedef struct {
  int64_t n;     /* jobs */
  int rounds;    /* of each point; the first one describes the point */
  int full;      /* states of a job */
  double *state; /* [n][full] start, then end */
  bool *mode;    /* [2][n / rounds][n_guard] at the start, at the end */
  sal_job *job;
  sal_record *record;
} batch;

static void free_batch(batch *b) { sal_free_all(b->state, b->mode, b->job, b->record); }

static sal_err make_batch(const sal_return_map *map, int64_t n, int rounds, int full, batch *b)
{
  const size_t all = (size_t)n * (size_t)rounds, modes = 2 * (size_t)n * (size_t)map->n_guard;

  *b = (batch){.n = n * rounds,
               .rounds = rounds,
               .full = full,
               .state = sal_alloc(all * (size_t)full, sizeof *b->state),
               .mode = sal_alloc(modes, sizeof *b->mode),
               .job = sal_alloc(all, sizeof *b->job),
               .record = sal_alloc(all, sizeof *b->record)};
  return b->state && b->mode && b->job && b->record ? SAL_OK : fail_no_memory();
}

static bool *start_mode(const sal_return_map *map, const batch *b, int64_t p)
{
  return b->mode + p * map->n_guard;
}
static bool *end_mode(const sal_return_map *map, const batch *b, int64_t p)
{
  return b->mode + (b->n / b->rounds + p) * map->n_guard;
}

/* Job j of the batch runs its point from the state that stands in the batch. */
static void set_job(const sal_return_map *map, const batch *b, int64_t j, const sal_return *p)
{
  const int64_t at = j / b->rounds;
  const bool first = j % b->rounds == 0;
  double *const state = b->state + j * b->full;

  if (p->closed && first)
    memcpy(start_mode(map, b, at), p->closed, (size_t)map->n_guard * sizeof *p->closed);
  b->job[j] = (sal_job){.param = p->param,
                        .initial = state,
                        .end = state,
                        .closed = p->closed ? start_mode(map, b, at) : NULL,
                        .changed = map->setup.changed,
                        .end_closed = first ? end_mode(map, b, at) : NULL,
                        .events = first ? p->events : NULL,
                        .t_end = section_period(map, p->param) * map->setup.returns};
}

/* y [n_state]: where the run has ended. */
static void take_record(const sal_return_map *map, const batch *b, int64_t j, const double y[],
                        sal_return *p)
{
  const sal_record *r = &b->record[j];
  const bool *closed = end_mode(map, b, j / b->rounds);

  sal_return_end_read(map, r, y, closed, p);
  p->n_event = (int)r->value[SAL_METRIC_EVENTS];
  p->n_zeno = (int)r->value[SAL_METRIC_ZENO];
  p->rhs = r->value[SAL_METRIC_RHS];
  if (p->end_closed) memcpy(p->end_closed, closed, (size_t)map->n_guard * sizeof *closed);
}

/* Points without derivatives. */
static sal_err run_plain(const sal_return_map *map, int64_t n, sal_return point[])
{
  const sal_setup setup = batch_setup(map, false);
  const int ns = map->setup.model->n_state;
  SAL_OWN_BY(free_batch) batch b = {0};

  SAL_TRY(make_batch(map, n, 1, ns, &b));
  for (int64_t p = 0; p < n; ++p) {
    memcpy(b.state + p * ns, point[p].start, (size_t)ns * sizeof *b.state);
    set_job(map, &b, p, &point[p]);
  }
  sal_integrate(&setup, map->setup.width, n, b.job, b.record, map->work[0]);
  for (int64_t p = 0; p < n; ++p) {
    take_record(map, &b, p, b.state + p * ns, &point[p]);
    if (point[p].end) memcpy(point[p].end, b.state + p * ns, (size_t)ns * sizeof *b.state);
  }
  return SAL_OK;
}

/* Start of round r of a point: its directions, or unit vectors of its unknowns, 0 after the last one. */
static void load_round(const sal_return_map *map, const sal_return *p, int r, double v[],
                       double full[])
{
  const int ns = map->setup.model->n_state, n = columns_of(map);

  memset(v, 0, (size_t)(map->n_round * ns) * sizeof *v);
  for (int c = 0; c < map->n_round && r * map->n_round + c < n; ++c) {
    const int j = r * map->n_round + c;
    if (!p->along) v[c * ns + map->unknown[j]] = 1;
    for (int i = 0; p->along && i < map->n_unknown; ++i)
      v[c * ns + map->unknown[i]] = p->along[i * n + j];
  }
  sal_tangent_model_load(&map->tangent, p->start, v, full);
}

/* End of round r: columns of dp and delay; the state itself from the first round. */
static void take_round(const sal_return_map *map, int r, const double y[], const double v[],
                       const double delay[], sal_return *p)
{
  const int ns = map->setup.model->n_state, n = columns_of(map);

  if (r == 0 && p->end) memcpy(p->end, y, (size_t)ns * sizeof *y);
  for (int c = 0; c < map->n_round && r * map->n_round + c < n; ++c) {
    const int j = r * map->n_round + c;
    for (int i = 0; i < map->n_unknown; ++i) p->dp[i * n + j] = v[c * ns + map->unknown[i]];
    if (p->delay) p->delay[j] = delay[c];
  }
}

/* Points with derivatives, all rounds of vectors in one batch. */
static sal_err run_with_vectors(const sal_return_map *map, int64_t n, sal_return point[])
{
  const sal_setup setup = batch_setup(map, true);
  const int full = map->tangent.model.n_state, rounds = rounds_for(map, map->n_round);
  double v[SAL_MAX_STATE], y[SAL_MAX_STATE], delay[SAL_MAX_STATE];
  SAL_OWN_BY(free_batch) batch b = {0};

  SAL_TRY(make_batch(map, n, rounds, full, &b));
  for (int64_t j = 0; j < b.n; ++j) {
    const sal_return *p = &point[j / rounds];
    load_round(map, p, (int)(j % rounds), v, b.state + j * full);
    set_job(map, &b, j, p);
  }
  sal_integrate(&setup, map->setup.width, b.n, b.job, b.record, map->work[1]);
  for (int64_t j = 0; j < b.n; ++j) {
    sal_return *p = &point[j / rounds];
    sal_tangent_model_read(&map->tangent, b.state + j * full, y, v, delay);
    if (j % rounds == 0)
      take_record(map, &b, j, y, p);
    else
      p->rhs += b.record[j].value[SAL_METRIC_RHS];
    take_round(map, (int)(j % rounds), y, v, delay, p);
  }
  return SAL_OK;
}

sal_err sal_return_map_run(const sal_return_map *map, int64_t n, sal_return point[])
{
  /* points with and without derivatives run in batches of their own */
  for (int64_t from = 0, to; from < n; from = to) {
    for (to = from; to < n && !point[to].dp == !point[from].dp; ++to) continue;
    SAL_TRY(point[from].dp ? run_with_vectors(map, to - from, point + from)
                           : run_plain(map, to - from, point + from));
  }
  return SAL_OK;
}
