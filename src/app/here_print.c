/** One line for each attempt. */
#include "answer_json.h"
#include "cli_run.h"
#include "recommend_print.h"
#include "spent_text.h"

const char *const sal_here_verdicts[] = {
    [SAL_CHECK_HIT] = "hit", [SAL_CHECK_MISS] = "miss", [SAL_CHECK_UNKNOWN] = "unknown"};

static void put_run(sal_json *j, const sal_advice *a, const sal_surrogate_choice *c,
                    const sal_check *run, int i)
{
  sal_answer_json_pair(j, &a->cube.sweep, c->pair, c->tolerance);
  sal_json_members(j, "outcome %s, reached %g, work %g", sal_check_outcome(run->outcome[i]),
                   run->reached[i], run->work[i]);
}

static void put_attempt(sal_json *j, const sal_advice *a, const sal_check *c)
{
  sal_json_object(j, NULL);
  put_run(j, a, &c->tried, c, 0);
  sal_json_members(j, "estimated_error %g, verdict %s", c->difference,
                   sal_here_verdicts[c->verdict]);
  sal_json_object(j, "check");
  put_run(j, a, &c->beside, c, 1);
  sal_json_whole(j, "runs", c->n_beside);
  sal_json_end(j);
  sal_json_end(j);
}

/* The run that has no end: the attempt, or else its check. */
static void say_end(const sal_report *r, const sal_advice *a, const sal_check *c)
{
  const bool checked = sal_metric_finished(c->outcome[0]);
  const int outcome = c->outcome[checked];

  sal_report_say(r, "%s%s at t = %.6g%s\n", checked ? "not known, the tighter run beside it: " : "",
                 sal_metric_outcomes[outcome].label, c->reached[checked],
                 a->answer->n_attempt > 0                     ? sal_cli_run_spent(outcome)
                 : !checked && outcome == SAL_OUT_OVER_BUDGET ? ", the work of the best so far"
                                                              : "");
}

static void say_attempt(const sal_report *r, const sal_advice *a, const sal_check *c)
{
  char error[SAL_PERFORMANCE_ERROR_TEXT], asked[SAL_PERFORMANCE_ERROR_TEXT], work[SAL_SPENT_TEXT],
      check[SAL_SPENT_TEXT];

  if (sal_check_is_halted(c)) {
    sal_report_say(r, "not run here: the time was over\n");
    return;
  }
  sal_report_say(
      r, "run here: %s with %s at rtol %.3g: ", sal_config_method(&a->cube.sweep, c->tried.pair),
      sal_config_strategy(&a->cube.sweep, c->tried.pair), c->tried.tolerance);
  if (isnan(c->difference)) {
    say_end(r, a, c);
    return;
  }
  sal_report_say(r, "estimated error %s",
                 sal_performance_error_text(&a->cube.table, 2, c->difference, error));
  if (c->verdict != SAL_CHECK_HIT)
    sal_report_say(r, ", more than %s",
                   sal_performance_error_text(&a->cube.table, 6, a->question.error, asked));
  sal_report_say(r, ", work %s; its %s %s at rtol %.3g, %s\n",
                 sal_spent_text(&a->cube.table, c->work[0], work),
                 c->n_beside > 1 ? "checks, the last by" : "check,",
                 sal_config_method(&a->cube.sweep, c->beside.pair), c->beside.tolerance,
                 sal_spent_text(&a->cube.table, c->work[1], check));
}

void sal_here_print(sal_report *r, const sal_advice *a)
{
  if (a->n_here == 0) return;
  sal_json_number(&r->json, "estimated_error", a->hit < 0 ? NAN : a->here[a->hit].difference);
  sal_json_array(&r->json, "here");
  for (int i = 0; i < a->n_here; ++i) {
    put_attempt(&r->json, a, &a->here[i]);
    say_attempt(r, a, &a->here[i]);
  }
  sal_json_end(&r->json);
}
