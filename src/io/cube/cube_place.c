/** @file src/io/cube/cube_place.c
 *  Where the values of a cube go.
 */
#include "cube_place.h"
#include "array.h"
#include "atomic_file.h"
#include "cube_chunk.h"
#include "h5_append_driver.h"
#include "memory.h"
#include <sys/stat.h>
#include <unistd.h>

/* Metadata come in blocks, so that chunks mostly lie one after another. */
static sal_err open_part(sal_cube_place *p, const char *path)
{
  sal_h5_append_driver is = {.placed = &p->placed};
  SAL_HID access = sal_h5_access();

  SAL_TRY_H5(&p->file, sal_h5_append_driver_set(access, &is));
  SAL_TRY_H5(&p->file, H5Pset_meta_block_size(access, (hsize_t)1 << 20));
  return sal_h5_open_part(path, access, &p->file);
}

sal_err sal_cube_place_open(const char *path, const sal_sweep *s, sal_cube_place *p)
{
  p->file = (sal_h5){.id = -1, .path = path};
  for (int i = 0; i < SAL_BLOCK_METRICS; ++i) p->set[i] = -1;
  SAL_TRY(open_part(p, path));
  for (int i = 0; i < SAL_BLOCK_METRICS; ++i)
    if (sal_cube_chunk_is_cut(s, i))
      SAL_TRY_H5(&p->file,
                 p->set[i] = H5Dopen2(p->file.id, sal_block_metric(i)->name, H5P_DEFAULT));
  return SAL_OK;
}

/* The first value that is written, which gives the dataset its room. */
sal_err sal_cube_place_whole(sal_cube_place *p, const char *name, int64_t *at)
{
  const double nothing = 0;
  SAL_HID set = H5Dopen2(p->file.id, name, H5P_DEFAULT);
  SAL_TRY_H5(&p->file, set);
  SAL_HID space = H5Dget_space(set);
  SAL_TRY_H5(&p->file, space);
  SAL_HID type = H5Dget_type(set);
  SAL_HID memory = H5Screate(H5S_SCALAR);
  const hsize_t first[H5S_MAX_RANK] = {0};

  SAL_TRY_H5(&p->file, H5Sselect_elements(space, H5S_SELECT_SET, 1, first));
  SAL_TRY_H5(&p->file, H5Dwrite(set, type, memory, space, H5P_DEFAULT, &nothing));
  SAL_TRY_H5(&p->file, H5Dflush(set));
  const haddr_t found = H5Dget_offset(set);
  if (found == HADDR_UNDEF) return sal_h5_fail(&p->file);
  *at = (int64_t)found;
  return SAL_OK;
}

sal_err sal_cube_place_chunk(sal_cube_place *p, int metric, int64_t first, int64_t bytes,
                             int64_t *at)
{
  const hsize_t offset[H5S_MAX_RANK] = {(hsize_t)first};
  char *nothing = sal_array_grow(p->nothing, 0, bytes, &p->room, 1);

  if (!nothing) return sal_h5_full(&p->file);
  p->nothing = nothing;
  p->placed = HADDR_UNDEF;
  SAL_TRY_H5(&p->file,
             H5Dwrite_chunk(p->set[metric], H5P_DEFAULT, 0, offset, (size_t)bytes, nothing));
  if (p->placed == HADDR_UNDEF) return sal_h5_fail(&p->file);
  *at = (int64_t)p->placed;
  return SAL_OK;
}

/* HDF5 opens no file that is shorter than it is said to be. */
static sal_err lengthen(const char *path, int64_t size)
{
  char part[PATH_MAX];
  struct stat found;

  SAL_TRY(sal_atomic_file_name(path, part));
  const bool bad = stat(part, &found) || (found.st_size < size && truncate(part, (off_t)size));
  return bad ? sal_atomic_file_fail(path) : SAL_OK;
}

sal_err sal_cube_place_close(sal_cube_place *p, sal_err err)
{
  haddr_t end = 0;

  if (p->file.id < 0) return err;
  if (err == SAL_OK && H5Fflush(p->file.id, H5F_SCOPE_GLOBAL) < 0) err = sal_h5_fail(&p->file);
  /* nothing of what closing writes: HDF5 1.10 crashes at the end of a program that could not close a file */
  if (sal_h5_append_driver_freeze(p->file.id, &end) < 0 && err == SAL_OK)
    err = sal_h5_fail(&p->file);
  if (err == SAL_OK) err = lengthen(p->file.path, (int64_t)end);
  for (int i = 0; i < SAL_BLOCK_METRICS; ++i) sal_h5_drop(&p->set[i]);
  sal_free(p->nothing);
  p->nothing = NULL;
  return sal_h5_close(&p->file, err);
}
