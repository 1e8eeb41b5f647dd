/** @file src/sweep/method_names.h
 *  Every method that a user can name: ours, of the kernels' registry, then those of other libraries
 *  in this build (providers.h).  A sweep may bring further ones (library_choice.h).
 */
#ifndef SAL_METHOD_NAMES_H
#define SAL_METHOD_NAMES_H

#include "provider.h"

/** Words for many methods at once in a list of methods: ours, and those of other libraries. */
#define SAL_METHOD_NAMES_OURS "all"
#define SAL_METHOD_NAMES_OTHERS "libraries"

enum { SAL_METHOD_NAMES_MOST = SAL_MAX_QUANTITY };
/** Method i of all, from 0; NULL after the last. */
const sal_method *sal_method_names_at(int i);
/** How many there are. */
int sal_method_names_count(void);
/** Their names, ended by NULL; returns how many there are. */
int sal_method_names_gather(const char *names[SAL_METHOD_NAMES_MOST + 1]);
/** The method of that name, or NULL. */
const sal_method *sal_method_names_find(const char *name);

enum { SAL_METHOD_NAMES_TEXT = 256 };
/** Where a name is that of a method of a library that this build lacks: a sentence with that reason and
 *  the remedy; else NULL. */
const char *sal_method_names_missing(const char *name, char text[SAL_METHOD_NAMES_TEXT]);
/** The same sentence, of `what` that needs a library. */
const char *sal_method_names_lacks(const char *what, const sal_provider *library,
                                   char text[SAL_METHOD_NAMES_TEXT]);

#endif
