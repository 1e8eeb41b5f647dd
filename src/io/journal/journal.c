/** @file src/io/journal/journal.c
 *  Folders of journals: made, locked, compared, removed.
 */
#include "journal.h"
#include "build_info.h"
#include "collective_error.h"
#include "contender.h"
#include "journal_diff.h"
#include "journal_scan.h"
#include "memory.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_DIFF = 1200, TRIES = 40 };

sal_err sal_journal_folder(const char *output, int part, int n_part, char folder[])
{
  char suffix[64] = "";

  if (n_part > 1) snprintf(suffix, sizeof suffix, ".%d-of-%d", part, n_part);
  if (snprintf(folder, PATH_MAX, "%s.journal%s", output, suffix) < PATH_MAX) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: the name is too long", output);
}

/* The sweep, and the program: another one may give other bits. */
static char *identity_of(const sal_sweep *sweep)
{
  sal_text text = {0};

  sal_text_add(&text, "# saltus %s %s, %d + %d metrics\n", SAL_BUILD_VERSION, SAL_BUILD_COMMIT,
               SAL_N_CELL_METRIC, SAL_N_METRIC);
  sal_text_add(&text, "%s", sweep->settled);
  return sal_text_take(&text);
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

static sal_err lock_folder(sal_journal *j, int i)
{
  const int how = j->use == SAL_JOURNAL_READ ? LOCK_SH : LOCK_EX;

  j->lock[i] = open(j->folder[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (j->lock[i] < 0) return sal_journal_file_fail(j->folder[i], "read");
  if (busy(j->lock[i], how))
    return sal_fail(SAL_ERR_EXISTS, "%s: another run is at work here", j->folder[i]);
  return SAL_OK;
}

/* Another run that ends may remove the folder between two looks. */
static sal_err make_folder(sal_journal *j, const char *folder)
{
  struct stat about;

  for (int i = 0;; ++i) {
    if (mkdir(folder, 0777) == 0)
      j->created = true;
    else if (errno != EEXIST)
      return sal_journal_file_fail(folder, "made");
    if (stat(folder, &about) == 0) break;
    if (errno != ENOENT || i == TRIES) return sal_journal_file_fail(folder, "read");
    j->created = false;
  }
  if (!S_ISDIR(about.st_mode))
    return sal_fail(SAL_ERR_IO, "%s: is no folder, but the journals of the run must go there",
                    folder);
  return access(folder, W_OK | X_OK) ? sal_journal_file_fail(folder, "written") : SAL_OK;
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

static sal_err refuse_sweep(const sal_journal *j, const char *path, const sal_journal_file *file)
{
  sal_text text = {0};

  sal_text_add(&text, "%s: is of another sweep or program%s.  What changed (- there, + now):", path,
               j->use == SAL_JOURNAL_READ ? "" : "; --force discards these journals");
  if (file->head.version != SAL_JOURNAL_VERSION)
    sal_text_add(&text, "\n- format %u\n+ format %d", file->head.version, SAL_JOURNAL_VERSION);
  else
    sal_journal_diff(file->text[SAL_JOURNAL_IDENTITY], j->identity, MOST_DIFF, &text);
  sal_fail(SAL_ERR_EXISTS, "%s", text.string ? text.string : path);
  sal_text_free(&text);
  return SAL_ERR_EXISTS;
}

static bool is_ours(const sal_journal *j, const sal_journal_file *file)
{
  const sal_journal_head *h = &file->head;

  return h->version == SAL_JOURNAL_VERSION && h->n_cell_metric == SAL_N_CELL_METRIC &&
         h->n_metric == SAL_N_METRIC && h->n_contender == (uint32_t)sal_contender_count(j->sweep) &&
         h->n_cell == j->sweep->n_cell &&
         strcmp(file->text[SAL_JOURNAL_IDENTITY], j->identity) == 0;
}

/* Is one of this rank's share of the files of another sweep?  A damaged head tells nothing; the
 * checksums of its records do. */
static sal_err check_sweep(const sal_journal *j)
{
  sal_err err = SAL_OK;
  int     rank, size;

  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &rank));
  SAL_TRY_MPI(MPI_Comm_size(j->comm, &size));
  for (int64_t i = rank; i < j->n_file && err == SAL_OK; i += size) {
    char             path[PATH_MAX];
    sal_journal_file file;
    SAL_TRY(sal_journal_list_path(j, i, path));
    err = sal_journal_file_open(path, &file);
    if (err == SAL_OK && file.sound && !is_ours(j, &file)) err = refuse_sweep(j, path, &file);
    sal_journal_file_close(&file);
  }
  return err;
}

sal_err sal_journal_remove(const sal_journal *j)
{
  for (int64_t i = 0; i < j->n_file; ++i) {
    char path[PATH_MAX];
    SAL_TRY(sal_journal_list_path(j, i, path));
    if (unlink(path) && errno != ENOENT) return sal_journal_file_fail(path, "removed");
  }
  for (int f = 0; f < j->n_folder; ++f)
    if (rmdir(j->folder[f]) && errno != ENOTEMPTY && errno != EEXIST && errno != ENOENT &&
        errno != ENOTDIR) /* a symbolic link to a folder */
      return sal_journal_file_fail(j->folder[f], "removed");
  return SAL_OK;
}

/* Journals of another sweep go, all of them: the user has said so. */
static sal_err start_anew(sal_journal *j)
{
  int rank;

  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &rank));
  SAL_TRY(sal_collective_error(j->comm, rank == 0 ? sal_journal_remove(j) : SAL_OK));
  unlock_folders(j);
  SAL_TRY(sal_collective_error(j->comm, rank == 0 ? take_folders(j) : SAL_OK));
  return sal_journal_list_files(j);
}

static sal_err describe_run(sal_journal *j)
{
  struct timespec now;

  j->identity = identity_of(j->sweep);
  if (!j->identity) return sal_fail(SAL_ERR_MEMORY, "no memory for the text of the sweep");
  j->fingerprint = sal_journal_fingerprint(j->identity);
  clock_gettime(CLOCK_REALTIME, &now);
  j->started = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  return SAL_OK;
}

sal_err sal_journal_open(MPI_Comm comm, int n_folder, const char *const folder[],
                         const sal_sweep *sweep, sal_journal_use use,
                         const sal_journal_visitor *visitor, sal_journal *j)
{
  int rank;

  *j = (sal_journal){
      .comm = comm, .n_folder = n_folder, .folder = folder, .sweep = sweep, .use = use};
  if (visitor) j->visitor = *visitor;
  SAL_TRY_MPI(MPI_Comm_rank(comm, &rank));
  SAL_TRY(sal_collective_error(comm, describe_run(j)));
  SAL_TRY_MPI(MPI_Bcast(&j->started, 1, MPI_DOUBLE, 0, comm));
  SAL_TRY(sal_collective_error(comm, rank == 0 ? take_folders(j) : SAL_OK));
  SAL_TRY(sal_journal_list_files(j));
  const sal_err other = sal_collective_error(comm, check_sweep(j));
  if (other == SAL_ERR_EXISTS && use == SAL_JOURNAL_ANEW) {
    sal_err_clear();
    SAL_TRY(start_anew(j));
  } else if (other != SAL_OK) {
    return other;
  }
  return sal_journal_scan(j);
}

void sal_journal_close(sal_journal *j)
{
  /* fails, as it should, when there is something in it */
  for (int f = 0; j->created && f < j->n_folder; ++f) rmdir(j->folder[f]);
  unlock_folders(j);
  sal_free(j->identity);
  sal_free(j->file);
  sal_free(j->entry);
  *j = (sal_journal){0};
}
