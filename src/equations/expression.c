/** @file src/equations/expression.c
 *  By recursive descent, with the signs between operands in a table.
 */
#include "expression.h"
#include "expression_token.h"
#include "value.h"
#include <string.h>

/* How strongly signs bind; the ones between words and comparisons stand apart. */
enum { LEVEL_OR = 1, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARED, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_POWER };

static const struct {
  const char *sign;
  int level;
  sal_program_op op;
} signs[] = {
    {"or", LEVEL_OR, SAL_PROGRAM_or},       {"and", LEVEL_AND, SAL_PROGRAM_and},
    {"<", LEVEL_COMPARED, SAL_PROGRAM_lt},  {"<=", LEVEL_COMPARED, SAL_PROGRAM_le},
    {">", LEVEL_COMPARED, SAL_PROGRAM_gt},  {">=", LEVEL_COMPARED, SAL_PROGRAM_ge},
    {"==", LEVEL_COMPARED, SAL_PROGRAM_eq}, {"!=", LEVEL_COMPARED, SAL_PROGRAM_ne},
    {"+", LEVEL_SUM, SAL_PROGRAM_add},      {"-", LEVEL_SUM, SAL_PROGRAM_sub},
    {"*", LEVEL_PRODUCT, SAL_PROGRAM_mul},  {"/", LEVEL_PRODUCT, SAL_PROGRAM_div},
    {"^", LEVEL_POWER, SAL_PROGRAM_pow},
};
enum { N_SIGN = sizeof signs / sizeof *signs };

static bool reserves(const char *word)
{
  static const char *const words[] = {"if", "else", "and", "or", "not"};

  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (strcmp(word, words[i]) == 0) return true;
  return sal_expression_is_function(word);
}

static sal_err check(const sal_expression_reader *reader, int value, sal_scope_type type,
                     const char *where)
{
  const bool mask = sal_graph_is_mask(reader->scope->graph, value);

  if (type == SAL_SCOPE_ANY || mask == (type == SAL_SCOPE_MASK)) return SAL_OK;
  return sal_expression_fail(
      reader,
      mask ? "%s: a condition, true or false, where a number is needed; write '1 if .. else 0'"
           : "%s: a number where a condition is needed; write a comparison, such as 'x > 0'",
      where);
}

/* NAME == WORD or NAME != WORD of an option. */
static sal_err read_option(sal_expression_reader *reader, const sal_scope_name *option, int *value)
{
  sal_graph *g = reader->scope->graph;
  const bool differs = sal_expression_meets(reader, "!=");
  int k = 0;

  if (!differs && !sal_expression_meets(reader, "=="))
    return sal_expression_fail(reader, "option %s is compared with one of its words, '%s == %s'",
                               option->name, option->name, option->word[0]);
  SAL_TRY(sal_expression_advance(reader));
  while (option->word[k] && !sal_expression_meets(reader, option->word[k])) ++k;
  if (!option->word[k])
    return sal_expression_fail(reader, "'%s' is no word of option %s, such as '%s'", reader->word,
                               option->name, option->word[0]);
  *value = sal_graph_make(g, differs ? SAL_PROGRAM_ne : SAL_PROGRAM_eq,
                          sal_graph_quantity(g, SAL_GRAPH_WORD, option->number),
                          sal_graph_constant(g, k), 0);
  return sal_expression_advance(reader);
}

static sal_err read_choice(sal_expression_reader *reader, int *value);

static sal_err read_argument(sal_expression_reader *reader, const char *function, int *value)
{
  SAL_TRY(read_choice(reader, value));
  return check(reader, *value, SAL_SCOPE_NUMBER, function);
}

static sal_err read_table(sal_expression_reader *reader, sal_scope_name *table, int *value)
{
  int x = 0;

  table->used = true;
  SAL_TRY(sal_expression_expect(reader, "("));
  SAL_TRY(read_argument(reader, table->name, &x));
  *value = sal_graph_make(reader->scope->graph, SAL_PROGRAM_table, x,
                          SAL_LOOKUP_ORDERS * table->number, 0);
  return sal_expression_expect(reader, ")");
}

/* NAME(OPERAND, ..), of which ( is the token. */
static sal_err read_call(sal_expression_reader *reader, const char *name, int *value)
{
  sal_scope_name *found = sal_scope_find(reader->scope, name);
  int operand[SAL_EXPRESSION_OPERANDS] = {0}, n = 0, function;

  if (found && found->kind == SAL_SCOPE_TABLE) return read_table(reader, found, value);
  SAL_TRY(sal_expression_function(reader, name, &function));
  SAL_TRY(sal_expression_expect(reader, "("));
  while (!sal_expression_meets(reader, ")")) {
    int one = 0;
    if (n > 0) SAL_TRY(sal_expression_expect(reader, ","));
    SAL_TRY(read_argument(reader, name, &one));
    if (n < SAL_EXPRESSION_OPERANDS) operand[n] = one;
    ++n;
  }
  SAL_TRY(sal_expression_call(reader, function, n, operand, value));
  return sal_expression_expect(reader, ")");
}

static sal_err read_word(sal_expression_reader *reader, int *value)
{
  char name[SAL_EXPRESSION_NAME];

  memcpy(name, reader->word, sizeof name);
  SAL_TRY(sal_expression_advance(reader));
  if (sal_expression_meets(reader, "(")) return read_call(reader, name, value);
  if (reserves(name))
    return sal_expression_fail(reader, "'%s' stands where a number or a name is expected", name);
  sal_scope_name *found = sal_scope_find(reader->scope, name);
  if (found && found->kind == SAL_SCOPE_OPTION) {
    found->used = true;
    return read_option(reader, found, value);
  }
  reader->scope->depth += reader->depth;
  const sal_err err = sal_scope_value(reader->scope, reader->text, reader->key, name, value);
  reader->scope->depth -= reader->depth;
  return err;
}

static sal_err read_atom(sal_expression_reader *reader, int *value)
{
  double number;

  switch (reader->kind) {
  case SAL_EXPRESSION_WORD:
    return read_word(reader, value);
  case SAL_EXPRESSION_DIGITS:
    if (!sal_value_read(reader->word, &number))
      return sal_expression_fail(reader, "'%s' is no finite number", reader->word);
    *value = sal_graph_constant(reader->scope->graph, number);
    return sal_expression_advance(reader);
  case SAL_EXPRESSION_END:
    return sal_expression_fail(reader, "it ends where a number or a name is expected");
  default:
    break;
  }
  if (!sal_expression_meets(reader, "("))
    return sal_expression_fail(reader, "'%s' stands where a number or a name is expected",
                               reader->word);
  SAL_TRY(sal_expression_advance(reader));
  SAL_TRY(read_choice(reader, value));
  return sal_expression_expect(reader, ")");
}

static sal_err read_signs(sal_expression_reader *reader, int level, int *value);

/* -a, +a, not a, or an atom. */
static sal_err read_operand(sal_expression_reader *reader, int *value)
{
  const bool minus = sal_expression_meets(reader, "-"),
             denies = sal_expression_meets(reader, "not");

  if (!minus && !denies && !sal_expression_meets(reader, "+")) return read_atom(reader, value);
  SAL_TRY(sal_expression_advance(reader));
  SAL_TRY(read_signs(reader, denies ? LEVEL_COMPARED : LEVEL_POWER, value));
  SAL_TRY(
      check(reader, *value, denies ? SAL_SCOPE_MASK : SAL_SCOPE_NUMBER, denies ? "not" : "a sign"));
  if (minus || denies)
    *value = sal_graph_make(reader->scope->graph, denies ? SAL_PROGRAM_not : SAL_PROGRAM_neg,
                            *value, 0, 0);
  return SAL_OK;
}

static int find_sign(const sal_expression_reader *reader, int level)
{
  int s = 0;

  while (s < N_SIGN && (signs[s].level < level || !sal_expression_meets(reader, signs[s].sign)))
    ++s;
  return s;
}

/* a < b < c is a < b and b < c: `last` is the b. */
static int combine(sal_graph *g, int s, int left, int right, int *last)
{
  if (signs[s].level == LEVEL_POWER) return sal_expression_power(g, left, right);
  if (signs[s].level != LEVEL_COMPARED) return sal_graph_make(g, signs[s].op, left, right, 0);
  const int compared = sal_graph_make(g, signs[s].op, *last < 0 ? left : *last, right, 0);
  const int value = *last < 0 ? compared : sal_graph_make(g, SAL_PROGRAM_and, left, compared, 0);
  *last = right;
  return value;
}

/* Operands and the signs between them that bind at least as strongly as `level`. */
static sal_err read_signs(sal_expression_reader *reader, int level, int *value)
{
  int last = -1; /* right side of a comparison that has just been read */

  *value = 0;
  if (++reader->depth > SAL_EXPRESSION_DEPTH ||
      reader->depth + reader->scope->depth > SAL_EXPRESSION_ALL)
    return sal_expression_fail(reader, "nested more than %d deep", SAL_EXPRESSION_DEPTH);
  SAL_TRY(read_operand(reader, value));
  for (int s = find_sign(reader, level); s < N_SIGN; s = find_sign(reader, level)) {
    const sal_scope_type type = signs[s].level < LEVEL_NOT ? SAL_SCOPE_MASK : SAL_SCOPE_NUMBER;
    const bool chained = signs[s].level == LEVEL_COMPARED && last >= 0;
    int right = 0;
    if (!chained) SAL_TRY(check(reader, *value, type, signs[s].sign));
    SAL_TRY(sal_expression_advance(reader));
    SAL_TRY(read_signs(reader, signs[s].level + (signs[s].level != LEVEL_POWER), &right));
    SAL_TRY(check(reader, right, type, signs[s].sign));
    if (signs[s].level != LEVEL_COMPARED) last = -1;
    *value = combine(reader->scope->graph, s, *value, right, &last);
  }
  --reader->depth;
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

static sal_err read_choice(sal_expression_reader *reader, int *value)
{
  int condition = 0, other = 0;

  SAL_TRY(read_signs(reader, LEVEL_OR, value));
  if (!sal_expression_meets(reader, "if")) return SAL_OK;
  if (++reader->depth > SAL_EXPRESSION_DEPTH)
    return sal_expression_fail(reader, "nested more than %d deep", SAL_EXPRESSION_DEPTH);
  SAL_TRY(sal_expression_advance(reader));
  SAL_TRY(read_signs(reader, LEVEL_OR, &condition));
  SAL_TRY(check(reader, condition, SAL_SCOPE_MASK, "if"));
  SAL_TRY(sal_expression_expect(reader, "else"));
  SAL_TRY(read_choice(reader, &other));
  const bool mask = sal_graph_is_mask(reader->scope->graph, *value);
  SAL_TRY(check(reader, other, mask ? SAL_SCOPE_MASK : SAL_SCOPE_NUMBER, "else"));
  *value = choose(reader->scope->graph, condition, *value, other);
  --reader->depth;
  return SAL_OK;
}

sal_err sal_expression_read(sal_scope *scope, int text, const char *key, sal_scope_type type,
                            int *value)
{
  const char *string = sal_document_text(scope->document, text);
  sal_expression_reader reader = {
      .scope = scope, .text = text, .key = key, .start = string, .token = string, .next = string};
  const int first = scope->graph->n;

  *value = 0;
  if (!string || !string[0])
    return sal_value_wrong_kind(scope->document, text, key, "an expression, such as 'k * x'");
  if (strlen(string) > SAL_EXPRESSION_BYTES)
    return sal_document_fail(scope->document, text, "%s: an expression of %zu bytes; allowed: %d",
                             key, strlen(string), SAL_EXPRESSION_BYTES);
  SAL_TRY(sal_expression_advance(&reader));
  SAL_TRY(read_choice(&reader, value));
  if (reader.kind != SAL_EXPRESSION_END)
    return sal_expression_fail(&reader, "'%s' stands where the expression should end", reader.word);
  if (scope->graph->full)
    return sal_document_fail(scope->document, text,
                             "%s: the model is made of more than %d operations", key,
                             SAL_GRAPH_NODES);
  sal_scope_remember(scope, text, key, first, *value);
  return check(&reader, *value, type, "the expression");
}

const sal_scope_language sal_expression_language = {.reserves = reserves,
                                                    .read = sal_expression_read};
