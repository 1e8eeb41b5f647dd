/** Checks of single values. */
#include "value.h"
#include "base.h"
#include <ctype.h>
#include <float.h>

bool sal_value_read(const char *text, double *value)
{
  char *end = NULL;
  /* strtod would also take nan, inf, hexadecimals and leading blanks. */
  if (text[0] == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0') return false;
  *value = strtod(text, &end);
  return end == text + strlen(text) && isfinite(*value);
}

const char *sal_value_flaw(const char *text)
{
  char *end;

  if (text[strspn(text, "+-.0123456789eE")] == '\0' && isinf(strtod(text, &end)) && !*end)
    return "is too large; expected: a number up to 1.7976931348623157e+308";
  return "is not a number; expected: a finite decimal number, such as 0.001 or 1e-3";
}

sal_err sal_value_no_number(const sal_document *document, int node, const char *name)
{
  const char *text = sal_document_text(document, node);

  return sal_document_fail(document, node, "%s: '%s' %s", name, text, sal_value_flaw(text));
}

sal_err sal_value_wrong_kind(const sal_document *document, int node, const char *name,
                             const char *expected)
{
  static const char *const found[] = {[YAML_NO_NODE] = "nothing",
                                      [YAML_SCALAR_NODE] = "a single value",
                                      [YAML_SEQUENCE_NODE] = "a list",
                                      [YAML_MAPPING_NODE] = "a mapping"};
  const char *text = sal_document_text(document, node);
  return sal_document_fail(
      document, node, "%s: %s; expected: %s", name,
      found[text && !text[0] ? YAML_NO_NODE : sal_document_node(document, node)->type], expected);
}

sal_err sal_value_number(const sal_document *document, int node, const char *name, double *value)
{
  const char *text = sal_document_text(document, node);

  if (!text || !text[0]) return sal_value_wrong_kind(document, node, name, "a number");
  return sal_value_read(text, value) ? SAL_OK : sal_value_no_number(document, node, name);
}

sal_err sal_value_unknown(const sal_document *document, int node, const char *name,
                          const char *kind, const char *text, const char *const names[])
{
  char place[SAL_PLACE], where[SAL_PLACE + SAL_MAX_NAME + 4];

  snprintf(where, sizeof where, "%s%s%.*s", sal_document_place(document, node, place),
           name[0] ? ": " : "", SAL_MAX_NAME, name);
  return sal_text_unknown(SAL_ERR_INPUT, where, kind, text, names);
}

sal_err sal_value_rank(const sal_document *document, int node, const char *name, const char *kind,
                       const char *const names[], int *rank)
{
  const char *text = sal_document_text(document, node);
  char expected[SAL_MAX_NAME];

  snprintf(expected, sizeof expected, "the name of a %s", kind);
  if (!text || !text[0])
    return sal_value_wrong_kind(document, node, name[0] ? name : kind,
                                strcmp(kind, "word") == 0 || !name[0] ? "a word" : expected);
  *rank = sal_text_rank(text, names);
  return *rank >= 0 ? SAL_OK : sal_value_unknown(document, node, name, kind, text, names);
}

sal_err sal_value_word(const sal_document *document, int node, const char *name,
                       const char *const words[], int *rank)
{
  return sal_value_rank(document, node, name, "word", words, rank);
}

sal_err sal_value_choice(const sal_document *document, int mapping, const char *key,
                         const char *const words[], bool *second)
{
  const int node = sal_document_child(document, mapping, key);
  int rank = *second;

  if (node) SAL_TRY(sal_value_word(document, node, key, words, &rank));
  *second = rank == 1;
  return SAL_OK;
}

sal_err sal_value_flag(const sal_document *document, int mapping, const char *key, bool *flag)
{
  static const char *const words[] = {"false", "true", NULL};

  return sal_value_choice(document, mapping, key, words, flag);
}

sal_err sal_value_above_0(const sal_document *document, const char *key, double *value)
{
  const int node = sal_document_find(document, key);

  if (!node) return SAL_OK;
  SAL_TRY(sal_value_number(document, node, key, value));
  if (*value > 0) return SAL_OK;
  return sal_document_fail(document, node, "%s = %g; allowed: greater than 0", key, *value);
}

const char *sal_value_line(const sal_document *document, int mapping, const char *key,
                           const char *preset)
{
  const char *text = sal_document_line(document, sal_document_child(document, mapping, key));

  return text && text[0] ? text : preset;
}

sal_err sal_value_name(const sal_document *document, int node, const char *name, int longest,
                       const char **out)
{
  static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
                    more[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+()";

  *out = sal_document_text(document, node);
  if (!*out || !**out) return sal_value_wrong_kind(document, node, name, "a name");
  if (strchr(first, **out) && !(*out)[strspn(*out, more)] && (int)strlen(*out) <= longest)
    return SAL_OK;
  return sal_document_fail(document, node,
                           "%s '%.60s': allowed are %d letters, digits and - _ . + ( ), a letter, "
                           "a digit or _ first",
                           name, *out, longest);
}

sal_err sal_value_solver_name(const sal_document *document, int node, const char *name,
                              const char **out)
{
  enum { LONGEST = 40 };
  static const char letters[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+";

  *out = sal_document_text(document, node);
  if (!*out || !**out) return sal_value_wrong_kind(document, node, name, "a word");
  if (isalpha((unsigned char)**out) && !(*out)[strspn(*out, letters)] && strlen(*out) <= LONGEST)
    return SAL_OK;
  return sal_document_fail(
      document, node,
      "%s: '%.60s' is not a name; allowed: to %d letters, digits and - _ . +, a letter first", name,
      *out, LONGEST);
}

sal_err sal_value_list(const sal_document *document, int node, const char *name, int least,
                       int most)
{
  const int n = sal_document_count(document, node);

  if (sal_document_node(document, node)->type != YAML_SEQUENCE_NODE)
    return sal_value_wrong_kind(document, node, name, "a list, [.., ..]");
  if (n >= least && n <= most) return SAL_OK;
  return sal_document_fail(document, node, "%s: a list of %d; allowed: %d to %d", name, n, least,
                           most);
}

sal_err sal_value_numbers(const sal_document *document, int list, const char *name, int n,
                          double value[])
{
  SAL_TRY(sal_value_list(document, list, name, n, n));
  for (int i = 0; i < n; ++i)
    SAL_TRY(sal_value_number(document, sal_document_item(document, list, i), name, &value[i]));
  return SAL_OK;
}

sal_err sal_value_pairs(const sal_document *document, int mapping, const char *name, int *n)
{
  const yaml_node_t *node = sal_document_node(document, mapping);

  *n = 0;
  if (!node) return SAL_OK;
  if (node->type != YAML_MAPPING_NODE)
    return sal_value_wrong_kind(document, mapping, name, "a mapping, KEY: VALUE");
  *n = (int)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
  return SAL_OK;
}

sal_err sal_value_keys(const sal_document *document, int node, const char *name,
                       const char *const keys[])
{
  char kind[SAL_MAX_NAME + 16];
  int n;

  snprintf(kind, sizeof kind, name[0] ? "key of %.*s" : "key", SAL_MAX_NAME, name);
  SAL_TRY(sal_value_pairs(document, node, name, &n));
  for (int i = 0; i < n; ++i) {
    const int key = sal_document_pair(document, node, i)->key;
    const char *text = sal_document_text(document, key);
    int k = 0;
    while (keys[k] && strcmp(keys[k], text) != 0) ++k;
    if (!keys[k]) return sal_value_unknown(document, key, "", kind, text, keys);
  }
  return SAL_OK;
}

sal_err sal_value_one(const sal_document *document, int mapping, const char *name,
                      const char *const keys[], const char *forms, int *rank, int *value)
{
  int n;

  *value = *rank = 0;
  SAL_TRY(sal_value_keys(document, mapping, name, keys));
  SAL_TRY(sal_value_pairs(document, mapping, name, &n));
  if (n != 1) return sal_document_fail(document, mapping, "%s: expected: one of %s", name, forms);
  const yaml_node_pair_t *pair = sal_document_pair(document, mapping, 0);
  *rank = sal_text_rank(sal_document_text(document, pair->key), keys);
  *value = pair->value;
  return SAL_OK;
}

sal_err sal_value_need(const sal_document *document, int mapping, const char *name, const char *key,
                       int *node)
{
  *node = sal_document_child(document, mapping, key);
  if (*node) return SAL_OK;
  return sal_document_fail(document, mapping, "%s%srequired key '%s' is missing", name,
                           name[0] ? ": " : "", key);
}

const char *sal_value_allowed(double least, double most, char text[SAL_ALLOWED])
{
  int n = 0;
  if (least > 0 && least <= DBL_MIN)
    n = snprintf(text, SAL_ALLOWED, "greater than 0");
  else if (isfinite(least))
    n = snprintf(text, SAL_ALLOWED, "from %.10g", least);
  if (isfinite(most))
    n += snprintf(text + n, (size_t)(SAL_ALLOWED - n), "%sto %.10g", n ? " " : "", most);
  if (n == 0) snprintf(text, SAL_ALLOWED, "any finite number");
  return text;
}

sal_err sal_value_range(sal_err code, const char *where, const char *name, double value,
                        double least, double most)
{
  char allowed[SAL_ALLOWED], text[SAL_TEXT_NUMBER];
  if (isfinite(value) && value >= least && value <= most) return SAL_OK;
  sal_value_allowed(least, most, allowed);
  if (value > 0 && value < least && least <= DBL_MIN)
    snprintf(allowed, sizeof allowed, "from %s", sal_text_number(least, text));
  return sal_fail(code, "%s: %s = %s is out of range; allowed: %s", where, name,
                  sal_text_number(value, text), allowed);
}

sal_err sal_value_check(const sal_document *document, int node, const char *name, double least,
                        double most, bool whole, double *value)
{
  char place[SAL_PLACE], text[SAL_TEXT_NUMBER];
  double here = 0;
  SAL_TRY(sal_value_number(document, node, name, &here));
  SAL_TRY(sal_value_range(SAL_ERR_INPUT, sal_document_place(document, node, place), name, here,
                          least, most));
  if (whole && here != floor(here))
    return sal_document_fail(document, node, "%s = %s is not a whole number", name,
                             sal_text_number(here, text));
  if (value) *value = here;
  return SAL_OK;
}
