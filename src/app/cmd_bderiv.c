/** saltus bderiv: how the end of a trajectory moves as its start does, through impacts. */
#include "argument.h"
#include "atomic_file.h"
#include "base.h"
#include "bderiv.h"
#include "cli_run.h"
#include "command.h"

typedef struct {
  sal_cli_run_words run;
  const char *direction, *csv;
  bool matrix, force;
} options;
static const options presets = {.run = {SAL_CLI_RUN_PRESETS("dop853", "event", 1e-12)}};

#define OPTIONS_OF_bderiv
#include "options.def"

static sal_err check_directions(void *given)
{
  const options *o = given;

  if (!o->direction && !o->matrix)
    return sal_fail(SAL_ERR_USAGE, "--direction NAME=VALUE,.. or --matrix is required");
  if (o->direction && o->matrix)
    return sal_fail(SAL_ERR_USAGE, "--direction or --matrix, not both");
  return SAL_OK;
}

static sal_err check_strategy(const sal_cli_run *run)
{
  const char *name = run->setup.strategy->name;

  if (strcmp(name, "event") == 0) return SAL_OK;
  return sal_fail(
      SAL_ERR_USAGE,
      "--strategy: %s does not locate the events that a B-derivative needs; allowed: event", name);
}

/** Directions, derivatives and the order of one direction; freed together. */
typedef struct {
  sal_bderiv b;
  bool matrix;
  int n;                    /* directions: 1, or 2 n_state of a matrix */
  double *from, *to;        /* [n][n_state] */
  int *order;               /* contacts as the last direction crosses them */
  sal_bderiv_defect defect; /* of a matrix */
} table;

static void drop_table(table *t)
{
  sal_bderiv_free(&t->b);
  sal_free_all(t->from, t->to, t->order);
}

static sal_err set_directions(const options *o, const sal_model *m, table *t)
{
  const size_t n = (size_t)m->n_state;

  t->n = o->matrix ? 2 * m->n_state : 1;
  t->from = sal_alloc((size_t)t->n * n, sizeof *t->from);
  t->to = sal_alloc((size_t)t->n * n, sizeof *t->to);
  if (!t->from || !t->to) return sal_fail(SAL_ERR_MEMORY, "no memory for %d directions", t->n);
  if (o->direction) return sal_argument_direction("--direction", m, o->direction, t->from);
  for (int d = 0; d < t->n; ++d) t->from[d * m->n_state + d % m->n_state] = d < m->n_state ? 1 : -1;
  return SAL_OK;
}

static sal_err map_directions(table *t)
{
  const int64_t n = t->b.setup->model->n_state;
  int64_t contacts = 0;

  for (int64_t i = 0; i < t->b.n_instant; ++i) contacts += t->b.instant[i].n;
  t->order = sal_alloc((size_t)contacts, sizeof *t->order);
  if (!t->order) return sal_fail(SAL_ERR_MEMORY, "no memory for the order of the contacts");
  for (int d = 0; d < t->n; ++d)
    SAL_TRY(sal_bderiv_map(&t->b, t->from + d * n, t->to + d * n, t->order));
  return t->matrix ? sal_bderiv_measure(&t->b, t->to, &t->defect) : SAL_OK;
}

/* A defect below this is rounding. */
static const double rounding = 1e-9;

static void print_instants(const table *t)
{
  enum { SHOWN = 12 };
  const int *order = t->matrix ? t->b.contact : t->order;

  if (t->b.n_instant == 0) printf("no contact changes on the way\n");
  if (t->b.n_instant > 0)
    printf("%16s  contacts that change%s\n", "t",
           t->matrix ? "" : ", in the order of this direction");
  for (int64_t i = 0; i < t->b.n_instant; ++i) {
    const sal_bderiv_instant *at = &t->b.instant[i];
    printf("%16.10g ", at->t);
    for (int k = 0; k < at->n && k < SHOWN; ++k) printf(" %d", order[k]);
    if (at->n > SHOWN) printf(" .. (%d in all)", at->n);
    printf("\n");
    order += at->n;
  }
  printf("\n");
}

static void print_direction(const table *t)
{
  const sal_model *m = t->b.setup->model;

  printf("%-8s %16s %16s\n", "state", "at the start", "at the end");
  for (int i = 0; i < m->n_state; ++i)
    printf("%-8s %16.10g %16.10g\n", m->state[i].name, t->from[i], t->to[i]);
}

static void print_matrix(const table *t)
{
  const sal_model *m = t->b.setup->model;

  printf("%-9s", "start");
  for (int i = 0; i < m->n_state; ++i) printf(" %13s", m->state[i].name);
  printf("\n");
  for (int d = 0; d < t->n; ++d) {
    printf("%c%-8s", d < m->n_state ? '+' : '-', m->state[d % m->n_state].name);
    for (int i = 0; i < m->n_state; ++i) printf(" %13.6g", t->to[d * m->n_state + i]);
    printf("\n");
  }
  printf("\nThe map is %s: antisymmetry defect %.2g, superposition defect %.2g%s.\n",
         fmax(t->defect.antisymmetry, t->defect.superposition) < rounding ? "linear"
                                                                          : "piecewise linear",
         t->defect.antisymmetry, t->defect.superposition,
         t->b.n_most < 2 ? "; no two contacts change together" : "");
}

static void print_table(const table *t)
{
  const sal_setup *s = t->b.setup;

  printf("B-derivative of the flow of %s over [0, %g]; %s at %g\n\n", s->model->name, s->t_end,
         s->method->name, s->rtol);
  print_instants(t);
  if (t->matrix)
    print_matrix(t);
  else
    print_direction(t);
}

static void csv_names(FILE *f, const sal_model *m, const char *prefix, char end)
{
  for (int i = 0; i < m->n_state; ++i)
    fprintf(f, "%s_%s%c", prefix, m->state[i].name, i + 1 < m->n_state ? ',' : end);
}

static void csv_values(FILE *f, const sal_model *m, const double v[], char end)
{
  for (int i = 0; i < m->n_state; ++i) fprintf(f, "%.17g%c", v[i], i + 1 < m->n_state ? ',' : end);
}

static sal_err write_csv(const table *t, const char *path)
{
  const sal_model *m = t->b.setup->model;
  FILE *f;

  SAL_TRY(sal_atomic_file_open(path, &f));
  csv_names(f, m, "from", ',');
  csv_names(f, m, "to", '\n');
  for (int d = 0; d < t->n; ++d) {
    csv_values(f, m, t->from + (size_t)d * (size_t)m->n_state, ',');
    csv_values(f, m, t->to + (size_t)d * (size_t)m->n_state, '\n');
  }
  return sal_atomic_file_close(path, f);
}

static sal_err run_bderiv(void *given, sal_command_call *call)
{
  const options *o = given;
  SAL_OWN_BY(sal_cli_run_free) sal_cli_run run = {0};
  SAL_OWN_BY(drop_table) table t = {.matrix = o->matrix};

  (void)call;
  SAL_TRY(sal_cli_run_check(&o->run, &run));
  SAL_TRY(check_strategy(&run));
  SAL_TRY(set_directions(o, run.setup.model, &t));
  if (o->csv) SAL_TRY(sal_atomic_file_claim(o->csv, "the table", o->force));
  SAL_TRY(sal_bderiv_create(&run.setup, run.param, run.initial, &t.b));
  SAL_TRY(map_directions(&t));
  if (o->csv) SAL_TRY(write_csv(&t, o->csv));
  print_table(&t);
  return SAL_OK;
}

const sal_command_code sal_cmd_bderiv = {
    .table = {{rows, 0}, {sal_cli_run_options, offsetof(options, run)}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_directions,
    .run = run_bderiv};
