/** Records by columns, packed. */
#include "journal_pack.h"
#include "array.h"
#include "base.h"
#include "parallel.h"
#include <limits.h>
#include <zlib.h>

/* Measured on atlas.yaml: level 1 makes 1/8 of the records, at a third of the time of level 6, which makes 1/8.5. */
enum { LEVEL = 1, ROOM = 1 << 16 };
enum { FEW = 1 << 10 }; /* records that one thread packs */

/* How the numbers of a column are kept. */
enum { ALIKE = 0, BYTE = 1, SHORT = 2, WORD = 4, REAL = 8 };

static void *take(void *with, unsigned count, unsigned size)
{
  (void)with;
  return sal_alloc(count, size);
}

static void give_back(void *with, void *memory)
{
  (void)with;
  sal_free(memory);
}

static sal_err fail_for_room(const sal_journal_pack *p)
{
  return sal_fail(SAL_ERR_MEMORY, "%s: no memory for a tile's records",
                  p->path ? p->path : "journal");
}

static sal_err grow_columns(const sal_journal_pack *p, sal_journal_pack_part *t, int64_t n)
{
  const int64_t bytes = n * (int64_t)sizeof(double);
  double *column = sal_array_grow(t->column, 0, n, &t->n_column, sizeof *column);

  if (!column) return fail_for_room(p);
  t->column = column;
  char *planes = sal_array_grow(t->planes, 0, bytes, &t->n_planes, 1);
  if (!planes) return fail_for_room(p);
  t->planes = planes;
  return SAL_OK;
}

/* A stream of zlib: begin is deflateInit or inflateInit. */
static sal_err make_stream(const sal_journal_pack *p, int (*begin)(z_stream *z), z_stream **out)
{
  if (*out) return SAL_OK;
  z_stream *z = sal_alloc(1, sizeof *z);
  if (!z) return fail_for_room(p);
  *z = (z_stream){.zalloc = take, .zfree = give_back};
  if (begin(z) == Z_OK) {
    *out = z;
    return SAL_OK;
  }
  sal_free(z);
  return fail_for_room(p);
}

/* Without head and checksum, which are of all parts. */
static int begin_deflating(z_stream *z)
{
  return deflateInit2(z, LEVEL, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY);
}

static int begin_inflating(z_stream *z) { return inflateInit(z); }

void sal_journal_pack_free(sal_journal_pack *p)
{
  for (sal_journal_pack_part *t = p->part; t < p->part + SAL_JOURNAL_PACK_PARTS; ++t) {
    if (t->deflater) deflateEnd(t->deflater);
    sal_free_all(t->deflater, t->column, t->planes, t->bytes);
  }
  if (p->inflater) inflateEnd(p->inflater);
  sal_free_all(p->inflater, p->bytes);
  *p = (sal_journal_pack){.path = p->path};
}

static uint64_t bits_of(double value)
{
  uint64_t bits;

  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t bits_of_missing(void) { return bits_of(NAN); }

/* Is it a whole number of 4 bytes, with the bits that come back from that? */
static bool is_whole(double value)
{
  return fabs(value) <= INT32_MAX && bits_of((double)(int32_t)value) == bits_of(value);
}

static int width_of_whole(double most)
{
  return most <= INT8_MAX ? BYTE : most <= INT16_MAX ? SHORT : WORD;
}

/* How n numbers, at least one, are kept. */
static int width_of(int64_t n, const double value[])
{
  const uint64_t first = bits_of(value[0]), missing = bits_of_missing();
  bool alike = true;
  double most = 0;

  for (int64_t i = 0; i < n; ++i) {
    const uint64_t bits = bits_of(value[i]);
    alike = alike && bits == first;
    if (bits == missing) continue;
    if (!is_whole(value[i]) && !alike) return REAL;
    most = is_whole(value[i]) ? fmax(most, fabs(value[i])) : INFINITY;
  }
  return alike ? ALIKE : isinf(most) ? REAL : width_of_whole(most);
}

/* Whole numbers of `width` bytes in place of doubles, one after another from the beginning of the array. */
static void narrow(int64_t n, int width, double value[])
{
  char *to = (char *)value;

  for (int64_t i = 0; i < n; ++i) {
    const bool none = isnan(value[i]);
    const int32_t word = none ? INT32_MIN : (int32_t)value[i];
    const int16_t two = (int16_t)(none ? INT16_MIN : word);
    const int8_t byte = (int8_t)(none ? INT8_MIN : word);
    const void *from = width == BYTE    ? (const void *)&byte
                       : width == SHORT ? (const void *)&two
                                        : &word;
    memcpy(to + i * width, from, (size_t)width); /* never beyond what has been read */
  }
}

static void widen(int64_t n, int width, const char *from, double value[])
{
  for (int64_t i = n - 1; i >= 0; --i) { /* `from` may be the beginning of the same array */
    int8_t byte;
    int16_t two;
    int32_t word;
    if (width == BYTE) {
      memcpy(&byte, from + i, sizeof byte);
      value[i] = byte == INT8_MIN ? (double)NAN : byte;
    } else if (width == SHORT) {
      memcpy(&two, from + 2 * i, sizeof two);
      value[i] = two == INT16_MIN ? (double)NAN : two;
    } else {
      memcpy(&word, from + 4 * i, sizeof word);
      value[i] = word == INT32_MIN ? (double)NAN : word;
    }
  }
}

/* A part of a tile's stream. */
typedef struct {
  sal_journal_pack *pack;
  int64_t n_config;
  const bool *dropped;
  const sal_tile_result *tile;
} packing;

/* Adds n bytes to a part; flush: of deflate. */
static sal_err put(const packing *w, sal_journal_pack_part *t, const void *from, size_t n,
                   int flush)
{
  z_stream *z = t->deflater;
  int code = Z_OK;

  assert(n <= UINT_MAX);
  if (n > 0) t->sum = (uint32_t)adler32(t->sum, from, (uInt)n);
  t->length += (int64_t)n;
  z->next_in = (Bytef *)(uintptr_t)from; /* zlib does not write there */
  z->avail_in = (uInt)n;
  do {
    char *bytes = t->bytes;
    if (t->n_bytes - t->n < ROOM) bytes = sal_array_grow(bytes, t->n, ROOM, &t->n_bytes, 1);
    if (!bytes) return fail_for_room(w->pack);
    t->bytes = bytes;
    const int64_t room = t->n_bytes - t->n < INT_MAX ? t->n_bytes - t->n : INT_MAX;
    z->next_out = (Bytef *)t->bytes + t->n;
    z->avail_out = (uInt)room;
    code = deflate(z, flush);
    assert(code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR);
    t->n += room - z->avail_out;
  } while (z->avail_out == 0 || (flush == Z_FINISH && code != Z_STREAM_END));
  return SAL_OK;
}

/* n numbers, `stride` apart; NULL: they are missing. */
static sal_err put_column(const packing *w, sal_journal_pack_part *t, int64_t n, const double *from,
                          int stride)
{
  for (int64_t i = 0; i < n; ++i) t->column[i] = from ? from[i * stride] : (double)NAN;
  const int width = width_of(n, t->column);
  const unsigned char tag = (unsigned char)width;

  SAL_TRY(put(w, t, &tag, sizeof tag, Z_NO_FLUSH));
  if (width == ALIKE) return put(w, t, t->column, sizeof *t->column, Z_NO_FLUSH);
  if (width != REAL) narrow(n, width, t->column);
  sal_shuffle(n, (size_t)width, t->column, t->planes);
  return put(w, t, t->planes, (size_t)n * (size_t)width, Z_NO_FLUSH);
}

static int64_t longest_column(const sal_tile_result *r, int64_t n_config)
{
  const int64_t each = n_config > r->n_row ? n_config : r->n_row;

  return r->count * (each > 1 ? each : 1);
}

/* The first part has the metrics of cells, too, the last one the rows. */
static sal_err pack_part(void *with, int64_t i, int thread)
{
  const packing *w = with;
  const sal_tile_result *r = w->tile;
  sal_journal_pack_part *t = &w->pack->part[i];
  const int64_t n = r->count * w->n_config;
  const int first = SAL_N_METRIC * (int)i / SAL_JOURNAL_PACK_PARTS;
  const int end = SAL_N_METRIC * ((int)i + 1) / SAL_JOURNAL_PACK_PARTS;

  (void)thread;
  SAL_TRY(grow_columns(w->pack, t, longest_column(r, w->n_config)));
  SAL_TRY(make_stream(w->pack, begin_deflating, &t->deflater));
  deflateReset(t->deflater);
  t->n = t->length = 0;
  t->sum = 1;
  for (int m = 0; m < SAL_N_CELL_METRIC && i == 0; ++m)
    SAL_TRY(put_column(w, t, r->count, &r->cell[0].value[m], SAL_N_CELL_METRIC));
  for (int m = first; m < end; ++m) {
    const double *from = w->dropped && w->dropped[m] ? NULL : &r->record[0].value[m];
    SAL_TRY(put_column(w, t, n, from, SAL_N_METRIC));
  }
  if (r->n_row > 0 && i == SAL_JOURNAL_PACK_PARTS - 1)
    SAL_TRY(put_column(w, t, r->count * r->n_row, r->row, 1));
  return put(w, t, NULL, 0, i == SAL_JOURNAL_PACK_PARTS - 1 ? Z_FINISH : Z_SYNC_FLUSH);
}

static void append(sal_journal_pack *p, const void *bytes, int64_t n)
{
  memcpy(p->bytes + p->n, bytes, (size_t)n);
  p->n += n;
}

/* Parts end at bytes, so that they make one stream. */
sal_err sal_journal_pack_tile(sal_journal_pack *p, int64_t n_config, const bool dropped[],
                              const sal_tile_result *r)
{
  static const unsigned char head[] = {0x78, 1}; /* RFC 1950: deflate, 32 kB, the fastest level */
  packing w = {p, n_config, dropped, r};
  uLong sum = 1;
  int64_t all = ROOM;

  const int threads = r->count * n_config < FEW ? 1 : sal_parallel_threads();
  SAL_TRY(sal_parallel_for(threads, SAL_JOURNAL_PACK_PARTS, pack_part, &w));
  for (int i = 0; i < SAL_JOURNAL_PACK_PARTS; ++i) {
    sum = adler32_combine(sum, p->part[i].sum, (z_off_t)p->part[i].length);
    all += p->part[i].n;
  }
  char *bytes = sal_array_grow(p->bytes, 0, all, &p->n_bytes, 1);
  if (!bytes) return fail_for_room(p);
  p->bytes = bytes;
  p->n = 0;
  append(p, head, sizeof head);
  for (int i = 0; i < SAL_JOURNAL_PACK_PARTS; ++i) append(p, p->part[i].bytes, p->part[i].n);
  const unsigned char tail[] = {(unsigned char)(sum >> 24), (unsigned char)(sum >> 16),
                                (unsigned char)(sum >> 8), (unsigned char)sum};
  append(p, tail, sizeof tail);
  return SAL_OK;
}

/* The next n bytes of the stream. */
static bool get(z_stream *z, void *to, size_t n)
{
  z->next_out = to;
  z->avail_out = (uInt)n;
  while (z->avail_out > 0) {
    const int code = inflate(z, Z_NO_FLUSH);
    if (code != Z_OK && !(code == Z_STREAM_END && z->avail_out == 0)) return false;
  }
  return true;
}

/* Does the stream end here, with nothing after it?  A byte more would go to p->part[0].planes. */
static bool ends(const sal_journal_pack *p)
{
  z_stream *z = p->inflater;

  z->next_out = (Bytef *)p->part[0].planes;
  z->avail_out = 1;
  return inflate(z, Z_FINISH) == Z_STREAM_END && z->avail_out == 1 && z->avail_in == 0;
}

static bool get_column(sal_journal_pack *p, int64_t n, double *to, int stride)
{
  z_stream *z = p->inflater;
  unsigned char width;

  if (!get(z, &width, sizeof width)) return false;
  if (width == ALIKE) {
    double value;
    if (!get(z, &value, sizeof value)) return false;
    for (int64_t i = 0; i < n; ++i) to[i * stride] = value;
    return true;
  }
  if (width != BYTE && width != SHORT && width != WORD && width != REAL) return false;
  if (!get(z, p->part[0].planes, (size_t)n * width)) return false;
  sal_shuffle_back(n, width, p->part[0].planes, p->part[0].column);
  if (width != REAL) widen(n, width, (const char *)p->part[0].column, p->part[0].column);
  for (int64_t i = 0; i < n; ++i) to[i * stride] = p->part[0].column[i];
  return true;
}

static bool get_tile(sal_journal_pack *p, int64_t n_config, const sal_tile_result *r)
{
  const int64_t n = r->count * n_config;

  for (int m = 0; m < SAL_N_CELL_METRIC; ++m)
    if (!get_column(p, r->count, &r->cell[0].value[m], SAL_N_CELL_METRIC)) return false;
  for (int m = 0; m < SAL_N_METRIC; ++m)
    if (!get_column(p, n, &r->record[0].value[m], SAL_N_METRIC)) return false;
  if (r->n_row > 0 && !get_column(p, r->count * r->n_row, r->row, 1)) return false;
  return ends(p);
}

sal_err sal_journal_pack_back(sal_journal_pack *p, const void *bytes, int64_t n, int64_t n_config,
                              const sal_tile_result *r, bool *sound)
{
  *sound = false;
  SAL_TRY(grow_columns(p, &p->part[0], longest_column(r, n_config)));
  SAL_TRY(make_stream(p, begin_inflating, &p->inflater));
  z_stream *z = p->inflater;
  if (n > UINT_MAX) return SAL_OK;
  inflateReset(z);
  z->next_in = (Bytef *)(uintptr_t)bytes;
  z->avail_in = (uInt)n;
  *sound = get_tile(p, n_config, r);
  return SAL_OK;
}
