/** A file appears whole or not at all, replaces nothing unless requested, and is never
 *  written through a link.
 */
#include "atomic_file.h"
#include "sal_test.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/saltus-atomic-XXXXXX";

static int enter_folder(void) { return mkdtemp(folder) && chdir(folder) == 0 ? 0 : 1; }

static void put_file(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");

  CU_ASSERT_FATAL(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static const char *text_of(const char *path)
{
  static char text[64];
  FILE *file = fopen(path, "r");
  const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;

  text[n] = '\0';
  if (file) fclose(file);
  return text;
}

static bool exists(const char *path)
{
  struct stat found;

  return lstat(path, &found) == 0;
}

static sal_err begin_new(const char *path) { return sal_atomic_file_begin(path, "new", 3, 0); }

static void a_file_appears_with_its_commit(void)
{
  CU_ASSERT_EQUAL(begin_new("a"), SAL_OK);
  CU_ASSERT(!exists("a") && exists("a.part"));
  CU_ASSERT_EQUAL(sal_atomic_file_commit("a"), SAL_OK);
  CU_ASSERT(exists("a") && !exists("a.part"));
  CU_ASSERT_STRING_EQUAL(text_of("a"), "new");
}

static void a_new_file_replaces_none(void)
{
  unlink("b");
  CU_ASSERT_EQUAL(begin_new("b"), SAL_OK);
  put_file("b", "precious");
  CU_ASSERT_EQUAL(sal_atomic_file_commit_new("b"), SAL_ERR_EXISTS);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "b: has appeared meanwhile; --force"));
  sal_err_clear();
  CU_ASSERT_STRING_EQUAL(text_of("b"), "precious");
  CU_ASSERT_EQUAL(sal_atomic_file_commit("b"), SAL_OK); /* which may replace it */
  CU_ASSERT_STRING_EQUAL(text_of("b"), "new");
  unlink("b");
  CU_ASSERT_EQUAL(begin_new("b"), SAL_OK);
  CU_ASSERT_EQUAL(sal_atomic_file_commit_new("b"), SAL_OK);
  CU_ASSERT_STRING_EQUAL(text_of("b"), "new");
}

static void links_are_not_followed(void)
{
  put_file("victim", "precious");
  CU_ASSERT_FATAL(symlink("victim", "c.part") == 0);
  CU_ASSERT_EQUAL(sal_atomic_file_claim("c", "-o", false), SAL_OK);
  CU_ASSERT_EQUAL(begin_new("c"), SAL_OK);
  CU_ASSERT_STRING_EQUAL(text_of("victim"), "precious");
  CU_ASSERT_EQUAL(sal_atomic_file_commit("c"), SAL_OK);
  CU_ASSERT_STRING_EQUAL(text_of("c"), "new");
  CU_ASSERT_FATAL(symlink("victim", "c.part") == 0);
  CU_ASSERT_EQUAL(sal_atomic_file_copy("c", 10), SAL_OK);
  CU_ASSERT_STRING_EQUAL(text_of("victim"), "precious");
  unlink("c.part");
  CU_ASSERT_FATAL(symlink("victim", "c.part") == 0); /* one that comes later */
  CU_ASSERT_EQUAL(sal_atomic_file_room("c", 10), SAL_ERR_IO);
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_atomic_file_commit("c"), SAL_ERR_IO);
  sal_err_clear();
  CU_ASSERT_STRING_EQUAL(text_of("victim"), "precious");
  sal_atomic_file_discard("c");
  CU_ASSERT(!exists("c.part") && exists("victim"));
}

/* Another run may be at its end while this one looks whether it could begin. */
static void a_claim_leaves_a_part_alone(void)
{
  put_file("d.part", "of another");
  CU_ASSERT_EQUAL(sal_atomic_file_claim("d", "-o", false), SAL_OK);
  CU_ASSERT_STRING_EQUAL(text_of("d.part"), "of another");
  sal_atomic_file_discard("d");
  CU_ASSERT_EQUAL(sal_atomic_file_claim("d", "-o", false), SAL_OK);
  CU_ASSERT(!exists("d.part"));
  CU_ASSERT_EQUAL(sal_atomic_file_claim("none/d", "-o", false), SAL_ERR_IO);
  sal_err_clear();
}

static void room_that_is_not_there_leaves_no_trace(void)
{
  struct rlimit free_size, small;
  struct stat found;

  signal(SIGXFSZ, SIG_IGN);
  CU_ASSERT_EQUAL(begin_new("e"), SAL_OK);
  getrlimit(RLIMIT_FSIZE, &free_size);
  small = (struct rlimit){1000, free_size.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  CU_ASSERT_EQUAL(sal_atomic_file_room("e", 5000), SAL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "e: cannot be written: File too large"));
  sal_err_clear();
  CU_ASSERT(stat("e.part", &found) == 0 && found.st_size == 3);
  CU_ASSERT_EQUAL(sal_atomic_file_room("e", 500), SAL_OK);
  CU_ASSERT(stat("e.part", &found) == 0 && found.st_size == 503);
  CU_ASSERT_EQUAL(sal_atomic_file_begin("f", "new", 3, 5000), SAL_ERR_IO);
  sal_err_clear();
  CU_ASSERT(!exists("f.part"));
  setrlimit(RLIMIT_FSIZE, &free_size);
}

static void the_folder_goes(void)
{
  static const char *const left[] = {"a", "b", "c", "victim", "e.part"};

  for (size_t i = 0; i < sizeof left / sizeof *left; ++i) CU_ASSERT(unlink(left[i]) == 0);
  CU_ASSERT(rmdir(folder) == 0);
}

SAL_TEST_MAIN("atomic_file", enter_folder,
              {"a file appears with its commit", a_file_appears_with_its_commit},
              {"a new file replaces none", a_new_file_replaces_none},
              {"links are not followed", links_are_not_followed},
              {"a claim leaves a part alone", a_claim_leaves_a_part_alone},
              {"room that is not there leaves no trace", room_that_is_not_there_leaves_no_trace},
              {"the folder goes", the_folder_goes})
