/** A map as a group of a cube: written by all ranks a few cells at a time, and counted. */
#pragma once

#include "map.h"
#include <mpi.h>

/** Estimates of the surrogate from all cells, attributes of the group; arrays are borrowed. */
typedef struct {
  int n;                /* coordinates */
  const double *scale;  /* [n] */
  const double *metric; /* [n (n + 1) / 2] */
  int n_knot;
  const double *shape_at, *shape_below; /* [n_knot] */
  int n_pair, n_part, n_between;        /* of what lies between levels (answers/between_levels.h) */
  const double *between_power, *between_shift, *between_spread,
      *between_at;     /* [n_pair], [n_pair][n_part] twice, [n_between] */
  const double *width; /* [SAL_ERROR_METRIC_PRESETS], and so on */
  const int64_t *asked;
  const double *predicted, *observed;
} sal_map_reading;

/** Where the map goes. */
typedef enum {
  SAL_MAP_PART,    /* into path.part, a whole cube that has no name yet */
  SAL_MAP_IN_PLACE /* into the cube itself, in one step at the end (raw.h) */
} sal_map_where;

typedef struct sal_map_file sal_map_file;

/** Collective.  Begins the map of a cube: claims its room and makes its labels on rank 0.  questions:
 *  what is asked, of n_cell cells, without places.  Everything is
 *  borrowed until the map is closed.  A cube whose superblock cannot be
 *  changed in one step, is copied to path.part first, and gets the names of this one. */
sal_err sal_map_write_open(MPI_Comm comm, const char *path, sal_map_where where,
                           const sal_sweep *sweep, const sal_map *questions,
                           const sal_map_reading *reading, sal_map_file **file);

/** Bytes of what is answered in a cell, packed. */
int64_t sal_map_write_row(const sal_map_file *file);

/** Packs the answers in cells [part->n_cell]: row [part->n_cell][sal_map_write_row]. */
sal_err sal_map_write_pack(const sal_map_file *file, const sal_map *part, const int64_t cell[],
                           void *row);

/** Writes rows of the cells first .. first + n - 1, whichever of them this rank is to write.  Not collective: each rank receives
 *  its own failures. */
sal_err sal_map_write_rows(sal_map_file *file, int64_t first, int64_t n, const void *row);

/** Collective.  Ends the map: all cells are there, unless something has failed (err, the same on all ranks), which it gives
 *  back.  In place the cube has the new map then, or the one it had (raw.h). */
sal_err sal_map_write_close(sal_map_file **file, sal_err err);

/** Bytes that a map takes on the disk, about: the values exactly, and labels. */
int64_t sal_map_write_bytes(const sal_sweep *sweep, const sal_map *questions, bool reading);

/** Cells, by an asked largest error; together they are all cells. */
typedef struct {
  double error;
  int64_t answered, no_config;
  int64_t no_reference; /* the reference is worse than the error, or did not come to its end */
} sal_map_count;
