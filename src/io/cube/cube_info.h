/** Summary of a cube: all properties available without its single values; whether it is as it was
 *  written; and in what it differs from another one.
 */
#pragma once

#include "cube.h"
#include "map_group.h"
#include "text.h"
#include <stdio.h>

/** Least and most of the values that are numbers, NaN without one, and how many those are. */
typedef struct {
  double least, most;
  int64_t known;
} sal_cube_range;

/** How often each word of a metric stands in a cube. */
enum { SAL_CUBE_WORDS = 256 };
typedef struct {
  const sal_metric *metric;
  int64_t all, count[SAL_CUBE_WORDS]; /* all: their sum, 0 where the cube has no such metric */
} sal_cube_words;

/** An attribute of the root group about the origin of the cube. */
typedef enum {
  SAL_CUBE_TEXT,
  SAL_CUBE_OPTIONAL,
  SAL_CUBE_WHOLE,
  SAL_CUBE_REAL
} sal_cube_attribute_kind;
typedef struct {
  const char *name;
  sal_cube_attribute_kind kind;
  char *text; /* NULL: a number, or an optional text that the cube has not */
  double number;
} sal_cube_attribute;

/** Texts about each measure. */
typedef enum {
  SAL_CUBE_MEASURE,
  SAL_CUBE_MEASURE_UNIT,
  SAL_CUBE_MEASURE_TEXT,
  SAL_CUBE_MEASURE_TEXTS
} sal_cube_measure_text;

enum { SAL_CUBE_ATTRIBUTES = 25 };
typedef struct {
  sal_cube frame; /* without what is along cells */
  char *model_title;
  sal_cube_range *coordinate;              /* [n_param + n_state]: parameters, initial states */
  int64_t stored_cells, stored_points;     /* of stored trajectories, 0: there are none */
  int64_t outcomes[SAL_N_OUTCOME + 1];     /* of trajectories; the last place: unknown ones */
  int64_t (*by_solver)[SAL_N_OUTCOME + 1]; /* [n_method] the same */
  sal_cube_words reasons, verdicts;        /* why libraries gave up; of the cells */
  bool has[SAL_N_CELL_METRIC];             /* real metrics of cells that the cube has */
  sal_cube_range metric[SAL_N_CELL_METRIC];
  int64_t n_measure;
  char **measure[SAL_CUBE_MEASURE_TEXTS]; /* [n_measure] each */
  sal_cube_range *measured;               /* [n_measure] over the cells */
  int n_map;                              /* errors that its map answers, 0: it has none */
  const sal_error_metric *map_by;
  sal_map_count map[SAL_MAX_QUESTION];
  sal_cube_attribute attribute[SAL_CUBE_ATTRIBUTES];
} sal_cube_info;

/** Reads it all, which the caller frees, or nothing of a cube that is damaged. */
sal_err sal_cube_info_read(const char *path, sal_cube_info *info);
void sal_cube_info_free(sal_cube_info *info);

/* Are the values of a cube those that were written? */

/** Groups of the cube, whose seals are verified, and its datasets with and without a checksum. */
typedef struct {
  bool group[SAL_CUBE_GROUPS];
  int64_t verified, without;
  sal_text foreign; /* names that a user added, a line each (group_seal.h) */
} sal_cube_check_found;

/** Verifies the heaps and the seals of a cube, reads all datasets, those of its groups included, and verifies their
 *  checksums and the sums of their blocks.  Damage is SAL_ERR_IO.  The caller frees found->foreign. */
sal_err sal_cube_check(const char *path, sal_cube_check_found *found);

/* Two cubes, bit by bit. */

/** Compares coordinates and all metrics but those of kind TIMING, bit by bit (any NaN equals any
 *  NaN).  Prints one line per dataset
 *  that differs (how many values, the first place, the largest difference), or, when the
 *  dimensions differ, one line with both; json: one line for all.  Sets *same. */
sal_err sal_cube_diff(const char *path_a, const char *path_b, bool json, FILE *out, bool *same);
