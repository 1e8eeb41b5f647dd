/** Numbers, vectors, names and keys of a model's file. */
#include "reading.h"
#include "array.h"
#include "base.h"
#include "value.h"

static sal_err no_memory(const sal_reading *r)
{
  return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document->path);
}

sal_err sal_reading_name(const sal_reading *r, int mapping, const char *what, bool plain,
                         char name[SAL_LABEL])
{
  const char *text;
  int node;

  SAL_TRY(sal_value_need(r->document, mapping, what, "name", &node));
  if (plain) SAL_TRY(sal_value_name(r->document, node, "name", SAL_LABEL / 2 - 1, &text));
  text = sal_document_line(r->document, node);
  if (!text || !text[0]) return sal_value_wrong_kind(r->document, node, "name", "a name");
  if (strlen(text) >= SAL_LABEL / 2)
    return sal_document_fail(r->document, node, "name '%s' is longer than %d bytes", text,
                             SAL_LABEL / 2 - 1);
  snprintf(name, SAL_LABEL, "%s", text);
  return SAL_OK;
}

static sal_err push_value(sal_reading *r, double value)
{
  sal_system *s = r->system;
  double *more = sal_array_grow(s->value, s->n_value, 1, &r->room_value, sizeof *s->value);

  if (!more) return no_memory(r);
  s->value = more;
  s->value[s->n_value++] = value;
  return SAL_OK;
}

sal_err sal_reading_follow(sal_reading *r, int at, int param, double factor)
{
  sal_system *s = r->system;
  sal_binding *more =
      sal_array_grow(s->binding, s->n_binding, 1, &r->room_binding, sizeof *s->binding);

  if (!more) return no_memory(r);
  s->binding = more;
  s->binding[s->n_binding++] = (sal_binding){at, param, factor};
  return SAL_OK;
}

static sal_err push_binding(sal_reading *r, int param, double factor)
{
  SAL_TRY(sal_reading_follow(r, r->system->n_value, param, factor));
  return push_value(r, factor * r->preset[param]);
}

/* NAME, or NUMBER * NAME. */
static sal_err read_binding(sal_reading *r, int node, const char *what, const char *text)
{
  char factor[SAL_LABEL] = "1";
  const char *star = strchr(text, '*'), *name = star ? star + 1 : text;
  double f = 1;

  name += strspn(name, " ");
  if (star) snprintf(factor, sizeof factor, "%.*s", (int)strcspn(text, " *"), text);
  if (!sal_value_read(factor, &f)) return sal_value_no_number(r->document, node, what);
  for (int p = 0; p < r->n_param; ++p)
    if (strcmp(name, r->param[p]) == 0) return push_binding(r, p, f);
  return sal_value_unknown(r->document, node, what, "number or parameter", name, r->param);
}

sal_err sal_reading_number(sal_reading *r, int node, const char *what, int *at)
{
  const char *text = sal_document_text(r->document, node);
  double value;

  *at = r->system->n_value;
  if (!text || !text[0])
    return sal_value_wrong_kind(r->document, node, what, "a number or the name of a parameter");
  if (sal_value_read(text, &value)) return push_value(r, value);
  return read_binding(r, node, what, text);
}

sal_err sal_reading_entry(sal_reading *r, int mapping, const char *what, const char *key,
                          double preset, int *at)
{
  int node = sal_document_child(r->document, mapping, key);

  if (!node && !isnan(preset)) {
    *at = r->system->n_value;
    return push_value(r, preset);
  }
  SAL_TRY(sal_value_need(r->document, mapping, what, key, &node));
  return sal_reading_number(r, node, key, at);
}

sal_err sal_reading_vector(sal_reading *r, int node, const char *what, int least, int most, int *at)
{
  const int n = sal_document_count(r->document, node);
  int unused;

  *at = r->system->n_value;
  if (node && (n < least || n > most))
    return sal_document_fail(r->document, node, "%s: a list of %d numbers is expected, not of %d",
                             what, least, n);
  for (int i = 0; i < most; ++i)
    if (i < n)
      SAL_TRY(sal_reading_number(r, sal_document_item(r->document, node, i), what, &unused));
    else
      SAL_TRY(push_value(r, 0));
  return SAL_OK;
}

sal_err sal_reading_body(const sal_reading *r, int node, const char *what, int *body)
{
  const sal_system *s = r->system;
  SAL_OWN const char **names = sal_alloc((size_t)s->n_body + 2, sizeof *names);

  if (!names) return no_memory(r);
  for (int i = 0; i < s->n_body; ++i) names[i] = s->body[i].name;
  names[s->n_body] = "ground";
  SAL_TRY(sal_value_rank(r->document, node, what, "body", names, body));
  if (*body == s->n_body) *body = -1;
  return SAL_OK;
}

sal_err sal_reading_pair(const sal_reading *r, int mapping, const char *what, int *i, int *j)
{
  int list;

  SAL_TRY(sal_value_need(r->document, mapping, what, "bodies", &list));
  if (sal_document_count(r->document, list) != 2)
    return sal_document_fail(r->document, list, "%s: bodies: two names are expected, [A, B]", what);
  SAL_TRY(sal_reading_body(r, sal_document_item(r->document, list, 0), what, i));
  SAL_TRY(sal_reading_body(r, sal_document_item(r->document, list, 1), what, j));
  if (*i == *j) return sal_document_fail(r->document, list, "%s: it ties a body to itself", what);
  return SAL_OK;
}

sal_err sal_reading_arm(sal_reading *r, int mapping, const char *what, const char *key, int body,
                        bool placed, sal_arm *arm)
{
  int node = sal_document_child(r->document, mapping, key);
  char name[2 * SAL_LABEL];

  snprintf(name, sizeof name, "%.60s: %s", what, key);
  if (!placed) SAL_TRY(sal_value_need(r->document, mapping, what, key, &node));
  *arm = (sal_arm){.body = body, .placed = placed};
  return sal_reading_vector(r, node, name, 2, 3, &arm->s);
}

sal_err sal_reading_scales(const sal_reading *r, sal_model *m)
{
  const int mapping = sal_document_find(r->document, "scale");
  const char *names[SAL_MAX_STATE + 1] = {NULL};
  int n, i;

  for (int k = 0; k < sal_model_continuous(m); ++k) names[k] = m->state[k].name;
  SAL_TRY(sal_value_pairs(r->document, mapping, "scale", &n));
  for (int k = 0; k < n; ++k) {
    const yaml_node_pair_t *pair = sal_document_pair(r->document, mapping, k);
    SAL_TRY(sal_value_rank(r->document, pair->key, "scale", "state", names, &i));
    SAL_TRY(
        sal_value_check(r->document, pair->value, "scale", 1e-30, 1e30, false, &m->state[i].scale));
  }
  return SAL_OK;
}
