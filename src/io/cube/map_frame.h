/** The group of a map, for the sources of this folder alone: what it is made of, its labels, which one rank
 *  makes, and what it answers.
 */
#pragma once

#include "map_group.h"
#include "variable.h"

#define SAL_MAP_GROUP "map"

/** The form of the group, its attribute `layout`. */
enum { SAL_MAP_LAYOUT = 2, SAL_MAP_MAX_COLUMN = 32, SAL_MAP_MAX_NAME = 64 };

/** Weights of work, and of a time what it is made of: attributes of the group. */
sal_err sal_map_frame_put_work(const sal_h5 *group, const sal_work_weights *work);
/** Writes the estimates of the surrogate as attributes. */
sal_err sal_map_frame_put_reading(const sal_h5 *group, const sal_map_reading *reading);

/** A dataset along the cells. */
typedef struct {
  char name[SAL_MAP_MAX_NAME];
  sal_datatype type;
  int64_t each;   /* values of a cell */
  int figure;     /* of map_frame.c, then the members of an answer; -1: the number of the cell */
  int64_t offset; /* of its first byte in the file */
  uint64_t sum;   /* its checksum */
} sal_map_column;

/** The columns of a map with these questions, with or without what the surrogate answers; returns how
 *  many there are. */
int sal_map_frame_columns(const sal_sweep *sweep, const sal_map *questions, bool reading,
                          sal_map_column column[SAL_MAP_MAX_COLUMN]);

/** Bytes of a cell in all columns. */
int64_t sal_map_frame_bytes(int n, const sal_map_column column[]);

/** The values of a column in a part of the map, of cells [part->n_cell]: value [part->n_cell][column->each]. */
void sal_map_frame_values(const sal_map_column *column, const sal_map *part, const int64_t cell[],
                          double value[]);

/** Makes the group in `root` of an open file and fills in where its columns begin; their values are
 *  not there yet.  reading: NULL where there is none.  *group is closed by the caller. */
sal_err sal_map_frame_create(const sal_h5 *file, hid_t root, const sal_sweep *sweep,
                             const sal_map *questions, const sal_map_reading *reading, int n,
                             sal_map_column column[], hid_t *group);

/** The checksums of the columns and the seal of the group, once all values are there. */
sal_err sal_map_frame_seal(const sal_h5 *group, int n, const sal_map_column column[]);

/* How many cells of a cube its map answers, and why it does not answer the others. */

/** The attribute of the group that names the error of a map. */
#define SAL_MAP_ERROR_METRIC "error_metric"

/** Counts for all errors that the map of an open cube answers, and which error it is; *n is 0 when it
 *  has no such map. */
sal_err sal_map_counts_read(const sal_h5 *file, int64_t n_cell, int *n, const sal_error_metric **by,
                            sal_map_count count[SAL_MAX_QUESTION]);
