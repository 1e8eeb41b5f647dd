/** Words of units in a table, most of them with prefixes. */
#include "si_unit.h"
#include "base.h"
#include "scalar_math.h"

const sal_si_unit sal_si_unit_one = {.kind = SAL_SI_UNIT_KNOWN, .size = 1};

#define SAL_SI_UNIT(name, prefixed, size, ...) {name, prefixed, size, {__VA_ARGS__}},
static const struct word {
  const char *name;
  bool prefixed;
  double size;
  signed char power[SAL_SI_UNIT_BASES];
} words[] = {
#include "si_unit.def"
};

static const struct {
  char letter;
  double size;
} prefixes[] = {{'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'c', 1e-2}, {'d', 1e-1},
                {'h', 1e2},  {'k', 1e3},  {'M', 1e6},  {'G', 1e9}};

static sal_si_unit of_word(const struct word *w, double factor)
{
  sal_si_unit out = sal_si_unit_one;

  out.size = factor * w->size;
  for (int i = 0; i < SAL_SI_UNIT_BASES; ++i) out.power[i] = w->power[i];
  return out;
}

static bool is_word(const struct word *w, const char *name, size_t n)
{
  return strlen(w->name) == n && memcmp(w->name, name, n) == 0;
}

/* A whole word comes before one with a prefix: min is not a milli-inch. */
static sal_si_unit find(const char *name, size_t n)
{
  const size_t n_word = sizeof words / sizeof *words;

  for (size_t i = 0; i < n_word; ++i)
    if (is_word(&words[i], name, n)) return of_word(&words[i], 1);
  for (size_t i = 0; i < n_word; ++i)
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; ++k)
      if (words[i].prefixed && n > 1 && name[0] == prefixes[k].letter &&
          is_word(&words[i], name + 1, n - 1))
        return of_word(&words[i], prefixes[k].size);
  return (sal_si_unit){0};
}

enum { DEPTH = 8 };

static sal_si_unit read_product(const char **at, int depth);

/* WORD, 1 or ( .. ), and a whole power, m^2 or m2. */
static sal_si_unit read_factor(const char **at, int depth)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%";
  size_t n = strspn(*at, letters);
  sal_si_unit out;
  char *end;

  if (**at == '(' && depth < DEPTH) {
    ++*at;
    out = read_product(at, depth + 1);
    if (**at != ')') return (sal_si_unit){0};
    n = 1;
  } else {
    if (n == 0 && **at == '1') n = 1;
    out = find(*at, n);
  }
  if (n == 0) return (sal_si_unit){0};
  *at += n;
  if (**at != '^' && !strchr("0123456789", **at)) return out;
  if (**at == '\0') return out;
  if (**at == '^') ++*at;
  const long exponent = strtol(*at, &end, 10);
  if (end == *at || labs(exponent) > 12) return (sal_si_unit){0};
  *at = end;
  return sal_si_unit_power(out, (double)exponent);
}

static sal_si_unit read_product(const char **at, int depth)
{
  sal_si_unit out = sal_si_unit_one;
  int sign = 1;

  for (;;) {
    *at += strspn(*at, " ");
    out = sal_si_unit_product(out, read_factor(at, depth), sign);
    const size_t gap = strspn(*at, " ");
    *at += gap;
    if (out.kind == SAL_SI_UNIT_UNKNOWN || **at == '\0' || **at == ')') return out;
    sign = **at == '/' ? -1 : 1;
    if (strchr("*/.", **at))
      ++*at;
    else if (gap == 0)
      return (sal_si_unit){0};
  }
}

sal_si_unit sal_si_unit_read(const char *text)
{
  static const sal_si_unit none;
  const sal_si_unit out = read_product(&text, 0);

  return *text ? none : out;
}

sal_si_unit sal_si_unit_product(sal_si_unit a, sal_si_unit b, int sign)
{
  if (a.kind == SAL_SI_UNIT_ANY || b.kind == SAL_SI_UNIT_ANY)
    return (sal_si_unit){.kind = SAL_SI_UNIT_ANY};
  if (a.kind != SAL_SI_UNIT_KNOWN || b.kind != SAL_SI_UNIT_KNOWN) return (sal_si_unit){0};
  a.size = sign > 0 ? a.size * b.size : a.size / b.size;
  for (int i = 0; i < SAL_SI_UNIT_BASES; ++i) a.power[i] += sign * b.power[i];
  return a;
}

sal_si_unit sal_si_unit_power(sal_si_unit a, double exponent)
{
  if (a.kind != SAL_SI_UNIT_KNOWN) return a;
  a.size = sal_scalar_pow(a.size, exponent);
  for (int i = 0; i < SAL_SI_UNIT_BASES; ++i) a.power[i] *= exponent;
  return a;
}

bool sal_si_unit_fits(sal_si_unit a, sal_si_unit b)
{
  if (a.kind != SAL_SI_UNIT_KNOWN || b.kind != SAL_SI_UNIT_KNOWN) return true;
  for (int i = 0; i < SAL_SI_UNIT_BASES; ++i)
    if (fabs(a.power[i] - b.power[i]) > 1e-9) return false;
  return fabs(a.size - b.size) <= 1e-9 * fabs(a.size);
}

/* Powers of one sign; returns how many there are. */
static int print_powers(const sal_si_unit *a, int sign, char *text)
{
  static const char *const names[] = {"m", "kg", "s", "A", "K", "mol"};
  static const int order[] = {1, 0, 2, 3, 4, 5};
  int n = 0;

  for (int i = 0; i < SAL_SI_UNIT_BASES; ++i) {
    const double power = sign * a->power[order[i]];
    const size_t at = strlen(text), room = SAL_SI_UNIT_TEXT - at;
    if (power <= 1e-9) continue;
    const char *between = n == 0 ? "" : sign < 0 ? "/" : " ";
    if (fabs(power - 1) < 1e-9)
      snprintf(text + at, room, "%s%s", between, names[order[i]]);
    else
      snprintf(text + at, room, "%s%s^%.3g", between, names[order[i]], power);
    ++n;
  }
  return n;
}

const char *sal_si_unit_print(sal_si_unit a, char text[SAL_SI_UNIT_TEXT])
{
  char below[SAL_SI_UNIT_TEXT] = "";

  text[0] = '\0';
  if (fabs(a.size - 1) > 1e-9) snprintf(text, SAL_SI_UNIT_TEXT, "%.4g ", a.size);
  const int above = print_powers(&a, 1, text), under = print_powers(&a, -1, below);
  const size_t at = strlen(text);
  snprintf(text + at, SAL_SI_UNIT_TEXT - at, "%s%s%s", above ? "" : "1", under ? "/" : "", below);
  return text;
}
