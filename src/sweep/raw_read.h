/** @file src/sweep/raw_read.h
 *  From a document to C values, as the table of keys says (keys.def).
 */
#ifndef SAL_RAW_READ_H
#define SAL_RAW_READ_H

#include "document.h"
#include "raw.h"

/** Reads the document, whose model is known or NULL, into *raw: kinds, words, lengths and ranges are
 *  checked.  Texts are borrowed from the document; sal_raw_free frees the rest.  On failure *raw is
 *  NULL and there is one message; that the model is missing or unknown is one. */
SAL_MUST_CHECK sal_err sal_raw_read(const sal_document *document, const sal_model *model,
                                    sal_raw **raw);
void sal_raw_free(sal_raw *raw);

/** Fails because a mapping lacks the key of this dotted name. */
sal_err sal_raw_missing(const sal_document *document, int mapping, const char *name);

#endif
