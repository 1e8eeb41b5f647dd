/** @file src/io/cube/cube_read.c
 *  A cube back into memory.
 */
#include "cube_read.h"
#include "h5.h"

sal_err sal_cube_read(const char *path, sal_cube *cube)
{
  SAL_OWN_BY(sal_cube_file_close) sal_cube_file *file = NULL;

  SAL_TRY(sal_cube_file_open(path, &file, cube));
  const sal_err err = sal_cube_file_read_all(file, cube);
  if (err != SAL_OK) sal_cube_free(cube);
  return err;
}

void sal_cube_free(sal_cube *cube)
{
  char ***const list[] = {&cube->strategy, &cube->method, &cube->param_name, &cube->state_name};
  void *const own[] = {cube->model,     cube->title, cube->given,   cube->machine, cube->sweep_text,
                       cube->tolerance, cube->param, cube->initial, cube->cell,    cube->record};

  for (size_t i = 0; i < sizeof list / sizeof *list; ++i) sal_h5_text_free(list[i]);
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) sal_free(own[i]);
  *cube = (sal_cube){0};
}
