/** Reads which trajectories of a sweep file are to be kept. */
#include "base.h"
#include "config.h"
#include "validate.h"
#include "value.h"

#define KEY "store.trajectories"

enum { PLACE = SAL_PLACE + 32 };

/* "FILE:LINE: store.trajectories" */
static void describe_place(const sal_validation *context, int node, char where[PLACE])
{
  char place[SAL_PLACE];

  snprintf(where, PLACE, "%s: " KEY, sal_document_place(context->document, node, place));
}

static sal_err validate_cell_list(const sal_validation *context, int list)
{
  const sal_document *document = context->document;
  const int64_t n = sal_document_count(document, list), n_cell = context->sweep->n_cell;
  char where[PLACE];
  SAL_OWN sal_tile *run = sal_alloc((size_t)n, sizeof *run);

  if (!run) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
  for (int64_t i = 0; i < n; ++i) {
    const int item = sal_document_item(document, list, (int)i);
    const char *text = sal_document_text(document, item);
    describe_place(context, item, where);
    if (!text) return sal_value_wrong_kind(document, item, KEY, "numbers of cells");
    SAL_TRY(sal_stored_word(SAL_ERR_INPUT, where, text, n_cell, &run[i]));
  }
  describe_place(context, list, where);
  return sal_stored_cells(SAL_ERR_INPUT, where, n, run, &context->sweep->stored);
}

/* A list, or a word. */
static sal_err validate_cell_choice(const sal_validation *context, int node)
{
  static const char *const words[] = {"all", "none", NULL};
  const yaml_node_t *n = sal_document_node(context->document, node);
  const char *text = sal_document_text(context->document, node);
  char where[PLACE];

  if (!n || (text && strcmp(text, "none") == 0)) return SAL_OK;
  if (n->type == YAML_SEQUENCE_NODE && sal_document_count(context->document, node) > 0)
    return validate_cell_list(context, node);
  describe_place(context, node, where);
  if (text && strcmp(text, "all") == 0)
    return sal_stored_parse(SAL_ERR_INPUT, where, text, context->sweep->n_cell,
                            &context->sweep->stored);
  if (text && sal_text_nearest(text, words))
    return sal_value_unknown(context->document, node, KEY, "word", text, words);
  return sal_value_wrong_kind(context->document, node, KEY,
                              "a list of cells, [1, 17, 20-29], or all, or none");
}

sal_err sal_validate_stored(const sal_validation *context)
{
  sal_sweep *sweep = context->sweep;
  const int cells = sal_document_find(context->document, KEY);
  const int every = sal_document_find(context->document, "store.every");
  char where[PLACE], place[SAL_PLACE];
  double spacing;

  sweep->stored.n_mesh = sweep->n_mesh;
  if (every) {
    snprintf(where, sizeof where, "%s: store.every",
             sal_document_place(context->document, every, place));
    SAL_TRY(sal_value_number(context->document, every, "store.every", &spacing));
    SAL_TRY(sal_stored_points(SAL_ERR_INPUT, where, spacing, sweep->t_end, &sweep->stored));
  }
  SAL_TRY(validate_cell_choice(context, cells));
  if (sweep->stored.n_cell == 0) return SAL_OK;
  describe_place(context, cells, where);
  return sal_stored_fits(SAL_ERR_INPUT, where, &sweep->stored, sal_config_count(sweep),
                         sweep->model->n_state);
}
