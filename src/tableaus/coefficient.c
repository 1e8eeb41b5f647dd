/** Numbers and small expressions of them. */
#include "arithmetic.h"
#include "base.h"
#include "tableau_reading.h"
#include "value.h"
#include <ctype.h>

/* Digits that 113 bits can distinguish, and the largest power of ten that they hold exactly. */
enum { MOST_DIGITS = 36, MOST_TENS = 48, MOST_POWER = 64 };

/* Operators that wait for their right operand: one a level. */
typedef struct {
  const sal_coefficient_names *names;
  int n;
  sal_exact value[SAL_ARITHMETIC_DEPTH + 1];
} operands;

enum { LEVEL_SUM = 1, LEVEL_PRODUCT, LEVEL_POWER };
static const sal_arithmetic_sign signs[] = {{"+", LEVEL_SUM, '+'},     {"-", LEVEL_SUM, '-'},
                                            {"*", LEVEL_PRODUCT, '*'}, {"/", LEVEL_PRODUCT, '/'},
                                            {"^", LEVEL_POWER, '^'},   {NULL, 0, 0}};

static int keep(const sal_arithmetic *a, sal_exact value)
{
  operands *o = a->context;

  o->value[o->n] = value;
  return o->n++;
}

static sal_exact ten_to(int power)
{
  sal_exact value = 1;

  for (int i = 0; i < power; ++i) value *= 10;
  return value;
}

/* Digits with at most one point: the whole number that they make, and the tens to divide it by. */
static sal_exact read_digits(const char *at, int *tens)
{
  sal_exact whole = 0;
  int kept = 0;
  bool point = false;

  for (; *at == '.' || isdigit((unsigned char)*at); ++at) {
    if (*at == '.') {
      point = true;
    } else if (kept < MOST_DIGITS) {
      whole = whole * 10 + (*at - '0');
      kept += whole > 0;
      *tens += point;
    } else if (!point) {
      --*tens;
    }
  }
  return whole;
}

static sal_err read_number(sal_arithmetic *a, int *value)
{
  const char *e = a->word + strcspn(a->word, "eE");
  const long exponent = *e ? strtol(e + 1, NULL, 10) : 0;
  int tens = 0;
  sal_exact number = read_digits(a->word, &tens);

  if (strcmp(a->word, ".") == 0) return sal_arithmetic_fail(a, "a number is expected");
  tens = exponent > 1000 ? -1001 : exponent < -1000 ? 1001 : tens - (int)exponent;
  if (number != 0 && abs(tens) > MOST_TENS)
    return sal_arithmetic_fail(a, "the number is too large or too small");
  if (number != 0) number = tens < 0 ? number * ten_to(-tens) : number / ten_to(tens);
  *value = keep(a, number);
  return SAL_OK;
}

/* Newton's iteration doubles the digits of the root in double precision twice. */
static sal_exact root_of(sal_exact x)
{
  sal_exact root = sqrt((double)x);

  for (int i = 0; x > 0 && i < 3; ++i) root = (root + x / root) / 2;
  return root;
}

static sal_err read_all(sal_arithmetic *a, int *value)
{
  return sal_arithmetic_signs(a, LEVEL_SUM, value);
}

static sal_err read_root(sal_arithmetic *a, int *value)
{
  SAL_TRY(sal_arithmetic_expect(a, "("));
  SAL_TRY(read_all(a, value));
  SAL_TRY(sal_arithmetic_expect(a, ")"));
  sal_exact *x = &((operands *)a->context)->value[*value];
  if (*x < 0) return sal_arithmetic_fail(a, "the root of a number below 0");
  *x = root_of(*x);
  return SAL_OK;
}

static sal_err read_name(sal_arithmetic *a, const char *name, int *value)
{
  const sal_coefficient_names *names = ((const operands *)a->context)->names;
  const char *known[SAL_COEFFICIENT_NAMES + 2] = {NULL};

  if (strcmp(name, "sqrt") == 0) return read_root(a, value);
  for (int i = 0; i < names->n; ++i) {
    known[i] = names->name[i];
    if (strcmp(known[i], name) != 0) continue;
    *value = keep(a, names->value[i]);
    return SAL_OK;
  }
  known[names->n] = "sqrt";
  return sal_value_unknown(a->document, a->text, a->key, "name", name, known);
}

static sal_err read_prefix(sal_arithmetic *a, const char *sign, int *value)
{
  sal_exact *x = &((operands *)a->context)->value[*value];

  if (sign[0] == '-') *x = -*x;
  return SAL_OK;
}

static sal_err raise(const sal_arithmetic *a, sal_exact base, sal_exact power, sal_exact *value)
{
  const double times = fabs((double)power);

  if (times != floor(times) || times > MOST_POWER)
    return sal_arithmetic_fail(a, "a power has to be a whole number to 64");
  *value = 1;
  for (int i = 0; i < (int)times; ++i) *value *= base;
  if (power < 0 && *value == 0) return sal_arithmetic_fail(a, "a division by 0");
  if (power < 0) *value = 1 / *value;
  return SAL_OK;
}

static sal_err combine(sal_arithmetic *a, const sal_arithmetic_sign *s, int right, int *last,
                       int *value)
{
  operands *o = a->context;
  sal_exact *x = &o->value[*value];
  const sal_exact y = o->value[right];

  (void)last;
  o->n = right;
  if (s->op == '^') return raise(a, *x, y, x);
  if (s->op == '/' && y == 0) return sal_arithmetic_fail(a, "a division by 0");
  *x = s->op == '+' ? *x + y : s->op == '-' ? *x - y : s->op == '*' ? *x * y : *x / y;
  return SAL_OK;
}

static const sal_arithmetic_language language = {.signs = signs,
                                                 .expected = "a number",

                                                 .power = LEVEL_POWER,

                                                 .number = read_number,
                                                 .name = read_name,
                                                 .prefix = read_prefix,
                                                 .combine = combine,
                                                 .whole = read_all};

sal_err sal_coefficient_read(const sal_document *document, int node, const char *what,
                             const sal_coefficient_names *names, sal_exact *value)
{
  const char *text = sal_document_text(document, node);
  char key[SAL_MAX_NAME + 96];
  operands o = {.names = names};
  sal_arithmetic a = {.language = &language,
                      .context = &o,
                      .document = document,
                      .text = node,
                      .key = text && text[0] ? key : what};
  int at;

  snprintf(key, sizeof key, "%.*s: '%.80s'", SAL_MAX_NAME, what, text ? text : "");
  *value = 0;
  SAL_TRY(sal_arithmetic_read(&a, &at));
  *value = o.value[at];
  if (sal_coefficient_size(*value) <= SAL_COEFFICIENT_MOST) return SAL_OK;
  return sal_document_fail(document, node, "%s: %g is out of range; allowed: from %g to %g", what,
                           (double)*value, -SAL_COEFFICIENT_MOST, SAL_COEFFICIENT_MOST);
}

sal_exact sal_coefficient_size(sal_exact x) { return x < 0 ? -x : x; }
