/** Members that all answers of the surrogate have as JSON. */
#pragma once

#include "report.h"
#include "surrogate.h"

/** "at": {..}, what the axes of a sweep vary, at a point value [n_param + n_option + n_state]. */
void sal_answer_json_at(sal_json *json, const sal_sweep *sweep, const double value[]);
/** The solver, strategy and rtol of a pair, or of a configuration. */
void sal_answer_json_pair(sal_json *json, const sal_sweep *sweep, int pair, double tolerance);
void sal_answer_json_config(sal_json *json, const sal_sweep *sweep, int config);
/** "weights": {..} of points. */
void sal_answer_json_weights(sal_json *json, const sal_weights *weights);
/** The members of answer.def: of a choice alone, or all. */
void sal_answer_json_members(sal_json *json, const sal_sweep *sweep, const sal_answer *answer,
                             sal_answer_of of);
void sal_answer_json_choice(sal_json *json, const sal_sweep *sweep,
                            const sal_surrogate_choice *choice);
/** The schedule of an answer: its attempts as pairs, with the probability that each is needed. */
void sal_answer_json_schedule(sal_json *json, const sal_sweep *sweep,
                              const sal_surrogate_answer *answer);
/** "outside": [..], the names of the columns in which the point lies outside the sweep. */
void sal_answer_json_outside(sal_json *json, const sal_model *model,
                             const sal_surrogate_answer *answer);
