/** Seals cubes that a test has changed: reseal CUBE.h5 */
#include "../io/reseal.h"
#include <stdio.h>

int main(int argc, char *argv[])
{
  const hid_t file = argc == 2 ? H5Fopen(argv[1], H5F_ACC_RDWR, H5P_DEFAULT) : -1;

  if (file < 0) return 2;
  const sal_err err = test_reseal(file);
  if (err != SAL_OK) fprintf(stderr, "%s\n", sal_err_message());
  return H5Fclose(file) < 0 || err != SAL_OK;
}
