/** @file src/io/cube/cube_open.c
 *  Opening a cube, and its frame: dimensions and coordinates.
 */
#include "cube_open.h"
#include "build_info.h"
#include "memory.h"
#include "provenance.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Plain trouble with the file, told better by the system than by HDF5. */
static sal_err check_file(const char *path)
{
  struct stat found;

  if (stat(path, &found) || access(path, R_OK))
    return sal_fail(SAL_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
  if (S_ISDIR(found.st_mode)) return sal_fail(SAL_ERR_IO, "%s: is a directory", path);
  if (H5Fis_hdf5(path) <= 0) return sal_fail(SAL_ERR_INPUT, "%s: is no HDF5 file", path);
  return SAL_OK;
}

/* Is this HDF5 file one of our cubes, of a layout we know? */
static sal_err check_content(const sal_h5 *file)
{
  char   *content = NULL;
  int64_t layout  = 0;

  if (H5Aexists(file->id, "content") <= 0 || H5Aexists(file->id, "layout") <= 0)
    return sal_fail(SAL_ERR_INPUT, "%s: is an HDF5 file, but no saltus cube", file->path);
  SAL_TRY(sal_h5_get_text(file, "content", &content));
  if (strcmp(content, SAL_CONTENT_CUBE) != 0)
    sal_fail(SAL_ERR_INPUT, "%s: holds a '%s', not a '%s'", file->path, content, SAL_CONTENT_CUBE);
  const bool cube = strcmp(content, SAL_CONTENT_CUBE) == 0;
  sal_free(content);
  if (!cube) return SAL_ERR_INPUT;
  SAL_TRY(sal_h5_get(file, "layout", H5T_NATIVE_INT64, &layout));
  if (layout == SAL_LAYOUT) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: has layout %lld; this saltus reads layout %d", file->path,
                  (long long)layout, SAL_LAYOUT);
}

sal_err sal_cube_open(const char *path, sal_h5 *file)
{
  *file = (sal_h5){.id = -1, .path = path};
  sal_h5_quiet();
  SAL_TRY(check_file(path));
  SAL_HID access = H5Pcreate(H5P_FILE_ACCESS);
  SAL_TRY_H5(file, H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  SAL_TRY_H5(file, file->id = H5Fopen(path, H5F_ACC_RDONLY, access));

  const sal_err err = check_content(file);
  if (err != SAL_OK) H5Fclose(file->id);
  return err;
}

int64_t sal_cube_open_records(const sal_cube *cube)
{
  return cube->n_cell * cube->n_tolerance * cube->n_strategy * cube->n_method;
}

/* Opens a dataset and tells how many values it has. */
static sal_err open_set(const sal_h5 *file, const char *name, hid_t *set, int64_t *n)
{
  if (H5Lexists(file->id, name, H5P_DEFAULT) <= 0)
    return sal_fail(SAL_ERR_INPUT, "%s: has no dataset '%s'", file->path, name);
  SAL_TRY_H5(file, *set = H5Dopen2(file->id, name, H5P_DEFAULT));
  SAL_HID space = H5Dget_space(*set);
  SAL_TRY_H5(file, *n = H5Sget_simple_extent_npoints(space));
  return SAL_OK;
}

sal_err sal_cube_open_column(const sal_h5 *file, const char *name, int64_t n, hid_t type,
                             void *value)
{
  SAL_HID set   = -1;
  int64_t found = 0;

  SAL_TRY(open_set(file, name, &set, &found));
  if (found != n)
    return sal_fail(SAL_ERR_INPUT, "%s: dataset '%s' has %lld values; the dimensions say %lld",
                    file->path, name, (long long)found, (long long)n);
  SAL_TRY_H5(file, H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value));
  return SAL_OK;
}

/* Size of a dimension: that of its scale. */
static sal_err read_size(const sal_h5 *file, const char *name, int64_t *n)
{
  SAL_HID set = -1;

  *n = 0;
  SAL_TRY(open_set(file, name, &set, n));
  if (*n < 1) return sal_fail(SAL_ERR_INPUT, "%s: dimension '%s' is empty", file->path, name);
  return SAL_OK;
}

static sal_err read_sizes(const sal_h5 *file, sal_cube *cube)
{
  int64_t tolerance, strategy, method;

  SAL_TRY(read_size(file, "cell", &cube->n_cell));
  SAL_TRY(read_size(file, "tolerance", &tolerance));
  SAL_TRY(read_size(file, "strategy", &strategy));
  SAL_TRY(read_size(file, "method", &method));
  cube->n_tolerance = (int)tolerance;
  cube->n_strategy  = (int)strategy;
  cube->n_method    = (int)method;
  return SAL_OK;
}

/* Names along a dimension, as strings of our own. */
static sal_err read_names(const sal_h5 *file, const char *dimension, int n, char ***name)
{
  SAL_HID type = sal_h5_text_type();
  char  **held;

  SAL_TRY_ROOM(file, *name, n);
  SAL_TRY_ROOM(file, held, n);
  sal_err err = sal_cube_open_column(file, dimension, n, type, held);
  for (int i = 0; i < n && err == SAL_OK; ++i)
    if (!((*name)[i] = sal_text_copy(held[i] ? held[i] : ""))) err = sal_h5_full(file);
  for (int i = 0; i < n; ++i) H5free_memory(held[i]);
  sal_free(held);
  return err;
}

/* The words of an attribute. */
static sal_err read_words(const sal_h5 *file, const char *attribute, int *n, char ***word)
{
  char   *text = NULL, *rest = NULL;
  sal_err err = SAL_OK;

  SAL_TRY(sal_h5_get_text(file, attribute, &text));
  SAL_TRY_ROOM(file, *word, strlen(text));
  for (char *w = strtok_r(text, " ", &rest); w && err == SAL_OK; w = strtok_r(NULL, " ", &rest))
    if (!((*word)[(*n)++] = sal_text_copy(w))) err = sal_h5_full(file);
  sal_free(text);
  return err;
}

/* Columns `prefix``name`[n] side by side: table [n_cell][n]. */
static sal_err read_table(const sal_h5 *file, const char *prefix, int64_t n_cell, int n,
                          char *const name[], double **table)
{
  double *column;

  SAL_TRY_ROOM(file, *table, n_cell * n);
  SAL_TRY_ROOM(file, column, n_cell);
  sal_err err = SAL_OK;
  for (int i = 0; i < n && err == SAL_OK; ++i) {
    char full[256];
    snprintf(full, sizeof full, "%s%s", prefix, name[i]);
    err = sal_cube_open_column(file, full, n_cell, H5T_NATIVE_DOUBLE, column);
    for (int64_t c = 0; c < n_cell && err == SAL_OK; ++c) (*table)[c * n + i] = column[c];
  }
  sal_free(column);
  return err;
}

/* Another version may give other bits. */
static sal_err read_program(const sal_h5 *file, bool *same)
{
  static const char *const attribute[] = {"version", "git_commit"};
  static const char *const ours[]      = {SAL_BUILD_VERSION, SAL_BUILD_COMMIT};

  *same = true;
  for (int i = 0; i < 2; ++i) {
    char *text;
    SAL_TRY(sal_h5_get_text(file, attribute[i], &text));
    *same = *same && strcmp(text, ours[i]) == 0;
    sal_free(text);
  }
  return SAL_OK;
}

sal_err sal_cube_open_frame(const sal_h5 *file, sal_cube *cube)
{
  SAL_TRY(read_sizes(file, cube));
  SAL_TRY(sal_h5_get_text(file, "model", &cube->model));
  SAL_TRY(sal_h5_get_text(file, "title", &cube->title));
  SAL_TRY(sal_h5_get_text(file, "sweep", &cube->sweep_text));
  SAL_TRY(read_program(file, &cube->same_program));
  SAL_TRY(sal_h5_get(file, "n_mesh", H5T_NATIVE_INT64, &cube->n_mesh));
  SAL_TRY(sal_h5_get(file, "t_end", H5T_NATIVE_DOUBLE, &cube->t_end));
  SAL_TRY(read_words(file, "parameters", &cube->n_param, &cube->param_name));
  SAL_TRY(read_words(file, "states", &cube->n_state, &cube->state_name));
  SAL_TRY(read_names(file, "strategy", cube->n_strategy, &cube->strategy));
  SAL_TRY(read_names(file, "method", cube->n_method, &cube->method));
  SAL_TRY_ROOM(file, cube->tolerance, cube->n_tolerance);
  SAL_TRY(sal_cube_open_column(file, "tolerance", cube->n_tolerance, H5T_NATIVE_DOUBLE,
                               cube->tolerance));
  SAL_TRY(read_table(file, "", cube->n_cell, cube->n_param, cube->param_name, &cube->param));
  return read_table(file, "initial_", cube->n_cell, cube->n_state, cube->state_name,
                    &cube->initial);
}
