/** Numbers, ranges and expressions of families: the index becomes a number. */
#include "members_text.h"
#include "base.h"

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"

/* Bytes of a text / of all texts that are written out. */
enum { WORD = SAL_MEMBERS_WORD, BYTES = 1 << 20, ALL_BYTES = 1 << 24, NESTED = 100 };

static size_t length_of_name(const char *at)
{
  return *at && strchr(LETTERS, *at) ? strspn(at, LETTERS DIGITS) : 0;
}

static bool is_name(const char *at, size_t n, const char *name)
{
  return strlen(name) == n && strncmp(at, name, n) == 0;
}

/* The parenthesis that closes the one at `at`; NULL: there is none. */
static const char *closing(const char *at)
{
  int depth = 0;

  for (; *at; ++at) {
    depth += (*at == '(') - (*at == ')');
    if (depth == 0) return at;
  }
  return NULL;
}

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

typedef struct {
  const sal_members *f;
  const sal_index *b;
  const char *at;
  int depth;
  bool failed, named; /* named: an index or a count is in it */
} reading;

/* Goes on to the next byte; is it one of these signs? */
static bool is_at(reading *r, const char *signs)
{
  r->at = skip_blanks(r->at);
  return !r->failed && *r->at && strchr(signs, *r->at);
}

static double read_word(reading *r)
{
  const size_t n = length_of_name(r->at);
  const char *at = r->at;

  r->at += n;
  r->named = true;
  for (const sal_index *b = r->b; b; b = b->outer)
    if (is_name(at, n, b->name)) return b->value;
  for (int i = 0; i < r->f->n_count; ++i)
    if (is_name(at, n, r->f->count[i])) return r->f->value[i];
  r->failed = true;
  return 0;
}

static double read_terms(reading *r, bool products);

static double read_factor(reading *r)
{
  double value = 0;
  char *end;

  if (++r->depth > NESTED) r->failed = true;
  if (is_at(r, "-+")) {
    const double sign = *r->at++ == '-' ? -1 : 1;
    value = sign * read_factor(r);
  } else if (is_at(r, "(")) {
    ++r->at;
    value = read_terms(r, false);
    if (is_at(r, ")"))
      ++r->at;
    else
      r->failed = true;
  } else if (is_at(r, LETTERS)) {
    value = read_word(r);
  } else if (is_at(r, DIGITS ".")) {
    value = strtod(r->at, &end);
    r->at = end;
  } else
    r->failed = true;
  --r->depth;
  return value;
}

/* Factors and the * and / between them, or such products and their + and -. */
static double read_terms(reading *r, bool products)
{
  double value = products ? read_factor(r) : read_terms(r, true);

  while (is_at(r, products ? "*/" : "+-")) {
    const char sign = *r->at++;
    const double next = products ? read_factor(r) : read_terms(r, true);
    value = sign == '*'   ? value * next
            : sign == '/' ? value / next
            : sign == '+' ? value + next
                          : value - next;
  }
  return value;
}

/* The value of all from at to end; false: it is made of other things, too. */
static bool evaluate(const sal_members *f, const sal_index *b, const char *at, const char *end,
                     double *value, bool *named)
{
  char text[4 * WORD];
  reading r = {.f = f, .b = b, .at = text};

  if (end - at >= (ptrdiff_t)sizeof text) return false;
  snprintf(text, sizeof text, "%.*s", (int)(end - at), at);
  *value = read_terms(&r, false);
  *named = r.named;
  return !r.failed && !*skip_blanks(r.at) && isfinite(*value);
}

/* " at i = 3" */
static const char *describe(const sal_index *b, char text[WORD + 24])
{
  text[0] = '\0';
  if (b) snprintf(text, WORD + 24, " at %.40s = %d", b->name, b->value);
  return text;
}

static sal_err read_whole(const sal_members *f, const sal_index *b, const char *what,
                          const char *at, const char *end, int *whole)
{
  char where[WORD + 24];
  double value;
  bool named;

  if (!evaluate(f, b, at, end, &value, &named))
    return sal_document_fail(f->document, f->node,
                             "%.60s: '%.*s': expected: numbers, counts, indices and + - * / ( )",
                             what, (int)(end - at), at);
  if (value != floor(value) || fabs(value) > 1e6)
    return sal_document_fail(f->document, f->node, "%.60s: '%.*s' is %g%s, not a whole number",
                             what, (int)(end - at), at, value, describe(b, where));
  *whole = (int)value;
  return SAL_OK;
}

/* Names of these sections, and of rates of coordinates, would be hidden by an index. */
static bool is_taken(const sal_document *d, const char *name)
{
  static const char *const sections[] = {"counts",   "parameters",  "options",
                                         "states",   "discrete",    "let",
                                         "contacts", "coordinates", "tables"};
  const int coordinates = sal_document_find(d, "coordinates");
  const yaml_node_t *of = sal_document_node(d, coordinates);

  if (strcmp(name, "t") == 0 || strcmp(name, "pi") == 0) return true;
  for (size_t i = 0; i < sizeof sections / sizeof *sections; ++i)
    if (sal_document_child(d, sal_document_find(d, sections[i]), name)) return true;
  if (!of || of->type != YAML_MAPPING_NODE) return false;
  for (const yaml_node_pair_t *p = of->data.mapping.pairs.start; p < of->data.mapping.pairs.top;
       ++p) {
    const int rate = sal_document_child(d, p->value, "rate");
    const int named = sal_document_child(d, rate, "name");
    const char *text = sal_document_text(d, named ? named : rate);
    if (text && strcmp(text, name) == 0) return true;
  }
  return false;
}

/* "i in 1..n - 1" from at to end: the index and its bounds. */
static sal_err read_range(const sal_members *f, const sal_index *b, const char *at, const char *end,
                          sal_index *index, int *lo, int *hi)
{
  const char *name = skip_blanks(at);
  const size_t n = length_of_name(name);
  const char *in = skip_blanks(name + n), *dots = strstr(in, "..");

  if (n == 0 || n >= WORD || strncmp(in, "in ", 3) != 0 || !dots || dots >= end)
    return sal_document_fail(f->document, f->node, "'%.*s': expected: INDEX in FIRST..LAST",
                             (int)(end - at), at);
  snprintf(index->name, WORD, "%.*s", (int)n, name);
  index->outer = b;
  if (is_taken(f->document, index->name))
    return sal_document_fail(f->document, f->node,
                             "index '%s' has a name that stands for something else", index->name);
  SAL_TRY(read_whole(f, b, index->name, in + 3, dots, lo));
  SAL_TRY(read_whole(f, b, index->name, dots + 2, end, hi));
  if (*hi - *lo < SAL_MEMBERS_MOST) return SAL_OK;
  return sal_document_fail(f->document, f->node, "'%.*s': %d members; allowed: to %d",
                           (int)(end - at), at, *hi - *lo + 1, SAL_MEMBERS_MOST);
}

static sal_err write_text(const sal_members *f, const sal_index *b, const char *at, const char *end,
                          sal_text *out);

static int find_family(const sal_members *f, const char *at, size_t n)
{
  int i = 0;

  while (i < f->n_name && !is_name(at, n, f->family[i].name)) ++i;
  return i < f->n_name ? i : -1;
}

/* NAME(INDEX) of a family, from the name to its parenthesis. */
static sal_err write_member(const sal_members *f, const sal_index *b, int family, const char *open,
                            const char *close, sal_text *out)
{
  char where[WORD + 24];
  int k = 0;

  SAL_TRY(read_whole(f, b, f->family[family].name, open + 1, close, &k));
  if (k < f->family[family].lo || k > f->family[family].hi)
    return sal_document_fail(f->document, f->node, "%s(%.*s)%s: there are %s(%d) to %s(%d)",
                             f->family[family].name, (int)(close - open - 1), open + 1,
                             describe(b, where), f->family[family].name, f->family[family].lo,
                             f->family[family].name, f->family[family].hi);
  sal_text_add(out, "%s(%d)", f->family[family].name, k);
  return SAL_OK;
}

/* The comma between the range and what it is of; NULL: it is not such a call. */
static const char *range_end(const char *open, const char *close)
{
  const char *name = skip_blanks(open + 1), *in = skip_blanks(name + length_of_name(name));
  int depth = 0;

  if (in == name || strncmp(in, "in ", 3) != 0) return NULL;
  for (; in < close; ++in) {
    depth += (*in == '(') - (*in == ')');
    if (*in == ',' && depth == 0) return in;
  }
  return NULL;
}

/* min or max over lo .. hi: halves, so that they are nested no deeper than they need be. */
static sal_err write_least(const sal_members *f, sal_index *index, const char *function, int lo,
                           int hi, const char *at, const char *end, sal_text *out)
{
  if (lo == hi) {
    index->value = lo;
    return write_text(f, index, at, end, out);
  }
  const int middle = lo + (hi - lo) / 2;
  sal_text_add(out, "%s(", function);
  SAL_TRY(write_least(f, index, function, lo, middle, at, end, out));
  sal_text_add(out, ", ");
  SAL_TRY(write_least(f, index, function, middle + 1, hi, at, end, out));
  sal_text_add(out, ")");
  return SAL_OK;
}

/* sum(i in 1..n, E), min or max */
static sal_err write_over(const sal_members *f, const sal_index *b, const char *function,
                          const char *open, const char *comma, const char *close, sal_text *out)
{
  sal_index index = {.value = 0};
  int lo = 0, hi = 0;

  SAL_TRY(read_range(f, b, open + 1, comma, &index, &lo, &hi));
  if (function[0] != 's') {
    if (lo <= hi) return write_least(f, &index, function, lo, hi, comma + 1, close, out);
    return sal_document_fail(f->document, f->node, "%s over no members: '%.*s'", function,
                             (int)(comma - open - 1), open + 1);
  }
  sal_text_add(out, lo > hi ? "0" : "(");
  for (index.value = lo; index.value <= hi; ++index.value) {
    sal_text_add(out, index.value > lo ? " + (" : "(");
    SAL_TRY(write_text(f, &index, comma + 1, close, out));
    sal_text_add(out, ")");
  }
  if (lo <= hi) sal_text_add(out, ")");
  return SAL_OK;
}

/* A name, and what stands in parentheses after it where that belongs to it; *at goes on. */
static sal_err write_name(const sal_members *f, const sal_index *b, const char **at,
                          const char *end, sal_text *out)
{
  static const char *const over[] = {"sum", "min", "max"};
  const char *name = *at;
  const size_t n = length_of_name(name);
  const char *open = skip_blanks(name + n),
             *close = open < end && *open == '(' ? closing(open) : NULL;
  const int family = close ? find_family(f, name, n) : -1;

  *at = close ? close + 1 : name + n;
  if (family >= 0) return write_member(f, b, family, open, close, out);
  for (int i = 0; i < 3 && close; ++i) {
    const char *comma = is_name(name, n, over[i]) ? range_end(open, close) : NULL;
    if (comma) return write_over(f, b, over[i], open, comma, close, out);
  }
  *at = name + n;
  for (; b; b = b->outer)
    if (is_name(name, n, b->name)) {
      sal_text_add(out, b->value < 0 ? "(%d)" : "%d", b->value);
      return SAL_OK;
    }
  sal_text_append(out, name, n);
  return SAL_OK;
}

static sal_err write_text(const sal_members *f, const sal_index *b, const char *at, const char *end,
                          sal_text *out)
{
  while (at < end && out->length <= BYTES)
    if (length_of_name(at) > 0) {
      SAL_TRY(write_name(f, b, &at, end, out));
    } else {
      size_t n = strchr(DIGITS ".", *at) ? strspn(at, LETTERS DIGITS ".") : 1; /* 1e5 has no name */
      if (n > (size_t)(end - at)) n = (size_t)(end - at);
      sal_text_append(out, at, n);
      at += n;
    }
  if (out->length <= BYTES) return SAL_OK;
  return sal_document_fail(f->document, f->node, "longer than %d bytes when written out", BYTES);
}

sal_err sal_members_rewrite(sal_members *f, const sal_index *b, const char *text, sal_text *out)
{
  const char *end = text + strlen(text);
  char number[SAL_TEXT_NUMBER];
  double value;
  bool named;

  if (evaluate(f, b, text, end, &value, &named) && named)
    sal_text_add(out, "%s", sal_text_number(value, number));
  else
    SAL_TRY(write_text(f, b, text, end, out));
  f->bytes += out->length;
  if (f->bytes > ALL_BYTES)
    return sal_document_fail(f->document, f->node,
                             "all members together are longer than %d bytes when written out",
                             ALL_BYTES);
  return out->lost ? sal_fail(SAL_ERR_MEMORY, "%s: out of memory", f->document->path) : SAL_OK;
}

int sal_members_find(const sal_members *f, const char *name)
{
  return find_family(f, name, strlen(name));
}

sal_err sal_members_range(const sal_members *f, const sal_index *b, const char *text,
                          sal_index *index, int *lo, int *hi)
{
  return read_range(f, b, text, text + strlen(text), index, lo, hi);
}

void sal_members_widen(sal_members *f, int family, int lo, int hi)
{
  const bool empty = f->family[family].lo > f->family[family].hi;

  if (empty || lo < f->family[family].lo) f->family[family].lo = lo;
  if (empty || hi > f->family[family].hi) f->family[family].hi = hi;
}

void sal_members_note(sal_members *f, const char *text)
{
  const size_t n = length_of_name(text);
  const int family = text[n] == '(' ? find_family(f, text, n) : -1;
  const char *close = family >= 0 ? closing(text + n) : NULL;
  double k;
  bool named;

  if (close && !close[1] && evaluate(f, NULL, text + n + 1, close, &k, &named) && k == floor(k))
    sal_members_widen(f, family, (int)k, (int)k);
}
