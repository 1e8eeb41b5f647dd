/** Writes to journals, whole or not at all. */
#include "config.h"
#include "journal_private.h"
#include "plain_file.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool write_pieces(int fd, int n, const sal_journal_piece p[], int64_t at)
{
  for (int i = 0; i < n; at += (int64_t)p[i++].size)
    if (!sal_plain_file_write(fd, at, p[i].data, p[i].size)) return false;
  return true;
}

sal_err sal_journal_bytes_write(int fd, const char *path, int n, const sal_journal_piece piece[],
                                int64_t *end)
{
  if (!write_pieces(fd, n, piece, *end)) {
    (void)sal_fail(
        SAL_ERR_IO,
        "%s: cannot be written: %s; what is finished stays in the journals, and the same "
        "command goes on from there",
        path, strerror(errno));
    if (ftruncate(fd, (off_t)*end)) return SAL_ERR_IO; /* a reader passes over a torn record, too */
    return SAL_ERR_IO;
  }
  for (int i = 0; i < n; ++i) *end += (int64_t)piece[i].size;
  return SAL_OK;
}

sal_err sal_journal_bytes_head(const sal_journal *j, int fd, const char *path,
                               const sal_text *machine, int64_t *end)
{
  const sal_sweep *s = j->sweep;
  const char *const text[SAL_N_JOURNAL_TEXT] = {[SAL_JOURNAL_IDENTITY] = j->identity,
                                                [SAL_JOURNAL_PATH] = s->path,
                                                [SAL_JOURNAL_SWEEP] = s->text,
                                                [SAL_JOURNAL_MACHINE] =
                                                    machine->string ? machine->string : ""};
  sal_journal_head head;

  memset(&head, 0, sizeof head); /* padding is part of the checksum */
  memcpy(head.magic, SAL_JOURNAL_MAGIC, sizeof head.magic);
  head.version = SAL_JOURNAL_VERSION;
  head.n_cell_metric = SAL_N_CELL_METRIC;
  head.n_metric = SAL_N_METRIC;
  head.n_config = (uint32_t)sal_config_count(s);
  head.n_cell = s->n_cell;
  head.fingerprint = j->fingerprint;
  for (int i = 0; i < SAL_N_JOURNAL_TEXT; ++i) head.text_bytes[i] = (int64_t)strlen(text[i]);
  const uint64_t sum = sal_journal_head_sum(&head, text);
  const sal_journal_piece all[] = {{&head, sizeof head},
                                   {text[0], (size_t)head.text_bytes[0]},
                                   {text[1], (size_t)head.text_bytes[1]},
                                   {text[2], (size_t)head.text_bytes[2]},
                                   {text[3], (size_t)head.text_bytes[3]},
                                   {&sum, sizeof sum}};
  return sal_journal_bytes_write(fd, path, sizeof all / sizeof all[0], all, end);
}

sal_err sal_journal_bytes_mark(const sal_journal *j, int fd, const char *path, int64_t goal,
                               int64_t *end)
{
  sal_journal_record_head head = {.first = goal, .lacking = (int64_t)(1e6 * j->started)};

  sal_journal_record_seal(&head, j->fingerprint, NULL);
  const uint64_t sum = sal_journal_record_sum(&head, &head);
  const sal_journal_piece all[] = {{&head, sizeof head}, {&sum, sizeof sum}};
  return sal_journal_bytes_write(fd, path, sizeof all / sizeof all[0], all, end);
}
