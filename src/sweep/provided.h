/** @file src/sweep/provided.h
 *  Models and solvers of texts, which the table of providers reads, and models in C with their texts.
 */
#ifndef SAL_PROVIDED_H
#define SAL_PROVIDED_H

#include "provider.h"

/** *kept: a text of a model, with all that it needs of files which it names beside `path`; the caller frees it by sal_free, and it is
 *  NULL on failure. */
SAL_MUST_CHECK sal_err sal_provided_keep(const char *path, const char *text, char **kept);
/** Reads and checks a text of a model, or of a solver; `path` heads the messages.  sal_provided_free frees it; *out is NULL on
 *  failure. */
SAL_MUST_CHECK sal_err sal_provided_parse(sal_provides gives, const char *path, const char *text,
                                          sal_provided **out);
/** A model that is there already, borrowed, with the text that it was compiled from. */
SAL_MUST_CHECK sal_err sal_provided_of(const sal_model *model, const char *text,
                                       sal_provided **out);
void sal_provided_free(sal_provided *provided);

/** The result of that provider for the text; NULL: another one read it, or there is none. */
void *sal_provided_made(const sal_provided *provided, const sal_provider *by);
/** How a text is computed, "interpreted" or "compiled"; NULL: there is one way. */
const char *sal_provided_engine(const sal_provided *provided);

#endif
