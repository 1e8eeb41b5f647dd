/** A box in text and JSON. */
#include "answer_json.h"
#include "recommend_print.h"
#include "spent_text.h"

static void put_range(sal_json *j, const char *name, const sal_box_range *r)
{
  sal_json_object_of(j, name, "least %g, mean %g, most %g", r->least, r->mean, r->most);
}

/* "b = 1500 .. 2500, m1 = 0.8 .. 20": what is more than a value. */
static void print_ranges(sal_report *r, const sal_advice *a)
{
  const sal_model *m = a->cube.sweep.model;
  const char *next = "";

  sal_json_object(&r->json, "ranges");
  sal_report_say(r, "\nover the box ");
  for (int k = 0; k < sal_parameter_column_count(m); ++k) {
    const double lo = a->box->lo[k], hi = a->box->hi[k];
    if (!(hi > lo)) continue;
    sal_json_array(&r->json, sal_parameter_column_name(m, k));
    sal_json_number(&r->json, NULL, lo);
    sal_json_number(&r->json, NULL, hi);
    sal_json_end(&r->json);
    sal_report_say(r, "%s%s = %.6g .. %.6g", next, sal_parameter_column_name(m, k), lo, hi);
    next = ", ";
  }
  sal_json_end(&r->json);
  sal_report_say(r, ", at %d points of it:\n", SAL_SURROGATE_BOX_POINTS);
}

static void print_winners(sal_report *r, const sal_advice *a)
{
  const sal_surrogate_box *box = a->box;
  const sal_sweep *s = &a->cube.sweep;
  const double unanswered = 1 - (double)box->n_answered / SAL_SURROGATE_BOX_POINTS;

  sal_json_array(&r->json, "winners");
  for (int i = 0; i < box->n_winner && i < SAL_SURROGATE_BOX_WINNERS; ++i) {
    const sal_box_winner *w = &box->winner[i];
    sal_json_object_of(&r->json, NULL, "solver %s, strategy %s, share %g",
                       sal_config_method(s, w->pair), sal_config_strategy(s, w->pair), w->share);
    sal_report_say(r, "  %5.1f %%  %s with %s\n", 100 * w->share, sal_config_method(s, w->pair),
                   sal_config_strategy(s, w->pair));
  }
  sal_json_end(&r->json);
  sal_json_members(&r->json, "unanswered %g, unverified %g", unanswered, box->unverified);
  if (unanswered > 0)
    sal_report_say(r, "  %5.1f %%  no solver that was compared%s\n", 100 * unanswered,
                   box->unverified > 0 ? ", for want of references in a part of it" : "");
}

static void print_one(sal_report *r, const sal_advice *a)
{
  const sal_surrogate_box *box = a->box;
  char least[SAL_SPENT_TEXT], most[SAL_SPENT_TEXT];

  if (box->pair < 0) {
    sal_json_text(&r->json, "one", NULL);
    sal_report_say(r, "  no single answer holds in all of it\n");
    return;
  }
  sal_json_object(&r->json, "one");
  sal_answer_json_pair(&r->json, &a->cube.sweep, box->pair, box->tolerance);
  sal_json_number(&r->json, "more", box->more);
  put_range(&r->json, "probability", &box->one_probability);
  put_range(&r->json, "work", &box->one_work);
  sal_json_end(&r->json);
  sal_report_say(r,
                 "  one answer for all of it: %s with %s at rtol %.3g, in total %.3g %% more than "
                 "the best of each place;\n    probability %.2f .. %.2f, work %s .. %s\n",
                 sal_config_method(&a->cube.sweep, box->pair),
                 sal_config_strategy(&a->cube.sweep, box->pair), box->tolerance, 100 * box->more,
                 box->one_probability.least, box->one_probability.most,
                 sal_spent_text(&a->cube.table, box->one_work.least, least),
                 sal_spent_text(&a->cube.table, box->one_work.most, most));
}

void sal_box_print(sal_report *r, const sal_advice *a)
{
  const sal_surrogate_box *box = a->box;
  char least[SAL_SPENT_TEXT], most[SAL_SPENT_TEXT], mean[SAL_SPENT_TEXT];

  sal_json_object(&r->json, "box");
  print_ranges(r, a);
  sal_json_whole(&r->json, "points", SAL_SURROGATE_BOX_POINTS);
  print_winners(r, a);
  if (box->n_answered > 0) {
    put_range(&r->json, "probability", &box->probability);
    put_range(&r->json, "work", &box->work);
    put_range(&r->json, "total", &box->total);
    sal_report_say(r,
                   "  of the best at each place: probability %.2f .. %.2f (mean %.2f), work %s .. "
                   "%s (mean %s)\n",
                   box->probability.least, box->probability.most, box->probability.mean,
                   sal_spent_text(&a->cube.table, box->work.least, least),
                   sal_spent_text(&a->cube.table, box->work.most, most),
                   sal_spent_text(&a->cube.table, box->work.mean, mean));
  }
  print_one(r, a);
  sal_json_end(&r->json);
}
