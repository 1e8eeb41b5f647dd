/** HDF5 with failures of ours. */
#include "h5.h"
#include "atomic_file.h"
#include "base.h"

/* HDF5 itself has no such words. */
static const char no_memory[] = "a driver is out of memory";

/* Why a close has failed whose status is not looked at; "": none has. */
static _Thread_local char unclosed[512];

/* Keeps the description of the innermost entry, which is number 0 of an upward walk. */
static herr_t keep_innermost(unsigned depth, const H5E_error2_t *entry, void *text)
{
  if (depth == 0 && entry->desc) snprintf(text, 512, "%s", entry->desc);
  return 0;
}

sal_err sal_h5_full(const sal_h5 *file)
{
  return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", file->path);
}

static void find_reason(char text[512])
{
  snprintf(text, 512, "HDF5 gives no reason");
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, text);
}

void sal_h5_drop(const hid_t *id)
{
  if (*id >= 0 && H5Idec_ref(*id) < 0) find_reason(unclosed);
}

/* After the last use of a file: has an object of it kept what it was to write? */
static sal_err check_dropped(const sal_h5 *file)
{
  char text[512];

  if (!unclosed[0]) return SAL_OK;
  snprintf(text, sizeof text, "%s", unclosed);
  unclosed[0] = '\0';
  sal_err_set_abort(); /* HDF5 would close it once more at the end of the program, and crash */
  if (strcmp(text, no_memory) == 0) return sal_h5_full(file);
  return sal_fail(SAL_ERR_IO, "%s: %s", file->path, text);
}

/* Messages about the file in place of HDF5's about its internals. */
static const char opened[] = "another program has it open for writing; close it there, or copy it",
                  damaged[] = "the file is damaged, or has been cut";
static const struct {
  const char *theirs, *ours;
} words[] = {{"lock request failed", opened}, {"unable to lock file", opened},
             {"bad byte number", damaged},    {"truncated file", damaged},
             {"superblock version", damaged}, {"metadata checksum", damaged}};

sal_err sal_h5_fail(const sal_h5 *file)
{
  char text[512];

  find_reason(text);
  if (strcmp(text, no_memory) == 0) return sal_h5_full(file);
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (strstr(text, words[i].theirs))
      return sal_fail(SAL_ERR_IO, "%s: %s (HDF5: %s)", file->path, words[i].ours, text);
  return sal_fail(SAL_ERR_IO, "%s: %s", file->path, text);
}

void sal_h5_push_full(void)
{
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_RESOURCE, H5E_NOSPACE,
           no_memory);
}

void sal_h5_quiet(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

hid_t sal_h5_access(void)
{
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);

  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  return access;
}

sal_err sal_h5_create(const char *path, sal_h5 *file)
{
  /* HDF5 first reads all of an old file of that name into memory, so it gets a name that can be
   * none: nothing lies below a file. */
  static const char nowhere[] = "/dev/null/saltus.h5";

  *file = (sal_h5){.id = -1, .path = path};
  SAL_HID access = sal_h5_access();
  SAL_TRY_H5(file, access);
  SAL_TRY_H5(file, H5Pset_fapl_core(access, (size_t)1 << 20, false));
  SAL_TRY_H5(file, file->id = H5Fcreate(nowhere, H5F_ACC_TRUNC, H5P_DEFAULT, access));
  return SAL_OK;
}

/* The image is taken from the driver's memory: H5Fget_file_image clears a flag in the first block
 * of the file and leaves its checksum as it was. */
static sal_err save_image(const sal_h5 *file, int64_t room, bool made)
{
  void *handle = NULL;

  SAL_TRY(check_dropped(file));
  SAL_TRY_H5(file, H5Fflush(file->id, H5F_SCOPE_GLOBAL));
  const ssize_t size = H5Fget_file_image(file->id, NULL, 0);
  SAL_TRY_H5(file, size);
  SAL_TRY_H5(file, H5Fget_vfd_handle(file->id, H5P_DEFAULT, &handle));
  return (made ? sal_atomic_file_fill : sal_atomic_file_begin)(file->path, *(char *const *)handle,
                                                               (size_t)size, room);
}

sal_err sal_h5_fill(const sal_h5 *file, int64_t room) { return save_image(file, room, true); }

sal_err sal_h5_open_part(const char *path, hid_t access, sal_h5 *file)
{
  char part[PATH_MAX];

  *file = (sal_h5){.id = -1, .path = path};
  SAL_TRY(sal_atomic_file_name(path, part));
  SAL_TRY_H5(file, access);
  SAL_TRY_H5(file, file->id = H5Fopen(part, H5F_ACC_RDWR, access));
  return SAL_OK;
}

sal_err sal_h5_close(sal_h5 *file, sal_err err)
{
  const hid_t id = file->id;

  file->id = -1;
  if (id < 0) return err;
  if (H5Fclose(id) < 0) {
    sal_err_set_abort();
    if (err == SAL_OK) err = sal_h5_fail(file);
  }
  const sal_err dropped = check_dropped(file);
  return err == SAL_OK ? dropped : err;
}

sal_err sal_h5_finish(sal_h5 *file, sal_err err)
{
  if (err == SAL_OK) err = save_image(file, 0, false);
  err = sal_h5_close(file, err);
  if (err == SAL_OK) err = sal_atomic_file_commit(file->path);
  if (err != SAL_OK) sal_atomic_file_discard(file->path);
  return err;
}

sal_err sal_h5_put(const sal_h5 *file, hid_t at, const char *name, hid_t type, int n,
                   const void *value)
{
  const hsize_t size = (hsize_t)n;
  SAL_HID space = n ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
  SAL_TRY_H5(file, space);
  SAL_HID attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  SAL_TRY_H5(file, attribute);
  SAL_TRY_H5(file, H5Awrite(attribute, type, value));
  return SAL_OK;
}

sal_err sal_h5_create_group(const sal_h5 *file, hid_t at, const char *name, hid_t *group)
{
  SAL_HID list = H5Pcreate(H5P_GROUP_CREATE);

  SAL_TRY_H5(file, H5Pset_obj_track_times(list, false)); /* the same bytes at any time */
  SAL_TRY_H5(file, *group = H5Gcreate2(at, name, H5P_DEFAULT, list, H5P_DEFAULT));
  return SAL_OK;
}

sal_err sal_h5_has(const sal_h5 *file, const char *name, bool *there)
{
  const htri_t found = H5Lexists(file->id, name, H5P_DEFAULT);

  *there = found > 0;
  SAL_TRY_H5(file, found);
  return SAL_OK;
}

sal_err sal_h5_is_new(const sal_h5 *file, const char *name)
{
  bool there;

  SAL_TRY(sal_h5_has(file, name, &there));
  if (!there) return SAL_OK;
  return sal_fail(
      SAL_ERR_EXISTS,
      "%s: two objects of the cube are called '%s': an error of saltus; please report it",
      file->path, name);
}

sal_err sal_h5_has_attribute(const sal_h5 *file, hid_t at, const char *name, bool *there)
{
  const htri_t found = H5Aexists(at, name);

  *there = found > 0;
  SAL_TRY_H5(file, found);
  return SAL_OK;
}

sal_err sal_h5_open_scalar(const sal_h5 *file, hid_t at, const char *name, hid_t *attribute)
{
  bool there;

  SAL_TRY(sal_h5_has_attribute(file, at, name, &there));
  if (!there) return sal_fail(SAL_ERR_INPUT, "%s: has no attribute '%s'", file->path, name);
  SAL_TRY_H5(file, *attribute = H5Aopen(at, name, H5P_DEFAULT));
  SAL_HID space = H5Aget_space(*attribute);
  if (H5Sget_simple_extent_npoints(space) != 1)
    return sal_fail(SAL_ERR_INPUT, "%s: attribute '%s' is not a single value", file->path, name);
  return SAL_OK;
}

sal_err sal_h5_get(const sal_h5 *file, const char *name, hid_t type, void *value)
{
  SAL_HID attribute = -1;

  SAL_TRY(sal_h5_open_scalar(file, file->id, name, &attribute));
  SAL_TRY_H5(file, H5Aread(attribute, type, value));
  return SAL_OK;
}
