/** @file src/io/compress.c
 *  A cube with filters.
 *
 *  HDF5 copies objects as they are stored, so each dataset is created anew with its filters and
 *  filled a chunk at a time.  What ties it to its scales are references to places in the file:
 * these are made again, not copied.  Whatever lies in the file comes along, known to us or not.
 */
#include "cube.h"
#include "cube_open.h"
#include "publish.h"
#include "variable.h"
#include <errno.h>
#include <hdf5_hl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 256, LEVEL = 4, SMALL = 4096 /* bytes not worth a filter */ };

/* What is done to each pair of objects, here and there. */
typedef struct step {
  sal_err (*group)(const struct step *step, hid_t from, hid_t parent, const char *name, hid_t *to);
  sal_err (*set)(const struct step *step, hid_t from, hid_t parent, const char *name);
  const sal_h5 *from, *to;
} step;

/* ---- attributes ---- */

/* Those that H5DS makes. */
static bool is_of_scales(const char *name)
{
  static const char *const names[] = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"};

  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static sal_err copy_attribute(const step *s, hid_t attribute, hid_t to, const char *name)
{
  SAL_HID type  = H5Aget_type(attribute);
  SAL_HID space = H5Aget_space(attribute);
  SAL_HID made  = H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  char   *value;

  SAL_TRY_H5(s->to, made);
  const int64_t n = H5Sget_simple_extent_npoints(space);
  SAL_TRY_ROOM(s->to, value, (size_t)n * H5Tget_size(type));
  sal_err err = SAL_OK;
  if (H5Aread(attribute, type, value) < 0)
    err = sal_h5_fail(s->from);
  else if (H5Awrite(made, type, value) < 0)
    err = sal_h5_fail(s->to);
  if (H5Tis_variable_str(type) > 0) H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
  sal_free(value);
  return err;
}

static sal_err copy_attributes(const step *s, hid_t from, hid_t to)
{
  H5O_info_t info;

  SAL_TRY_H5(s->from, H5Oget_info2(from, &info, H5O_INFO_NUM_ATTRS));
  for (hsize_t i = 0; i < info.num_attrs; ++i) {
    char    name[NAME];
    SAL_HID attribute =
        H5Aopen_by_idx(from, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
    SAL_TRY_H5(s->from, attribute);
    SAL_TRY_H5(s->from, H5Aget_name(attribute, sizeof name, name));
    if (!is_of_scales(name)) SAL_TRY(copy_attribute(s, attribute, to, name));
  }
  return SAL_OK;
}

/* ---- values, a block at a time ---- */

/* A dataset here and there, and the block at work. */
typedef struct {
  hid_t   from, to, type;
  int     n_dim;
  hsize_t size[H5S_MAX_RANK], block[H5S_MAX_RANK], start[H5S_MAX_RANK], count[H5S_MAX_RANK];
  size_t  room; /* values of a whole block */
  bool    text;
} pair;

static sal_err open_pair(const step *s, hid_t from, hid_t to, hid_t type, pair *p)
{
  SAL_HID space = H5Dget_space(from);
  SAL_HID list  = H5Dget_create_plist(to);

  *p = (pair){.from = from, .to = to, .type = type, .room = 1};
  SAL_TRY_H5(s->from, p->n_dim = H5Sget_simple_extent_dims(space, p->size, NULL));
  memcpy(p->block, p->size, sizeof p->block);
  p->text = H5Tis_variable_str(type) > 0;
  if (H5Pget_layout(list) == H5D_CHUNKED) SAL_TRY_H5(s->to, H5Pget_chunk(list, p->n_dim, p->block));
  for (int i = 0; i < p->n_dim; ++i) p->room *= p->block[i];
  return SAL_OK;
}

/* Cuts the block off at the border; false behind the last one. */
static bool more(pair *p)
{
  for (int i = 0; i < p->n_dim; ++i) {
    if (p->start[i] >= p->size[i]) return false;
    const hsize_t left = p->size[i] - p->start[i];
    p->count[i]        = left < p->block[i] ? left : p->block[i];
  }
  return true;
}

/* The last dimension runs fastest; behind the end the first one is over its border. */
static void advance(pair *p)
{
  for (int i = p->n_dim - 1; i >= 0; --i) {
    p->start[i] += p->block[i];
    if (p->start[i] < p->size[i] || i == 0) return;
    p->start[i] = 0;
  }
}

static sal_err select_block(const step *s, const pair *p, hid_t *memory, hid_t *space)
{
  SAL_TRY_H5(s->from, *space = H5Dget_space(p->from));
  if (p->n_dim == 0) {
    SAL_TRY_H5(s->from, *memory = H5Screate(H5S_SCALAR));
    return SAL_OK;
  }
  SAL_TRY_H5(s->from, *memory = H5Screate_simple(p->n_dim, p->count, NULL));
  SAL_TRY_H5(s->from, H5Sselect_hyperslab(*space, H5S_SELECT_SET, p->start, NULL, p->count, NULL));
  return SAL_OK;
}

static bool same(const pair *p, int64_t n, const char *a, const char *b)
{
  const char *const *x = (const char *const *)a, *const *y = (const char *const *)b;

  if (!p->text) return memcmp(a, b, (size_t)n * H5Tget_size(p->type)) == 0;
  for (int64_t i = 0; i < n; ++i)
    if (strcmp(x[i] ? x[i] : "", y[i] ? y[i] : "") != 0) return false;
  return true;
}

/* Writes a block, or, with room to read it back, compares; both buffers are of p->room values. */
static sal_err move_block(const step *s, const pair *p, char *value, char *back)
{
  SAL_HID memory = -1, space = -1;
  sal_err err = SAL_OK;

  SAL_TRY(select_block(s, p, &memory, &space));
  SAL_TRY_H5(s->from, H5Dread(p->from, p->type, memory, space, H5P_DEFAULT, value));
  if (!back) {
    if (H5Dwrite(p->to, p->type, memory, space, H5P_DEFAULT, value) < 0) err = sal_h5_fail(s->to);
  } else if (H5Dread(p->to, p->type, memory, space, H5P_DEFAULT, back) < 0) {
    err = sal_h5_fail(s->to);
  } else {
    if (!same(p, H5Sget_simple_extent_npoints(memory), value, back))
      err = sal_fail(SAL_ERR_IO, "%s: reads back other values when compressed", s->to->path);
    if (p->text) H5Dvlen_reclaim(p->type, memory, H5P_DEFAULT, back);
  }
  if (p->text) H5Dvlen_reclaim(p->type, memory, H5P_DEFAULT, value);
  return err;
}

static sal_err move_values(const step *s, pair *p, bool compare)
{
  const size_t each = H5Tget_size(p->type);
  char        *value, *back = NULL;

  SAL_TRY_ROOM(s->to, value, p->room * each);
  if (compare && !(back = sal_alloc(p->room, each))) {
    sal_free(value);
    return sal_h5_full(s->to);
  }
  sal_err err = p->n_dim ? SAL_OK : move_block(s, p, value, back);
  for (; p->n_dim && err == SAL_OK && more(p); advance(p)) err = move_block(s, p, value, back);
  sal_free(value);
  sal_free(back);
  return err;
}

/* ---- the steps: copy, tie to scales, compare ---- */

/* How the new dataset is stored. */
static sal_err set_filters(const step *s, hid_t type, hid_t space, hid_t list)
{
  hsize_t       size[H5S_MAX_RANK], chunk[H5S_MAX_RANK];
  const int     n_dim = H5Sget_simple_extent_dims(space, size, NULL);
  const int64_t n     = H5Sget_simple_extent_npoints(space);

  if (H5Tis_variable_str(type) > 0 || n_dim < 1 || n * (int64_t)H5Tget_size(type) < SMALL)
    return SAL_OK;
  if (H5Pget_layout(list) != H5D_CHUNKED) {
    sal_variable_cut(n_dim, size, H5Tget_size(type), chunk);
    SAL_TRY_H5(s->to, H5Pset_chunk(list, n_dim, chunk));
  }
  SAL_TRY_H5(s->to, H5Premove_filter(list, H5Z_FILTER_ALL));
  SAL_TRY_H5(s->to, H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR));
  SAL_TRY_H5(s->to, H5Pset_shuffle(list));
  SAL_TRY_H5(s->to, H5Pset_deflate(list, LEVEL));
  return SAL_OK;
}

static sal_err copy_set(const step *s, hid_t from, hid_t parent, const char *name)
{
  SAL_HID type  = H5Dget_type(from);
  SAL_HID space = H5Dget_space(from);
  SAL_HID list  = H5Dget_create_plist(from);
  char    scale[NAME];
  pair    p;

  SAL_TRY(set_filters(s, type, space, list));
  SAL_HID to = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  SAL_TRY_H5(s->to, to);
  SAL_TRY(copy_attributes(s, from, to));
  if (H5DSis_scale(from) > 0) {
    SAL_TRY_H5(s->from, H5DSget_scale_name(from, scale, sizeof scale));
    SAL_TRY_H5(s->to, H5DSset_scale(to, scale));
  }
  SAL_TRY(open_pair(s, from, to, type, &p));
  return move_values(s, &p, false);
}

static sal_err copy_group(const step *s, hid_t from, hid_t parent, const char *name, hid_t *to)
{
  SAL_TRY_H5(s->to, *to = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  return copy_attributes(s, from, *to);
}

/* A dataset of the new file that gets the scale of the same name as in the old one. */
static herr_t attach_scale(hid_t from, unsigned dim, hid_t scale, void *set)
{
  const hid_t to = *(const hid_t *)set;
  char        name[NAME];

  (void)from;
  if (H5Iget_name(scale, name, sizeof name) <= 0) return -1;
  SAL_HID there = H5Dopen2(to, name, H5P_DEFAULT); /* an absolute name */
  return there < 0 || H5DSattach_scale(to, there, dim) < 0 ? -1 : 0;
}

static sal_err tie_set(const step *s, hid_t from, hid_t parent, const char *name)
{
  SAL_HID   space = H5Dget_space(from);
  const int n_dim = H5Sget_simple_extent_ndims(space);
  hid_t     to    = H5Dopen2(parent, name, H5P_DEFAULT);
  sal_err   err   = to < 0 ? sal_h5_fail(s->to) : SAL_OK;

  for (int i = 0; i < n_dim && err == SAL_OK && H5DSis_scale(from) == 0; ++i)
    if (H5DSiterate_scales(from, (unsigned)i, NULL, attach_scale, &to) < 0)
      err = sal_h5_fail(s->to);
  sal_h5_drop(&to);
  return err;
}

static sal_err open_group(const step *s, hid_t from, hid_t parent, const char *name, hid_t *to)
{
  (void)from;
  SAL_TRY_H5(s->to, *to = H5Gopen2(parent, name, H5P_DEFAULT));
  return SAL_OK;
}

/* Values and the number of labels. */
static sal_err compare_set(const step *s, hid_t from, hid_t parent, const char *name)
{
  SAL_HID    type = H5Dget_type(from);
  SAL_HID    to   = H5Dopen2(parent, name, H5P_DEFAULT);
  H5O_info_t here, there;
  pair       p;

  SAL_TRY_H5(s->to, to);
  SAL_TRY_H5(s->from, H5Oget_info2(from, &here, H5O_INFO_NUM_ATTRS));
  SAL_TRY_H5(s->to, H5Oget_info2(to, &there, H5O_INFO_NUM_ATTRS));
  if (here.num_attrs != there.num_attrs)
    return sal_fail(SAL_ERR_IO, "%s: '%s' has lost a label when compressed", s->to->path, name);
  SAL_TRY(open_pair(s, from, to, type, &p));
  return move_values(s, &p, true);
}

static sal_err walk(const step *s, hid_t from, hid_t to);

static sal_err visit(const step *s, hid_t from, hid_t to, const char *name)
{
  SAL_HID          object = H5Oopen(from, name, H5P_DEFAULT);
  const H5I_type_t kind   = object < 0 ? H5I_BADID : H5Iget_type(object);
  hid_t            inner  = -1;

  SAL_TRY_H5(s->from, object);
  if (kind == H5I_DATASET) return s->set(s, object, to, name);
  if (kind != H5I_GROUP)
    return sal_fail(SAL_ERR_INPUT, "%s: '%s' is neither dataset nor group", s->from->path, name);
  sal_err err = s->group(s, object, to, name, &inner);
  if (err == SAL_OK) err = walk(s, object, inner);
  sal_h5_drop(&inner);
  return err;
}

/* Everything in a group. */
static sal_err walk(const step *s, hid_t from, hid_t to)
{
  H5G_info_t info;
  char       name[NAME];

  SAL_TRY_H5(s->from, H5Gget_info(from, &info));
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    SAL_TRY_H5(s->from, H5Lget_name_by_idx(from, ".", H5_INDEX_NAME, H5_ITER_INC, i, name,
                                           sizeof name, H5P_DEFAULT));
    SAL_TRY(visit(s, from, to, name));
  }
  return SAL_OK;
}

/* ---- the file ---- */

static sal_err open_part(const char *path, unsigned flags, sal_h5 *file)
{
  char    part[PATH_MAX];
  SAL_HID access = H5Pcreate(H5P_FILE_ACCESS);

  *file = (sal_h5){.id = -1, .path = path};
  SAL_TRY(sal_publish_name(path, part));
  SAL_TRY_H5(file, H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  SAL_TRY_H5(file, file->id = H5Fopen(part, flags, access));
  return SAL_OK;
}

/* An empty path.part with so much room claimed behind it, for the same people as `path`. */
static sal_err begin_part(const char *path, const struct stat *about)
{
  char   part[PATH_MAX];
  sal_h5 file;

  SAL_TRY(sal_publish_name(path, part));
  SAL_TRY(sal_h5_create(path, &file));
  sal_err       err    = sal_h5_save(&file, about->st_size + (1 << 20));
  const sal_err closed = sal_h5_close(&file);
  if (err == SAL_OK && chmod(part, about->st_mode & 0777))
    err = sal_fail(SAL_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
  return err ? err : closed;
}

static sal_err write_part(const sal_h5 *from)
{
  sal_h5     to;
  const step copy = {copy_group, copy_set, from, &to}, tie = {open_group, tie_set, from, &to};

  SAL_TRY(open_part(from->path, H5F_ACC_RDWR, &to));
  sal_err err = copy_attributes(&copy, from->id, to.id);
  if (err == SAL_OK) err = walk(&copy, from->id, to.id);
  if (err == SAL_OK) err = walk(&tie, from->id, to.id);
  const sal_err closed = sal_h5_close(&to);
  return err ? err : closed;
}

static sal_err compare_part(const sal_h5 *from)
{
  sal_h5     to;
  const step compare = {open_group, compare_set, from, &to};

  SAL_TRY(open_part(from->path, H5F_ACC_RDONLY, &to));
  const sal_err err    = walk(&compare, from->id, to.id);
  const sal_err closed = sal_h5_close(&to);
  return err ? err : closed;
}

static sal_err compress(const sal_h5 *from, const struct stat *about)
{
  SAL_TRY(begin_part(from->path, about));
  SAL_TRY(write_part(from));
  return compare_part(from);
}

sal_err sal_cube_compress(const char *path, int64_t *before, int64_t *after)
{
  struct stat about;
  sal_h5      from;

  SAL_TRY(sal_cube_open(path, &from));
  sal_err err = SAL_OK;
  if (stat(path, &about) || access(path, W_OK)) /* what may not be changed is not replaced */
    err = sal_fail(SAL_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
  else if ((err = compress(&from, &about)) != SAL_OK)
    sal_publish_discard(path);
  const sal_err closed = sal_h5_close(&from);
  SAL_TRY(err ? err : closed);
  *before = about.st_size;
  if ((err = sal_publish(path)) != SAL_OK) {
    sal_publish_discard(path);
    return err;
  }
  if (stat(path, &about)) return sal_fail(SAL_ERR_IO, "%s: %s", path, strerror(errno));
  *after = about.st_size;
  return SAL_OK;
}
