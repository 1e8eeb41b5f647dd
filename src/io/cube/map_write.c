/** A map, by all ranks.
 *
 *  Rank 0 makes the group; its datasets have their room at once and in one piece, so that all ranks
 *  write values where they belong, while HDF5 has the file open on rank 0 alone.
 */
#include "atomic_file.h"
#include "base.h"
#include "checksum.h"
#include "collective_error.h"
#include "cube_open.h"
#include "map_frame.h"
#include "raw.h"

struct sal_map_file {
  MPI_Comm comm;
  int rank;
  bool in_part;         /* path.part is what is written to */
  sal_shared_file data; /* the same on all ranks */
  sal_h5_append append; /* rank 0: that file, open */
  hid_t group;
  int n;
  sal_map_column column[SAL_MAP_MAX_COLUMN];
  char name[PATH_MAX]; /* of the file that is written to */
  char path[];
};

/* Room for labels, and what they take, about. */
enum { LABEL_ROOM = 1 << 18, LABEL_BYTES = 48 << 10 };

int64_t sal_map_write_bytes(const sal_sweep *sweep, const sal_map *questions, bool reading)
{
  sal_map_column column[SAL_MAP_MAX_COLUMN];
  const int n = sal_map_frame_columns(sweep, questions, reading, column);

  return LABEL_BYTES + questions->n_cell * sal_map_frame_bytes(n, column);
}

/* ---- on rank 0: the group ---- */

static sal_err check_cube(const char *path)
{
  sal_h5 cube;

  SAL_TRY(sal_cube_open(path, &cube));
  return sal_h5_close(&cube, SAL_OK);
}

static sal_err make_group(sal_map_file *f, const sal_sweep *sweep, const sal_map *questions,
                          const sal_map_reading *reading)
{
  const int64_t room =
      LABEL_ROOM - LABEL_BYTES + sal_map_write_bytes(sweep, questions, reading != NULL);
  const sal_h5 *file = &f->append.file;

  if (!f->in_part) SAL_TRY(check_cube(f->path));
  SAL_TRY(sal_h5_append_open(f->name, f->path, SAL_MAP_GROUP, &f->append));
  SAL_TRY(f->in_part ? sal_atomic_file_room(f->path, room)
                     : sal_atomic_file_room_after(f->path, room));
  if (f->in_part) SAL_TRY(sal_h5_is_new(file, SAL_MAP_GROUP));
  SAL_TRY(sal_map_frame_create(file, f->append.root, sweep, questions, reading, f->n, f->column,
                               &f->group));
  SAL_TRY_H5(file, H5Fflush(file->id, H5F_SCOPE_GLOBAL));
  return SAL_OK;
}

static sal_err make_file(MPI_Comm comm, const char *path, sal_map_where where, sal_map_file **out)
{
  const size_t length = strlen(path) + 1;
  sal_map_file *f = *out = sal_alloc(1, sizeof *f + length);

  if (!f) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  memcpy(f->path, path, length);
  f->comm = comm;
  f->data.fd = -1;
  f->append = (sal_h5_append){.file = {.id = -1, .path = f->path}, .root = -1, .lock = -1};
  f->group = -1;
  f->in_part = where == SAL_MAP_PART;
  f->rank = sal_collective_rank(comm);
  if (f->in_part) return sal_atomic_file_name(path, f->name);
  return snprintf(f->name, sizeof f->name, "%s", path) < (int)sizeof f->name
             ? SAL_OK
             : sal_fail(SAL_ERR_IO, "%s: the name is too long", path);
}

/* Collective.  Where the columns begin. */
static sal_err share_frame(sal_map_file *f)
{
  int64_t offsets[SAL_MAP_MAX_COLUMN];

  for (int i = 0; i < f->n; ++i) offsets[i] = f->column[i].offset;
  SAL_TRY_MPI(MPI_Bcast(offsets, f->n, MPI_INT64_T, 0, f->comm));
  for (int i = 0; i < f->n; ++i) f->column[i].offset = offsets[i];
  return SAL_OK;
}

sal_err sal_map_write_open(MPI_Comm comm, const char *path, sal_map_where where,
                           const sal_sweep *sweep, const sal_map *questions,
                           const sal_map_reading *reading, sal_map_file **out)
{
  sal_h5_quiet();
  const sal_err made = sal_collective_error(comm, make_file(comm, path, where, out));
  sal_map_file *f = *out;
  if (made != SAL_OK) {
    sal_free(f);
    *out = NULL;
    return made;
  }
  assert(f);
  f->n = sal_map_frame_columns(sweep, questions, reading != NULL, f->column);
  SAL_TRY(sal_collective_first(comm, make_group(f, sweep, questions, reading)));
  SAL_TRY(share_frame(f));
  return sal_shared_file_open(comm, f->name, f->path, &f->data);
}

int64_t sal_map_write_row(const sal_map_file *f) { return sal_map_frame_bytes(f->n, f->column); }

/* Bytes of a cell in a column. */
static int64_t column_bytes(const sal_map_column *c)
{
  return c->each * (int64_t)sal_datatype_size(c->type);
}

/* Bytes of the widest column of so many cells, as doubles. */
static size_t column_room(const sal_map_file *f, int64_t n_cell)
{
  int64_t each = 1;

  for (int i = 0; i < f->n; ++i) each = f->column[i].each > each ? f->column[i].each : each;
  return (size_t)(n_cell * each) * sizeof(double);
}

sal_err sal_map_write_pack(const sal_map_file *f, const sal_map *part, const int64_t cell[],
                           void *row)
{
  const size_t bytes = (size_t)sal_map_write_row(f), room = column_room(f, part->n_cell);
  SAL_OWN double *value = sal_alloc(1, room);
  SAL_OWN char *packed = sal_alloc(1, room);
  char *at = row;

  if (!value || !packed) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", f->path);
  for (int i = 0; i < f->n; ++i) {
    const sal_map_column *c = &f->column[i];
    const size_t size = (size_t)column_bytes(c);
    sal_map_frame_values(c, part, cell, value);
    sal_datatype_pack(c->type, part->n_cell * c->each, value, 1, packed);
    for (int64_t k = 0; k < part->n_cell; ++k)
      memcpy(at + (size_t)k * bytes, packed + (size_t)k * size, size);
    at += size;
  }
  return SAL_OK;
}

static sal_err write_column(const sal_map_file *f, sal_map_column *c, int64_t first, int64_t n,
                            const char *packed)
{
  const int64_t each = column_bytes(c);

  c->sum += sal_checksum_of(first, n, (size_t)each, packed);
  return sal_shared_file_put(&f->data, c->name, c->offset + first * each, n * each, packed);
}

sal_err sal_map_write_rows(sal_map_file *f, int64_t first, int64_t n, const void *row)
{
  const size_t bytes = (size_t)sal_map_write_row(f);
  const char *at = row;

  if (n == 0) return SAL_OK;
  SAL_OWN char *packed = sal_alloc(1, column_room(f, n));
  if (!packed) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", f->path);
  for (int i = 0; i < f->n; ++i) {
    const size_t size = (size_t)column_bytes(&f->column[i]);
    for (int64_t k = 0; k < n; ++k) memcpy(packed + (size_t)k * size, at + (size_t)k * bytes, size);
    SAL_TRY(write_column(f, &f->column[i], first, n, packed));
    at += size;
  }
  return SAL_OK;
}

/* Collective.  The checksums of all ranks together, on rank 0. */
static sal_err add_sums(sal_map_file *f)
{
  uint64_t sum[SAL_MAP_MAX_COLUMN], all[SAL_MAP_MAX_COLUMN];

  for (int i = 0; i < f->n; ++i) sum[i] = f->column[i].sum;
  SAL_TRY_MPI(MPI_Reduce(sum, all, f->n, MPI_UINT64_T, MPI_SUM, 0, f->comm));
  for (int i = 0; i < f->n && f->rank == 0; ++i) f->column[i].sum = all[i];
  return SAL_OK;
}

/* On rank 0: the group is whole, or is given up. */
static sal_err end_group(sal_map_file *f, sal_err err)
{
  const sal_h5 group = {.id = f->group, .path = f->path};

  if (err == SAL_OK) err = sal_map_frame_seal(&group, f->n, f->column);
  sal_h5_drop(&f->group);
  if (err == SAL_OK) return sal_h5_append_commit(&f->append);
  sal_h5_append_drop(&f->append);
  return err;
}

sal_err sal_map_write_close(sal_map_file **file, sal_err err)
{
  sal_map_file *f = *file;

  if (!f) return err;
  const sal_err closed = sal_shared_file_close(&f->data);
  if (err == SAL_OK) err = closed;
  if (err == SAL_OK) err = sal_collective_error(f->comm, add_sums(f));
  const sal_err ended = sal_collective_first(f->comm, end_group(f, err));
  if (err == SAL_OK) err = ended;
  sal_free(f);
  *file = NULL;
  return err;
}
