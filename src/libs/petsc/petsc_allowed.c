/** The table of options, and the reader of their text.
 *
 *  Bounds keep PETSc from what its own checks miss: sums of sizes that overflow, and arrays of any
 *  length that a number requests.  They are wider than useful values.
 */
#include "base.h"
#include "petsc_engine.h"
#include <ctype.h>
#include <limits.h>
#include <strings.h>

typedef enum {
  WORD,   /* one of `words` */
  TRUTH,  /* true, false, or nothing, which is true */
  WHOLE,  /* a whole number from least to most */
  NUMBER, /* up to `n` plain decimals from least to most, by commas */
  TAKEN   /* refused: each run sets it from the key words[0] of the sweep */
} value_type;

typedef struct {
  const char *name;
  value_type type;
  double least, most;
  int n;
  const char *const *words; /* ended by NULL */
} allowed;

#define SAL_PETSC_WORD(option, ...)                                                                \
  {.name = (option), .type = WORD, .words = (const char *const[]){__VA_ARGS__, NULL}},
#define SAL_PETSC_KEY(option, key)                                                                 \
  {.name = (option), .type = TAKEN, .words = (const char *const[]){key, NULL}},
#define SAL_PETSC_TRUTH(option) {.name = (option), .type = TRUTH},
#define SAL_PETSC_WHOLE(option, low, high)                                                         \
  {.name = (option), .type = WHOLE, .least = (low), .most = (high), .n = 1},
#define SAL_PETSC_NUMBERS(option, low, high, count)                                                \
  {.name = (option), .type = NUMBER, .least = (low), .most = (high), .n = (count)},
#define SAL_PETSC_NUMBER(option, low, high) SAL_PETSC_NUMBERS(option, low, high, 1)
#define ANY 1e300
#define FEW 10000 /* of a count */

static const allowed table[] = {
#include "petsc_allowed.def"
};
enum { N_ALLOWED = sizeof table / sizeof *table };
_Static_assert((int)N_ALLOWED <= (int)SAL_PETSC_ALLOWED_MOST, "the list of names has room");

int sal_petsc_allowed_names(const char *names[SAL_PETSC_ALLOWED_MOST + 1])
{
  int n = 0;

  for (int i = 0; i < N_ALLOWED; ++i)
    if (table[i].type != TAKEN) names[n++] = table[i].name;
  names[n] = NULL;
  return n;
}

enum { LONGEST = 64 };

/* The next word of *text, ended by blanks, into `word`; false after the last one.  One that is longer than
 * any name or value ends in dots, which makes it neither. */
static bool next_word(const char **text, char word[LONGEST])
{
  const char *from = *text;

  while (isspace((unsigned char)*from)) ++from;
  const char *to = from;
  while (*to && !isspace((unsigned char)*to)) ++to;
  const bool long_one = to - from >= LONGEST - 3;
  snprintf(word, LONGEST, "%.*s%s", (int)(long_one ? LONGEST - 4 : to - from), from,
           long_one ? ".." : "");
  *text = to;
  return to > from;
}

/* "-1" and "-.5" are values. */
static bool is_name(const char *word) { return word[0] == '-' && !strchr("0123456789.", word[1]); }

static sal_err fail_value(const char *where, const allowed *a, const char *found,
                          const char *expected)
{
  return sal_fail(SAL_ERR_INPUT, "%s: %s: '%.200s'; expected: %s", where, a->name, found, expected);
}

/* A plain decimal, whole where it has to be; the rest of the text after it, or NULL. */
static const char *read_number(const char *text, bool whole, double *out)
{
  const size_t n = strspn(text, whole ? "+-0123456789" : "+-.0123456789eE");
  char *end;

  *out = strtod(text, &end);
  return n > 0 && end == text + n && isfinite(*out) ? end : NULL;
}

static sal_err take_numbers(const char *where, const allowed *a, const char *value)
{
  const bool whole = a->type == WHOLE;
  const char *at = value;
  char expected[128];
  bool fits = false;

  for (int i = 0; at && i < a->n; ++i) {
    double number;
    at = read_number(at, whole, &number);
    fits = at && number >= a->least && number <= a->most;
    if (!fits || *at != ',') break;
    ++at;
  }
  if (fits && *at == '\0') return SAL_OK;
  snprintf(expected, sizeof expected, "%s from %g to %g",
           whole      ? "a whole number"
           : a->n > 1 ? "numbers with commas between them, each"
                      : "a number",
           a->least, a->most);
  return fail_value(where, a, value, expected);
}

/* The word in the table's own spelling: PETSc distinguishes capitals in some lists, and not in others. */
static sal_err take_word(const char *where, const allowed *a, const char *value, const char **word)
{
  for (int i = 0; a->words[i]; ++i)
    if (strcasecmp(a->words[i], value) == 0) {
      *word = a->words[i];
      return SAL_OK;
    }
  return sal_text_unknown(SAL_ERR_INPUT, where, a->name, value, a->words);
}

static sal_err take_truth(const char *where, const allowed *a, const char *value)
{
  static const char *const words[] = {"true", "false", "yes", "no", "on", "off", "1", "0", NULL};

  for (int i = 0; words[i]; ++i)
    if (strcasecmp(words[i], value) == 0) return SAL_OK;
  return fail_value(where, a, value, "true, false or nothing");
}

static sal_err take_value(const char *where, const allowed *a, const char **value)
{
  if (a->type == TAKEN)
    return sal_fail(SAL_ERR_INPUT, "%s: %s: set it by the sweep's key `%s'", where, a->name,
                    a->words[0]);
  if (!*value) return a->type == TRUTH ? SAL_OK : fail_value(where, a, "", "a value after it");
  if (a->type == WORD) return take_word(where, a, *value, value);
  return a->type == TRUTH ? take_truth(where, a, *value) : take_numbers(where, a, *value);
}

static sal_err find_name(const char *where, const char *word, const allowed **out)
{
  const char *names[SAL_PETSC_ALLOWED_MOST + 1];

  for (int i = 0; i < N_ALLOWED; ++i)
    if (strcmp(table[i].name, word) == 0) {
      *out = &table[i];
      return SAL_OK;
    }
  sal_petsc_allowed_names(names);
  (void)sal_text_unknown(SAL_ERR_INPUT, where, "option of PETSc", word, names);
  sal_err_add(
      "; what no file may set is for --petsc-options and the environment variable PETSC_OPTIONS");
  return SAL_ERR_INPUT;
}

sal_err sal_petsc_allowed_set(const char *where, const char *text, PetscOptions out)
{
  char name[LONGEST], word[LONGEST];
  const allowed *a = NULL;
  bool there = next_word(&text, name);

  while (there) {
    const char *value = NULL;
    SAL_TRY(find_name(where, name, &a));
    there = next_word(&text, word);
    if (there && !is_name(word)) value = word;
    SAL_TRY(take_value(where, a, &value));
    if (PetscOptionsSetValue(out, a->name, value))
      return sal_fail(SAL_ERR_MEMORY, "%s: no memory for PETSc's options", where);
    if (value) there = next_word(&text, word);
    memcpy(name, word, sizeof name);
  }
  return SAL_OK;
}
