/** The folder of images: whose it is, and what cannot be written. */
#include "environment.h"
#include "native_case.h"
#include "stop.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>

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
  CU_ASSERT(case_failed(sal_native_folder_find(true, found), "set SALTUS_CACHE to an"));
  case_end();
}

static void that_of_others_is_refused(void)
{
  char found[PATH_MAX], parent[PATH_MAX + 8];

  case_begin();
  snprintf(parent, sizeof parent, "%s/cache", case_folder);
  CU_ASSERT_EQUAL(mkdir(case_cache, 0700), 0);
  CU_ASSERT_EQUAL(chmod(case_cache, 0770), 0);
  CU_ASSERT(
      case_failed(sal_native_folder_find(true, found), "other users may write to the folder"));
  CU_ASSERT_EQUAL(chmod(case_cache, 0702), 0);
  CU_ASSERT(
      case_failed(sal_native_folder_find(true, found), "other users may write to the folder"));
  CU_ASSERT_EQUAL(chmod(case_cache, 0755), 0);
  CU_ASSERT_EQUAL(sal_native_folder_find(true, found), SAL_OK);
  CU_ASSERT_EQUAL(chmod(parent, 0777), 0);
  CU_ASSERT(case_failed(sal_native_folder_find(true, found), "or to that it is in"));
  CU_ASSERT_EQUAL(chmod(parent, 01777), 0);
  CU_ASSERT_EQUAL(sal_native_folder_find(true, found), SAL_OK);
  if (geteuid() == 0) {
    CU_ASSERT_EQUAL(chown(case_cache, 4711, (gid_t)-1), 0);
  } else {
    setenv("SALTUS_CACHE", "/", 1); /* where /saltus is not, or root's */
  }
  CU_ASSERT(case_failed(sal_native_folder_find(true, found), "is that of another user"));
  case_end();
}

static void what_is_no_folder_or_cannot_be_made_is_refused(void)
{
  char found[PATH_MAX], parent[PATH_MAX + 8];

  case_begin();
  setenv("SALTUS_CACHE", "/dev/null", 1);
  CU_ASSERT(case_failed(sal_native_folder_find(true, found), "Not a directory"));
  setenv("SALTUS_CACHE", "/proc", 1); /* read-only, even for root */
  CU_ASSERT(case_failed(sal_native_folder_find(true, found), "/proc/saltus: cannot be made"));
  snprintf(parent, sizeof parent, "%s/cache", case_folder);
  setenv("SALTUS_CACHE", parent, 1);
  CU_ASSERT_EQUAL(symlink("/dev/null", case_cache), 0);
  CU_ASSERT(case_failed(sal_native_folder_find(true, found), "saltus: is not a folder"));
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
  char name[64];
  sal_own_folder work;

  case_begin();
  CU_ASSERT_EQUAL(mkdir(case_cache, 0700), 0);
  CU_ASSERT_EQUAL(sal_own_folder_open(case_cache, "saltus-build.", &work), SAL_OK);
  for (int i = 0; i < 70; ++i) {
    snprintf(name, sizeof name, "%032d.so", i);
    CU_ASSERT_EQUAL(sal_native_folder_write(work.path, name, "x", 1), SAL_OK);
    CU_ASSERT_EQUAL(sal_native_folder_keep(case_cache, work.path, name), SAL_OK);
  }
  sal_own_folder_close(&work);
  CU_ASSERT_EQUAL(case_files(), 64);
  case_end();
}

/* ---- what is removed ---- */

/* A file with these words, in folders that are made where they are missing. */
static void put(const char *name, const char *words)
{
  char path[PATH_MAX + 128];

  snprintf(path, sizeof path, "%s/%s", case_folder, name);
  for (char *at = path + strlen(case_folder) + 1; (at = strchr(at, '/')); *at++ = '/') {
    *at = '\0';
    CU_ASSERT_FATAL(mkdir(path, 0700) == 0 || errno == EEXIST);
  }
  FILE *file = fopen(path, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT_EQUAL(fputs(words, file) >= 0, 1);
  CU_ASSERT_EQUAL(fclose(file), 0);
}

static void put_link(const char *name, const char *to)
{
  char path[PATH_MAX + 128];

  snprintf(path, sizeof path, "%s/%s", case_folder, name);
  CU_ASSERT_EQUAL(symlink(to, path), 0);
}

/* Is it there?  Its time becomes that of two days ago. */
static bool is_there(const char *name)
{
  char path[PATH_MAX + 128];
  const time_t old = time(NULL) - 172800;
  const struct timespec times[2] = {{.tv_sec = old}, {.tv_sec = old}};

  snprintf(path, sizeof path, "%s/%s", case_folder, name);
  return utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0;
}

static void read_mark(const sal_own_folder *work, char words[256])
{
  char path[PATH_MAX + 16];

  snprintf(path, sizeof path, "%s/made-by-saltus", work->path);
  FILE *file = fopen(path, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  words[fread(words, 1, 255, file)] = '\0';
  fclose(file);
}

#define BUILD "cache/saltus/saltus-build."

/* A folder of that name that bears the mark, and that no living process has locked; not a name, an age, or a link. */
static void what_others_have_made_stays(void)
{
  static const char *const stays[] = {"cache/tmp.Ab12cd34Ef/work/more.dat",
                                      "cache/saltus/tmp.Ab12cd34Ef/result.dat",
                                      "cache/saltus-build.Ab12cd/result.dat",
                                      BUILD "none/result.dat",
                                      BUILD "link",
                                      BUILD "other/result.dat",
                                      BUILD "mark/result.dat",
                                      "cache/saltus/saltus.mine/made-by-saltus",
                                      "elsewhere/made-by-saltus",
                                      "elsewhere/result.dat"};
  enum { STAYS = sizeof stays / sizeof *stays };
  char words[256];
  sal_own_folder living, next;

  case_begin();
  CU_ASSERT_EQUAL(mkdir(case_cache, 0700), 0);
  CU_ASSERT_EQUAL(sal_own_folder_open(case_cache, "saltus-build.", &living), SAL_OK);
  CU_ASSERT_EQUAL(sal_native_folder_write(living.path, "text.c", "x", 1), SAL_OK);
  read_mark(&living, words);
  CU_ASSERT(strlen(words) > 20);
  for (int i = 0; i < STAYS; ++i)
    if (i != 4) put(stays[i], strstr(stays[i], "/made-by-saltus") ? words : "precious");
  put_link(BUILD "link", "../../elsewhere");
  words[0] ^= 1; /* those of another program */
  put(BUILD "other/made-by-saltus", words);
  words[0] ^= 1;
  put_link(BUILD "mark/made-by-saltus", "../../../elsewhere/made-by-saltus");
  put(BUILD "gone/made-by-saltus", words);
  put(BUILD "gone/kernels/models/x.h", "");
  put_link(BUILD "gone/kernels/out", "../../../../elsewhere");
  for (int i = 0; i < STAYS; ++i) CU_ASSERT(is_there(stays[i]));
  CU_ASSERT(is_there(BUILD "gone") && is_there(living.path + strlen(case_folder) + 1));
  CU_ASSERT_EQUAL(sal_own_folder_open(case_cache, "saltus-build.", &next), SAL_OK);
  CU_ASSERT_FALSE(is_there(BUILD "gone"));
  for (int i = 0; i < STAYS; ++i) CU_ASSERT(is_there(stays[i]));
  CU_ASSERT_EQUAL(sal_native_folder_write(living.path, "text.o", "x", 1), SAL_OK);
  sal_own_folder_close(&living);
  sal_own_folder_close(&next);
  CU_ASSERT_EQUAL(case_files(), 6); /* of the ten those that lie there */
  case_end();
}

SAL_TEST_MAIN("the folder of images", NULL, {"it is made", it_is_made_for_the_user_alone},
              {"that of others", that_of_others_is_refused},
              {"no folder", what_is_no_folder_or_cannot_be_made_is_refused},
              {"full", what_cannot_be_written_leaves_nothing},
              {"the oldest go", the_oldest_images_go}, {"others'", what_others_have_made_stays})
