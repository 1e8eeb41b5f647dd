/** Checksums and sizes of records. */
#include "journal_private.h"
#include <xxhash.h>

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

void sal_journal_record_seal(sal_journal_record_head *head, uint64_t fingerprint,
                             const double range[])
{
  head->magic = SAL_JOURNAL_RECORD_MAGIC;
  head->sum = head_sum(head, fingerprint, range);
}

uint64_t sal_journal_record_sum(const sal_journal_record_head *head, const void *packed)
{
  return XXH3_64bits_withSeed(packed, (size_t)head->bytes, head->sum);
}

/* Beyond any file: what is really there is compared with the file's own size. */
#define MOST_BYTES (INT64_MAX / 2)

bool sal_journal_record_fits(const sal_journal_record_head *head, int64_t n_cell, int64_t n_config)
{
  if (head->magic != SAL_JOURNAL_RECORD_MAGIC || head->first < 0) return false;
  if (head->count == 0) return head->bytes == 0 && head->n_range == 0;
  return head->count >= 1 && head->first < n_cell && head->count <= n_cell - head->first &&
         head->bytes > 0 && head->bytes <= MOST_BYTES && head->lacking >= 0 &&
         head->lacking <= head->count * n_config && head->n_range >= 0 &&
         head->n_range <= SAL_JOURNAL_MOST_RANGES;
}

bool sal_journal_record_head_sound(const sal_journal_record_head *head, uint64_t fingerprint,
                                   const double range[])
{
  return head->sum == head_sum(head, fingerprint, range);
}
