/** Sections of periodic orbits: what holds of every model in the registry that has one. */
#include "kernels/run_one.h"
#include "sal_test.h"

static void presets(const sal_model *m, double param[], double initial[])
{
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_option; ++i) param[m->n_param + i] = 0;
  for (int i = 0; i < m->n_state; ++i) initial[i] = m->state[i].preset;
}

/* From its presets a model comes to its section, again and again, or its drive has a period. */
static void every_section_is_met(void)
{
  int met = 0, driven = 0;

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m = sal_registry_models[i];
    const sal_section *s = &m->section;
    double p[SAL_MAX_P], y[SAL_MAX_STATE], end[SAL_MAX_STATE];
    if (!s->name) continue;
    presets(m, p, y);
    if (s->period) {
      CU_ASSERT(s->period(m->inner, p) > 0);
      ++driven;
      continue;
    }
    const sal_contact *contact = sal_model_contact(m, s->contact);
    CU_ASSERT(s->contact < m->n_guard && !contact->ends);
    CU_ASSERT_STRING_EQUAL(s->name, s->closes ? contact->closes : contact->opens);
    sal_setup setup = config(m->name, "dop853", "event", 1e-9, 20 * m->span);
    setup.stop = (sal_stop){s->contact, s->closes, 3};
    const sal_job job = {.param = p, .initial = y, .end = end};
    sal_record r;
    run_batch(&setup, 1, 1, &job, &r);
    CU_ASSERT(outcome(&r) == SAL_OUT_ENDED && n_event(&r) >= 3);
    ++met;
  }
  CU_ASSERT(met > 3 && driven > 1);
}

/* A drifting state drifts: one that was the same again after every period would not be marked. */
static void what_drifts_is_not_periodic(void)
{
  int drifting = 0;

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m = sal_registry_models[i];
    double p[SAL_MAX_P], y[SAL_MAX_STATE], end[2][SAL_MAX_STATE];
    int left = 0;
    for (int k = 0; k < m->n_state; ++k) left += m->state[k].drifts;
    if (left == 0) continue;
    presets(m, p, y);
    CU_ASSERT_FATAL(m->section.name && !m->section.period && left < m->n_state);
    for (int n = 0; n < 2; ++n) {
      sal_setup setup = config(m->name, "dop853", "event", 1e-9, m->span);
      const sal_job job = {.param = p, .initial = y, .end = end[n]};
      sal_record r;
      setup.stop = (sal_stop){m->section.contact, m->section.closes, 2 + n};
      run_batch(&setup, 1, 1, &job, &r);
      CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_ENDED);
    }
    for (int k = 0; k < m->n_state; ++k)
      if (m->state[k].drifts) CU_ASSERT(fabs(end[1][k] - end[0][k]) > 0.1);
    drifting += left;
  }
  CU_ASSERT(drifting > 0);
}

SAL_TEST_MAIN("sections", NULL, {"every section is met", every_section_is_met},
              {"what drifts is not periodic", what_drifts_is_not_periodic})
