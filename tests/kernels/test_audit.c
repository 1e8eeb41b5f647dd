/** No step of `event` passes over a crossing that its own polynomial shows: random cells of the built-in models, by an
 *  auditor.
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

/* Audits runs from points `from` to `to` by all methods, or the one called `only`, at some tolerances; returns the steps
 * that miss a crossing. */
static long audit_model(const char *name, const char *only, int from, int to, int digits,
                        double t_end)
{
  const sal_model *m = sal_registry_model(name);

  audit.steps = audit.missed = audit.looked = 0;
  audit.deepest = 0;
  state = 7;
  for (int c = 0; c < to; ++c) {
    double p[SAL_MAX_P] = {0}, y[SAL_MAX_STATE];
    draw(m, p, y);
    for (int k = 0; c >= from && sal_registry_methods[k]; ++k)
      for (int d = 2; d <= digits; ++d) {
        const double tol = pow(10, -d);
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
  const int digits = all ? 6 : 3;
  long missed = 0, steps = 0;

  missed += audit_model("monopod", NULL, 0, cells, digits, 50);
  steps += audit.steps;
  missed += audit_model("vibro-impact", NULL, 0, cells, digits, 0);
  steps += audit.steps;
  missed += audit_model("shaking-table", NULL, 0, cells, digits, 0);
  steps += audit.steps;
  missed += audit_model("stick-slip", NULL, 0, cells, digits, 0);
  steps += audit.steps;
  if (all) missed += audit_model("slip", NULL, 0, cells, digits, 0);
  CU_ASSERT(missed == 0);
  CU_ASSERT(steps > 10000);
}

/* A step of dop853 at 1e-2 may be as long as its stability allows: its dense output, by three more stages, is then far from
 * the cubic of its ends, and crosses where that does not, or ahead of where it does. */
static void long_steps_pass_over_none(void)
{
  CU_ASSERT(audit_model("monopod", "dop853", 0, 60, 2, 50) == 0);
  CU_ASSERT(audit.steps > 20000);
}

/* That of ode113 has the state at the end of the step alone, and may begin on the other side of a surface. */
static void beginnings_beyond_a_surface_are_found(void)
{
  CU_ASSERT(audit_model("monopod", "ode113", 174, 175, 2, 50) == 0);
  CU_ASSERT(audit_model("monopod", "ode113", 281, 282, 2, 50) == 0);
  CU_ASSERT(audit.steps > 100);
}

SAL_TEST_MAIN("audit", NULL, {"no step passes over a crossing", no_step_passes_over_a_crossing},
              {"long steps pass over none", long_steps_pass_over_none},
              {"beginnings beyond a surface are found", beginnings_beyond_a_surface_are_found})
