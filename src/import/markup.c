/** XML by libxml2. */
#include "markup.h"
#include "base.h"
#include <libxml/parser.h>
#include <math.h>

enum { MOST_BYTES = 1 << 24 };

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
  *out =
      xmlReadMemory(text, (int)length, NULL, "UTF-8",
                    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOBLANKS);
  if (*out && xmlDocGetRootElement(*out)) return SAL_OK;
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
  return sal_robot_fail(robot, xmlGetLineNo(node), "%s: %s: '%.60s': %s number%s expected",
                        (const char *)node->name, name, text, range, most > 1 ? "s are" : " is");
}

void sal_markup_rest(sal_robot *robot, const xmlNode *node, const sal_markup_element table[])
{
  for (const xmlNode *c = sal_markup_first(node, NULL); c; c = sal_markup_next(c, NULL)) {
    const sal_markup_element *e = table;
    while (e->name && !sal_markup_is(c, e->name)) ++e;
    if (!e->name)
      sal_robot_note(robot, xmlGetLineNo(c), "left out: element %.60s in %s", (const char *)c->name,
                     (const char *)node->name);
    else if (e->left_out && e->left_out[0])
      sal_robot_note(robot, xmlGetLineNo(c), "left out: %s: %s", e->name, e->left_out);
  }
}
