/** Orbits as text and as JSON. */
#include "orbit_print.h"

/* Closer to the unit circle than this is on it. */
static const double margin = 1e-6;

/* Stability by the multipliers, in a word. */
static const char *verdict_of(const sal_cycle *c)
{
  if (c->why != SAL_CYCLE_FOUND) return "no orbit";
  const double radius = sal_multipliers_radius(&c->multipliers);
  if (fabs(radius - 1) <= margin) return "neutral";
  return radius < 1 ? "stable" : "unstable";
}

static void put_states(sal_json *j, const char *name, const sal_model *m, const double y[])
{
  sal_json_object(j, name);
  for (int i = 0; i < m->n_state; ++i) sal_json_number(j, m->state[i].name, y[i]);
  sal_json_end(j);
}

static void put_multipliers(sal_json *j, const char *name, const sal_multipliers *f)
{
  sal_json_array(j, name);
  for (int i = 0; i < f->n; ++i) {
    sal_json_object_of(j, NULL, "re %g, im %g", f->re[i], f->im[i]);
  }
  sal_json_end(j);
}

static void put_matrix(sal_json *j, const char *name, const sal_model *m, int n, const int state[],
                       const double A[])
{
  sal_json_object(j, name);
  sal_json_array(j, "states");
  for (int i = 0; i < n; ++i) sal_json_text(j, NULL, m->state[state[i]].name);
  sal_json_end(j);
  sal_json_array(j, "rows");
  for (int i = 0; i < n; ++i) {
    sal_json_array(j, NULL);
    for (int k = 0; k < n; ++k) sal_json_number(j, NULL, A[i * n + k]);
    sal_json_end(j);
  }
  sal_json_end(j);
  sal_json_end(j);
}

static void put_phases(sal_json *j, const sal_orbit_search *s)
{
  const sal_model *m = &s->map.model;
  const int g = sal_model_guards(m, s->cycle.param);

  sal_json_array(j, "phases");
  for (int64_t i = 0; i < s->trace.n; ++i) {
    const sal_trace_phase *p = &s->trace.phase[i];
    sal_json_object(j, NULL);
    sal_json_members(j, "begin %g, end %g", p->begin, p->end);
    sal_json_array(j, "closed");
    for (int k = 0; k < g; ++k) sal_json_bool(j, NULL, p->closed[k]);
    sal_json_end(j);
    if (p->contact >= 0) {
      const sal_contact *c = sal_model_contact(m, p->contact);
      sal_json_members(j, "event %s, contact %d, gap %g, rate %g, crossing %g",
                       p->closes ? c->closes : c->opens, p->contact, p->gap, p->rate, p->steep);
    }
    put_states(j, "first", m, p->first);
    put_states(j, "last", m, p->last);
    sal_json_end(j);
  }
  sal_json_end(j);
}

static void put_orbit(sal_json *j, const sal_orbit_search *s)
{
  const sal_model *m = &s->map.model;
  const sal_cycle *c = &s->cycle;

  sal_json_members(j, "returns %d, least_returns %d", s->map.setup.returns, c->least);
  put_states(j, "start", m, s->y);
  sal_json_number(j, "period", c->period);
  if (isfinite(s->energy[1])) {
    sal_json_object_of(j, "energy", "start %g, orbit %g", s->energy[0], s->energy[1]);
  }
  put_phases(j, s);
  put_multipliers(j, "multipliers", &c->multipliers);
  put_multipliers(j, "multipliers_by_differences", &s->differences);
  put_matrix(j, "return_map", m, s->map.n_unknown, s->map.unknown, s->dp);
  put_matrix(j, "monodromy", m, s->trace.n_full, s->trace.full, s->trace.monodromy);
  put_states(j, "least", m, s->trace.least);
  put_states(j, "most", m, s->trace.most);
  sal_json_object(j, "checks");
  sal_json_members(j, "closure %g, gap %g, crossing %g, flow %g, chatter %d", c->closure, c->gap,
                   c->crossing, c->flow, c->n_zeno);
  if (c->missed >= 0) {
    sal_json_members(j, "clearance %g, clearance_contact %d, clearance_time %g", c->clearance,
                     c->missed, c->clearance_time);
  }
  sal_json_end(j);
}

static void say_head(const sal_report *r, const sal_orbit_search *s)
{
  const sal_return_setup *u = &s->map.setup;
  const sal_section *x = &s->map.model.section;

  sal_report_say(r, "%s of %s; %s at %g\n\n",
                 s->cycle.why == SAL_CYCLE_FOUND ? "Periodic orbit" : "No orbit", s->map.model.name,
                 u->method->name, u->rtol);
  if (x->period)
    sal_report_say(r, "section     every period of the drive\n");
  else
    sal_report_say(r, "section     %s: contact %d %s\n", x->name, x->contact,
                   x->closes ? "closes" : "opens");
}

static void say_search(const sal_report *r, const sal_orbit_search *s)
{
  const sal_cycle *c = &s->cycle;

  if (s->simulated)
    sal_report_say(r, "guess       a simulation: %d visits, %s\n", s->seed.n_visit,
                   sal_seed_label(&s->seed));
  sal_report_say(r, "found by    %sNewton's iteration, %d iterations\n",
                 s->scanned ? "a scan and " : "", c->iterations);
  if (s->scanned)
    sal_report_say(
        r,
        "scan        from the guess there is none (%s); of %d points around it, %.3g times its "
        "size about,\n            %d in the last box lead to orbits, of which this is the "
        "nearest\n",
        sal_cycle_texts[s->missed].label, s->scan.points, s->scan.reach, s->scan.found);
}

static void say_point(const sal_report *r, const sal_orbit_search *s)
{
  const sal_model *m = &s->map.model;

  sal_report_say(r, "begins at   ");
  for (int i = 0; i < m->n_state; ++i)
    sal_report_say(r, "%s%s = %.15g", i ? ", " : "", m->state[i].name, s->y[i]);
  sal_report_say(r, "\nperiod      %.15g, %d visit%s of the section", s->cycle.period,
                 s->map.setup.returns, sal_text_plural(s->map.setup.returns));
  if (s->cycle.least < s->map.setup.returns)
    sal_report_say(r, ": %d time%s the orbit of %d", s->map.setup.returns / s->cycle.least,
                   sal_text_plural(s->map.setup.returns / s->cycle.least), s->cycle.least);
  if (sal_orbit_search_left_energy(s))
    sal_report_say(
        r,
        "\nenergy      %.9g on the orbit, %.9g at the start: the model conserves energy, so "
        "no run from\n            the start comes to this orbit; each energy may have one of "
        "its own",
        s->energy[1], s->energy[0]);
  sal_report_say(r, "\n\n");
}

static void say_mode(const sal_report *r, const sal_orbit_search *s, const bool closed[])
{
  enum { SHOWN = 16 };
  const int n = sal_model_guards(&s->map.model, s->cycle.param);

  for (int k = 0; k < n && k < SHOWN; ++k) sal_report_say(r, "%d", closed[k]);
  if (n > SHOWN) sal_report_say(r, "..");
}

static void say_phases(const sal_report *r, const sal_orbit_search *s)
{
  enum { SHOWN = 40 };
  const sal_trace *t = &s->trace;
  const sal_model *m = &s->map.model;

  sal_report_say(r, "%18s %18s  %-22s %10s  %s\n", "phase from", "duration", "ends with",
                 "crossing", "closed contacts");
  for (int64_t i = 0; i < t->n && i < SHOWN; ++i) {
    const sal_trace_phase *p = &t->phase[i];
    char name[64];
    if (p->contact < 0)
      snprintf(name, sizeof name, "end of the period");
    else
      snprintf(name, sizeof name, "%s (contact %d)",
               p->closes ? sal_model_contact(m, p->contact)->closes
                         : sal_model_contact(m, p->contact)->opens,
               p->contact);
    sal_report_say(r, "%18.14g %18.14g  %-22s %10.3g  ", p->begin, p->end - p->begin, name,
                   p->steep);
    say_mode(r, s, p->closed);
    sal_report_say(r, "\n");
  }
  if (t->n > SHOWN) sal_report_say(r, "%18s and %lld more\n", "..", (long long)(t->n - SHOWN));
}

static void say_number(const sal_report *r, double re, double im)
{
  char text[64];

  if (im == 0)
    snprintf(text, sizeof text, "%.13g", re);
  else
    snprintf(text, sizeof text, "%.10g %c %.10gi", re, im < 0 ? '-' : '+', fabs(im));
  sal_report_say(r, " %30s", text);
}

static void say_multipliers(const sal_report *r, const sal_orbit_search *s)
{
  const sal_multipliers *a = &s->cycle.multipliers, *b = &s->differences;

  sal_report_say(r, "\n%11s %30s %30s\n", "multipliers", "by saltation", "by differences");
  for (int i = 0; i < a->n; ++i) {
    sal_report_say(r, "%11d", i + 1);
    say_number(r, a->re[i], a->im[i]);
    if (i < b->n) say_number(r, b->re[i], b->im[i]);
    sal_report_say(r, "\n");
  }
  if (a->n == 0) sal_report_say(r, "%11s none: the section is a point\n", "");
}

static void say_extremes(const sal_report *r, const sal_orbit_search *s)
{
  const sal_model *m = &s->map.model;

  sal_report_say(r, "\n%11s %18s %18s\n", "state", "least", "most");
  for (int i = 0; i < m->n_state; ++i)
    sal_report_say(r, "%11s %18.12g %18.12g\n", m->state[i].name, s->trace.least[i],
                   s->trace.most[i]);
}

static void say_checks(const sal_report *r, const sal_orbit_search *s)
{
  const sal_cycle *c = &s->cycle;

  sal_report_say(r, "\nclosure     %.2g, the largest residual over the size of its state\n",
                 c->closure);
  if (c->grazing >= 0)
    sal_report_say(
        r, "events      met to |h| = %.2g; smallest crossing %.3g (0: grazing), contact %d\n",
        c->gap, c->crossing, c->grazing);
  if (isfinite(c->flow))
    sal_report_say(
        r, "flow        the monodromy matrix carries its direction into itself to %.2g\n", c->flow);
  if (c->n_zeno > 0)
    sal_report_say(r, "chatter     %d times a contact comes to rest on the way\n", c->n_zeno);
  sal_report_say(r, "\nverdict     %s: largest multiplier %.10g\n", verdict_of(c),
                 sal_multipliers_radius(&c->multipliers));
  if (c->missed >= 0)
    sal_report_say(
        r,
        "            for pushes that move the gap of contact %d (%s) by less than %.3g: so much "
        "it keeps\n            at t = %.6g, where it turns back\n",
        c->missed, sal_model_contact(&s->map.model, c->missed)->closes, c->clearance,
        c->clearance_time);
}

static void say_matrix(const sal_report *r, const char *title, const sal_model *m, int n,
                       const int state[], const double A[])
{
  sal_report_say(r, "\n%s\n%8s", title, "");
  for (int j = 0; j < n; ++j) sal_report_say(r, " %14s", m->state[state[j]].name);
  sal_report_say(r, "\n");
  for (int i = 0; i < n; ++i) {
    sal_report_say(r, "%8s", m->state[state[i]].name);
    for (int j = 0; j < n; ++j) sal_report_say(r, " %14.9g", A[i * n + j]);
    sal_report_say(r, "\n");
  }
}

static void say_orbit(const sal_report *r, const sal_orbit_search *s, bool matrices)
{
  const sal_model *m = &s->map.model;

  say_search(r, s);
  say_point(r, s);
  say_phases(r, s);
  say_multipliers(r, s);
  say_extremes(r, s);
  if (matrices) {
    say_matrix(r, "derivative of the return map", m, s->map.n_unknown, s->map.unknown, s->dp);
    say_matrix(r, "monodromy matrix, after the last event", m, s->trace.n_full, s->trace.full,
               s->trace.monodromy);
  }
  say_checks(r, s);
}

/* The course of the search, whether it found an orbit or not. */
static void put_search(sal_json *j, const sal_orbit_search *s)
{
  sal_json_members(j, "model %s, section %s, outcome %s, verdict %s, iterations %d",
                   s->map.model.name, s->map.model.section.name,
                   sal_cycle_texts[s->cycle.why].label, verdict_of(&s->cycle), s->cycle.iterations);
  if (s->simulated) sal_json_whole(j, "visits", s->seed.n_visit);
  if (s->scanned) {
    sal_json_object_of(j, "scan", "from_the_guess %s, points %d, reach %g, found %d",
                       sal_cycle_texts[s->missed].label, s->scan.points, s->scan.reach,
                       s->scan.found);
  }
}

/* Hint for a simulation that has found no orbit. */
static const char *hint(const sal_orbit_search *s)
{
  const sal_return_end why = s->seed.why;

  if (!s->simulated || s->cycle.iterations > 0) return "";
  if (why == SAL_RETURN_LOST || (why == SAL_RETURN_RESTS && s->seed.n_visit == 0))
    return "; --initial may start elsewhere, --t-end waits longer";
  if (why == SAL_RETURN_RESTS)
    return "; see `saltus list models` for a parameter that feeds energy";
  return sal_seed_goes_on(&s->seed) && s->cycle.why != SAL_CYCLE_FOUND
             ? "; more --visits may, or a --guess"
             : "";
}

void sal_orbit_print_why(const sal_orbit_search *s, sal_text *out)
{
  sal_orbit_search_explain(s, out);
  sal_text_add(out, "%s", hint(s));
}

static void print_failure(sal_report *r, const sal_orbit_search *s)
{
  sal_text why = {0};

  sal_orbit_print_why(s, &why);
  sal_json_text(&r->json, "why", why.string);
  sal_report_say(r, "\nverdict     %s: %s\n", sal_cycle_texts[s->cycle.why].label,
                 why.string ? why.string : sal_cycle_texts[s->cycle.why].what);
  sal_text_free(&why);
}

void sal_orbit_print(sal_report *r, const sal_orbit_search *s, bool matrices)
{
  put_search(&r->json, s);
  say_head(r, s);
  if (s->cycle.why != SAL_CYCLE_FOUND) {
    print_failure(r, s);
    return;
  }
  put_orbit(&r->json, s);
  say_orbit(r, s, matrices);
}
