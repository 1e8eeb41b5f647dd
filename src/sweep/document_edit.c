/** Changing a document, and writing it down again. */
#include "document_edit.h"
#include "base.h"
#include "keys.h"

static int count_nodes(const sal_document *document)
{
  return (int)(document->yaml.nodes.top - document->yaml.nodes.start);
}

/* A new node, marked with where it comes from; 0 when memory ran out. */
static int mark_origin(sal_document *document, int node, size_t origin)
{
  if (node) document->yaml.nodes.start[node - 1].start_mark.index = origin;
  return node;
}

static int add_scalar(sal_document *document, const char *text, yaml_scalar_style_t style,
                      size_t origin)
{
  return mark_origin(document,
                     yaml_document_add_scalar(&document->yaml, NULL, (const unsigned char *)text,
                                              (int)strlen(text), style),
                     origin);
}

/* A copy of a node without its items; 0 when memory ran out. */
static int add_bare(sal_document *to, const yaml_node_t *n, size_t origin)
{
  if (n->type == YAML_SCALAR_NODE)
    return add_scalar(to, (const char *)n->data.scalar.value, n->data.scalar.style, origin);
  if (n->type == YAML_SEQUENCE_NODE)
    return mark_origin(to, yaml_document_add_sequence(&to->yaml, NULL, n->data.sequence.style),
                       origin);
  return mark_origin(to, yaml_document_add_mapping(&to->yaml, NULL, n->data.mapping.style), origin);
}

/* Gives the copy of node i the copies of its items, whose numbers are higher by `base`. */
static bool link_copy(sal_document *to, const sal_document *from, int i, int base)
{
  const yaml_node_t *n = sal_document_node(from, i);
  bool ok = true;
  for (int k = 0; ok && k < sal_document_count(from, i); ++k)
    ok = yaml_document_append_sequence_item(&to->yaml, base + i,
                                            base + sal_document_item(from, i, k));
  if (n->type != YAML_MAPPING_NODE) return ok;
  for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; ok && p < n->data.mapping.pairs.top;
       ++p)
    ok = yaml_document_append_mapping_pair(&to->yaml, base + i, base + p->key, base + p->value);
  return ok;
}

/* Copies all nodes; returns the copy of the root, 0 when memory ran out. */
static int copy_nodes(sal_document *to, const sal_document *from, size_t origin)
{
  const int base = count_nodes(to), n = count_nodes(from);
  for (int i = 1; i <= n; ++i)
    if (!add_bare(to, sal_document_node(from, i), origin)) return 0;
  for (int i = 1; i <= n; ++i)
    if (!link_copy(to, from, i, base)) return 0;
  return base + 1;
}

/* Lets `key` of a mapping stand for `value`; false when memory ran out. */
static bool set_pair(sal_document *document, int mapping, const char *key, int value, size_t origin)
{
  yaml_node_t *n = document->yaml.nodes.start + mapping - 1;
  for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; ++p) {
    if (strcmp(sal_document_text(document, p->key), key) != 0) continue;
    p->value = value;
    return true;
  }
  const int name = add_scalar(document, key, YAML_ANY_SCALAR_STYLE, origin);
  return name && yaml_document_append_mapping_pair(&document->yaml, mapping, name, value);
}

/* Cuts the first part off a dotted key; false when it is empty or too long. */
static bool next_part(const char **key, char part[SAL_MAX_KEY])
{
  const size_t n = strcspn(*key, ".");
  if (n == 0 || n >= SAL_MAX_KEY) return false;
  memcpy(part, *key, n);
  part[n] = '\0';
  *key += n;
  return true;
}

/* Why a value could not be put in its place. */
typedef enum { PLACED, BAD_KEY, NO_MAPPING, NO_MEMORY } put_result;

/* Puts a copy of value's root at a dotted key, with the mappings above it as needed. */
static put_result put_value(sal_document *document, const char *key, const sal_document *value,
                            size_t origin)
{
  char part[SAL_MAX_KEY];
  int mapping = 1;
  if (!next_part(&key, part)) return BAD_KEY;
  while (*key == '.') {
    int below = sal_document_child(document, mapping, part);
    if (!below) {
      below = mark_origin(document,
                          yaml_document_add_mapping(&document->yaml, NULL, YAML_ANY_MAPPING_STYLE),
                          origin);
      if (!below || !set_pair(document, mapping, part, below, origin)) return NO_MEMORY;
    }
    if (sal_document_node(document, below)->type != YAML_MAPPING_NODE) return NO_MAPPING;
    mapping = below;
    ++key;
    if (!next_part(&key, part)) return BAD_KEY;
  }
  const int node = copy_nodes(document, value, origin);
  return node && set_pair(document, mapping, part, node, origin) ? PLACED : NO_MEMORY;
}

/* A text that is not quoted is taken as it is, whatever YAML makes of " #" and ": ". */
static bool is_text(const char *key, const char *value)
{
  const sal_key *k = sal_key_named(key);

  return k && sal_key_slots[k - sal_keys].kind == SAL_KEY_TEXT && !strchr("\"'", *value);
}

static char *quote(const char *value)
{
  sal_text text = {0};

  sal_text_add(&text, "'");
  for (; *value; ++value) sal_text_add(&text, *value == '\'' ? "''" : "%c", *value);
  sal_text_add(&text, "'");
  return sal_text_take(&text);
}

/* One override "key=value". */
static sal_err apply_override(sal_document *document, const char *set, size_t origin)
{
  char place[SAL_PLACE], key[SAL_PLACE];
  const char *equals = strchr(set, '=');
  const size_t n = equals ? (size_t)(equals - set) : 0;
  if (n == 0 || n >= sizeof key)
    return sal_fail(SAL_ERR_INPUT, "--set %s: KEY=VALUE is expected, such as t_end=10", set);
  memcpy(key, set, n);
  key[n] = '\0';
  snprintf(place, sizeof place, "--set %.*s", SAL_PLACE - 8, key);

  sal_document value;
  SAL_OWN char *quoted = is_text(key, equals + 1) ? quote(equals + 1) : NULL;
  SAL_TRY(sal_document_parse_value(place, quoted ? quoted : equals + 1, &value));
  const put_result result = put_value(document, key, &value, origin);
  sal_document_free(&value);
  if (result == NO_MEMORY) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", place);
  if (result == BAD_KEY)
    return sal_fail(SAL_ERR_INPUT, "%s: a key is words with dots between them", place);
  if (result == NO_MAPPING)
    return sal_fail(SAL_ERR_INPUT, "%s: the part before a dot is not a mapping of keys", place);
  return SAL_OK;
}

sal_err sal_document_override(sal_document *document, int n_set, const char *const set[])
{
  document->set = set;
  for (int i = 0; i < n_set; ++i)
    SAL_TRY(apply_override(document, set[i], SAL_MARK_SET + (size_t)i));
  return SAL_OK;
}

sal_err sal_document_preset(sal_document *document, const char *key, const char *value)
{
  sal_document tree;
  if (sal_document_find(document, key)) return SAL_OK;
  SAL_TRY(sal_document_parse_value(key, value, &tree));
  const put_result result = put_value(document, key, &tree, SAL_MARK_PRESET);
  sal_document_free(&tree);
  return result == NO_MEMORY ? sal_fail(SAL_ERR_MEMORY, "%s: out of memory", key) : SAL_OK;
}

/* Texts of several lines stand below one another, as they are. */
static bool has_lines(const char *const words[])
{
  for (int i = 0; words[i]; ++i)
    if (strchr(words[i], '\n')) return true;
  return false;
}

/* A list that stands where node `there` does; 0 when memory ran out. */
static int add_words(sal_document *document, int there, const char *const words[])
{
  const yaml_mark_t mark = sal_document_node(document, there)->start_mark;
  const bool lines = has_lines(words);
  const int list = yaml_document_add_sequence(
      &document->yaml, NULL, lines ? YAML_BLOCK_SEQUENCE_STYLE : YAML_FLOW_SEQUENCE_STYLE);

  if (!list) return 0;
  for (int i = 0; words[i]; ++i) {
    const int word = add_scalar(
        document, words[i], lines ? YAML_LITERAL_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE, mark.index);
    if (!word || !yaml_document_append_sequence_item(&document->yaml, list, word)) return 0;
    document->yaml.nodes.start[word - 1].start_mark = mark;
  }
  document->yaml.nodes.start[list - 1].start_mark = mark;
  return list;
}

sal_err sal_document_put_words(sal_document *document, const char *key, const char *const words[])
{
  const int found = sal_document_find(document, key), there = found ? found : 1;
  const size_t origin = sal_document_node(document, there)->start_mark.index;
  const int list = add_words(document, there, words);

  if (list && set_pair(document, 1, key, list, origin)) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
}

sal_err sal_document_put_text(sal_document *document, const char *key, const char *text)
{
  const int there = sal_document_find(document, key);
  const yaml_scalar_style_t style =
      strchr(text, '\n') ? YAML_LITERAL_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE;
  const yaml_mark_t mark =
      sal_document_node(document, there ? there : 1)->start_mark; /* its line is as good as any */
  const int node = add_scalar(document, text, style, mark.index);

  if (node) document->yaml.nodes.start[node - 1].start_mark = mark;
  if (node && set_pair(document, 1, key, node, mark.index)) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
}

sal_err sal_document_put_whole(sal_document *document, int mapping, const char *key, int64_t value)
{
  const size_t origin = sal_document_node(document, mapping)->start_mark.index;
  char text[32];

  snprintf(text, sizeof text, "%lld", (long long)value);
  const int node = add_scalar(document, text, YAML_ANY_SCALAR_STYLE, origin);
  if (node && set_pair(document, mapping, key, node, origin)) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
}

/* libyaml's output goes to a sal_text. */
static int write_text(void *text, unsigned char *bytes, size_t n)
{
  sal_text_append(text, (const char *)bytes, n);
  return !((sal_text *)text)->lost;
}

/* Emits a copy of the document: libyaml frees what it has emitted. */
static bool emit_copy(const sal_document *document, yaml_emitter_t *emitter)
{
  sal_document copy = {.path = document->path};
  if (!yaml_document_initialize(&copy.yaml, NULL, NULL, NULL, 1, 1)) return false;
  if (!copy_nodes(&copy, document, SAL_MARK_FILE) || !yaml_emitter_open(emitter)) {
    yaml_document_delete(&copy.yaml);
    return false;
  }
  return yaml_emitter_dump(emitter, &copy.yaml) && yaml_emitter_close(emitter);
}

char *sal_document_emit(const sal_document *document)
{
  yaml_emitter_t emitter;
  sal_text text = {0};
  if (!yaml_emitter_initialize(&emitter)) return NULL;
  yaml_emitter_set_output(&emitter, write_text, &text);
  yaml_emitter_set_width(&emitter, -1);
  yaml_emitter_set_unicode(&emitter, 1);
  const bool ok = emit_copy(document, &emitter);
  yaml_emitter_delete(&emitter);
  if (!ok) sal_text_free(&text);
  return ok ? sal_text_take(&text) : NULL;
}
