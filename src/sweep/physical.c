/** Quantities of a real system as text, and the model's own conversion. */
#include "physical.h"
#include "argument.h"
#include "base.h"
#include "parameter_column.h"
#include "quantities.h"
#include "registry.h"
#include "units.h"
#include "value.h"

bool sal_physical_takes(const sal_model *model)
{
  return model->physical || sal_natural_has(model);
}

static sal_err refuse_model(const char *where, const sal_model *model)
{
  SAL_OWN_BY(sal_text_free) sal_text allowed = {0};

  for (const sal_model *const *m = sal_registry_models; *m; ++m)
    if (sal_physical_takes(*m))
      sal_text_add(&allowed, "%s%s", allowed.length ? ", " : "", (*m)->name);
  return sal_fail(SAL_ERR_USAGE, "%s: model %s has no physical quantities; allowed: %s", where,
                  model->name, allowed.string ? allowed.string : "no model");
}

enum { GROUND, RADIUS, SPEED, REBOUND, N_GROUND_NAME };
static const char *const ground_names[] = {"ground", "radius", "speed", "rebound"};

typedef struct {
  const sal_terrain *ground; /* NULL: none is asked for */
  double of[N_GROUND_NAME];  /* NaN: not given */
} toe;

static sal_err read_toe(const char *where, int which, const char *text, toe *t)
{
  static const char *const units[] = {[RADIUS] = "m", [SPEED] = "m/s", [REBOUND] = "1"};
  double *value = &t->of[which];

  if (which == GROUND) return sal_terrain_find(where, text, &t->ground);
  SAL_TRY(sal_units_read(where, ground_names[which], text, units[which], value));
  if (which != REBOUND && !sal_units_given(text))
    return sal_fail(SAL_ERR_USAGE, "%s: %s = %s has no unit; allowed: %s and others of its kind",
                    where, ground_names[which], text, units[which]);
  if (*value > 0 && (which != REBOUND || *value <= 1)) return SAL_OK;
  return sal_fail(SAL_ERR_USAGE, "%s: %s = %s is not allowed; allowed: above 0%s", where,
                  ground_names[which], text, which == REBOUND ? ", up to 1" : "");
}

static sal_err lacks(const char *where, const toe *t, const char *what, const char *instead)
{
  return sal_fail(SAL_ERR_USAGE, "%s: ground = %s: no %s of it is published; give %s", where,
                  t->ground->name, what, instead);
}

static sal_err fail_missing(const char *where, const char *name, const char *what)
{
  return sal_fail(SAL_ERR_USAGE, "%s: %s, the %s, is missing", where, name, what);
}

/* c [s/m] of the ground, or of the rebound that is given. */
static sal_err loss_of(const char *where, const toe *t, double *loss)
{
  *loss = t->ground->loss;
  if (!isnan(t->of[REBOUND])) {
    if (isnan(t->of[SPEED])) return fail_missing(where, "speed", "speed of that rebound");
    *loss = sal_terrain_loss(t->of[REBOUND], t->of[SPEED]);
  }
  return isnan(*loss) ? lacks(where, t, "loss", "rebound and speed, or its damping") : SAL_OK;
}

static sal_err ground_damping(const char *where, const sal_physical *p, const toe *t,
                              double value[])
{
  const int mass = p->ground.mass - 1;
  const double stiffness = value[p->ground.stiffness - 1];
  double *out = &value[p->ground.damping - 1], loss;

  SAL_TRY(loss_of(where, t, &loss));
  if (mass < 0) {
    *out = 1.5 * loss * stiffness;
    return SAL_OK;
  }
  if (isnan(t->of[SPEED]))
    return fail_missing(where, "speed",
                        "speed of touchdown, at which a linear damper loses as much");
  *out = sal_terrain_linear_damping(stiffness, value[mass],
                                    sal_terrain_restitution(loss, t->of[SPEED]));
  return SAL_OK;
}

/* Sets values that the ground gives and the text does not. */
static sal_err use_ground(const char *where, const sal_model *m, const toe *t, double value[])
{
  const sal_physical *p = m->physical;

  if (!p->ground.stiffness)
    return sal_fail(SAL_ERR_USAGE, "%s: model %s has no ground to choose", where, m->name);
  double *stiffness = &value[p->ground.stiffness - 1];
  if (isnan(*stiffness)) {
    if (isnan(t->ground->young)) return lacks(where, t, "stiffness", "its stiffness");
    if (isnan(t->of[RADIUS])) return fail_missing(where, "radius", "radius of the toe");
    *stiffness = p->ground.mass ? sal_terrain_punch(t->ground, t->of[RADIUS])
                                : sal_terrain_sphere(t->ground, t->of[RADIUS]);
  }
  if (p->ground.mass && isnan(value[p->ground.mass - 1])) return SAL_OK; /* reported as missing */
  return isnan(value[p->ground.damping - 1]) ? ground_damping(where, p, t, value) : SAL_OK;
}

/* The restitution of a rigid contact, where the text does not give it. */
static sal_err use_rebound(const char *where, const sal_model *m, const toe *t, bool given,
                           double value[])
{
  if (!m->natural.restitution)
    return sal_fail(SAL_ERR_USAGE, "%s: model %s has no ground to choose", where, m->name);
  if (given) return SAL_OK;
  const double e = isnan(t->of[REBOUND]) ? t->ground->restitution : t->of[REBOUND];
  if (isnan(e)) return lacks(where, t, "restitution", "rebound");
  value[m->natural.restitution - 1] = e;
  return SAL_OK;
}

static int rank_in(int n, const char *const names[], const char *name)
{
  for (int i = 0; i < n; ++i)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

/* Names that may be given, in this order: quantities, then columns with other names, then values of a ground. */
typedef struct {
  int n_quantity, n_column;
  const char *name[SAL_MAX_PHYSICAL + SAL_MAX_QUANTITY + N_GROUND_NAME + 1];
  double quantity[SAL_MAX_PHYSICAL];
  bool given[SAL_MAX_QUANTITY];
  toe toe;
} list;

static void begin_list(const sal_model *m, list *l)
{
  const sal_physical *p = m->physical;

  *l = (list){.n_quantity = p ? p->n_quantity : 0,
              .n_column = sal_parameter_column_count(m),
              .toe = {NULL, {NAN, NAN, NAN, NAN}}};
  for (int i = 0; i < l->n_quantity; ++i) {
    l->name[i] = p->quantity[i].name;
    l->quantity[i] = p->quantity[i].preset;
  }
  for (int k = 0; k < l->n_column; ++k)
    l->name[l->n_quantity + k] = sal_parameter_column_name(m, k);
  for (int i = 0; i < N_GROUND_NAME; ++i)
    l->name[l->n_quantity + l->n_column + i] = ground_names[i];
}

static sal_err read_column(const char *where, const sal_model *m, int k, const char *text,
                           const sal_measure *measure, double *value)
{
  const int state = k - m->n_param - m->n_option;
  const sal_field *field = sal_parameter_column_field(m, k);

  if (state < 0 || !measure->physical) return sal_argument_column(where, m, k, text, value);
  SAL_TRY(sal_measure_read(where, field->name, text, measure, field->unit,
                           measure->si.state[state].unit, value));
  return sal_argument_number(where, field, *value);
}

/* A column with the name of a quantity is that quantity. */
static sal_err fail_name(const char *where, const char *name, const list *l)
{
  const char *names[SAL_MAX_PHYSICAL + SAL_MAX_QUANTITY + N_GROUND_NAME + 1] = {NULL};
  int n = 0;

  for (int i = 0; i < l->n_quantity + l->n_column + N_GROUND_NAME; ++i)
    if (rank_in(i, l->name, l->name[i]) < 0) names[n++] = l->name[i];
  return sal_text_unknown(SAL_ERR_USAGE, where, "quantity", name, names);
}

/* One pass over the text: quantities and the ground, or the columns. */
static sal_err read_items(const char *where, const sal_model *m, const char *text, bool columns,
                          const sal_measure *measure, list *l, double value[])
{
  const int n = l->n_quantity + l->n_column + N_GROUND_NAME;

  while (text) {
    char name[SAL_MAX_ITEM] = "", item[SAL_MAX_ITEM] = "";
    SAL_TRY(sal_argument_item(where, &text, name, item));
    const int i = rank_in(n, l->name, name), k = i - l->n_quantity, g = k - l->n_column;
    if (i < 0) return fail_name(where, name, l);
    if (columns && k >= 0 && g < 0) {
      SAL_TRY(read_column(where, m, k, item, measure, &value[k]));
      l->given[k] = true;
    } else if (!columns && k < 0) {
      SAL_TRY(sal_quantities_read(where, &m->physical->quantity[i], item, &l->quantity[i]));
    } else if (!columns && g >= 0) {
      SAL_TRY(read_toe(where, g, item, &l->toe));
    }
  }
  for (int i = RADIUS; i < N_GROUND_NAME && !l->toe.ground; ++i)
    if (!isnan(l->toe.of[i]))
      return sal_fail(SAL_ERR_USAGE, "%s: %s goes with ground=NAME (saltus list grounds)", where,
                      ground_names[i]);
  return SAL_OK;
}

static sal_err convert(const char *where, const sal_model *m, const list *l, double value[],
                       sal_measure *measure)
{
  const sal_physical *p = m->physical;
  sal_scales scales;

  for (int i = 0; i < p->n_quantity; ++i)
    if (isnan(l->quantity[i])) return fail_missing(where, p->quantity[i].name, p->quantity[i].what);
  p->from_physical(m->inner, l->quantity, value, &scales);
  for (int i = 0; i < m->n_param; ++i)
    if (!isnan(value[i]))
      SAL_TRY(sal_value_range(SAL_ERR_USAGE, where, m->param[i].name, value[i], m->param[i].least,
                              m->param[i].most));
  sal_measure_set(measure, &scales);
  return SAL_OK;
}

sal_err sal_physical_read(const char *where, const sal_model *m, const char *text, double value[],
                          sal_measure *measure)
{
  list l;

  if (!sal_physical_takes(m)) return refuse_model(where, m);
  sal_measure_begin(measure, m);
  begin_list(m, &l);
  SAL_TRY(read_items(where, m, text, false, measure, &l, value));
  if (m->physical) {
    if (l.toe.ground) SAL_TRY(use_ground(where, m, &l.toe, l.quantity));
    SAL_TRY(convert(where, m, &l, value, measure));
  }
  SAL_TRY(read_items(where, m, text, true, measure, &l, value));
  if (!m->physical && l.toe.ground)
    SAL_TRY(use_rebound(where, m, &l.toe,
                        m->natural.restitution && l.given[m->natural.restitution - 1], value));
  return SAL_OK;
}

void sal_physical_scale(const double wanted[], double value[], sal_measure *measure)
{
  const sal_model *m = measure->model;
  const double rounding = 1e-12;
  sal_scales scales;

  sal_natural_scales(m, value, wanted, &scales);
  sal_measure_set(measure, &scales);
  for (int k = 0; k < sal_parameter_column_count(m); ++k) {
    value[k] /= sal_measure_size(measure, sal_natural_unit(m, k));
    if (fabs(value[k] - wanted[k]) <= rounding * fabs(wanted[k])) value[k] = wanted[k];
  }
}

/* Natural units have all they are made of. */
static sal_err check_natural(const char *where, const sal_model *m, const double wanted[],
                             const double value[])
{
  for (int k = 0; k < sal_parameter_column_count(m); ++k)
    if (wanted[k] == 1 && !(value[k] > 0))
      return sal_fail(SAL_ERR_USAGE, "%s: %s = %g makes no natural unit (%s); allowed: above 0",
                      where, sal_parameter_column_name(m, k), value[k], m->natural.source);
  return SAL_OK;
}

static sal_err check_ranges(const char *where, const sal_model *m, const double param[])
{
  for (int i = 0; i < m->n_param; ++i)
    SAL_TRY(sal_value_range(SAL_ERR_USAGE, where, m->param[i].name, param[i], m->param[i].least,
                            m->param[i].most));
  const char *flaw = sal_model_flaw(m, param);
  return flaw ? sal_fail(SAL_ERR_USAGE, "%s: %s", where, flaw) : SAL_OK;
}

sal_err sal_physical_parse(const char *where, const sal_model *m, const char *text, double param[],
                           double initial[], sal_measure *measure)
{
  const size_t n = (size_t)m->n_param + (size_t)m->n_option, n_state = (size_t)m->n_state;
  double value[SAL_MAX_QUANTITY], wanted[SAL_MAX_QUANTITY];

  memcpy(value, param, n * sizeof *value);
  memcpy(value + n, initial, n_state * sizeof *value);
  SAL_TRY(sal_physical_read(where, m, text, value, measure));
  if (!m->physical) {
    sal_natural_wanted(m, wanted);
    SAL_TRY(check_natural(where, m, wanted, value));
    sal_physical_scale(wanted, value, measure);
  }
  memcpy(param, value, n * sizeof *value);
  memcpy(initial, value + n, n_state * sizeof *value);
  return check_ranges(where, m, param);
}
