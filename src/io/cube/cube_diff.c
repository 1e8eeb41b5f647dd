/** @file src/io/cube/cube_diff.c
 *  Two cubes, bit by bit.
 *
 *  What is compared is what the files hold, dataset by dataset, so that cubes of any size and of
 *  programs with other metrics can be compared.
 */
#include "cube_open.h"
#include "variable.h"
#include <math.h>
#include <string.h>

enum { NAME = 256 };

/* Values of one dataset as 8-byte words: doubles, int64 or strings. */
typedef union {
  double  real;
  int64_t whole;
  char   *text;
} word;

typedef struct {
  H5T_class_t class;
  int     n_dim;
  hsize_t size[H5S_MAX_RANK];
  int64_t n;
  word   *value; /* [n] */
} data;

/* What a comparison finds. */
typedef struct {
  int64_t n, first; /* values that differ, and the first of them */
  double  largest;  /* difference of two numbers; NaN: none of two numbers */
} finding;

static void drop(data *d)
{
  for (int64_t i = 0; d->class == H5T_STRING && d->value && i < d->n; ++i)
    H5free_memory(d->value[i].text);
  sal_free(d->value);
  d->value = NULL;
}

/* Reads a dataset whole. */
static sal_err load(const sal_h5 *file, const char *name, data *d)
{
  SAL_HID set = H5Dopen2(file->id, name, H5P_DEFAULT);
  SAL_TRY_H5(file, set);
  SAL_HID held  = H5Dget_type(set);
  SAL_HID space = H5Dget_space(set);
  SAL_TRY_H5(file, d->n_dim = H5Sget_simple_extent_dims(space, d->size, NULL));

  d->n         = H5Sget_simple_extent_npoints(space);
  d->class     = H5Tget_class(held);
  SAL_HID type = sal_store_type(d->class == H5T_FLOAT    ? SAL_STORE_REAL
                                : d->class == H5T_STRING ? SAL_STORE_TEXT
                                                         : SAL_STORE_WHOLE);
  SAL_TRY_ROOM(file, d->value, d->n);
  SAL_TRY_H5(file, H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, d->value));
  return SAL_OK;
}

static bool same_word(H5T_class_t class, word a, word b)
{
  if (class == H5T_STRING) return strcmp(a.text ? a.text : "", b.text ? b.text : "") == 0;
  return a.whole == b.whole || (class == H5T_FLOAT && isnan(a.real) && isnan(b.real));
}

static bool same_shape(const data *a, const data *b)
{
  return a->class == b->class && a->n_dim == b->n_dim &&
         memcmp(a->size, b->size, (size_t)a->n_dim * sizeof a->size[0]) == 0;
}

static finding compare(const data *a, const data *b)
{
  finding f = {.largest = NAN};

  for (int64_t i = 0; i < a->n; ++i) {
    const word x = a->value[i], y = b->value[i];
    if (same_word(a->class, x, y)) continue;
    if (f.n++ == 0) f.first = i;
    if (a->class == H5T_FLOAT) f.largest = fmax(f.largest, fabs(x.real - y.real));
    if (a->class == H5T_INTEGER)
      f.largest = fmax(f.largest, fabs((double)x.whole - (double)y.whole));
  }
  return f;
}

static void print_word(FILE *out, H5T_class_t class, word w)
{
  if (class == H5T_FLOAT) fprintf(out, "%.17g", w.real);
  if (class == H5T_INTEGER) fprintf(out, "%lld", (long long)w.whole);
  if (class == H5T_STRING) fprintf(out, "'%s'", w.text ? w.text : "");
}

/* Where value number i is; `frame` names the contenders of a dataset of all four dimensions. */
static void print_place(FILE *out, const sal_cube *frame, const data *d, int64_t i)
{
  const int64_t inner = (int64_t)frame->n_strategy * frame->n_method;
  const int64_t cell  = i / (inner * frame->n_tolerance);

  if (d->n_dim != SAL_CUBE_DIM) {
    fprintf(out, "at number %lld", (long long)i + 1);
    return;
  }
  fprintf(out, "at cell %lld, tolerance %g, %s, %s", (long long)cell + 1,
          frame->tolerance[i / inner % frame->n_tolerance],
          frame->strategy[i / frame->n_method % frame->n_strategy],
          frame->method[i % frame->n_method]);
}

/* One line on a dataset that differs; true when it does. */
static bool report(FILE *out, const char *name, const sal_cube *frame, const data *a, const data *b)
{
  if (!same_shape(a, b)) {
    fprintf(out, "%s: the files differ in its shape or type\n", name);
    return true;
  }
  const finding f = compare(a, b);
  if (f.n == 0) return false;
  fprintf(out, "%s: %lld of %lld values differ, first ", name, (long long)f.n, (long long)a->n);
  print_place(out, frame, a, f.first);
  fprintf(out, ": ");
  print_word(out, a->class, a->value[f.first]);
  fprintf(out, " and ");
  print_word(out, b->class, b->value[f.first]);
  if (!isnan(f.largest)) fprintf(out, "; largest difference %.3g", f.largest);
  fprintf(out, "\n");
  return true;
}

/* Is this a metric that differs between any two runs? */
static bool is_timing(const sal_h5 *file, const char *name)
{
  char    kind[16] = "";
  SAL_HID set      = H5Dopen2(file->id, name, H5P_DEFAULT);

  if (set < 0 || H5Aexists(set, "kind") <= 0) return false;
  SAL_HID attribute = H5Aopen(set, "kind", H5P_DEFAULT);
  SAL_HID type      = sal_h5_text_type();
  char   *held      = NULL;
  if (H5Aread(attribute, type, &held) >= 0 && held) snprintf(kind, sizeof kind, "%s", held);
  H5free_memory(held);
  return strcmp(kind, sal_kind_name(SAL_TIMING)) == 0;
}

static sal_err diff_set(const sal_h5 *a, const sal_h5 *b, const sal_cube *frame, const char *name,
                        FILE *out, bool *same)
{
  if (is_timing(a, name)) return SAL_OK;
  if (H5Lexists(b->id, name, H5P_DEFAULT) <= 0) {
    fprintf(out, "%s: only in %s\n", name, a->path);
    *same = false;
    return SAL_OK;
  }
  data    x = {0}, y = {0};
  sal_err err = load(a, name, &x);
  if (err == SAL_OK) err = load(b, name, &y);
  if (err == SAL_OK && report(out, name, frame, &x, &y)) *same = false;
  drop(&x);
  drop(&y);
  return err;
}

static bool is_group(const sal_h5 *file, const char *name)
{
  SAL_HID object = H5Oopen(file->id, name, H5P_DEFAULT);

  return object >= 0 && H5Iget_type(object) == H5I_GROUP;
}

/* The name of member i of a group, "map/weights"; of the root group "" just its own. */
static sal_err member(const sal_h5 *file, const char *group, hsize_t i, char name[NAME])
{
  const int n = *group ? snprintf(name, NAME, "%s/", group) : 0;

  SAL_TRY_H5(file, H5Lget_name_by_idx(file->id, *group ? group : ".", H5_INDEX_NAME, H5_ITER_INC, i,
                                      name + n, (size_t)(NAME - n), H5P_DEFAULT));
  return SAL_OK;
}

static sal_err count_members(const sal_h5 *file, const char *group, hsize_t *n)
{
  H5G_info_t info;

  SAL_TRY_H5(file, H5Gget_info_by_name(file->id, *group ? group : ".", &info, H5P_DEFAULT));
  *n = info.nlinks;
  return SAL_OK;
}

/* Compares the datasets in a group of `a`; of what is only in `b` nothing but that is said. */
static sal_err diff_group(const sal_h5 *a, const sal_h5 *b, const sal_cube *frame,
                          const char *group, FILE *out, bool *same)
{
  char    name[NAME];
  hsize_t in_a, in_b;

  SAL_TRY(count_members(a, group, &in_a));
  SAL_TRY(count_members(b, group, &in_b));
  for (hsize_t i = 0; i < in_a; ++i) {
    SAL_TRY(member(a, group, i, name));
    if (!is_group(a, name)) SAL_TRY(diff_set(a, b, frame, name, out, same));
  }
  for (hsize_t i = 0; i < in_b; ++i) {
    SAL_TRY(member(b, group, i, name));
    if (H5Lexists(a->id, name, H5P_DEFAULT) > 0 || is_group(b, name) || is_timing(b, name))
      continue;
    fprintf(out, "%s: only in %s\n", name, b->path);
    *same = false;
  }
  return SAL_OK;
}

/* The root group, and the groups that both files have in it: a group, the map, is made from the
 * rest, and may be missing. */
static sal_err diff_groups(const sal_h5 *a, const sal_h5 *b, const sal_cube *frame, FILE *out,
                           bool *same)
{
  char    name[NAME];
  hsize_t n;

  SAL_TRY(diff_group(a, b, frame, "", out, same));
  SAL_TRY(count_members(a, "", &n));
  for (hsize_t i = 0; i < n; ++i) {
    SAL_TRY(member(a, "", i, name));
    if (is_group(a, name) && H5Lexists(b->id, name, H5P_DEFAULT) > 0)
      SAL_TRY(diff_group(a, b, frame, name, out, same));
  }
  return SAL_OK;
}

static sal_err diff_sets(const sal_h5 *a, const sal_h5 *b, FILE *out, bool *same)
{
  sal_cube frame = {0};

  sal_err err = sal_cube_open_frame(a, &frame);
  if (err == SAL_OK) err = diff_groups(a, b, &frame, out, same);
  sal_cube_free(&frame);
  return err;
}

sal_err sal_cube_diff(const char *path_a, const char *path_b, FILE *out, bool *same)
{
  sal_h5 a, b;

  *same = true;
  SAL_TRY(sal_cube_open(path_a, &a));
  sal_err err = sal_cube_open(path_b, &b);
  if (err == SAL_OK) err = diff_sets(&a, &b, out, same);
  const sal_err closed_b = sal_h5_close(&b);
  const sal_err closed_a = sal_h5_close(&a);
  if (err == SAL_OK) err = closed_b ? closed_b : closed_a;
  return err;
}
