/** A node goes on in its file, and a kill at any time loses no record and leaves none twice.
 *
 *  The program puts its own pwrite, ftruncate, fdatasync and fsync in the place of those of the C library.  In a child process the one that is called the n-th time ends the process at once,
 *  without doing its work, or with half of it done.
 */
#define JOURNAL_TEST "journal_again"
#include "journal_sample.h"
#include <fcntl.h>
#include <math.h>
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

int ftruncate(int fd, off_t length)
{
  if (killed_now()) _exit(KILLED);
  return (int)syscall(SYS_ftruncate, fd, length);
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
    CU_ASSERT_EQUAL(n_files(), 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  run_number = 0;
}

static void runs_have_one_file(void)
{
  struct stat about;

  write_runs(7);
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_READ);
  CU_ASSERT(read_all(&j) == 7 * CELLS_A_RUN && j.twice == 0 && j.damaged == 0);
  check_ranges(&j, 0, 7 * CELLS_A_RUN - 1, 0, 6);
  sal_journal_close(&j);
  remove_all();
  CU_ASSERT(stat(folder, &about) != 0);
}

/* The cells of the run begun last count for its speed. */
static void the_last_run_is_known(void)
{
  sal_journal_info info, later;

  remove_all();
  write_cells(0, 2 * TILE);
  CU_ASSERT_EQUAL_FATAL(sal_journal_info_read(folder, &info), SAL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  write_cells(2 * TILE, 3 * TILE);
  CU_ASSERT_EQUAL_FATAL(sal_journal_info_read(folder, &later), SAL_OK);
  CU_ASSERT(info.goal == CELLS && later.goal == CELLS && later.started > info.started);
  CU_ASSERT(info.done == 2 * TILE && later.done == 3 * TILE && later.files == 1);
  CU_ASSERT(fabs(later.rate * (later.written - later.started) - TILE) < 1e-6);
  sal_text_free(&info.machine);
  sal_text_free(&later.machine);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* In a child: a run of some cells more is killed at the call number n. */
static int write_until(int n, int64_t first)
{
  const pid_t child = fork();
  int status = 0;

  if (child == 0) {
    kill_at = n;
    write_cells(first, first + CELLS_A_RUN);
    _exit(0);
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

static void a_kill_at_any_time_costs_and_doubles_nothing(void)
{
  int n = 0, more = 0;

  if (ranks > 1) return;
  write_runs(5);
  shell("rm -rf %s.kept && cp -r %s %s.kept");
  for (int ended = KILLED; ended == KILLED;) {
    shell("rm -rf %s && cp -r %s.kept %s");
    ended = write_until(++n, 5 * CELLS_A_RUN);
    CU_ASSERT(ended == KILLED || ended == 0);
    sal_journal j = open_journal(&sweep, SAL_JOURNAL_READ);
    const int64_t cells = read_all(&j);
    CU_ASSERT(cells >= 5 * CELLS_A_RUN && j.twice == 0 && j.n_file == 1);
    more += cells > 5 * CELLS_A_RUN;
    sal_journal_close(&j);
    write_cells(cells, 6 * CELLS_A_RUN); /* the next run */
    j = open_journal(&sweep, SAL_JOURNAL_READ);
    CU_ASSERT(read_all(&j) == 6 * CELLS_A_RUN && j.twice == 0 && j.n_file == 1);
    check_ranges(&j, 0, 6 * CELLS_A_RUN - 1, 0, 4);
    sal_journal_close(&j);
  }
  CU_ASSERT(n > 10 && more > 3 && more < n - 3);
  shell("rm -rf %s.kept # %s %s");
}

SAL_TEST_MAIN_MPI("journal_again", setup, {"runs have one file", runs_have_one_file},
                  {"the last run is known", the_last_run_is_known},
                  {"a kill at any time costs and doubles nothing",
                   a_kill_at_any_time_costs_and_doubles_nothing},
                  {"memory comes back", memory_comes_back})
