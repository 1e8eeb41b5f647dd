/** @file src/io/journal/journal_read.c
 *  Records back from journals, and the sweep they are of.
 */
#include "journal_read.h"
#include "contender.h"
#include "journal_file.h"
#include "journal_list.h"
#include "memory.h"
#include "sweep_read.h"
#include <limits.h>
#include <string.h>

/* The file read last stays open: neighbouring cells are often in one. */
struct sal_journal_in {
  int64_t          number; /* in the list of files */
  char             path[PATH_MAX];
  sal_journal_file file;
};

static sal_err open_journal(sal_journal_reader *r, int64_t number)
{
  if (!r->in) {
    r->in = sal_alloc(1, sizeof *r->in);
    if (!r->in) return sal_fail(SAL_ERR_MEMORY, "no memory to read journals");
    r->in->number  = -1;
    r->in->file.fd = -1;
  }
  if (r->in->number == number) return SAL_OK;
  sal_journal_file_close(&r->in->file);
  r->in->number = -1;
  SAL_TRY(sal_journal_list_path(r->journal, number, r->in->path));
  SAL_TRY(sal_journal_file_open(r->in->path, &r->in->file));
  r->in->number = number;
  return SAL_OK;
}

sal_err sal_journal_read(sal_journal_reader *r, const sal_journal_entry *entry,
                         sal_tile_result *result)
{
  const sal_journal *j = r->journal;
  const int          n = sal_contender_count(j->sweep);
  sal_record_head    head;
  bool               whole;

  *result = (sal_tile_result){.first = entry->first, .count = entry->count};
  SAL_TRY(open_journal(r, entry->file));
  SAL_TRY(sal_journal_file_record(&r->in->file, entry->offset, j->fingerprint, j->sweep->n_cell, n,
                                  &head, &whole));
  if (!whole || head.first != entry->first || head.count != entry->count)
    return sal_fail(SAL_ERR_IO, "%s: a record has changed since it was found; run once more",
                    r->in->path);
  const size_t cells = (size_t)head.count * sizeof *result->cell;
  result->cell       = sal_alloc((size_t)head.count, sizeof *result->cell);
  result->record     = sal_alloc((size_t)(head.count * n), sizeof *result->record);
  if (!result->cell || !result->record)
    return sal_fail(SAL_ERR_MEMORY, "no memory for a tile's records");
  memcpy(result->cell, r->in->file.room, cells);
  memcpy(result->record, r->in->file.room + cells, (size_t)head.bytes - cells);
  return SAL_OK;
}

void sal_journal_read_end(sal_journal_reader *r)
{
  if (r->in) sal_journal_file_close(&r->in->file);
  sal_free(r->in);
  r->in = NULL;
}

/* The sweep in the head of a file, if that is sound. */
static sal_err sweep_in(const char *path, sal_sweep *sweep, bool *found)
{
  sal_journal_file file;

  sal_err err = sal_journal_file_open(path, &file);
  *found      = err == SAL_OK && file.sound && file.head.version == SAL_JOURNAL_VERSION;
  if (*found)
    err = sal_sweep_parse_results(file.text[SAL_JOURNAL_PATH], file.text[SAL_JOURNAL_SWEEP], sweep);
  sal_journal_file_close(&file);
  return err;
}

sal_err sal_journal_read_sweep(const char *folder, sal_sweep *sweep)
{
  int64_t *number, n;
  bool     found = false;

  *sweep      = (sal_sweep){0};
  sal_err err = sal_journal_file_list(folder, &number, &n);
  for (int64_t i = 0; i < n && err == SAL_OK && !found; ++i) {
    char path[PATH_MAX];
    err = sal_journal_file_name(folder, number[i], path);
    if (err == SAL_OK) err = sweep_in(path, sweep, &found);
  }
  sal_free(number);
  if (err == SAL_OK && !found)
    return sal_fail(SAL_ERR_INPUT, "%s: there is no journal of this program in it", folder);
  return err;
}
