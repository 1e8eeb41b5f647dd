/** The seal of a group: what it holds besides numbers, under a checksum. */
#include "group_seal.h"
#include "model_check.h"
#include <string.h>

enum { DIGITS = 16 };

static const char attribute_name[] = "seal";

/* A seal taken apart; names and sums lie in the text. */
typedef struct {
  const char *in; /* before names in messages */
  char *text;
  size_t length; /* of the lines before the last one */
  int n, room;   /* lines of attributes and objects, in that order */
  int n_attribute;
  char **name;
  char **digits;
  int n_label;
  char **label;
  sal_text *foreign; /* attributes of datasets that are not under the seal go there, if any */
} seal;

static void free_seal(seal *s)
{
  sal_free_all(s->text, s->name, s->digits, s->label);
  *s = (seal){0};
}

static void write_digits(char to[DIGITS], uint64_t sum)
{
  char text[DIGITS + 1];

  snprintf(text, sizeof text, "%016llx", (unsigned long long)sum);
  memcpy(to, text, DIGITS);
}

static bool same_digits(const char at[DIGITS], uint64_t sum)
{
  char text[DIGITS];

  write_digits(text, sum);
  return memcmp(at, text, DIGITS) == 0;
}

/* The words of the line "# NAME NAME .." */
static void take_labels(seal *s, char *line)
{
  char *rest = NULL;

  for (char *w = strtok_r(line, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
    s->label[s->n_label++] = w;
}

/* A line "@NAME SUM" or "/NAME SUM". */
static bool take_line(seal *s, char *line)
{
  const size_t n = strlen(line);

  if (n < DIGITS + 3 || line[n - DIGITS - 1] != ' ') return false;
  if (line[0] == '@' && s->n == s->n_attribute)
    ++s->n_attribute;
  else if (line[0] != '/')
    return false;
  line[n - DIGITS - 1] = '\0';
  s->name[s->n] = line + 1;
  s->digits[s->n++] = line + n - DIGITS;
  return true;
}

/* Cuts the text into lines; the last one, "= SUM", is beyond `length`. */
static bool take_lines(seal *s)
{
  char *rest = NULL;

  s->text[s->length - 1] = '\0';
  for (char *line = strtok_r(s->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    if (line[0] == '#')
      take_labels(s, line + 1);
    else if (!take_line(s, line))
      return false;
  }
  return true;
}

/* Is the text whole, and its last line the sum of those before?  valid: must it be? */
static bool is_whole(seal *s, bool valid)
{
  const size_t n = strlen(s->text);

  if (n < DIGITS + 3 || memcmp(s->text + n - DIGITS - 2, "= ", 2) != 0) return false;
  s->length = n - DIGITS - 2;
  return s->text[s->length - 1] == '\n' &&
         (!valid || same_digits(s->text + n - DIGITS, sal_canonical_bytes(s->text, s->length)));
}

static sal_err read_seal(const sal_h5 *group, const char *in, bool valid, seal *s)
{
  size_t words = 1;

  s->in = in;
  SAL_TRY(sal_h5_text_bytes(group, group->id, attribute_name, &s->text));
  for (const char *c = s->text; *c; ++c) words += *c == ' ' || *c == '\n';
  s->name = sal_alloc(words, sizeof *s->name);
  s->digits = sal_alloc(words, sizeof *s->digits);
  s->label = sal_alloc(words, sizeof *s->label);
  if (!s->name || !s->digits || !s->label) return sal_h5_full(group);
  if (is_whole(s, valid) && take_lines(s)) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: attribute '%sseal' is damaged: it is not what was written",
                  group->path, in);
}

static void add_lines(sal_text *text, char kind, int n, char *const name[])
{
  for (int i = 0; i < n; ++i)
    if (kind == '/' || strcmp(name[i], attribute_name) != 0)
      sal_text_add(text, "%c%s %0*d\n", kind, name[i], DIGITS, 0);
}

static bool is_listed(const sal_text *labels, const char *name)
{
  const size_t n = strlen(name);

  for (const char *at = labels->string; at && (at = strstr(at, name)); at += n)
    if (at[-1] == ' ' && (at[n] == ' ' || !at[n])) return true;
  return false;
}

/* The names of the attributes of datasets, each once. */
static sal_err add_labels(const sal_h5 *group, int n, char *const object[], sal_text *labels)
{
  sal_text_add(labels, "# _FillValue"); /* counts get theirs when their values are known */
  for (int i = 0; i < n; ++i) {
    bool soft;
    SAL_OWN_BY(sal_h5_text_free) char **name = NULL;
    int found;
    SAL_TRY(sal_link_is_soft(group, object[i], &soft));
    if (soft) continue;
    SAL_HID id = H5Oopen(group->id, object[i], H5P_DEFAULT);
    SAL_TRY_H5(group, id);
    if (H5Iget_type(id) != H5I_DATASET) continue;
    SAL_TRY(sal_link_attributes(group, id, &found, &name));
    for (int k = 0; k < found; ++k)
      if (!is_listed(labels, name[k])) sal_text_add(labels, " %s", name[k]);
  }
  return SAL_OK;
}

sal_err sal_group_seal_prepare(const sal_h5 *group)
{
  SAL_OWN_BY(sal_h5_text_free) char **attribute = NULL;
  SAL_OWN_BY(sal_h5_text_free) char **object = NULL;
  SAL_OWN_BY(sal_text_free) sal_text text = {0};
  SAL_OWN_BY(sal_text_free) sal_text labels = {0};
  int n_attribute = 0, n_object = 0;

  SAL_TRY(sal_link_attributes(group, group->id, &n_attribute, &attribute));
  SAL_TRY(sal_link_list(group, &n_object, &object));
  SAL_TRY(add_labels(group, n_object, object, &labels));
  add_lines(&text, '@', n_attribute, attribute);
  add_lines(&text, '/', n_object, object);
  sal_text_add(&text, "%s\n= %0*d", labels.string ? labels.string : "", DIGITS, 0);
  text.lost = text.lost || labels.lost;
  return sal_h5_text_put_words(group, group->id, attribute_name, &text);
}

/* Handles the sum of line i. */
typedef sal_err take_sum(const sal_h5 *group, seal *s, int i, uint64_t sum);

static sal_err each_object(const sal_h5 *group, seal *s, take_sum *take)
{
  SAL_OWN_BY(sal_canonical_close) sal_canonical_objects o = {0};
  uint64_t sum;

  SAL_TRY(sal_canonical_open(group, s->in, s->n - s->n_attribute, s->name + s->n_attribute, &o));
  o.foreign = s->foreign;
  for (int i = 0; i < o.n; ++i) {
    SAL_TRY(sal_canonical_object(&o, i, s->n_label, s->label, &sum));
    SAL_TRY(take(group, s, s->n_attribute + i, sum));
  }
  return SAL_OK;
}

static sal_err each_sum(const sal_h5 *group, seal *s, take_sum *take)
{
  uint64_t sum;
  bool there;

  for (int i = 0; i < s->n_attribute; ++i) {
    SAL_TRY(sal_h5_has_attribute(group, group->id, s->name[i], &there));
    if (!there)
      return sal_fail(SAL_ERR_IO, "%s: has no attribute '%s%s', which it was written with",
                      group->path, s->in, s->name[i]);
    SAL_TRY(sal_canonical_attribute(group, group->id, s->name[i], &sum));
    SAL_TRY(take(group, s, i, sum));
  }
  return each_object(group, s, take);
}

static sal_err keep_sum(const sal_h5 *group, seal *s, int i, uint64_t sum)
{
  (void)group;
  write_digits(s->digits[i], sum);
  return SAL_OK;
}

static sal_err compare_sum(const sal_h5 *group, seal *s, int i, uint64_t sum)
{
  if (same_digits(s->digits[i], sum)) return SAL_OK;
  if (i < s->n_attribute)
    return sal_fail(SAL_ERR_IO, "%s: attribute '%s%s' is damaged: it is not what was written",
                    group->path, s->in, s->name[i]);
  return sal_fail(SAL_ERR_IO,
                  "%s: dataset '%s%s' is damaged: its shape, type, texts or labels are not those "
                  "that it was written with",
                  group->path, s->in, s->name[i]);
}

/* Puts the text together again, which was cut into words by NULs. */
static sal_err write_seal(const sal_h5 *group, seal *s)
{
  SAL_OWN char *held = NULL;
  const size_t n = s->length + DIGITS + 2;

  SAL_TRY(sal_h5_text_bytes(group, group->id, attribute_name, &held));
  for (int i = 0; i < s->n; ++i) memcpy(held + (s->digits[i] - s->text), s->digits[i], DIGITS);
  write_digits(held + n - DIGITS, sal_canonical_bytes(held, s->length));
  return sal_h5_text_change(group, group->id, attribute_name, held);
}

sal_err sal_group_seal_put(const sal_h5 *group)
{
  SAL_OWN_BY(free_seal) seal s = {0};

  SAL_TRY(read_seal(group, "", false, &s));
  SAL_TRY(each_sum(group, &s, keep_sum));
  return write_seal(group, &s);
}

/* Attributes of the root group that readers use where it has them; in other groups each name may be one. */
static const char *const optional[] = {"given",        "machine",           "libraries",
                                       "model_engine", "pilots_validation", NULL};

static sal_err fail_foreign(const sal_h5 *group, const seal *s, const char *kind, const char *name)
{
  return sal_fail(SAL_ERR_IO, "%s: has %s '%s%s', which it was not written with", group->path, kind,
                  s->in, name);
}

/* Attributes that the seal does not list are a user's, unless readers use the name. */
static sal_err add_attributes(const sal_h5 *group, const seal *s)
{
  SAL_OWN_BY(sal_h5_text_free) char **name = NULL;
  int n;

  SAL_TRY(sal_link_attributes(group, group->id, &n, &name));
  for (int i = 0; i < n; ++i) {
    if (sal_canonical_lists(s->n_attribute, s->name, name[i]) ||
        strcmp(name[i], attribute_name) == 0)
      continue;
    if (*s->in || sal_text_rank(name[i], optional) >= 0)
      return fail_foreign(group, s, "an attribute", name[i]);
    sal_text_add(s->foreign, "@%s%s\n", s->in, name[i]);
  }
  return SAL_OK;
}

/* The same of objects, but for `groups`, which come and go. */
static sal_err add_objects(const sal_h5 *group, const seal *s, const char *const groups[])
{
  SAL_OWN_BY(sal_h5_text_free) char **name = NULL;
  int n;

  SAL_TRY(sal_link_list(group, &n, &name));
  for (int i = 0; i < n; ++i) {
    if (sal_canonical_lists(s->n - s->n_attribute, s->name + s->n_attribute, name[i]) ||
        sal_text_rank(name[i], groups) >= 0)
      continue;
    if (sal_cube_names_parameter(name[i])) return fail_foreign(group, s, "an object", name[i]);
    sal_text_add(s->foreign, "%s%s\n", s->in, name[i]);
  }
  return SAL_OK;
}

/* Counts first: a listing takes longer. */
static sal_err find_foreign(const sal_h5 *group, const seal *s, const char *const groups[])
{
  H5O_info_t about;
  H5G_info_t members;
  hsize_t due = (hsize_t)(s->n - s->n_attribute);
  bool there;

  SAL_TRY_H5(group, H5Oget_info2(group->id, &about, H5O_INFO_NUM_ATTRS));
  SAL_TRY_H5(group, H5Gget_info(group->id, &members));
  for (int i = 0; groups[i]; ++i) {
    SAL_TRY(sal_h5_has(group, groups[i], &there));
    due += there;
  }
  if (about.num_attrs != (hsize_t)s->n_attribute + 1) SAL_TRY(add_attributes(group, s));
  return members.nlinks == due ? SAL_OK : add_objects(group, s, groups);
}

sal_err sal_group_seal_verify(const sal_h5 *group, const char *in, const char *const groups[],
                              sal_text *foreign)
{
  SAL_OWN_BY(free_seal) seal s = {.foreign = foreign};
  bool there;

  SAL_TRY(sal_h5_has_attribute(group, group->id, attribute_name, &there));
  if (!there)
    return sal_fail(SAL_ERR_INPUT, "%s: has no attribute '%sseal', which a cube is written with",
                    group->path, in);
  SAL_TRY(read_seal(group, in, true, &s));
  SAL_TRY(each_sum(group, &s, compare_sum));
  return find_foreign(group, &s, groups);
}

sal_err sal_group_seal_objects(const sal_h5 *group, int *n, char ***name)
{
  SAL_OWN_BY(free_seal) seal s = {0};

  *n = 0;
  *name = NULL;
  SAL_TRY(read_seal(group, "", true, &s));
  SAL_TRY_ROOM(group, *name, s.n + 1);
  for (int i = s.n_attribute; i < s.n; ++i)
    if (!((*name)[(*n)++] = sal_text_copy(s.name[i]))) return sal_h5_full(group);
  return SAL_OK;
}
