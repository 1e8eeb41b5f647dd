/** The columns of a branch. */
#include "base.h"
#include "continue_request.h"
#include "table_file.h"
#include "units.h"

enum { MOST_COLUMNS = 24 + 2 * SAL_MAX_STATE + SAL_MAX_CONTACT, NAME = 64 };

/* Columns under way, their values and names. */
typedef struct {
  const sal_branch_record *record;
  sal_table_column column[MOST_COLUMNS];
  int n, open;   /* open: the first of the times for which a contact is open */
  double *value; /* [MOST_COLUMNS][n] */
  double *wide;  /* phases, multipliers twice */
  char name[MOST_COLUMNS][NAME];
  const char **type, **words;
} columns;

static double *add(columns *c, const char *before, const char *name, const char *unit,
                   const char *what, bool whole)
{
  char *made = c->name[c->n];
  snprintf(made, NAME - 8, "%s%s", before, name);
  sal_table_name(made);
  for (int i = 0; i < c->n; ++i)
    if (strcmp(c->name[i], made) == 0) sprintf(made + strlen(made), "_%d", c->n);
  double *value = c->value + c->n * c->record->branch->n;
  c->column[c->n] = (sal_table_column){.name = c->name[c->n],
                                       .unit = unit,
                                       .what = what,
                                       .across = 1,
                                       .whole = whole,
                                       .value = value};
  ++c->n;
  return value;
}

#define FILL(column_, expression)                                                                  \
  do {                                                                                             \
    double *const to_ = (column_);                                                                 \
    for (int64_t i = 0; i < b->n; ++i) {                                                           \
      const sal_branch_point *p = &b->point[i];                                                    \
      const double *row = sal_branch_row(b, i);                                                    \
      (void)p;                                                                                     \
      (void)row;                                                                                   \
      to_[i] = (expression);                                                                       \
    }                                                                                              \
  } while (0)

static void add_scalars(columns *c)
{
  const sal_branch_record *r = c->record;
  const sal_branch *b = r->branch;
  const sal_model *m = r->setup->model;

  for (int k = 0; k < r->n_free; ++k) {
    const sal_field *f = &m->param[r->free_param[k]];
    FILL(add(c, "", f->name, f->unit, f->what, false), p->lambda[k]);
  }
  FILL(add(c, "", "type", NULL, "type of the point, AUTO's code", true),
       sal_branch_kinds[p->type].code);
  FILL(add(c, "", "label", NULL, "label of special points, 0 for none", true), p->label);
  FILL(add(c, "", "branch", NULL, "number of the branch", true), b->number);
  FILL(add(c, "", "stable", NULL, "1: all multipliers are inside the unit circle", true),
       p->stable);
  FILL(add(c, "", "unstable_multipliers", NULL, "multipliers that are not inside", true),
       p->n_unstable);
  FILL(add(c, "", "events", NULL, "contacts closed or opened in a period", true), p->n_event);
  FILL(add(c, "", "period", sal_units_of_time(m), "period of the orbit", false), p->period);
  FILL(add(c, "", "residual", "1", "largest |P(x) - x| over the size of x", false), p->residual);
  FILL(add(c, "", "transversality", "1", "least rate at an event over |Dh| |f|; 0: grazing", false),
       p->transversality);
  FILL(add(c, "", "arclength", "1", "pseudo-arclength from the start", false), p->arc);
  if (m->admissible.name)
    FILL(add(c, "admissible_", m->admissible.name, NULL,
             "after the event it belongs to; above 0: the orbit is not admissible", false),
         p->admissible);
}

static void add_orbits(columns *c)
{
  const sal_branch *b = c->record->branch;
  const sal_branch_layout *l = &b->layout;
  const sal_model *m = c->record->setup->model;

  for (int s = 0; s < l->n_state; ++s)
    FILL(add(c, "", m->state[s].name, m->state[s].unit, "at the section", false),
         row[l->state + s]);
  for (int s = 0; s < l->n_state; ++s)
    FILL(add(c, "apex_", m->state[s].name, m->state[s].unit, "largest value in a period", false),
         row[l->apex + s]);
  c->open = c->n;
  for (int k = 0; k < l->n_contact; ++k)
    FILL(add(c, "open_", sal_model_contact(m, k)->closes, sal_units_of_time(m),
             "time in a period for which the contact is open", false),
         row[l->open + k]);
  if (m->kinetic)
    FILL(add(c, "", "impact_loss", "1",
             "largest share of the kinetic energy that an event takes in a period", false),
         row[l->loss]);
}

static void add_wide(columns *c, const char *name, const char *unit, const char *what,
                     const char *across, int n, int at, double *to)
{
  const sal_branch *b = c->record->branch;

  for (int64_t i = 0; i < b->n; ++i)
    memcpy(to + i * n, sal_branch_row(b, i) + at, (size_t)n * sizeof *to);
  c->column[c->n++] = (sal_table_column){
      .name = name, .unit = unit, .what = what, .across = n, .across_name = across, .value = to};
}

static void add_texts(columns *c)
{
  const sal_branch *b = c->record->branch;

  for (int64_t i = 0; i < b->n; ++i) {
    c->type[i] = sal_branch_kinds[b->point[i].type].name;
    c->words[i] = b->point[i].words;
  }
  c->column[c->n++] = (sal_table_column){.name = "type_name",
                                         .what = "type of the point",
                                         .across = 1,
                                         .value = c->type,
                                         .text = true};
  c->column[c->n++] = (sal_table_column){.name = "reason",
                                         .what = "why the branch ends, or what was asked for",
                                         .across = 1,
                                         .value = c->words,
                                         .text = true};
}

static void add_all(columns *c)
{
  const sal_branch_layout *l = &c->record->branch->layout;
  const int64_t n = c->record->branch->n;
  double *const re = c->wide, *const im = re + n * l->n_multiplier;
  double *const phase = im + n * l->n_multiplier;

  add_scalars(c);
  add_orbits(c);
  add_wide(c, "multiplier_re", "1", "real parts of the Floquet multipliers", "multiplier",
           l->n_multiplier, l->re, re);
  add_wide(c, "multiplier_im", "1", "imaginary parts", "multiplier", l->n_multiplier, l->im, im);
  add_wide(c, "duration", sal_units_of_time(c->record->setup->model),
           "time from event to event, from the section on", "phase", SAL_BRANCH_PHASES, l->phase,
           phase);
  add_texts(c);
}

/* The names of the free parameters with commas between them. */
static void name_free(const sal_branch_record *r, char text[], size_t size)
{
  const sal_model *m = r->setup->model;

  snprintf(text, size, "%s%s%s", m->param[r->free_param[0]].name, r->n_free > 1 ? "," : "",
           r->n_free > 1 ? m->param[r->free_param[1]].name : "");
}

static sal_err write_columns(const char *path, const columns *c)
{
  const sal_branch_record *r = c->record;
  const sal_walk_setup *w = &r->how->walk;
  char names[2 * SAL_MAX_STATE];

  name_free(r, names, sizeof names);
  const char *first =
      r->branch->layout.n_contact > 0 ? sal_model_contact(r->setup->model, 0)->closes : "";
  const sal_table_attribute attribute[] = {
      {.name = "free_parameters", .text = names},
      {.name = "curve", .text = r->curve},
      {.name = "solver", .text = r->setup->method->name},
      {.name = "strategy", .text = r->setup->strategy->name},
      {.name = "section", .text = r->setup->model->section.name},
      {.name = "first_contact", .text = first},
      {.name = "first_open", .text = *first ? c->name[c->open] : ""},
      {.name = "rtol", .number = r->setup->rtol},
      {.name = "atol", .number = r->setup->atol},
      {.name = "returns", .number = r->returns},
      {.name = "from", .number = w->from[0]},
      {.name = "to", .number = w->to[0]},
      {.name = "ds", .number = w->ds},
      {.name = "ds_min", .number = w->ds_min},
      {.name = "ds_max", .number = w->ds_max},
      {.name = "max_step", .number = r->setup->max_step},
      {.name = "model_text", .text = r->model_text},
  };
  const int n = sizeof attribute / sizeof *attribute;
  const sal_table table = {.content = SAL_BRANCH_CONTENT,
                           .model = r->setup->model,
                           .param = r->param,
                           .row_name = "point",
                           .row_what = "number of the point along the branch",
                           .n = r->branch->n,
                           .n_column = c->n,
                           .column = c->column,
                           .n_attribute = r->model_text ? n : n - 1,
                           .attribute = attribute};

  return sal_table_write(path, &table);
}

static sal_err make_columns(const sal_branch_record *record, columns *c)
{
  const sal_branch_layout *l = &record->branch->layout;
  const size_t n = (size_t)record->branch->n;
  const size_t wide = 2 * (size_t)l->n_multiplier + SAL_BRANCH_PHASES;

  c->record = record;
  c->value = sal_alloc(n * MOST_COLUMNS, sizeof *c->value);
  c->wide = sal_alloc(n * wide, sizeof *c->wide);
  c->type = sal_alloc(n, sizeof *c->type);
  c->words = sal_alloc(n, sizeof *c->words);
  if (!c->value || !c->wide || !c->type || !c->words)
    return sal_fail(SAL_ERR_MEMORY, "no memory for the columns of a branch");
  add_all(c);
  return SAL_OK;
}

sal_err sal_branch_write(const char *path, const sal_branch_record *record)
{
  columns *c = sal_alloc(1, sizeof *c);

  if (!c) return sal_fail(SAL_ERR_MEMORY, "no memory for the columns of a branch");
  sal_err err = make_columns(record, c);
  if (err == SAL_OK) err = write_columns(path, c);
  sal_free_all(c->value, c->wide, c->type, c->words, c);
  return err;
}
