/** Files that a run of Open MPI has left beside an output are removed, and no others. */
#include "hints.h"
#include "sal_test.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/saltus-pointers-XXXXXX";

static int enter_folder(void) { return mkdtemp(folder) && chdir(folder) == 0 ? 0 : 1; }

static void put(const char *name, size_t size)
{
  FILE *file = fopen(name, "w");

  CU_ASSERT_FATAL(file && fwrite("12345678 more", 1, size, file) == size && fclose(file) == 0);
}

static bool exists(const char *name)
{
  struct stat found;

  return lstat(name, &found) == 0;
}

/* A process that has ended, and is waited for, so that its number is free. */
static int ended_process(void)
{
  const pid_t child = fork();

  if (child == 0) _exit(0);
  CU_ASSERT_FATAL(child > 0 && waitpid(child, NULL, 0) == child);
  return (int)child;
}

static const char *name_of(const char *format, int process)
{
  static char name[128];

  snprintf(name, sizeof name, format, process);
  return name;
}

static void what_a_run_has_left_goes(void)
{
  static const char *const left[] = {"out.h5.part-7-%d.lock", "out.h5.part-4021551105-%d.lock",
                                     "sub/out.h5.part-7-%d.lock"};
  const int gone = ended_process();

  CU_ASSERT_FATAL(mkdir("sub", 0777) == 0);
  for (int i = 0; i < 3; ++i) put(name_of(left[i], gone), i == 1 ? 8 : 0);
  sal_left_pointers_remove("out.h5");
  CU_ASSERT(!exists(name_of(left[0], gone)));
  CU_ASSERT(!exists(name_of(left[1], gone)));
  CU_ASSERT(exists(name_of(left[2], gone)));
  sal_left_pointers_remove("sub/out.h5");
  CU_ASSERT(!exists(name_of(left[2], gone)));
  sal_left_pointers_remove("none/out.h5"); /* no folder: nothing to be done */
}

static void other_files_stay(void)
{
  static const char *const foreign[] = {
      "out.h5.part-7-%d.lock.txt", "out.h5.part-x-%d.lock",   "out.h5.part-07-%d.lock",
      "out.h5.part- 7-%d.lock",    "out.h5.part-7-%d.Lock",   "out.h5.part-7-+%d.lock",
      "out.h5-7-%d.lock",          "other.h5.part-7-%d.lock", "out.h5.part-7--%d.lock"};
  const int n = sizeof foreign / sizeof *foreign, gone = ended_process();

  for (int i = 0; i < n; ++i) put(name_of(foreign[i], gone), 0);
  put(name_of("out.h5.part-8-%d.lock", gone), 9); /* larger than a pointer */
  put(name_of("out.h5.part-9-%d.lock", (int)getpid()), 8);
  CU_ASSERT_FATAL(symlink("target", name_of("out.h5.part-10-%d.lock", gone)) == 0);
  put("target", 0);
  CU_ASSERT_FATAL(mkdir(name_of("out.h5.part-11-%d.lock", gone), 0777) == 0);
  sal_left_pointers_remove("out.h5");
  for (int i = 0; i < n; ++i) CU_ASSERT(exists(name_of(foreign[i], gone)));
  CU_ASSERT(exists(name_of("out.h5.part-8-%d.lock", gone)));
  CU_ASSERT(exists(name_of("out.h5.part-9-%d.lock", (int)getpid())));
  CU_ASSERT(exists(name_of("out.h5.part-10-%d.lock", gone)) && exists("target"));
  CU_ASSERT(exists(name_of("out.h5.part-11-%d.lock", gone)));
}

static int leave_folder(void)
{
  char command[128];

  snprintf(command, sizeof command, "rm -r %s", folder);
  return chdir("/") == 0 && system(command) == 0 ? 0 : 1;
}

static void the_folder_goes(void) { CU_ASSERT_EQUAL(leave_folder(), 0); }

SAL_TEST_MAIN("left_pointers", enter_folder, {"what a run has left goes", what_a_run_has_left_goes},
              {"other files stay", other_files_stay}, {"the folder goes", the_folder_goes})
