/** Measures as a user writes them, from documents and from lines. */
#pragma once

#include "document.h"
#include "provider.h"

typedef struct {
  int n;
  sal_measured_text given[SAL_MEASURED_MOST];
  char place[SAL_MEASURED_MOST][SAL_PLACE];
} sal_measured_texts;

/** A mapping NAME: TEXT, whose texts may be empty, or a list of names; node 0: none.  The document lends its texts. */
sal_err sal_measured_texts_read(const sal_document *document, int node, sal_measured_texts *out);
/** "NAME: TEXT" or "NAME", divided by ';' or ends of lines; `text` is cut there, and `where` borrowed. */
sal_err sal_measured_texts_split(const char *where, char *text, sal_measured_texts *out);
