/** @file src/io/journal/journal.c
 *  Folders of journals: made, locked, listed, removed.
 */
#include "journal.h"
#include "build_info.h"
#include "collective_error.h"
#include "contender.h"
#include "journal_diff.h"
#include "journal_list.h"
#include "memory.h"
#include <errno.h>
#include <fcntl.h>
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

sal_err sal_journal_path(const sal_journal *j, int64_t i, char path[])
{
  return sal_journal_file_name(j->folder[j->file[i].folder], j->file[i].number, path);
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
 * `saltus info` at once, so some patience is due. */
static bool busy(int fd, int how)
{
  const struct timespec nap = {0, 50000000};

  for (int i = 0; i < TRIES; ++i) {
    if (flock(fd, how | LOCK_NB) == 0 || errno != EWOULDBLOCK) return false;
    nanosleep(&nap, NULL);
  }
  return true;
}

static sal_err lock(sal_journal *j, int i)
{
  const int how = j->use == SAL_JOURNAL_READ ? LOCK_SH : LOCK_EX;

  j->lock[i] = open(j->folder[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (j->lock[i] < 0) return sal_journal_file_fail(j->folder[i], "read");
  if (busy(j->lock[i], how))
    return sal_fail(SAL_ERR_EXISTS, "%s: another run is at work here", j->folder[i]);
  return SAL_OK;
}

static sal_err make_folder(sal_journal *j, const char *folder)
{
  struct stat about;

  if (mkdir(folder, 0777) == 0)
    j->created = true;
  else if (errno != EEXIST)
    return sal_journal_file_fail(folder, "made");
  if (stat(folder, &about)) return sal_journal_file_fail(folder, "read");
  if (!S_ISDIR(about.st_mode))
    return sal_fail(SAL_ERR_IO, "%s: is no folder, but the journals of the run must go there",
                    folder);
  return access(folder, W_OK | X_OK) ? sal_journal_file_fail(folder, "written") : SAL_OK;
}

static void unlock(sal_journal *j)
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
    SAL_TRY(lock(j, i));
  }
  return SAL_OK;
}

static sal_err refuse(const sal_journal *j, const char *path, const sal_journal_file *file)
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

static bool ours(const sal_journal *j, const sal_journal_file *file)
{
  const sal_journal_head *h = &file->head;

  return h->version == SAL_JOURNAL_VERSION && h->n_cell_metric == SAL_N_CELL_METRIC &&
         h->n_metric == SAL_N_METRIC && h->n_contender == (uint32_t)sal_contender_count(j->sweep) &&
         h->n_cell == j->sweep->n_cell &&
         strcmp(file->text[SAL_JOURNAL_IDENTITY], j->identity) == 0;
}

/* Is one of this rank's share of the files of another sweep?  A damaged head belongs to nobody; its
 * records tell by themselves whose they are. */
static sal_err check_sweep(const sal_journal *j)
{
  sal_err err = SAL_OK;
  int     rank, size;

  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &rank));
  SAL_TRY_MPI(MPI_Comm_size(j->comm, &size));
  for (int64_t i = rank; i < j->n_file && err == SAL_OK; i += size) {
    char             path[PATH_MAX];
    sal_journal_file file;
    SAL_TRY(sal_journal_path(j, i, path));
    err = sal_journal_file_open(path, &file);
    if (err == SAL_OK && file.sound && !ours(j, &file)) err = refuse(j, path, &file);
    sal_journal_file_close(&file);
  }
  return err;
}

/* Adds the files of folder number f. */
static sal_err list_folder(sal_journal *j, int f)
{
  int64_t *number = NULL, n = 0;

  sal_err err = sal_journal_file_list(j->folder[f], &number, &n);
  if (err == SAL_OK) {
    sal_journal_name *file = sal_alloc((size_t)(j->n_file + n), sizeof *file);
    if (!file) err = sal_fail(SAL_ERR_MEMORY, "no memory for a list of journals");
    if (file && j->n_file) memcpy(file, j->file, (size_t)j->n_file * sizeof *file);
    for (int64_t i = 0; file && i < n; ++i) file[j->n_file + i] = (sal_journal_name){f, number[i]};
    sal_free(j->file);
    j->file = file;
    j->n_file += n;
  }
  sal_free(number);
  return err;
}

static sal_err list_all(sal_journal *j)
{
  for (int f = 0; f < j->n_folder; ++f) SAL_TRY(list_folder(j, f));
  return SAL_OK;
}

sal_err sal_journal_list_files(sal_journal *j)
{
  int rank;

  sal_free(j->file);
  j->file   = NULL;
  j->n_file = 0;
  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &rank));
  SAL_TRY(sal_collective_error(j->comm, rank == 0 ? list_all(j) : SAL_OK));
  SAL_TRY_MPI(MPI_Bcast(&j->n_file, 1, MPI_INT64_T, 0, j->comm));
  if (rank != 0) j->file = sal_alloc((size_t)j->n_file, sizeof *j->file);
  SAL_TRY(sal_collective_error(
      j->comm, j->file ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a list of journals")));
  SAL_TRY_MPI(MPI_Bcast(j->file, 2 * (int)j->n_file, MPI_INT64_T, 0, j->comm));
  return SAL_OK;
}

sal_err sal_journal_remove(const sal_journal *j)
{
  for (int64_t i = 0; i < j->n_file; ++i) {
    char path[PATH_MAX];
    SAL_TRY(sal_journal_path(j, i, path));
    if (unlink(path) && errno != ENOENT) return sal_journal_file_fail(path, "removed");
  }
  for (int f = 0; f < j->n_folder; ++f)
    if (rmdir(j->folder[f]) && errno != ENOTEMPTY && errno != EEXIST && errno != ENOENT)
      return sal_journal_file_fail(j->folder[f], "removed");
  return SAL_OK;
}

/* Journals of another sweep go, all of them: the user has said so. */
static sal_err start_anew(sal_journal *j)
{
  int rank;

  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &rank));
  SAL_TRY(sal_collective_error(j->comm, rank == 0 ? sal_journal_remove(j) : SAL_OK));
  unlock(j);
  SAL_TRY(sal_collective_error(j->comm, rank == 0 ? take_folders(j) : SAL_OK));
  return sal_journal_list_files(j);
}

static sal_err describe(sal_journal *j)
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
                         const sal_sweep *sweep, sal_journal_use use, sal_journal *j)
{
  int rank;

  *j = (sal_journal){
      .comm = comm, .n_folder = n_folder, .folder = folder, .sweep = sweep, .use = use};
  SAL_TRY_MPI(MPI_Comm_rank(comm, &rank));
  SAL_TRY(sal_collective_error(comm, describe(j)));
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
  unlock(j);
  sal_free(j->identity);
  sal_free(j->file);
  sal_free(j->entry);
  *j = (sal_journal){0};
}
