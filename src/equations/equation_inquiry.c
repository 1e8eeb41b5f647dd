/** Findings, and the expressions that they are about. */
#include "equation_inquiry.h"
#include <stdarg.h>
#include <stdio.h>

void sal_equation_inquiry_put(sal_equation_inquiry *q, sal_equation_finding_kind kind, int text,
                              const char *format, ...)
{
  char place[SAL_PLACE], message[SAL_EQUATION_INQUIRY_TEXT];
  int n = 0;
  va_list values;

  if (!q->take || q->n++ > SAL_EQUATION_INQUIRY_MOST) return;
  if (q->n > SAL_EQUATION_INQUIRY_MOST) {
    q->take(q->with, q->question, kind, "and more of them");
    return;
  }
  if (text)
    n = snprintf(message, sizeof message,
                 "%.300s: ", sal_document_place(&q->r->document, text, place));
  va_start(values, format);
  vsnprintf(message + n, sizeof message - (size_t)n, format, values);
  va_end(values);
  q->take(q->with, q->question, kind, message);
}

const sal_scope_span *sal_equation_inquiry_span(const sal_equation_inquiry *q, int node)
{
  for (int i = 0; i < q->trace->n; ++i)
    if (q->trace->span[i].first <= node && node < q->trace->span[i].last) return &q->trace->span[i];
  return NULL;
}

const sal_scope_span *sal_equation_inquiry_at(const sal_equation_inquiry *q, int text)
{
  for (int i = 0; i < q->trace->n && text; ++i)
    if (q->trace->span[i].text == text) return &q->trace->span[i];
  return NULL;
}
