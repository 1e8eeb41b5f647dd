/** The words that a key of a sweep file may be given, from the registries and descriptors. */
#pragma once

#include "model.h"

enum { SAL_MAX_WORD = SAL_MAX_QUANTITY }; /* the longest list, by far */

typedef enum {
  SAL_ENUM_NONE,
  SAL_ENUM_MODELS,
  SAL_ENUM_METHODS,
  SAL_ENUM_STRATEGIES,
  SAL_ENUM_NAMES,   /* parameters, then options, then states */
  SAL_ENUM_COLUMNS, /* parameters, then states */
  SAL_ENUM_STATES,
  SAL_ENUM_METRICS,    /* of trajectories, in the order of metric.h */
  SAL_ENUM_JACOBIANS,  /* from here on fixed words, in the order of sal_jacobian, */
  SAL_ENUM_REFERENCES, /* sal_reference_kind */
  SAL_ENUM_MEASURES,
  SAL_ENUM_UNSUPPORTED,
  SAL_ENUM_CONTACTS,
  SAL_ENUM_POINTS, /* sal_points_scope, and none */
  SAL_ENUM_WIDTHS,
  SAL_ENUM_FINDS,
  SAL_ENUM_FOLLOWS, /* sal_long_run.follow */
  SAL_ENUM_SEEDS,   /* sal_long_run_seed */
  SAL_ENUM_CUTOFF_ORDERS,
  SAL_ENUM_ERROR_METRICS, /* and sal_error_metrics */
} sal_enum_words;

/** Fills names, ends them with NULL, and returns how many there are.  A NULL model has none. */
int sal_enum_words_gather(sal_enum_words words, const sal_model *model,
                          const char *names[SAL_MAX_WORD + 1]);

/** The word of that rank, of those that depend on no registry. */
const char *sal_enum_words_fixed(sal_enum_words words, int rank);

/** The choices of an option, the same way. */
int sal_enum_words_choices(const sal_option *option, const char *names[SAL_MAX_WORD + 1]);
