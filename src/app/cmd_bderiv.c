/** saltus bderiv: how the end of a trajectory moves as its start does, through impacts. */
#include "argument.h"
#include "atomic_file.h"
#include "base.h"
#include "bderiv_print.h"
#include "cli_run.h"
#include "command.h"

typedef struct {
  sal_cli_run_words run;
  const char *direction, *csv;
  bool matrix, check, force;
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
  int n;
  double *from, *to; /* [n][n_state] */
  int *order;
} directions;

static void drop_directions(directions *r) { sal_free_all(r->from, r->to, r->order); }

static sal_err set_directions(const options *o, const sal_model *m, directions *r)
{
  const size_t n = (size_t)m->n_state;

  r->n = o->matrix ? 2 * m->n_state : 1;
  r->from = sal_alloc((size_t)r->n * n, sizeof *r->from);
  r->to = sal_alloc((size_t)r->n * n, sizeof *r->to);
  if (!r->from || !r->to) return sal_fail(SAL_ERR_MEMORY, "no memory for %d directions", r->n);
  if (o->direction) return sal_argument_direction("--direction", m, o->direction, r->from);
  for (int d = 0; d < r->n; ++d) r->from[d * m->n_state + d % m->n_state] = d < m->n_state ? 1 : -1;
  return SAL_OK;
}

static sal_err map_directions(const sal_bderiv *b, directions *r)
{
  const int64_t n = b->setup->model->n_state;
  int64_t contacts = 0;

  for (int64_t i = 0; i < b->n_instant; ++i) contacts += b->instant[i].n;
  r->order = sal_alloc((size_t)contacts, sizeof *r->order);
  if (!r->order) return sal_fail(SAL_ERR_MEMORY, "no memory for the order of the contacts");
  for (int d = 0; d < r->n; ++d)
    SAL_TRY(sal_bderiv_map(b, r->from + d * n, r->to + d * n, r->order));
  return SAL_OK;
}

static sal_err print_derivatives(const options *o, const sal_bderiv *b, directions *r)
{
  sal_bderiv_row check[SAL_BDERIV_STEPS];
  sal_bderiv_defect defect;

  SAL_TRY(map_directions(b, r));
  if (o->matrix) SAL_TRY(sal_bderiv_measure(b, r->to, &defect));
  if (o->check) SAL_TRY(sal_bderiv_check(b, r->n, r->from, r->to, check));
  const sal_bderiv_table table = {.b = b,
                                  .n = r->n,
                                  .from = r->from,
                                  .to = r->to,
                                  .order = o->matrix ? NULL : r->order,
                                  .check = o->check ? check : NULL,
                                  .defect = o->matrix ? &defect : NULL};
  if (o->csv) SAL_TRY(sal_bderiv_print_csv(&table, o->csv));
  sal_bderiv_print(&table);
  return SAL_OK;
}

static sal_err derive(const options *o, const sal_cli_run *run, directions *r)
{
  SAL_OWN_BY(sal_bderiv_free) sal_bderiv b = {0};

  SAL_TRY(set_directions(o, run->setup.model, r));
  if (o->csv) SAL_TRY(sal_atomic_file_claim(o->csv, "the table", o->force));
  SAL_TRY(sal_bderiv_create(&run->setup, run->param, run->initial, &b));
  return print_derivatives(o, &b, r);
}

static sal_err run_bderiv(void *given, sal_command_call *call)
{
  const options *o = given;
  SAL_OWN_BY(sal_cli_run_free) sal_cli_run run = {0};
  SAL_OWN_BY(drop_directions) directions r = {0};

  (void)call;
  SAL_TRY(sal_cli_run_check(&o->run, &run));
  SAL_TRY(check_strategy(&run));
  return derive(o, &run, &r);
}

const sal_command_code sal_cmd_bderiv = {
    .table = {{rows, 0}, {sal_cli_run_options, offsetof(options, run)}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_directions,
    .run = run_bderiv};
