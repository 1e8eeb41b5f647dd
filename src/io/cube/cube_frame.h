/** Parts of writing a cube, for the sources of this folder alone: its frame by one rank, and data that are
 *  complete only when all values are written.  And comparisons of two cubes.
 */
#pragma once

#include "build.h"
#include "cube.h"
#include "dataset.h"
#include "raw.h"

/* The frame of a cube: everything but the values along cells. */

/** Makes path.part on one rank, with all datasets, labels, axes and provenance, and claims the disk
 *  space that values along cells will need.  The file is there already, with nothing in it but chunks further on. */
sal_err sal_cube_create(const char *path, const sal_sweep *sweep, const sal_origin *origin);

/** Makes the dimension of cells in a group, and the dataset of their numbers, of which `number` [dim->size] is NULL
 *  where they are written later; at_once: see sal_variable. */
sal_err sal_cube_create_cells(const sal_h5 *group, const sal_variable_dim *dim, bool at_once,
                              const int64_t *number);

/** Makes the scales of tolerances, strategies and solvers, dim [3] in this order; solver: meaning of the last. */
sal_err sal_cube_create_lists(const sal_h5 *group, const sal_sweep *sweep,
                              const sal_variable_dim dim[], const char *solver);

enum { SAL_CUBE_CREATE_NAME = 256 };
/** Kind of the datasets that say what solvers and strategies are; `saltus diff` passes over them. */
#define SAL_CUBE_CREATE_ABOUT "description"
/** How many datasets there are along cells beside the metrics: the number of the cell, parameters,
 *  options, initial states.  They have no values yet. */
int sal_cube_create_columns(const sal_sweep *sweep);
/** Name and type of one of them; 0 is the number, 1 + i column i of sal_sweep_cell. */
sal_datatype sal_cube_create_column(const sal_sweep *sweep, int i, char name[SAL_CUBE_CREATE_NAME]);

/* The axes of a sweep in its cube (cube.h has the layout). */

/** With a single axis whose points have numbers only, or with none, `cell` is the only dimension. */
bool sal_axes_are_cells(const sal_sweep *sweep);
/** Writes attributes of all axes, and datasets, where they are dimensions. */
sal_err sal_axes_write(const sal_h5 *file, const sal_sweep *sweep);

/* The cells of a rank in a round, packed by its threads. */

/** A metric of a piece. */
typedef struct {
  uint64_t missing;  /* values */
  const char *chunk; /* [n] deflated, where the metric is cut .. */
  int64_t n, from;
  int thread; /* .. in the room of a thread, from there on */
} sal_cube_packed;

/** A round; zero but for path and sweep before the first.  sal_cube_pack_free frees it. */
typedef struct {
  const char *path; /* borrowed, as is the sweep */
  const sal_sweep *sweep;
  const unsigned char *there; /* chunks of the cube that need not be made; NULL: none */
  const sal_tile_result *of;
  int64_t most, n_piece;          /* cells of a piece: a chunk, or so many that one thread packs */
  sal_cube_packed *metric;        /* [SAL_METRICS_ALL][n_piece] */
  uint64_t *sum;                  /* [SAL_METRICS_ALL][of->count] checksums */
  char *whole;                    /* values of the metrics that are not cut .. */
  int64_t begin[SAL_METRICS_ALL]; /* .. where those of each begin */
  double *quantity;               /* [of->count][n_column] number and quantities of each cell */
  int n_column, n_thread;
  sal_cube_deflate *room; /* [n_thread] */
} sal_cube_pack;

/** Packs a result, which is borrowed until the end of the round. */
sal_err sal_cube_pack_round(sal_cube_pack *pack, const sal_tile_result *result);
void sal_cube_pack_end(sal_cube_pack *pack);
void sal_cube_pack_free(sal_cube_pack *pack);

/** The deflated chunks of the round, but for those that are there, to the others. */
sal_err sal_cube_pack_cut(const sal_cube_pack *pack, sal_cube_cuts *cuts);

/** Chunks that are there before the cube (cube_write.h). */
struct sal_cube_ahead {
  sal_cube_cuts cuts;
  sal_cube_pack pack;
  sal_node_words used; /* one: bytes that the node has taken of its extents */
  bool ended;          /* something has failed */
};

/** On one rank.  An empty path.part. */
sal_err sal_cube_ahead_make(const char *path, MPI_Info hints);

/* Data of the metrics that are complete when all are written: checksums, and which counts are missing. */

/** This rank's share; zero at first, but for blocks.n_cell.  sal_block_sums_free(&blocks) frees it. */
typedef struct {
  uint64_t sum[SAL_METRICS_ALL];         /* of checksums */
  uint64_t missing[SAL_METRICS_ALL];     /* values */
  uint64_t column[1 + SAL_MAX_QUANTITY]; /* checksums of what is along cells */
  sal_block_sums blocks;
} sal_cube_seal_share;

/** Collective.  The shares of all ranks in the metrics that the sweep requests into path.part, which is closed: its checksums become
 *  valid, counts that are missing somewhere get their _FillValue, and the cube its seal. */
sal_err sal_cube_seal(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                      sal_cube_seal_share *share);

/* ---- Steps of the comparison of two cubes, for the sources of this folder alone. ---- */

/* In what the sweeps of two cubes differ, so that their values cannot be compared. */

/** Adds what differs in model, axes and dimensions: "axes k, f (8 x 8 cells) against rows b, m1 (13
 *  cells); methods ..".  Nothing is added when the cubes have the same dimensions. */
void sal_cube_sweeps_differ(const sal_cube *a, const sal_cube *b, sal_text *out);

/* Two datasets, value by value and block by block. */

/** A value of a dataset; its type selects the member. */
typedef struct {
  double real;
  int64_t whole; /* of FLAG, too */
  char *text;
} sal_set_value;

/** Result of a comparison; sal_set_compare_free frees it. */
typedef struct {
  int64_t n, first;       /* values that differ, and the first of them .. */
  sal_set_value value[2]; /* .. in both */
  double largest;         /* difference of two numbers; NaN: none of two numbers */
} sal_set_finding;

/** Blocks of both, kept from comparison to comparison, since memory that is given back and asked for
 *  again in aligned pieces need not be reused (glibc bug 14581).  Zero is none. */
typedef struct {
  size_t bytes;
  void *block[2];
} sal_set_room;
void sal_set_compare_free_room(sal_set_room *room);

/** Have they the same shape and type? */
bool sal_set_compare_shape(const sal_dataset *a, const sal_dataset *b);

/** Compares the values of two datasets of one shape, bit by bit, but any NaN is like any other, and
 *  verifies both.  Memory is that of a block, but for text. */
sal_err sal_set_compare(const sal_h5 *in_a, const sal_dataset *a, const sal_h5 *in_b,
                        const sal_dataset *b, sal_set_room *room, sal_set_finding *found);
void sal_set_compare_free(sal_set_finding *found);
