/** A cube: what `info` and `info --check` make of it. */
#include "cube_info.h"
#include "fuzz.h"
#include <stdio.h>

void fuzz_input(const uint8_t *data, size_t size)
{
  static char path[96];
  sal_cube_info info;

  snprintf(path, sizeof path, "%s/x.h5", fuzz_folder());
  fuzz_write(path, data, size);
  sal_cube_check_found found;
  sal_err err = sal_cube_info_read(path, &info);
  if (err == SAL_OK) sal_cube_info_free(&info);
  sal_err_clear();
  err = sal_cube_check(path, &found);
  (void)err;
}
