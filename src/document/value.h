/** Single values: is it a number, and is it in range? */
#pragma once

#include "document.h"

/** Part of a message where a number is expected. */
#define SAL_VALUE_EXPECTED "expected: a finite decimal number, such as 0.001 or 1e-3"

/** Why a text is not such a number, after its name: "is not a number; expected: ..", "is too large; ..". */
const char *sal_value_flaw(const char *text);

/** Reads a finite decimal number; false when the text is anything else. */
bool sal_value_read(const char *text, double *value);

/** The number that a node is; fails where it is anything else.  `name`: of the quantity. */
sal_err sal_value_number(const sal_document *document, int node, const char *name, double *value);

/** Fails because a text of a node is not among `names`, which end with NULL: "PLACE: NAME: unknown KIND 'TEXT';
 *  allowed: .."; `name` may be "". */
sal_err sal_value_unknown(const sal_document *document, int node, const char *name,
                          const char *kind, const char *text, const char *const names[]);
/** The rank of a node's text among `names`; kind: "body". */
sal_err sal_value_rank(const sal_document *document, int node, const char *name, const char *kind,
                       const char *const names[], int *rank);
/** The same, where the kind is a word. */
sal_err sal_value_word(const sal_document *document, int node, const char *name,
                       const char *const words[], int *rank);
/** Is it the second of two words?  Left alone where the mapping does not have the key. */
sal_err sal_value_choice(const sal_document *document, int mapping, const char *key,
                         const char *const words[], bool *second);
/** true or false of a key of a mapping, left alone where there is none. */
sal_err sal_value_flag(const sal_document *document, int mapping, const char *key, bool *flag);
/** A number greater than 0 of a key of the document, left alone where there is none. */
sal_err sal_value_above_0(const sal_document *document, const char *key, double *value);
/** The text of a key as one line; `preset` where there is none. */
const char *sal_value_line(const sal_document *document, int mapping, const char *key,
                           const char *preset);

/** A name of at most `longest` bytes, which may become part of other names, of paths of axes and of lists with commas and
 *  colons: letters, digits and - _ . + ( ), none of the signs first. */
sal_err sal_value_name(const sal_document *document, int node, const char *name, int longest,
                       const char **out);

/** A name of a solver, a word that can stand in STRATEGY:SOLVER:TOLERANCE and in lists with commas: to 40 letters, digits and - _ . +,
 *  a letter first. */
sal_err sal_value_solver_name(const sal_document *document, int node, const char *name,
                              const char **out);

/** Fails unless the node is a list of least .. most items. */
sal_err sal_value_list(const sal_document *document, int node, const char *name, int least,
                       int most);
/** The numbers of a list of n. */
sal_err sal_value_numbers(const sal_document *document, int list, const char *name, int n,
                          double value[]);

/** Fails unless the node is a mapping whose keys are all among `keys`, which end with NULL. */
sal_err sal_value_keys(const sal_document *document, int node, const char *name,
                       const char *const keys[]);
/** The node of a key that must be there; `name` of the mapping may be "". */
sal_err sal_value_need(const sal_document *document, int mapping, const char *name, const char *key,
                       int *node);
/** The value of a mapping's only pair, whose key is one of `keys`, and the rank of that; forms: all that is allowed. */
sal_err sal_value_one(const sal_document *document, int mapping, const char *name,
                      const char *const keys[], const char *forms, int *rank, int *value);
/** Pairs of a mapping, none of node 0; fails where the node is not a mapping. */
sal_err sal_value_pairs(const sal_document *document, int mapping, const char *name, int *n);

/** Fails because the text of a node is not a number; `name`: of the quantity. */
sal_err sal_value_no_number(const sal_document *document, int node, const char *name);

/** Fails because a node is not `expected` ("a list, [.., ..]"). */
sal_err sal_value_wrong_kind(const sal_document *document, int node, const char *name,
                             const char *expected);

enum { SAL_ALLOWED = 80, SAL_MAX_NAME = 128 };
/** "from 0 to 1", "greater than 0", "any finite number". */
const char *sal_value_allowed(double least, double most, char text[SAL_ALLOWED]);

/** Fails with "WHERE: NAME = VALUE is out of range; allowed: ..", or not at all. */
sal_err sal_value_range(sal_err code, const char *where, const char *name, double value,
                        double least, double most);

/** Reads a number of the document and checks its range; value may be NULL. */
sal_err sal_value_check(const sal_document *document, int node, const char *name, double least,
                        double most, bool whole, double *value);
