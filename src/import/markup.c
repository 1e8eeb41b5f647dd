/** XML by libxml2. */
#include "markup.h"
#include "base.h"
#include <libxml/parser.h>
#include <math.h>

enum { MOST_BYTES = 1 << 24, MOST_ELEMENTS = 1 << 14 };

static int count(const xmlNode *node)
{
  int n = 0;

  for (const xmlNode *c = node; c && n <= MOST_ELEMENTS; c = c->next)
    if (c->type == XML_ELEMENT_NODE) n += 1 + count(c->children);
  return n;
}

/* Classes and names are looked for among all elements, so that the time goes with their square. */
static sal_err check_count(const char *path, xmlDoc **document)
{
  if (count(xmlDocGetRootElement(*document)) <= MOST_ELEMENTS) return SAL_OK;
  xmlFreeDoc(*document);
  *document = NULL;
  return sal_fail(SAL_ERR_INPUT, "%s: more than %d elements; allowed: up to %d", path,
                  MOST_ELEMENTS, MOST_ELEMENTS);
}

sal_err sal_markup_parse(const char *path, const char *text, xmlDoc **out)
{
  const size_t length = strlen(text);

  *out = NULL;
  if (length > MOST_BYTES)
    return sal_fail(SAL_ERR_INPUT, "%s: %zu bytes; allowed: up to %d", path, length, MOST_BYTES);
  if (strstr(text, "<!DOCTYPE") || strstr(text, "<!ENTITY"))
    return sal_fail(SAL_ERR_INPUT, "%s: a document type and entities are not read: remove them",
                    path);
  xmlResetLastError();
  *out = xmlReadMemory(text, (int)length, NULL, "UTF-8",
                       XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                           XML_PARSE_NOBLANKS | XML_PARSE_BIG_LINES);
  if (*out && xmlDocGetRootElement(*out)) return check_count(path, out);
  const xmlError *e = xmlGetLastError();
  char message[200];
  snprintf(message, sizeof message, "%s", e && e->message ? e->message : "no element");
  message[strcspn(message, "\n")] = '\0';
  xmlFreeDoc(*out);
  *out = NULL;
  return sal_fail(SAL_ERR_INPUT, "%s:%d: not well-formed XML: %s", path, e ? e->line : 1, message);
}

bool sal_markup_is(const xmlNode *node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && (!name || strcmp((const char *)node->name, name) == 0);
}

static xmlNode *search(xmlNode *node, const char *name)
{
  while (node && !sal_markup_is(node, name)) node = node->next;
  return node;
}

xmlNode *sal_markup_first(const xmlNode *node, const char *name)
{
  return node ? search(node->children, name) : NULL;
}
xmlNode *sal_markup_next(const xmlNode *node, const char *name) { return search(node->next, name); }

const char *sal_markup_attribute(const xmlNode *node, const char *name)
{
  const xmlAttr *a = node ? node->properties : NULL;

  while (a && strcmp((const char *)a->name, name) != 0) a = a->next;
  if (!a) return NULL;
  return a->children && a->children->content ? (const char *)a->children->content : "";
}

sal_err sal_markup_numbers(const sal_robot *robot, const xmlNode *node, const char *name,
                           const char *text, int least, int most, double x[], int *n)
{
  const char *at = text;

  for (*n = 0; *(at += strspn(at, " \t\r\n")); ++*n) {
    char *end;
    const double number = strtod(at, &end);
    if (*n == most || end == at || !isfinite(number) || fabs(number) > 1e12 ||
        !strchr(" \t\r\n", *end)) {
      *n = -1;
      break;
    }
    x[*n] = number;
    at = end;
  }
  if (*n >= least) return SAL_OK;
  char range[32];
  snprintf(range, sizeof range, least < most ? "%d to %d" : "%d", least, most);
  return sal_robot_fail(robot, xmlGetLineNo(node),
                        "%s: %s: '%.60s': %s number%s expected, within 1e12",
                        (const char *)node->name, name, text, range, most > 1 ? "s are" : " is");
}

static bool has_word(const char *words, const char *word)
{
  const size_t n = strlen(word);

  for (const char *at = strstr(words, word); at; at = strstr(at + 1, word))
    if ((at == words || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' ')) return true;
  return false;
}

static sal_err look_at(sal_robot *robot, const xmlNode *node, const xmlNode *c,
                       const sal_markup_element *e)
{
  const long line = xmlGetLineNo(c);
  const char *name = (const char *)c->name, *in = (const char *)node->name;

  if (e->refused)
    return sal_robot_fail(robot, line, "%.60s in %.60s: it is not read: %s", name, in, e->left_out);
  if (!e->name)
    sal_robot_note(robot, line, "left out: element %.60s in %s", name, in);
  else if (e->left_out && e->left_out[0])
    sal_robot_note(robot, line, "left out: %s: %s", name, e->left_out);
  for (const xmlAttr *a = c->properties; a && e->attributes; a = a->next)
    if (!has_word(e->attributes, (const char *)a->name))
      sal_robot_note(robot, line, "left out: attribute %.60s of %s", (const char *)a->name, name);
  return SAL_OK;
}

sal_err sal_markup_rest(sal_robot *robot, const xmlNode *node, const sal_markup_element table[])
{
  static const sal_markup_element macro = {.left_out = "run xacro, and import what it prints",
                                           .refused = true};

  for (const xmlNode *c = sal_markup_first(node, NULL); c; c = sal_markup_next(c, NULL)) {
    const sal_markup_element *e = table;
    while (e->name && !sal_markup_is(c, e->name)) ++e;
    const bool foreign =
        c->ns && c->ns->prefix && strcmp((const char *)c->ns->prefix, "xacro") == 0;
    SAL_TRY(look_at(robot, node, c, foreign ? &macro : e));
  }
  return SAL_OK;
}
