/** @file src/io/journal/journal_record.c
 *  Checksums and sizes of records.
 */
#include "journal_format.h"
#include <xxhash.h>

static int64_t payload_bytes(int64_t count, int64_t n_contender)
{
  return count * ((int64_t)sizeof(sal_cell_record) + n_contender * (int64_t)sizeof(sal_record));
}

size_t sal_journal_record_range_bytes(int64_t n_range)
{
  return 2 * (size_t)n_range * sizeof(double);
}

int64_t sal_journal_record_size(const sal_journal_record_head *head)
{
  return (int64_t)(sizeof *head + sal_journal_record_range_bytes(head->n_range) +
                   sizeof(uint64_t)) +
         head->bytes;
}

static uint64_t head_sum(const sal_journal_record_head *head, uint64_t fingerprint,
                         const double range[])
{
  const uint64_t own =
      XXH3_64bits_withSeed(head, offsetof(sal_journal_record_head, sum), fingerprint);

  return head->n_range > 0
             ? XXH3_64bits_withSeed(range, sal_journal_record_range_bytes(head->n_range), own)
             : own;
}

sal_journal_record_head sal_journal_record_head_of(uint64_t fingerprint, int64_t first,
                                                   int64_t count, int64_t n_contender,
                                                   int64_t n_range, const double range[])
{
  sal_journal_record_head head = {.magic = SAL_JOURNAL_RECORD_MAGIC,
                                  .bytes = payload_bytes(count, n_contender),
                                  .first = first,
                                  .count = count,
                                  .n_range = n_range};

  head.sum = head_sum(&head, fingerprint, range);
  return head;
}

uint64_t sal_journal_record_sum(const sal_journal_record_head *head, const sal_cell_record *cell,
                                const sal_record *record)
{
  const size_t cells = (size_t)head->count * sizeof *cell;
  const uint64_t first = XXH3_64bits_withSeed(cell, cells, head->sum);

  return XXH3_64bits_withSeed(record, (size_t)head->bytes - cells, first);
}

bool sal_journal_record_fits(const sal_journal_record_head *head, int64_t n_cell,
                             int64_t n_contender)
{
  return head->magic == SAL_JOURNAL_RECORD_MAGIC && head->first >= 0 && head->count >= 1 &&
         head->first < n_cell && head->count <= n_cell - head->first &&
         head->bytes == payload_bytes(head->count, n_contender) && head->n_range >= 0 &&
         head->n_range <= SAL_JOURNAL_MOST_RANGES;
}

bool sal_journal_record_head_sound(const sal_journal_record_head *head, uint64_t fingerprint,
                                   const double range[])
{
  return head->sum == head_sum(head, fingerprint, range);
}
