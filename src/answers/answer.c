/** The table of the members of an answer. */
#include "answer.h"
#include "base.h"
#include "schedule.h"

#define SAL_MEMBER(name, of, type, unit, map, getter, meaning)                                     \
  static double get_##name(const sal_answer *a) { return getter; }
#include "answer.def"
#undef SAL_MEMBER

const sal_answer_member sal_answer_members[] = {
#define SAL_MEMBER(name, of, type, unit, map, getter, meaning)                                     \
  {#name, meaning, SAL_MEMBER_OF_##of, SAL_MEMBER_##type, SAL_MEMBER_##unit, map, get_##name},
#include "answer.def"
#undef SAL_MEMBER
    {.name = NULL}};

const char *sal_answer_pair_name(const sal_answer_member *m, const char *of,
                                 char text[SAL_MAX_MEMBER])
{
  const bool own = m->of == SAL_MEMBER_OF_CHOICE;

  snprintf(text, SAL_MAX_MEMBER, "%s%s%s", own ? "" : m->name, own ? "" : "_", of);
  return text;
}

sal_answer sal_answer_of_choice(const sal_surrogate_choice *c)
{
  return (sal_answer){.pair = c->pair,
                      .runner_up = -1,
                      .other = -1,
                      .reason = SAL_REASON_ALONE,
                      .rtol = c->tolerance,
                      .probability = c->probability,
                      .error = c->error,
                      .work = c->work,
                      .total = c->total,
                      .margin = NAN,
                      .confidence = NAN,
                      .other_margin = NAN,
                      .other_confidence = NAN};
}

sal_answer sal_answer_best(const sal_surrogate_answer *a)
{
  const sal_answer *first = &a->first;
  const bool same =
      a->n_pair > 0 && a->best.pair == first->pair && a->best.tolerance == first->rtol;
  sal_answer best = same ? *first : sal_answer_of_choice(&a->best);

  if (a->best.pair < 0) best.reason = a->reason;
  return best;
}

double sal_answer_needed(const sal_surrogate_answer *a, int i)
{
  return i > 0 ? sal_schedule_miss(a->attempts[i - 1].probability) : 1;
}
