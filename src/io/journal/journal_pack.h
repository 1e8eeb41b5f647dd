/** Records by columns, packed: what a journal keeps of a tile.  Its functions are for the sources of
 *  this folder alone.
 *
 *  One stream of deflate (RFC 1950) holds a column for each metric, of cells and then of
 *  trajectories, and one for all rows: a byte for the format of its numbers, and the numbers.  0: all are the same, a
 *  double; 1, 2, 4: whole numbers of so many bytes, whose least value stands for NaN; 8: doubles.
 *  Numbers are by planes of bytes.  Every bit comes back.
 */
#pragma once

#include "err.h"
#include "tile.h"

/** Parts of the stream, which threads pack at once; their number is fixed, so that bytes are the same on any number of threads. */
enum { SAL_JOURNAL_PACK_PARTS = 8 };

typedef struct {
  struct z_stream_s *deflater; /* of zlib, once it is needed */
  double *column;              /* [n_column] numbers of a metric */
  char *planes;
  int64_t n_column, n_planes;
  char *bytes;                /* [n] of the part; [n_bytes] room */
  int64_t n, n_bytes, length; /* of the numbers that it is made from */
  uint32_t sum;               /* Adler-32 of these */
} sal_journal_pack_part;

/** Room for packing, or for the way back; zero but for `path`, which messages name.
 *  sal_journal_pack_free frees it. */
typedef struct sal_journal_pack {
  const char *path;
  struct z_stream_s *inflater;
  sal_journal_pack_part part[SAL_JOURNAL_PACK_PARTS];
  char *bytes; /* [n] of the last tile that was packed; [n_bytes] room */
  int64_t n, n_bytes;
} sal_journal_pack;

void sal_journal_pack_free(sal_journal_pack *pack);

/** Packs the records of a tile into pack->bytes; metrics that are dropped [SAL_N_METRIC] come back as missing.
 *  NULL: none is. */
sal_err sal_journal_pack_tile(sal_journal_pack *pack, int64_t n_config, const bool dropped[],
                              const sal_tile_result *tile);
/** Fills the arrays of a tile, whose `count` is known, with what n bytes hold; *sound is false when they
 *  are not what packing such a tile gives. */
sal_err sal_journal_pack_back(sal_journal_pack *pack, const void *bytes, int64_t n,
                              int64_t n_config, const sal_tile_result *tile, bool *sound);

/* Numbers by planes of bytes, as HDF5's filter `shuffle` has them: first bytes of all, then the second
 * ones, and so on.  Numbers that differ little have planes that are nearly alike all through, which
 * deflate makes small. */

/** n numbers of `size` bytes from `value` into `planes`; neither overlaps the other. */
void sal_shuffle(int64_t n, size_t size, const void *value, void *planes);
/** The way back. */
void sal_shuffle_back(int64_t n, size_t size, const void *planes, void *value);
