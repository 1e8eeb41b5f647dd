/** @file src/sweep/model_text.h
 *  A model that a text describes: by bodies, or by equations; or a model in C with its text.
 */
#ifndef SAL_MODEL_TEXT_H
#define SAL_MODEL_TEXT_H

#include "equation_model.h"
#include "err.h"

typedef struct sal_model_text sal_model_text;

/** *kept: a text, with all that it needs of files which it names beside `path`; the caller frees it by sal_free, and it is NULL on
 *  failure. */
SAL_MUST_CHECK sal_err sal_model_text_keep(const char *path, const char *text, char **kept);
/** Reads and checks a text; `path` heads the messages.  sal_model_text_free frees it; *out is NULL on failure. */
SAL_MUST_CHECK sal_err sal_model_text_parse(const char *path, const char *text,
                                            sal_model_text **out);
/** A model that is there already, with the text that it was compiled from. */
SAL_MUST_CHECK sal_err sal_model_text_of(const sal_model *model, const char *text,
                                         sal_model_text **out);
void sal_model_text_free(sal_model_text *model);

/** The model / the text that it was made from, which live as long as it. */
const sal_model *sal_model_text_model(const sal_model_text *model);
const char *sal_model_text_string(const sal_model_text *model);
/** Is the text a program in C, not YAML? */
bool sal_model_text_is_program(const sal_model_text *model);
/** What of it is not taken as it stands, as a sentence; NULL: all is. */
const char *sal_model_text_note(const sal_model_text *model);
/** How accelerations of a text of bodies are found, as a sentence, and whether by recursion; NULL: it is none. */
const char *sal_model_text_way(const sal_model_text *model, bool *recurs);
/** The model of a text of equations, which can be compiled; NULL: it is one of bodies. */
sal_equation_model *sal_model_text_equations(sal_model_text *model);
/** How such a text is computed, "interpreted" or "compiled"; NULL: there is one way. */
const char *sal_model_text_engine(const sal_model_text *model);

#endif
