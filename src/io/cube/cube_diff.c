/** @file src/io/cube/cube_diff.c
 *  Two cubes, bit by bit.
 *
 *  What is compared is what the files hold, dataset by dataset, so that cubes of any size and of
 *  programs with other metrics can be compared.
 */
#include "cube_diff.h"
#include "cube_layout.h"
#include "cube_open.h"
#include "cube_read.h"
#include "dataset.h"
#include "h5_text.h"
#include <math.h>
#include <string.h>

enum { NAME = 256 };

/* One of the two files. */
typedef struct {
  sal_h5 h5;
  int    layout;
} side;

/* A dataset, whole: numbers in their own type, or text. */
typedef struct {
  sal_dataset is;
  void       *number; /* [n] */
  char      **text;   /* [n] */
} data;

/* What a comparison finds. */
typedef struct {
  int64_t n, first; /* values that differ, and the first of them */
  double  largest;  /* difference of two numbers; NaN: none of two numbers */
} finding;

static void drop_data(data *d)
{
  sal_free(d->number);
  sal_h5_text_free(d->is.n, &d->text);
  sal_dataset_close(&d->is);
}

/* Reads a dataset whole; `name` is the present one. */
static sal_err load_data(const side *s, const char *name, data *d)
{
  SAL_TRY(sal_dataset_open(&s->h5, sal_cube_layout_name(s->layout, name), &d->is));
  if (d->is.type == SAL_DATATYPE_TEXT) return sal_dataset_read_texts(&s->h5, &d->is, &d->text);
  d->number = sal_alloc((size_t)d->is.n, sal_datatype_size(d->is.type));
  if (!d->number) return sal_h5_full(&s->h5);
  return sal_dataset_read(&s->h5, &d->is, d->number);
}

/* Value number i, a whole number or a real one. */
static int64_t whole_at(const data *d, int64_t i)
{
  return d->is.type == SAL_DATATYPE_FLAG ? ((const int8_t *)d->number)[i]
                                         : ((const int64_t *)d->number)[i];
}

static double real_at(const data *d, int64_t i)
{
  return d->is.type == SAL_DATATYPE_REAL ? ((const double *)d->number)[i] : (double)whole_at(d, i);
}

/* Bit by bit, but any NaN is like any other. */
static bool same_value(const data *a, const data *b, int64_t i)
{
  if (a->is.type == SAL_DATATYPE_TEXT) return strcmp(a->text[i], b->text[i]) == 0;
  if (a->is.type != SAL_DATATYPE_REAL) return whole_at(a, i) == whole_at(b, i);
  const double x = real_at(a, i), y = real_at(b, i);
  return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y));
}

static bool same_shape(const sal_dataset *a, const sal_dataset *b)
{
  return a->type == b->type && a->n_dim == b->n_dim &&
         memcmp(a->size, b->size, (size_t)a->n_dim * sizeof a->size[0]) == 0;
}

static finding compare_values(const data *a, const data *b)
{
  finding f = {.largest = NAN};

  for (int64_t i = 0; i < a->is.n; ++i) {
    if (same_value(a, b, i)) continue;
    if (f.n++ == 0) f.first = i;
    if (a->is.type != SAL_DATATYPE_TEXT)
      f.largest = fmax(f.largest, fabs(real_at(a, i) - real_at(b, i)));
  }
  return f;
}

static void print_value(FILE *out, const data *d, int64_t i)
{
  if (d->is.type == SAL_DATATYPE_REAL)
    fprintf(out, "%.17g", real_at(d, i));
  else if (d->is.type == SAL_DATATYPE_TEXT)
    fprintf(out, "'%s'", d->text[i]);
  else
    fprintf(out, "%lld", (long long)whole_at(d, i));
}

/* Where value number i is; `frame` names the contenders of a dataset of all four dimensions. */
static void print_place(FILE *out, const sal_cube *frame, const data *d, int64_t i)
{
  const int64_t inner = (int64_t)frame->n_strategy * frame->n_method;
  const int64_t cell  = i / (inner * frame->n_tolerance);

  if (d->is.n_dim != SAL_CUBE_DIM) {
    fprintf(out, "at number %lld", (long long)i + 1);
    return;
  }
  fprintf(out, "at cell %lld, tolerance %g, %s, %s", (long long)cell + 1,
          frame->tolerance[i / inner % frame->n_tolerance],
          frame->strategy[i / frame->n_method % frame->n_strategy],
          frame->method[i % frame->n_method]);
}

/* One line on a dataset that differs; true when it does. */
static bool report_dataset(FILE *out, const char *name, const sal_cube *frame, const data *a,
                           const data *b)
{
  if (!same_shape(&a->is, &b->is)) {
    fprintf(out, "%s: the files differ in its shape or type\n", name);
    return true;
  }
  const finding f = compare_values(a, b);
  if (f.n == 0) return false;
  fprintf(out, "%s: %lld of %lld values differ, first ", name, (long long)f.n, (long long)a->is.n);
  print_place(out, frame, a, f.first);
  fprintf(out, ": ");
  print_value(out, a, f.first);
  fprintf(out, " and ");
  print_value(out, b, f.first);
  if (!isnan(f.largest)) fprintf(out, "; largest difference %.3g", f.largest);
  fprintf(out, "\n");
  return true;
}

static sal_err has_dataset(const side *s, const char *name, bool *there)
{
  return sal_h5_has(&s->h5, sal_cube_layout_name(s->layout, name), there);
}

static bool is_group(const side *s, const char *name)
{
  SAL_HID object = H5Oopen(s->h5.id, sal_cube_layout_name(s->layout, name), H5P_DEFAULT);

  return object >= 0 && H5Iget_type(object) == H5I_GROUP;
}

/* Is this a dataset to be compared, and no metric that differs between any two runs? */
static sal_err is_compared(const side *s, const char *name, bool *does)
{
  char *kind = NULL;

  *does = !is_group(s, name);
  if (!*does) return SAL_OK;
  SAL_HID set = H5Dopen2(s->h5.id, sal_cube_layout_name(s->layout, name), H5P_DEFAULT);
  SAL_TRY_H5(&s->h5, set);
  bool labelled;
  SAL_TRY(sal_h5_has_attribute(&s->h5, set, "kind", &labelled));
  if (!labelled) return SAL_OK;
  SAL_TRY(sal_h5_text_get(&s->h5, set, "kind", &kind));
  *does = strcmp(kind, sal_datatype_kind_name(SAL_TIMING)) != 0;
  sal_free(kind);
  return SAL_OK;
}

static sal_err diff_set(const side *a, const side *b, const sal_cube *frame, const char *name,
                        FILE *out, bool *same)
{
  bool does, there;

  SAL_TRY(is_compared(a, name, &does));
  if (!does) return SAL_OK;
  SAL_TRY(has_dataset(b, name, &there));
  if (!there) {
    fprintf(out, "%s: only in %s\n", name, a->h5.path);
    *same = false;
    return SAL_OK;
  }
  data    x = {.is.set = -1}, y = {.is.set = -1};
  sal_err err = load_data(a, name, &x);
  if (err == SAL_OK) err = load_data(b, name, &y);
  if (err == SAL_OK && report_dataset(out, name, frame, &x, &y)) *same = false;
  drop_data(&x);
  drop_data(&y);
  return err;
}

/* The present name of member i of a group, "map/weights"; of the root group "" just its own. */
static sal_err name_member(const side *s, const char *group, hsize_t i, char name[NAME])
{
  const int n = *group ? snprintf(name, NAME, "%s/", group) : 0;

  SAL_TRY_H5(&s->h5, H5Lget_name_by_idx(s->h5.id, *group ? group : ".", H5_INDEX_NAME, H5_ITER_INC,
                                        i, name + n, (size_t)(NAME - n), H5P_DEFAULT));
  const char *now = sal_cube_layout_name_now(s->layout, name);
  if (now != name) snprintf(name, NAME, "%s", now);
  return SAL_OK;
}

static sal_err count_members(const side *s, const char *group, hsize_t *n)
{
  H5G_info_t info;

  SAL_TRY_H5(&s->h5, H5Gget_info_by_name(s->h5.id, *group ? group : ".", &info, H5P_DEFAULT));
  *n = info.nlinks;
  return SAL_OK;
}

/* Compares the datasets in a group of `a`; of what is only in `b` nothing but that is said. */
static sal_err diff_group(const side *a, const side *b, const sal_cube *frame, const char *group,
                          FILE *out, bool *same)
{
  char    name[NAME];
  hsize_t in_a, in_b;
  bool    there, does;

  SAL_TRY(count_members(a, group, &in_a));
  SAL_TRY(count_members(b, group, &in_b));
  for (hsize_t i = 0; i < in_a; ++i) {
    SAL_TRY(name_member(a, group, i, name));
    SAL_TRY(diff_set(a, b, frame, name, out, same));
  }
  for (hsize_t i = 0; i < in_b; ++i) {
    SAL_TRY(name_member(b, group, i, name));
    SAL_TRY(has_dataset(a, name, &there));
    SAL_TRY(is_compared(b, name, &does));
    if (there || !does) continue;
    fprintf(out, "%s: only in %s\n", name, b->h5.path);
    *same = false;
  }
  return SAL_OK;
}

/* The root group, and the groups that both files have in it: a group, the map, is made from the
 * rest, and may be missing. */
static sal_err diff_groups(const side *a, const side *b, const sal_cube *frame, FILE *out,
                           bool *same)
{
  char    name[NAME];
  hsize_t n;
  bool    there;

  SAL_TRY(diff_group(a, b, frame, "", out, same));
  SAL_TRY(count_members(a, "", &n));
  for (hsize_t i = 0; i < n; ++i) {
    SAL_TRY(name_member(a, "", i, name));
    SAL_TRY(has_dataset(b, name, &there));
    if (there && is_group(a, name)) SAL_TRY(diff_group(a, b, frame, name, out, same));
  }
  return SAL_OK;
}

static sal_err diff_sets(side *a, side *b, FILE *out, bool *same)
{
  sal_cube frame = {0};

  sal_err err = sal_cube_open_frame(&a->h5, &frame);
  if (err == SAL_OK) err = sal_cube_layout_read(&a->h5, &a->layout);
  if (err == SAL_OK) err = sal_cube_layout_read(&b->h5, &b->layout);
  if (err == SAL_OK) err = diff_groups(a, b, &frame, out, same);
  sal_cube_free(&frame);
  return err;
}

sal_err sal_cube_diff(const char *path_a, const char *path_b, FILE *out, bool *same)
{
  side a, b;

  *same = true;
  SAL_TRY(sal_cube_open(path_a, &a.h5));
  sal_err err = sal_cube_open(path_b, &b.h5);
  if (err == SAL_OK) err = diff_sets(&a, &b, out, same);
  const sal_err closed_b = sal_h5_close(&b.h5);
  const sal_err closed_a = sal_h5_close(&a.h5);
  if (err == SAL_OK) err = closed_b ? closed_b : closed_a;
  return err;
}
