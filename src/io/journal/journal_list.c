/** Lists of files, made on one rank for all, and of records. */
#include "array.h"
#include "base.h"
#include "collective_error.h"
#include "journal_private.h"

sal_err sal_journal_list_add(sal_journal_list *list, const sal_journal_entry *entry)
{
  sal_journal_entry *all = sal_array_grow(list->entry, list->n, 1, &list->room, sizeof *all);

  if (!all) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of journal records");
  list->entry = all;
  all[list->n++] = *entry;
  return SAL_OK;
}

sal_err sal_journal_list_widen(sal_journal_list *list, const double range[])
{
  const int64_t n = list->n_range;

  if (n == 0 || !range) return SAL_OK;
  if (!list->range) {
    list->range = sal_alloc(2 * (size_t)n, sizeof *list->range);
    if (!list->range) return sal_fail(SAL_ERR_MEMORY, "no memory for ranges of records");
    memcpy(list->range, range, 2 * (size_t)n * sizeof *list->range);
    return SAL_OK;
  }
  for (int64_t i = 0; i < n; ++i) {
    list->range[i] = fmin(list->range[i], range[i]);
    list->range[n + i] = fmax(list->range[n + i], range[n + i]);
  }
  return SAL_OK;
}

void sal_journal_list_free(sal_journal_list *list)
{
  sal_free_all(list->entry, list->range);
  sal_text_free(&list->machine);
  *list = (sal_journal_list){0};
}

static int by_first_cell(const void *a, const void *b)
{
  const sal_journal_entry *x = a, *y = b;

  if (!x->lacking != !y->lacking) return x->lacking ? 1 : -1;
  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

/* A complete record that shares a cell with one before it goes; should that leave cells without a record,
 * they are run again.  Partial ones move up after the others. */
int64_t sal_journal_list_sort(sal_journal_list *list, int64_t *n_partial, int64_t *twice)
{
  int64_t kept = 0, end = 0, cells = 0, i = 0;

  *twice = 0;
  if (list->n) qsort(list->entry, (size_t)list->n, sizeof *list->entry, by_first_cell);
  for (; i < list->n && list->entry[i].lacking == 0; ++i) {
    const sal_journal_entry *e = &list->entry[i];
    if (e->first < end) {
      *twice += e->count;
      continue;
    }
    end = e->first + e->count;
    cells += e->count;
    list->entry[kept++] = *e;
  }
  if (i < list->n)
    memmove(list->entry + kept, list->entry + i, (size_t)(list->n - i) * sizeof *list->entry);
  *n_partial = list->n - i;
  list->n = kept;
  return cells;
}

int64_t sal_journal_list_at(int64_t n, const sal_journal_entry entry[], int64_t cell)
{
  int64_t low = 0, high = n;

  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (entry[middle].first + entry[middle].count <= cell)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

sal_err sal_journal_list_path(const sal_journal *j, int64_t i, char path[])
{
  return sal_journal_name_path(j->folder[j->file[i].folder], &j->file[i], path);
}

static sal_err add_folders(sal_journal *j)
{
  int64_t room = 0;

  for (int f = 0; f < j->n_folder; ++f)
    SAL_TRY(sal_journal_name_list(j->folder[f], f, &j->file, &j->n_file, &room));
  return SAL_OK;
}

sal_err sal_journal_list_files(sal_journal *j)
{
  enum { WORDS = sizeof *j->file / sizeof(int64_t) };

  sal_free(j->file);
  j->file = NULL;
  j->n_file = 0;
  const int rank = sal_collective_rank(j->comm);
  SAL_TRY(sal_collective_first(j->comm, add_folders(j)));
  SAL_TRY_MPI(MPI_Bcast(&j->n_file, 1, MPI_INT64_T, 0, j->comm));
  if (rank != 0) j->file = sal_alloc((size_t)j->n_file, sizeof *j->file);
  SAL_TRY(sal_collective_error(j->comm,
                               rank == 0 || j->file
                                   ? SAL_OK
                                   : sal_fail(SAL_ERR_MEMORY, "no memory for a list of journals")));
  SAL_TRY_MPI(MPI_Bcast(j->file, WORDS * (int)j->n_file, MPI_INT64_T, 0, j->comm));
  return SAL_OK;
}
