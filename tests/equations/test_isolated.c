/** Systems whose f is exact at any tolerance, so that steps are long while gaps come and go within them: the events are those
 *  of the closed form (rod, bumps, gate, satellite), or of a run with short steps (cam, beat, rods), by every method, at every
 *  tolerance, with the same bits at every width.
 */
#include "equation_model.h"
#include "kernels/run_one.h"
#include "sal_test.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 64, LANES = 8 };

#define LATEST 0.15 /* s */

/** A text of tests/data/isolated: how many events its run has, and when the first one is. */
typedef struct {
  const char *name;
  int n_event;
  double first;
  double error; /* of that by methods of order 2 and more, in units of rtol, up to LATEST */
  int wrong; /* runs that may have other events, as the trajectory is off by more than a graze is deep */
} known;

/* From g t^2 / 2 = .6 + 2.5 t - .5 |sin 70 t| and the like by Newton's method, to 1e-13; cam and beat by dop853 at
 * 1e-10 with steps of 1e-3. */
static const known texts[] = {
    {"rod", 1, 0.556272254056721, 0, 0},  {"bumps", 1, 0.751625034929145, 0, 0},
    {"gate", 1, 3.684286582352903, 0, 0}, {"satellite", 16, 0.535271066794559, 0, 0},
    {"cam", 1, 2.1397833, 0.3, 0},        {"beat", 1, 6.0447503, 200, 8}};

static sal_equation_model *read_text(const char *name)
{
  static char text[SAL_EQUATION_BYTES];
  char path[512];
  sal_equation_model *made;

  snprintf(path, sizeof path, "%s/isolated/%s.yaml", SAL_TEST_DATA, name);
  FILE *f = fopen(path, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(f);
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  if (sal_equation_model_parse(path, text, &made) != SAL_OK)
    fprintf(stderr, "%s\n", sal_err_message());
  CU_ASSERT_PTR_NOT_NULL_FATAL(made);
  return made;
}

/** A run of LANES equal jobs. */
typedef struct {
  sal_event event[MOST_EVENTS];
  sal_events log[LANES];
  double end[LANES][SAL_MAX_STATE];
  sal_record record[LANES];
} runs;

static void integrate(const sal_setup *u, const double initial[], int width, runs *r)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0};
  sal_job job[LANES];

  for (int i = 0; i < u->model->n_param; ++i) param[i] = u->model->param[i].preset;
  memset(r, 0, sizeof *r);
  r->log[0] = (sal_events){.event = r->event, .capacity = MOST_EVENTS};
  for (int i = 0; i < LANES; ++i)
    job[i] = (sal_job){
        .param = param, .initial = initial, .end = r->end[i], .events = i ? NULL : &r->log[0]};
  run_batch(u, width, width == 1 ? 1 : LANES, job, r->record);
}

/* By one method at one tolerance: are the events right, in all lanes? */
static bool is_right(const sal_setup *u, const known *k)
{
  static runs one, wide;
  const int widest = u->method->w4 && u->model->w4 ? sal_integrate_widest() : 1;
  double initial[SAL_MAX_STATE] = {0};

  for (int i = 0; i < u->model->n_state; ++i) initial[i] = u->model->state[i].preset;
  integrate(u, initial, 1, &one);
  for (int width = 4; width <= widest; width *= 2) {
    integrate(u, initial, width, &wide);
    for (int i = 0; i < LANES; ++i)
      CU_ASSERT(memcmp(wide.end[i], one.end[0], sizeof one.end[0]) == 0 &&
                wide.record[i].value[SAL_METRIC_STEPS] == one.record[0].value[SAL_METRIC_STEPS]);
  }
  const double late = u->method->min_order > 1 ? k->error : fmax(0.3, k->error);
  const double error = fmin(late * u->rtol, LATEST);
  const bool right = n_event(&one.record[0]) == k->n_event && one.log[0].n == k->n_event &&
                     fabs(one.event[0].t - k->first) < 1e-6 + error;
  if (!right)
    printf("\n    %s by %s at %g: %d events, the first at %.9g", k->name, u->method->name, u->rtol,
           n_event(&one.record[0]), one.event[0].t);
  return right;
}

static void all_events_are_found_by_every_method(void)
{
  const bool all = getenv("SALTUS_TEST_LONG");
  const double tols[] = {1e-2, 1e-6, 1e-10, 1e-3, 1e-4, 1e-5, 1e-7, 1e-8, 1e-9};

  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    sal_equation_model *text = read_text(texts[i].name);
    const sal_model *model = sal_equation_model_get(text);
    int n = 0, right = 0;
    for (int m = 0; sal_registry_methods[m]; ++m) {
      const sal_method *method = sal_registry_methods[m];
      for (int t = 0; t < (all ? 9 : 3); ++t) {
        if (!sal_method_solves(method, model) || (!is_frugal(method) && tols[t] < 1e-6)) continue;
        const sal_setup u = {.model = model,
                             .method = method,
                             .strategy = sal_registry_strategy("event"),
                             .rtol = tols[t],
                             .atol = tols[t],
                             .t_end = model->span,
                             .max_attempts = 2000000};
        ++n;
        right += is_right(&u, &texts[i]);
      }
    }
    printf("(%s: %d of %d) ", texts[i].name, right, n);
    CU_ASSERT(right >= n - texts[i].wrong && n > 20);
    sal_equation_model_free(text);
  }
}

/* Over rates of 20 to 90 rad/s and speeds of 1 to 3 m/s, beside runs with steps of 1/1000. */
static void rods_land_alike_with_long_and_short_steps(void)
{
  enum { RODS = 64 };
  sal_equation_model *text = read_text("rod");
  const char *const methods[] = {"ode45", "dop853", "radau5"};
  double soonest = INFINITY, latest = 0;

  for (int i = 0; i < RODS; ++i) {
    const double initial[] = {0.6, 0, 1 + 2 * fmod(0.5 + i * 0.5698402909980532, 1),
                              20 + 70 * fmod(0.5 + i * 0.7548776662466927, 1)};
    for (int m = 0; m < 3; ++m) {
      static runs coarse, fine;
      sal_setup u = {.model = sal_equation_model_get(text),
                     .method = sal_registry_method(methods[m]),
                     .strategy = sal_registry_strategy("event"),
                     .rtol = 1e-2,
                     .atol = 1e-2,
                     .t_end = 1,
                     .max_attempts = 20000};
      integrate(&u, initial, 1, &coarse);
      u.max_step = 1e-3;
      integrate(&u, initial, 1, &fine);
      CU_ASSERT(coarse.log[0].n == 1 && coarse.event[0].guard == fine.event[0].guard);
      CU_ASSERT_DOUBLE_EQUAL(coarse.event[0].t, fine.event[0].t, 1e-9);
      soonest = fmin(soonest, fine.event[0].t);
      latest = fmax(latest, fine.event[0].t);
    }
  }
  CU_ASSERT(latest - soonest > 0.2);
  sal_equation_model_free(text);
}

SAL_TEST_MAIN("events within long steps", NULL,
              {"all events are found by every method", all_events_are_found_by_every_method},
              {"rods land alike with long and short steps",
               rods_land_alike_with_long_and_short_steps})
