/** XML by libxml2. */
#include "markup.h"
#include "base.h"
#include <libxml/parser.h>
#include <math.h>
#include <stdarg.h>

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

static const xmlNode *find_class(const xmlNode *parent, const char *name)
{
  const xmlNode *d = sal_markup_first(parent, "default"), *found = NULL;

  for (; d && !found; d = sal_markup_next(d, "default")) {
    const char *own = sal_markup_attribute(d, "class");
    found = own && strcmp(own, name) == 0 ? d : find_class(d, name);
  }
  return found;
}

/* Classes within classes, and what those of the outermost level, "main", have together. */
const char *sal_markup_text(const sal_markup *in, const xmlNode *node, const char *name)
{
  const char *own = sal_markup_attribute(node, name), *class = sal_markup_attribute(node, "class");

  if (own || !in->defaults) return own;
  if (!class) class = in->class;
  const char *kind = (const char *)node->name;
  const xmlNode *d = class ? find_class(in->defaults, class) : NULL;
  for (; !own && d && sal_markup_is(d, "default"); d = d->parent)
    own = sal_markup_attribute(sal_markup_first(d, kind), name);
  d = sal_markup_first(in->defaults, "default");
  for (; !own && d; d = sal_markup_next(d, "default"))
    own = sal_markup_attribute(sal_markup_first(d, kind), name);
  return own;
}

sal_err sal_markup_check_classes(const sal_markup *in, const xmlNode *node)
{
  static const char *const names[] = {"class", "childclass"};

  for (int i = 0; i < 2; ++i) {
    const char *class = sal_markup_attribute(node, names[i]);
    if (class && strcmp(class, "main") != 0 && !find_class(in->defaults, class))
      return sal_markup_fail(in, node, "%s: %s: no default has '%.60s'", (const char *)node->name,
                             names[i], class);
  }
  for (const xmlNode *c = sal_markup_first(node, NULL); c; c = sal_markup_next(c, NULL))
    SAL_TRY(sal_markup_check_classes(in, c));
  return SAL_OK;
}

/* Numbers apart by blanks: |n| of them, or from 1 on where n is negative. */
static sal_err read_numbers(const sal_markup *in, const xmlNode *node, const char *name,
                            const char *text, int n, double x[])
{
  const int most = abs(n), least = n < 0 ? 1 : n;
  int found = 0;

  for (const char *at = text; found >= 0 && *(at += strspn(at, " \t\r\n"));) {
    char *end;
    const double number = strtod(at, &end);
    const bool good = found < most && end > at && isfinite(number) && fabs(number) <= 1e12 &&
                      strchr(" \t\r\n", *end);
    if (good) x[found] = number;
    found = good ? found + 1 : -1;
    at = end;
  }
  if (found >= least) return SAL_OK;
  char range[32];
  snprintf(range, sizeof range, least < most ? "%d to %d" : "%d", least, most);
  return sal_markup_fail(in, node, "%s: %s: '%.60s': %s number%s expected, within 1e12",
                         (const char *)node->name, name, text, range, most > 1 ? "s are" : " is");
}

sal_err sal_markup_read_all(const sal_markup *in, const xmlNode *node, ...)
{
  va_list args;
  sal_err err = SAL_OK;

  va_start(args, node);
  for (const char *name; err == SAL_OK && (name = va_arg(args, const char *));) {
    const int n = va_arg(args, int);
    double *x = va_arg(args, double *);
    const char *text = sal_markup_text(in, node, name);
    if (text) err = read_numbers(in, node, name, text, n, x);
  }
  va_end(args);
  return err;
}

sal_err sal_markup_rank(const sal_markup *in, const xmlNode *node, const char *kind,
                        const char *word, const char *const list[], int *rank)
{
  char where[1100];

  *rank = sal_text_rank(word, list);
  if (*rank >= 0) return SAL_OK;
  snprintf(where, sizeof where, "%.1000s:%ld", in->robot->path, xmlGetLineNo(node));
  return sal_text_unknown(SAL_ERR_INPUT, where, kind, word, list);
}

static bool has_word(const char *words, const char *word)
{
  const size_t n = strlen(word);

  for (const char *at = strstr(words, word); at; at = strstr(at + 1, word))
    if ((at == words || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' ')) return true;
  return false;
}

static sal_err look_at(const sal_markup *of, const xmlNode *node, const xmlNode *c,
                       const sal_markup_element *e)
{
  const char *name = (const char *)c->name, *in = (const char *)node->name;

  if (e->refused)
    return sal_markup_fail(of, c, "%.60s in %.60s: it is not read: %s", name, in, e->left_out);
  if (!e->name)
    sal_markup_note(of, c, "left out: element %.60s in %s", name, in);
  else if (e->left_out && e->left_out[0])
    sal_markup_note(of, c, "left out: %s: %s", name, e->left_out);
  for (const xmlAttr *a = c->properties; a && e->attributes; a = a->next)
    if (!has_word(e->attributes, (const char *)a->name))
      sal_markup_note(of, c, "left out: attribute %.60s of %s", (const char *)a->name, name);
  return SAL_OK;
}

sal_err sal_markup_rest(const sal_markup *in, const xmlNode *node, const sal_markup_element table[])
{
  static const sal_markup_element macro = {.left_out = "run xacro, and import what it prints",
                                           .refused = true};

  for (const xmlNode *c = sal_markup_first(node, NULL); c; c = sal_markup_next(c, NULL)) {
    const sal_markup_element *e = table;
    while (e->name && !sal_markup_is(c, e->name)) ++e;
    const bool foreign =
        c->ns && c->ns->prefix && strcmp((const char *)c->ns->prefix, "xacro") == 0;
    SAL_TRY(look_at(in, node, c, foreign ? &macro : e));
  }
  return SAL_OK;
}
