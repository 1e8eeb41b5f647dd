/** Bounds of the gaps of texts, and curved gaps that nearly touch 0 within long steps: dips are found, and near misses are
 *  none, however shallow.
 */
#include "equation_text.h"
#include "kernels/run_one.h"
#include "models/range_check.h"
#include "plain_file.h"

static sal_equation_model *parse(const char *text)
{
  sal_equation_model *made;

  if (sal_equation_model_parse("curved.yaml", text, &made) != SAL_OK)
    fprintf(stderr, "%s\n", sal_err_message());
  CU_ASSERT_PTR_NOT_NULL_FATAL(made);
  return made;
}

static sal_equation_model *read(const char *folder, const char *name, const char *end)
{
  char path[1024], *text;

  snprintf(path, sizeof path, "%s/%s%s.yaml", folder, name, end);
  CU_ASSERT_EQUAL_FATAL(sal_text_file_read(path, "a model", &text), SAL_OK);
  sal_equation_model *made = parse(text);
  sal_free(text);
  return made;
}

static void check_bounds(sal_equation_model *e)
{
  const range_verdict v = range_check_model(sal_equation_model_get(e), 18000);

  if (v.text[0]) printf("\n    %s", v.text);
  CU_ASSERT(v.text[0] == '\0');
  CU_ASSERT(v.boxes >= 100000 && v.tight > v.boxes / 5 && v.sure > v.boxes / 20);
  sal_equation_model_free(e);
}

static void bounds_enclose_the_gaps_of_texts(void)
{
  static const char *const models[] = {"monopod", "vibro-impact",  "stick-slip",
                                       "slip",    "shaking-table", "hopping-leg"};
  static const char *const isolated[] = {"rod", "bumps", "gate", "cam", "satellite", "beat"};

  for (size_t i = 0; i < sizeof models / sizeof *models; ++i)
    check_bounds(read(SAL_SWEEPS "/models", models[i], "-equations"));
  for (size_t i = 0; i < sizeof isolated / sizeof *isolated; ++i)
    check_bounds(read(SAL_TEST_DATA "/isolated", isolated[i], ""));
}

/** A gap over x, the time, whose lowest values are 0: twice as many events as dips where it is lower. */
typedef struct {
  const char *gap;
  int dips;
  double rounding; /* of the gap: dips that are shallower do not count */
} valley;

/* The last ones depend on x in several places, so that bounds by intervals alone are wide. */
static const valley valleys[] = {{"1 + sin(40 * x)", 6, 1e-14},
                                 {"(x - 0.33)^2", 1, 1e-14},
                                 {"x * x - 0.66 * x + 0.1089", 1, 1e-14},
                                 {"exp(x - 0.71) - (x + 0.29)", 1, 1e-14},
                                 {"max((x - 0.61) * (x - 0.61), 0.2 - x)", 1, 1e-14},
                                 {"(x + 1000) * (x + 1000) - 2000.66 * x - 999999.8911", 1, 1e-9}};

static int events_of(const valley *v, double depth, const char *method, int width)
{
  char text[1024];
  const double initial[] = {0}, param[1] = {0};
  sal_events events = {0};

  snprintf(text, sizeof text,
           "equations: 1\nname: valley\nstates: {x: {preset: 0}}\nflow: {x: 1}\n"
           "contacts: {edge: {names: [enters, leaves], gap: \"%s - %.17g\", kind: surface}}\n",
           v->gap, depth);
  sal_equation_model *made = parse(text);
  const sal_setup setup = {.model = sal_equation_model_get(made),
                           .method = sal_registry_method(method),
                           .strategy = sal_registry_strategy("event"),
                           .rtol = 1e-4,
                           .atol = 1e-4,
                           .t_end = 1,
                           .max_attempts = 100000};
  const sal_job job = {.param = param, .initial = initial, .events = &events};
  sal_record r;
  run_batch(&setup, width, 1, &job, &r);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  CU_ASSERT_EQUAL(events.n, n_event(&r));
  sal_equation_model_free(made);
  return n_event(&r);
}

static void dips_of_any_depth_are_found(void)
{
  static const char *const methods[] = {"ode45", "dop853", "ode23s", "ode15s", "ode113"};
  static const double depths[] = {1e-2, 1e-4, 1e-6, 1e-8, 2e-10, 0};

  for (size_t i = 0; i < sizeof valleys / sizeof *valleys; ++i)
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
      for (size_t d = 0; d < 2 * sizeof depths / sizeof *depths; ++d) {
        const double depth = d % 2 ? -depths[d / 2] : depths[d / 2];
        const int n = events_of(&valleys[i], depth, methods[m], 1);
        const int right = depth > valleys[i].rounding ? 2 * valleys[i].dips : 0;
        if (n != right)
          printf("\n    %s below %g by %s: %d events", valleys[i].gap, depth, methods[m], n);
        CU_ASSERT_EQUAL(n, right);
        CU_ASSERT_EQUAL(events_of(&valleys[i], depth, methods[m], sal_integrate_widest()), n);
      }
}

SAL_TEST_MAIN("curved gaps", NULL,
              {"bounds enclose the gaps of texts", bounds_enclose_the_gaps_of_texts},
              {"dips of any depth are found", dips_of_any_depth_are_found})
