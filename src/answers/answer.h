/** The members of an answer, as answer.def lists them. */
#pragma once

#include "surrogate_types.h"

/** In the order of answer.def, ended by a name of NULL. */
extern const sal_answer_member sal_answer_members[];

/** The solver or the strategy of a pair: "solver", "runner_up_strategy". */
enum { SAL_MAX_MEMBER = 32 };
const char *sal_answer_pair_name(const sal_answer_member *pair, const char *of,
                                 char text[SAL_MAX_MEMBER]);

/** A choice as an answer without a runner-up. */
sal_answer sal_answer_of_choice(const sal_surrogate_choice *choice);
/** The answer with its runner-up; without one where an attempt at the point has replaced the first of the ranked pairs. */
sal_answer sal_answer_best(const sal_surrogate_answer *answer);

/** The probability that attempt i of a schedule is needed; i = n_attempt: that the most expensive run is. */
double sal_answer_needed(const sal_surrogate_answer *answer, int i);
