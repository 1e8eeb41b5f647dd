/** @file src/io/journal/journal_scan.c
 *  What is in the journals: each rank reads its share of the files, then all know all of it.
 */
#include "collective_error.h"
#include "contender.h"
#include "journal.h"
#include "journal_list.h"
#include "memory.h"
#include <stdlib.h>
#include <string.h>

sal_err sal_journal_list_add(sal_journal_list *list, const sal_journal_entry *entry)
{
  if (list->n == list->room) {
    const int64_t      room  = 2 * list->room + 256;
    sal_journal_entry *moved = sal_alloc((size_t)room, sizeof *moved);
    if (!moved) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of journal records");
    if (list->n) memcpy(moved, list->entry, (size_t)list->n * sizeof *moved);
    sal_free(list->entry);
    list->entry = moved;
    list->room  = room;
  }
  list->entry[list->n++] = *entry;
  return SAL_OK;
}

sal_err sal_journal_list_scan(sal_journal_file *file, int64_t number, uint64_t fingerprint,
                              int64_t n_cell, int64_t n_contender, sal_journal_list *list)
{
  sal_record_head head;
  bool            whole;

  for (int64_t at = sal_journal_file_begin(file); at >= 0 && at < file->size;) {
    SAL_TRY(sal_journal_file_record(file, at, fingerprint, n_cell, n_contender, &head, &whole));
    if (whole) {
      SAL_TRY(sal_journal_list_add(list, &(sal_journal_entry){head.first, head.count, number, at}));
      at += sal_record_size(&head);
    } else {
      ++list->n_damaged;
      SAL_TRY(sal_journal_file_seek(file, at + 1, &at));
    }
  }
  return SAL_OK;
}

static int by_first_cell(const void *a, const void *b)
{
  const sal_journal_entry *x = a, *y = b;

  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

/* An entry that shares a cell with one before it goes; should that leave cells without an entry,
 * they are done again. */
int64_t sal_journal_list_settle(sal_journal_list *list, int64_t *twice)
{
  int64_t kept = 0, end = 0, cells = 0;

  *twice = 0;

  if (list->n) qsort(list->entry, (size_t)list->n, sizeof *list->entry, by_first_cell);
  for (int64_t i = 0; i < list->n; ++i) {
    const sal_journal_entry *e = &list->entry[i];
    if (e->first < end) {
      *twice += e->count;
      continue;
    }
    end = e->first + e->count;
    cells += e->count;
    list->entry[kept++] = *e;
  }
  list->n = kept;
  return cells;
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
    SAL_TRY(sal_journal_path(j, i, path));
    err = sal_journal_file_open(path, &file);
    if (err == SAL_OK)
      err = sal_journal_list_scan(&file, i, j->fingerprint, j->sweep->n_cell,
                                  sal_contender_count(j->sweep), mine);
    sal_journal_file_close(&file);
  }
  return err;
}

/* Room for the entries of all ranks, and where each rank's begin, in units of one entry. */
static sal_err make_room(const sal_journal *j, int64_t n_mine, int *count, int *begin,
                         sal_journal_list *all)
{
  int size, n = (int)n_mine;

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

/* Brings the lists of all ranks together. */
static sal_err gather(sal_journal *j, const sal_journal_list *mine, int *count, int *begin)
{
  sal_journal_list all = {0};
  MPI_Datatype     type;
  sal_err          err = make_room(j, mine->n, count, begin, &all);

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
  j->cells = sal_journal_list_settle(&all, &j->twice);
  sal_free(j->entry);
  j->entry   = all.entry;
  j->n_entry = all.n;
  return SAL_OK;
}

sal_err sal_journal_scan(sal_journal *j)
{
  sal_journal_list mine = {0};
  int              size;

  SAL_TRY(sal_journal_list_files(j));
  SAL_TRY_MPI(MPI_Comm_size(j->comm, &size));
  int *count  = sal_alloc((size_t)size, sizeof *count),
      *begin  = sal_alloc((size_t)size, sizeof *begin);
  sal_err err = count && begin ? scan_share(j, &mine)
                               : sal_fail(SAL_ERR_MEMORY, "no memory for a list of ranks");
  err         = sal_collective_error(j->comm, err);
  if (err == SAL_OK) err = gather(j, &mine, count, begin);
  sal_free(mine.entry);
  sal_free(count);
  sal_free(begin);
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
