/** Text in HDF5. */
#include "h5.h"
#include <string.h>

enum { MAX_TEXT = 1 << 28 }; /* bytes of a string that is read: no sweep comes near */

/* A new type of UTF-8 text of up to `length` bytes. */
static hid_t padded_type(size_t length)
{
  const hid_t type = H5Tcopy(H5T_C_S1);

  H5Tset_size(type, length ? length + 1 : 2); /* h5netcdf takes a single byte for no text */
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

hid_t sal_h5_text_character(void)
{
  const hid_t type = H5Tcopy(H5T_C_S1);

  H5Tset_size(type, 1);
  return type;
}

size_t sal_h5_text_longest(int64_t n, const char *const text[])
{
  size_t longest = 1;

  for (int64_t i = 0; i < n; ++i)
    if (strlen(text[i]) > longest) longest = strlen(text[i]);
  return longest;
}

size_t sal_h5_text_length(hid_t set)
{
  hsize_t size[H5S_MAX_RANK];
  SAL_HID type = H5Dget_type(set), space = H5Dget_space(set);

  if (type < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
      H5Tget_size(type) != 1)
    return 0;
  const int n_dim = H5Sget_simple_extent_dims(space, size, NULL);
  return n_dim == 2 ? size[1] : 0;
}

char *sal_h5_text_pad(int64_t n, const char *const text[], size_t length)
{
  char *padded = sal_alloc((size_t)n + 1, length);

  for (int64_t i = 0; padded && i < n; ++i)
    memcpy(padded + (size_t)i * length, text[i], strlen(text[i]));
  return padded;
}

sal_err sal_h5_text_put(const sal_h5 *file, hid_t at, const char *name, const char *text)
{
  SAL_HID type = padded_type(strlen(text));

  return sal_h5_put(file, at, name, type, 0, *text ? text : "\0");
}

sal_err sal_h5_text_put_words(const sal_h5 *file, hid_t at, const char *name, sal_text *words)
{
  SAL_OWN_BY(sal_text_free) sal_text taken = *words;

  *words = (sal_text){0};
  return taken.lost ? sal_h5_full(file)
                    : sal_h5_text_put(file, at, name, taken.string ? taken.string : "");
}

sal_err sal_h5_text_change(const sal_h5 *file, hid_t at, const char *name, const char *text)
{
  SAL_HID attribute = H5Aopen(at, name, H5P_DEFAULT);
  SAL_TRY_H5(file, attribute);
  SAL_HID type = padded_type(strlen(text));

  SAL_TRY_H5(file, H5Awrite(attribute, type, text));
  return SAL_OK;
}

/* Reads an attribute of a string of one length. */
static sal_err get_padded(const sal_h5 *file, hid_t attribute, hid_t type, char **text)
{
  const size_t size = H5Tget_size(type);
  SAL_OWN char *held = NULL;

  if (size > MAX_TEXT) return sal_fail(SAL_ERR_INPUT, "%s: a text is too long", file->path);
  SAL_TRY_ROOM(file, held, size + 1);
  SAL_TRY_H5(file, H5Aread(attribute, type, held));
  *text = held;
  held = NULL;
  return SAL_OK;
}

sal_err sal_h5_text_get(const sal_h5 *file, hid_t at, const char *name, char **text)
{
  SAL_TRY(sal_h5_text_bytes(file, at, name, text));
  sal_text_plain(*text);
  return SAL_OK;
}

sal_err sal_h5_text_lines(const sal_h5 *file, hid_t at, const char *name, char **text)
{
  SAL_TRY(sal_h5_text_bytes(file, at, name, text));
  sal_text_clean(*text);
  return SAL_OK;
}

sal_err sal_h5_text_bytes(const sal_h5 *file, hid_t at, const char *name, char **text)
{
  SAL_HID attribute = -1;

  *text = NULL;
  SAL_TRY(sal_h5_open_scalar(file, at, name, &attribute));
  SAL_HID type = H5Aget_type(attribute);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
    return sal_fail(SAL_ERR_INPUT, "%s: attribute '%s' is not a text of fixed length", file->path,
                    name);
  return get_padded(file, attribute, type, text);
}

/* n texts of `size` bytes each, be they strings or rows of characters. */
static sal_err read_padded(const sal_h5 *file, hid_t set, hid_t type, size_t size, int64_t n,
                           char **text)
{
  SAL_OWN char *held = NULL;

  if ((double)size * (double)n > MAX_TEXT)
    return sal_fail(SAL_ERR_INPUT, "%s: a dataset of texts is too long", file->path);
  SAL_TRY_ROOM(file, held, (size_t)n * size + 1);
  SAL_TRY_H5(file, H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, held));
  for (int64_t i = 0; i < n; ++i) {
    SAL_TRY_ROOM(file, text[i], size + 1);
    memcpy(text[i], held + (size_t)i * size, size);
  }
  return SAL_OK;
}

sal_err sal_h5_text_read(const sal_h5 *file, hid_t set, int64_t n, char ***text)
{
  const size_t length = sal_h5_text_length(set);
  SAL_HID type = H5Dget_type(set);

  SAL_TRY_ROOM(file, *text, n + 1);
  if (H5Tis_variable_str(type) != 0)
    return sal_fail(SAL_ERR_INPUT, "%s: a dataset of texts has strings of variable length",
                    file->path);
  return read_padded(file, set, type, length ? length : H5Tget_size(type), n, *text);
}

void sal_h5_text_free(char ***text)
{
  for (char **t = *text; t && *t; ++t) sal_free(*t);
  sal_free(*text);
  *text = NULL;
}
