/** @file src/sweep/values.h
 *  Single values: is it a number, is it in range, do parameters make sense together?
 */
#ifndef SAL_VALUES_H
#define SAL_VALUES_H

#include "document.h"
#include "err.h"
#include "model.h"

/** Reads a finite decimal number; false when the text is anything else. */
bool sal_value_read(const char *text, double *value);

/** Fails because the text of a node is no number; `name` says of what. */
sal_err sal_value_no_number(const sal_document *document, int node, const char *name);

/** Fails because a node is no `expected` ("a list, [.., ..]"). */
sal_err sal_value_wrong_kind(const sal_document *document, int node, const char *name,
                             const char *expected);

enum { SAL_ALLOWED = 80 };
/** "from 0 to 1", "greater than 0", "any finite number". */
const char *sal_value_allowed(double least, double most, char text[SAL_ALLOWED]);

/** Fails with "WHERE: NAME = VALUE is out of range; allowed: ..", or not at all. */
SAL_MUST_CHECK sal_err sal_value_range(sal_err code, const char *where, const char *name,
                                       double value, double least, double most);

/** Reads a number of the document and checks it, since libcyaml passes 1x, nan and inf and knows no
 *  ranges; value may be NULL. */
SAL_MUST_CHECK sal_err sal_value_check(const sal_document *document, int node, const char *name,
                                       double least, double most, bool whole, double *value);

enum { SAL_MAX_ITEM = 128 };
/** Cuts "name=value" off a list with commas between the items; *text is NULL behind the last. */
SAL_MUST_CHECK sal_err sal_value_item(const char *where, const char **text, char name[SAL_MAX_ITEM],
                                      char value[SAL_MAX_ITEM]);

/** The number of a field, or the number of an option's word; checked. */
SAL_MUST_CHECK sal_err sal_value_field(const char *where, const sal_field *field, const char *text,
                                       double *value);
SAL_MUST_CHECK sal_err sal_value_option(const char *where, const sal_option *option,
                                        const char *text, double *value);

#endif
