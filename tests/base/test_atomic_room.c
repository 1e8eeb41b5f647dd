/** Room for a file where the file system cannot claim it: nothing is written, and what is free is asked
 *  first.  This program has an fallocate of its own, as such a file system has it.
 */
#include "atomic_file.h"
#include "sal_test.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int asked;

int fallocate(int fd, int mode, off_t from, off_t n);
int fallocate(int fd, int mode, off_t from, off_t n)
{
  (void)fd, (void)mode, (void)from, (void)n;
  ++asked;
  errno = EOPNOTSUPP;
  return -1;
}

static char folder[] = "/tmp/saltus-room-XXXXXX";

static int enter_folder(void) { return mkdtemp(folder) && chdir(folder) == 0 ? 0 : 1; }

enum { ROOM = 1 << 28 };

static void room_is_length_and_not_written(void)
{
  struct stat found;

  CU_ASSERT_EQUAL(sal_atomic_file_begin("cube", "frame", 5, ROOM), SAL_OK);
  CU_ASSERT(asked > 0);
  CU_ASSERT_EQUAL_FATAL(stat("cube.part", &found), 0);
  CU_ASSERT_EQUAL(found.st_size, 5 + ROOM);
  CU_ASSERT(found.st_blocks * 512 < 1 << 20);
  CU_ASSERT_EQUAL(sal_atomic_file_room("cube", ROOM), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(stat("cube.part", &found), 0);
  CU_ASSERT_EQUAL(found.st_size, 5 + 2 * (off_t)ROOM);
  CU_ASSERT(found.st_blocks * 512 < 1 << 20);
  sal_atomic_file_discard("cube");
}

/* An exabyte. */
static const int64_t too_much = (int64_t)1 << 60;

static void what_the_disk_does_not_have_is_refused(void)
{
  struct stat found;

  CU_ASSERT_EQUAL(sal_atomic_file_begin("cube", "frame", 5, too_much), SAL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), strerror(ENOSPC)));
  CU_ASSERT(access("cube.part", F_OK) != 0);
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_atomic_file_begin("cube", "frame", 5, 0), SAL_OK);
  CU_ASSERT_EQUAL(sal_atomic_file_room("cube", too_much), SAL_ERR_IO);
  CU_ASSERT_EQUAL(stat("cube.part", &found), 0);
  CU_ASSERT_EQUAL(found.st_size, 5);
  sal_err_clear();
  sal_atomic_file_discard("cube");
  CU_ASSERT(chdir("/") == 0 && rmdir(folder) == 0);
}

SAL_TEST_MAIN("room without fallocate", enter_folder,
              {"room is length and not written", room_is_length_and_not_written},
              {"what the disk does not have is refused", what_the_disk_does_not_have_is_refused})
