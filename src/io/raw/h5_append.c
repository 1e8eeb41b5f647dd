/** A second root group, and the superblock that makes it the first. */
#include "base.h"
#include "h5_bytes.h"
#include "raw.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Where the numbers of a superblock are, of version 2 and 3 with addresses of 8 bytes. */
enum { VERSION = 8, OFFSETS = 9, BASE = 12, END = 28, ROOT = 36, SUM = 44 };

static uint32_t rotate(uint32_t x, int k) { return x << k | x >> (32 - k); }

/* The checksum of the first SUM bytes: hashlittle of B. Jenkins' lookup3 (2006), which HDF5 uses for
 * all metadata; SUM is not a multiple of 12, so a last block of 8 bytes is left. */
static uint32_t superblock_sum(const unsigned char *byte)
{
  uint32_t a = 0xdeadbeef + SUM, b = a, c = a;
  int i = 0;

  for (; SUM - i > 12; i += 12) {
    a += (uint32_t)sal_h5_bytes_get(byte + i, 4);
    b += (uint32_t)sal_h5_bytes_get(byte + i + 4, 4);
    c += (uint32_t)sal_h5_bytes_get(byte + i + 8, 4);
    a = (a - c) ^ rotate(c, 4), c += b;
    b = (b - a) ^ rotate(a, 6), a += c;
    c = (c - b) ^ rotate(b, 8), b += a;
    a = (a - c) ^ rotate(c, 16), c += b;
    b = (b - a) ^ rotate(a, 19), a += c;
    c = (c - b) ^ rotate(b, 4), b += a;
  }
  a += (uint32_t)sal_h5_bytes_get(byte + i, 4);
  b += (uint32_t)sal_h5_bytes_get(byte + i + 4, SUM - 4 - i < 4 ? SUM - 4 - i : 4);
  c = (c ^ b) - rotate(b, 14);
  a = (a ^ c) - rotate(c, 11);
  b = (b ^ a) - rotate(a, 25);
  c = (c ^ b) - rotate(b, 16);
  a = (a ^ c) - rotate(c, 4);
  b = (b ^ a) - rotate(a, 14);
  return (c ^ b) - rotate(b, 24);
}

static sal_err fail_to_change(const char *path)
{
  return sal_fail(SAL_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
}

static sal_err read_superblock(const char *path, unsigned char block[])
{
  const int fd = open(path, O_RDWR | O_CLOEXEC);

  if (fd < 0) return fail_to_change(path);
  const ssize_t n = pread(fd, block, SAL_H5_SUPERBLOCK, 0);
  close(fd);
  if (n == SAL_H5_SUPERBLOCK) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: is not an HDF5 file", path);
}

static bool can_be_changed(const unsigned char *block)
{
  return memcmp(block, "\211HDF\r\n\032\n", 8) == 0 &&
         (block[VERSION] == 2 || block[VERSION] == 3) && block[OFFSETS] == 8 &&
         sal_h5_bytes_get(block + BASE, 8) == 0 &&
         sal_h5_bytes_get(block + SUM, 4) == superblock_sum(block);
}

/* Two that add to one file would write over each other.  The lock is of a byte that no file has, since
 * readers lock what it has; file systems without locks do without. */
static sal_err lock_file(sal_h5_append *a)
{
  struct flock range = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = INT64_MAX - 1, .l_len = 1};

  a->lock = open(a->name, O_RDWR | O_CLOEXEC);
  if (a->lock < 0) return fail_to_change(a->file.path);
  if (fcntl(a->lock, F_OFD_SETLK, &range) == 0 || (errno != EAGAIN && errno != EACCES))
    return SAL_OK;
  return sal_fail(SAL_ERR_BUSY, "%s: is being changed by another program", a->file.path);
}

static sal_err copy_links(const sal_h5_append *a, const char *but)
{
  const sal_h5 *file = &a->file;
  SAL_OWN_BY(sal_h5_text_free) char **name = NULL;
  int n;

  SAL_TRY(sal_link_list(file, &n, &name));
  for (int i = 0; i < n; ++i)
    if (strcmp(name[i], but) != 0)
      SAL_TRY_H5(file, H5Lcopy(file->id, name[i], a->root, name[i], H5P_DEFAULT, H5P_DEFAULT));
  return SAL_OK;
}

static sal_err copy_bytes(const sal_h5_append *a, const char *name, hid_t from, hid_t type)
{
  SAL_HID space = H5Aget_space(from);
  SAL_HID to = H5Acreate2(a->root, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  SAL_TRY_H5(&a->file, to);
  const hsize_t size = H5Aget_storage_size(from);
  SAL_OWN char *value = NULL;
  SAL_TRY_ROOM(&a->file, value, size + 1);
  if (size == 0) return SAL_OK;
  SAL_TRY_H5(&a->file, H5Aread(from, type, value));
  SAL_TRY_H5(&a->file, H5Awrite(to, type, value));
  return SAL_OK;
}

/* A text of variable length would be put into a heap of the old file, which stays as it is: it gets a fixed length. */
static sal_err copy_text(const sal_h5_append *a, const char *name, hid_t from, hid_t type)
{
  char *text = NULL;

  SAL_TRY_H5(&a->file, H5Aread(from, type, &text));
  const sal_err err = sal_h5_text_put(&a->file, a->root, name, text ? text : "");
  H5free_memory(text);
  return err;
}

static sal_err copy_attribute(const sal_h5_append *a, hsize_t i)
{
  char name[1024];
  SAL_HID from =
      H5Aopen_by_idx(a->file.id, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
  SAL_TRY_H5(&a->file, from);
  SAL_TRY_H5(&a->file, H5Aget_name(from, sizeof name, name));
  SAL_HID type = H5Aget_type(from);
  SAL_HID space = H5Aget_space(from);
  const bool is_one = H5Sget_simple_extent_type(space) == H5S_SCALAR;

  if (H5Tis_variable_str(type) > 0 && is_one) return copy_text(a, name, from, type);
  if (H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0)
    return sal_fail(
        SAL_ERR_INPUT,
        "%s: attribute '%s' is a list of variable length, which cannot be kept; allowed: "
        "one text, or numbers; delete it first",
        a->file.path, name);
  return copy_bytes(a, name, from, type);
}

static sal_err copy_root(const sal_h5_append *a, const char *but)
{
  H5O_info_t info;

  SAL_TRY(copy_links(a, but));
  SAL_TRY_H5(&a->file, H5Oget_info2(a->file.id, &info, H5O_INFO_NUM_ATTRS));
  for (hsize_t i = 0; i < info.num_attrs; ++i) SAL_TRY(copy_attribute(a, i));
  return SAL_OK;
}

sal_err sal_h5_append_open(const char *name, const char *path, const char *group, sal_h5_append *a)
{
  sal_h5_append_driver is = {0};

  *a = (sal_h5_append){.name = name, .file = {.id = -1, .path = path}, .root = -1, .lock = -1};
  SAL_TRY(lock_file(a));
  a->size = lseek(a->lock, 0, SEEK_END);
  SAL_TRY(read_superblock(name, a->superblock));
  if (!can_be_changed(a->superblock))
    return sal_fail(SAL_ERR_INPUT,
                    "%s: another program has written its superblock, of a version below 2, which "
                    "cannot be changed in one step; `h5repack --low=1` makes a copy that can",
                    path);
  is.end = sal_h5_bytes_get(a->superblock + END, 8);
  SAL_HID access = sal_h5_access();
  SAL_TRY_H5(&a->file, sal_h5_append_driver_set(access, &is));
  SAL_TRY_H5(&a->file, a->file.id = H5Fopen(name, H5F_ACC_RDWR, access));
  SAL_HID list = H5Pcreate(H5P_GROUP_CREATE);
  SAL_TRY_H5(&a->file, H5Pset_obj_track_times(list, false)); /* the same bytes at any time */
  SAL_TRY_H5(&a->file, a->root = H5Gcreate_anon(a->file.id, list, H5P_DEFAULT));
  return copy_root(a, group);
}

/* Can the members of a group be opened, and those of groups in it? */
static sal_err look_at(const sal_h5 *group, int depth)
{
  SAL_OWN_BY(sal_h5_text_free) char **name = NULL;
  int n;

  SAL_TRY(sal_link_list(group, &n, &name));
  for (int i = 0; i < n; ++i) {
    SAL_HID object = H5Oopen(group->id, name[i], H5P_DEFAULT);
    SAL_TRY_H5(group, object);
    if (depth > 0 && H5Iget_type(object) == H5I_GROUP)
      SAL_TRY(look_at(&(sal_h5){.id = object, .path = group->path}, depth - 1));
  }
  return SAL_OK;
}

/* Can all objects be found from the root group that this superblock names? */
static sal_err try_superblock(const sal_h5_append *a, const unsigned char block[])
{
  sal_h5_append_driver is = {.size = SAL_H5_SUPERBLOCK};

  memcpy(is.first, block, sizeof is.first);
  SAL_HID access = sal_h5_access();
  SAL_TRY_H5(&a->file, sal_h5_append_driver_set(access, &is));
  SAL_HID seen = H5Fopen(a->name, H5F_ACC_RDONLY, access);
  SAL_TRY_H5(&a->file, seen);
  return look_at(&(sal_h5){.id = seen, .path = a->file.path}, 1);
}

/* Flushes what HDF5 has; the superblock to be.  The group has no name yet, and HDF5 would remove it
 * again when it is closed: that stays in memory. */
static sal_err finish(sal_h5_append *a, unsigned char block[])
{
  H5O_info_t info;
  haddr_t end = 0;

  SAL_TRY_H5(&a->file, H5Fflush(a->file.id, H5F_SCOPE_GLOBAL));
  SAL_TRY_H5(&a->file, H5Oget_info2(a->root, &info, H5O_INFO_BASIC));
  errno = sal_h5_append_driver_freeze(a->file.id, &end);
  if (errno) return fail_to_change(a->file.path);
  memcpy(block, a->superblock, SAL_H5_SUPERBLOCK);
  sal_h5_bytes_put(block + END, 8, end);
  sal_h5_bytes_put(block + ROOT, 8, info.addr);
  sal_h5_bytes_put(block + SUM, 4, superblock_sum(block));
  return SAL_OK;
}

static sal_err close_append(sal_h5_append *a, sal_err err)
{
  haddr_t end;

  /* nothing of what closing writes gets into the file, nor can it fail on a full disk */
  if (a->file.id >= 0) (void)sal_h5_append_driver_freeze(a->file.id, &end);
  sal_h5_drop(&a->root);
  a->root = -1;
  return sal_h5_close(&a->file, err);
}

/* Brings all to the disk, and then the superblock. */
static sal_err write_superblock(const sal_h5_append *a, const unsigned char block[])
{
  const bool bad = fsync(a->lock) ||
                   pwrite(a->lock, block, SAL_H5_SUPERBLOCK, 0) != SAL_H5_SUPERBLOCK ||
                   fsync(a->lock);

  return bad ? fail_to_change(a->file.path) : SAL_OK;
}

static void unlock(sal_h5_append *a)
{
  if (a->lock >= 0) close(a->lock);
  a->lock = -1;
}

sal_err sal_h5_append_commit(sal_h5_append *a)
{
  unsigned char block[SAL_H5_SUPERBLOCK] = {0};

  sal_err err = close_append(a, finish(a, block));
  if (err == SAL_OK && ftruncate(a->lock, (off_t)sal_h5_bytes_get(block + END, 8)))
    err = fail_to_change(a->file.path);
  if (err == SAL_OK) err = try_superblock(a, block);
  if (err == SAL_OK) {
    err = write_superblock(a, block);
    unlock(a);
  } else {
    sal_h5_append_drop(a);
  }
  return err;
}

void sal_h5_append_drop(sal_h5_append *a)
{
  const off_t now = a->lock >= 0 ? lseek(a->lock, 0, SEEK_END) : -1;

  (void)close_append(a, SAL_ERR_IO);
  if (a->size > 0 && now > a->size && ftruncate(a->lock, a->size))
    errno = 0; /* no reader looks at those bytes */
  unlock(a);
}
