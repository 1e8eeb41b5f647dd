/** A solver that a text describes by its tableau, as a method like any other. */
#pragma once

#include "provider.h"
#include "tableau_reading.h"

/** Bytes of a text. */
enum { SAL_TABLEAU_BYTES = 1 << 16 };

typedef struct sal_tableau_text sal_tableau_text;

/** Reads and checks a text; `path` heads the messages.  sal_tableau_text_free frees it; *out is NULL on failure. */
sal_err sal_tableau_text_parse(const char *path, const char *text, sal_tableau_text **out);
void sal_tableau_text_free(sal_tableau_text *solver);

/** The method / the text that it was made from / what the conditions say; they live as long as it. */
const sal_method *sal_tableau_text_method(const sal_tableau_text *solver);
const char *sal_tableau_text_string(const sal_tableau_text *solver);
const sal_tableau_facts *sal_tableau_text_facts(const sal_tableau_text *solver);

/** Texts of tableaus, by their key `tableau`. */
extern const sal_provider sal_tableau_text_provider;
