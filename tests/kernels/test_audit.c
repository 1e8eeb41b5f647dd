/** No step of `event` passes over a crossing that its own polynomial shows: random cells of the built-in models, by an auditor;
 *  and runs that have no crossing to spare, with the certified number of events.
 */
#include "audited_event.h"
#include "run_one.h"
#include "sal_test.h"
#include <string.h>

/* ---- random cells ------------------------------------------------------------------------------- */

static uint64_t state;

static double chance(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53;
}

static double between(const sal_field *f) { return f->lo + (f->hi - f->lo) * chance(); }

/* A point of the ranges of a model; discrete states, and all of a hopper's, begin at their presets. */
static void draw(const sal_model *m, double p[], double y[])
{
  const bool hopper = strcmp(m->name, "monopod") == 0;

  do {
    for (int k = 0; k < m->n_param; ++k) {
      const sal_field *f = &m->param[k];
      p[k] = hopper && k >= 4 ? 0 : hopper ? f->lo * pow(f->hi / f->lo, chance()) : between(f);
      if (f->whole) p[k] = floor(p[k]);
    }
    for (int k = 0; k < m->n_state; ++k)
      y[k] = hopper || k >= sal_model_continuous(m) ? m->state[k].preset : between(&m->state[k]);
  } while (m->flaw && m->flaw(m->inner, p));
}

/* Audits runs from `cells` points by all methods, or the one called `only`, at some tolerances; returns the steps that
 * miss a crossing. */
static long audit_model(const char *name, const char *only, int cells, double tightest,
                        double t_end)
{
  const sal_model *m = sal_registry_model(name);

  audit.steps = audit.missed = audit.looked = 0;
  audit.deepest = 0;
  state = 7;
  for (int c = 0; c < cells; ++c) {
    double p[SAL_MAX_P] = {0}, y[SAL_MAX_STATE];
    draw(m, p, y);
    for (int k = 0; sal_registry_methods[k]; ++k)
      for (double tol = 1e-2; tol > 0.5 * tightest; tol /= 10) {
        const sal_setup u = {.model = m,
                             .method = sal_registry_methods[k],
                             .strategy = &audited_event,
                             .rtol = tol,
                             .atol = tol,
                             .t_end = t_end > 0 ? t_end : m->span,
                             .max_attempts = 20000};
        if (sal_method_solves(u.method, m) && (!only || strcmp(only, u.method->name) == 0))
          (void)run_one(&u, p, y, NULL, NULL);
      }
  }
  printf("(%s: %ld of %ld, deepest %.1e) ", name, audit.missed, audit.steps, audit.deepest);
  return audit.missed;
}

static void no_step_passes_over_a_crossing(void)
{
  const bool all = getenv("SALTUS_TEST_LONG");
  const int cells = all ? 400 : 3;
  const double tightest = all ? 1e-6 : 1e-3;
  long missed = 0, steps = 0;

  missed += audit_model("monopod", NULL, cells, tightest, 50);
  steps += audit.steps;
  missed += audit_model("vibro-impact", NULL, cells, tightest, 0);
  steps += audit.steps;
  missed += audit_model("shaking-table", NULL, cells, tightest, 0);
  steps += audit.steps;
  missed += audit_model("stick-slip", NULL, cells, tightest, 0);
  steps += audit.steps;
  if (all) missed += audit_model("slip", NULL, cells, tightest, 0);
  CU_ASSERT(missed == 0);
  CU_ASSERT(steps > 10000);
}

/* A step of dop853 at 1e-2 may be as long as its stability allows: its dense output, by three more stages, is then far from
 * the cubic of its ends, and crosses where that does not, or ahead of where it does. */
static void long_steps_pass_over_none(void)
{
  CU_ASSERT(audit_model("monopod", "dop853", 60, 1e-2, 50) == 0);
  CU_ASSERT(audit.steps > 20000);
}

/* ---- runs with dips ----------------------------------------------------------------------------- */

/** A run, its events and its watched state at the end by dop853 at 1e-13 with steps of 1/2000 of it, within `error`
 *  at 1e-4. */
typedef struct {
  const char *model;
  double p[5], y[2];
  int n_event, n_above; /* n_above: those before impacts that 1e-4 does not resolve */
  double end, error;
} dip;

static const dip dips[] = {
    {"shaking-table",
     {3.39889183, 0.726214939, 0.208154817, 8.07151517},
     {1.14637264, -1.30779198},
     56,
     36,
     1.51524318,
     1e-8},
    {"shaking-table",
     {15.6583956, 0.236908187, 0.338038581, 9.85985299},
     {0.951339136, 0.825093596},
     69,
     64,
     0.109969736,
     1e-8},
    {"vibro-impact",
     {0.127761593, 0.626645624, 2.10370919, 1.1468081, 0.472160122},
     {-0.0220141012, 0.900674897},
     9,
     9,
     0.806974272,
     1e-3},
    {"vibro-impact",
     {0.0174215114, 0.524829035, 2.76515336, 1.79161048, 0.453160457},
     {-0.740572425, 0.299246586},
     9,
     9,
     -1.55690234,
     2e-3},
    {"vibro-impact",
     {0.199226041, 0.60004606, 2.81128188, 1.81018235, 0.418369614},
     {0.186507009, 0.169248651},
     8,
     8,
     1.32686529,
     4e-3},
};

/* By every method but ode15s, whose first steps after an impact are of order 1: it resolves no flight that is lower than its
 * tolerance. */
static void runs_with_dips_have_all_events(void)
{
  int n = 0;

  for (size_t i = 0; i < sizeof dips / sizeof *dips; ++i)
    for (int k = 0; sal_registry_methods[k]; ++k) {
      const sal_method *method = sal_registry_methods[k];
      if (method->min_order == 1 || method->embedded == 1 || strcmp(method->name, "ode23tb") == 0)
        continue;
      for (double tol = 1e-4; tol > 1e-11; tol /= 1000) {
        sal_setup u = config(dips[i].model, method->name, "event", tol, 0);
        double p[SAL_MAX_P] = {0}, end[SAL_MAX_STATE];
        sal_record r;
        memcpy(p, dips[i].p, sizeof dips[i].p);
        u.t_end = u.model->span;
        u.max_attempts = 2000000;
        const sal_job job = {.param = p, .initial = dips[i].y, .end = end};
        run_batch(&u, 1, 1, &job, &r);
        const double error = dips[i].error * pow(1e4 * tol, method->order < 3 ? 0.6 : 1);
        const bool right = n_event(&r) >= dips[i].n_above && n_event(&r) <= dips[i].n_event &&
                           (tol > 1e-9 || n_event(&r) == dips[i].n_event) &&
                           fabs(end[u.model->watch] - dips[i].end) < fmax(1e-8, error);
        if (!right)
          printf("\n    %zu by %s at %g: %d events, %.9g", i, method->name, tol, n_event(&r),
                 end[u.model->watch]);
        CU_ASSERT(right);
        ++n;
      }
    }
  CU_ASSERT(n > 50);
}

SAL_TEST_MAIN("audit", NULL, {"no step passes over a crossing", no_step_passes_over_a_crossing},
              {"long steps pass over none", long_steps_pass_over_none},
              {"runs with dips have all events", runs_with_dips_have_all_events})
