/** Checksums of datasets. */
#include "checksum.h"
#define XXH_INLINE_ALL /* most runs are short: the call would cost more than the sum */
#include <xxhash.h>

static const char attribute_name[] = "checksum";

uint64_t sal_checksum_of(int64_t first, int64_t n, size_t bytes, const void *value)
{
  const char *at = value;
  uint64_t sum = 0;

  for (int64_t i = 0; i < n; ++i, at += bytes)
    sum += XXH3_64bits_withSeed(at, bytes, (XXH64_hash_t)(first + i));
  return sum;
}

sal_err sal_checksum_put(const sal_h5 *file, hid_t set, sal_checksum checksum)
{
  const uint64_t value[] = {checksum.sum, checksum.run, checksum.block, checksum.first};
  bool there;

  SAL_TRY(sal_h5_has_attribute(file, set, attribute_name, &there));
  if (!there)
    return sal_h5_put(file, set, attribute_name, H5T_NATIVE_UINT64, checksum.block ? 4 : 2, value);
  SAL_HID attribute = H5Aopen(set, attribute_name, H5P_DEFAULT);
  SAL_TRY_H5(file, attribute);
  SAL_TRY_H5(file, H5Awrite(attribute, H5T_NATIVE_UINT64, value));
  return SAL_OK;
}

sal_err sal_checksum_put_sum(const sal_h5 *file, hid_t set, uint64_t sum)
{
  sal_checksum checksum;

  SAL_TRY(sal_checksum_get(file, set, &checksum));
  checksum.sum = sum;
  return sal_checksum_put(file, set, checksum);
}

sal_err sal_checksum_get(const sal_h5 *file, hid_t set, sal_checksum *checksum)
{
  uint64_t value[4] = {0};
  bool there;

  *checksum = (sal_checksum){0};
  SAL_TRY(sal_h5_has_attribute(file, set, attribute_name, &there));
  if (!there) return SAL_OK;
  SAL_HID attribute = H5Aopen(set, attribute_name, H5P_DEFAULT);
  SAL_TRY_H5(file, attribute);
  SAL_HID space = H5Aget_space(attribute);
  const hssize_t n = H5Sget_simple_extent_npoints(space);
  if (n != 2 && n != 4)
    return sal_fail(SAL_ERR_INPUT, "%s: attribute '%s' is not a sum and length of runs", file->path,
                    attribute_name);
  SAL_TRY_H5(file, H5Aread(attribute, H5T_NATIVE_UINT64, value));
  *checksum = (sal_checksum){value[0], value[1], value[2], value[3]};
  return SAL_OK;
}

sal_err sal_checksum_compare(const sal_h5 *file, const char *name, sal_checksum due, uint64_t found)
{
  if (due.run == 0 || due.sum == found) return SAL_OK;
  return sal_fail(
      SAL_ERR_IO,
      "%s: dataset '%s' is damaged: its values have not the checksum that they were written with",
      file->path, name);
}
