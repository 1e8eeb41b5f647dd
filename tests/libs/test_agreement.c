/** Do our methods and those of other libraries come to the same end?  Every model that is registered, from
 *  its presets over the first part of its run, by every method with the strategy `event`, against the
 *  method of its certified references at 1e-13.
 *
 *  A method of order 5 or more runs at 1e-9, one of order 3 or 4 at 1e-8, one of a lower order at 1e-6,
 *  which are some thousands of steps at most.  All states at the end are to be within a bound times the
 *  tolerance, in units of their sizes.
 */
#include "compatibility.h"
#include "providers.h"
#include "registry.h"
#include "run_one.h"
#include "sal_test.h"
#include <string.h>

/* The first fifth of a model's run, or less: ahead of flights shorter than the longest step, which engines may
 * pass over. */
static const struct {
  const char *model;
  double t_end;
} ends[] = {{"shaking-table", 0.7}, {"slip", 1.8}, {"hopping-leg", 0.6}, {"monopod", 5}};

/* Error / tolerance that is let pass. */
static const double bound = 2e3;

/* Known limits of libraries. */
static const struct {
  const char *model, *method, *why;
} limits[] = {
    {"hopping-leg", "sundials-dirk", "an error of 3e-4 in stance that no tolerance lowers"}};

typedef struct {
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], start[SAL_MAX_STATE], end[SAL_MAX_STATE];
} trajectory;

static double end_of(const sal_model *m)
{
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
    if (strcmp(ends[i].model, m->name) == 0) return ends[i].t_end;
  return m->span / 5;
}

static double tolerance_of(const sal_method *method)
{
  return method->order >= 5 ? 1e-9 : method->order > 2 ? 1e-8 : 1e-6;
}

static sal_setup setup_of(const sal_model *m, const sal_method *method, double tolerance)
{
  sal_setup s = config(m->name, "dop853", "event", tolerance, end_of(m));

  s.method = method;
  return s;
}

static sal_record run(const sal_setup *s, const trajectory *c, double end[])
{
  const sal_job job = {.param = c->param, .initial = c->start, .end = end};
  sal_record out;

  run_batch(s, 1, 1, &job, &out);
  return out;
}

/* The largest difference of a state, in units of its size. */
static double distance(const sal_model *m, const double a[], const double b[])
{
  double most = 0;

  for (int i = 0; i < m->n_state; ++i) most = fmax(most, fabs(a[i] - b[i]) / fmax(1, fabs(b[i])));
  return most;
}

static void begin(const sal_model *m, trajectory *c)
{
  for (int i = 0; i < m->n_param; ++i) c->param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_option; ++i) c->param[m->n_param + i] = 0;
  for (int i = 0; i < m->n_state; ++i) c->start[i] = m->state[i].preset;
  const sal_setup s = setup_of(m, sal_registry_reference(m), 1e-13);
  const sal_record r = run(&s, c, c->end);
  CU_ASSERT_TRUE(sal_metric_finished(r.value[SAL_METRIC_OUTCOME]));
  CU_ASSERT(distance(m, c->end, c->start) > 1e-2);
}

/* Error / tolerance of a method; negative: it does not suit the model. */
static double measure(const sal_model *m, const sal_method *method, double tolerance,
                      const trajectory *c)
{
  const sal_setup s = setup_of(m, method, tolerance);
  char text[SAL_COMPATIBILITY_TEXT];
  double end[SAL_MAX_STATE];

  if (sal_compatibility_flaw(&s, text)) return -1;
  const sal_record r = run(&s, c, end);
  if (!sal_metric_finished(r.value[SAL_METRIC_OUTCOME])) {
    fprintf(stderr, "\n    %s on %s: %s\n", method->name, m->name,
            sal_metric_outcomes[(int)r.value[SAL_METRIC_OUTCOME]].label);
    return INFINITY;
  }
  return distance(m, end, c->end) / tolerance;
}

static bool is_limit(const sal_model *m, const sal_method *method)
{
  for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i)
    if (strcmp(limits[i].model, m->name) == 0 && strcmp(limits[i].method, method->name) == 0)
      return true;
  return false;
}

/* The bound would be missed by far if the runs were less accurate than their tolerance. */
static bool is_sharp(const sal_model *m, const trajectory *c)
{
  const double loose = measure(m, sal_registry_method("ode45"), 1e-3, c);

  return loose < 0 || loose * 1e-3 > bound * 1e-9;
}

static void all_methods_come_to_the_same_end(void)
{
  int models = 0, sharp = 0;

  for (const sal_model *const *m = sal_registry_models; *m; ++m, ++models) {
    trajectory c;
    int compared = 0, methods = 0;
    begin(*m, &c);
    sharp += is_sharp(*m, &c);
    for (; sal_method_names_at(methods); ++methods) {
      const sal_method *method = sal_method_names_at(methods);
      const double error = measure(*m, method, tolerance_of(method), &c);
      if (is_limit(*m, method)) {
        if (error <= bound)
          fprintf(stderr, "\n    %s on %s is not a limit any more\n", method->name, (*m)->name);
        continue;
      }
      if (!(error <= bound))
        fprintf(stderr, "\n    %s on %s: error %g, %g times its tolerance; allowed: %g\n",
                method->name, (*m)->name, error * tolerance_of(method), error, bound);
      CU_ASSERT(error <= bound);
      compared += error >= 0;
    }
    CU_ASSERT(compared >= methods - 4);
  }
  CU_ASSERT(2 * sharp >= models);
  sal_providers_finalize();
}

SAL_TEST_MAIN("agreement", NULL,
              {"all methods come to the same end", all_methods_come_to_the_same_end})
