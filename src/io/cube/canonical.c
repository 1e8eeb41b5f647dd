/** Sums of what a group holds besides numbers, however HDF5 keeps it.
 *
 *  Each thing is preceded by a letter and its length, so that no two groups give the same bytes.
 */
#include "base.h"
#include "dataset.h"
#include "group_seal.h"
#define XXH_INLINE_ALL /* thousands of short words */
#include <xxhash.h>

enum { MOST_BYTES = 1 << 28 }; /* of an attribute */

static const char reference_list[] = "REFERENCE_LIST";

uint64_t sal_canonical_bytes(const void *bytes, size_t n) { return XXH3_64bits(bytes, n); }

bool sal_canonical_lists(int n, char *const list[], const char *name)
{
  for (int i = 0; i < n; ++i)
    if (strcmp(list[i], name) == 0) return true;
  return false;
}

static void put_number(XXH3_state_t *s, uint64_t number)
{
  unsigned char byte[8];

  for (int i = 0; i < 8; ++i, number >>= 8) byte[i] = (unsigned char)number;
  XXH3_64bits_update(s, byte, sizeof byte);
}

static void put_head(XXH3_state_t *s, char letter, uint64_t length)
{
  XXH3_64bits_update(s, &letter, 1);
  put_number(s, length);
}

static void put_word(XXH3_state_t *s, char letter, const char *word)
{
  put_head(s, letter, strlen(word));
  XXH3_64bits_update(s, word, strlen(word));
}

/* Canonical type of the numbers of type `held`; 0: it holds no numbers. */
static hid_t number_type(hid_t held)
{
  const H5T_class_t class = H5Tget_class(held);

  if (class == H5T_FLOAT) return H5T_NATIVE_DOUBLE;
  if (class != H5T_INTEGER) return 0;
  return H5Tget_sign(held) == H5T_SGN_NONE ? H5T_NATIVE_UINT64 : H5T_NATIVE_INT64;
}

static void put_values(XXH3_state_t *s, bool real, size_t n, const uint64_t value[])
{
  static const uint64_t not_a_number = UINT64_C(0x7ff8) << 48;

  put_head(s, real ? 'r' : 'w', n);
  for (size_t i = 0; i < n; ++i) {
    double number;
    memcpy(&number, &value[i], sizeof number);
    put_number(s, real && number != number ? not_a_number : value[i]);
  }
}

static sal_err put_numbers(const sal_h5 *file, hid_t attribute, hid_t type, XXH3_state_t *s)
{
  SAL_HID space = H5Aget_space(attribute);
  const hssize_t n = H5Sget_simple_extent_npoints(space);
  SAL_OWN uint64_t *value = NULL;

  SAL_TRY_H5(file, n);
  if (n > MOST_BYTES / (hssize_t)sizeof *value)
    return sal_fail(SAL_ERR_INPUT, "%s: an attribute is too long", file->path);
  SAL_TRY_ROOM(file, value, n + 1);
  if (n > 0) SAL_TRY_H5(file, H5Aread(attribute, type, value));
  put_values(s, type == H5T_NATIVE_DOUBLE, (size_t)n, value);
  return SAL_OK;
}

/* References are not read here: those of DIMENSION_LIST lie in a heap without a checksum, and
 * REFERENCE_LIST holds the same in the other direction. */
static sal_err put_attribute(const sal_h5 *file, hid_t at, const char *name, XXH3_state_t *s)
{
  SAL_OWN char *text = NULL;
  SAL_HID attribute = H5Aopen(at, name, H5P_DEFAULT);
  SAL_TRY_H5(file, attribute);
  SAL_HID type = H5Aget_type(attribute);
  SAL_TRY_H5(file, type);
  const H5T_class_t class = H5Tget_class(type);
  const hid_t number = number_type(type);

  put_word(s, '@', name);
  if (number) return put_numbers(file, attribute, number, s);
  if (class == H5T_VLEN || (class == H5T_COMPOUND && strcmp(name, reference_list) == 0))
    return SAL_OK;
  if (class != H5T_STRING)
    return sal_fail(SAL_ERR_INPUT, "%s: attribute '%s' is neither numbers nor text", file->path,
                    name);
  SAL_TRY(sal_h5_text_bytes(file, at, name, &text));
  put_word(s, 't', text);
  return SAL_OK;
}

sal_err sal_canonical_attribute(const sal_h5 *file, hid_t at, const char *name, uint64_t *sum)
{
  XXH3_state_t s;

  XXH3_64bits_reset(&s);
  SAL_TRY(put_attribute(file, at, name, &s));
  *sum = XXH3_64bits_digest(&s);
  return SAL_OK;
}

/* Adds the attributes of a dataset that a user added. */
static sal_err add_foreign(const sal_canonical_objects *o, int k, int n, char *const label[])
{
  SAL_OWN_BY(sal_h5_text_free) char **name = NULL;
  int found;

  SAL_TRY(sal_link_attributes(o->group, o->object[k], &found, &name));
  for (int i = 0; i < found; ++i)
    if (!sal_canonical_lists(n, label, name[i]))
      sal_text_add(o->foreign, "@%s%s:%s\n", o->in, o->name[k], name[i]);
  return SAL_OK;
}

/* The attributes of a dataset.  The checksum of texts is of the bytes that hold them, and they are
 * under the sum themselves. */
static sal_err put_labels(const sal_canonical_objects *o, int k, bool texts, int n,
                          char *const name[], XXH3_state_t *s)
{
  const sal_h5 *file = o->group;
  const hid_t set = o->object[k];
  H5O_info_t about;
  hsize_t found = 0;
  bool there;

  for (int i = 0; i < n; ++i) {
    SAL_TRY(sal_h5_has_attribute(file, set, name[i], &there));
    found += there;
    if (there && !(texts && strcmp(name[i], "checksum") == 0))
      SAL_TRY(put_attribute(file, set, name[i], s));
  }
  SAL_TRY_H5(file, H5Oget_info2(set, &about, H5O_INFO_NUM_ATTRS));
  return about.num_attrs == found || !o->foreign ? SAL_OK : add_foreign(o, k, n, name);
}

/* An element of REFERENCE_LIST (HDF5 Dimension Scale Specification, 4.2.2). */
typedef struct {
  hobj_ref_t dataset;
  int dimension;
} attachment;

typedef struct {
  const char *name;
  int dimension;
} user;

static int by_user(const void *a, const void *b)
{
  const user *x = a, *y = b;
  const int c = strcmp(x->name, y->name);

  return c ? c : (x->dimension > y->dimension) - (x->dimension < y->dimension);
}

static sal_err read_attachments(const sal_h5 *file, hid_t set, int *n, attachment **list)
{
  SAL_HID attribute = H5Aopen(set, reference_list, H5P_DEFAULT);
  SAL_TRY_H5(file, attribute);
  SAL_HID space = H5Aget_space(attribute);
  const hssize_t found = H5Sget_simple_extent_npoints(space);
  SAL_HID type = H5Tcreate(H5T_COMPOUND, sizeof **list);

  SAL_TRY_H5(file, found);
  if (found > MOST_BYTES / (hssize_t)sizeof **list)
    return sal_fail(SAL_ERR_INPUT, "%s: a scale is attached too often", file->path);
  SAL_TRY_H5(file, H5Tinsert(type, "dataset", HOFFSET(attachment, dataset), H5T_STD_REF_OBJ));
  SAL_TRY_H5(file, H5Tinsert(type, "dimension", HOFFSET(attachment, dimension), H5T_NATIVE_INT));
  SAL_TRY_ROOM(file, *list, found + 1);
  *n = (int)found;
  SAL_TRY_H5(file, H5Aread(attribute, type, *list));
  return SAL_OK;
}

/* The object at an address; NULL: it is none of them. */
static const char *name_at(const sal_canonical_objects *o, haddr_t address)
{
  for (int i = 0; i < o->n; ++i)
    if (o->object[i] >= 0 && o->address[i] == address) return o->name[i];
  return NULL;
}

/* Does the reference lead to a dataset of this group that is not under the seal?  Other groups have scales of the root group, too. */
static bool is_foreign(const sal_canonical_objects *o, const attachment *a)
{
  char group[SAL_LINK_NAME] = "", set[2 * SAL_LINK_NAME] = "";
  const ssize_t n = H5Iget_name(o->group->id, group, sizeof group);

  if (n <= 0 || H5Rget_name(o->group->id, H5R_OBJECT, &a->dataset, set, sizeof set) <= 0)
    return false;
  const size_t length = n == 1 ? 0 : (size_t)n; /* "/" of the root group */
  return strncmp(set, group, length) == 0 && set[length] == '/' && !strchr(set + length + 1, '/');
}

static sal_err put_users(const sal_canonical_objects *o, int n, const attachment list[],
                         XXH3_state_t *s)
{
  SAL_OWN user *users = NULL;
  int n_user = 0;

  SAL_TRY_ROOM(o->group, users, n + 1);
  for (int i = 0; i < n; ++i) {
    const char *name = name_at(o, list[i].dataset);
    if (name || !is_foreign(o, &list[i]))
      users[n_user++] = (user){name ? name : "", list[i].dimension};
  }
  qsort(users, (size_t)n_user, sizeof *users, by_user);
  put_head(s, 'u', (uint64_t)n_user);
  for (int i = 0; i < n_user; ++i) {
    put_word(s, 'n', users[i].name);
    put_number(s, (uint64_t)users[i].dimension);
  }
  return SAL_OK;
}

static sal_err put_attachments(const sal_canonical_objects *o, int i, XXH3_state_t *s)
{
  SAL_OWN attachment *list = NULL;
  int n = 0;
  bool there;

  SAL_TRY(sal_h5_has_attribute(o->group, o->object[i], reference_list, &there));
  if (!there) return SAL_OK;
  SAL_TRY(read_attachments(o->group, o->object[i], &n, &list));
  return put_users(o, n, list, s);
}

static sal_err put_texts(const sal_h5 *file, hid_t set, int64_t n, XXH3_state_t *s)
{
  SAL_OWN_BY(sal_h5_text_free) char **text = NULL;

  SAL_TRY(sal_h5_text_read(file, set, n, &text));
  for (int64_t i = 0; i < n; ++i) put_word(s, 't', text[i]);
  return SAL_OK;
}

/* Shape and type; *n: values. */
static sal_err put_form(const sal_h5 *file, hid_t set, bool *texts, int64_t *n, XXH3_state_t *s)
{
  hsize_t size[H5S_MAX_RANK] = {0};
  SAL_HID type = H5Dget_type(set);
  SAL_TRY_H5(file, type);
  SAL_HID space = H5Dget_space(set);
  SAL_TRY_H5(file, space);
  const H5T_class_t class = H5Tget_class(type);
  const int n_dim = H5Sget_simple_extent_dims(space, size, NULL);
  SAL_TRY_H5(file, n_dim);

  const size_t length = sal_h5_text_length(set); /* characters, along the last dimension */
  *texts = class == H5T_STRING || length > 0;
  *n = H5Sget_simple_extent_npoints(space) / (int64_t)(length ? length : 1);
  put_head(s, 'd', (uint64_t)n_dim);
  for (int i = 0; i < n_dim; ++i) put_number(s, size[i]);
  put_number(s, (uint64_t) class);
  if (*texts) return SAL_OK;
  put_number(s, H5Tget_size(type));
  put_number(s, class == H5T_INTEGER ? (uint64_t)H5Tget_sign(type) : 0);
  return SAL_OK;
}

static sal_err put_set(const sal_canonical_objects *o, int i, int n_label, char *const label[],
                       XXH3_state_t *s)
{
  const hid_t set = o->object[i];
  bool texts;
  int64_t n;

  SAL_TRY(sal_dataset_check_kept(o->group, o->name[i], set));
  SAL_TRY(put_form(o->group, set, &texts, &n, s));
  SAL_TRY(put_attachments(o, i, s));
  SAL_TRY(put_labels(o, i, texts, n_label, label, s));
  return texts ? put_texts(o->group, set, n, s) : SAL_OK;
}

sal_err sal_canonical_object(const sal_canonical_objects *o, int i, int n_label,
                             char *const label[], uint64_t *sum)
{
  XXH3_state_t s;
  sal_err err = SAL_OK;

  XXH3_64bits_reset(&s);
  put_word(&s, '/', o->name[i]);
  if (o->object[i] < 0)
    put_word(&s, 'l', o->name[i]); /* sal_link_check allows no other target */
  else if (H5Iget_type(o->object[i]) == H5I_GROUP)
    put_head(&s, 'g', 0);
  else
    err = put_set(o, i, n_label, label, &s);
  *sum = XXH3_64bits_digest(&s);
  return err;
}

static sal_err open_object(const sal_canonical_objects *o, int i)
{
  const sal_h5 *group = o->group;
  H5O_info_t about;
  bool there, soft;

  SAL_TRY(sal_h5_has(group, o->name[i], &there));
  if (!there)
    return sal_fail(SAL_ERR_IO, "%s: has no '%s%s', which it was written with", group->path, o->in,
                    o->name[i]);
  SAL_TRY(sal_link_check(group, o->name[i]));
  SAL_TRY(sal_link_is_soft(group, o->name[i], &soft));
  if (soft) return SAL_OK;
  SAL_TRY_H5(group, o->object[i] = H5Oopen(group->id, o->name[i], H5P_DEFAULT));
  const H5I_type_t kind = H5Iget_type(o->object[i]);
  if (kind != H5I_DATASET && kind != H5I_GROUP)
    return sal_fail(SAL_ERR_INPUT, "%s: '%s%s' is neither a dataset nor a group", group->path,
                    o->in, o->name[i]);
  SAL_TRY_H5(group, H5Oget_info2(o->object[i], &about, H5O_INFO_BASIC));
  o->address[i] = about.addr;
  return SAL_OK;
}

sal_err sal_canonical_open(const sal_h5 *group, const char *in, int n, char *const name[],
                           sal_canonical_objects *o)
{
  *o = (sal_canonical_objects){.group = group, .in = in, .name = name};
  SAL_TRY_ROOM(group, o->object, n + 1);
  SAL_TRY_ROOM(group, o->address, n + 1);
  for (int i = 0; i < n; ++i) {
    o->object[o->n++] = -1;
    SAL_TRY(open_object(o, i));
  }
  return SAL_OK;
}

void sal_canonical_close(sal_canonical_objects *o)
{
  for (int i = 0; i < o->n; ++i) sal_h5_drop(&o->object[i]);
  sal_free_all(o->object, o->address);
  *o = (sal_canonical_objects){0};
}
