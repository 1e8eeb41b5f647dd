/** Contents of the journals: each rank reads its share of the files, then all ranks have all of it.
 */
#include "base.h"
#include "collective_error.h"
#include "journal.h"
#include "journal_private.h"
#include "machine.h"
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

static sal_err take_record(const sal_journal_record_head *head, const double range[],
                           int64_t number, int64_t at, sal_journal_list *list)
{
  const double started = 1e-6 * (double)head->lacking;

  list->end = at + sal_journal_record_size(head);
  if (head->count == 0) { /* one run may leave several marks */
    if (started > list->started) list->before = list->n;
    list->started = started;
    list->goal = head->first;
    return SAL_OK;
  }
  SAL_TRY(sal_journal_list_widen(list, range));
  return sal_journal_list_add(list, &(sal_journal_entry){.first = head->first,
                                                         .count = head->count,
                                                         .lacking = head->lacking,
                                                         .file = number,
                                                         .offset = at});
}

sal_err sal_journal_scan_file(sal_journal_file *file, int64_t number, const sal_journal_kin *kin,
                              bool heads, sal_journal_list *list)
{
  sal_journal_record_head head;
  bool whole = false;

  list->end = sal_journal_file_begin(file);
  for (int64_t at = list->end; at >= 0 && at < file->size;) {
    SAL_TRY(
        (heads ? sal_journal_file_head : sal_journal_file_record)(file, at, kin, &head, &whole));
    if (whole && (head.count == 0 || list->n_range == 0 || head.n_range == list->n_range)) {
      SAL_TRY(take_record(&head, file->range, number, at, list));
      at = list->end;
    } else {
      ++list->n_damaged;
      SAL_TRY(sal_journal_file_seek(file, at + 1, &at));
    }
  }
  return SAL_OK;
}

/* A damaged head no longer identifies the sweep of its records, so that nothing in the file counts; a run that
 * writes makes room for what it does anew. */
static sal_err pass_over(const sal_journal *j, const char *path, sal_journal_list *mine)
{
  ++mine->n_aside;
  return j->use == SAL_JOURNAL_READ ? SAL_OK : sal_journal_name_set_aside(path);
}

/* Has this machine a part in the records of a journal, so that its unfinished cells may go on here? */
static sal_err is_of_here(const sal_journal *j, const char *machines, bool *yes)
{
  SAL_OWN_BY(sal_text_free) sal_text all = {0};

  SAL_TRY(sal_machine_join(&all, machines, strlen(machines)));
  if (j->here.string) SAL_TRY(sal_machine_join(&all, j->here.string, j->here.length));
  *yes = j->here.string && strcmp(all.string, machines) == 0;
  return SAL_OK;
}

/* Partial records are of use to a run on the machine that has written them, and to no other reader. */
static sal_err take_entries(const sal_journal *j, const char *machines, const sal_journal_list *one,
                            sal_journal_list *mine)
{
  const int64_t before = mine->n;
  bool here = false, complete = false;

  SAL_TRY(is_of_here(j, machines, &here));
  for (int64_t e = 0; e < one->n; ++e) {
    complete = complete || one->entry[e].lacking == 0;
    if (here || one->entry[e].lacking == 0) SAL_TRY(sal_journal_list_add(mine, &one->entry[e]));
  }
  SAL_TRY(sal_journal_list_widen(mine, one->range));
  return complete && mine->n > before ? sal_machine_join(&mine->machine, machines, strlen(machines))
                                      : SAL_OK;
}

static sal_err scan_one(const sal_journal *j, int64_t i, sal_journal_file *file,
                        sal_journal_list *mine)
{
  const sal_journal_kin kin = sal_journal_identity_kin(j);
  SAL_OWN_BY(sal_journal_list_free) sal_journal_list one = {.n_range = mine->n_range};

  if (file->torn) return SAL_OK;
  if (!file->sound) return pass_over(j, file->path, mine);
  SAL_TRY(sal_journal_identity_check(j, file));
  SAL_TRY(sal_journal_scan_file(file, i, &kin, false, &one));
  mine->n_damaged += one.n_damaged;
  return take_entries(j, file->text[SAL_JOURNAL_MACHINE], &one, mine);
}

/* This rank's share of the files. */
static sal_err scan_share(const sal_journal *j, sal_journal_list *mine)
{
  const int rank = sal_collective_rank(j->comm), size = sal_collective_ranks(j->comm);
  for (int64_t i = rank; i < j->n_file; i += size) {
    char path[PATH_MAX];
    SAL_OWN_BY(sal_journal_file_close) sal_journal_file file = {.fd = -1};
    SAL_TRY(sal_journal_list_path(j, i, path));
    SAL_TRY(sal_journal_file_open(path, &file));
    SAL_TRY(scan_one(j, i, &file, mine));
  }
  return SAL_OK;
}

/* Collective, also when this rank has failed: the lists of all ranks become that of the journals. */
static sal_err gather_lists(sal_journal *j, sal_journal_list *mine, sal_err err)
{
  SAL_OWN void *entry = NULL;
  sal_journal_list all = {0};
  int64_t twice, aside;

  SAL_TRY(sal_collective_error(j->comm, err));
  SAL_TRY(
      sal_collective_gather(j->comm, -1, mine->n, sizeof *all.entry, mine->entry, &all.n, &entry));
  SAL_TRY_MPI(MPI_Allreduce(&mine->n_damaged, &j->damaged, 1, MPI_INT64_T, MPI_SUM, j->comm));
  SAL_TRY_MPI(MPI_Allreduce(&mine->n_aside, &aside, 1, MPI_INT64_T, MPI_SUM, j->comm));
  all.entry = entry;
  j->aside = j->use == SAL_JOURNAL_READ ? aside : j->aside + aside;
  j->cells = sal_journal_list_sort(&all, &j->n_partial, &twice);
  j->twice += twice;
  sal_free(j->entry);
  j->entry = all.entry;
  j->n_entry = all.n;
  entry = NULL;
  sal_free(j->range); /* of what a rank has scanned and written: they stay with it */
  j->range = mine->range;
  mine->range = NULL;
  sal_text_free(&j->machine);
  return sal_machine_gather(j->comm, &mine->machine, &j->machine);
}

static sal_err scan_files(sal_journal *j)
{
  SAL_OWN_BY(sal_journal_list_free) sal_journal_list mine = {.n_range = j->ranges.n};

  SAL_TRY(sal_journal_list_files(j));
  j->twice = 0;
  return gather_lists(j, &mine, scan_share(j, &mine));
}

/* Files that were set aside leave the list. */
sal_err sal_journal_scan(sal_journal *j)
{
  const int64_t before = j->aside;

  SAL_TRY(scan_files(j));
  return j->use == SAL_JOURNAL_READ || j->aside == before ? SAL_OK : scan_files(j);
}

/* Place of a journal of the only folder in the list of files. */
static sal_err place_of(const sal_journal *j, int64_t number, int64_t *place)
{
  for (*place = j->n_file - 1; *place >= 0; --*place)
    if (j->file[*place].number == number) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: journal %lld has been removed while the run was at work",
                  j->folder[0], (long long)number);
}

/* All of these are in one file. */
static sal_err add_written(const sal_journal *j, const sal_journal_list *written,
                           sal_journal_list *mine)
{
  int64_t place = 0;

  if (written->n > 0) SAL_TRY(place_of(j, written->entry[0].file, &place));
  for (int64_t i = 0; i < written->n; ++i) {
    sal_journal_entry e = written->entry[i];
    e.file = place;
    SAL_TRY(sal_journal_list_add(mine, &e));
  }
  if (written->n > 0)
    SAL_TRY(sal_machine_join(&mine->machine, written->machine.string, written->machine.length));
  return sal_journal_list_widen(mine, written->range);
}

/* New journals have higher numbers than those there were, whose places thus stay. */
sal_err sal_journal_scan_add(sal_journal *j, const sal_journal_list *written,
                             sal_journal_held *held)
{
  SAL_OWN_BY(sal_journal_list_free) sal_journal_list mine = {.n_range = j->ranges.n};
  sal_err err = SAL_OK;

  const int rank = sal_collective_rank(j->comm);
  j->begun = true;
  SAL_TRY(sal_journal_list_files(j));
  mine.n_damaged = rank == 0 ? j->damaged : 0;
  for (int64_t i = 0; rank == 0 && i < j->n_entry + j->n_partial && err == SAL_OK; ++i)
    err = sal_journal_list_add(&mine, &j->entry[i]);
  if (err == SAL_OK) err = sal_journal_list_widen(&mine, j->range);
  if (err == SAL_OK) err = sal_machine_join(&mine.machine, j->machine.string, j->machine.length);
  if (err == SAL_OK) err = add_written(j, written, &mine);
  if (err == SAL_OK) err = sal_journal_held_join(&j->held, held);
  return gather_lists(j, &mine, err);
}

/* Widens a list by a rank's share of the entries. */
static sal_err read_ranges(const sal_journal *j, sal_journal_list *mine)
{
  SAL_OWN_BY(sal_journal_read_end) sal_journal_reader reader = {.journal = j};
  const int rank = sal_collective_rank(j->comm), size = sal_collective_ranks(j->comm);
  const int64_t end = j->n_entry * (rank + 1) / size;

  for (int64_t i = j->n_entry * rank / size; i < end; ++i) {
    const double *range;
    SAL_TRY(sal_journal_read_range(&reader, &j->entry[i], &range));
    SAL_TRY(sal_journal_list_widen(mine, range));
  }
  return SAL_OK;
}

sal_err sal_journal_scan_ranges(const sal_journal *j, double range[])
{
  SAL_OWN_BY(sal_journal_list_free) sal_journal_list mine = {.n_range = j->ranges.n};
  const int64_t n = j->ranges.n;
  const sal_err err =
      j->twice > 0 ? read_ranges(j, &mine) : sal_journal_list_widen(&mine, j->range);

  for (int64_t i = 0; i < n; ++i) {
    range[i] = mine.range ? mine.range[i] : INFINITY;
    range[n + i] = mine.range ? mine.range[n + i] : -INFINITY;
  }
  return err;
}

sal_err sal_journal_missing(const sal_journal *j, sal_tile **run, int64_t *n)
{
  int64_t at = 0;

  *n = 0;
  *run = sal_alloc((size_t)j->n_entry + 1, sizeof **run);
  if (!*run) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of cells to do");
  for (int64_t i = 0; i <= j->n_entry; ++i) {
    const int64_t next = i < j->n_entry ? j->entry[i].first : j->sweep->n_cell;
    if (next > at) (*run)[(*n)++] = (sal_tile){at, next - at};
    if (i < j->n_entry) at = next + j->entry[i].count;
  }
  return SAL_OK;
}
