/** @file src/app/recommend_json.c
 *  An answer as JSON.
 */
#include "answer_json.h"
#include "cli_question.h"
#include "contender.h"
#include "library_select.h"
#include "recommend_point.h"
#include <math.h>

static void put_pair(sal_json *j, const sal_recommend_point *a, int pair, double tolerance)
{
  const sal_sweep *s = &a->cube.sweep;
  const sal_method *method = sal_contender_solver(s, pair);

  sal_answer_json_pair(j, s, pair, tolerance);
  if (method->engine) sal_library_select_json(j, method, tolerance);
}

/* An object, or null. */
static void put_choice(sal_json *j, const sal_recommend_point *a, const char *name,
                       const sal_reader_choice *c, bool why)
{
  char text[SAL_RECOMMEND_FOR];

  if (c->pair < 0) {
    sal_json_text(j, name, NULL);
    return;
  }
  sal_json_object(j, name);
  put_pair(j, a, c->pair, c->tolerance);
  sal_answer_json_expected(j, c);
  if (why) sal_json_text(j, "for", sal_recommend_point_for(a, c, text));
  sal_json_end(j);
}

static void put_promise(sal_json *j, const sal_recommend_point *a)
{
  const sal_reader_fit *fit = sal_reader_fit_of(a->reader);
  const int e = sal_recommend_point_promise(a);

  if (e < 0) {
    sal_json_text(j, "promise", NULL);
    return;
  }
  sal_json_object(j, "promise");
  sal_json_number(j, "error", a->source.by->preset[e]);
  sal_json_whole(j, "asked", fit->asked[e]);
  sal_json_number(j, "promised", fit->promised[e]);
  sal_json_number(j, "kept", fit->kept[e]);
  sal_json_end(j);
}

static void put_run(sal_json *j, const char *name, const sal_recommend_point *a,
                    const sal_recommend_run *run)
{
  if (run->choice.pair < 0) {
    sal_json_text(j, name, NULL);
    return;
  }
  sal_json_object(j, name);
  put_pair(j, a, run->choice.pair, run->choice.tolerance);
  sal_json_number(j, "error", run->error);
  sal_json_number(j, "work", run->work);
  sal_json_bool(j, "hit", run->error <= a->question.error);
  sal_json_end(j);
}

static void put_answer(sal_json *j, const sal_recommend_point *a)
{
  const sal_reader_answer *r = a->answer;

  put_choice(j, a, "answer", &r->best, false);
  if (r->best.pair < 0) sal_json_text(j, "reason", sal_map_reasons[r->reason].label);
  put_choice(j, a, "safe", &r->safe, false);
  put_choice(j, a, "likely", &r->likely, false);
  sal_json_array(j, "runners_up");
  for (int i = 1; i < sal_recommend_point_close(a); ++i) put_choice(j, a, NULL, &r->pair[i], true);
  sal_json_end(j);
  sal_json_number(j, "unverified", r->unverified);
  put_promise(j, a);
  if (!a->ran) return;
  sal_json_object(j, "run");
  put_run(j, "answer", a, &a->run[0]);
  put_run(j, "runner_up", a, &a->run[1]);
  sal_json_number(j, "reference_error", a->reference_error);
  sal_json_end(j);
}

static void put_ranking(sal_json *j, const sal_recommend_point *a)
{
  sal_json_array(j, "ranking");
  for (int i = 0; i < a->n_points; ++i) {
    sal_json_object(j, NULL);
    put_pair(j, a, a->points[i].pair, a->cube.sweep.tolerance[a->question.tolerance]);
    sal_json_number(j, "points", a->points[i].points);
    sal_json_number(j, "work", a->points[i].work);
    sal_json_number(j, "error", a->points[i].error);
    sal_json_end(j);
  }
  sal_json_end(j);
}

void sal_recommend_print_json(FILE *out, const sal_recommend_point *a)
{
  sal_json j;

  sal_json_begin(&j, out);
  sal_json_text(&j, "model", a->cube.sweep.model->name);
  sal_answer_json_at(&j, &a->cube.sweep, a->value);
  sal_cli_question_json(&j, &a->cube.table, &a->question);
  if (!isnan(a->confidence)) sal_json_number(&j, "confidence", a->confidence);
  if (a->physical) {
    sal_json_number(&j, "second", a->scales.second);
    sal_json_number(&j, "metre", a->scales.metre);
  }
  if (sal_question_by_error(&a->question))
    put_answer(&j, a);
  else
    put_ranking(&j, a);
  sal_json_whole(&j, "neighbours", a->answer->n_cell);
  sal_answer_json_outside(&j, a->cube.sweep.model, a->answer);
  sal_json_end(&j);
}
