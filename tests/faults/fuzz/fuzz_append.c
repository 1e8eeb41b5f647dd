/** A cube whose map is to be replaced where it is: no byte of it changes unless the change is whole.
 */
#include "cube_info.h"
#include "cube_open.h"
#include "fuzz.h"
#include "raw.h"
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first `size` bytes of the file are `data`. */
static void must_start_with(const char *path, const uint8_t *data, size_t size)
{
  FILE *file = fopen(path, "rb");
  uint8_t *found = malloc(size + 1);

  if (!file || !found || fread(found, 1, size, file) != size || memcmp(found, data, size) != 0)
    abort();
  free(found);
  fclose(file);
}

/* A file with a new root is one that can be read, or refused with a message. */
static void replace(sal_h5_append *append, const char *path, const uint8_t *data, size_t size)
{
  const hid_t group = H5Gcreate2(append->root, "map", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  sal_cube_info info;

  if (group >= 0) H5Gclose(group);
  if (sal_h5_append_commit(append) != SAL_OK) must_start_with(path, data, size);
  if (sal_cube_info_read(path, &info) == SAL_OK) sal_cube_info_free(&info);
}

/* Opens the file to replace its map, and gives up or goes on. */
static void try_to_replace(const char *path, const uint8_t *data, size_t size, bool give_up)
{
  sal_h5_append append = {.file = {.id = -1, .path = path}, .root = -1, .lock = -1};
  const bool open = sal_h5_append_open(path, path, "map", &append) == SAL_OK;

  if (open && !give_up) {
    replace(&append, path, data, size);
    return;
  }
  sal_h5_append_drop(&append);
  must_start_with(path, data, size);
}

/* As `saltus map` does first: refuses a damaged file before HDF5, which allocates any amount of memory, reads it. */
static bool is_whole(const char *path)
{
  sal_h5 file;

  return sal_h5_check_heaps(path) == SAL_OK && sal_cube_open(path, &file) == SAL_OK &&
         sal_h5_close(&file, SAL_OK) == SAL_OK;
}

void fuzz_input(const uint8_t *data, size_t size)
{
  static char path[96];

  snprintf(path, sizeof path, "%s/x.h5", fuzz_folder());
  fuzz_write(path, data, size);
  if (is_whole(path))
    for (int give_up = 1; give_up >= 0; --give_up) try_to_replace(path, data, size, give_up);
  sal_err_clear();
}
