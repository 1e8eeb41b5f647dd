/** @file src/document/value.h
 *  Single values: is it a number, and is it in range?
 */
#ifndef SAL_VALUE_H
#define SAL_VALUE_H

#include "document.h"
#include "err.h"

/** What a message says where a number should be. */
#define SAL_VALUE_EXPECTED "expected: a finite decimal number, such as 0.001 or 1e-3"

/** Why a text is not such a number, after its name: "is not a number; expected: ..", "is too large; ..". */
const char *sal_value_flaw(const char *text);

/** Reads a finite decimal number; false when the text is anything else. */
bool sal_value_read(const char *text, double *value);

/** The number that a node is; fails where it is anything else.  `name` says of what. */
SAL_MUST_CHECK sal_err sal_value_number(const sal_document *document, int node, const char *name,
                                        double *value);

/** The rank of a node's word among `words`, which end with NULL. */
SAL_MUST_CHECK sal_err sal_value_word(const sal_document *document, int node, const char *name,
                                      const char *const words[], int *rank);

/** A name of at most `longest` bytes, which may become part of other names, of paths of axes and of lists with commas and
 *  colons: letters, digits and - _ . + ( ), none of the signs first. */
SAL_MUST_CHECK sal_err sal_value_name(const sal_document *document, int node, const char *name,
                                      int longest, const char **out);

/** Fails unless the node is a list of least .. most items. */
SAL_MUST_CHECK sal_err sal_value_list(const sal_document *document, int node, const char *name,
                                      int least, int most);

/** Fails unless the node is a mapping whose keys are all among `keys`, which end with NULL; `kind`:
 *  "key of divergence". */
SAL_MUST_CHECK sal_err sal_value_keys(const sal_document *document, int node, const char *name,
                                      const char *kind, const char *const keys[]);

/** Fails because the text of a node is not a number; `name` says of what. */
sal_err sal_value_no_number(const sal_document *document, int node, const char *name);

/** Fails because a node is no `expected` ("a list, [.., ..]"). */
sal_err sal_value_wrong_kind(const sal_document *document, int node, const char *name,
                             const char *expected);

enum { SAL_ALLOWED = 80, SAL_MAX_NAME = 128 };
/** "from 0 to 1", "greater than 0", "any finite number". */
const char *sal_value_allowed(double least, double most, char text[SAL_ALLOWED]);

/** Fails with "WHERE: NAME = VALUE is out of range; allowed: ..", or not at all. */
SAL_MUST_CHECK sal_err sal_value_range(sal_err code, const char *where, const char *name,
                                       double value, double least, double most);

/** Reads a number of the document and checks its range; value may be NULL. */
SAL_MUST_CHECK sal_err sal_value_check(const sal_document *document, int node, const char *name,
                                       double least, double most, bool whole, double *value);

#endif
