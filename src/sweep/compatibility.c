/** Rules by which methods, strategies and models go together. */
#include "compatibility.h"
#include "band_order.h"
#include "base.h"
#include "capture.h"
#include "model_point.h"

static bool is_not_driven(const sal_setup *s)
{
  return !sal_strategy_drives(s->strategy, s->method);
}

static bool is_other_kind(const sal_setup *s)
{
  return s->strategy->captures != s->method->captures;
}

static bool lacks_motion(const sal_setup *s) { return s->method->captures && !s->model->motion; }

_Static_assert(SAL_CAPTURE_STEPS == 10000000, "a sentence below has the number");
static bool takes_too_many(const sal_setup *s)
{
  const double longest = s->max_step > 0 ? s->max_step : INFINITY;

  return s->method->captures && s->rtol > 0 &&
         sal_capture_steps(s, s->t_end, longest) > SAL_CAPTURE_STEPS;
}

static bool is_not_engines(const sal_setup *s) { return s->method->engine && is_not_driven(s); }

static bool misses_jumps(const sal_setup *s)
{
  return !sal_strategy_meets_jumps(s->strategy, s->model);
}

static bool misses_ends(const sal_setup *s)
{
  return !sal_strategy_meets_ends(s->strategy, s->model);
}

static bool rubs_in_space(const sal_setup *s)
{
  return s->model->rubs_in_space && !s->method->captures;
}

static bool has_own_impacts(const sal_setup *s)
{
  return s->method->captures && sal_model_special_impacts(s->model);
}

static bool is_of_first_order(const sal_setup *s)
{
  return !sal_method_solves(s->method, s->model);
}

static bool lacks_mass(const sal_setup *s)
{
  return sal_model_has_mass(s->model) && !s->method->mass;
}

static bool lacks_jacobian(const sal_setup *s)
{
  return s->jacobian == SAL_JACOBIAN_ANALYTIC && s->method->implicit &&
         !sal_model_has_jacobian(s->model);
}

_Static_assert(SAL_MAX_DENSE == 128 && SAL_MAX_BAND == 64, "a sentence below has the numbers");
static bool is_too_wide(const sal_setup *s)
{
  const sal_model *m = s->model;
  const bool banded = m->band.lower + m->band.upper > 0 && !s->method->captures;

  return s->method->implicit && sal_model_continuous(m) > SAL_MAX_DENSE && !banded;
}

static bool has_zone_in_time(const sal_setup *s) { return s->strategy->in_gap && s->zone_in_time; }

/* A sentence names what does not go together in braces. */
static const struct {
  bool (*is_flawed)(const sal_setup *setup);
  const char *sentence;
} rules[] = {
    {is_other_kind, "strategy {strategy} does not go with method {method}: strategy capture drives "
                    "methods of time stepping (moreau), and these need it"},
    {lacks_motion, "method {method} needs mass, forces and rigid contacts with laws, and model "
                   "{model} does not have them apart"},
    {rubs_in_space,
     "model {model} has friction in space, which method moreau with strategy capture "
     "alone solves: {method} does not"},
    {has_own_impacts,
     "method {method} has Newton's law of impacts for all contacts at once, and model "
     "{model} has {impacts}"},
    {takes_too_many,
     "method {method} takes steps of rtol times the capture_unit of model {model}, or "
     "of max_step, and at most 10000000 steps: longer ones or a shorter run is needed"},
    {is_not_engines, "strategy {strategy} projects states or takes fixed steps, and {method} sets "
                     "its own steps; allowed with it: strategies that do neither"},
    {is_not_driven, "strategy {strategy} works with one-step methods only, and {method} is none"},
    {misses_jumps,
     "model {model} resets its state at its events ({events}), and strategy {strategy} finds none"},
    {misses_ends, "model {model} ends its runs at contacts, and strategy {strategy} finds none"},
    {is_of_first_order,
     "method {method} is for second-order systems y'' = f(t, y, y') alone, and model {model} has "
     "states that are neither a position nor its velocity"},
    {lacks_mass, "model {model} has a mass matrix, which method {method} does not solve"},
    {lacks_jacobian, "method {method} is to take the Jacobian of model {model}, which has none of "
                     "its own: jacobian = analytic; allowed: differences"},
    {is_too_wide,
     "method {method} factorises full Jacobians of at most 128 states and bands of at most 64 "
     "on each side of the diagonal, and model {model} has more"},
    {has_zone_in_time,
     "the zone of strategy {strategy} is one in units of the gap, and not in time"},
};

/* "impact, touchdown": what contacts do when they close, each name once. */
static void list_events(const sal_model *m, char list[SAL_COMPATIBILITY_TEXT])
{
  size_t n = 0;

  list[0] = '\0';
  for (int k = 0; k < SAL_MAX_CONTACT && m->contact[k].closes; ++k) {
    bool known = false;
    for (int i = 0; i < k; ++i)
      known = known || strcmp(m->contact[i].closes, m->contact[k].closes) == 0;
    if (known || n >= SAL_COMPATIBILITY_TEXT / 2) continue;
    n += (size_t)snprintf(list + n, SAL_COMPATIBILITY_TEXT - n, "%s%s", n ? ", " : "",
                          m->contact[k].closes);
  }
}

/* The sentence with the names in it. */
static void write_sentence(const sal_setup *s, const char *sentence,
                           char text[SAL_COMPATIBILITY_TEXT])
{
  char events[SAL_COMPATIBILITY_TEXT];
  list_events(s->model, events);
  const struct {
    const char *word, *name;
  } names[] = {{"{model}", s->model->name},
               {"{events}", events},
               {"{impacts}", sal_model_special_impacts(s->model)},
               {"{method}", s->method->name},
               {"{strategy}", s->strategy->name}};
  size_t n = 0;

  while (*sentence && n + 1 < SAL_COMPATIBILITY_TEXT) {
    const char *name = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !name; ++i) {
      const size_t length = strlen(names[i].word);
      if (strncmp(sentence, names[i].word, length) != 0) continue;
      name = names[i].name;
      sentence += length;
    }
    if (name)
      n += (size_t)snprintf(text + n, SAL_COMPATIBILITY_TEXT - n, "%s", name);
    else
      text[n++] = *sentence++;
  }
  text[n < SAL_COMPATIBILITY_TEXT ? n : SAL_COMPATIBILITY_TEXT - 1] = '\0';
}

const char *sal_compatibility_flaw(const sal_setup *setup, char text[SAL_COMPATIBILITY_TEXT])
{
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (rules[i].is_flawed(setup)) {
      write_sentence(setup, rules[i].sentence, text);
      return text;
    }
  return NULL;
}

/* The widest gap at the start; 0 when no contact is open. */
static double widest_gap(const sal_model *model, const double param[], const double initial[])
{
  double gap[SAL_MAX_GUARD], widest = 0;

  sal_model_gaps(model, param, 0, initial, gap);
  for (int k = 0; k < sal_model_guards(model, param); ++k) widest = fmax(widest, gap[k]);
  return widest;
}

const char *sal_compatibility_zone_flaw(const sal_model *model, const double param[],
                                        const double initial[], double zone, bool in_time,
                                        double t_end, char text[SAL_COMPATIBILITY_TEXT])
{
  const double limit = in_time ? t_end : widest_gap(model, param, initial);

  if (zone < limit || (!in_time && limit == 0)) return NULL;
  if (in_time)
    snprintf(text, SAL_COMPATIBILITY_TEXT,
             "a zone of %g in time; allowed: shorter than the run, %g", zone, t_end);
  else
    snprintf(text, SAL_COMPATIBILITY_TEXT,
             "a zone of %g holds every contact at the start; allowed: narrower than the drop, %g",
             zone, limit);
  return text;
}
