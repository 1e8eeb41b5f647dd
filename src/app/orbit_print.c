/** @file src/app/orbit_print.c
 *  Orbits as text.
 */
#include "orbit_print.h"
#include "memory.h"
#include <math.h>
#include <stdio.h>

/* Closer to the unit circle than this is on it. */
static const double margin = 1e-6;

const char *sal_orbit_print_verdict(const sal_cycle *c)
{
  if (c->why != SAL_CYCLE_FOUND) return "no orbit";
  const double radius = sal_multipliers_radius(&c->multipliers);
  if (fabs(radius - 1) <= margin) return "neutral";
  return radius < 1 ? "stable" : "unstable";
}

static void print_head(const sal_orbit_search *s)
{
  const sal_return_setup *u = &s->map.setup;
  const sal_section *x = &s->map.model.section;

  printf("%s of %s; %s at %g\n\n", s->cycle.why == SAL_CYCLE_FOUND ? "Periodic orbit" : "No orbit",
         s->map.model.name, u->method->name, u->rtol);
  if (x->period)
    printf("section     every period of the drive\n");
  else
    printf("section     %s: contact %d %s\n", x->name, x->contact, x->closes ? "closes" : "opens");
}

static void print_search(const sal_orbit_search *s)
{
  const sal_cycle *c = &s->cycle;

  if (s->simulated)
    printf("guess       a simulation: %d visits, %s\n", s->seed.n_visit,
           sal_seed_texts[s->seed.why].label);
  if (s->shot)
    printf("found by    SNES over %d piece%s, %d iterations: %s\n", s->report.pieces,
           sal_text_plural(s->report.pieces), s->report.iterations, s->report.reason);
  else
    printf("found by    %sNewton's iteration, %d iterations\n", s->scanned ? "a scan and " : "",
           c->iterations);
  if (s->scanned)
    printf("scan        from the guess there is none (%s); of %d points around it, %.3g times its "
           "size about,\n            %d in the last box lead to orbits, of which this is the "
           "nearest\n",
           sal_cycle_texts[s->missed].label, s->scan.points, s->scan.reach, s->scan.found);
}

static void print_point(const sal_orbit_search *s)
{
  const sal_model *m = &s->map.model;

  printf("begins at   ");
  for (int i = 0; i < m->n_state; ++i)
    printf("%s%s = %.15g", i ? ", " : "", m->state[i].name, s->y[i]);
  printf("\nperiod      %.15g, %d visit%s of the section", s->cycle.period, s->map.setup.returns,
         sal_text_plural(s->map.setup.returns));
  if (s->cycle.least < s->map.setup.returns)
    printf(": %d time%s the orbit of %d", s->map.setup.returns / s->cycle.least,
           sal_text_plural(s->map.setup.returns / s->cycle.least), s->cycle.least);
  printf("\n\n");
}

static void print_mode(const sal_orbit_search *s, const bool closed[])
{
  enum { SHOWN = 16 };
  const int n = sal_model_guards(&s->map.model, s->cycle.param);

  for (int k = 0; k < n && k < SHOWN; ++k) putchar(closed[k] ? '1' : '0');
  if (n > SHOWN) printf("..");
}

static void print_phases(const sal_orbit_search *s)
{
  enum { SHOWN = 40 };
  const sal_trace *t = &s->trace;
  const sal_model *m = &s->map.model;

  printf("%18s %18s  %-22s %10s  %s\n", "phase from", "duration", "ends with", "crossing",
         "closed contacts");
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
    printf("%18.14g %18.14g  %-22s %10.3g  ", p->begin, p->end - p->begin, name, p->steep);
    print_mode(s, p->closed);
    printf("\n");
  }
  if (t->n > SHOWN) printf("%18s and %lld more\n", "..", (long long)(t->n - SHOWN));
}

static void print_number(double re, double im)
{
  char text[64];

  if (im == 0)
    snprintf(text, sizeof text, "%.13g", re);
  else
    snprintf(text, sizeof text, "%.10g %c %.10gi", re, im < 0 ? '-' : '+', fabs(im));
  printf("%28s", text);
}

static void print_multipliers(const sal_orbit_search *s)
{
  const sal_multipliers *a = &s->cycle.multipliers, *b = &s->differences;

  printf("\n%11s %28s %28s\n", "multipliers", "by saltation", "by differences");
  for (int i = 0; i < a->n; ++i) {
    printf("%11d ", i + 1);
    print_number(a->re[i], a->im[i]);
    if (i < b->n) print_number(b->re[i], b->im[i]);
    printf("\n");
  }
  if (a->n == 0) printf("%11s none: the section is a point\n", "");
}

static void print_extremes(const sal_orbit_search *s)
{
  const sal_model *m = &s->map.model;

  printf("\n%11s %18s %18s\n", "state", "least", "most");
  for (int i = 0; i < m->n_state; ++i)
    printf("%11s %18.12g %18.12g\n", m->state[i].name, s->trace.least[i], s->trace.most[i]);
}

static void print_checks(const sal_orbit_search *s)
{
  const sal_cycle *c = &s->cycle;

  printf("\nclosure     %.2g, the largest residual over the size of its state\n", c->closure);
  if (c->n_event > 0)
    printf("events      met to |h| = %.2g; smallest crossing %.3g (0: grazing), contact %d\n",
           c->gap, c->crossing, c->grazing);
  if (isfinite(c->flow))
    printf("flow        the monodromy matrix carries its direction into itself to %.2g\n", c->flow);
  if (c->n_zeno > 0) printf("chatter     %d times a contact comes to rest on the way\n", c->n_zeno);
  printf("\nverdict     %s: largest multiplier %.10g\n", sal_orbit_print_verdict(c),
         sal_multipliers_radius(&c->multipliers));
  if (c->missed >= 0)
    printf("            for pushes that move the gap of contact %d (%s) by less than %.3g: so much "
           "it keeps\n            at t = %.6g, where it turns back\n",
           c->missed, sal_model_contact(&s->map.model, c->missed)->closes, c->clearance,
           c->clearance_time);
}

static void print_matrix(const char *title, const sal_model *m, int n, const int state[],
                         const double A[])
{
  printf("\n%s\n%8s", title, "");
  for (int j = 0; j < n; ++j) printf(" %14s", m->state[state[j]].name);
  printf("\n");
  for (int i = 0; i < n; ++i) {
    printf("%8s", m->state[state[i]].name);
    for (int j = 0; j < n; ++j) printf(" %14.9g", A[i * n + j]);
    printf("\n");
  }
}

void sal_orbit_print(const sal_orbit_search *s, bool matrices)
{
  sal_text why = {0};

  print_head(s);
  if (s->cycle.why != SAL_CYCLE_FOUND) {
    sal_orbit_search_explain(s, &why);
    printf("\nverdict     %s: %s\n", sal_cycle_texts[s->cycle.why].label,
           why.string ? why.string : sal_cycle_texts[s->cycle.why].what);
    sal_text_free(&why);
    return;
  }
  print_search(s);
  print_point(s);
  print_phases(s);
  print_multipliers(s);
  print_extremes(s);
  if (matrices) {
    print_matrix("derivative of the return map", &s->map.model, s->map.n_unknown, s->map.unknown,
                 s->dp);
    print_matrix("monodromy matrix, after the last event", &s->map.model, s->trace.n_full,
                 s->trace.full, s->trace.monodromy);
  }
  print_checks(s);
}
