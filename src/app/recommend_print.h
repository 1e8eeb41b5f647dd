/** Prints of `saltus recommend`, `advise` and `check`: an answer at a point or over a box, its reasons, its runs there.
 */
#pragma once

#include "ask.h"
#include "report.h"

/** Without an answer only JSON is printed: people get the message of sal_ask. */
void sal_recommend_print(sal_report *report, const sal_advice *advice);

/** Below that: what is written in a program (solver_home.h), and which of its solvers were not measured. */
void sal_recommend_print_home(sal_report *report, const sal_advice *point, int home);

/* ---- The winner of each region of a box. ---- */

/** After the answer at its middle; advice->box is there. */
void sal_box_print(sal_report *report, const sal_advice *advice);

/* Why an answer is what it is: stiffness, events, how surely it leads, and what stops the other solvers. */

/** Prints it below an answer, and the member `why`, from what is in the cube. */
sal_err sal_why_print(sal_report *report, const sal_advice *advice);

/* Parts of it. */

/** The confidence of the answer beside its runner-up; without one nothing. */
void sal_why_print_confidence(const sal_report *report, const sal_advice *advice);
/** Work of each of the other solvers, with the reason: the member `others`. */
sal_err sal_why_print_others(sal_report *report, const sal_advice *advice);

/* ---- Attempts of a schedule that were run at the point itself, each beside its check. ---- */

/** By sal_check_verdict: "hit", "miss", "unknown". */
extern const char *const sal_here_verdicts[];

/** Prints a line for each attempt, and the members `estimated_error`, that of the answer, null where no run has shown it, and
 *  `here`; neither where no attempt was to be run. */
void sal_here_print(sal_report *report, const sal_advice *advice);

/* ---- Why an answer is what it is: stiffness, events, and what the other solvers take. ---- */

/** Prints it, and the member `why`: from a run of the model's reference solver at the point of the setup, and from the
 *  answers of the others there. */
sal_err sal_advise_why_print(sal_report *report, const sal_advice *advice, const sal_setup *like,
                             const double param[], const double initial[]);
