/** Texts of measures; one that is empty leaves the name to be a preset. */
#include "measured_texts.h"
#include "base.h"
#include "value.h"

/* An empty value is null, as in YAML. */
static const char *given_text(const char *text)
{
  return text && (!*text || strcmp(text, "~") == 0 || strcmp(text, "null") == 0) ? NULL : text;
}

static sal_err read_one(const sal_document *d, int key, int value, sal_measured_texts *out)
{
  const char *name = sal_document_text(d, key), *text = value ? sal_document_text(d, value) : "";

  if (out->n == SAL_MEASURED_MOST)
    return sal_document_fail(d, key, "measure: more than %d", SAL_MEASURED_MOST);
  if (!name || !text)
    return sal_value_wrong_kind(d, name ? value : key, "measure",
                                name ? "a text, FUNCTION(ARGUMENTS)" : "a name");
  out->given[out->n] =
      (sal_measured_text){sal_document_place(d, key, out->place[out->n]), name, given_text(text)};
  ++out->n;
  return SAL_OK;
}

sal_err sal_measured_texts_read(const sal_document *d, int node, sal_measured_texts *out)
{
  const yaml_node_t *list = sal_document_node(d, node);
  int n;

  out->n = 0;
  if (list && list->type == YAML_SEQUENCE_NODE) {
    SAL_TRY(sal_value_list(d, node, "measure", 0, SAL_MEASURED_MOST));
    for (int i = 0; i < sal_document_count(d, node); ++i)
      SAL_TRY(read_one(d, sal_document_item(d, node, i), 0, out));
    return SAL_OK;
  }
  if (list && list->type != YAML_MAPPING_NODE)
    return sal_value_wrong_kind(d, node, "measure", "a mapping, NAME: TEXT, or a list of names");
  SAL_TRY(sal_value_pairs(d, node, "measure", &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(d, node, i);
    SAL_TRY(read_one(d, pair->key, pair->value, out));
  }
  return SAL_OK;
}

sal_err sal_measured_texts_split(const char *where, char *text, sal_measured_texts *out)
{
  char *rest = NULL;

  out->n = 0;
  for (char *line = strtok_r(text, ";\n", &rest); line; line = strtok_r(NULL, ";\n", &rest)) {
    char *colon = strchr(line, ':');
    line += strspn(line, " ");
    if (!*line) continue;
    if (out->n == SAL_MEASURED_MOST)
      return sal_fail(SAL_ERR_USAGE, "%s: more than %d", where, SAL_MEASURED_MOST);
    if (colon) *colon++ = '\0';
    for (char *end = line + strlen(line); end > line && end[-1] == ' ';) *--end = '\0';
    out->given[out->n++] =
        (sal_measured_text){where, line, given_text(colon ? colon + strspn(colon, " ") : "")};
  }
  return SAL_OK;
}
