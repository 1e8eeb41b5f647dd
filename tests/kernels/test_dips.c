/** Runs of built-in models in which gaps come down and go back within a step have the certified number of events, with the
 *  same bits at every width; equations_isolated has the texts of that kind.
 */
#include "run_one.h"
#include "sal_test.h"
#include <string.h>

/** A run, its events and its watched state at the end by dop853 at 1e-13 with steps of 1/2000 of it, within `error`
 *  at 1e-4. */
typedef struct {
  const char *model;
  double p[5], y[2];
  int n_event, n_above[2]; /* n_above: without impacts that 1e-4, and 1e-2, do not resolve */
  double end, error;
} dip;

enum { N_DIP = 6 };
static const dip dips[N_DIP] = {
    {"shaking-table",
     {3.39889183, 0.726214939, 0.208154817, 8.07151517},
     {1.14637264, -1.30779198},
     56,
     {36, 20},
     1.51524318,
     1e-8},
    {"shaking-table",
     {15.6583956, 0.236908187, 0.338038581, 9.85985299},
     {0.951339136, 0.825093596},
     69,
     {64, 57},
     0.109969736,
     1e-8},
    {"vibro-impact",
     {0.155602276, 0.880704682, 2.06780486, 1.09270134, 0.22015823},
     {-0.216341424, 0.0937281681},
     28,
     {22, 13},
     -0.830068799,
     5e-3},
    {"vibro-impact",
     {0.127761593, 0.626645624, 2.10370919, 1.1468081, 0.472160122},
     {-0.0220141012, 0.900674897},
     9,
     {9, 9},
     0.806974272,
     1e-3},
    {"vibro-impact",
     {0.0174215114, 0.524829035, 2.76515336, 1.79161048, 0.453160457},
     {-0.740572425, 0.299246586},
     9,
     {9, 8},
     -1.55690234,
     2e-3},
    {"vibro-impact",
     {0.199226041, 0.60004606, 2.81128188, 1.81018235, 0.418369614},
     {0.186507009, 0.169248651},
     8,
     {8, 7},
     1.32686529,
     4e-3},
};

/** How a run ended. */
typedef struct {
  double end[SAL_MAX_STATE], n_event, steps;
} ending;

/* The run of dip i, beside those after it of the same model. */
static ending run_dip(const sal_setup *u, int i, int width)
{
  double p[N_DIP][SAL_MAX_P] = {{0}}, end[N_DIP][SAL_MAX_STATE] = {{0}};
  sal_record r[N_DIP];
  sal_job job[N_DIP];
  int n = 0;

  for (int j = i; j < N_DIP && strcmp(dips[j].model, u->model->name) == 0; ++j, ++n) {
    memcpy(p[n], dips[j].p, sizeof dips[j].p);
    job[n] = (sal_job){.param = p[n], .initial = dips[j].y, .end = end[n]};
  }
  run_batch(u, width, width == 1 ? 1 : n, job, r);
  ending e = {.n_event = n_event(&r[0]), .steps = r[0].value[SAL_METRIC_STEPS]};
  memcpy(e.end, end[0], sizeof e.end);
  return e;
}

/* Has the run the events and the end of dip i, with the same bits at all widths? */
static bool is_right(const sal_setup *u, int i)
{
  const dip *d = &dips[i];
  const ending one = run_dip(u, i, 1);
  const double n = one.n_event;
  const double low = u->rtol > 2e-4 ? 2 * u->rtol : 0; /* a low flight is a rest */
  const double error = low + d->error * pow(1e4 * u->rtol, u->method->order < 3 ? 0.6 : 1);
  const bool right = n >= d->n_above[u->rtol > 2e-4] && n <= d->n_event &&
                     (u->rtol > 5e-10 || n == d->n_event) &&
                     fabs(one.end[u->model->watch] - d->end) < fmax(1e-8, error);

  if (!right)
    printf("\n    %d by %s at %g: %g events, %.9g", i, u->method->name, u->rtol, n,
           one.end[u->model->watch]);
  for (int width = 4; width <= sal_integrate_widest(); width *= 2) {
    const ending wide = run_dip(u, i, width);
    CU_ASSERT(memcmp(&wide, &one, sizeof one) == 0);
  }
  return right;
}

/* By every method but ode15s, whose first steps after an impact are of order 1: they have an error of the tolerance, which
 * these tables magnify, also with steps of 1/2000 of the run; and no flight lower than the tolerance. */
static void runs_with_dips_have_all_events(void)
{
  const bool all = getenv("SALTUS_TEST_LONG");
  int n = 0;

  for (int i = 0; i < N_DIP; ++i)
    for (int k = 0; sal_registry_methods[k]; ++k) {
      const sal_method *method = sal_registry_methods[k];
      if (method->min_order == 1 || method->embedded == 1 || strcmp(method->name, "ode23tb") == 0)
        continue;
      for (int digits = all ? 2 : 4; digits <= 10; digits += all ? 1 : 3) {
        sal_setup u = config(dips[i].model, method->name, "event", pow(10, -digits), 0);
        u.t_end = u.model->span;
        u.max_attempts = 2000000;
        CU_ASSERT(is_right(&u, i));
        ++n;
      }
    }
  CU_ASSERT(n > 60);
}

SAL_TEST_MAIN("dips", NULL, {"runs with dips have all events", runs_with_dips_have_all_events})
