/** @file src/io/journal/journal_scan.c
 *  What is in the journals: each rank reads its share of the files, then all know all of it.
 */
#include "journal_scan.h"
#include "collective_error.h"
#include "contender.h"
#include "memory.h"
#include <assert.h>
#include <limits.h>

sal_err sal_journal_scan_file(sal_journal_file *file, int64_t number, uint64_t fingerprint,
                              int64_t n_cell, int64_t n_contender,
                              const sal_journal_visitor *visitor, sal_journal_list *list)
{
  sal_record_head head;
  bool            whole;

  for (int64_t at = sal_journal_file_begin(file); at >= 0 && at < file->size;) {
    SAL_TRY(sal_journal_file_record(file, at, fingerprint, n_cell, n_contender, &head, &whole));
    if (whole) {
      const sal_tile_result result = sal_journal_file_result(file, &head);
      if (visitor && visitor->see) visitor->see(visitor->with, &result);
      SAL_TRY(sal_journal_list_add(list, &(sal_journal_entry){head.first, head.count, number, at}));
      at += sal_journal_record_size(&head);
    } else {
      ++list->n_damaged;
      SAL_TRY(sal_journal_file_seek(file, at + 1, &at));
    }
  }
  return SAL_OK;
}

/* This rank's share of the files. */
static sal_err scan_share(const sal_journal *j, sal_journal_list *mine)
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
    if (err == SAL_OK)
      err = sal_journal_scan_file(&file, i, j->fingerprint, j->sweep->n_cell,
                                  sal_contender_count(j->sweep), &j->visitor, mine);
    sal_journal_file_close(&file);
  }
  return err;
}

/* Room for the entries of all ranks, and where each rank's begin, in units of one entry. */
static sal_err make_room_for_all(const sal_journal *j, int64_t n_mine, int *count, int *begin,
                                 sal_journal_list *all)
{
  int size, n = (int)n_mine;

  assert(count && begin);
  SAL_TRY_MPI(MPI_Comm_size(j->comm, &size));
  SAL_TRY_MPI(MPI_Allgather(&n, 1, MPI_INT, count, 1, MPI_INT, j->comm));
  for (int r = 0; r < size; ++r) {
    begin[r] = (int)all->n;
    all->n += count[r];
  }
  all->entry = sal_alloc((size_t)all->n, sizeof *all->entry);
  return sal_collective_error(
      j->comm,
      all->entry ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a list of journal records"));
}

/* The lists of all ranks become that of the journals. */
static sal_err gather_into(sal_journal *j, const sal_journal_list *mine, int *count, int *begin)
{
  sal_journal_list all = {0};
  MPI_Datatype     type;
  int64_t          twice;
  sal_err          err = make_room_for_all(j, mine->n, count, begin, &all);

  if (err != SAL_OK) {
    sal_free(all.entry);
    return err;
  }
  SAL_TRY_MPI(MPI_Type_contiguous((int)(sizeof *all.entry / sizeof(int64_t)), MPI_INT64_T, &type));
  SAL_TRY_MPI(MPI_Type_commit(&type));
  SAL_TRY_MPI(
      MPI_Allgatherv(mine->entry, (int)mine->n, type, all.entry, count, begin, type, j->comm));
  SAL_TRY_MPI(MPI_Type_free(&type));
  SAL_TRY_MPI(MPI_Allreduce(&mine->n_damaged, &j->damaged, 1, MPI_INT64_T, MPI_SUM, j->comm));
  j->cells = sal_journal_list_sort(&all, &twice);
  j->twice += twice;
  sal_free(j->entry);
  j->entry   = all.entry;
  j->n_entry = all.n;
  return SAL_OK;
}

/* Collective, also when this rank has failed. */
static sal_err gather_lists(sal_journal *j, const sal_journal_list *mine, sal_err err)
{
  int size;

  SAL_TRY_MPI(MPI_Comm_size(j->comm, &size));
  int *count = sal_alloc((size_t)size, sizeof *count),
      *begin = sal_alloc((size_t)size, sizeof *begin);
  if (err == SAL_OK && !(count && begin))
    err = sal_fail(SAL_ERR_MEMORY, "no memory for a list of ranks");
  err = sal_collective_error(j->comm, err);
  if (err == SAL_OK) err = gather_into(j, mine, count, begin);
  sal_free(count);
  sal_free(begin);
  return err;
}

sal_err sal_journal_scan(sal_journal *j)
{
  sal_journal_list mine = {0};

  SAL_TRY(sal_journal_list_files(j));
  j->twice          = 0;
  const sal_err err = gather_lists(j, &mine, scan_share(j, &mine));
  sal_free(mine.entry);
  return err;
}

/* Place of a journal of the only folder in the list of files. */
static sal_err place_of(const sal_journal *j, int64_t number, int64_t *place)
{
  for (*place = j->n_file - 1; *place >= 0; --*place)
    if (j->file[*place].number == number) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: journal %lld has been removed while the run was at work",
                  j->folder[0], (long long)number);
}

static sal_err add_written(const sal_journal *j, const sal_journal_list *written,
                           sal_journal_list *mine)
{
  for (int64_t i = 0; i < written->n; ++i) {
    sal_journal_entry e = written->entry[i];
    SAL_TRY(place_of(j, e.file, &e.file));
    SAL_TRY(sal_journal_list_add(mine, &e));
  }
  return SAL_OK;
}

/* New journals have higher numbers than those there were, whose places thus stay. */
sal_err sal_journal_scan_add(sal_journal *j, const sal_journal_list *written)
{
  sal_journal_list mine = {0};
  sal_err          err  = SAL_OK;
  int              rank;

  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &rank));
  SAL_TRY(sal_journal_list_files(j));
  mine.n_damaged = rank == 0 ? j->damaged : 0;
  for (int64_t i = 0; rank == 0 && i < j->n_entry && err == SAL_OK; ++i)
    err = sal_journal_list_add(&mine, &j->entry[i]);
  if (err == SAL_OK) err = add_written(j, written, &mine);
  err = gather_lists(j, &mine, err);
  sal_free(mine.entry);
  return err;
}

sal_err sal_journal_missing(const sal_journal *j, sal_tile **run, int64_t *n)
{
  int64_t at = 0;

  *n   = 0;
  *run = sal_alloc((size_t)j->n_entry + 1, sizeof **run);
  if (!*run) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of cells to do");
  for (int64_t i = 0; i <= j->n_entry; ++i) {
    const int64_t next = i < j->n_entry ? j->entry[i].first : j->sweep->n_cell;
    if (next > at) (*run)[(*n)++] = (sal_tile){at, next - at};
    if (i < j->n_entry) at = next + j->entry[i].count;
  }
  return SAL_OK;
}
