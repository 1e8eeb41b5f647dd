/** From a text to times of steps. */
#include "base.h"
#include "plain_file.h"
#include "scalar_math.h"
#include "step_cost.h"
#include "value.h"

enum { VERSION = 1, MOST_ROWS = 4096 };
static const double most_ns = 1e12;

const int sal_step_lanes[SAL_STEP_LANES] = {1, 4, 8};
const char *const sal_step_strategies[] = {"switch", "event", "capture", NULL};

static sal_err read_name(const sal_document *d, int mapping, const char *key, size_t room,
                         char out[])
{
  int node;

  SAL_TRY(sal_value_need(d, mapping, "", key, &node));
  const char *text = sal_document_line(d, node);
  if (!text || !text[0]) return sal_value_wrong_kind(d, node, key, "a name");
  if (strlen(text) >= room)
    return sal_document_fail(d, node, "%s: a name of %zu characters; allowed: up to %zu", key,
                             strlen(text), room - 1);
  memcpy(out, text, strlen(text) + 1);
  return SAL_OK;
}

static sal_err read_states(const sal_document *d, sal_step_table *t)
{
  int list;

  SAL_TRY(sal_value_need(d, 1, "", "states", &list));
  SAL_TRY(sal_value_list(d, list, "states", 1, SAL_STEP_SIZES));
  t->n_state = sal_document_count(d, list);
  for (int i = 0; i < t->n_state; ++i) {
    double n = 0;
    const int item = sal_document_item(d, list, i);
    SAL_TRY(sal_value_check(d, item, "states", 1, SAL_MAX_STATE, true, &n));
    t->state[i] = (int)n;
    if (i > 0 && t->state[i] <= t->state[i - 1])
      return sal_document_fail(d, item, "states: %d after %d; expected: ascending numbers",
                               t->state[i], t->state[i - 1]);
  }
  return SAL_OK;
}

static sal_err read_lanes(const sal_document *d, int row, int *lanes)
{
  const int node = sal_document_child(d, row, "lanes");
  double n = 0;

  *lanes = 0;
  if (!node) return SAL_OK;
  SAL_TRY(sal_value_number(d, node, "lanes", &n));
  for (int i = 0; i < SAL_STEP_LANES; ++i)
    if (n == sal_step_lanes[i]) *lanes = sal_step_lanes[i];
  return *lanes ? SAL_OK : sal_document_fail(d, node, "lanes = %g; allowed: 1, 4, 8", n);
}

static sal_err read_times(const sal_document *d, int row, const sal_step_table *t, double ns[])
{
  int list;
  double most = 0;

  SAL_TRY(sal_value_need(d, row, "", "ns", &list));
  if (sal_document_node(d, list)->type == YAML_SEQUENCE_NODE &&
      sal_document_count(d, list) != t->n_state)
    return sal_document_fail(d, list, "ns: a list of %d; expected: one for each of %d states",
                             sal_document_count(d, list), t->n_state);
  SAL_TRY(sal_value_list(d, list, "ns", t->n_state, t->n_state));
  for (int i = 0; i < t->n_state; ++i) {
    SAL_TRY(sal_value_check(d, sal_document_item(d, list, i), "ns", 0, most_ns, false, &ns[i]));
    most = fmax(most, ns[i]);
  }
  return most > 0 ? SAL_OK : sal_document_fail(d, list, "ns: all are 0; leave the row out");
}

static bool is_same(const sal_step_row *a, const sal_step_row *b)
{
  return a->strategy == b->strategy && a->lanes == b->lanes && strcmp(a->method, b->method) == 0;
}

static sal_err read_row(const sal_document *d, int node, sal_step_table *t)
{
  static const char *const keys[] = {"solver", "strategy", "lanes", "ns", NULL};
  sal_step_row *row = &t->row[t->n];
  int strategy;

  SAL_TRY(sal_value_keys(d, node, "a step", keys));
  SAL_TRY(read_name(d, node, "solver", sizeof row->method, row->method));
  SAL_TRY(sal_value_need(d, node, "", "strategy", &strategy));
  SAL_TRY(sal_value_word(d, strategy, "strategy", sal_step_strategies, &row->strategy));
  SAL_TRY(read_lanes(d, node, &row->lanes));
  SAL_TRY(read_times(d, node, t, row->ns));
  for (int i = 0; i < t->n; ++i)
    if (is_same(&t->row[i], row))
      return sal_document_fail(d, node, "%s with %s is there twice", row->method,
                               sal_step_strategies[row->strategy]);
  ++t->n;
  return SAL_OK;
}

static sal_err read_table(const sal_document *d, sal_step_table *t)
{
  static const char *const keys[] = {"step_costs", "machine", "states", "steps", NULL};
  int version, list;

  SAL_TRY(sal_value_keys(d, 1, "a table of steps", keys));
  SAL_TRY(sal_value_need(d, 1, "", "step_costs", &version));
  SAL_TRY(sal_value_check(d, version, "step_costs", VERSION, VERSION, true, NULL));
  SAL_TRY(read_name(d, 1, "machine", sizeof t->machine, t->machine));
  SAL_TRY(read_states(d, t));
  SAL_TRY(sal_value_need(d, 1, "", "steps", &list));
  SAL_TRY(sal_value_list(d, list, "steps", 1, MOST_ROWS));
  const int n = sal_document_count(d, list);
  if (!(t->row = sal_alloc((size_t)n, sizeof *t->row)))
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", d->path);
  for (int i = 0; i < n; ++i) SAL_TRY(read_row(d, sal_document_item(d, list, i), t));
  return SAL_OK;
}

sal_err sal_step_table_parse(const char *path, const char *text, sal_step_table *out)
{
  SAL_OWN_BY(sal_document_free) sal_document document = {0};

  *out = (sal_step_table){0};
  SAL_TRY(sal_document_parse(path, text, &document));
  const sal_err err = read_table(&document, out);
  if (err != SAL_OK) sal_step_table_free(out);
  return err;
}

sal_err sal_step_table_read(const char *path, sal_step_table *out)
{
  SAL_OWN char *text = NULL;

  *out = (sal_step_table){0};
  if (!path)
    return sal_step_table_parse(sal_step_cost_texts[0].name, sal_step_cost_texts[0].text, out);
  SAL_TRY(sal_text_file_read(path, "a table of steps", &text));
  return sal_step_table_parse(path, text, out);
}

void sal_step_table_free(sal_step_table *t)
{
  sal_free(t->row);
  *t = (sal_step_table){0};
}

double sal_step_table_power(int n_state, const int state[], const double ns[], int n)
{
  double x[SAL_STEP_SIZES], y[SAL_STEP_SIZES];
  int m = 0, i = 0;

  for (int k = 0; k < n_state; ++k)
    if (ns[k] > 0) {
      x[m] = sal_scalar_log(state[k]);
      y[m++] = sal_scalar_log(1e-9 * ns[k]);
    }
  if (m == 0) return NAN;
  const double at = fmax(sal_scalar_log(n), x[0]);
  if (m == 1) return sal_scalar_exp(y[0]);
  while (i < m - 2 && at > x[i + 1]) ++i;
  const double power = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  if (at > x[m - 1]) return sal_scalar_exp(y[m - 1] + fmax(power, 0) * (at - x[m - 1]));
  return sal_scalar_exp(y[i] + power * (at - x[i]));
}

double sal_step_table_at(const sal_step_table *t, const char *method, const sal_strategy *strategy,
                         int lanes, int n)
{
  const int like = strategy->captures ? 2 : strategy->held; /* of sal_step_strategies */

  for (int i = 0; i < t->n; ++i) {
    const sal_step_row *row = &t->row[i];
    if ((row->lanes == 0 || row->lanes == lanes) && row->strategy == like &&
        strcmp(row->method, method) == 0)
      return sal_step_table_power(t->n_state, t->state, row->ns, n);
  }
  return NAN;
}
