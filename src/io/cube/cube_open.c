/** Opening a cube, and its frame: dimensions and coordinates. */
#include "cube_open.h"
#include "base.h"
#include "build_info.h"
#include "dataset.h"
#include "design.h"
#include "provenance.h"

static sal_err check_layout(const sal_h5 *file)
{
  int64_t layout;

  SAL_TRY(sal_h5_get(file, "layout", H5T_NATIVE_INT64, &layout));
  if (layout == SAL_PROVENANCE_LAYOUT) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT,
                  "%s: has layout %lld; this saltus reads layout %d: run its sweep again",
                  file->path, (long long)layout, SAL_PROVENANCE_LAYOUT);
}

sal_err sal_cube_open(const char *path, sal_h5 *file)
{
  SAL_OWN_BY(sal_text_free) sal_text foreign = {0};
  bool there[SAL_CUBE_GROUPS];

  *file = (sal_h5){.id = -1, .path = path};
  sal_h5_quiet();
  SAL_HID access = sal_h5_access();
  SAL_TRY(sal_dataset_access(file, access));
  SAL_TRY(sal_provenance_open(path, "a cube", SAL_PROVENANCE_CUBE, access, file));
  sal_err err = check_layout(file);
  if (err == SAL_OK) err = sal_cube_verify(file, there, &foreign);
  return err == SAL_OK ? SAL_OK : sal_h5_close(file, err);
}

int64_t sal_cube_open_records(const sal_cube *cube)
{
  return cube->n_cell * cube->n_tolerance * cube->n_strategy * cube->n_method;
}

/* Checks the size of a dimension or list, or of the model, by which memory is allocated. */
static sal_err check_size(const sal_h5 *file, const char *what, int64_t n, int64_t most)
{
  if (n >= 1 && n <= most) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: has %lld %s; allowed: 1 to %lld", file->path, (long long)n,
                  what, (long long)most);
}

/* Size of a dimension: that of the dataset of its values. */
static sal_err read_size(const sal_h5 *file, const char *name, const char *values, int64_t most,
                         int64_t *n)
{
  SAL_DATASET(scale);
  char what[64];

  SAL_TRY(sal_dataset_open(file, values, &scale));
  *n = scale.n;
  snprintf(what, sizeof what, "values of the dimension '%s'", name);
  SAL_TRY(check_size(file, what, *n, most));
  if (scale.n_dim == 1) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: the scale '%s' has %d dimensions; allowed: 1", file->path,
                  scale.name, scale.n_dim);
}

static sal_err read_sizes(const sal_h5 *file, sal_cube *cube)
{
  int64_t tolerance, strategy, method;

  SAL_TRY(read_size(file, "cell", SAL_CUBE_NUMBER, SAL_MAX_CELL, &cube->n_cell));
  SAL_TRY(read_size(file, "rtol", "rtol", SAL_MAX_LIST, &tolerance));
  SAL_TRY(read_size(file, "strategy", "strategy", SAL_MAX_LIST, &strategy));
  SAL_TRY(read_size(file, "solver", "solver", SAL_MAX_LIST, &method));
  cube->n_tolerance = (int)tolerance;
  cube->n_strategy = (int)strategy;
  cube->n_method = (int)method;
  return SAL_OK;
}

/* Names along a dimension. */
static sal_err read_names(const sal_h5 *file, const char *dimension, char ***name)
{
  SAL_DATASET(scale);

  SAL_TRY(sal_dataset_open(file, dimension, &scale));
  SAL_TRY(sal_dataset_read_texts(file, &scale, name));
  return SAL_OK;
}

/* The words of an attribute, of which there may be `most`. */
static sal_err read_words(const sal_h5 *file, const char *attribute, int most, int *n, char ***word)
{
  SAL_OWN char *text = NULL;
  char *rest = NULL;

  SAL_TRY_ROOM(file, *word, most + 1);
  SAL_TRY(sal_h5_text_get(file, file->id, attribute, &text));
  for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
    if (*n == most) return check_size(file, attribute, most + 1, most);
    if (!((*word)[*n] = sal_text_copy(w))) return sal_h5_full(file);
    ++*n;
  }
  return SAL_OK;
}

/* Columns `prefix``name`[n] side by side: table [n_cell][n]. */
static sal_err read_table(const sal_h5 *file, const char *prefix, int64_t n_cell, int n,
                          char *const name[], double **table)
{
  SAL_TRY_ROOM(file, *table, n_cell * n);
  for (int i = 0; i < n; ++i) {
    char full[256];
    snprintf(full, sizeof full, "%s%s", prefix, name[i]);
    SAL_TRY(sal_dataset_read_column(file, full, n_cell, n, *table + i));
  }
  return SAL_OK;
}

/* Another version may give other bits. */
static sal_err read_program(const sal_h5 *file, bool *same)
{
  static const char *const attribute[] = {"version", "git_commit"};
  static const char *const ours[] = {SAL_BUILD_VERSION, SAL_BUILD_COMMIT};

  *same = true;
  for (int i = 0; i < 2; ++i) {
    SAL_OWN char *text = NULL;
    SAL_TRY(sal_h5_text_get(file, file->id, attribute[i], &text));
    *same = *same && strcmp(text, ours[i]) == 0;
  }
  return SAL_OK;
}

/* Cubes of runs without it have no such attribute. */
static sal_err read_optional(const sal_h5 *file, const char *name, char **text)
{
  bool there;

  SAL_TRY(sal_h5_has_attribute(file, file->id, name, &there));
  if (there) return sal_h5_text_get(file, file->id, name, text);
  *text = sal_text_copy("");
  return *text ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", file->path);
}

static sal_err read_texts(const sal_h5 *file, sal_cube *cube)
{
  SAL_TRY(sal_h5_text_get(file, file->id, "model", &cube->model));
  SAL_TRY(sal_h5_text_get(file, file->id, "title", &cube->title));
  SAL_TRY(sal_h5_text_lines(file, file->id, "sweep", &cube->sweep_text));
  SAL_TRY(read_optional(file, "given", &cube->given));
  SAL_TRY(read_optional(file, "machine", &cube->machine));
  return read_program(file, &cube->same_program);
}

/* Has it the columns `prefix``name`[n], a number for each cell? */
static sal_err check_table(const sal_h5 *file, const char *prefix, int64_t n_cell, int n,
                           char *const name[])
{
  for (int i = 0; i < n; ++i) {
    char full[256];
    SAL_DATASET(d);
    snprintf(full, sizeof full, "%s%s", prefix, name[i]);
    SAL_TRY(sal_dataset_open(file, full, &d));
    SAL_TRY(sal_dataset_check_numbers(file, &d, n_cell));
  }
  return SAL_OK;
}

/* Column c of the cells that the sweep has from a file. */
static sal_err read_column(const sal_h5 *file, const sal_cube *cube, const char *name,
                           sal_design *design, int c)
{
  const char *prefix = "initial_";
  char full[256];

  for (int i = 0; i < cube->n_param; ++i)
    if (strcmp(cube->param_name[i], name) == 0) prefix = "";
  snprintf(full, sizeof full, "%s%s", prefix, name);
  return sal_dataset_read_column(file, full, cube->n_cell, design->n_column, design->value + c);
}

/* So that the text of the sweep can be read. */
static sal_err give_design(const sal_h5 *file, const sal_cube *cube)
{
  SAL_OWN_BY(sal_design_lack_free) sal_design_lack lack;

  SAL_TRY(sal_design_find_lack(cube->sweep_text, &lack));
  if (lack.n_point == 0) return SAL_OK;
  if (lack.n_point != cube->n_cell)
    return sal_fail(SAL_ERR_INPUT, "%s: has %lld cells, its sweep %lld", file->path,
                    (long long)cube->n_cell, (long long)lack.n_point);
  SAL_OWN_BY(sal_design_drop) sal_design *d = sal_design_create(lack.n_column, lack.n_point);
  if (!d) return sal_h5_full(file);
  for (int c = 0; c < lack.n_column; ++c) SAL_TRY(read_column(file, cube, lack.column[c], d, c));
  return sal_design_give(file->path, &lack, &d);
}

sal_err sal_cube_open_frame(const sal_h5 *file, sal_cube *cube)
{
  SAL_TRY(read_sizes(file, cube));
  SAL_TRY(read_texts(file, cube));
  SAL_TRY(sal_h5_get(file, "n_mesh", H5T_NATIVE_INT64, &cube->n_mesh));
  SAL_TRY(sal_h5_get(file, "t_end", H5T_NATIVE_DOUBLE, &cube->t_end));
  SAL_TRY(read_words(file, "parameters", SAL_MAX_PARAM, &cube->n_param, &cube->param_name));
  SAL_TRY(read_words(file, "states", SAL_MAX_STATE, &cube->n_state, &cube->state_name));
  SAL_TRY(read_names(file, "strategy", &cube->strategy));
  SAL_TRY(read_names(file, "solver", &cube->method));
  SAL_TRY_ROOM(file, cube->tolerance, cube->n_tolerance);
  SAL_TRY(sal_dataset_read_column(file, "rtol", cube->n_tolerance, 1, cube->tolerance));
  SAL_TRY(check_table(file, "", cube->n_cell, cube->n_param, cube->param_name));
  SAL_TRY(check_table(file, "initial_", cube->n_cell, cube->n_state, cube->state_name));
  return give_design(file, cube);
}

sal_err sal_cube_open_columns(const sal_h5 *file, sal_cube *cube)
{
  SAL_TRY(read_table(file, "", cube->n_cell, cube->n_param, cube->param_name, &cube->param));
  return read_table(file, "initial_", cube->n_cell, cube->n_state, cube->state_name,
                    &cube->initial);
}

void sal_cube_free(sal_cube *cube)
{
  char ***const list[] = {&cube->strategy, &cube->method, &cube->param_name, &cube->state_name};

  for (size_t i = 0; i < sizeof list / sizeof *list; ++i) sal_h5_text_free(list[i]);
  sal_free_all(cube->model, cube->title, cube->given, cube->machine, cube->sweep_text,
               cube->tolerance, cube->param, cube->initial, cube->cell, cube->record);
  *cube = (sal_cube){0};
}
