/** From a guess or a simulation to an orbit. */
#include "orbit_search.h"
#include "base.h"
#include "stiffness.h"
#include "stop.h"

/* An orbit is almost tangential to a surface below this rate; gaps that turn back at less than this share
 * of their range almost touch. */
static const double near_tangent = 0.02, near_miss = 1e-4;

static const sal_model *model_of(const sal_orbit_search *s) { return &s->map.model; }

static sal_err make_map(const sal_orbit_request *r, int returns, sal_orbit_search *s)
{
  const sal_return_setup setup = sal_return_setup_of(r->setup, returns);

  return sal_return_map_create(&setup, &s->map);
}

static sal_err refuse_guess(const char *where, const sal_orbit_search *s, int k)
{
  const sal_model *m = model_of(s);
  double f[SAL_MAX_STATE] = {0}, gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];

  if (k == m->section.contact && !m->section.closes && s->closed[k])
    return sal_fail(SAL_ERR_USAGE,
                    "%s: it is in the wrong phase: orbits begin after the %s, but from this "
                    "state contact %d would not open",
                    where, m->section.name, k);
  sal_model_field(m, s->cycle.param, s->closed, 0, s->y, f);
  sal_model_rates(m, s->cycle.param, s->closed, 0, s->y, f, gap, rate);
  return sal_fail(SAL_ERR_USAGE,
                  "%s: it is in the wrong phase: orbits begin after the %s, where contact %d "
                  "is %s, but there its gap is %.3g and changes at a rate of %.3g: it %s at once",
                  where, m->section.name, k, s->closed[k] ? "closed" : "open", gap[k], rate[k],
                  s->closed[k] ? "opens" : "closes");
}

static sal_err begin_at_guess(const char *where, sal_orbit_search *s)
{
  int k;

  if (sal_return_map_begin(&s->map, s->cycle.param, s->y, s->closed, &k) == SAL_RETURN_MADE)
    return SAL_OK;
  return refuse_guess(where, s, k);
}

/* Where no visit follows: has a contact closed for good, with a stable equilibrium, on which the state winds in? */
static bool winds_in(const sal_orbit_search *s)
{
  bool any = false;

  for (int k = 0; k < sal_model_guards(model_of(s), s->cycle.param); ++k) any |= s->closed[k];
  return any && sal_stiffness_slowest_rate(model_of(s), s->cycle.param).re < 0;
}

/* Iterates the map from the initial condition; the last visit is the guess then. */
static sal_err simulate(const sal_orbit_request *r, sal_orbit_search *s)
{
  const size_t n = (size_t)model_of(s)->n_state;

  s->simulated = true;
  s->seed = (sal_seed){.param = s->cycle.param,
                       .y = s->y,
                       .closed = s->closed,
                       .memory = sal_alloc(SAL_SEED_PERIODS * n, sizeof(double))};
  if (!s->seed.memory) return sal_fail(SAL_ERR_MEMORY, "no memory for a simulation");
  const sal_err err =
      sal_seed_find(&s->map, &(sal_seed_setup){.max_visits = (int)r->visits}, 1, &s->seed);
  if (err == SAL_OK && s->seed.why == SAL_RETURN_LOST && winds_in(s))
    s->seed.why = SAL_RETURN_RESTS;
  s->cycle.why = sal_cycle_of_return(s->seed.why);
  if (sal_seed_goes_on(&s->seed)) s->cycle.why = SAL_CYCLE_DIVERGES;
  return err;
}

/* The map's iterate is that of the simulation unless it is given. */
static sal_err begin_by_simulation(const sal_orbit_request *r, sal_orbit_search *s)
{
  SAL_TRY(simulate(r, s));
  const int returns = (int)r->returns > 0 ? (int)r->returns : s->seed.returns;
  if (sal_seed_goes_on(&s->seed) && r->returns > 0) s->cycle.why = SAL_CYCLE_FOUND;
  if (s->cycle.why != SAL_CYCLE_FOUND || returns <= 1) return SAL_OK;
  sal_return_map_free(&s->map);
  return make_map(r, returns, s);
}

/* Newton's iteration from the guess found none: from points around it, then.  The cell stays as it is
 * where that finds none either. */
static sal_err scan(const sal_orbit_request *r, const double guess[], sal_orbit_search *s)
{
  const sal_cycle_end why = s->cycle.why;
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];
  sal_cycle c = {.param = s->cycle.param, .y = y, .closed = closed, .dp = s->dp};

  if (!r->scans || why == SAL_CYCLE_FOUND || why == SAL_CYCLE_GRAZES || sal_stop_halted())
    return SAL_OK;
  s->scanned = true;
  s->missed = why;
  SAL_TRY(sal_scan_find(&s->map, &(sal_cycle_setup){0}, guess, &c, &s->scan));
  if (c.why != SAL_CYCLE_FOUND) return SAL_OK;
  memcpy(s->y, y, (size_t)model_of(s)->n_state * sizeof *y);
  memcpy(s->closed, closed, (size_t)s->map.n_guard * sizeof *closed);
  c.y = s->y;
  c.closed = s->closed;
  s->cycle = c;
  return SAL_OK;
}

/* Finds the most tangential crossing, and the narrowest miss. */
static sal_err take_tangency(const sal_return_map *map, const sal_events *log, sal_cycle *c)
{
  sal_clearance miss;

  for (int64_t e = 0; e < log->n && e < log->capacity; ++e) {
    const double steep = fabs(log->event[e].steep);
    if (sal_cycle_leaps(log, e) || steep > near_tangent ||
        (c->grazing >= 0 && steep >= c->crossing))
      continue;
    c->crossing = steep;
    c->grazing = log->event[e].guard;
  }
  SAL_TRY(sal_clearance_find(map, c, log, -1, &miss));
  if (miss.contact < 0 || miss.gap > near_miss * miss.range) return SAL_OK;
  c->clearance = miss.gap;
  c->missed = miss.contact;
  return SAL_OK;
}

/* Where the iteration ended without an orbit: is a surface grazed there? */
static sal_err find_tangency(sal_orbit_search *s)
{
  sal_cycle *c = &s->cycle;
  double end[SAL_MAX_STATE];
  sal_return p = {.param = c->param, .start = s->y, .closed = s->closed, .end = end};

  if (c->why != SAL_CYCLE_DIVERGES) return SAL_OK;
  c->grazing = c->missed = -1;
  SAL_TRY(sal_return_map_run(&s->map, 1, &p));
  if (p.why != SAL_RETURN_MADE) return SAL_OK;
  const size_t n = (size_t)p.n_event;
  SAL_OWN void *event = sal_alloc(sal_events_bytes(p.n_event, s->map.model.n_state), 1);
  SAL_OWN bool *closed = sal_alloc(n * (size_t)s->map.n_guard, sizeof *closed);
  if (!event || !closed) return sal_fail(SAL_ERR_MEMORY, "no memory for the events of a run");
  sal_events log = sal_events_of(event, p.n_event, s->map.model.n_state);
  log.closed = closed;
  p.events = &log;
  c->period = p.time;
  SAL_TRY(sal_return_map_run(&s->map, 1, &p));
  return take_tangency(&s->map, &log, c);
}

/* An orbit whose number of visits the simulation found may close sooner: winding towards it, visits look
 * alike after several.  A requested number stays. */
static sal_err reduce(const sal_orbit_request *r, sal_orbit_search *s)
{
  const int all = s->map.setup.returns, least = s->cycle.least;
  bool reduced = false;

  if (r->returns > 0 || least >= all) return SAL_OK;
  sal_return_map_free(&s->map);
  SAL_TRY(make_map(r, least, s));
  SAL_TRY(sal_cycle_reduce(&s->map, &(sal_cycle_setup){0}, &s->cycle, &reduced));
  if (reduced) return SAL_OK;
  sal_return_map_free(&s->map);
  return make_map(r, all, s);
}

/* The multipliers once more, by differences, on the same space. */
static sal_err difference(sal_orbit_search *s)
{
  const int n = s->map.n_unknown;
  SAL_OWN double *dp = sal_alloc(2 * (size_t)(n * n), sizeof *dp);
  double *basis = dp + (size_t)n * (size_t)n;
  sal_return p = {.param = s->cycle.param, .start = s->y, .closed = s->closed, .dp = dp};
  int m = n;

  if (!dp) return sal_fail(SAL_ERR_MEMORY, "no memory for differences");
  double end[SAL_MAX_STATE];
  p.end = end;
  SAL_TRY(sal_return_differences(&s->map, 0, 1, &p));
  if (sal_multipliers_basis(n, s->cycle.n_normal, s->cycle.normal, &m, basis))
    (void)sal_multipliers_find(n, dp, m, basis, &s->differences);
  return SAL_OK;
}

/* The invariant at a point; NaN: the model has none. */
static double energy_at(const sal_orbit_search *s, const double y[], const bool closed[])
{
  const sal_model *m = model_of(s);

  return m->energy ? m->energy(m->inner, s->cycle.param, 0, y, closed) : NAN;
}

bool sal_orbit_search_left_energy(const sal_orbit_search *s)
{
  const double *e = s->energy;

  return fabs(e[1] - e[0]) > fmax(1e-9, 100 * s->map.setup.rtol) * fmax(fabs(e[0]), fabs(e[1]));
}

static sal_err search(const sal_orbit_request *r, sal_orbit_search *s)
{
  const sal_cycle none = {.param = r->param, .y = s->y, .closed = s->closed};
  s->cycle = none;
  memcpy(s->y, r->initial, (size_t)model_of(s)->n_state * sizeof *s->y);
  s->cycle.why = SAL_CYCLE_FOUND;
  sal_model_mode(model_of(s), r->param, 0, s->y, s->closed);
  s->energy[0] = energy_at(s, s->y, s->closed);
  SAL_TRY(r->guessed ? begin_at_guess(r->guessed, s) : begin_by_simulation(r, s));
  if (r->guessed) s->energy[0] = energy_at(s, s->y, s->closed);
  if (s->cycle.why != SAL_CYCLE_FOUND) return SAL_OK;
  s->dp = sal_alloc((size_t)s->map.n_unknown * (size_t)s->map.n_unknown, sizeof *s->dp);
  if (!s->dp) return sal_fail(SAL_ERR_MEMORY, "no memory for an orbit");
  s->cycle.dp = s->dp;
  double guess[SAL_MAX_STATE];
  memcpy(guess, s->y, sizeof guess);
  SAL_TRY(sal_cycle_find(&s->map, &(sal_cycle_setup){0}, 1, &s->cycle));
  SAL_TRY(scan(r, guess, s));
  SAL_TRY(find_tangency(s));
  if (s->cycle.why != SAL_CYCLE_FOUND) return SAL_OK;
  SAL_TRY(reduce(r, s));
  s->energy[1] = energy_at(s, s->y, s->closed);
  SAL_TRY(difference(s));
  return sal_trace_run(&s->map, &s->cycle, r->points, &s->trace);
}

sal_err sal_orbit_search_run(const sal_orbit_request *r, sal_orbit_search *out)
{
  *out = (sal_orbit_search){0};
  SAL_TRY(make_map(r, r->guessed && r->returns > 0 ? (int)r->returns : 1, out));
  const sal_err err = search(r, out);
  out->late = sal_stop_late();
  if (out->late) out->cycle.why = SAL_CYCLE_FAILED;
  if (err != SAL_OK) sal_orbit_search_free(out);
  return err;
}

void sal_orbit_search_free(sal_orbit_search *s)
{
  sal_trace_free(&s->trace);
  sal_return_map_free(&s->map);
  sal_free_all(s->seed.memory, s->dp);
  s->seed.memory = NULL;
  s->dp = NULL;
}

static void explain_simulation(const sal_orbit_search *s, sal_text *out)
{
  const sal_seed *seed = &s->seed;
  const sal_model *m = model_of(s);

  if ((seed->why == SAL_RETURN_RESTS || seed->why == SAL_RETURN_LOST) && seed->n_visit == 0)
    sal_text_add(out, "from the initial condition the %s is never reached within t = %g",
                 m->section.name, s->map.setup.t_most);
  else if (seed->why == SAL_RETURN_LOST)
    sal_text_add(out,
                 "after %d visit%s the %s is not reached again within t = %g of the last one, and "
                 "the state does not come to rest",
                 seed->n_visit, sal_text_plural(seed->n_visit), m->section.name,
                 s->map.setup.t_most);
  else if (seed->why == SAL_RETURN_RESTS)
    sal_text_add(out, "the simulation came to rest after %d visit%s of the section, at t = %.6g",
                 seed->n_visit, sal_text_plural(seed->n_visit), seed->time);
  else if (sal_seed_goes_on(seed))
    sal_text_add(out, "%d visits of the section do not repeat with any period up to %d",
                 seed->n_visit, SAL_SEED_PERIODS);
  else
    sal_text_add(out, "in the simulation, after %d visit%s, %s", seed->n_visit,
                 sal_text_plural(seed->n_visit), sal_seed_sentence(seed));
}

static void explain_cycle(const sal_orbit_search *s, sal_text *out)
{
  const sal_cycle *c = &s->cycle;
  const sal_section *x = &model_of(s)->section;

  if (c->why == SAL_CYCLE_LOST)
    sal_text_add(out,
                 "the guard is never reached: no %s within t = %g of the guess, or of where the "
                 "iteration went",
                 x->name, s->map.setup.t_most);
  else if (c->why == SAL_CYCLE_GRAZES && c->missed >= 0 && c->grazing == c->missed)
    sal_text_add(out,
                 "contact %d (%s) comes as near as %.2g at t = %.6g of the period and turns back, "
                 "which at this tolerance is to touch it: the return map has no derivative there, "
                 "and multipliers do not describe a push",
                 c->missed, sal_model_contact(model_of(s), c->missed)->closes, c->clearance,
                 c->clearance_time);
  else if (c->why == SAL_CYCLE_GRAZES && c->grazing >= 0)
    sal_text_add(out,
                 "the guard of contact %d (%s) is met tangentially, |dh/dt| / (|Dh| |f|) = %.2g: "
                 "the return map has no derivative there",
                 c->grazing, sal_model_contact(model_of(s), c->grazing)->closes, c->crossing);
  else if (c->why == SAL_CYCLE_DIVERGES) {
    sal_text_add(
        out,
        "Newton's iteration does not converge after %d iteration%s: the residual stays at %.2g",
        c->iterations, sal_text_plural(c->iterations), c->closure);
    if (c->grazing >= 0)
      sal_text_add(out,
                   "; grazing: where it ended contact %d (%s) is met almost tangentially, |dh/dt| "
                   "/ (|Dh| |f|) = %.2g, and the map's derivative has no bound there",
                   c->grazing, sal_model_contact(model_of(s), c->grazing)->closes, c->crossing);
    else if (c->missed >= 0)
      sal_text_add(out,
                   "; grazing: where it ended the gap of contact %d (%s) turns back at %.2g, and "
                   "the map has no derivative where it reaches 0",
                   c->missed, sal_model_contact(model_of(s), c->missed)->closes, c->clearance);
  } else
    sal_text_add(out, "%s", sal_cycle_texts[c->why].what);
}

void sal_orbit_search_explain(const sal_orbit_search *s, sal_text *out)
{
  if (s->late) {
    sal_text_add(out, "the time is spent (--seconds) after %d visit%s and %d iteration%s",
                 s->seed.n_visit, sal_text_plural(s->seed.n_visit), s->cycle.iterations,
                 sal_text_plural(s->cycle.iterations));
    return;
  }
  const bool missed = s->seed.why != SAL_RETURN_MADE || sal_seed_goes_on(&s->seed);

  if (s->simulated && missed && s->cycle.iterations == 0)
    explain_simulation(s, out);
  else
    explain_cycle(s, out);
  if (s->scanned)
    sal_text_add(out, "; a scan of %d points around the guess finds none either", s->scan.points);
}
