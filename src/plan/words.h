/** @file src/plan/words.h
 *  The words that a key of a sweep file may be given, from the registries and descriptors.
 */
#ifndef SAL_WORDS_H
#define SAL_WORDS_H

#include "model.h"

enum { SAL_MAX_WORD = 128 };

typedef enum {
  SAL_WORDS_NONE,
  SAL_WORDS_MODELS,
  SAL_WORDS_METHODS,
  SAL_WORDS_STRATEGIES,
  SAL_WORDS_NAMES,      /* parameters, then options, then states */
  SAL_WORDS_COLUMNS,    /* parameters, then states */
  SAL_WORDS_JACOBIANS,  /* from here on fixed words, in the order of sal_jacobian, */
  SAL_WORDS_REFERENCES, /* sal_reference_kind */
  SAL_WORDS_MEASURES,
  SAL_WORDS_UNSUPPORTED,
  SAL_WORDS_CONTACTS,
  SAL_WORDS_POINTS, /* and sal_points_scope */
  SAL_WORDS_WIDTHS,
} sal_words;

/** Fills names, ends them with NULL, and returns how many there are.  A NULL model has none. */
int sal_words_gather(sal_words words, const sal_model *model, const char *names[SAL_MAX_WORD + 1]);

/** The choices of an option, the same way. */
int sal_words_choices(const sal_option *option, const char *names[SAL_MAX_WORD + 1]);

#endif
