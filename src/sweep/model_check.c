/** The rules of a model's descriptor, one after the other. */
#include "model_check.h"
#include "base.h"
#include "model_point.h"
#include "parameter_column.h"
#include "registry.h"
#include <stdarg.h>

static const char *flaw_of(char text[SAL_MODEL_CHECK_TEXT], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static const char *flaw_of(char text[SAL_MODEL_CHECK_TEXT], const char *format, ...)
{
  va_list args;

  va_start(args, format);
  vsnprintf(text, SAL_MODEL_CHECK_TEXT, format, args);
  va_end(args);
  return text;
}

static const char *flaw_of_texts(const sal_model *m, char text[])
{
  const struct {
    const char *what, *is;
  } texts[] = {{"name", m->name}, {"title", m->title}, {"source", m->source}};

  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    if (!texts[i].is || !texts[i].is[0]) return flaw_of(text, "it has no %s", texts[i].what);
  return NULL;
}

static const char *flaw_of_counts(const sal_model *m, char text[])
{
  const struct {
    const char *what;
    int is, least, most;
  } counts[] = {
      {"states", m->n_state, 1, SAL_MAX_STATE},
      {"contacts", m->n_guard, 0, SAL_MAX_GUARD},
      {"parameters", m->n_param, 0, SAL_MAX_PARAM},
      {"options", m->n_option, 0, SAL_MAX_OPTION},
      {"constants", m->n_const, 0, SAL_MAX_CONST},
      {"discrete states, with at least one that is none", m->n_discrete, 0, m->n_state - 1}};

  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
    if (counts[i].is < counts[i].least || counts[i].is > counts[i].most)
      return flaw_of(text, "%d %s; allowed: %d to %d", counts[i].is, counts[i].what,
                     counts[i].least, counts[i].most);
  if (m->counted_by < 0 || m->counted_by > m->n_param)
    return flaw_of(text, "its contacts are counted by parameter %d of %d", m->counted_by,
                   m->n_param);
  if (m->n_const > 0 && !m->constants)
    return flaw_of(text, "it has constants, and nothing sets them");
  return NULL;
}

/* The ranges, each in the one around it. */
static const char *flaw_of_field(const sal_field *f, const char *what, int i, char text[])
{
  if (!f->name || !f->name[0] || !f->unit || !f->what)
    return flaw_of(text, "%s %d lacks a name, a unit or a meaning", what, i);
  if (!isfinite(f->preset))
    return flaw_of(text, "%s %s: preset %g; allowed: any finite number", what, f->name, f->preset);
  if (!(f->lo <= f->preset && f->preset <= f->hi))
    return flaw_of(text, "%s %s: preset %g lies outside of [%g, %g]", what, f->name, f->preset,
                   f->lo, f->hi);
  if (!(f->least <= f->lo && f->hi <= f->most))
    return flaw_of(text, "%s %s: [%g, %g] is more than is admissible, [%g, %g]", what, f->name,
                   f->lo, f->hi, f->least, f->most);
  return NULL;
}

static const char *flaw_of_fields(const sal_model *m, char text[])
{
  const char *flaw = NULL;

  for (int i = 0; i < m->n_state && !flaw; ++i)
    flaw = flaw_of_field(&m->state[i], "state", i, text);
  for (int i = 0; i < m->n_param && !flaw; ++i)
    flaw = flaw_of_field(&m->param[i], "parameter", i, text);
  for (int i = 0; i < m->n_option && !flaw; ++i)
    if (!m->option[i].name || !m->option[i].what || !m->option[i].choice[0])
      flaw = flaw_of(text, "option %d lacks a name, a meaning or a choice", i);
  return flaw;
}

/* Columns, axes and coordinates of cubes go by these names. */
static const char *flaw_of_names(const sal_model *m, char text[])
{
  const int n = sal_parameter_column_count(m);

  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i; ++k)
      if (strcmp(sal_parameter_column_name(m, i), sal_parameter_column_name(m, k)) == 0)
        return flaw_of(text, "two of its parameters, options and states are called %s",
                       sal_parameter_column_name(m, i));
  for (int i = 0; i < n; ++i) {
    const bool state = i >= m->n_param + m->n_option;
    const char *name = sal_parameter_column_name(m, i);
    if (state ? sal_cube_names_state(name) : sal_cube_names_parameter(name))
      return flaw_of(text, "%s '%s': cubes have a dataset of that name; choose another name",
                     i < m->n_param ? "parameter"
                     : state        ? "state"
                                    : "option",
                     name);
  }
  return NULL;
}

static const char *flaw_of_contacts(const sal_model *m, char text[])
{
  if (m->n_guard > 0 && !m->contact[0].closes)
    return flaw_of(text, "the events of its contacts have no names");
  for (int k = 0; k < SAL_MAX_CONTACT && m->contact[k].closes; ++k)
    if (!m->contact[k].opens)
      return flaw_of(text, "the contact that closes by '%s' has no name for opening",
                     m->contact[k].closes);
  return NULL;
}

/* Checks the watched state, the span and the reference. */
static const char *flaw_of_run(const sal_model *m, char text[])
{
  const sal_method *reference = sal_registry_reference(m);

  if (m->watch < 0 || m->watch >= sal_model_continuous(m))
    return flaw_of(text, "its errors are scored on state %d; allowed: 0 to %d, the continuous ones",
                   m->watch, sal_model_continuous(m) - 1);
  if (!(m->span > 0 && isfinite(m->span)))
    return flaw_of(text, "its runs take %g by default; allowed: greater than 0", m->span);
  if (!reference)
    return flaw_of(text, "its reference is by %s, which is not a method", m->reference);
  if (sal_model_has_mass(m) && !reference->mass)
    return flaw_of(text, "its reference is by %s, which solves no mass matrix", reference->name);
  return NULL;
}

/* Checks the flows, which come after the pointers. */
static const char *flaw_of_flows(const sal_model *m, char text[])
{
  const char *flaw = sal_model_flow_flaw(m);

  return flaw ? flaw_of(text, "%s", flaw) : NULL;
}

const char *sal_model_check(const sal_model *m, char text[SAL_MODEL_CHECK_TEXT])
{
  static const char *(*const rules[])(const sal_model *, char[]) = {
      flaw_of_texts, flaw_of_counts,   flaw_of_fields, flaw_of_names,
      flaw_of_flows, flaw_of_contacts, flaw_of_run};
  const char *flaw = NULL;

  for (size_t i = 0; i < sizeof rules / sizeof *rules && !flaw; ++i) flaw = rules[i](m, text);
  return flaw;
}

sal_err sal_model_check_start(const char *where, const sal_model *m, const double param[],
                              const double initial[])
{
  double gap;
  double *memory = m->n_memory > 0 ? sal_alloc((size_t)m->n_memory, sizeof *memory) : NULL;
  const int k = sal_model_beyond(m, param, initial, memory, &gap);

  sal_free(memory);
  return k < 0 ? SAL_OK
               : sal_fail(SAL_ERR_USAGE,
                          "%s: model %s begins beyond the surface of contact %d (%s): its gap is "
                          "%.9g; allowed: 0, on the surface, or more",
                          where, m->name, k, sal_model_contact(m, k)->closes, gap);
}
