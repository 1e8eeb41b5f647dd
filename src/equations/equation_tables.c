/** Tables: functions of one number by their values, as pieces of polynomials. */
#include "base.h"
#include "clocks.h"
#include "equation_reading.h"
#include "value.h"

static const char *const table_keys[] = {"file",    "columns", "rows", "kind",
                                         "outside", "what",    NULL};
static const char *const kinds[] = {"linear", "cubic", NULL};
static const char *const ends[] = {"hold", "zero", NULL};

/** Rows of a table while it is read. */
typedef struct {
  int n;
  double *x, *y;
} rows;

/* The list of rows of a table: its own, or what was kept of its file. */
static sal_err find_rows(const sal_equation_reading *r, int mapping, const char *name,
                         const char *key, int *list)
{
  const int kept = sal_document_find(&r->document, "table_rows");
  const int file = sal_document_child(&r->document, mapping, "file");
  const int own = sal_document_child(&r->document, mapping, "rows");

  if (!file == !own)
    return sal_document_fail(&r->document, mapping, "%s: it has a file or rows, one of both", key);
  *list = own ? own : sal_document_child(&r->document, kept, name);
  if (*list) return SAL_OK;
  return sal_document_fail(&r->document, file,
                           "%s: its rows are missing (table_rows); that file is not read because a "
                           "cube or a journal names it",
                           key);
}

static sal_err read_row(const sal_equation_reading *r, int node, const char *key, rows *out)
{
  double value[2];

  SAL_TRY(sal_value_numbers(&r->document, node, key, 2, value));
  if (out->n > 0 && !(value[0] > out->x[out->n - 1]))
    return sal_document_fail(&r->document, node,
                             "%s: row %d: %g after %g; the first numbers of the rows have to rise",
                             key, out->n + 1, value[0], out->x[out->n - 1]);
  out->x[out->n] = value[0];
  out->y[out->n++] = value[1];
  return SAL_OK;
}

static sal_err read_rows(const sal_equation_reading *r, int list, const char *key, rows *out)
{
  SAL_TRY(sal_value_list(&r->document, list, key, 2, SAL_LOOKUP_KNOTS));
  const int n = sal_document_count(&r->document, list);
  out->x = sal_alloc((size_t)n, sizeof *out->x);
  out->y = sal_alloc((size_t)n, sizeof *out->y);
  if (!out->x || !out->y) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  for (int i = 0; i < n; ++i)
    SAL_TRY(read_row(r, sal_document_item(&r->document, list, i), key, out));
  return SAL_OK;
}

/* Second derivatives at the knots of the natural cubic spline, which are 0 at its ends: the solution of a
 * tridiagonal system (de Boor, A Practical Guide to Splines, IV).  bend, work [n] */
static void bend_spline(const rows *p, double bend[], double work[])
{
  bend[0] = work[0] = 0;
  for (int i = 1; i < p->n - 1; ++i) {
    const double before = p->x[i] - p->x[i - 1], after = p->x[i + 1] - p->x[i];
    const double turn = (p->y[i + 1] - p->y[i]) / after - (p->y[i] - p->y[i - 1]) / before;
    const double pivot = 2 * (before + after) - before * work[i - 1];
    work[i] = after / pivot;
    bend[i] = (6 * turn - before * bend[i - 1]) / pivot;
  }
  bend[p->n - 1] = 0;
  for (int i = p->n - 2; i > 0; --i) bend[i] -= work[i] * bend[i + 1];
}

/* piece [n - 1][SAL_LOOKUP_ORDERS]; gives the first one whose coefficients no double holds, n - 1 if none. */
static int cut_pieces(const rows *p, const double bend[], double piece[])
{
  int wrong = p->n - 1;

  for (int i = 0; i + 1 < p->n; ++i) {
    const double h = p->x[i + 1] - p->x[i], slope = (p->y[i + 1] - p->y[i]) / h;
    double *c = &piece[(size_t)SAL_LOOKUP_ORDERS * (size_t)i];
    c[0] = p->y[i];
    c[1] = slope - h * (2 * bend[i] + bend[i + 1]) / 6;
    c[2] = bend[i] / 2;
    c[3] = (bend[i + 1] - bend[i]) / (6 * h);
    for (int j = 0; j < SAL_LOOKUP_ORDERS && wrong > i; ++j)
      if (!isfinite(c[j])) wrong = i;
  }
  return wrong;
}

static sal_err make_table(const sal_equation_reading *r, int mapping, const char *key, rows *p,
                          bool cubic, bool zero, sal_lookup *out)
{
  SAL_OWN double *bend = sal_alloc((size_t)p->n, sizeof *bend);
  SAL_OWN double *work = sal_alloc((size_t)p->n, sizeof *work);
  SAL_OWN double *piece = sal_alloc((size_t)p->n, SAL_LOOKUP_ORDERS * sizeof *piece);

  if (!bend || !work || !piece)
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  if (cubic) bend_spline(p, bend, work);
  const int wrong = cut_pieces(p, bend, piece);
  if (wrong < p->n - 1)
    return sal_document_fail(&r->document, mapping, "%s: from %g to %g it is too steep for doubles",
                             key, p->x[wrong], p->x[wrong + 1]);
  *out = (sal_lookup){.n_knot = p->n, .knot = p->x, .piece = piece};
  if (!zero) out->outside[0] = p->y[0], out->outside[1] = p->y[p->n - 1];
  p->x = NULL;
  piece = NULL;
  return SAL_OK;
}

static void drop_rows(rows *p) { sal_free_all(p->x, p->y); }

static sal_err read_table(sal_equation_reading *r, const yaml_node_pair_t *pair)
{
  SAL_OWN_BY(drop_rows) rows p = {0};
  const char *name = sal_document_text(&r->document, pair->key);
  const int kind = sal_document_child(&r->document, pair->value, "kind"),
            outside = sal_document_child(&r->document, pair->value, "outside");
  char key[SAL_MAX_NAME];
  int list = 0, cubic = 0, zero = 0;

  snprintf(key, sizeof key, "table %.40s", name);
  SAL_TRY(sal_value_keys(&r->document, pair->value, key, table_keys));
  if (kind) SAL_TRY(sal_value_word(&r->document, kind, "kind", kinds, &cubic));
  if (outside) SAL_TRY(sal_value_word(&r->document, outside, "outside", ends, &zero));
  SAL_TRY(find_rows(r, pair->value, name, key, &list));
  SAL_TRY(read_rows(r, list, key, &p));
  SAL_TRY(make_table(r, pair->value, key, &p, cubic == 1, zero == 1, &r->table[r->n_table]));
  return sal_scope_add(&r->scope, (sal_scope_name){.name = name,
                                                   .kind = SAL_SCOPE_TABLE,
                                                   .what = "table",
                                                   .number = r->n_table++,
                                                   .text = pair->key,
                                                   .known = true});
}

sal_err sal_equation_tables(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "tables");
  const int kept = sal_document_find(&r->document, "table_rows");
  int n;

  SAL_TRY(sal_value_pairs(&r->document, mapping, "tables", &n));
  if (kept && n == 0)
    return sal_document_fail(&r->document, kept, "table_rows: the text has no tables");
  if (n > SAL_EQUATION_TABLES)
    return sal_document_fail(&r->document, mapping, "tables: more than %d", SAL_EQUATION_TABLES);
  if (n == 0) return SAL_OK;
  r->table = sal_alloc((size_t)n, sizeof *r->table);
  if (!r->table) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  for (int i = 0; i < n; ++i) SAL_TRY(read_table(r, sal_document_pair(&r->document, mapping, i)));
  return SAL_OK;
}

/* Steps as long as the shortest stretch of two pieces of a table whose argument is the time, the time and a shift, or a clock: no other part of a
 * text shows a short change there. */
void sal_equation_tables_steps(sal_equation_reading *r)
{
  const int n = r->graph.n;
  double longest = INFINITY;

  if (r->single[SAL_EQUATION_LONGEST_STEP] >= 0) return;
  for (int i = 0; i < n; ++i) {
    const sal_graph_node node = r->graph.node[i];
    if (node.kind != SAL_GRAPH_OPERATION || node.op != SAL_PROGRAM_table ||
        !sal_clocks_runs(&r->graph, node.a))
      continue;
    const sal_lookup *t = &r->table[node.b / SAL_LOOKUP_ORDERS];
    for (int k = 0; k + 2 < t->n_knot; ++k) longest = fmin(longest, t->knot[k + 2] - t->knot[k]);
  }
  if (isfinite(longest))
    r->single[SAL_EQUATION_LONGEST_STEP] = sal_graph_constant(&r->graph, longest);
}

void sal_equation_tables_free(int n, const sal_lookup *table)
{
  for (int i = 0; i < n && table; ++i) {
    sal_free_all(table[i].knot, table[i].piece);
  }
  sal_free((void *)table);
}
