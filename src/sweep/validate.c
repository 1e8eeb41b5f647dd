/** The checks of more than one value, and the sweep made from what passes them. */
#include "validate.h"
#include "base.h"
#include "compatibility.h"
#include "enum_words.h"
#include "measured_texts.h"
#include "providers.h"
#include "registry.h"
#include "value.h"

_Static_assert((int)SAL_N_STRATEGY <= (int)SAL_MAX_LIST, "a sweep has room for all");
#define MAX_MESH 1e8 /* intervals: a trajectory of the watched state is then 800 MB */

/* Two words that are equal, or two texts of one number. */
static bool are_same_texts(const char *a, const char *b)
{
  double x, y;
  return strcmp(a, b) == 0 || (sal_value_read(a, &x) && sal_value_read(b, &y) && x == y);
}

/* No entry twice where an entry becomes a coordinate of the cube. */
static sal_err check_duplicates(const sal_document *document, const char *key)
{
  const int list = sal_document_find(document, key);
  for (int i = 0; i < sal_document_count(document, list); ++i)
    for (int k = 0; k < i; ++k) {
      const int node = sal_document_item(document, list, i);
      const char *text = sal_document_text(document, node);
      if (are_same_texts(text, sal_document_text(document, sal_document_item(document, list, k))))
        return sal_document_fail(document, node, "duplicate '%s' in %s", text, key);
    }
  return SAL_OK;
}

static sal_err check_document(const sal_validation *context)
{
  static const char *const coordinates[] = {"cells.columns", "cells.scattered.columns", "solvers",
                                            "strategies", "rtol"};
  for (size_t i = 0; i < sizeof coordinates / sizeof coordinates[0]; ++i)
    SAL_TRY(check_duplicates(context->document, coordinates[i]));
  return SAL_OK;
}

/* The mesh: as fine as asked for or a little finer, so that it ends at t_end. */
static sal_err validate_mesh(const sal_validation *context)
{
  sal_sweep *s = context->sweep;
  const double wanted = s->t_end / s->mesh;
  const int mesh = sal_document_find(context->document, "mesh"),
            t_end = sal_document_find(context->document, "t_end");
  const int node = sal_document_given(context->document, mesh) ? mesh : t_end;
  if (s->mesh > s->t_end)
    return sal_document_fail(context->document, node, "mesh = %g is wider than t_end = %g", s->mesh,
                             s->t_end);
  if (!(wanted <= MAX_MESH))
    return sal_document_fail(
        context->document, node,
        "mesh = %g and t_end = %g make a mesh of %.3g intervals; allowed: to %g", s->mesh, s->t_end,
        wanted, MAX_MESH);
  /* 50 / 0.001 must be 50000, whatever the rounding of 0.001. */
  s->n_mesh = (int64_t)ceil(wanted * (1 - 1e-12));
  return SAL_OK;
}

static sal_err validate_epsilon(const sal_validation *context)
{
  const int list = sal_document_find(context->document, "divergence.epsilon");
  const int n = sal_document_count(context->document, list);
  sal_sweep *s = context->sweep;
  if (list && n != s->n_tolerance)
    return sal_document_fail(
        context->document, list,
        "divergence.epsilon: a list of %d; allowed: %d, one for each tolerance", n, s->n_tolerance);
  /* A hair of slack for a 1e-3 that came out of arithmetic. */
  for (int i = 0; i < s->n_tolerance && !list; ++i)
    s->epsilon[i] = s->tolerance[i] >= 1e-3 * (1 - 1e-9) ? 0.05 : 0.01;
  return SAL_OK;
}

/* The parts of a setup that compatibility depends on. */
static sal_setup setup_of(const sal_validation *context, const sal_method *method,
                          const sal_strategy *strategy)
{
  return (sal_setup){.model = context->model,
                     .method = method,
                     .strategy = strategy,
                     .jacobian = context->sweep->jacobian,
                     .zone_in_time = context->sweep->zone_in_time};
}

/* Time stepping takes few enough steps at the largest tolerance; at others its runs end with an outcome. */
static sal_err check_steps(const sal_validation *context, sal_setup setup)
{
  const sal_sweep *sweep = context->sweep;
  char text[SAL_COMPATIBILITY_TEXT];

  setup.t_end = sweep->t_end;
  setup.max_step = sweep->max_step;
  setup.rtol = sweep->tolerance[0];
  for (int i = 1; i < sweep->n_tolerance; ++i) setup.rtol = fmax(setup.rtol, sweep->tolerance[i]);
  const char *flaw = sal_compatibility_flaw(&setup, text);
  return flaw ? sal_document_fail(context->document, sal_document_find(context->document, "rtol"),
                                  "rtol: %s", flaw)
              : SAL_OK;
}

/* Every method goes with every strategy on this model, or the sweep is refused by their names, or
 * the pair is left out. */
static sal_err check_pairs(const sal_validation *context)
{
  const int list = sal_document_find(context->document, "strategies");
  const char *unsupported =
      sal_document_text(context->document, sal_document_find(context->document, "unsupported"));
  char text[SAL_COMPATIBILITY_TEXT];
  for (int s = 0; s < context->sweep->n_strategy; ++s)
    for (int m = 0; m < context->sweep->n_method; ++m) {
      const sal_setup setup =
          setup_of(context, context->sweep->method[m], context->sweep->strategy[s]);
      const char *flaw = sal_compatibility_flaw(&setup, text);
      context->sweep->incompatible[s][m] = flaw != NULL;
      if (flaw && !(unsupported && strcmp(unsupported, "leave-out") == 0))
        return sal_document_fail(context->document, sal_document_item(context->document, list, s),
                                 "%s; unsupported: leave-out runs the others", flaw);
      if (!flaw) SAL_TRY(check_steps(context, setup));
    }
  return SAL_OK;
}

/* The methods of the reference go with the model, too. */
static sal_err check_reference(const sal_validation *context)
{
  const sal_method *member[SAL_MAX_REFERENCE];
  char text[SAL_COMPATIBILITY_TEXT];
  const int n = sal_sweep_references(context->sweep, member);
  for (int i = 0; i < n; ++i) {
    sal_setup setup = setup_of(context, member[i], sal_registry_strategy("event"));
    setup.jacobian = SAL_JACOBIAN_DIFFERENCES;
    const char *flaw = sal_compatibility_flaw(&setup, text);
    if (flaw)
      return sal_document_fail(context->document, sal_document_find(context->document, "reference"),
                               "reference: %s", flaw);
  }
  return SAL_OK;
}

/* Presets of values that are missing, or are given by another word. */
static void settle_values(const sal_validation *context)
{
  static const double reference_preset[] = {
      [SAL_REFERENCE_CERTIFIED] = 1e-13, [SAL_REFERENCE_PAPER] = 1e-12};
  const sal_document *d = context->document;
  sal_sweep *sweep = context->sweep;
  const char *widths[SAL_MAX_WORD + 1];
  sal_enum_words_gather(SAL_ENUM_WIDTHS, NULL, widths);
  sweep->n_strategy = sal_document_count(d, sal_document_find(d, "strategies"));
  sweep->n_tolerance = sal_document_count(d, sal_document_find(d, "rtol"));
  sweep->zone_in_time = !sweep->zone_in_time; /* the first word */
  sweep->without_points = sweep->points > SAL_POINTS_PER_CELL;
  if (sweep->without_points) sweep->points = SAL_POINTS_GLOBAL;
  if (!sweep->map_by) sweep->map_by = &sal_error_metrics[0];
  sweep->width = atoi(widths[sweep->width]);
  if (sweep->reference_tolerance == 0)
    sweep->reference_tolerance = reference_preset[sweep->reference];
}

/* The metric of maps must be one that the sweep requests, and that all its methods have. */
static sal_err check_map(const sal_validation *context)
{
  const sal_error_metric *by = context->sweep->map_by;
  const char *flaw =
      sal_sweep_captures(context->sweep) ? sal_error_metric_capture_flaw(by, context->model) : NULL;

  const int by_node = sal_document_find(context->document, "map.by");
  if (flaw)
    return sal_document_fail(context->document,
                             by_node ? by_node : sal_document_find(context->document, "solvers"),
                             "map.by: %s: %s", sal_error_metric_name(by), flaw);
  if (sal_sweep_asks(context->sweep, sal_metrics[by->error].group)) return SAL_OK;
  return sal_document_fail(context->document, sal_document_find(context->document, "map.by"),
                           "map.by: %s is measured only with `%s` in the sweep",
                           sal_error_metric_name(by), by->key);
}

/* A metric that nothing in the sweep measures is refused: it would be missing without a word. */
static sal_err validate_keep(const sal_validation *context)
{
  const sal_document *d = context->document;
  const int list = sal_document_find(d, "keep");
  const sal_error_metric *by = context->sweep->map_by;
  const char *names[SAL_MAX_WORD + 1];
  bool *dropped = context->sweep->dropped;
  int metric;

  if (!list) return SAL_OK;
  sal_enum_words_gather(SAL_ENUM_METRICS, NULL, names);
  for (int i = 0; i < SAL_N_METRIC; ++i) dropped[i] = true;
  for (int i = 0; i < sal_document_count(d, list); ++i) {
    const int item = sal_document_item(d, list, i);
    SAL_TRY(sal_value_rank(d, item, "keep", "metric", names, &metric));
    if (!sal_sweep_asks(context->sweep, sal_metrics[metric].group))
      return sal_document_fail(d, item, "keep: nothing in this sweep measures %s", names[metric]);
    dropped[metric] = false;
  }
  dropped[SAL_METRIC_OUTCOME] = dropped[by->error] = false;
  if (by->partial >= 0) dropped[by->partial] = false;
  for (int i = 0; i < SAL_N_WORK; ++i)
    if (by->count[i] >= 0) dropped[by->count[i]] = false;
  return SAL_OK;
}

/* Measures of the sweep, and of the text of its model. */
static sal_err validate_measures(const sal_validation *context)
{
  const sal_document *d = context->document;
  sal_sweep *s = context->sweep;
  sal_measured_texts t;

  SAL_TRY(sal_measured_texts_read(d, sal_document_find(d, "measure"), &t));
  SAL_TRY(sal_providers_measure(t.given, t.n, context->model, s->source ? s->source->text : NULL,
                                s->param, &s->measured));
  SAL_TRY(sal_providers_measure_within(s->measured, s->t_end));
  if (!s->measured || s->reference == SAL_REFERENCE_CERTIFIED) return SAL_OK;
  return sal_document_fail(d, sal_document_find(d, "reference"),
                           "reference: measures are those of a certified reference");
}

sal_err sal_validate(const sal_document *document, const sal_model *model, sal_sweep *sweep)
{
  const sal_validation context = {document, model, sweep};
  SAL_TRY(check_document(&context));
  settle_values(&context);
  SAL_TRY(check_pairs(&context));
  SAL_TRY(sal_validate_cutoff(&context));
  SAL_TRY(check_reference(&context));
  SAL_TRY(validate_mesh(&context));
  SAL_TRY(validate_epsilon(&context));
  SAL_TRY(sal_validate_cells(&context));
  SAL_TRY(sal_validate_pilots(&context));
  SAL_TRY(sal_validate_orbit(&context));
  SAL_TRY(validate_measures(&context));
  SAL_TRY(check_map(&context));
  SAL_TRY(validate_keep(&context));
  SAL_TRY(sal_validate_stored(&context));
  return sal_variants_check(document, sweep);
}
