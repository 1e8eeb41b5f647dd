/** @file src/io/cube/cube_info.h
 *  What a cube holds, at a glance: all that is known of it without its single values.
 */
#ifndef SAL_CUBE_INFO_H
#define SAL_CUBE_INFO_H

#include "cube.h"
#include "err.h"
#include "map_counts.h"

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

/** An attribute of the root group that tells where the cube comes from. */
typedef enum { SAL_CUBE_TEXT, SAL_CUBE_WHOLE, SAL_CUBE_REAL } sal_cube_attribute_kind;
typedef struct {
  const char *name;
  sal_cube_attribute_kind kind;
  char *text; /* of kind SAL_CUBE_TEXT; NULL: the cube has none */
  double number;
} sal_cube_attribute;

enum { SAL_CUBE_ATTRIBUTES = 22 };
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
  int n_map; /* errors that its map answers, 0: it has none */
  const sal_error_metric *map_by;
  sal_map_count map[SAL_MAX_QUESTION];
  sal_cube_attribute attribute[SAL_CUBE_ATTRIBUTES];
} sal_cube_info;

/** Reads it all, which the caller frees, or nothing of a cube that is damaged. */
SAL_MUST_CHECK sal_err sal_cube_info_read(const char *path, sal_cube_info *info);
void sal_cube_info_free(sal_cube_info *info);

#endif
