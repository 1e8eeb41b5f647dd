/** Findings in a text of equations that is valid, but may contain mistakes: names without use, units that do
 *  not fit, kinks at no contact's gap.
 */
#pragma once

#include "err.h"

typedef enum {
  SAL_EQUATION_FINE,
  SAL_EQUATION_NOTE, /* may be meant */
  SAL_EQUATION_WRONG
} sal_equation_finding_kind;

/** Takes a finding; `question`: "names", "units" or "kinks". */
typedef void sal_equation_finding_take(void *with, const char *question,
                                       sal_equation_finding_kind kind, const char *text);

/** Reads a text anew and passes on its findings, each with FILE:LINE and its key, and one finding for each question where there
 *  is none.  Fails as sal_equation_model_parse does. */
sal_err sal_equation_findings(const char *path, const char *text, sal_equation_finding_take *take,
                              void *with);
