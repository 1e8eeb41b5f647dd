/** Points of a branch. */
#include "branch.h"
#include "array.h"
#include "base.h"

#define SAL_BRANCH_KIND(id, name, code, what) {name, code, what},
const sal_branch_kind sal_branch_kinds[SAL_N_BRANCH_TYPE] = {SAL_BRANCH_TYPES(SAL_BRANCH_KIND)};
#undef SAL_BRANCH_KIND

sal_branch_layout sal_branch_layout_make(int n_state, int n_multiplier, int n_contact)
{
  sal_branch_layout l = {n_state, n_multiplier, n_contact, .state = 0};

  l.apex = l.state + n_state;
  l.re = l.apex + n_state;
  l.im = l.re + n_multiplier;
  l.phase = l.im + n_multiplier;
  l.open = l.phase + SAL_BRANCH_PHASES;
  l.loss = l.open + n_contact;
  l.width = l.loss + 1;
  return l;
}

void sal_branch_init(sal_branch *branch, sal_branch_layout layout)
{
  *branch = (sal_branch){.layout = layout, .number = 1};
}

void sal_branch_free(sal_branch *branch)
{
  sal_free_all(branch->point, branch->row);
  *branch = (sal_branch){.layout = branch->layout};
}

const double *sal_branch_row(const sal_branch *branch, int64_t i)
{
  return branch->row + i * branch->layout.width;
}

sal_err sal_branch_add(sal_branch *b, const sal_branch_point *point, const double row[])
{
  const size_t bytes = (size_t)b->layout.width * sizeof *row;
  sal_branch_point *list = sal_array_grow(b->point, b->n, 1, &b->room, sizeof *list);

  if (list) b->point = list;
  double *rows = list ? sal_array_grow(b->row, b->n, 1, &b->rows, bytes) : NULL;
  if (!rows) return sal_fail(SAL_ERR_MEMORY, "no memory for %lld points", (long long)b->n + 1);
  b->row = rows;
  b->point[b->n] = *point;
  memcpy(b->row + b->n * b->layout.width, row, bytes);
  ++b->n;
  return SAL_OK;
}

static void swap_bytes(char *a, char *b, size_t n)
{
  for (size_t i = 0; i < n; ++i) {
    const char kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
}

void sal_branch_reverse(sal_branch *b)
{
  const int64_t width = b->layout.width;

  for (int64_t i = 0, j = b->n - 1; i < j; ++i, --j) {
    swap_bytes((char *)&b->point[i], (char *)&b->point[j], sizeof *b->point);
    swap_bytes((char *)(b->row + i * width), (char *)(b->row + j * width),
               (size_t)width * sizeof *b->row);
  }
}

void sal_branch_number_labels(sal_branch *b)
{
  int label = 0;

  for (int64_t i = 0; i < b->n; ++i) {
    const bool marked = b->point[i].type != SAL_BRANCH_REGULAR || b->point[i].label > 0;
    b->point[i].label = marked ? ++label : 0;
  }
}

typedef struct {
  sal_text names; /* each with its NUL */
  sal_branch_quantity quantity[4 * SAL_MAX_STATE];
  int n;
} list;

static void offer(list *l, sal_branch_quantity quantity, const char *before, const char *name)
{
  if (l->n == (int)(sizeof l->quantity / sizeof *l->quantity)) return;
  sal_text_add(&l->names, "%s%s", before, name);
  sal_text_append(&l->names, "", 1);
  l->quantity[l->n++] = quantity;
}

static void offer_all(list *l, const sal_model *m, const sal_branch_layout *at,
                      const char *const free_param[])
{
  for (int i = 0; i < SAL_BRANCH_PARAMS && free_param[i]; ++i)
    offer(l, (sal_branch_quantity){SAL_BRANCH_IS_PARAM, i}, "", free_param[i]);
  offer(l, (sal_branch_quantity){SAL_BRANCH_IS_PERIOD, 0}, "", "period");
  offer(l, (sal_branch_quantity){SAL_BRANCH_IS_IN_ROW, at->re}, "", "multiplier");
  if (m->kinetic)
    offer(l, (sal_branch_quantity){SAL_BRANCH_IS_IN_ROW, at->loss}, "", "impact_loss");
  for (int k = 0; k < at->n_contact; ++k) {
    const char *name = sal_model_contact(m, k)->closes;
    offer(l, (sal_branch_quantity){SAL_BRANCH_IS_IN_ROW, at->open + k}, "open_", name);
    offer(l, (sal_branch_quantity){SAL_BRANCH_IS_EQUILIBRIUM, at->open + k}, "closed_", name);
  }
  for (int i = 0; i < at->n_state; ++i)
    offer(l, (sal_branch_quantity){SAL_BRANCH_IS_IN_ROW, at->state + i}, "", m->state[i].name);
  for (int i = 0; i < at->n_state; ++i)
    offer(l, (sal_branch_quantity){SAL_BRANCH_IS_IN_ROW, at->apex + i}, "apex_", m->state[i].name);
}

static sal_err pick_name(const char *where, const list *l, const char *name,
                         sal_branch_quantity *out)
{
  const char *names[4 * SAL_MAX_STATE + 1] = {NULL};
  const char *at = l->names.string;

  for (int i = 0; i < l->n; ++i, at += strlen(at) + 1) {
    names[i] = at;
    *out = l->quantity[i];
    if (strcmp(at, name) == 0) return SAL_OK;
  }
  return sal_text_unknown(SAL_ERR_USAGE, where, "quantity", name, names);
}

sal_err sal_branch_quantity_find(const char *where, const sal_model *model,
                                 const sal_branch_layout *layout, const char *const free_param[],
                                 const char *name, sal_branch_quantity *out)
{
  list l = {.n = 0};

  offer_all(&l, model, layout, free_param);
  const sal_err err = l.names.lost
                          ? sal_fail(SAL_ERR_MEMORY, "no memory for the names of %s", where)
                          : pick_name(where, &l, name, out);
  sal_text_free(&l.names);
  return err;
}

double sal_branch_quantity_value(sal_branch_quantity q, const sal_branch_point *point,
                                 const double row[])
{
  switch (q.kind) {
  case SAL_BRANCH_IS_PARAM:
    return point->lambda[q.at];
  case SAL_BRANCH_IS_PERIOD:
    return point->period;
  case SAL_BRANCH_IS_IN_ROW:
    return row[q.at];
  default:
    return point->period - row[q.at];
  }
}
