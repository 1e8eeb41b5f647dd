/** saltus refine: more cells for a cube, spread evenly. */
#include "atomic_file.h"
#include "base.h"
#include "cli_compile.h"
#include "cli_sweep.h"
#include "collective_error.h"
#include "extension.h"
#include "parameter_column.h"
#include "refine_cube.h"
#include "sweep_read.h"

typedef struct {
  const char *cube, *sweep;
  int64_t cells; /* 0: not given */
  bool dry;
  sal_cli_texts recorded;
  sal_run_options run;
  sal_cli_compile compile;
} options;
static const options presets = {.run = {SAL_CLI_SWEEP_PRESETS}};

#define OPTIONS_OF_refine
#include "options.def"

static sal_err check_refine(void *given)
{
  const options *o = given;

  if (o->cells == 0) return sal_fail(SAL_ERR_USAGE, "--cells N is required");
  if (!o->run.out && !o->dry)
    return sal_fail(SAL_ERR_USAGE, "-o FILE is required; it names the cube to write");
  return SAL_OK;
}

/* The cells of a sweep from number `first` on, from 0: what its axes vary. */
static void print_table(const sal_sweep *s, int64_t first)
{
  const int n_param = s->model->n_param + s->model->n_option;
  double value[SAL_MAX_QUANTITY];
  char number[SAL_TEXT_NUMBER];

  printf("%9s ", "cell");
  for (int a = 0; a < s->n_axis; ++a)
    for (int c = 0; c < s->axis[a].n_column; ++c)
      printf(" %12s", sal_parameter_column_name(s->model, s->axis[a].column[c]));
  printf("\n");
  for (int64_t i = first; i < s->n_cell; ++i) {
    sal_sweep_cell(s, i, value, value + n_param);
    printf("%9lld ", (long long)i + 1);
    for (int a = 0; a < s->n_axis; ++a)
      for (int c = 0; c < s->axis[a].n_column; ++c) {
        const int k = s->axis[a].column[c];
        printf(" %12s", sal_parameter_column_text(s->model, k, value[k], 6, number));
      }
    printf("\n");
  }
}

/* On one rank. */
static sal_err print_cells(const options *o, const sal_refine_plan *p)
{
  SAL_OWN_BY(sal_sweep_free) sal_sweep refined = {0};

  SAL_TRY(sal_sweep_parse_results(o->cube, p->text, &refined));
  print_table(&refined, p->n_cell);
  return SAL_OK;
}

/* On one rank: the plan, and what is said of it. */
static sal_err make_plan(const options *o, sal_refine_plan *p)
{
  const sal_refine_request request = {o->cube, o->cells, o->run.force, o->dry};

  if (!o->dry) SAL_TRY(sal_atomic_file_claim(o->run.out, "the output", o->run.force));
  const sal_err err = sal_refine_plan_make(&request, p);
  if (err != SAL_OK) {
    if (p->others) sal_err_add("; --force takes them as they are");
    return err;
  }
  if (!o->run.quiet && p->added < o->cells)
    fprintf(stderr, "%s: %lld cell%s can be added, not %lld\n", o->cube, (long long)p->added,
            sal_text_plural(p->added), (long long)o->cells);
  if (o->dry) return print_cells(o, p);
  return SAL_OK;
}

/* Path of the sweep, unless --sweep gives it. */
static char *sweep_path(const options *o)
{
  const size_t n = strlen(o->run.out);
  const bool h5 = n > 3 && strcmp(o->run.out + n - 3, ".h5") == 0;
  sal_text path = {0};

  if (o->sweep)
    sal_text_add(&path, "%s", o->sweep);
  else
    sal_text_add(&path, "%.*s.yaml", (int)(h5 ? n - 3 : n), o->run.out);
  return sal_text_take(&path);
}

/* Collective.  Saves the sweep and runs what the cube lacks of it. */
static sal_err run_plan(const sal_command_call *call, options *o, const sal_refine_plan *p,
                        const char *path)
{
  const sal_sweep_trust trust = sal_cli_trust_of(&o->recorded);
  sal_refine_old old = {o->cube, p->n_cell};
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};

  SAL_TRY(sal_collective_error(call->comm,
                               path ? sal_sweep_parse_stored(path, p->text, 0, NULL, &trust, &sweep)
                                    : sal_fail(SAL_ERR_MEMORY, "no memory for a path")));
  o->run.seed = sal_refine_seed;
  o->run.with = &old;
  SAL_TRY(sal_collective_first(call->comm, sal_refine_save(path, p->text, o->run.force)));
  SAL_TRY(sal_cli_compile_sweep(&o->compile, call, o->run.quiet, &sweep, NAN));
  return sal_run_sweep(call->comm, call->began, &o->run, &sweep);
}

static sal_err run_refine(void *given, sal_command_call *call)
{
  options *o = given;
  sal_refine_plan p = {.text = NULL};

  o->run.command = call->line;
  sal_err err = sal_collective_first(call->comm, make_plan(o, &p));
  if (err == SAL_OK && !o->dry) {
    SAL_OWN char *path = sweep_path(o);
    err = sal_collective_share(call->comm, &p.n_cell, sizeof p.n_cell);
    if (err == SAL_OK) err = sal_collective_share_text(call->comm, &p.text);
    if (err == SAL_OK) err = run_plan(call, o, &p, path);
  }
  sal_free(p.text);
  return err;
}

const sal_command_code sal_cmd_refine = {
    .table = {{rows, 0},
              {sal_cli_sweep_options, offsetof(options, run)},
              {sal_cli_trust_options, offsetof(options, recorded)},
              {sal_cli_compile_options, offsetof(options, compile)},
              {sal_cli_petsc_options, 0}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_refine,
    .run = run_refine};
