/** @file tests/io/test_journal_compact.c
 *  Many journals become few, and a kill at any time loses no record and leaves none twice.
 *
 *  The program puts its own pwrite, fdatasync, fsync, rename and unlink in the place of those of the
 *  C library.  In a child process the one that is called the n-th time ends the process at once,
 *  without doing its work, or with half of it done.
 */
#define JOURNAL_TEST "journal_compact"
#include "journal_sample.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CELLS_A_RUN = 4, KILLED = 77 };

static int calls, kill_at; /* 0: never */

static bool killed_now(void) { return kill_at > 0 && ++calls == kill_at; }

ssize_t pwrite(int fd, const void *from, size_t n, off_t at)
{
  const bool now = killed_now();
  const ssize_t done = syscall(SYS_pwrite64, fd, from, now ? n / 2 : n, at);

  if (now) _exit(KILLED);
  return done;
}

int fdatasync(int fd)
{
  if (killed_now()) _exit(KILLED);
  return fd < 0; /* the machine is not killed */
}

int fsync(int fd)
{
  if (killed_now()) _exit(KILLED);
  return fd < 0;
}

int rename(const char *from, const char *to)
{
  if (killed_now()) _exit(KILLED);
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path)
{
  if (killed_now()) _exit(KILLED);
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static int n_files(void)
{
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_READ);
  const int n = (int)j.n_file;

  sal_journal_close(&j);
  return n;
}

/* Runs of neighbouring cells, each of which opens what those before it have left. */
static void write_runs(int n)
{
  remove_all();
  for (int i = 0; i < n; ++i) {
    run_number = i;
    write_cells((int64_t)i * CELLS_A_RUN, (int64_t)(i + 1) * CELLS_A_RUN);
    CU_ASSERT(n_files() <= 5); /* four, and that of the run */
    MPI_Barrier(MPI_COMM_WORLD);
  }
  run_number = 0;
}

static void few_journals_come_of_many(void)
{
  struct stat about;

  write_runs(7);
  CU_ASSERT_EQUAL(n_files(), 3); /* 0000-0004, 0005, 0006 */
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_READ);
  CU_ASSERT(j.n_all == 3 && j.file[0].number == 0 && j.file[0].last == 4);
  CU_ASSERT(read_all(&j) == 7 * CELLS_A_RUN && j.twice == 0 && j.damaged == 0);
  check_ranges(&j, 0, 7 * CELLS_A_RUN - 1, 0, 6);
  sal_journal_close(&j);
  CU_ASSERT(stat(first_file(), &about) != 0);
  remove_all();
  CU_ASSERT(stat(folder, &about) != 0);
}

/* One of two records of a cell is taken, and what is damaged is left out. */
static void only_what_counts_is_copied(void)
{
  static char bytes[MOST_FILE];

  if (ranks > 1) return;
  remove_all();
  for (int i = 0; i < 5; ++i) {
    run_number = i;
    write_cells(0, i == 4 ? 3 * TILE : 2 * TILE);
  }
  run_number = 0;
  const size_t n = slurp(bytes);
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_READ);
  CU_ASSERT(j.cells == 3 * TILE && j.twice == 8 * TILE);
  bytes[(size_t)j.entry[0].offset + 300] ^= 1; /* under a sound index, and the one that counts */
  sal_journal_close(&j);
  spit(bytes, n);
  j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  CU_ASSERT(j.n_file == 1 && j.twice == 0);
  CU_ASSERT_EQUAL(read_all(&j), 2 * TILE);
  check_ranges(&j, TILE, 3 * TILE - 1, 0, 4);
  sal_journal_close(&j);
}

/* In a child: opens the journals, and is killed at the call number n. */
static int open_until(int n)
{
  const pid_t child = fork();
  int status = 0;

  if (child == 0) {
    sal_journal j;
    kill_at = n;
    const sal_err err =
        sal_journal_open(MPI_COMM_SELF, 1, folders, &sweep, SAL_JOURNAL_WRITE, &ranges, &j);
    _exit(err == SAL_OK ? 0 : 1);
  }
  CU_ASSERT_FATAL(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void shell(const char *command)
{
  char line[4 * sizeof folder];

  snprintf(line, sizeof line, command, folder, folder, folder);
  CU_ASSERT_EQUAL_FATAL(system(line), 0);
}

/* Five journals, one of which was five itself, are about to become one. */
static void a_kill_at_any_time_costs_and_doubles_nothing(void)
{
  int n = 0, states[6] = {0};

  if (ranks > 1) return;
  write_runs(9);
  CU_ASSERT_EQUAL(n_files(), 5);
  shell("rm -rf %s.kept && cp -r %s %s.kept");
  for (int ended = KILLED; ended == KILLED;) {
    shell("rm -rf %s && cp -r %s.kept %s");
    ended = open_until(++n);
    CU_ASSERT(ended == KILLED || ended == 0);
    sal_journal j = open_journal(&sweep, SAL_JOURNAL_READ);
    CU_ASSERT(read_all(&j) == 9 * CELLS_A_RUN && j.twice == 0 && j.damaged == 0);
    CU_ASSERT_FATAL(j.n_file == 1 || j.n_file == 5);
    ++states[j.n_file];
    sal_journal_close(&j);
    j = open_journal(&sweep, SAL_JOURNAL_WRITE); /* the next run */
    CU_ASSERT(read_all(&j) == 9 * CELLS_A_RUN && j.n_file == 1 && j.n_all == 1);
    check_ranges(&j, 0, 9 * CELLS_A_RUN - 1, 0, 8);
    sal_journal_close(&j);
  }
  CU_ASSERT(states[1] > 5 && states[5] > 20); /* killed after the rename, and before */
  shell("rm -rf %s.kept # %s %s");
}

SAL_TEST_MAIN_MPI("journal_compact", setup,
                  {"few journals come of many", few_journals_come_of_many},
                  {"only what counts is copied", only_what_counts_is_copied},
                  {"a kill at any time costs and doubles nothing",
                   a_kill_at_any_time_costs_and_doubles_nothing},
                  {"memory comes back", memory_comes_back})
