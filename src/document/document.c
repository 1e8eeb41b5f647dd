/** Reading a YAML text, and finding things in it. */
#include "document.h"
#include "base.h"
#include <stdarg.h>

/* The files are flat and have few keys; the limits protect what takes the square of either. */
enum { MAX_DEPTH = 16, MAX_KEY = 256, MAX_MESSAGE = 3000 };
#define LINES_EXPECTED "lines such as 'model: NAME' are expected"

void sal_document_free(sal_document *document)
{
  if (document->loaded) yaml_document_delete(&document->yaml);
  *document = (sal_document){0};
}

const yaml_node_t *sal_document_node(const sal_document *document, int node)
{
  return node > 0 ? document->yaml.nodes.start + node - 1 : NULL;
}

const char *sal_document_text(const sal_document *document, int node)
{
  const yaml_node_t *n = sal_document_node(document, node);
  return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

const char *sal_document_line(const sal_document *document, int node)
{
  char *text = (char *)sal_document_text(document, node);
  if (text) sal_text_plain(text);
  return text;
}

int sal_document_child(const sal_document *document, int mapping, const char *key)
{
  const yaml_node_t *n = sal_document_node(document, mapping);
  if (!n || n->type != YAML_MAPPING_NODE) return 0;
  for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
       ++p) {
    const char *text = sal_document_text(document, p->key);
    if (text && strcmp(text, key) == 0) return p->value;
  }
  return 0;
}

int sal_document_count(const sal_document *document, int list)
{
  const yaml_node_t *n = sal_document_node(document, list);
  if (!n || n->type != YAML_SEQUENCE_NODE) return 0;
  return (int)(n->data.sequence.items.top - n->data.sequence.items.start);
}

int sal_document_item(const sal_document *document, int list, int i)
{
  if (i < 0 || i >= sal_document_count(document, list)) return 0;
  return sal_document_node(document, list)->data.sequence.items.start[i];
}

const yaml_node_pair_t *sal_document_pair(const sal_document *document, int mapping, int i)
{
  return sal_document_node(document, mapping)->data.mapping.pairs.start + i;
}

int sal_document_find(const sal_document *document, const char *key)
{
  int node = document->loaded ? 1 : 0;
  while (node && *key) {
    const size_t n = strcspn(key, ".");
    char part[SAL_MAX_KEY];
    if (n >= sizeof part) return 0;
    memcpy(part, key, n);
    part[n] = '\0';
    node = sal_document_child(document, node, part);
    key += n + (key[n] == '.');
  }
  return node;
}

bool sal_document_given(const sal_document *document, int node)
{
  return node && sal_document_node(document, node)->start_mark.index != SAL_MARK_PRESET;
}

bool sal_document_overridden(const sal_document *document, int node)
{
  return sal_document_given(document, node) &&
         sal_document_node(document, node)->start_mark.index != SAL_MARK_FILE;
}

const char *sal_document_place(const sal_document *document, int node, char place[SAL_PLACE])
{
  const yaml_mark_t mark = sal_document_node(document, node)->start_mark;
  if (sal_document_overridden(document, node)) {
    const char *set = document->set[mark.index - SAL_MARK_SET];
    snprintf(place, SAL_PLACE, "--set %.*s", (int)strcspn(set, "="), set);
  } else if (document->lineless || mark.index == SAL_MARK_PRESET) {
    snprintf(place, SAL_PLACE, "%s", document->path);
  } else {
    snprintf(place, SAL_PLACE, "%s:%zu", document->path, mark.line + 1);
  }
  return place;
}

sal_err sal_document_fail(const sal_document *document, int node, const char *format, ...)
{
  char place[SAL_PLACE], message[MAX_MESSAGE];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  sal_text_plain(message);
  return sal_fail(SAL_ERR_INPUT, "%s: %s", sal_document_place(document, node, place), message);
}

/* Fails at a line of the text [0, ...). */
static sal_err fail_at(const sal_document *document, size_t line, const char *message)
{
  if (document->lineless) return sal_fail(SAL_ERR_INPUT, "%s: %s", document->path, message);
  return sal_fail(SAL_ERR_INPUT, "%s:%zu: %s", document->path, line + 1, message);
}

/* Is the first character after the blanks of a line a tab? */
static bool is_tab(const char *text, size_t line)
{
  for (; line > 0 && (text = strchr(text, '\n')); --line) ++text;
  return text && text[strspn(text, " ")] == '\t';
}

/* libyaml's error as a message of ours. */
static sal_err report_syntax(const sal_document *document, const yaml_parser_t *parser,
                             const char *text)
{
  char message[MAX_MESSAGE] = "";
  /* libyaml does not always say that memory ran out. */
  if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
  if (parser->error == YAML_READER_ERROR) {
    size_t line = 0;
    for (size_t i = 0; i < parser->problem_offset && text[i]; ++i) line += text[i] == '\n';
    snprintf(message, sizeof message, "byte %zu is not text (%s); UTF-8 text is expected",
             parser->problem_offset, parser->problem);
    return fail_at(document, line, message);
  }
  if (is_tab(text, parser->problem_mark.line))
    return fail_at(document, parser->problem_mark.line,
                   "not valid YAML: a tab where the line begins; blanks are expected");
  int n = snprintf(message, sizeof message, "not valid YAML: %s", parser->problem);
  if (parser->context)
    n += snprintf(message + n, sizeof message - (size_t)n, " %s", parser->context);
  if (parser->context && !document->lineless && parser->context_mark.line)
    snprintf(message + n, sizeof message - (size_t)n, " that began in line %zu",
             parser->context_mark.line + 1);
  return fail_at(document, parser->problem_mark.line, message);
}

/* Keys are words, and no two of a mapping are the same. */
static sal_err check_keys(const sal_document *document, const yaml_node_t *mapping)
{
  const yaml_node_pair_t *first = mapping->data.mapping.pairs.start,
                         *top = mapping->data.mapping.pairs.top;
  if (top - first > MAX_KEY)
    return sal_document_fail(document, first[MAX_KEY].key, "more than %d keys in one mapping",
                             MAX_KEY);
  for (const yaml_node_pair_t *p = first; p < top; ++p) {
    const char *key = sal_document_text(document, p->key);
    if (!key) return sal_document_fail(document, p->key, "a key must be a word");
    for (const yaml_node_pair_t *q = first; q < p; ++q) {
      char place[SAL_PLACE];
      if (strcmp(key, sal_document_text(document, q->key)) == 0)
        return sal_document_fail(document, p->key, "duplicate key '%s', first at %s", key,
                                 sal_document_place(document, q->key, place));
    }
  }
  return SAL_OK;
}

/* Notes that a node hangs below another one: once. */
static sal_err check_link(const sal_document *document, int node, bool linked[])
{
  if (linked[node - 1])
    return sal_document_fail(document, node, "anchors and aliases (& and *) are not read");
  linked[node - 1] = true;
  return SAL_OK;
}

/* Checks the characters that escapes such as "\e" stand for, too.  libyaml accepts "a\0b", of which C would read the a. */
static sal_err check_scalar(const sal_document *document, int node)
{
  char place[SAL_PLACE];
  const yaml_node_t *n = sal_document_node(document, node);
  SAL_TRY(sal_text_check(sal_document_place(document, node, place),
                         (const char *)n->data.scalar.value));
  if (strlen((const char *)n->data.scalar.value) == n->data.scalar.length) return SAL_OK;
  return sal_document_fail(document, node, "'%s\\0..' has a NUL in it; text is expected",
                           (const char *)n->data.scalar.value);
}

static sal_err check_node(const sal_document *document, int node, bool linked[])
{
  const yaml_node_t *n = sal_document_node(document, node);
  if (n->type == YAML_SCALAR_NODE) return check_scalar(document, node);
  for (int k = 0; k < sal_document_count(document, node); ++k)
    SAL_TRY(check_link(document, sal_document_item(document, node, k), linked));
  if (n->type != YAML_MAPPING_NODE) return SAL_OK;
  for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
       ++p) {
    SAL_TRY(check_link(document, p->key, linked));
    SAL_TRY(check_link(document, p->value, linked));
  }
  return check_keys(document, n);
}

/* Checks what can be said without knowing what the keys mean, and marks all nodes as the file's. */
static sal_err check_nodes(sal_document *document)
{
  const int n_node = (int)(document->yaml.nodes.top - document->yaml.nodes.start);
  if (n_node == 0)
    return fail_at(document, 0, document->lineless ? "no value" : "is empty; " LINES_EXPECTED);
  SAL_OWN bool *linked = sal_alloc((size_t)n_node, sizeof *linked);
  if (!linked) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
  for (int i = 0; i < n_node; ++i) document->yaml.nodes.start[i].start_mark.index = SAL_MARK_FILE;
  for (int i = 1; i <= n_node; ++i) SAL_TRY(check_node(document, i, linked));
  if (!document->lineless && document->yaml.nodes.start[0].type != YAML_MAPPING_NODE)
    return sal_document_fail(document, 1, "no key was found; " LINES_EXPECTED);
  return SAL_OK;
}

/* A text is one document. */
static sal_err load_one(sal_document *document, yaml_parser_t *parser, const char *text)
{
  yaml_document_t second;
  if (!yaml_parser_load(parser, &document->yaml)) return report_syntax(document, parser, text);
  document->loaded = true;
  if (document->yaml.nodes.top == document->yaml.nodes.start) return SAL_OK;
  if (!yaml_parser_load(parser, &second)) return report_syntax(document, parser, text);
  const bool more = second.nodes.top > second.nodes.start;
  const size_t line = more ? second.nodes.start[0].start_mark.line : 0;
  yaml_document_delete(&second);
  return more ? fail_at(document, line, "a second YAML document; one is expected") : SAL_OK;
}

/* A parser of the text; false when memory ran out. */
static bool start_parser(yaml_parser_t *parser, const char *text)
{
  if (!yaml_parser_initialize(parser)) return false;
  /* Else libyaml would guess UTF-16 from the first bytes of a binary file. */
  yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(parser, (const unsigned char *)text, strlen(text));
  return true;
}

/* Looks at the nodes one after the other, since loading them takes a time that grows with the
 * square of the depth.  Other errors are found when they are loaded. */
static sal_err check_depth(const sal_document *document, yaml_parser_t *parser)
{
  char message[64];
  yaml_event_t event;
  int open = 0; /* lists and mappings around the node */
  snprintf(message, sizeof message, "nested more than %d deep", MAX_DEPTH);
  for (bool more = true; more && yaml_parser_parse(parser, &event);) {
    const yaml_event_type_t type = event.type;
    const size_t line = event.start_mark.line;
    const bool begins = type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT,
               ends = type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT;
    yaml_event_delete(&event);
    if ((begins || type == YAML_SCALAR_EVENT) && open > MAX_DEPTH)
      return fail_at(document, line, message);
    open += begins - ends;
    more = type != YAML_STREAM_END_EVENT;
  }
  return SAL_OK;
}

static sal_err parse_text(const char *text, sal_document *document)
{
  static const char byte_order_mark[] = "\xEF\xBB\xBF";
  yaml_parser_t parser;
  if (strncmp(text, byte_order_mark, 3) == 0) text += 3;
  if (!start_parser(&parser, text))
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
  sal_err err = check_depth(document, &parser);
  yaml_parser_delete(&parser);
  if (err != SAL_OK) {
    sal_document_free(document);
    return err;
  }
  if (!start_parser(&parser, text))
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
  err = load_one(document, &parser, text);
  yaml_parser_delete(&parser);
  if (err == SAL_OK) err = check_nodes(document);
  if (err != SAL_OK) sal_document_free(document);
  return err;
}

sal_err sal_document_parse(const char *path, const char *text, sal_document *document)
{
  *document = (sal_document){.path = path};
  return parse_text(text, document);
}

sal_err sal_document_parse_value(const char *where, const char *text, sal_document *document)
{
  *document = (sal_document){.path = where, .lineless = true};
  return parse_text(text, document);
}
