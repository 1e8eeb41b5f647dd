/** Programs in folders made for it. */
#include "environment.h"
#include "sal_test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/sal_program_XXXXXX";

static int set_up(void) { return mkdtemp(folder) ? 0 : 1; }

static void make(const char *name, mode_t mode)
{
  char path[PATH_MAX];

  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  CU_ASSERT_FATAL(file != NULL);
  fclose(file);
  CU_ASSERT_EQUAL(chmod(path, mode), 0);
}

static void the_first_folder_that_has_it_is_taken(void)
{
  char path[PATH_MAX], list[2 * PATH_MAX], due[PATH_MAX];

  make("tool", 0700);
  make("note", 0600);
  snprintf(due, sizeof due, "%s/tool", folder);
  snprintf(list, sizeof list, "/nowhere::%s:/bin", folder);
  setenv("PATH", list, 1);
  CU_ASSERT(sal_program_path("tool", path));
  CU_ASSERT_STRING_EQUAL(path, due);
  CU_ASSERT(sal_program_path("sh", path));
  CU_ASSERT_STRING_EQUAL(path, "/bin/sh");
  CU_ASSERT(!sal_program_path("tool-that-is-not-there", path));
  CU_ASSERT(!sal_program_path("note", path) || geteuid() == 0);
  CU_ASSERT(sal_program_path(due, path));
  CU_ASSERT_STRING_EQUAL(path, due);
}

/* A file in the working folder is not taken for a program of that name. */
static void folders_that_depend_on_where_one_is_are_passed_over(void)
{
  char path[PATH_MAX];

  CU_ASSERT_EQUAL(chdir(folder), 0);
  setenv("PATH", ".::", 1);
  CU_ASSERT(!sal_program_path("tool", path));
  CU_ASSERT(sal_program_path("./tool", path));
  unsetenv("PATH");
  CU_ASSERT(!sal_program_path("tool", path));
  unlink("tool");
  unlink("note");
  CU_ASSERT_EQUAL(rmdir(folder), 0);
}

SAL_TEST_MAIN("programs", set_up,
              {"the first folder that has it is taken", the_first_folder_that_has_it_is_taken},
              {"folders that depend on where one is are passed over",
               folders_that_depend_on_where_one_is_are_passed_over})
