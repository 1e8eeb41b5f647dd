/** New seals for a cube that a test has changed. */
#include "reseal.h"
#include "cube.h"
#include "group_seal.h"
#include "h5.h"

static sal_err seal_group(hid_t id)
{
  const sal_h5 group = {.id = id, .path = "cube"};

  if (H5Aexists(id, "seal") > 0) SAL_TRY_H5(&group, H5Adelete(id, "seal"));
  SAL_TRY(sal_group_seal_prepare(&group));
  return sal_group_seal_put(&group);
}

sal_err test_reseal(hid_t file)
{
  hid_t group[SAL_CUBE_GROUPS];
  sal_err err = SAL_OK;

  for (int i = SAL_CUBE_ROOT + 1; i < SAL_CUBE_GROUPS; ++i) {
    const char *name = sal_cube_verify_groups[i];
    group[i] = H5Lexists(file, name, H5P_DEFAULT) > 0 ? H5Gopen2(file, name, H5P_DEFAULT) : -1;
    if (group[i] >= 0 && err == SAL_OK) err = seal_group(group[i]);
    if (group[i] >= 0 && i >= SAL_CUBE_MAP)
      H5Ldelete(file, name, H5P_DEFAULT); /* added after the seal */
  }
  if (err == SAL_OK) err = seal_group(file);
  for (int i = SAL_CUBE_ROOT + 1; i < SAL_CUBE_GROUPS; ++i) {
    if (group[i] < 0) continue;
    if (i >= SAL_CUBE_MAP)
      H5Olink(group[i], file, sal_cube_verify_groups[i], H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(group[i]);
  }
  return err;
}
