/** saltus check: does the advised run miss the asked error? */
#include "answer_json.h"
#include "base.h"
#include "cli_compile.h"
#include "cli_performance.h"
#include "recommend_print.h"
#include "spent_text.h"

typedef struct {
  const char *path, *at, *error;
  int64_t cells;
  double budget;
  bool next, json;
  sal_cli_texts recorded;
  sal_cli_performance_words table;
  sal_cli_compile compile;
} options;
enum { PRESET_CELLS = 100 };
static const options presets = {.cells = PRESET_CELLS};

#define OPTIONS_OF_check
#include "options.def"

/* "max_error, integral_absolute_error, .." */
static const char *compared(void)
{
  static char text[200];
  size_t n = 0;

  for (const sal_error_metric *m = sal_error_metrics; m->what; ++m)
    if (m->trajectory && n < sizeof text)
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "",
                            sal_error_metric_name(m));
  return text;
}

static sal_err find_answer(const options *o, sal_advice *a)
{
  double point[SAL_MAX_QUANTITY];
  sal_question q = {.error = NAN};

  SAL_TRY(sal_cli_performance_error(o->error, &a->cube.table, &q.error));
  if (!a->cube.table.by->trajectory)
    return sal_fail(SAL_ERR_USAGE,
                    "a check compares two runs over [0, t_end], and %s is of an orbit, which "
                    "`saltus orbit` closes to its tolerance at any point; allowed: --by %s",
                    sal_error_metric_name(a->cube.table.by), compared());
  SAL_TRY(sal_parameter_point_parse("--at", &a->cube.sweep, o->at, point));
  return sal_ask(a, q, point, 0);
}

static void print_run(sal_report *r, const sal_advice *a, const char *name,
                      const sal_surrogate_choice *c, const sal_check *run, int i)
{
  const double work = run->work[i];
  const int outcome = run->outcome[i];
  char text[SAL_SPENT_TEXT];

  sal_json_object(&r->json, name);
  sal_answer_json_pair(&r->json, &a->cube.sweep, c->pair, c->tolerance);
  sal_json_number(&r->json, "work", work);
  sal_json_end(&r->json);
  sal_report_say(r, "  %-7s %s with %s at rtol %.3g", name,
                 sal_config_method(&a->cube.sweep, c->pair),
                 sal_config_strategy(&a->cube.sweep, c->pair), c->tolerance);
  if (!sal_metric_finished(outcome))
    sal_report_say(r, ": no end, %s at t = %.6g%s\n", sal_metric_outcomes[outcome].label,
                   run->reached[i], sal_cli_run_spent(outcome));
  else
    sal_report_say(r, ": work %s\n", sal_spent_text(&a->cube.table, work, text));
}

static const char *where_of(const sal_error_metric *by)
{
  if (by->over_time) return "in all over time";
  return by->error == SAL_METRIC_END_ERROR ? "at the end" : "at most";
}

static void print_verdict(sal_report *r, const sal_advice *a, const sal_check *c)
{
  char difference[SAL_PERFORMANCE_ERROR_TEXT], asked[SAL_PERFORMANCE_ERROR_TEXT];

  sal_json_members(&r->json, "difference %g, verdict %s", c->difference,
                   sal_here_verdicts[c->verdict]);
  sal_performance_error_text(&a->cube.table, 6, a->question.error, asked);
  if (isnan(c->difference)) {
    sal_report_say(r, "one of them has no end: %s\n", sal_here_verdicts[c->verdict]);
    return;
  }
  sal_report_say(r, "they differ by %s %s, and %s is allowed: %s\n",
                 sal_performance_error_text(&a->cube.table, 2, c->difference, difference),
                 where_of(a->cube.table.by), asked, sal_here_verdicts[c->verdict]);
  const sal_surrogate_answer *plan = a->answer;
  if (c->verdict != SAL_CHECK_MISS) return;
  if (plan->n_attempt < 2) {
    sal_report_say(r, "next: no configuration has a higher success probability here\n");
    return;
  }
  const sal_surrogate_choice *next = &plan->attempts[1];
  sal_report_say(r, "next: %s with %s at rtol %.3g\n",
                 sal_config_method(&a->cube.sweep, next->pair),
                 sal_config_strategy(&a->cube.sweep, next->pair), next->tolerance);
}

/* If none of n is wrong, the share of wrong ones is at most 3 / n with a probability of 0.95. */
static void say_share(const sal_report *r, int64_t wrong, int64_t n, const char *what)
{
  if (n == 0) return;
  if (wrong == 0)
    sal_report_say(r, ": none of %lld %s (below %.0f %% with probability 0.95)", (long long)n, what,
                   fmin(100, 300.0 / (double)n));
  else
    sal_report_say(r, ": %lld of %lld %s (%.0f %%)", (long long)wrong, (long long)n, what,
                   100.0 * (double)wrong / (double)n);
}

static void print_rates(sal_report *r, const sal_check_rates *c)
{
  const int64_t n = c->hits + c->misses;

  sal_json_object_of(&r->json, "map", "hits %ld, false_alarms %ld, misses %ld, unseen %ld", c->hits,
                     c->false_alarms, c->misses, c->unseen);
  if (n == 0) return;
  sal_report_say(r, "how such checks did in %lld cells of this map: wrong alarms", (long long)n);
  say_share(r, c->false_alarms, c->hits, "hits");
  sal_report_say(r, "; unseen");
  say_share(r, c->unseen, c->misses, "misses");
  sal_report_say(r, "\n");
}

static void print_check(sal_report *r, const sal_advice *a, const sal_check *c,
                        const sal_check_rates *rates)
{
  const double cost = c->work[1];
  char text[3][SAL_SPENT_TEXT];

  sal_json_text(&r->json, "model", a->cube.sweep.model->name);
  sal_answer_json_at(&r->json, &a->cube.sweep, a->value);
  sal_json_number(&r->json, "error", a->question.error);
  sal_spent_text_put(r, &a->cube.table);
  print_run(r, a, "run", &c->tried, c, 0);
  print_run(r, a, "beside", &c->beside, c, 1);
  print_verdict(r, a, c);
  sal_json_number(&r->json, "total", a->answer->best.total + cost);
  if (!isnan(cost))
    sal_report_say(r, "cost of the check: %s, so that the plan takes %s in place of %s\n",
                   sal_spent_text(&a->cube.table, cost, text[0]),
                   sal_spent_text(&a->cube.table, a->answer->best.total + cost, text[1]),
                   sal_spent_text(&a->cube.table, a->answer->best.total, text[2]));
  print_rates(r, rates);
}

static sal_err run_check(void *given, sal_command_call *call)
{
  const options *o = given;
  SAL_OWN_BY(sal_ask_free)
  sal_advice a = {.path = o->path,
                  .trust = sal_cli_trust_of(&o->recorded),
                  .probability = NAN,
                  .budget = o->budget};
  const sal_performance_chooser chooser = sal_cli_performance_chooser(&o->table);
  double error;
  sal_check found;
  sal_check_rates rates;

  SAL_TRY(sal_cli_compile_given(&o->compile, call));
  SAL_TRY(sal_cli_performance_error(o->error, NULL, &error));
  SAL_TRY(sal_performance_cube_begin(o->path, &chooser, SAL_PERFORMANCE_ERRORS, &a.cube));
  SAL_TRY(find_answer(o, &a));
  SAL_TRY(sal_check_at(&a, o->next, &found));
  SAL_TRY(sal_check_map(&a, o->next, o->cells, &rates));
  sal_report r = sal_report_begin(stdout, o->json);
  print_check(&r, &a, &found, &rates);
  sal_report_end(&r);
  call->status = found.verdict == SAL_CHECK_HIT ? 0 : SAL_FINDING_MISS;
  return SAL_OK;
}

const sal_command_code sal_cmd_check = {
    .table = {{rows, 0},
              {sal_cli_performance_options, offsetof(options, table)},
              {sal_cli_given_options, offsetof(options, compile)},
              {sal_cli_trust_options, offsetof(options, recorded)},
              {sal_cli_petsc_options, 0}},
    SAL_COMMAND_OPTIONS(presets),
    .run = run_check};
