/** @file tests/native/test_folder.c
 *  The folder of images: whose it is, and what cannot be written.
 */
#include "native_case.h"
#include "stop.h"
#include <sys/resource.h>

static void it_is_made_for_the_user_alone(void)
{
  char found[PATH_MAX];
  struct stat st;

  case_begin();
  CU_ASSERT(case_failed(sal_native_folder_find(false, found), "No such file"));
  CU_ASSERT_EQUAL(sal_native_folder_find(true, found), SAL_OK);
  CU_ASSERT_STRING_EQUAL(found, case_cache);
  CU_ASSERT_EQUAL(stat(found, &st), 0);
  CU_ASSERT_EQUAL(st.st_mode & 0777, 0700);
  unsetenv("SALTUS_CACHE");
  setenv("XDG_CACHE_HOME", case_folder, 1);
  CU_ASSERT_EQUAL(sal_native_folder_find(true, found), SAL_OK);
  CU_ASSERT_STRING_EQUAL(found + strlen(case_folder), "/saltus");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", case_folder, 1);
  CU_ASSERT_EQUAL(sal_native_folder_find(true, found), SAL_OK);
  CU_ASSERT_STRING_EQUAL(found + strlen(case_folder), "/.cache/saltus");
  unsetenv("HOME");
  CU_ASSERT(case_failed(sal_native_folder_find(true, found), "SALTUS_CACHE names one"));
  case_end();
}

static void that_of_others_is_refused(void)
{
  char found[PATH_MAX];

  case_begin();
  CU_ASSERT_EQUAL(mkdir(case_cache, 0700), 0);
  CU_ASSERT_EQUAL(chmod(case_cache, 0770), 0);
  CU_ASSERT(
      case_failed(sal_native_folder_find(true, found), "other users may write to the folder"));
  CU_ASSERT_EQUAL(chmod(case_cache, 0702), 0);
  CU_ASSERT(
      case_failed(sal_native_folder_find(true, found), "other users may write to the folder"));
  CU_ASSERT_EQUAL(chmod(case_cache, 0755), 0);
  CU_ASSERT_EQUAL(sal_native_folder_find(true, found), SAL_OK);
  if (geteuid() == 0) {
    CU_ASSERT_EQUAL(chown(case_cache, 4711, (gid_t)-1), 0);
  } else {
    setenv("SALTUS_CACHE", "/usr", 1);
  }
  CU_ASSERT(case_failed(sal_native_folder_find(true, found), "is that of another user"));
  case_end();
}

static void what_is_no_folder_or_cannot_be_made_is_refused(void)
{
  char found[PATH_MAX];

  case_begin();
  setenv("SALTUS_CACHE", "/dev/null", 1);
  CU_ASSERT(case_failed(sal_native_folder_find(true, found), "/dev/null: this is no folder"));
  setenv("SALTUS_CACHE", "/dev/null/cache", 1);
  CU_ASSERT(case_failed(sal_native_folder_find(true, found), "Not a directory"));
  setenv("SALTUS_CACHE", "/proc/saltus", 1); /* read-only, even for root */
  CU_ASSERT(case_failed(sal_native_folder_find(true, found), "/proc/saltus: cannot be made"));
  case_end();
}

/* As on a disk that is full. */
static void what_cannot_be_written_leaves_nothing(void)
{
  sal_equation_model *model = case_model();
  const sal_native_request request = case_request();
  sal_native_image image;
  struct rlimit usual, small;

  case_begin();
  sal_stop_ignore_size_limit();
  CU_ASSERT_EQUAL(getrlimit(RLIMIT_FSIZE, &usual), 0);
  small = usual;
  small.rlim_cur = 4096;
  CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &small), 0);
  const sal_err err = sal_native_make(model, &request, &image);
  CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &usual), 0);
  CU_ASSERT(case_failed(err, "cannot be written: File too large"));
  CU_ASSERT_EQUAL(case_files(), 0);
  sal_equation_model_free(model);
  case_end();
}

static void the_oldest_images_go(void)
{
  char name[64], work[PATH_MAX];

  case_begin();
  CU_ASSERT_EQUAL(mkdir(case_cache, 0700), 0);
  CU_ASSERT_EQUAL(sal_native_folder_open(case_cache, work), SAL_OK);
  for (int i = 0; i < 70; ++i) {
    snprintf(name, sizeof name, "%032d.so", i);
    CU_ASSERT_EQUAL(sal_native_folder_write(work, name, "x", 1), SAL_OK);
    CU_ASSERT_EQUAL(sal_native_folder_keep(case_cache, work, name), SAL_OK);
  }
  sal_native_folder_close(work);
  CU_ASSERT_EQUAL(case_files(), 64);
  case_end();
}

SAL_TEST_MAIN("the folder of images", NULL, {"it is made", it_is_made_for_the_user_alone},
              {"that of others", that_of_others_is_refused},
              {"no folder", what_is_no_folder_or_cannot_be_made_is_refused},
              {"full", what_cannot_be_written_leaves_nothing},
              {"the oldest go", the_oldest_images_go})
