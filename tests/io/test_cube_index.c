/** HDF5 finds each chunk by an index that was filled at once, of one level to three. */
#include "h5.h"
#include "memory.h"
#include "raw.h"
#include "sal_test.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64 * 64 + 70, EACH = 6 };

static const char name[] = "cube_index.h5";

static double value_of(int64_t i) { return 1.5 * (double)i + 0.25; }

/* A dataset of n chunks with one of them in its place, and room for all else in another one. */
static int64_t make_file(int64_t n, int64_t room)
{
  const hsize_t size[] = {2 * (hsize_t)n, 3}, chunk[] = {2, 3}, first[2] = {0},
                bytes = (hsize_t)room;
  const double one[EACH] = {0};
  SAL_HID access = sal_h5_access();
  SAL_HID file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  SAL_HID space = H5Screate_simple(2, size, NULL);
  SAL_HID list = H5Pcreate(H5P_DATASET_CREATE);
  CU_ASSERT_FATAL(H5Pset_chunk(list, 2, chunk) >= 0);
  SAL_HID set = H5Dcreate2(file, "set", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  CU_ASSERT_FATAL(H5Dwrite_chunk(set, H5P_DEFAULT, 0, first, sizeof one, one) >= 0);
  SAL_HID line = H5Screate_simple(1, &bytes, NULL);
  SAL_HID early = H5Pcreate(H5P_DATASET_CREATE);
  CU_ASSERT_FATAL(H5Pset_alloc_time(early, H5D_ALLOC_TIME_EARLY) >= 0);
  SAL_HID rest = H5Dcreate2(file, "rest", H5T_NATIVE_UCHAR, line, H5P_DEFAULT, early, H5P_DEFAULT);
  return (int64_t)H5Dget_offset(rest);
}

/* Where HDF5 has the root. */
static int64_t find_root(int fd)
{
  const off_t size = lseek(fd, 0, SEEK_END);
  unsigned char *all = sal_alloc((size_t)size, 1), *found = NULL;

  CU_ASSERT_EQUAL_FATAL(pread(fd, all, (size_t)size, 0), size);
  for (off_t i = 0; i + 5 < size && !found; ++i)
    if (memcmp(all + i, "TREE\1", 5) == 0) found = all + i;
  const int64_t at = found ? found - all : -1;
  sal_free(all);
  return at;
}

static void put(int fd, int64_t at, const void *byte, size_t n)
{
  CU_ASSERT_EQUAL_FATAL(pwrite(fd, byte, n, (off_t)at), (ssize_t)n);
}

/* Chunks lie in the reverse order, then the nodes. */
static void fill(int64_t n, int64_t room)
{
  static uint32_t bytes[MOST];
  static int64_t at[MOST];
  static double one[EACH];
  const int fd = open(name, O_RDWR | O_CLOEXEC);
  const int64_t nodes = room + n * (int64_t)sizeof one;
  const sal_cube_index x = {.n_dim = 2, .dim = {2, 3}, .size = 8, .n = n, .bytes = bytes, .at = at};
  unsigned char *other = sal_alloc((size_t)sal_cube_index_bytes(2, n) + 1, 1),
                *root = sal_alloc((size_t)sal_cube_index_node(2), 1);

  for (int64_t i = 0; i < n; ++i) {
    bytes[i] = sizeof one;
    at[i] = room + (n - 1 - i) * (int64_t)sizeof one;
    for (int k = 0; k < EACH; ++k) one[k] = value_of(i * EACH + k);
    put(fd, at[i], one, sizeof one);
  }
  sal_cube_index_fill(&x, nodes, root, other);
  put(fd, nodes, other, (size_t)sal_cube_index_bytes(2, n));
  put(fd, find_root(fd), root, (size_t)sal_cube_index_node(2));
  close(fd);
  sal_free(other);
  sal_free(root);
}

static void check(int64_t n)
{
  static double all[MOST * EACH];
  hsize_t count = 0;
  int64_t wrong = 0;
  SAL_HID file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  SAL_HID set = H5Dopen2(file, "set", H5P_DEFAULT);

  CU_ASSERT(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
  for (int64_t i = 0; i < n * EACH; ++i) wrong += all[i] != value_of(i);
  CU_ASSERT_EQUAL(wrong, 0);
  SAL_HID space = H5Dget_space(set);
  CU_ASSERT(H5Dget_num_chunks(set, space, &count) >= 0 && count == (hsize_t)n);
}

static void each_chunk_is_found(void)
{
  static const int64_t n[] = {1, 63, 64, 65, 64 * 64, MOST};

  for (size_t k = 0; k < sizeof n / sizeof *n; ++k) {
    const int64_t room =
        make_file(n[k], n[k] * EACH * (int64_t)sizeof(double) + sal_cube_index_bytes(2, n[k]) + 1);
    fill(n[k], room);
    check(n[k]);
  }
  unlink(name);
}

static void nodes_are_few(void)
{
  CU_ASSERT_EQUAL(sal_cube_index_bytes(4, 64), 0);
  CU_ASSERT_EQUAL(sal_cube_index_bytes(4, 65), 2 * sal_cube_index_node(4));
  CU_ASSERT_EQUAL(sal_cube_index_bytes(4, 64 * 64 + 1), (65 + 2) * sal_cube_index_node(4));
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("cube_index", NULL, {"each chunk is found", each_chunk_is_found},
              {"nodes are few", nodes_are_few})
