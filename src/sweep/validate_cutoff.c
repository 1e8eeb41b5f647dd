/** The keys under `cutoff`, `budget` and `pilots`. */
#include "keys.h"
#include "validate.h"
#include "value.h"
#include <stdlib.h>

/* Gives the method of that name the role; it is one of the sweep, and has no role yet. */
static sal_err set_role(const sal_validation *context, const char *key, int item,
                        sal_cutoff_role role)
{
  sal_sweep *sweep = context->sweep;
  const char *name[SAL_MAX_LIST + 1] = {NULL};
  int m;

  for (int i = 0; i < sweep->n_method; ++i) name[i] = sweep->method[i]->name;
  SAL_TRY(sal_value_rank(context->document, item, key, "solver of this sweep", name, &m));
  if (sweep->cutoff.role[m] != SAL_CUTOFF_OTHERS)
    return sal_document_fail(context->document, item, "%s: '%s' is there already", key, name[m]);
  sweep->cutoff.role[m] = role;
  return SAL_OK;
}

/* A list of solvers, or nothing. */
static sal_err set_roles(const sal_validation *context, const char *key, sal_cutoff_role role)
{
  const sal_document *document = context->document;
  const int list = sal_document_find(document, key);
  const yaml_node_t *node = sal_document_node(document, list);

  if (!node) return SAL_OK;
  if (node->type != YAML_SEQUENCE_NODE)
    return sal_value_wrong_kind(document, list, key, "a list of solvers");
  for (int i = 0; i < sal_document_count(document, list); ++i)
    SAL_TRY(set_role(context, key, sal_document_item(document, list, i), role));
  return SAL_OK;
}

static double preset_of(const char *key) { return strtod(sal_key_named(key)->preset, NULL); }

/* A group whose preset is described has no presets in a document without it, lest settings that older
 * programs have written down become other ones. */
static void set_budget(const sal_validation *context)
{
  if (sal_document_find(context->document, "budget")) return;
  context->sweep->budget = (sal_budget){.factor = preset_of("budget.factor"),
                                        .least = preset_of("budget.least"),
                                        .work = preset_of("budget.work")};
}

/* One number that has to be at least another one, or 0. */
static sal_err check_least(const sal_validation *context, const char *key, double value,
                           const char *other, double least)
{
  const int item = sal_document_find(context->document, key);

  if (value == 0 || value >= least) return SAL_OK;
  return sal_document_fail(context->document, item, "%s = %g; allowed: 0, or from %s = %g", key,
                           value, other, least);
}

static sal_err check_factors(const sal_validation *context)
{
  const sal_cutoff *cutoff = &context->sweep->cutoff;

  SAL_TRY(check_least(context, "cutoff.near_factor", cutoff->near_factor, "cutoff.factor",
                      cutoff->factor));
  return check_least(context, "cutoff.loosest", cutoff->loosest, "cutoff.error", cutoff->error);
}

sal_err sal_validate_cutoff(const sal_validation *context)
{
  set_budget(context);
  SAL_TRY(check_factors(context));
  SAL_TRY(set_roles(context, "cutoff.baselines", SAL_CUTOFF_BASELINES));
  SAL_TRY(set_roles(context, "cutoff.second_baselines", SAL_CUTOFF_SECOND_BASELINES));
  return set_roles(context, "cutoff.exempt", SAL_CUTOFF_EXEMPT);
}

/* Pilots are the first points of a sequence that fills its box from the start. */
sal_err sal_validate_pilots(const sal_validation *context)
{
  const sal_sweep *s = context->sweep;
  const int item = sal_document_find(context->document, "pilots.cells");
  const bool drawn = s->n_axis == 1 && s->scattered.point.n_point == 0 &&
                     (s->axis[0].kind == SAL_AXIS_SOBOL || s->axis[0].kind == SAL_AXIS_RANDOM);

  if (s->pilots.cells == 0) return SAL_OK;
  if (!drawn)
    return sal_document_fail(
        context->document, item,
        "pilots.cells: the cells are not the points of one axis alone, sobol or random");
  if (s->pilots.cells < s->pilots.nearest || s->pilots.cells > s->n_cell)
    return sal_document_fail(
        context->document, item,
        "pilots.cells = %lld; allowed: 0, or from pilots.nearest = %d to all %lld cells",
        (long long)s->pilots.cells, s->pilots.nearest, (long long)s->n_cell);
  return SAL_OK;
}
