/** The language of models: what its signs and words make of the graph. */
#include "expression.h"
#include "arithmetic.h"
#include "base.h"
#include "clocks.h"
#include "value.h"

/* How strongly signs bind; the ones between words and comparisons stand apart. */
enum { OPERANDS = 8 };
enum { LEVEL_OR = 1, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARED, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_POWER };

static const sal_arithmetic_sign signs[] = {{"or", LEVEL_OR, SAL_PROGRAM_or},
                                            {"and", LEVEL_AND, SAL_PROGRAM_and},
                                            {"<", LEVEL_COMPARED, SAL_PROGRAM_lt},
                                            {"<=", LEVEL_COMPARED, SAL_PROGRAM_le},
                                            {">", LEVEL_COMPARED, SAL_PROGRAM_gt},
                                            {">=", LEVEL_COMPARED, SAL_PROGRAM_ge},
                                            {"==", LEVEL_COMPARED, SAL_PROGRAM_eq},
                                            {"!=", LEVEL_COMPARED, SAL_PROGRAM_ne},
                                            {"+", LEVEL_SUM, SAL_PROGRAM_add},
                                            {"-", LEVEL_SUM, SAL_PROGRAM_sub},
                                            {"*", LEVEL_PRODUCT, SAL_PROGRAM_mul},
                                            {"/", LEVEL_PRODUCT, SAL_PROGRAM_div},
                                            {"%", LEVEL_PRODUCT, SAL_PROGRAM_floor},
                                            {"^", LEVEL_POWER, SAL_PROGRAM_pow},
                                            {NULL, 0, 0}};

static sal_scope *scope_of(const sal_arithmetic *a) { return a->context; }
static sal_graph *graph_of(const sal_arithmetic *a) { return scope_of(a)->graph; }

/* ---- functions, and their parts where the program has no such operation ---- */

static int square(sal_graph *g, int a) { return sal_graph_make(g, SAL_PROGRAM_mul, a, a, 0); }

/* -1, 0 or 1: 0 and NaN are their own sign. */
static int make_sign(sal_scope *s, sal_program_op op, int n, const int a[])
{
  sal_graph *g = s->graph;
  const int zero = sal_graph_constant(g, 0);
  const int below = sal_clocks_compare(s, SAL_PROGRAM_lt, a[0], zero),
            above = sal_clocks_compare(s, SAL_PROGRAM_gt, a[0], zero);
  const int rest = sal_graph_make(g, op, below, sal_graph_constant(g, -1), a[0]);

  (void)n;
  return sal_graph_make(g, op, above, sal_graph_constant(g, 1), rest);
}

static int make_hypot(sal_scope *s, sal_program_op op, int n, const int a[])
{
  sal_graph *g = s->graph;
  (void)n;
  const int sum = sal_graph_make(g, SAL_PROGRAM_add, square(g, a[0]), square(g, a[1]), 0);
  return sal_graph_make(g, op, sum, 0, 0);
}

/* a ^ b: whole powers from 1 to 8 by multiplication, from the left. */
static int power_of(sal_graph *g, int a, int b)
{
  const sal_graph_node *exponent = &g->node[b];
  const double e = exponent->kind == SAL_GRAPH_CONSTANT ? exponent->value : NAN;
  int value = a;

  if (!(e >= 1 && e <= 8 && e == floor(e))) return sal_graph_make(g, SAL_PROGRAM_pow, a, b, 0);
  for (int i = 1; i < (int)e; ++i) value = sal_graph_make(g, SAL_PROGRAM_mul, value, a, 0);
  return value;
}

static int make_power(sal_scope *s, sal_program_op op, int n, const int a[])
{
  (void)op, (void)n;
  return power_of(s->graph, a[0], a[1]);
}

/* An operation on one or two. */
static int make_plain(sal_scope *s, sal_program_op op, int n, const int a[])
{
  return sal_graph_make(s->graph, op, a[0], n > 1 ? a[1] : 0, 0);
}

/* abs, or min or max of the first two, of the result and the next one, .. */
static int make_bend(sal_scope *s, sal_program_op op, int n, const int a[])
{
  int value = sal_clocks_bend(s, op, a[0], a[1]);

  for (int i = 2; i < n; ++i) value = sal_clocks_bend(s, op, value, a[i]);
  return value;
}

static int make_floor(sal_scope *s, sal_program_op op, int n, const int a[])
{
  (void)op, (void)n;
  return sal_clocks_floor(s, a[0], sal_graph_constant(s->graph, 1));
}

/* 1 where a <= x < b, else 0. */
static int make_window(sal_scope *s, sal_program_op op, int n, const int a[])
{
  const int from = sal_clocks_compare(s, SAL_PROGRAM_ge, a[0], a[1]),
            to = sal_clocks_compare(s, SAL_PROGRAM_lt, a[0], a[2]);

  (void)n;
  return sal_graph_make(s->graph, op, sal_graph_make(s->graph, SAL_PROGRAM_and, from, to, 0),
                        sal_graph_constant(s->graph, 1), sal_graph_constant(s->graph, 0));
}

static int make_every(sal_scope *s, sal_program_op op, int n, const int a[])
{
  (void)op, (void)n;
  return s->every = sal_clocks_every(s, a[0]);
}

static const struct {
  const char *name;
  int least, most;
  sal_program_op op;
  int (*make)(sal_scope *s, sal_program_op op, int n, const int a[]);
} functions[] = {
    {"sin", 1, 1, SAL_PROGRAM_sin, make_plain},
    {"cos", 1, 1, SAL_PROGRAM_cos, make_plain},
    {"tan", 1, 1, SAL_PROGRAM_tan, make_plain},
    {"asin", 1, 1, SAL_PROGRAM_asin, make_plain},
    {"acos", 1, 1, SAL_PROGRAM_acos, make_plain},
    {"atan", 1, 1, SAL_PROGRAM_atan, make_plain},
    {"atan2", 2, 2, SAL_PROGRAM_atan2, make_plain},
    {"sinh", 1, 1, SAL_PROGRAM_sinh, make_plain},
    {"cosh", 1, 1, SAL_PROGRAM_cosh, make_plain},
    {"tanh", 1, 1, SAL_PROGRAM_tanh, make_plain},
    {"exp", 1, 1, SAL_PROGRAM_exp, make_plain},
    {"log", 1, 1, SAL_PROGRAM_log, make_plain},
    {"sqrt", 1, 1, SAL_PROGRAM_sqrt, make_plain},
    {"abs", 1, 1, SAL_PROGRAM_abs, make_bend},
    {"sign", 1, 1, SAL_PROGRAM_select, make_sign},
    {"min", 2, OPERANDS, SAL_PROGRAM_min, make_bend},
    {"max", 2, OPERANDS, SAL_PROGRAM_max, make_bend},
    {"hypot", 2, 2, SAL_PROGRAM_sqrt, make_hypot},
    {"spacing", 1, 1, SAL_PROGRAM_spacing, make_plain},
    {"pow", 2, 2, SAL_PROGRAM_pow, make_power},
    {"floor", 1, 1, SAL_PROGRAM_floor, make_floor},
    {"window", 3, 3, SAL_PROGRAM_select, make_window},
    {"every", 1, 1, SAL_PROGRAM_sub, make_every},
};
/* The last three may be names, too, where no ( follows. */
enum { N_FUNCTION = sizeof functions / sizeof *functions, N_RESERVED = N_FUNCTION - 3 };

static int find_function(const char *name)
{
  int f = 0;

  while (f < N_FUNCTION && strcmp(functions[f].name, name) != 0) ++f;
  return f;
}

static sal_err fail_unknown(const sal_arithmetic *a, const char *name)
{
  const char *names[N_FUNCTION + 1] = {NULL};

  for (int f = 0; f < N_FUNCTION; ++f) names[f] = functions[f].name;
  const char *nearest = sal_text_nearest(name, names);
  return sal_arithmetic_fail(a, "unknown function '%s'%s%s%s", name,
                             nearest ? "; did you mean '" : "", nearest ? nearest : "",
                             nearest ? "'?" : "");
}

static bool reserves(const char *word)
{
  static const char *const words[] = {"if", "else", "and", "or", "not"};

  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (strcmp(word, words[i]) == 0) return true;
  return find_function(word) < N_RESERVED;
}

static sal_err check(const sal_arithmetic *a, int value, sal_scope_type type, const char *where)
{
  const bool mask = sal_graph_is_mask(graph_of(a), value);

  if (type == SAL_SCOPE_ANY || mask == (type == SAL_SCOPE_MASK)) return SAL_OK;
  return sal_arithmetic_fail(
      a,
      mask ? "%s: a condition, true or false, where a number is needed; write '1 if .. else 0'"
           : "%s: a number where a condition is needed; write a comparison, such as 'x > 0'",
      where);
}

/* NAME == WORD or NAME != WORD of an option. */
static sal_err read_option(sal_arithmetic *a, const sal_scope_name *option, int *value)
{
  sal_graph *g = graph_of(a);
  const bool differs = sal_arithmetic_is_at(a, "!=");
  int k = 0;

  if (!differs && !sal_arithmetic_is_at(a, "=="))
    return sal_arithmetic_fail(a, "option %s is compared with one of its words, '%s == %s'",
                               option->name, option->name, option->word[0]);
  SAL_TRY(sal_arithmetic_advance(a));
  while (option->word[k] && !sal_arithmetic_is_at(a, option->word[k])) ++k;
  if (!option->word[k])
    return sal_arithmetic_fail(a, "'%s' is not a word of option %s, e.g. '%s'", a->word,
                               option->name, option->word[0]);
  *value = sal_graph_make(g, differs ? SAL_PROGRAM_ne : SAL_PROGRAM_eq,
                          sal_graph_quantity(g, SAL_GRAPH_WORD, option->number),
                          sal_graph_constant(g, k), 0);
  return sal_arithmetic_advance(a);
}

/* The contact whose gap is being read, NULL: it is another text. */
static sal_scope_name *gap_of(const sal_arithmetic *a)
{
  sal_scope *s = scope_of(a);

  for (int i = 0; i < s->n; ++i)
    if (s->name[i].kind == SAL_SCOPE_CONTACT && s->name[i].text == a->text) return &s->name[i];
  return NULL;
}

static sal_err read_choice(sal_arithmetic *a, int *value);

static sal_err read_value(sal_arithmetic *a, const char *name, int *value)
{
  sal_scope *scope = scope_of(a);

  scope->depth += a->depth;
  const sal_err err = sal_scope_value(scope, a->text, a->key, name, value);
  scope->depth -= a->depth;
  return err;
}

static sal_err read_argument(sal_arithmetic *a, const char *function, int *value)
{
  SAL_TRY(read_choice(a, value));
  return check(a, *value, SAL_SCOPE_NUMBER, function);
}

static sal_err read_table(sal_arithmetic *a, sal_scope_name *table, int *value)
{
  int x = 0;

  table->used = true;
  SAL_TRY(sal_arithmetic_expect(a, "("));
  SAL_TRY(read_argument(a, table->name, &x));
  *value = sal_graph_make(graph_of(a), SAL_PROGRAM_table, x, SAL_LOOKUP_ORDERS * table->number, 0);
  return sal_arithmetic_expect(a, ")");
}

static const char every_alone[] = "every(T) is the gap of a contact, and stands there alone";

/* Operand T of every(T). */
static sal_err check_every(const sal_arithmetic *a, int T)
{
  const sal_graph_node *n = &graph_of(a)->node[T];

  if (!gap_of(a)) return sal_arithmetic_fail(a, "%s", every_alone);
  if (!sal_clocks_is_fixed(graph_of(a), T))
    return sal_arithmetic_fail(a, "every(T): T is made of numbers and parameters alone");
  if (n->kind == SAL_GRAPH_CONSTANT && !(n->value > 0))
    return sal_arithmetic_fail(a, "every(T): T is %g; it has to be above 0", n->value);
  return SAL_OK;
}

/* NAME(NUMBER), a member of a family, of which the number is the token. */
static sal_err read_member(sal_arithmetic *a, const char *name, int *value)
{
  char member[2 * SAL_ARITHMETIC_WORD];

  snprintf(member, sizeof member, "%s(%s)", name, a->word);
  if (a->kind != SAL_ARITHMETIC_DIGITS || !sal_scope_find(scope_of(a), member))
    return fail_unknown(a, name);
  SAL_TRY(sal_arithmetic_advance(a));
  SAL_TRY(sal_arithmetic_expect(a, ")"));
  return read_value(a, member, value);
}

/* NAME(OPERAND, ..), of which ( is the token. */
static sal_err read_call(sal_arithmetic *a, const char *name, int *value)
{
  sal_scope_name *found = sal_scope_find(scope_of(a), name);
  const int f = find_function(name);
  int operand[OPERANDS] = {0}, n = 0;

  if (found && found->kind == SAL_SCOPE_TABLE) return read_table(a, found, value);
  SAL_TRY(sal_arithmetic_expect(a, "("));
  if (f == N_FUNCTION) return read_member(a, name, value);
  while (!sal_arithmetic_is_at(a, ")")) {
    int one = 0;
    if (n > 0) SAL_TRY(sal_arithmetic_expect(a, ","));
    SAL_TRY(read_argument(a, name, &one));
    if (n < OPERANDS) operand[n] = one;
    ++n;
  }
  const int least = functions[f].least, most = functions[f].most;
  if (n < least || n > most)
    return sal_arithmetic_fail(a, "%s takes %d%s operand%s, not %d", name, least,
                               most > least ? " or more (up to 8)" : "", sal_text_plural(least), n);
  if (functions[f].make == make_every) SAL_TRY(check_every(a, operand[0]));
  *value = functions[f].make(scope_of(a), functions[f].op, n, operand);
  return sal_arithmetic_expect(a, ")");
}

static sal_err read_name(sal_arithmetic *a, const char *name, int *value)
{
  sal_scope *scope = scope_of(a);

  if (sal_arithmetic_is_at(a, "(")) return read_call(a, name, value);
  if (reserves(name))
    return sal_arithmetic_fail(a, "'%s' stands where a number or a name is expected", name);
  sal_scope_name *found = sal_scope_find(scope, name);
  if (found && found->kind == SAL_SCOPE_OPTION) {
    found->used = true;
    return read_option(a, found, value);
  }
  return read_value(a, name, value);
}

static sal_err read_number(sal_arithmetic *a, int *value)
{
  double number;

  if (!sal_value_read(a->word, &number))
    return sal_arithmetic_fail(a, "'%s' is not a finite number", a->word);
  *value = sal_graph_constant(graph_of(a), number);
  return SAL_OK;
}

/* -a, +a or not a. */
static sal_err read_prefix(sal_arithmetic *a, const char *sign, int *value)
{
  const bool denies = sign[0] == 'n';

  SAL_TRY(check(a, *value, denies ? SAL_SCOPE_MASK : SAL_SCOPE_NUMBER, denies ? "not" : "a sign"));
  if (sign[0] != '+')
    *value = sal_graph_make(graph_of(a), denies ? SAL_PROGRAM_not : SAL_PROGRAM_neg, *value, 0, 0);
  return SAL_OK;
}

/* a < b < c is a < b and b < c: `last` is the b. */
static sal_err combine(sal_arithmetic *a, const sal_arithmetic_sign *s, int right, int *last,
                       int *value)
{
  const sal_scope_type type = s->level < LEVEL_NOT ? SAL_SCOPE_MASK : SAL_SCOPE_NUMBER;
  const bool compares = s->level == LEVEL_COMPARED, chained = compares && *last >= 0;
  const sal_program_op op = (sal_program_op)s->op;
  sal_graph *g = graph_of(a);

  if (!chained) SAL_TRY(check(a, *value, type, s->sign));
  SAL_TRY(check(a, right, type, s->sign));
  if (s->level == LEVEL_POWER) {
    *value = power_of(g, *value, right);
  } else if (op == SAL_PROGRAM_floor) {
    *value = sal_clocks_modulo(scope_of(a), *value, right);
  } else if (compares) {
    const int compared = sal_clocks_compare(scope_of(a), op, chained ? *last : *value, right);
    *value = chained ? sal_graph_make(g, SAL_PROGRAM_and, *value, compared, 0) : compared;
  } else {
    *value = sal_graph_make(g, op, *value, right, 0);
  }
  *last = compares ? right : -1;
  return SAL_OK;
}

/* c ? a : b of conditions is made of `and` and `or`. */
static int choose(sal_graph *g, int condition, int a, int b)
{
  if (!sal_graph_is_mask(g, a)) return sal_graph_make(g, SAL_PROGRAM_select, condition, a, b);
  const int yes = sal_graph_make(g, SAL_PROGRAM_and, condition, a, 0);
  const int denied = sal_graph_make(g, SAL_PROGRAM_not, condition, 0, 0);
  return sal_graph_make(g, SAL_PROGRAM_or, yes, sal_graph_make(g, SAL_PROGRAM_and, denied, b, 0),
                        0);
}

static sal_err read_choice(sal_arithmetic *a, int *value)
{
  int condition = 0, other = 0;

  SAL_TRY(sal_arithmetic_signs(a, LEVEL_OR, value));
  if (!sal_arithmetic_is_at(a, "if")) return SAL_OK;
  if (++a->depth > SAL_ARITHMETIC_DEPTH)
    return sal_arithmetic_fail(a, "nested more than %d deep", SAL_ARITHMETIC_DEPTH);
  SAL_TRY(sal_arithmetic_advance(a));
  SAL_TRY(sal_arithmetic_signs(a, LEVEL_OR, &condition));
  SAL_TRY(check(a, condition, SAL_SCOPE_MASK, "if"));
  SAL_TRY(sal_arithmetic_expect(a, "else"));
  SAL_TRY(read_choice(a, &other));
  const bool mask = sal_graph_is_mask(graph_of(a), *value);
  SAL_TRY(check(a, other, mask ? SAL_SCOPE_MASK : SAL_SCOPE_NUMBER, "else"));
  *value = choose(graph_of(a), condition, *value, other);
  --a->depth;
  return SAL_OK;
}

static const sal_arithmetic_language language = {.signs = signs,
                                                 .expected = "an expression, such as 'k * x'",

                                                 .power = LEVEL_POWER,
                                                 .denial = LEVEL_COMPARED,

                                                 .number = read_number,
                                                 .name = read_name,
                                                 .prefix = read_prefix,
                                                 .combine = combine,
                                                 .whole = read_choice};

sal_err sal_expression_read(sal_scope *scope, int text, const char *key, sal_scope_type type,
                            int *value)
{
  sal_arithmetic a = {.language = &language,
                      .context = scope,
                      .document = scope->document,
                      .text = text,
                      .key = key,
                      .deeper = scope->depth};
  const int first = scope->graph->n, every = scope->every;

  scope->every = 0;
  SAL_TRY(sal_arithmetic_read(&a, value));
  if (scope->graph->full)
    return sal_document_fail(scope->document, text,
                             "%s: the model is made of more than %d operations", key,
                             SAL_GRAPH_NODES);
  if (scope->every && scope->every != *value)
    return sal_document_fail(scope->document, text, "%s: %s", key, every_alone);
  if (scope->every) gap_of(&a)->timed = true;
  scope->every = every;
  sal_scope_remember(scope, text, key, first, *value);
  return check(&a, *value, type, "the expression");
}

const sal_scope_language sal_expression_language = {.reserves = reserves,
                                                    .read = sal_expression_read};
