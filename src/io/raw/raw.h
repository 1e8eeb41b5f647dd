/** All that this program writes into HDF5's files without HDF5: values that ranks put in their places, indexes of chunks, and a
 *  group that replaces another one in a single step.  Other folders of io/ include this header alone.
 */
#pragma once

#include "block_sums.h"
#include "node_words.h"
#include <sys/types.h>

/* A file that the ranks of a node have open together.
 *
 * Its first rank opens it and hands the others the open file itself (SCM_RIGHTS of unix(7)), so that the server of
 * metadata, which all nodes share, is asked once for each node. */

/** Collective over the ranks of a node, the first of which has the file `name` open at *fd, with these flags of open(2).
 *  Fills *fd on the others, which close it each for itself.  An error of the file system for a write that fails later is
 *  reported to all of them once, by the first fsync.  Where the open file cannot be handed over a rank opens it by its name; -1, and
 *  errno has the reason, if that fails, too. */
sal_err sal_node_file_share(MPI_Comm node, const char *name, int flags, int *fd);

/* A file that all ranks have open to write to, while HDF5 has it open on one rank alone.
 *
 * Each rank writes its own bytes where they belong, without waiting for others, and the system reports to it whether they are
 * written: what MPI-IO reports of that differs from one MPI to the next. */

/** Zero but for fd, -1, is none. */
typedef struct {
  const char *path; /* borrowed: its name in messages */
  MPI_Comm comm;
  sal_node_ranks node;
  int fd;     /* -1: not open */
  bool locks; /* what is written is locked meanwhile, for nodes on NFS */
} sal_shared_file;

/** Collective.  Opens the file `name`, NULL: path.part, once for each node. */
sal_err sal_shared_file_open(MPI_Comm comm, const char *name, const char *path,
                             sal_shared_file *file);
/** Collective.  Can all nodes write one file in this folder?  SAL_ERR_IO: not without locks. */
sal_err sal_shared_file_try(MPI_Comm comm, const char *folder);
/** Collective; harmless on one that is not open.  Brings what has been written to the disk. */
sal_err sal_shared_file_close(sal_shared_file *file);
/** The same for a file that is given up. */
void sal_shared_file_drop(sal_shared_file *file);

/** Is it open, and the file that path.part is by now? */
bool sal_shared_file_is_part(const sal_shared_file *file);

/** Writes n bytes; `what` they are, in messages. */
sal_err sal_shared_file_put(const sal_shared_file *file, const char *what, int64_t at, int64_t n,
                            const void *bytes);

/* A file driver of HDF5 that writes after the end of a file alone, or places values without writing
 * them.  Metadata of the file are read in blocks (h5_bytes.h).
 *
 * No write fails for HDF5: version 1.10 forgets a failure that comes as an object is closed, and crashes the program at its end
 * where a file could not be closed.  The caller that closes the file queries it (sal_h5_append_driver_freeze). */

/** A node of an index of chunks: where it is, and its bytes. */
typedef struct {
  haddr_t at;
  size_t size;
} sal_h5_append_index;

/** First bytes of the file as HDF5 is to read them; size 0: as in the file. */
typedef struct {
  unsigned char first[48];
  size_t size;
  haddr_t end;     /* of what must stay as it is: nothing is written before it */
  haddr_t *placed; /* gets where values were to go, which are not written; NULL: they are */
  sal_h5_append_index
      *index; /* gets the node of an index of chunks that was written last; NULL: not wanted */
} sal_h5_append_driver;

/** Gives a list of access properties the driver; what is written before `end` stays in memory.
 *  Negative on failure. */
herr_t sal_h5_append_driver_set(hid_t access, const sal_h5_append_driver *driver);

/** Where HDF5 puts what comes next; from now on that is `end` or after it: what lies before is the caller's.  Negative on
 *  failure. */
herr_t sal_h5_append_driver_end(hid_t file, haddr_t *end);
herr_t sal_h5_append_driver_claim(hid_t file, haddr_t end);

/** From now on nothing that is written to this open file gets into it any more; *end: where it ends.  0, or the errno of the
 *  first write that failed: HDF5 has no report of it, and has read the bytes from memory since. */
int sal_h5_append_driver_freeze(hid_t file, haddr_t *end);

/* A group of a finished file replaced in one step, without a copy of the file.
 *
 * HDF5 1.10 changes labels where they are, one after another: a program that is killed meanwhile
 * leaves a file that nothing can read.  Here not a byte of what the file has is touched.  Everything
 * new goes after its end, and with it a second root group, whose links lead to the same datasets but
 * for the group that is replaced.  The superblock, the first 48 bytes, names the root group; writing
 * these anew, once the rest is on the disk, is the only change (HDF5 File Format Specification 3.0,
 * II.A, superblock versions 2 and 3).  Before, and if that never comes, the file is as it was up to
 * the end that its superblock names; bytes after that end, which no reader looks at, may be others.  The room of what was replaced is not given back. */

enum { SAL_H5_SUPERBLOCK = 48 };

typedef struct {
  const char *name;
  sal_h5 file;                                 /* open; to add to */
  hid_t root;                                  /* the root group to be */
  int lock;                                    /* the file, open and locked; -1: not */
  off_t size;                                  /* of the file, as it is */
  unsigned char superblock[SAL_H5_SUPERBLOCK]; /* the same */
} sal_h5_append;

/** Opens the file `name` (serial) to replace the group `group` of its root; messages call it `path`.
 *  Datasets of the new group are made in append->root and must have their room at once.  HDF5 may have
 *  the file open for reading, too.  Name and path are borrowed. */
sal_err sal_h5_append_open(const char *name, const char *path, const char *group,
                           sal_h5_append *append);

/** Brings everything to the disk, sees that the file can be read with its new root group, and makes
 *  it that.  After a failure the file has the bytes it had up to the end that its
 *  superblock names, and has not grown; bytes after that end may have changed. */
sal_err sal_h5_append_commit(sal_h5_append *append);
/** Leaves the file as a failure does; harmless on one that is not open. */
void sal_h5_append_drop(sal_h5_append *append);

/* Chunks of a metric as HDF5 has them after its filters shuffle and deflate. */

/** Deflated chunks one after another; zero is none, sal_cube_deflate_free frees it. */
typedef struct {
  char *bytes; /* [n] */
  int64_t n, room;
  char *chunk, *planes; /* of one chunk */
  int64_t n_chunk, n_planes;
} sal_cube_deflate;

void sal_cube_deflate_free(sal_cube_deflate *deflate);

/** Room for the values of a chunk of so many bytes, from which it may be added. */
sal_err sal_cube_deflate_room(sal_cube_deflate *deflate, const char *path, int64_t chunk,
                              char **room);
/** Adds a chunk of n values of `size` bytes, of which the first `given` are at `value`, and zeros follow;
 *  its bytes are those that deflate->n grows by.  `path` is for messages. */
sal_err sal_cube_deflate_add(sal_cube_deflate *deflate, const char *path, int64_t n, int64_t given,
                             size_t size, const void *value);

/* The index of the chunks of a dataset as HDF5 keeps it; for the sources of this folder alone.
 *
 * HDF5 inserts one chunk after another, some microseconds each: of 10^8 cells in 264 configurations there are 16 million.  When
 * all places are known the nodes are filled at once (HDF5 File Format Specification 3.0, III.A.1, version 1 B-trees of
 * node type 1; 64 children a node, the default of HDF5). */

enum { SAL_RAW_MOST_DIM = 5 };

/** A dataset of n chunks along its first dimension, and one along the others. */
typedef struct {
  int n_dim;
  int64_t dim[SAL_RAW_MOST_DIM]; /* of a chunk */
  int64_t size;                  /* bytes of a value */
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

/* Places of the values of a cube, stored by one rank alone; for the sources of this folder.
 *
 * HDF5 has the file open on one rank, by a driver that places values and writes none; all ranks write
 * them there.  So no rank waits in HDF5 for another one, nor does HDF5 write to a full
 * disk with values in hand.  Chunks lie after all that HDF5 has placed. */

/** The open file; zero but for file.id, -1, is none. */
typedef struct {
  sal_h5 file;
  haddr_t placed;
  sal_h5_append_index index;
} sal_cube_place;

/** Opens path.part. */
sal_err sal_cube_place_open(const char *path, sal_cube_place *place);
/** Gives a dataset in one piece its room; where that begins. */
sal_err sal_cube_place_whole(sal_cube_place *place, const char *name, int64_t *at);
/** The end of what has its place. */
sal_err sal_cube_place_end(const sal_cube_place *place, int64_t *end);
/** The bytes between that place and `end` belong to the caller. */
sal_err sal_cube_place_claim(const sal_cube_place *place, int64_t end);
/** Where the root of the index of a dataset's chunks is, of so many bytes.  It names a single chunk that is none, and
 *  must be written over when the file is closed. */
sal_err sal_cube_place_root(sal_cube_place *place, const char *name, int64_t bytes, int64_t *at);
/** Closes the file; err: something has failed before, and the file is to be given up. */
sal_err sal_cube_place_close(sal_cube_place *place, sal_err err);

/* The chunks of a cube, from all ranks into the file.
 *
 * A rank deflates its own chunks of a round, which lie one after another in the file, after those of the ranks before
 * it: sums over the ranks give the place.  Chunks may be there before the rounds, each run at a place of its own.  The first rank
 * receives the lengths of all, and indexes them in the end. */

/** Chunks first .. first + n - 1 of each metric that is cut.  at: where they begin, metric after metric. */
typedef struct {
  int64_t first, n, at;
} sal_cube_run;

/** Zero but for comm, path, and what is not open yet; sal_cube_cuts_free frees it. */
typedef struct {
  MPI_Comm comm;
  const char *path;
  const sal_sweep *sweep;
  int rank;
  sal_shared_file data; /* path.part on all ranks */
  sal_cube_place place; /* the same on the first one */
  int n_cut;            /* metrics */
  int cut[SAL_METRICS_ALL];
  int64_t n_chunk; /* of each */
  int64_t frame;   /* bytes at most of what lies before chunks that are there early; 0: none are */
  int64_t end;     /* of all chunks of the rounds before */
  unsigned char *there; /* [n_chunk] are these there before the rounds, by any rank? */
  /* of this rank and round */
  char *deflated; /* [n_deflated] chunks, one after another */
  int64_t n_deflated, deflated_room;
  uint32_t *bytes; /* [n] of its chunks, in their order */
  int64_t n, room;
  sal_cube_run *own; /* [n_own]; at: among the deflated ones, until these have their place */
  int64_t n_own, own_room;
  /* of all, on the first rank */
  uint32_t *all;      /* [n_cut][n_chunk] bytes; 0: not there yet */
  sal_cube_run *runs; /* [n_runs] */
  int64_t n_runs, runs_room;
} sal_cube_cuts;

/** Lists the metrics that are cut. */
void sal_cube_cuts_open(sal_cube_cuts *cuts, const sal_sweep *sweep);
/** Collective.  Chunks go after what has its place in the file, which is open, and after those that are there, which come once more
 *  where the first rank has set frame to 0. */
sal_err sal_cube_cuts_begin(sal_cube_cuts *cuts);
void sal_cube_cuts_free(sal_cube_cuts *cuts);

/** Begins a run of chunks; those of each metric that is cut follow, the metrics in their order. */
sal_err sal_cube_cuts_run(sal_cube_cuts *cuts, int64_t first, int64_t n);
/** Adds a deflated chunk of n bytes. */
sal_err sal_cube_cuts_add(sal_cube_cuts *cuts, const char *chunk, int64_t n);
/** Before the rounds, by any rank at any time: writes what has been added, a single run, to its place `at`. */
sal_err sal_cube_cuts_early(sal_cube_cuts *cuts, int64_t at);
/** Collective.  Writes what has been added since the last call. */
sal_err sal_cube_cuts_write(sal_cube_cuts *cuts);
/** On the first rank.  Closes the file in HDF5 and writes the index of all chunks, which are there, unless something has failed
 *  (err). */
sal_err sal_cube_cuts_end(sal_cube_cuts *cuts, sal_err err);
