/** @file src/io/cube/cube_index.h
 *  The index of the chunks of a dataset as HDF5 keeps it; for the sources of this folder alone.
 *
 *  HDF5 inserts one chunk after another, some microseconds each: of 10^8 cells in 264 configurations there are 16 million.  When
 *  all places are known the nodes are filled at once (HDF5 File Format Specification 3.0, III.A.1, version 1 B-trees of
 *  node type 1; 64 children a node, the default of HDF5).
 */
#ifndef SAL_CUBE_INDEX_H
#define SAL_CUBE_INDEX_H

#include <stdint.h>

enum { SAL_CUBE_INDEX_MOST_DIM = 5 };

/** A dataset of n chunks along its first dimension, and one along the others. */
typedef struct {
  int n_dim;
  int64_t dim[SAL_CUBE_INDEX_MOST_DIM]; /* of a chunk */
  int64_t size;                         /* bytes of a value */
  int64_t n;
  const uint32_t *bytes; /* [n] of a chunk in the file */
  const int64_t *at;     /* [n] where it begins */
} sal_cube_index;

/** Bytes of a node in that many dimensions; of all nodes but the root of an index of n chunks. */
int64_t sal_cube_index_node(int n_dim);
int64_t sal_cube_index_bytes(int n_dim, int64_t n);

/** Fills the root [sal_cube_index_node] and the other nodes [sal_cube_index_bytes], which go to `begin` in the file. */
void sal_cube_index_fill(const sal_cube_index *index, int64_t begin, unsigned char root[],
                         unsigned char nodes[]);

#endif
