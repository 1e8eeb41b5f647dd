/** @file src/io/journal/journal_list.c
 *  Lists of files, made on one rank for all, and of records.
 */
#include "journal_list.h"
#include "collective_error.h"
#include "journal_file.h"
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

static int by_first_cell(const void *a, const void *b)
{
  const sal_journal_entry *x = a, *y = b;

  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

/* A record that shares a cell with one before it goes; should that leave cells without a record,
 * they are run again. */
int64_t sal_journal_list_sort(sal_journal_list *list, int64_t *twice)
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

sal_err sal_journal_list_path(const sal_journal *j, int64_t i, char path[])
{
  return sal_journal_file_name(j->folder[j->file[i].folder], j->file[i].number, path);
}

/* Adds the files of folder number f. */
static sal_err add_folder(sal_journal *j, int f)
{
  int64_t *number = NULL, n = 0;

  sal_err           err  = sal_journal_file_list(j->folder[f], &number, &n);
  sal_journal_name *file = err ? NULL : sal_alloc((size_t)(j->n_file + n), sizeof *file);
  if (file) {
    if (j->n_file) memcpy(file, j->file, (size_t)j->n_file * sizeof *file);
    for (int64_t i = 0; i < n; ++i) file[j->n_file + i] = (sal_journal_name){f, number[i]};
    sal_free(j->file);
    j->file = file;
    j->n_file += n;
  } else if (err == SAL_OK) {
    err = sal_fail(SAL_ERR_MEMORY, "no memory for a list of journals");
  }
  sal_free(number);
  return err;
}

static sal_err add_folders(sal_journal *j)
{
  for (int f = 0; f < j->n_folder; ++f) SAL_TRY(add_folder(j, f));
  return SAL_OK;
}

sal_err sal_journal_list_files(sal_journal *j)
{
  int rank;

  sal_free(j->file);
  j->file   = NULL;
  j->n_file = 0;
  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &rank));
  SAL_TRY(sal_collective_error(j->comm, rank == 0 ? add_folders(j) : SAL_OK));
  SAL_TRY_MPI(MPI_Bcast(&j->n_file, 1, MPI_INT64_T, 0, j->comm));
  if (rank != 0) j->file = sal_alloc((size_t)j->n_file, sizeof *j->file);
  SAL_TRY(sal_collective_error(
      j->comm, j->file ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a list of journals")));
  SAL_TRY_MPI(MPI_Bcast(j->file, 2 * (int)j->n_file, MPI_INT64_T, 0, j->comm));
  return SAL_OK;
}
