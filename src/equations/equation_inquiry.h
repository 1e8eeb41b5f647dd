/** Data that the questions of equation_findings.h share. */
#pragma once

#include "equation_findings.h"
#include "equation_reading.h"

enum { SAL_EQUATION_INQUIRY_TEXT = 480, SAL_EQUATION_INQUIRY_MOST = 12 };

/** A reading that is asked, and where findings go. */
typedef struct {
  sal_equation_reading *r;
  const sal_scope_trace *trace;
  const char *question;
  int n;                           /* of this question so far */
  sal_equation_finding_take *take; /* NULL: none are reported */
  void *with;
} sal_equation_inquiry;

/** Reports FILE:LINE: MESSAGE of a node of the document (0: MESSAGE alone), the first few of a question. */
void sal_equation_inquiry_put(sal_equation_inquiry *q, sal_equation_finding_kind kind, int text,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));
/** The expression that a node of the graph was made for; NULL: the program made it. */
const sal_scope_span *sal_equation_inquiry_span(const sal_equation_inquiry *q, int node);
/** The expression that stands at a node of the document; NULL: none was read. */
const sal_scope_span *sal_equation_inquiry_at(const sal_equation_inquiry *q, int text);

sal_err sal_equation_inquiry_units(sal_equation_inquiry *q);
sal_err sal_equation_inquiry_kinks(sal_equation_inquiry *q);
