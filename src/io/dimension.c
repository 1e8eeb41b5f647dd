/** Attributes of a dimension for netCDF. */
#include "base.h"
#include "variable.h"
#include <hdf5_hl.h>

/* Names that netCDF-4 gives to attributes, and to the scale of a dimension without values. */
static const char number[] = "_Netcdf4Dimid", both[] = "_Netcdf4Coordinates";
static const char bare[] = "This is a netCDF dimension but not a netCDF variable.";

sal_err sal_dimension_number(const sal_h5 *file, hid_t set)
{
  H5G_info_t group;

  SAL_TRY_H5(file, H5Gget_info(file->id, &group));
  const int value = file->first_dimension + (int)group.nlinks;
  return sal_h5_put(file, set, number, H5T_NATIVE_INT, 0, &value);
}

sal_err sal_dimension_create(const sal_h5 *file, const sal_variable_dim *dim)
{
  char title[80];

  snprintf(title, sizeof title, "%s%10lld", bare, (long long)dim->size);
  SAL_HID list = H5Pcreate(H5P_DATASET_CREATE);
  SAL_TRY_H5(file, H5Pset_obj_track_times(list, false)); /* the same bytes at any time */
  SAL_HID space = H5Screate_simple(1, &dim->size, NULL);
  SAL_HID set =
      H5Dcreate2(file->id, dim->name, H5T_IEEE_F32BE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  SAL_TRY_H5(file, set);
  SAL_TRY_H5(file, H5DSset_scale(set, title));
  return sal_dimension_number(file, set);
}

sal_err sal_dimension_of_text(const sal_h5 *file, size_t length, char name[SAL_DIMENSION_NAME])
{
  bool there;

  snprintf(name, SAL_DIMENSION_NAME, "string%zu", length);
  SAL_TRY(sal_h5_has(file, name, &there));
  return there ? SAL_OK : sal_dimension_create(file, &(sal_variable_dim){name, length});
}

static sal_err read_number(const sal_h5 *file, hid_t set, int *value)
{
  SAL_HID attribute = H5Aopen(set, number, H5P_DEFAULT);
  SAL_TRY_H5(file, attribute);
  SAL_TRY_H5(file, H5Aread(attribute, H5T_NATIVE_INT, value));
  return SAL_OK;
}

sal_err sal_dimension_put_both(const sal_h5 *file, hid_t set, const char *second)
{
  int value[2];
  SAL_HID other = H5Dopen2(file->id, second, H5P_DEFAULT);

  SAL_TRY_H5(file, other);
  SAL_TRY(read_number(file, set, &value[0]));
  SAL_TRY(read_number(file, other, &value[1]));
  return sal_h5_put(file, set, both, H5T_NATIVE_INT, 2, value);
}

bool sal_dimension_is_bare(hid_t set)
{
  char title[sizeof bare] = "";

  return H5DSis_scale(set) > 0 && H5DSget_scale_name(set, title, sizeof title) > 0 &&
         strncmp(title, bare, sizeof bare - 1) == 0;
}
