/** @file src/sweep/schema_load.h
 *  Through a schema from a document to C values.
 */
#ifndef SAL_SCHEMA_LOAD_H
#define SAL_SCHEMA_LOAD_H

#include "document.h"
#include "raw.h"
#include "schema.h"

/** Fails because a mapping lacks the key of this dotted name. */
sal_err sal_schema_missing(const sal_document *document, int mapping, const char *name);

/** Reads the document into *raw, which sal_schema_free frees; fails with one message. */
SAL_MUST_CHECK sal_err sal_schema_load(const sal_schema *schema, const sal_document *document,
                                       sal_raw **raw);
void sal_schema_free(const sal_schema *schema, sal_raw *raw);

#endif
