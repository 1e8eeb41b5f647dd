/** Two cubes, bit by bit.
 *
 *  The contents of the files are compared, dataset by dataset, so that cubes of any size and of
 *  programs with other metrics can be compared.
 */
#include "base.h"
#include "cube_frame.h"
#include "cube_info.h"
#include "cube_open.h"
#include "cube_read.h"
#include "report.h"

enum { NAME = 256 };

/* A comparison under way: what is compared, and what is said of it. */
typedef struct {
  const sal_h5 *a, *b;
  const sal_cube *frame; /* of a */
  sal_report *report;
  bool same;
  sal_set_room room; /* for blocks */
} comparison;

static void print_value(sal_report *r, const char *name, sal_datatype type, const sal_set_value *v)
{
  if (sal_datatype_is_real(type)) {
    sal_json_number(&r->json, name, v->real);
    sal_report_say(r, "%.17g", v->real);
  } else if (type == SAL_DATATYPE_TEXT) {
    sal_json_text(&r->json, name, v->text);
    sal_report_say(r, "'%s'", v->text);
  } else {
    sal_json_whole(&r->json, name, v->whole);
    sal_report_say(r, "%lld", (long long)v->whole);
  }
}

/* Where value number i of a dataset of all four dimensions is. */
typedef struct {
  int64_t cell;
  int tolerance, strategy, method;
} place;

static place place_in_cube(const sal_cube *frame, int64_t i)
{
  const int64_t inner = (int64_t)frame->n_strategy * frame->n_method;

  return (place){i / (inner * frame->n_tolerance), (int)(i / inner % frame->n_tolerance),
                 (int)(i / frame->n_method % frame->n_strategy), (int)(i % frame->n_method)};
}

static void print_place(const comparison *c, const sal_dataset *d, int64_t i)
{
  const sal_cube *f = c->frame;
  sal_report *r = c->report;

  if (d->n_dim != SAL_CUBE_DIM) {
    sal_json_whole(&r->json, "number", i + 1);
    sal_report_say(r, "at number %lld", (long long)i + 1);
    return;
  }
  const place at = place_in_cube(f, i);
  sal_json_whole(&r->json, "cell", at.cell + 1);
  sal_json_number(&r->json, "rtol", f->tolerance[at.tolerance]);
  sal_json_text(&r->json, "strategy", f->strategy[at.strategy]);
  sal_json_text(&r->json, "solver", f->method[at.method]);
  sal_report_say(r, "at cell %lld, rtol %g, %s, %s", (long long)at.cell + 1,
                 f->tolerance[at.tolerance], f->strategy[at.strategy], f->method[at.method]);
}

/* The first value that differs, in both files. */
static void print_first(const comparison *c, const sal_dataset *d, const sal_set_finding *found)
{
  sal_report *r = c->report;

  sal_json_object(&r->json, "first");
  print_place(c, d, found->first);
  sal_report_say(r, ": ");
  print_value(r, "a", d->type, &found->value[0]);
  sal_report_say(r, " and ");
  print_value(r, "b", d->type, &found->value[1]);
  sal_json_end(&r->json);
}

/* A dataset that differs as a whole, and how. */
static void print_reason(comparison *c, const char *name, const char *reason, const char *path)
{
  sal_report *r = c->report;

  c->same = false;
  sal_json_object(&r->json, NULL);
  sal_json_text(&r->json, "name", name);
  sal_json_text(&r->json, "reason", reason);
  if (*path) sal_json_text(&r->json, "path", path);
  sal_json_end(&r->json);
  sal_report_say(r, "%s: %s%s%s\n", name, reason, *path ? " " : "", path);
}

/* The values of a dataset, where they differ. */
static void print_values(comparison *c, const sal_dataset *d, const char *name,
                         const sal_set_finding *found)
{
  sal_report *r = c->report;

  if (found->n == 0) return;
  c->same = false;
  sal_json_object(&r->json, NULL);
  sal_json_text(&r->json, "name", name);
  sal_json_whole(&r->json, "differ", found->n);
  sal_json_whole(&r->json, "values", d->n);
  sal_json_number(&r->json, "largest", found->largest);
  sal_report_say(r, "%s: %lld of %lld values differ, first ", name, (long long)found->n,
                 (long long)d->n);
  print_first(c, d, found);
  if (!isnan(found->largest)) sal_report_say(r, "; largest difference %.3g", found->largest);
  sal_report_say(r, "\n");
  sal_json_end(&r->json);
}

static sal_err has_dataset(const sal_h5 *file, const char *name, bool *there)
{
  static const char axes[] = SAL_AXES_GROUP "/";

  *there = true;
  if (strncmp(name, axes, strlen(axes)) == 0) SAL_TRY(sal_h5_has(file, SAL_AXES_GROUP, there));
  return *there ? sal_h5_has(file, name, there) : SAL_OK;
}

static sal_err is_group(const sal_h5 *file, const char *name, bool *group)
{
  SAL_TRY(sal_link_check(file, name));
  SAL_HID object = H5Oopen(file->id, name, H5P_DEFAULT);
  SAL_TRY_H5(file, object);
  *group = H5Iget_type(object) == H5I_GROUP;
  return SAL_OK;
}

/* Is this a dataset to be compared, and no metric that differs between any two runs, nor sums of such,
 * nor words about solvers and strategies? */
static sal_err is_compared(const sal_h5 *file, const char *name, bool *does)
{
  SAL_OWN char *kind = NULL;
  bool labelled, group;

  SAL_TRY(is_group(file, name, &group));
  *does = !group;
  if (group) return SAL_OK;
  SAL_HID set = H5Dopen2(file->id, name, H5P_DEFAULT);
  SAL_TRY_H5(file, set);
  if (sal_dimension_is_bare(set)) {
    *does = false;
    return SAL_OK;
  }
  SAL_TRY(sal_h5_has_attribute(file, set, "kind", &labelled));
  if (!labelled) return SAL_OK;
  SAL_TRY(sal_h5_text_get(file, set, "kind", &kind));
  *does = strcmp(kind, sal_datatype_kind_name(SAL_TIMING)) != 0 &&
          strcmp(kind, SAL_CHECKSUM_KIND) != 0 && strcmp(kind, SAL_CUBE_CREATE_ABOUT) != 0;
  return SAL_OK;
}

/* A dataset that both have, open in both. */
static sal_err diff_open(comparison *c, const char *name, const sal_dataset *a,
                         const sal_dataset *b)
{
  SAL_OWN_BY(sal_set_compare_free) sal_set_finding found = {0};

  if (!sal_set_compare_shape(a, b)) {
    print_reason(c, name, "the files differ in its shape or type", "");
    return SAL_OK;
  }
  SAL_TRY(sal_set_compare(c->a, a, c->b, b, &c->room, &found));
  print_values(c, a, name, &found);
  return SAL_OK;
}

static sal_err diff_set(comparison *c, const char *name)
{
  bool does, there;
  SAL_DATASET(a);
  SAL_DATASET(b);

  SAL_TRY(is_compared(c->a, name, &does));
  if (!does) return SAL_OK;
  SAL_TRY(has_dataset(c->b, name, &there));
  if (!there) {
    print_reason(c, name, "only in", c->a->path);
    return SAL_OK;
  }
  SAL_TRY(sal_dataset_open(c->a, name, &a));
  SAL_TRY(sal_dataset_open(c->b, name, &b));
  return diff_open(c, name, &a, &b);
}

/* Names of the members of a group, "map/weights"; of the root group "" just their own, of a group that is not
 * there none. */
static sal_err name_members(const sal_h5 *file, const char *group, int *n, char ***member)
{
  bool there = true;

  *n = 0;
  if (*group) SAL_TRY(sal_h5_has(file, group, &there));
  if (!there) return SAL_OK;
  SAL_TRY(sal_cube_verify_objects(file, group, n, member));
  for (int i = 0; *group && i < *n; ++i) {
    char name[NAME];
    snprintf(name, sizeof name, "%s/%s", group, (*member)[i]);
    sal_free((*member)[i]);
    if (!((*member)[i] = sal_text_copy(name))) return sal_h5_full(file);
  }
  return SAL_OK;
}

static sal_err diff_only_in_b(comparison *c, const char *name)
{
  bool there, does;

  SAL_TRY(has_dataset(c->a, name, &there));
  SAL_TRY(is_compared(c->b, name, &does));
  if (!there && does) print_reason(c, name, "only in", c->b->path);
  return SAL_OK;
}

/* Compares the datasets in a group of `a`; of what is only in `b` nothing but that is said. */
static sal_err diff_group(comparison *c, const char *group)
{
  SAL_OWN_BY(sal_h5_text_free) char **a = NULL;
  SAL_OWN_BY(sal_h5_text_free) char **b = NULL;
  int n_a, n_b;

  SAL_TRY(name_members(c->a, group, &n_a, &a));
  SAL_TRY(name_members(c->b, group, &n_b, &b));
  for (int i = 0; i < n_a; ++i) SAL_TRY(diff_set(c, a[i]));
  for (int i = 0; i < n_b; ++i) SAL_TRY(diff_only_in_b(c, b[i]));
  return SAL_OK;
}

/* The root group, or another one that both files have: all but the axes may be missing, since they are made from
 * the rest. */
static sal_err diff_common(comparison *c, const char *group)
{
  bool in_a = true, in_b = true;

  if (*group && strcmp(group, SAL_AXES_GROUP) != 0) {
    SAL_TRY(sal_h5_has(c->a, group, &in_a));
    SAL_TRY(sal_h5_has(c->b, group, &in_b));
  }
  return in_a && in_b ? diff_group(c, group) : SAL_OK;
}

/* The root group, and the groups in it. */
static sal_err diff_groups(comparison *c)
{
  for (int i = 0; i < SAL_CUBE_GROUPS; ++i) SAL_TRY(diff_common(c, sal_cube_verify_groups[i]));
  return SAL_OK;
}

/* Values are compared only when both have the same dimensions. */
static sal_err diff_values(comparison *c, const char *sweeps)
{
  sal_err err = SAL_OK;

  sal_json_text(&c->report->json, "sweeps", sweeps);
  sal_json_array(&c->report->json, "differences");
  if (sweeps) {
    c->same = false;
    sal_report_say(c->report, "other sweeps: %s\n", sweeps);
  } else {
    err = diff_groups(c);
  }
  sal_json_end(&c->report->json);
  sal_json_bool(&c->report->json, "same", c->same);
  return err;
}

static sal_err diff_files(const sal_h5 *a, const sal_h5 *b, bool json, FILE *out, bool *same)
{
  SAL_OWN_BY(sal_cube_free) sal_cube frame_a = {0};
  SAL_OWN_BY(sal_cube_free) sal_cube frame_b = {0};
  SAL_OWN_BY(sal_text_free) sal_text sweeps = {0};
  sal_report report;
  comparison c = {a, b, &frame_a, &report, true, {0}};

  SAL_TRY(sal_cube_open_frame(a, &frame_a));
  SAL_TRY(sal_cube_open_frame(b, &frame_b));
  sal_cube_sweeps_differ(&frame_a, &frame_b, &sweeps);
  report = sal_report_begin(out, json);
  const sal_err err = diff_values(&c, sweeps.string);
  if (err == SAL_OK) sal_report_end(&report);
  sal_set_compare_free_room(&c.room);
  *same = c.same;
  return err;
}

sal_err sal_cube_diff(const char *path_a, const char *path_b, bool json, FILE *out, bool *same)
{
  sal_h5 a = {0}, b = {0};

  *same = true;
  SAL_TRY(sal_cube_open(path_a, &a));
  sal_err err = sal_cube_open(path_b, &b);
  if (err == SAL_OK) err = diff_files(&a, &b, json, out, same);
  err = sal_h5_close(&b, err);
  return sal_h5_close(&a, err);
}
