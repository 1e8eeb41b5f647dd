/** @file src/app/advise_why.c
 *  A run for stiffness and events, and the best answer of each solver.
 */
#include "advise_why.h"
#include "contender.h"
#include "memory.h"
#include "registry.h"
#include "stiffness.h"
#include "trajectory.h"
#include <math.h>
#include <string.h>

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
  const sal_stiffness rest = sal_stiffness_at_rest(like->model, param, SAL_REST_TRUE);
  const sal_stiffness_path path = {tr->n, like->t_end / SAMPLES, tr->state};
  const double along = sal_stiffness_along(like->model, param, &path, STRIDE);

  sal_json_number(&r->json, "stiffness_ratio", rest.ratio);
  sal_json_number(&r->json, "fastest_rate", along);
  if (isfinite(rest.ratio))
    sal_report_say(r, "  stiffness: at rest rates differ by a factor of %.3g\n", rest.ratio);
  if (isfinite(along))
    sal_report_say(r,
                   "  stiffness: the fastest rate along the run is %.3g, %.3g over its length%s\n",
                   along, along * like->t_end,
                   along * like->t_end > 1e4 ? ": explicit solvers are held to many steps" : "");
}

static void print_events(sal_report *r, const sal_setup *like, const sal_trajectory *tr)
{
  const double reached = tr->record.value[SAL_METRIC_T_REACHED];

  sal_json_whole(&r->json, "events", tr->n_event);
  if (tr->n_event == 0)
    sal_report_say(r, "  events: no contact changes\n");
  else
    sal_report_say(r, "  events: %lld, one in %.3g of time on average\n", (long long)tr->n_event,
                   reached / (double)tr->n_event);
  if (reached < like->t_end) sal_report_say(r, "  the run ends at t = %.4g\n", reached);
}

/* The first answer of each solver but the best one: ranked, so it is that solver's best. */
static void print_others(sal_report *r, const sal_recommend_point *a)
{
  const sal_sweep *s = &a->cube.sweep;
  const sal_reader_answer *found = a->answer;

  sal_json_array(&r->json, "others");
  for (int m = 0; m < s->n_method; ++m) {
    int i = 0;
    if (m == found->best.pair % s->n_method || !a->cube.method[m]) continue;
    while (i < found->n_pair && found->pair[i].pair % s->n_method != m) ++i;
    const double times = i < found->n_pair ? found->pair[i].total / found->best.total : NAN;
    sal_json_object(&r->json, NULL);
    sal_json_text(&r->json, "solver", s->method[m]->name);
    sal_json_number(&r->json, "times", times);
    sal_json_end(&r->json);
    if (isnan(times))
      sal_report_say(r, "  %s does not reach the error there\n", s->method[m]->name);
    else
      sal_report_say(r, "  %s needs %.3g times the work, with %s at rtol %.2g\n",
                     s->method[m]->name, times, sal_contender_strategy(s, found->pair[i].pair),
                     found->pair[i].tolerance);
  }
  sal_json_end(&r->json);
}

sal_err sal_advise_why_print(sal_report *r, const sal_recommend_point *a, const sal_setup *like,
                             const double param[], const double initial[])
{
  SAL_OWN_BY(sal_trajectory_free) sal_trajectory tr = {0};

  if (a->answer->best.pair < 0) return SAL_OK;
  SAL_TRY(run_reference(like, param, initial, &tr));
  sal_json_object(&r->json, "why");
  sal_report_say(r, "\nwhy:\n");
  print_stiffness(r, like, param, &tr);
  print_events(r, like, &tr);
  print_others(r, a);
  sal_json_end(&r->json);
  return SAL_OK;
}
