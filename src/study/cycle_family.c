/** Points of a family as points of a return map. */
#include "base.h"
#include "family.h"
#include "scramble.h"
#include "trace.h"

enum { MOST_EVENTS = 64 };

/* One point of a call. */
typedef struct {
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE], end[SAL_MAX_STATE];
  sal_event event[MOST_EVENTS];
  double state[MOST_EVENTS * 2 * SAL_MAX_DENSE];
  sal_events log;
  bool *closed; /* [n_guard], and those of the log after it */
} place;

void sal_cycle_family_read(const sal_cycle_family *f, const double state[], double x[])
{
  for (int j = 0; j < f->map.n_unknown; ++j) x[j] = state[f->map.unknown[j]];
}

/* Parameters, state and mode of a start; flaw: the reason if it is invalid. */
static sal_return_end begin(const sal_cycle_family *f, const sal_family_start *start, place *p,
                            char flaw[])
{
  const sal_model *m = f->map.setup.model;
  int contact;

  memcpy(p->param, f->param, sizeof p->param);
  memcpy(p->y, f->state, sizeof p->y);
  for (int i = 0; i < f->n_free; ++i) p->param[f->free_param[i]] = start->lambda[i];
  for (int j = 0; j < f->map.n_unknown; ++j) p->y[f->map.unknown[j]] = start->x[j];
  flaw[0] = '\0';
  const sal_return_end why = sal_return_map_begin(&f->map, p->param, p->y, p->closed, &contact);
  if (why != SAL_RETURN_MADE)
    snprintf(flaw, SAL_FAMILY_WORDS, "%s: contact %d (%s), %s", sal_return_texts[why].label,
             contact, sal_model_contact(m, contact)->closes, sal_return_texts[why].what);
  return why;
}

/* The lest of the model's admissible quantity after the events it is asked at; NaN: it has none. */
static double admissible(const sal_model *m, const place *p)
{
  double most = NAN;

  for (int64_t e = 0; m->admissible.value && e < p->log.n && e < MOST_EVENTS; ++e) {
    const sal_event *at = &p->event[e];
    if (at->guard != m->admissible.contact || at->closes != m->admissible.closes) continue;
    const double value = m->admissible.value(m->inner, p->param, at->y);
    if (!(value <= most)) most = value;
  }
  return most;
}

static void take_events(const sal_model *m, const place *p, sal_family_value *v)
{
  v->sequence = 0;
  v->transversality = INFINITY;
  for (int64_t e = 0; e < p->log.n && e < MOST_EVENTS; ++e) {
    const sal_event *at = &p->event[e];
    v->sequence = sal_scramble(v->sequence ^ (uint64_t)(2 * at->guard + at->closes + 2));
    v->transversality = fmin(v->transversality, fabs(at->steep));
  }
  v->n_event = (int)p->log.n;
  v->admissible = admissible(m, p);
}

/* Half way: the visit of the section in the middle.  True where the orbit is the same there as at the
 * start, in all unknowns. */
static bool take_half(const sal_cycle_family *f, const place *p, sal_family_value *v)
{
  const sal_section *x = &f->map.model.section;
  int left = f->map.setup.returns / 2;
  bool same = true;

  v->split = NAN;
  if (f->map.setup.returns % 2 || x->period) return false;
  for (int64_t e = 0; e < p->log.n && e < MOST_EVENTS; ++e) {
    const sal_event *at = &p->event[e];
    if (at->guard != x->contact || at->closes != x->closes || --left != 0) continue;
    v->split = at->y[f->map.unknown[0]] - p->y[f->map.unknown[0]];
    for (int j = 0; j < f->map.n_unknown; ++j) {
      const int i = f->map.unknown[j];
      same = same && fabs(at->y[i] - p->y[i]) <= 1e-9 * sal_return_map_size(&f->map, p->y, j);
    }
    return same;
  }
  return false;
}

/* How large the unknowns get: at the start and after the events. */
static void take_sizes(const sal_cycle_family *f, const place *p, double size[])
{
  double most = 0;

  for (int j = 0; j < f->map.n_unknown; ++j) {
    const int i = f->map.unknown[j];
    size[j] = fabs(p->y[i]);
    for (int64_t e = 0; e < p->log.n && e < MOST_EVENTS; ++e)
      size[j] = fmax(size[j], fabs(p->event[e].y[i]));
    most = fmax(most, size[j]);
  }
  for (int j = 0; j < f->map.n_unknown; ++j) size[j] = most > 0 ? fmax(size[j], 1e-2 * most) : 1;
}

/* The least gap of the contact that is muted, as a share of its range. */
static sal_err take_grazing(const sal_cycle_family *f, place *p, sal_family_value *v)
{
  const sal_cycle at = {.param = p->param, .y = p->y, .closed = p->closed, .period = v->period};
  sal_clearance found;

  SAL_TRY(sal_clearance_find(&f->map, &at, &p->log, f->map.plain.mute[0].contact, &found));
  v->grazing = found.gap / found.range;
  if (found.contact < 0)
    snprintf(v->flaw, sizeof v->flaw, "the contact is not approached any more");
  return SAL_OK;
}

static void take(const sal_cycle_family *f, const sal_return *point, const place *p,
                 sal_family_value *v)
{
  if (point->why != SAL_RETURN_MADE) {
    snprintf(v->flaw, sizeof v->flaw, "%s: %s", sal_return_texts[point->why].label,
             sal_return_texts[point->why].what);
    return;
  }
  for (int j = 0; j < f->map.n_unknown; ++j) {
    v->image[j] = p->end[f->map.unknown[j]];
    if (!isfinite(v->image[j])) snprintf(v->flaw, sizeof v->flaw, "the state became no number");
  }
  for (int j = 0; v->derivative && j < f->map.n_unknown * f->map.n_unknown; ++j)
    if (!isfinite(v->derivative[j]))
      snprintf(v->flaw, sizeof v->flaw,
               "section or event not transversal: the map has no derivative");
  v->period = point->time;
  take_events(f->map.setup.model, p, v);
  if (v->size) take_sizes(f, p, v->size);
  if (take_half(f, p, v) && f->refuses_half)
    snprintf(v->flaw, sizeof v->flaw, "the orbit is one of half the period, gone through twice");
}

/* The places of a call, one after the other, and their modes. */
static sal_err make_places(const sal_cycle_family *f, int count, place **out, bool **modes,
                           sal_return **point)
{
  *out = sal_alloc((size_t)count, sizeof **out);
  *modes = sal_alloc((1 + MOST_EVENTS) * (size_t)count * (size_t)f->map.n_guard, sizeof **modes);
  *point = sal_alloc((size_t)count, sizeof **point);
  if (!*out || !*modes || !*point)
    return sal_fail(SAL_ERR_MEMORY, "no memory for %d points of a return map", count);
  for (int i = 0; i < count; ++i) {
    (*out)[i].closed = *modes + (size_t)i * (1 + MOST_EVENTS) * (size_t)f->map.n_guard;
    (*out)[i].log = (sal_events){.event = (*out)[i].event,
                                 .closed = (*out)[i].closed + f->map.n_guard,
                                 .capacity = MOST_EVENTS,
                                 .state = (*out)[i].state,
                                 .n_state = f->map.setup.model->n_state};
  }
  return SAL_OK;
}

static sal_err run_places(const sal_cycle_family *f, int count, const sal_family_start start[],
                          place *p, sal_return *point, sal_family_value out[])
{
  int which[2 * (SAL_MAX_STATE + SAL_BRANCH_PARAMS) + 1], n = 0;

  for (int i = 0; i < count; ++i) {
    if (begin(f, &start[i], &p[i], out[i].flaw) != SAL_RETURN_MADE) continue;
    which[n] = i;
    point[n++] = (sal_return){.param = p[i].param,
                              .start = p[i].y,
                              .closed = p[i].closed,
                              .end = p[i].end,
                              .dp = out[i].derivative,
                              .events = &p[i].log};
  }
  SAL_TRY(sal_return_map_run(&f->map, n, point));
  for (int k = 0; k < n; ++k) {
    sal_family_value *v = &out[which[k]];
    take(f, &point[k], &p[which[k]], v);
    v->grazing = NAN;
    if (f->map.plain.n_mute > 0 && !v->flaw[0]) SAL_TRY(take_grazing(f, &p[which[k]], v));
  }
  return SAL_OK;
}

static sal_err evaluate(void *context, int count, const sal_family_start start[],
                        sal_family_value out[])
{
  const sal_cycle_family *f = context;
  SAL_OWN place *p = NULL;
  SAL_OWN bool *modes = NULL;
  SAL_OWN sal_return *point = NULL;

  SAL_TRY(make_places(f, count, &p, &modes, &point));
  return run_places(f, count, start, p, point, out);
}

static void fill_phases(const sal_branch_layout *l, const place *p, double period, double row[])
{
  for (int k = 0; k < SAL_BRANCH_PHASES; ++k) {
    const double t0 = k > 0 && k <= p->log.n ? p->event[k - 1].t : 0;
    const double t1 = k < p->log.n ? p->event[k].t : period;
    row[l->phase + k] = k == 0 || (k <= p->log.n && t1 > t0) ? t1 - t0 : NAN;
  }
}

/* Modes from event to event, with what the jumps change besides. */
static void fill_open(const sal_model *m, const sal_branch_layout *l, const place *p, double period,
                      double row[])
{
  bool closed[SAL_MAX_GUARD];
  double y[SAL_MAX_STATE], t = 0;

  for (int k = 0; k < l->n_contact; ++k) row[l->open + k] = 0;
  memcpy(closed, p->closed, (size_t)sal_model_guards(m, p->param) * sizeof *closed);
  for (int64_t e = 0; e <= p->log.n && e <= MOST_EVENTS; ++e) {
    const sal_event *at = e < p->log.n && e < MOST_EVENTS ? &p->event[e] : NULL;
    const double to = at ? at->t : period;
    for (int k = 0; k < l->n_contact; ++k) row[l->open + k] += closed[k] ? 0 : to - t;
    t = to;
    if (!at) continue;
    closed[at->guard] = at->closes;
    memcpy(y, at->y, (size_t)m->n_state * sizeof *y);
    sal_model_jump(m, p->param, at->guard, closed, at->t, y);
  }
}

/* The largest share of the kinetic energy that an event takes. */
static double largest_loss(const sal_model *m, const place *p)
{
  double most = NAN;

  for (int64_t e = 0; m->kinetic && e < p->log.n && e < MOST_EVENTS; ++e) {
    const double ahead = m->kinetic(m->inner, p->param, p->event[e].ahead);
    const double share = ahead > 0 ? 1 - m->kinetic(m->inner, p->param, p->event[e].y) / ahead : 0;
    if (!(share <= most)) most = share;
  }
  return most;
}

/* Moves the times in which contacts are muted with the orbit of p; of those after the first the ones that it no longer
 * grazes are not muted any more. */
static sal_err follow_grazing(sal_cycle_family *f, place *p, double period)
{
  const sal_cycle at = {.param = p->param, .y = p->y, .closed = p->closed, .period = period};
  const sal_tangent_model *now = &f->map.plain;
  sal_mute mute[SAL_MUTES];
  sal_clearance found;
  int n = 0;

  for (int i = 0; i < now->n_mute; ++i) {
    SAL_TRY(sal_clearance_find(&f->map, &at, &p->log, now->mute[i].contact, &found));
    if (found.contact < 0 || (i > 0 && fabs(found.gap) > 1e-6 * found.range)) continue;
    mute[n++] = sal_grazing_mute(&found, period, &p->log);
  }
  if (n > 0) sal_return_map_mute(&f->map, n, mute);
  return SAL_OK;
}

/* Mutes the contact that the orbit of p grazes, in addition.  *more is false where there is none. */
static sal_err mute_next(sal_cycle_family *f, place *p, bool *more)
{
  const double near = 1e-4, also = 1e-8; /* of the first one, and of those at the same parameters */
  sal_mute mute[SAL_MUTES];
  sal_clearance found;
  const int n = f->map.plain.n_mute;
  sal_return point = {
      .param = p->param, .start = p->y, .closed = p->closed, .end = p->end, .events = &p->log};

  *more = false;
  SAL_TRY(sal_return_map_run(&f->map, 1, &point));
  if (point.why != SAL_RETURN_MADE) return SAL_OK;
  const sal_cycle at = {.param = p->param, .y = p->y, .closed = p->closed, .period = point.time};
  SAL_TRY(sal_grazing_find(&f->map, &at, &p->log, n ? also : near, &found));
  *more = found.contact >= 0;
  if (!*more) return SAL_OK;
  memcpy(mute, f->map.plain.mute, sizeof mute);
  mute[n] = sal_grazing_mute(&found, point.time, &p->log);
  sal_return_map_mute(&f->map, n + 1, mute);
  return SAL_OK;
}

static sal_err fill_row(sal_cycle_family *f, place *p, bool apexes, double row[])
{
  const sal_return_setup *s = &f->map.setup;
  const sal_branch_layout *l = &f->family.layout;
  sal_return point = {
      .param = p->param, .start = p->y, .closed = p->closed, .end = p->end, .events = &p->log};

  SAL_TRY(sal_return_map_run(&f->map, 1, &point));
  memcpy(row + l->state, p->y, (size_t)l->n_state * sizeof *row);
  if (point.why != SAL_RETURN_MADE) { /* as where the time is spent */
    for (int i = 0; i < l->n_state; ++i) row[l->apex + i] = NAN;
    for (int i = l->phase; i < l->width; ++i) row[i] = NAN;
    return SAL_OK;
  }
  if (f->map.plain.n_mute > 0) SAL_TRY(follow_grazing(f, p, point.time));
  fill_phases(l, p, point.time, row);
  fill_open(s->model, l, p, point.time, row);
  row[l->loss] = largest_loss(s->model, p);
  if (!apexes) return SAL_OK;
  const sal_cycle at = {.param = p->param, .y = p->y, .closed = p->closed};
  return sal_orbit_path_most(&f->map, &at, point.time, &p->log, row + l->apex);
}

sal_err sal_cycle_family_graze(sal_cycle_family *f, const sal_family_start *at, bool *found)
{
  SAL_OWN place *p = NULL;
  SAL_OWN bool *modes = NULL;
  SAL_OWN sal_return *point = NULL;
  char flaw[SAL_FAMILY_WORDS];

  sal_return_map_mute(&f->map, 0, NULL);
  SAL_TRY(make_places(f, 1, &p, &modes, &point));
  assert(p); /* the one that was made */
  bool more = begin(f, at, p, flaw) == SAL_RETURN_MADE;
  while (more && f->map.plain.n_mute < SAL_MUTES) SAL_TRY(mute_next(f, p, &more));
  *found = f->map.plain.n_mute > 0;
  return SAL_OK;
}

static sal_err describe(void *context, const sal_family_start *at, bool apexes, double row[])
{
  sal_cycle_family *f = context;
  SAL_OWN place *p = NULL;
  SAL_OWN bool *modes = NULL;
  SAL_OWN sal_return *point = NULL;
  char flaw[SAL_FAMILY_WORDS];

  SAL_TRY(make_places(f, 1, &p, &modes, &point));
  assert(p); /* the one that was made */
  begin(f, at, p, flaw);
  return fill_row(f, p, apexes, row);
}

sal_err sal_cycle_family_create(const sal_return_setup *setup, const double param[], int n_free,
                                const int free_param[], const double state[], sal_cycle_family *out)
{
  const sal_model *m = setup->model;
  const int guards = sal_model_guards(m, param);
  const int contact = guards < SAL_MAX_CONTACT ? guards : SAL_MAX_CONTACT;

  *out = (sal_cycle_family){.n_free = n_free};
  SAL_TRY(sal_return_map_create(setup, &out->map));
  if (out->map.n_unknown == 0)
    return sal_fail(SAL_ERR_USAGE, "model %s: its section leaves nothing to be found", m->name);
  memcpy(out->param, param, (size_t)(m->n_param + m->n_option) * sizeof *param);
  memcpy(out->state, state, (size_t)m->n_state * sizeof *state);
  for (int i = 0; i < n_free; ++i) out->free_param[i] = free_param[i];
  out->family =
      (sal_family){.n = out->map.n_unknown,
                   .layout = sal_branch_layout_make(m->n_state, out->map.n_unknown, contact),
                   .context = out,
                   .evaluate = evaluate,
                   .describe = describe,
                   .breaks = sal_mirror_breaks};
  return SAL_OK;
}

void sal_cycle_family_free(sal_cycle_family *f) { sal_return_map_free(&f->map); }
