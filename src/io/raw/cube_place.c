/** Where the values of a cube go. */
#include "h5_part.h"

sal_err sal_cube_place_open(const char *path, sal_cube_place *p)
{
  return sal_h5_part_open(path, &(sal_h5_append_driver){.placed = &p->placed, .index = &p->index},
                          &p->file);
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

sal_err sal_cube_place_end(const sal_cube_place *p, int64_t *end)
{
  haddr_t at = 0;

  SAL_TRY_H5(&p->file, sal_h5_append_driver_end(p->file.id, &at));
  *end = (int64_t)at;
  return SAL_OK;
}

sal_err sal_cube_place_claim(const sal_cube_place *p, int64_t end)
{
  SAL_TRY_H5(&p->file, sal_h5_append_driver_claim(p->file.id, (haddr_t)end));
  return SAL_OK;
}

/* HDF5 makes the root with the first chunk, which is of one byte here, and leaves it where it is. */
sal_err sal_cube_place_root(sal_cube_place *p, const char *name, int64_t bytes, int64_t *at)
{
  const hsize_t first[H5S_MAX_RANK] = {0};
  const char nothing = 0;
  SAL_HID set = H5Dopen2(p->file.id, name, H5P_DEFAULT);

  SAL_TRY_H5(&p->file, set);
  p->index = (sal_h5_append_index){0};
  SAL_TRY_H5(&p->file, H5Dwrite_chunk(set, H5P_DEFAULT, 0, first, sizeof nothing, &nothing));
  SAL_TRY_H5(&p->file, H5Dflush(set));
  *at = (int64_t)p->index.at;
  if (p->index.size == (size_t)bytes) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: HDF5 %d.%d.%d keeps the index of '%s' in another form",
                  p->file.path, H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE, name);
}

sal_err sal_cube_place_close(sal_cube_place *p, sal_err err)
{
  return sal_h5_part_close(&p->file, err);
}
