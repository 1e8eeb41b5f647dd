/** Folders of journals: made, locked, compared, removed. */
#include "journal.h"
#include "atomic_file.h"
#include "base.h"
#include "collective_error.h"
#include "journal_private.h"
#include "machine.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 40 };

sal_err sal_journal_folder(const char *output, int part, int n_part, char folder[])
{
  char suffix[64] = "", place[PATH_MAX];

  if (n_part > 1) snprintf(suffix, sizeof suffix, ".%d-of-%d", part, n_part);
  SAL_TRY(sal_atomic_file_place(output, place));
  if (snprintf(folder, PATH_MAX, "%s.journal%s", place, suffix) < PATH_MAX) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: the name is too long", output);
}

/* File systems that know no locks do without.  A run that was killed lets go a moment later, and
 * `saltus info` at once, so that it is worth trying for a while. */
static bool busy(int fd, int how)
{
  const struct timespec nap = {0, 50000000};

  for (int i = 0; i < TRIES; ++i) {
    if (flock(fd, how | LOCK_NB) == 0 || errno != EWOULDBLOCK) return false;
    nanosleep(&nap, NULL);
  }
  return true;
}

/* A run that ends removes the folder while this one waits for its lock. */
static bool is_gone(const char *folder, int fd)
{
  struct stat held, named;

  return fstat(fd, &held) == 0 &&
         (stat(folder, &named) != 0 || named.st_ino != held.st_ino || named.st_dev != held.st_dev);
}

static sal_err lock_folder(sal_journal *j, int i)
{
  const char *folder = j->folder[i];
  const int how = j->use == SAL_JOURNAL_READ ? LOCK_SH : LOCK_EX;

  j->lock[i] = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (j->lock[i] < 0 && (errno != ENOENT || j->use == SAL_JOURNAL_READ))
    return sal_journal_name_fail(folder, "read");
  if (j->lock[i] >= 0 && busy(j->lock[i], how))
    return sal_fail(SAL_ERR_BUSY, "%s: another run is at work here; start this one after its end",
                    folder);
  if (j->lock[i] < 0 || is_gone(folder, j->lock[i]))
    return sal_fail(SAL_ERR_BUSY,
                    "%s: another run was at work here and has ended meanwhile; the same command "
                    "finds what it has made",
                    folder);
  return SAL_OK;
}

/* Another run that ends may remove the folder between two looks. */
static sal_err make_folder(sal_journal *j, const char *folder)
{
  struct stat about;

  for (int i = 0;; ++i) {
    j->created = mkdir(folder, 0777) == 0;
    if (j->created)
      SAL_TRY(sal_atomic_file_sync_name(folder));
    else if (errno != EEXIST)
      return sal_journal_name_fail(folder, "made");
    if (stat(folder, &about) == 0) break;
    if (errno != ENOENT || i == TRIES) return sal_journal_name_fail(folder, "read");
  }
  if (!S_ISDIR(about.st_mode))
    return sal_fail(SAL_ERR_IO, "%s: is not a folder, but the journals of the run must go there",
                    folder);
  return access(folder, W_OK | X_OK) ? sal_journal_name_fail(folder, "written") : SAL_OK;
}

static void unlock_folders(sal_journal *j)
{
  for (int i = 0; j->lock && i < j->n_folder; ++i)
    if (j->lock[i] >= 0) close(j->lock[i]);
  sal_free(j->lock);
  j->lock = NULL;
}

/* On rank 0. */
static sal_err take_folders(sal_journal *j)
{
  j->lock = sal_alloc((size_t)j->n_folder, sizeof *j->lock);
  if (!j->lock) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of folders");
  for (int i = 0; i < j->n_folder; ++i) j->lock[i] = -1;
  for (int i = 0; i < j->n_folder; ++i) {
    if (j->use != SAL_JOURNAL_READ) SAL_TRY(make_folder(j, j->folder[i]));
    SAL_TRY(lock_folder(j, i));
  }
  return SAL_OK;
}

/* This rank's share of the files. */
static sal_err remove_share(const sal_journal *j)
{
  const int rank = sal_collective_rank(j->comm), size = sal_collective_ranks(j->comm);
  for (int64_t i = rank; i < j->n_file; i += size) {
    char path[PATH_MAX];
    SAL_TRY(sal_journal_list_path(j, i, path));
    if (!sal_journal_file_is_ours(path)) continue; /* somebody else's of such a name */
    if (unlink(path) && errno != ENOENT) return sal_journal_name_fail(path, "removed");
  }
  return SAL_OK;
}

static sal_err remove_folders(const sal_journal *j)
{
  for (int f = 0; f < j->n_folder; ++f) sal_journal_design_remove(j->folder[f]);
  for (int f = 0; f < j->n_folder; ++f)
    if (rmdir(j->folder[f]) && errno != ENOTEMPTY && errno != EEXIST && errno != ENOENT &&
        errno != ENOTDIR) /* a symbolic link to a folder */
      return sal_journal_name_fail(j->folder[f], "removed");
  return SAL_OK;
}

sal_err sal_journal_remove(const sal_journal *j)
{
  SAL_TRY(sal_collective_error(j->comm, remove_share(j)));
  return sal_collective_first(j->comm, remove_folders(j));
}

/* Journals of another sweep go, all of them: the user has said so. */
static sal_err start_anew(sal_journal *j)
{
  SAL_TRY(sal_journal_remove(j));
  unlock_folders(j);
  SAL_TRY(sal_collective_first(j->comm, take_folders(j)));
  return sal_journal_scan(j);
}

static sal_err describe_run(sal_journal *j)
{
  struct timespec now;

  SAL_TRY(sal_journal_identity_set(j));
  if (j->use != SAL_JOURNAL_READ) SAL_TRY(sal_machine_describe(j->sweep, &j->here));
  clock_gettime(CLOCK_REALTIME, &now);
  j->started = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  return SAL_OK;
}

sal_err sal_journal_open(MPI_Comm comm, int n_folder, const char *const folder[],
                         const sal_sweep *sweep, sal_journal_use use,
                         const sal_journal_ranges *ranges, sal_journal *j)
{
  *j = (sal_journal){
      .comm = comm, .n_folder = n_folder, .folder = folder, .sweep = sweep, .use = use};
  if (ranges) j->ranges = *ranges;
  SAL_TRY(sal_collective_error(comm, describe_run(j)));
  SAL_TRY_MPI(MPI_Bcast(&j->started, 1, MPI_DOUBLE, 0, comm));
  SAL_TRY(sal_collective_first(comm, take_folders(j)));
  if (use != SAL_JOURNAL_READ) SAL_TRY(sal_node_ranks_find(comm, &j->node));
  sal_err err = sal_journal_scan(j);
  if (err == SAL_ERR_EXISTS && use == SAL_JOURNAL_ANEW) {
    sal_err_clear();
    err = start_anew(j);
  }
  return err;
}

void sal_journal_close(sal_journal *j)
{
  /* fails, as it should, when there is something in it */
  for (int f = 0; j->created && f < j->n_folder; ++f) rmdir(j->folder[f]);
  unlock_folders(j);
  sal_node_ranks_free(&j->node);
  sal_free_all(j->identity, j->file, j->entry, j->range);
  sal_text_free(&j->machine);
  sal_text_free(&j->here);
  sal_journal_held_free(&j->held);
  *j = (sal_journal){0};
}
