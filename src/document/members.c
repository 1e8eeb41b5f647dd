/** Members of families, by copies of their nodes in which the index is a number. */
#include "members.h"
#include "base.h"
#include "members_text.h"
#include "value.h"

static sal_err no_memory(const sal_members *f)
{
  return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", f->document->path);
}

/* A node of the lines of another one. */
static int place(sal_members *f, int node, int like)
{
  yaml_node_t *nodes = f->document->yaml.nodes.start;

  if (node) nodes[node - 1].start_mark = nodes[like - 1].start_mark;
  return node;
}

static int add_text(sal_members *f, const char *text, int like)
{
  return place(f,
               yaml_document_add_scalar(&f->document->yaml, NULL, (const unsigned char *)text,
                                        (int)strlen(text), YAML_ANY_SCALAR_STYLE),
               like);
}

static sal_err copy(sal_members *f, const sal_index *b, int node, int *out);

/* NAME(NUMBER) in place of a name. */
static sal_err copy_name(sal_members *f, const sal_index *b, int node, int *out)
{
  char text[2 * SAL_MEMBERS_WORD];
  const char *name = sal_document_text(f->document, node);

  snprintf(text, sizeof text, "%.60s(%d)", name ? name : "", b->value);
  *out = add_text(f, text, node);
  return *out ? SAL_OK : no_memory(f);
}

/* Text of the head, or of what is inside a section, whose own keys are the author's names. */
static bool is_prose(const sal_document *d, int mapping, const char *key)
{
  static const char *const head[] = {"name", "title",      "source", "reference",
                                     "time", "table_rows", "counts", NULL};
  static const char *const inside[] = {"what", "unit", "names", "words", NULL};
  const yaml_node_t *root = sal_document_node(d, 1);

  if (mapping == 1) return sal_text_rank(key, head) >= 0;
  for (const yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top;
       ++p)
    if (p->value == mapping) return false;
  return sal_text_rank(key, inside) >= 0;
}

/* The names of a member's events, each with its number. */
static sal_err copy_events(sal_members *f, const sal_index *b, int list, int *out)
{
  const int n = sal_document_count(f->document, list);

  *out =
      place(f, yaml_document_add_sequence(&f->document->yaml, NULL, YAML_ANY_SEQUENCE_STYLE), list);
  if (!*out) return no_memory(f);
  for (int i = 0; i < n; ++i) {
    int name;
    SAL_TRY(copy_name(f, b, sal_document_item(f->document, list, i), &name));
    if (!yaml_document_append_sequence_item(&f->document->yaml, *out, name)) return no_memory(f);
  }
  return SAL_OK;
}

/* Names of a member that are not its key: name, rate, and rate: {name}. */
static bool names_member(const char *key, const yaml_node_t *value)
{
  return value->type == YAML_SCALAR_NODE && (strcmp(key, "name") == 0 || strcmp(key, "rate") == 0);
}

/* The pairs of a mapping; own: it is a member itself, whose `for` is left out and whose names have a number. */
static sal_err copy_pairs(sal_members *f, const sal_index *b, int node, bool own, int into);

/* The members of a family: of a mapping by their names, else of a list. */
static sal_err copy_members(sal_members *f, const sal_index *b, int key, int family, int into)
{
  const int range = sal_document_child(f->document, family, "for");
  const char *text = sal_document_text(f->document, range);
  const int is = sal_document_child(f->document, family, "is");
  sal_index index = {.value = 0};
  int lo = 0, hi = 0, name = 0, value;

  f->node = range;
  if (!text) return sal_value_wrong_kind(f->document, range, "for", "INDEX in FIRST..LAST");
  SAL_TRY(sal_members_range(f, b, text, &index, &lo, &hi));
  for (index.value = lo; index.value <= hi; ++index.value) {
    if (++f->members > SAL_MEMBERS_ALL)
      return sal_document_fail(f->document, range, "more than %d members in all", SAL_MEMBERS_ALL);
    if (key) SAL_TRY(copy_name(f, &index, key, &name));
    if (is) {
      SAL_TRY(copy(f, &index, is, &value));
    } else {
      value = place(f, yaml_document_add_mapping(&f->document->yaml, NULL, YAML_ANY_MAPPING_STYLE),
                    family);
      if (!value) return no_memory(f);
      SAL_TRY(copy_pairs(f, &index, family, true, value));
    }
    const int ok = key ? yaml_document_append_mapping_pair(&f->document->yaml, into, name, value)
                       : yaml_document_append_sequence_item(&f->document->yaml, into, value);
    if (!ok) return no_memory(f);
  }
  return SAL_OK;
}

static sal_err copy_pairs(sal_members *f, const sal_index *b, int node, bool own, int into)
{
  const yaml_node_t *n = sal_document_node(f->document, node);
  const int n_pair = (int)(n->data.mapping.pairs.top - n->data.mapping.pairs.start);

  for (int i = 0; i < n_pair; ++i) {
    const yaml_node_pair_t pair = *sal_document_pair(f->document, node, i);
    const char *key = sal_document_text(f->document, pair.key);
    int name = pair.key, value = pair.value;
    if (own && strcmp(key, "for") == 0) continue;
    if (sal_document_child(f->document, value, "for")) {
      SAL_TRY(copy_members(f, b, pair.key, value, into));
      continue;
    }
    if (own && names_member(key, sal_document_node(f->document, value)))
      SAL_TRY(copy_name(f, b, value, &value));
    else if (b && strcmp(key, "names") == 0 && sal_document_count(f->document, value) > 0)
      SAL_TRY(copy_events(f, b, value, &value));
    else if (own && strcmp(key, "rate") == 0) {
      const int rate = place(
          f, yaml_document_add_mapping(&f->document->yaml, NULL, YAML_ANY_MAPPING_STYLE), value);
      if (!rate) return no_memory(f);
      SAL_TRY(copy_pairs(f, b, value, true, rate));
      value = rate;
    } else if (!is_prose(f->document, node, key))
      SAL_TRY(copy(f, b, value, &value));
    if (strchr(key, '(')) SAL_TRY(copy(f, b, name, &name));
    if (!yaml_document_append_mapping_pair(&f->document->yaml, into, name, value))
      return no_memory(f);
  }
  return SAL_OK;
}

static sal_err copy_items(sal_members *f, const sal_index *b, int list, int into)
{
  const int n = sal_document_count(f->document, list);

  for (int i = 0; i < n; ++i) {
    int item = sal_document_item(f->document, list, i);
    if (sal_document_child(f->document, item, "for")) {
      SAL_TRY(copy_members(f, b, 0, item, into));
      continue;
    }
    SAL_TRY(copy(f, b, item, &item));
    if (!yaml_document_append_sequence_item(&f->document->yaml, into, item)) return no_memory(f);
  }
  return SAL_OK;
}

typedef struct {
  const char *text;
  int node;
} named;

static int compare_names(const void *a, const void *b)
{
  const named *x = a, *y = b;
  const int order = strcmp(x->text, y->text);

  return order != 0 ? order : x->node - y->node;
}

/* A member that is given by its number, too. */
static sal_err check_twice(const sal_members *f, int mapping)
{
  const yaml_node_t *n = sal_document_node(f->document, mapping);
  const int n_pair = (int)(n->data.mapping.pairs.top - n->data.mapping.pairs.start);
  SAL_OWN named *key = sal_alloc((size_t)n_pair + 1, sizeof *key);

  if (!key) return no_memory(f);
  for (int i = 0; i < n_pair; ++i) {
    const int node = sal_document_pair(f->document, mapping, i)->key;
    key[i] = (named){sal_document_text(f->document, node), node};
  }
  qsort(key, (size_t)n_pair, sizeof *key, compare_names);
  for (int i = 1; i < n_pair; ++i)
    if (strcmp(key[i].text, key[i - 1].text) == 0 && strchr(key[i].text, '('))
      return sal_document_fail(f->document, key[i].node, "duplicate key '%s'", key[i].text);
  return SAL_OK;
}

/* A node in which families are written out and indices are numbers; *out: itself where it stays as it is. */
static sal_err copy(sal_members *f, const sal_index *b, int node, int *out)
{
  const yaml_node_type_t type = sal_document_node(f->document, node)->type;
  yaml_document_t *yaml = &f->document->yaml;

  *out = node;
  if (type == YAML_SCALAR_NODE) {
    SAL_OWN_BY(sal_text_free) sal_text text = {0};
    const char *was = sal_document_text(f->document, node);
    f->node = node;
    SAL_TRY(sal_members_rewrite(f, b, was, &text));
    if (b || (text.string && strcmp(text.string, was) != 0))
      *out = add_text(f, text.string ? text.string : "", node);
    return *out ? SAL_OK : no_memory(f);
  }
  *out = place(f,
               type == YAML_MAPPING_NODE
                   ? yaml_document_add_mapping(yaml, NULL, YAML_ANY_MAPPING_STYLE)
                   : yaml_document_add_sequence(yaml, NULL, YAML_ANY_SEQUENCE_STYLE),
               node);
  if (!*out) return no_memory(f);
  if (type == YAML_SEQUENCE_NODE) return copy_items(f, b, node, *out);
  SAL_TRY(copy_pairs(f, b, node, false, *out));
  return check_twice(f, *out);
}

/* A name stands for the members lo .. hi, and those that it has already. */
static sal_err add_family(sal_members *f, int name, int lo, int hi)
{
  const char *text = sal_document_text(f->document, name);

  if (!text) return SAL_OK;
  if (strpbrk(text, "() ") || strlen(text) >= SAL_MEMBERS_WORD)
    return sal_document_fail(f->document, name,
                             "'%.60s': the name of a family has letters, digits and _; its members "
                             "are NAME(1), NAME(2), ..",
                             text);
  int i = sal_members_find(f, text);
  if (i < 0) {
    if (f->n_name == SAL_MEMBERS_NAMES)
      return sal_document_fail(f->document, name, "more than %d families", SAL_MEMBERS_NAMES);
    i = f->n_name++;
    snprintf(f->family[i].name, SAL_MEMBERS_WORD, "%s", text);
    f->family[i].lo = lo;
    f->family[i].hi = hi;
  }
  if (lo <= hi) sal_members_widen(f, i, lo, hi);
  return SAL_OK;
}

/* The family of a mapping with `for`, which stands for `key` or in a list. */
static sal_err note_family(sal_members *f, int key, int family)
{
  const int range = sal_document_child(f->document, family, "for"),
            rate = sal_document_child(f->document, family, "rate");
  const char *text = sal_document_text(f->document, range);
  sal_index index;
  int lo = 0, hi = 0;

  f->node = range;
  if (!text) return sal_value_wrong_kind(f->document, range, "for", "INDEX in FIRST..LAST");
  SAL_TRY(sal_members_range(f, NULL, text, &index, &lo, &hi));
  SAL_TRY(add_family(f, key ? key : sal_document_child(f->document, family, "name"), lo, hi));
  const int name = sal_document_child(f->document, rate, "name");
  return add_family(f, name ? name : rate, lo, hi);
}

static sal_err note_families(sal_members *f, int n)
{
  for (int node = 1; node <= n; ++node) {
    const yaml_node_t *at = sal_document_node(f->document, node);
    if (at->type == YAML_MAPPING_NODE)
      for (const yaml_node_pair_t *p = at->data.mapping.pairs.start; p < at->data.mapping.pairs.top;
           ++p)
        if (sal_document_child(f->document, p->value, "for"))
          SAL_TRY(note_family(f, p->key, p->value));
    for (int i = 0; i < sal_document_count(f->document, node); ++i) {
      const int item = sal_document_item(f->document, node, i);
      if (sal_document_child(f->document, item, "for")) SAL_TRY(note_family(f, 0, item));
    }
  }
  return SAL_OK;
}

/* Members that stand by themselves, as `v(1): ..` beside `v: {for: ..}`. */
static void note_members(sal_members *f, int n)
{
  for (int node = 1; node <= n && f->n_name > 0; ++node) {
    const yaml_node_t *at = sal_document_node(f->document, node);
    if (at->type != YAML_MAPPING_NODE) continue;
    for (const yaml_node_pair_t *p = at->data.mapping.pairs.start; p < at->data.mapping.pairs.top;
         ++p)
      sal_members_note(f, sal_document_text(f->document, p->key));
  }
}

static sal_err read_counts(sal_members *f, const double count[])
{
  const int mapping = sal_document_find(f->document, "counts");

  SAL_TRY(sal_value_pairs(f->document, mapping, "counts", &f->n_count));
  if (f->n_count > SAL_MEMBERS_COUNTS)
    return sal_document_fail(f->document, mapping, "counts: more than %d", SAL_MEMBERS_COUNTS);
  for (int i = 0; i < f->n_count; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(f->document, mapping, i);
    int preset;
    f->count[i] = sal_document_text(f->document, pair->key);
    SAL_TRY(sal_value_need(f->document, pair->value, f->count[i], "preset", &preset));
    SAL_TRY(sal_value_number(f->document, preset, f->count[i], &f->value[i]));
    if (count) f->value[i] = count[i];
    if (f->value[i] < 1 || f->value[i] != floor(f->value[i]) || f->value[i] > SAL_MEMBERS_MOST)
      return sal_document_fail(f->document, preset, "%s = %g; allowed: whole numbers from 1 to %d",
                               f->count[i], f->value[i], SAL_MEMBERS_MOST);
  }
  return SAL_OK;
}

sal_err sal_members_expand(sal_document *document, const double count[])
{
  sal_members f = {.document = document};
  const int n = (int)(document->yaml.nodes.top - document->yaml.nodes.start);
  int root;

  SAL_TRY(read_counts(&f, count));
  SAL_TRY(note_families(&f, n));
  note_members(&f, n);
  if (f.n_count == 0 && f.n_name == 0) return SAL_OK;
  SAL_TRY(copy(&f, NULL, 1, &root));
  yaml_node_t *nodes = document->yaml.nodes.start, first = nodes[0];
  nodes[0] = nodes[root - 1];
  nodes[root - 1] = first;
  return SAL_OK;
}

/* Is it that name without its number, as x of x(3) and ball_z of ball(3)_z? */
static bool is_family(const char *member, const char *name)
{
  const char *open = strchr(member, '('), *end = open ? strchr(open, ')') : NULL;
  const size_t n = open ? (size_t)(open - member) : 0;

  return end && strncmp(member, name, n) == 0 && strcmp(end + 1, name + n) == 0;
}

sal_err sal_members_ranks(const sal_document *document, int node, const char *key, const char *kind,
                          const char *const names[], int rank[], int *n)
{
  const char *text = sal_document_text(document, node);

  *n = 0;
  for (int i = 0; text && names[i]; ++i)
    if (is_family(names[i], text)) rank[(*n)++] = i;
  if (*n > 0) return SAL_OK;
  *n = 1;
  return sal_value_rank(document, node, key, kind, names, rank);
}
