/** @file src/sweep/raw.h
 *  The values of a sweep file, each checked by itself.
 */
#ifndef SAL_RAW_H
#define SAL_RAW_H

#include "document.h"
#include "model.h"
#include <stdint.h>

/** An axis.  The document tells which of it is there; axis_read.c takes the ranks from here, and the
 *  numbers, whose ranges depend on them, from their nodes. */
typedef struct {
  int32_t name, *columns; /* ranks in SAL_ENUM_NAMES, SAL_ENUM_COLUMNS */
  double points, seed;
  uint32_t n_columns;
} sal_raw_axis;

/** Numbers as they are, words by their rank in sal_enum_words_gather; 0 where not given. */
typedef struct {
  const char *title, *model_text, *cells_file, *cells_sum; /* borrowed from the document */
  int32_t model, jacobian, reference, measure, unsupported, contacts, points, map_by, cutoff_order,
      width;
  int32_t option[SAL_MAX_OPTION];
  double param[SAL_MAX_PARAM], initial[SAL_MAX_STATE]; /* 0 where not given */
  double t_end, reference_tolerance, mesh, floor, max_step, max_attempts, zone, step, repeats,
      every;
  double returns, alike, longest_cycle, hops, orbit_tolerance, closure, longest, bound, graze,
      flight, anchor_returns, cutoff_error, cutoff_factor, cutoff_near_factor, cutoff_loosest,
      cutoff_reference, pilots_cells, pilots_nearest, pilots_within, pilots_tolerances,
      pilots_validation, budget_factor, budget_least, budget_work, cells_points;
  int32_t *columns, *scattered, *strategies, *find, *seeds;
  double *tolerances, *epsilon;
  sal_raw_axis *axes;
  uint32_t n_columns, n_scattered, n_strategies, n_tolerances, n_epsilon, n_axes, n_find, n_seeds;
} sal_raw;

/* From a document to C values, as the table of keys says (keys.def). */

/** Reads the document, whose model is known or NULL, into *raw: kinds, words, lengths and ranges are
 *  checked.  Texts are borrowed from the document; sal_raw_free frees the rest.  On failure *raw is
 *  NULL and there is one message; that the model is missing or unknown is one. */
SAL_MUST_CHECK sal_err sal_raw_read(const sal_document *document, const sal_model *model,
                                    sal_raw **raw);
void sal_raw_free(sal_raw *raw);

/** Fails because a mapping lacks the key of this dotted name. */
sal_err sal_raw_missing(const sal_document *document, int mapping, const char *name);

#endif
