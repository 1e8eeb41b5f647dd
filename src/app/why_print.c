/** The lines that say why. */
#include "answer.h"
#include "base.h"
#include "recommend_print.h"
#include "registry.h"
#include "stiffness.h"
#include "trajectory.h"

/* The largest confidence printed; and how many of the fastest time scale make a run stiff. */
static const double most = 0.99, many = 1e4;

void sal_why_print_confidence(const sal_report *r, const sal_advice *a)
{
  const sal_sweep *s = &a->cube.sweep;
  const sal_answer best = sal_answer_best(a->answer);

  if (isnan(best.confidence)) return;
  sal_report_say(r,
                 "  confidence: it needs less work for the error than %s with %s, the runner-up, "
                 "with a probability of %s%.2g%s\n",
                 sal_config_method(s, best.runner_up), sal_config_strategy(s, best.runner_up),
                 best.confidence > most ? "over " : "", fmin(best.confidence, most),
                 best.confidence < 0.5 ? ", but its failures cost less" : "");
}

/* Is the answer time stepping? */
static bool captures(const sal_advice *a)
{
  const int pair = a->answer->best.pair;

  return pair >= 0 && sal_config_solver(&a->cube.sweep, pair)->captures;
}

static void print_place(sal_report *r, const sal_advice *a, const sal_recommend_why *why)
{
  const double along = why->fastest_rate * a->cube.sweep.t_end;
  char chaos[SAL_RECOMMEND_CHAOS];

  sal_json_members(&r->json, "stiffness_ratio %g, fastest_rate %g, events %g", why->stiffness_ratio,
                   why->fastest_rate, why->events);
  if (isfinite(why->stiffness_ratio))
    sal_report_say(r, "  stiffness: at rest rates differ by a factor of about %.2g\n",
                   why->stiffness_ratio);
  if (isfinite(along))
    sal_report_say(
        r, "  stiffness: the fastest rate along a run is about %.2g, %.2g over its length%s\n",
        why->fastest_rate, along, along > many ? ": explicit solvers are held to many steps" : "");
  if (isfinite(why->events))
    sal_report_say(r, "  events: about %.2g contact changes in a run\n", why->events);
  if (why->events > 0 && captures(a))
    sal_report_say(r,
                   "  time stepping: %.3g impacts per unit of time, and each would cost an "
                   "event-driven run about 13 evaluations of f\n",
                   why->events / a->cube.sweep.t_end);
  if (!sal_sweep_asks(&a->cube.sweep, SAL_GROUP_EXPONENTS)) return;
  sal_json_number(&r->json, "exponent", why->exponent);
  if (!isnan(why->exponent))
    sal_report_say(r, "  %s\n", sal_recommend_chaos_text(a, why->exponent, chaos));
}

/* "9 times the steps, held by stability", or what else it is. */
static void say_cause(const sal_report *r, const sal_why *why, double stiffness)
{
  if (why->cause < SAL_WHY_ALGEBRA)
    sal_report_say(r, ": %.2g times the steps, ", why->steps);
  else if (why->cause < SAL_WHY_MISSES)
    sal_report_say(r, ": %.2g times the work in a step, ", why->each);
  else
    sal_report_say(r, ": ");
  sal_report_say(r, "%s", sal_why_texts[why->cause].sentence);
  if (why->cause == SAL_WHY_STABILITY && isfinite(stiffness))
    sal_report_say(r, " (stiffness ratio %.1g)", stiffness);
}

static void put_cause(sal_json *j, const sal_why *why)
{
  sal_json_members(j, "cause %s, steps %g, work_per_step %g, misses %g",
                   sal_why_texts[why->cause].word, why->steps, why->each, why->misses);
}

static void print_rival(sal_report *r, const sal_advice *a, const sal_recommend_why *why,
                        const sal_recommend_rival *of)
{
  const sal_sweep *s = &a->cube.sweep;
  const double times = of->best ? 1 + sal_ask_more(a, of->best) : NAN;

  sal_json_object(&r->json, NULL);
  sal_json_members(&r->json, "solver %s, times %g", s->method[of->method]->name, times);
  if (of->counted) put_cause(&r->json, &of->why);
  sal_json_end(&r->json);
  if (!of->best) {
    sal_report_say(r, "  %s does not reach the error there\n", s->method[of->method]->name);
    return;
  }
  sal_report_say(r, "  %s needs %.3g times the work, with %s at rtol %.2g",
                 s->method[of->method]->name, times, sal_config_strategy(s, of->best->pair),
                 of->best->tolerance);
  if (of->counted) say_cause(r, &of->why, why->stiffness_ratio);
  sal_report_say(r, "\n");
}

static void print_rivals(sal_report *r, const sal_advice *a, const sal_recommend_why *why)
{
  sal_json_array(&r->json, "others");
  for (int i = 0; i < why->n_rival; ++i) print_rival(r, a, why, &why->rival[i]);
  sal_json_end(&r->json);
}

sal_err sal_why_print_others(sal_report *r, const sal_advice *a)
{
  sal_recommend_why why = {.n_rival = 0};

  if (a->answer->n_cell > 0) SAL_TRY(sal_recommend_why_find(a, &why)); /* else nothing is counted */
  print_rivals(r, a, &why);
  return SAL_OK;
}

sal_err sal_why_print(sal_report *r, const sal_advice *a)
{
  sal_recommend_why why;

  if (a->answer->best.pair < 0) {
    sal_json_text(&r->json, "why", NULL);
    return SAL_OK;
  }
  SAL_TRY(sal_recommend_why_find(a, &why));
  sal_json_object(&r->json, "why");
  sal_report_say(r, "\nwhy:\n");
  print_place(r, a, &why);
  sal_why_print_confidence(r, a);
  print_rivals(r, a, &why);
  sal_json_end(&r->json);
  return SAL_OK;
}

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
