/** Records that this rank has written, in memory, so that the cube can be made without reading them.
 */
#include "array.h"
#include "base.h"
#include "journal_deal.h"
#include "journal_private.h"

void sal_journal_held_free(sal_journal_held *h)
{
  for (int64_t i = 0; i < h->n; ++i) sal_free(h->record[i].bytes);
  sal_free(h->record);
  *h = (sal_journal_held){0};
}

static sal_err make_room(sal_journal_held *h, int64_t more)
{
  sal_journal_held_record *list = sal_array_grow(h->record, h->n, more, &h->room, sizeof *list);

  if (!list) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of journal records");
  h->record = list;
  return SAL_OK;
}

/* NULL: it is in the file alone. */
static char *copy_pieces(int n, const sal_journal_piece piece[], size_t bytes)
{
  char *copy = sal_alloc(bytes, 1), *to = copy;

  for (int i = 0; i < n && copy; ++i) {
    memcpy(to, piece[i].data, piece[i].size);
    to += piece[i].size;
  }
  return copy;
}

sal_err sal_journal_held_add(sal_journal_held *h, int64_t first, int64_t number, int64_t offset,
                             int n, const sal_journal_piece piece[])
{
  sal_journal_held_record r = {.first = first, .number = number, .offset = offset};

  SAL_TRY(make_room(h, 1));
  for (int i = 0; i < n; ++i) r.n += (int64_t)piece[i].size;
  if (h->bytes + r.n <= SAL_JOURNAL_HELD_MOST) r.bytes = copy_pieces(n, piece, (size_t)r.n);
  if (r.bytes) h->bytes += r.n;
  h->record[h->n++] = r;
  return SAL_OK;
}

sal_err sal_journal_held_join(sal_journal_held *h, sal_journal_held *more)
{
  if (more->n == 0) return SAL_OK;
  SAL_TRY(make_room(h, more->n));
  memcpy(h->record + h->n, more->record, (size_t)more->n * sizeof *more->record);
  h->n += more->n;
  h->bytes += more->bytes;
  sal_free(more->record);
  *more = (sal_journal_held){0};
  return SAL_OK;
}
