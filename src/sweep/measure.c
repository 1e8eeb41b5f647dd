/** Scales as sizes of units, and numbers read by them. */
#include "measure.h"
#include "argument.h"
#include "base.h"
#include "scalar_math.h"
#include "si_unit.h"
#include "units.h"

static bool has_unit(const char *unit) { return strcmp(unit, "1") != 0; }

/* SI unit of state i: the unit in the model, else in its description, else by the derivative that it is. */
static const char *si_unit(const sal_model *m, int i)
{
  const char *const *said = m->physical ? m->physical->state_unit : NULL;

  if (has_unit(m->state[i].unit)) return m->state[i].unit;
  if (said && said[i]) return said[i];
  if (m->velocity[i]) return "m";
  for (int k = 0; k < sal_model_continuous(m); ++k)
    if (m->velocity[k] == i + 1) return has_unit(m->state[k].unit) ? "1" : "m/s";
  return "1";
}

void sal_measure_begin(sal_measure *measure, const sal_model *model)
{
  *measure = (sal_measure){
      .model = model, .scales = {.second = 1, .metre = 1, .kilogram = 1}, .si = *model};
}

void sal_measure_set(sal_measure *measure, const sal_scales *scales)
{
  measure->physical = true;
  measure->scales = *scales;
  measure->si.time = "s";
  for (int i = 0; i < measure->model->n_state; ++i)
    measure->si.state[i].unit = si_unit(measure->model, i);
}

double sal_measure_size(const sal_measure *measure, const char *unit)
{
  const sal_si_unit u = sal_si_unit_read(unit);
  const sal_scales *s = &measure->scales;
  const double mass = s->kilogram > 0 ? s->kilogram : 1;

  if (!measure->physical || u.kind != SAL_SI_UNIT_KNOWN) return 1;
  return sal_scalar_pow(s->metre, u.power[0]) * sal_scalar_pow(mass, u.power[1]) *
         sal_scalar_pow(s->second, u.power[2]);
}

sal_err sal_measure_read(const char *where, const char *what, const char *text,
                         const sal_measure *measure, const char *own, const char *si, double *value)
{
  const bool given = sal_units_given(text);

  if (!given && !has_unit(own)) return sal_units_read(where, what, text, own, value);
  if (given && !has_unit(own) && !measure->physical) {
    const sal_err err = sal_units_read(where, what, text, own, value);
    if (err != SAL_OK)
      sal_err_add(measure->model->physical ? "; with --physical it may have one (saltus list %s)"
                                           : "; model %s has no scale of it",
                  measure->model->name);
    return err;
  }
  SAL_TRY(sal_units_read(where, what, text, si, value));
  *value /= sal_measure_size(measure, si);
  return SAL_OK;
}

sal_err sal_measure_time(const char *where, const char *text, const sal_measure *measure,
                         double *value)
{
  SAL_TRY(sal_measure_read(where, "a time", text, measure, sal_units_of_time(measure->model), "s",
                           value));
  if (*value > 0 && isfinite(*value)) return SAL_OK;
  return sal_fail(SAL_ERR_USAGE, "%s: '%s' is not allowed; allowed: greater than 0", where, text);
}

double sal_measure_span(const sal_measure *measure)
{
  const bool timed = has_unit(sal_units_of_time(measure->model));

  return timed ? measure->model->span / sal_measure_size(measure, "s") : measure->model->span;
}

static sal_err read_state(const char *where, const char *name, const char *text,
                          const sal_measure *m, double initial[])
{
  const char *names[SAL_MAX_STATE + 1] = {NULL};

  for (int i = 0; i < m->model->n_state; ++i) {
    const sal_field *field = &m->model->state[i];
    names[i] = field->name;
    if (strcmp(field->name, name) != 0) continue;
    if (!m->physical &&
        (has_unit(field->unit) || !strchr("+-.0123456789", text[0]) || !sal_units_given(text)))
      return sal_argument_field(where, field, text, &initial[i]);
    SAL_TRY(sal_measure_read(where, name, text, m, field->unit, m->si.state[i].unit, &initial[i]));
    return sal_argument_number(where, field, initial[i]);
  }
  return sal_text_unknown(SAL_ERR_USAGE, where, "state", name, names);
}

sal_err sal_measure_initial(const char *where, const char *text, const sal_measure *measure,
                            double initial[])
{
  while (text) {
    char name[SAL_MAX_ITEM] = "", value[SAL_MAX_ITEM] = "";
    SAL_TRY(sal_argument_item(where, &text, name, value));
    SAL_TRY(read_state(where, name, value, measure, initial));
  }
  return SAL_OK;
}

void sal_measure_states(const sal_measure *measure, int64_t n, double t[], double state[])
{
  const int n_state = measure->model->n_state;

  for (int64_t j = 0; t && j < n; ++j) t[j] *= measure->scales.second;
  for (int i = 0; i < n_state; ++i) {
    const double size = sal_measure_size(measure, measure->si.state[i].unit);
    for (int64_t j = 0; j < n; ++j) state[j * n_state + i] *= size;
  }
}
