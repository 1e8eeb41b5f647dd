/** A solver that a text describes by its tableau, as a method like any other. */
#pragma once

#include "provider.h"
#include "tableau_reading.h"

/** Bytes of a text. */
enum { SAL_TABLEAU_BYTES = 1 << 16 };

/** A solver; read-only. */
typedef struct {
  char *path, *text;
  sal_document document; /* names are its texts */
  sal_tableau_facts facts;
  sal_method method;
  union {
    sal_tableau pair;
    sal_rosenbrock_w rosenbrock;
  } made;
} sal_tableau_text;

/** Reads and checks a text; `path` heads the messages.  sal_tableau_text_free frees it; *out is NULL on failure. */
sal_err sal_tableau_text_parse(const char *path, const char *text, sal_tableau_text **out);
void sal_tableau_text_free(sal_tableau_text *solver);

/** Texts of tableaus, by their key `tableau`. */
extern const sal_provider sal_tableau_text_provider;
