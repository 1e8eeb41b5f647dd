/** A run for stiffness and events, before what the other solvers take. */
#include "base.h"
#include "recommend_print.h"
#include "registry.h"
#include "stiffness.h"
#include "trajectory.h"

enum { SAMPLES = 2000, STRIDE = 10 };

static sal_err run_reference(const sal_setup *like, const double param[], const double initial[],
                             sal_trajectory *out)
{
  sal_setup setup = *like;

  setup.method = sal_registry_method(like->model->reference ? like->model->reference : "dop853");
  setup.strategy = sal_registry_strategy("event");
  setup.rtol = setup.atol = 1e-8;
  setup.max_attempts = 1000000;
  return sal_trajectory_run(&setup, param, initial, setup.t_end / SAMPLES, out);
}

/* radius: the fastest rate; over a run of length T explicit solvers need some 0.3 radius T steps. */
static void print_stiffness(sal_report *r, const sal_setup *like, const double param[],
                            const sal_trajectory *tr)
{
  const sal_stiffness rest = sal_stiffness_at_equilibrium(like->model, param, SAL_EQUILIBRIUM_TRUE);
  const sal_stiffness_path path = {tr->n, like->t_end / SAMPLES, tr->state};
  const double along = sal_stiffness_along(like->model, param, &path, STRIDE);

  sal_json_members(&r->json, "stiffness_ratio %g, fastest_rate %g", rest.ratio, along);
  if (isfinite(rest.ratio))
    sal_report_say(r, "  stiffness: at rest rates differ by a factor of %.3g\n", rest.ratio);
  if (isfinite(along))
    sal_report_say(r,
                   "  stiffness: the fastest rate along the run is %.3g, %.3g over its length%s\n",
                   along, along * like->t_end,
                   along * like->t_end > 1e4 ? ": explicit solvers are held to many steps" : "");
}

static void print_events(sal_report *r, const sal_measure *measure, const sal_setup *like,
                         const sal_trajectory *tr)
{
  const double reached = tr->record.value[SAL_METRIC_T_REACHED];
  const double second = sal_measure_size(measure, "s");
  const char *unit = measure->physical ? "s" : "of time";

  sal_json_whole(&r->json, "events", tr->n_event);
  if (tr->n_event == 0)
    sal_report_say(r, "  events: no contact changes\n");
  else
    sal_report_say(r, "  events: %lld, one in %.3g %s on average\n", (long long)tr->n_event,
                   reached * second / (double)tr->n_event, unit);
  if (reached < like->t_end) sal_report_say(r, "  the run ends at t = %.4g\n", reached * second);
}

static void print_growth(sal_report *r, const sal_advice *a)
{
  char text[SAL_RECOMMEND_CHAOS];

  sal_json_number(&r->json, "exponent", a->growth > 0 ? a->growth : (double)NAN);
  if (a->growth > 0) sal_report_say(r, "  %s\n", sal_recommend_chaos_text(a, a->growth, text));
}

/* The time was over. */
static void print_halted(sal_report *r)
{
  sal_json_members(&r->json, "stiffness_ratio %g, fastest_rate %g, events %g", NAN, NAN, NAN);
  sal_report_say(r, "  stiffness and events: not run, the time was over\n");
}

sal_err sal_advise_why_print(sal_report *r, const sal_advice *a, const sal_setup *like,
                             const double param[], const double initial[])
{
  SAL_OWN_BY(sal_trajectory_free) sal_trajectory tr = {0};

  if (a->answer->best.pair < 0) return SAL_OK;
  SAL_TRY(run_reference(like, param, initial, &tr));
  sal_json_object(&r->json, "why");
  sal_report_say(r, "\nwhy:\n");
  if (tr.record.value[SAL_METRIC_OUTCOME] == SAL_OUT_HALTED) {
    print_halted(r);
  } else {
    print_stiffness(r, like, param, &tr);
    print_events(r, &a->measure, like, &tr);
  }
  print_growth(r, a);
  sal_why_print_confidence(r, a);
  SAL_TRY(sal_why_print_others(r, a));
  sal_json_end(&r->json);
  return SAL_OK;
}
