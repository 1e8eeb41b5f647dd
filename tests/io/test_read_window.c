/** Small reads are those of the file, in few calls, and see what has been written since. */
#include "h5_bytes.h"
#include "sal_test.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 3 * SAL_READ_WINDOW_BLOCK + 100 };

static unsigned char byte_of(int64_t at) { return (unsigned char)(at * 7 + at / 251); }

static int make_file(char name[])
{
  static unsigned char all[SIZE];
  const int fd = mkstemp(name);

  for (int64_t i = 0; i < SIZE; ++i) all[i] = byte_of(i);
  CU_ASSERT_FATAL(fd >= 0 && write(fd, all, SIZE) == SIZE);
  unlink(name);
  return fd;
}

static long long calls(void)
{
  char line[128];
  long long n = -1;
  FILE *file = fopen("/proc/self/io", "r");

  while (file && fgets(line, sizeof line, file)) (void)sscanf(line, "syscr: %lld", &n);
  if (file) fclose(file);
  return n;
}

static void small_reads_are_those_of_the_file(void)
{
  char name[] = "read_window_XXXXXX";
  const int fd = make_file(name);
  sal_read_window w = {0};
  unsigned char got[512];

  const long long before = calls();
  for (int64_t at = 0; at < SIZE; at += 61) {
    const ssize_t due = SIZE - at < 500 ? (ssize_t)(SIZE - at) : 500;
    CU_ASSERT_EQUAL_FATAL(sal_read_window_read(&w, fd, at, 500, got), due);
    for (ssize_t i = 0; i < due; ++i) CU_ASSERT_EQUAL_FATAL(got[i], byte_of(at + i));
  }
  CU_ASSERT(calls() - before < 20); /* in place of 800 */
  CU_ASSERT_EQUAL(sal_read_window_read(&w, fd, SIZE + 5, 500, got), 0);
  sal_read_window_free(&w);
  close(fd);
}

static void what_has_changed_is_read_again(void)
{
  char name[] = "read_window_XXXXXX";
  const int fd = make_file(name);
  sal_read_window w = {0};
  unsigned char got[2] = {0};

  CU_ASSERT_EQUAL(sal_read_window_read(&w, fd, SAL_READ_WINDOW_BLOCK - 1, 2, got), 2);
  CU_ASSERT_EQUAL(pwrite(fd, "ab", 2, SAL_READ_WINDOW_BLOCK - 1), 2);
  CU_ASSERT_EQUAL(sal_read_window_read(&w, fd, SAL_READ_WINDOW_BLOCK - 1, 2, got), 2);
  CU_ASSERT_EQUAL(got[0], byte_of(SAL_READ_WINDOW_BLOCK - 1)); /* it has not been notified */
  sal_read_window_forget(&w, SAL_READ_WINDOW_BLOCK - 1, 2);
  CU_ASSERT_EQUAL(sal_read_window_read(&w, fd, SAL_READ_WINDOW_BLOCK - 1, 2, got), 2);
  CU_ASSERT(memcmp(got, "ab", 2) == 0);
  sal_read_window_free(&w);
  close(fd);
}

SAL_TEST_MAIN("small reads in blocks", NULL,
              {"small reads are those of the file", small_reads_are_those_of_the_file},
              {"what has changed is read again", what_has_changed_is_read_again})
