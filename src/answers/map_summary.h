/** A map in a few numbers: how often each pair wins, and by how much, for each question.
 *
 *  All counts lie in one array, so that those of several ranks are added up element by element.
 */
#pragma once

#include "map.h"

/** Counts of the questions of a map, by error, then by points [weights][tolerance]. */
typedef struct {
  int n_question, pairs;
  int64_t n;      /* counts */
  int64_t *count; /* [n_question][n / n_question] */
} sal_map_summary;

/** The summary of one question. */
typedef struct {
  const int64_t *wins; /* [pairs] cells in which a pair wins */
  int64_t missed;      /* cells in which no configuration answers */
  int64_t unknown;     /* in which no reference is accurate enough to decide */
  int64_t unproven;    /* in which a run that was stopped might win */
  int64_t open;        /* those of them whose winner is not known */
  double margin;       /* the median, to 0.4 %; NaN: there is none */
} sal_map_shares;

/** Creates a summary of 0 cells; sal_map_summary_free frees it, also after a failure. */
sal_err sal_map_summary_create(const sal_sweep *sweep, const sal_map *questions,
                               sal_map_summary *summary);
void sal_map_summary_free(sal_map_summary *summary);

/** Adds the cells of a part of the map. */
void sal_map_summary_add(sal_map_summary *summary, const sal_map *part);

/** Question number q. */
sal_map_shares sal_map_summary_shares(const sal_map_summary *summary, int q);
