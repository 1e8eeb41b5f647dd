/** A cube back into memory: whole, by blocks of cells, or a few chosen cells. */
#pragma once

#include "cube.h"
#include "packed_size.h"

/* A whole cube back into memory. */

/** Reads a whole cube (serial).  A metric that the file does not know is missing in all records,
 *  that is NaN.  Fails with the reason when the file is not a cube of saltus, or damaged. */
sal_err sal_cube_read(const char *path, sal_cube *cube);
void sal_cube_free(sal_cube *cube);

/* A cube read by blocks of cells or a few chosen cells at a time, for those that do not fit into
 * memory.  Datasets stay open until the file is closed.  One thread at a time. */

typedef struct sal_cube_file sal_cube_file;

/** Metrics to read: numbers of those of records, and of cells. */
typedef struct {
  int n, metric[SAL_N_METRIC];
  int n_of_cell, of_cell[SAL_N_CELL_METRIC];
  bool rows; /* and all row metrics */
} sal_cube_file_metrics;

/** All. */
sal_cube_file_metrics sal_cube_file_all(void);

/** Bytes of a cell's values of those of these metrics that a sweep requests, packed where they are cut into chunks. */
double sal_cube_file_stored(const sal_cube_file_metrics *metrics, const sal_sweep *sweep,
                            const sal_packed_size *packed);

/** Opens a cube (serial) and reads its frame (cube_open.h) into *frame; the caller frees both. */
sal_err sal_cube_file_open(const char *path, sal_cube_file **file, sal_cube *frame);
void sal_cube_file_close(sal_cube_file **file);

/** Cells that are best read together: of a metric 128 kB, an eighth of a chunk, so that their records lie
 *  in the cache of a processor.  No chunk is read twice. */
int64_t sal_cube_file_block(const sal_cube_file *file, const sal_cube_file_metrics *metrics);

/** Room for those metrics of `count` cells: result->cell, and result->record when metrics of records
 *  are among them, all NaN; sal_tile_result_free frees it, also after a failure. */
sal_err sal_cube_file_room(sal_cube_file *file, const sal_cube_file_metrics *metrics, int64_t count,
                           sal_tile_result *result);

/** Reads those metrics of result->count cells from result->first on.  A metric that the file does not
 *  have is NaN; what is not asked for stays as it is.  A metric of which all cells are read in their
 *  order is verified with the last of them. */
sal_err sal_cube_file_read(sal_cube_file *file, const sal_cube_file_metrics *metrics,
                           sal_tile_result *result);

/** Reads those metrics of all cells, and calls take(with, result) for each block of them. */
typedef sal_err sal_cube_file_take(void *with, const sal_tile_result *result);
sal_err sal_cube_file_each(sal_cube_file *file, const sal_cube_file_metrics *metrics,
                           sal_cube_file_take *take, void *with);

/** Reads those metrics of n chosen cells, cell[n] ascending and distinct, into the first n places of a
 *  result, verified by blocks where the cube has their sums.  In an uncompressed cube little else is
 *  read (dataset.h). */
sal_err sal_cube_file_read_cells(sal_cube_file *file, const sal_cube_file_metrics *metrics,
                                 int64_t n, const int64_t cell[], sal_tile_result *result);

enum { SAL_CUBE_FILE_SUMS = SAL_METRICS_ALL };
/** The share of what has been read by runs of cells in the checksums of the metrics, and begins anew:
 *  ranks that have read each cell once together verify by the sums of their shares. */
void sal_cube_file_take_sums(sal_cube_file *file, uint64_t sum[SAL_CUBE_FILE_SUMS]);
/** Are these the checksums of the metrics that have been read? */
sal_err sal_cube_file_verify(sal_cube_file *file, const uint64_t sum[SAL_CUBE_FILE_SUMS]);

/** An attribute of the group `map`: up to `most` numbers.  *n is how many there are, 0 where there is
 *  no such attribute, or no map. */
sal_err sal_cube_file_map_numbers(const sal_cube_file *file, const char *name, int most, int *n,
                                  double value[]);
/** The same for a text, which the caller frees with sal_free; NULL where there is none. */
sal_err sal_cube_file_map_text(const sal_cube_file *file, const char *name, char **text);
