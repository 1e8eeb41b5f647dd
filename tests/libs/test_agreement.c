/** @file tests/libs/test_agreement.c
 *  Do our methods and those of other libraries come to the same end?  Every model that is registered, from
 *  its presets over the first part of its run, by every method with the strategy `event`, against the
 *  method of its certified references at 1e-13.
 *
 *  A method of order 5 or more runs at 1e-9.  One of a lower order p would need 10^(9/p) steps: it runs at
 *  10^(-9 p / 5), at most 1e-4, at the steps of a method of order 5.  All states at the end are to be within
 *  the model's bound times the tolerance, in units of their sizes.
 */
#include "compatibility.h"
#include "method_names.h"
#include "registry.h"
#include "run_one.h"
#include "sal_test.h"
#include <string.h>

/* Error / tolerance that is let pass, by model; else `bound_else`. */
static const struct {
  const char *model;
  double      bound;
} bounds[] = {{"none", 0}};
static const double bound_else = 1e3;

typedef struct {
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], start[SAL_MAX_STATE], end[SAL_MAX_STATE];
} course;

static double bound_of(const sal_model *m)
{
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; ++i)
    if (strcmp(bounds[i].model, m->name) == 0) return bounds[i].bound;
  return bound_else;
}

static double tolerance_of(const sal_method *method)
{
  return method->order >= 5 ? 1e-9 : method->order > 2 ? 1e-8 : 1e-6;
}

static sal_setup setup_of(const sal_model *m, const sal_method *method, double tolerance)
{
  sal_setup s = contender(m->name, "dop853", "event", tolerance, m->span / 5);

  s.method = method;
  return s;
}

static sal_record run(const sal_setup *s, const course *c, double end[])
{
  const sal_job job = {.param = c->param, .initial = c->start, .end = end};
  sal_record    out;

  run_batch(s, 1, 1, &job, &out);
  return out;
}

/* The largest difference of a state, in units of its size. */
static double distance(const sal_model *m, const double a[], const double b[])
{
  double most = 0;

  for (int i = 0; i < m->n_state; ++i)
    most = fmax(most, fabs(a[i] - b[i]) / fmax(1, fabs(b[i])));
  return most;
}

static void begin(const sal_model *m, course *c)
{
  for (int i = 0; i < m->n_param; ++i) c->param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_option; ++i) c->param[m->n_param + i] = 0;
  for (int i = 0; i < m->n_state; ++i) c->start[i] = m->state[i].preset;
  const sal_setup  s = setup_of(m, sal_registry_reference(m), 1e-13);
  const sal_record r = run(&s, c, c->end);
  CU_ASSERT_TRUE(sal_metric_finished(r.value[SAL_METRIC_OUTCOME]));
  CU_ASSERT(distance(m, c->end, c->start) > 1e-2);
}

/* Error / tolerance of a method; negative: it does not suit the model. */
static double measure(const sal_model *m, const sal_method *method, double tolerance,
                      const course *c)
{
  const sal_setup s = setup_of(m, method, tolerance);
  char            text[SAL_COMPATIBILITY_TEXT];
  double          end[SAL_MAX_STATE];

  if (sal_compatibility_flaw(&s, text)) return -1;
  const sal_record r = run(&s, c, end);
  if (!sal_metric_finished(r.value[SAL_METRIC_OUTCOME])) {
    fprintf(stderr, "\n    %s on %s: %s\n", method->name, m->name,
            sal_metric_outcomes[(int)r.value[SAL_METRIC_OUTCOME]].label);
    return INFINITY;
  }
  return distance(m, end, c->end) / tolerance;
}

static void all_methods_come_to_the_same_end(void)
{
  for (const sal_model *const *m = sal_registry_models; *m; ++m) {
    course c;
    begin(*m, &c);
    for (int i = 0; sal_method_names_at(i); ++i) {
      const sal_method *method = sal_method_names_at(i);
      const double      error  = measure(*m, method, tolerance_of(method), &c);
      if (getenv("SHOW")) printf("%-16s %-28s %10.3g %10.3g\n", (*m)->name, method->name, tolerance_of(method), error);
      if (error > bound_of(*m))
        fprintf(stderr, "\n    %s on %s: error %g, %g times its tolerance; allowed: %g\n",
                method->name, (*m)->name, error * tolerance_of(method), error, bound_of(*m));
      CU_ASSERT(error <= bound_of(*m));
    }
  }
}

SAL_TEST_MAIN("agreement", NULL,
              {"all methods come to the same end", all_methods_come_to_the_same_end})
