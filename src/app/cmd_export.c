/** saltus export: a model of equations as a program of its own. */
#include "base.h"
#include "cli_run.h"
#include "command.h"
#include "equation_model.h"
#include "export.h"
#include "solver_home.h"

typedef struct {
  sal_cli_run_words run;
  const char *to;
} options;
static const options presets = {.run = {SAL_CLI_RUN_PRESETS("dop853", "event", 1e-6)}};

#define OPTIONS_OF_export
#include "options.def"

/* Programs that lack the preset solver: what stands in for it and for the preset strategy, where they are not given. */
static const struct {
  const char *program, *solver, *strategy;
} own_presets[] = {{"octave", "ode45", "event"}, {"siconos", "moreau", "capture"}};

static sal_cli_run_words words_of(const options *o)
{
  sal_cli_run_words words = o->run;

  for (size_t i = 0; i < sizeof own_presets / sizeof *own_presets; ++i) {
    if (strcmp(own_presets[i].program, o->to) != 0) continue;
    if (words.method == presets.run.method) words.method = own_presets[i].solver;
    if (words.strategy == presets.run.strategy) words.strategy = own_presets[i].strategy;
  }
  words.engines = true; /* that of time stepping; others have no name elsewhere */
  return words;
}

static sal_err check_words(void *given)
{
  const options *o = given;

  return sal_text_rank(o->to, sal_export_programs) >= 0
             ? SAL_OK
             : sal_text_unknown(SAL_ERR_USAGE, "--to", "program", o->to, sal_export_programs);
}

static sal_err write_program(const char *program, const sal_cli_run *run, sal_text *out)
{
  const sal_setup *s = &run->setup;
  const sal_equation_model *e = sal_provided_made(run->file, &sal_equation_model_provider);

  if (!e)
    return sal_fail(SAL_ERR_USAGE,
                    "%s is not a text of equations; allowed: FILE.yaml with `equations: 1`, like "
                    "sweeps/models/monopod-equations.yaml",
                    s->model->name);
  if (!s->strategy->captures && !sal_solver_home_can(SAL_SOLVER_HOME_OURS, s->strategy->name))
    return sal_fail(SAL_ERR_USAGE, "--strategy %s: other programs lack it; allowed: switch, event",
                    s->strategy->name);
  const sal_export_run of = {.model = s->model,
                             .flow = sal_equation_model_programs(e),
                             .param = run->param,
                             .initial = run->initial,
                             .solver = s->method,
                             .t_end = s->t_end,
                             .max_step = s->max_step,
                             .rtol = s->rtol,
                             .atol = s->atol,
                             .events = strcmp(s->strategy->name, "event") == 0};
  return sal_export_write(program, &of, out);
}

static sal_err run_export(void *given, sal_command_call *call)
{
  const options *o = given;
  const sal_cli_run_words words = words_of(o);
  SAL_OWN_BY(sal_cli_run_free) sal_cli_run run = {0};
  SAL_OWN_BY(sal_text_free) sal_text out = {0};

  (void)call;
  SAL_TRY(sal_cli_run_check(&words, &run));
  SAL_TRY(write_program(o->to, &run, &out));
  fputs(out.string, stdout);
  return SAL_OK;
}

const sal_command_code sal_cmd_export = {
    .table = {{rows, 0}, {sal_cli_run_options, offsetof(options, run)}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_words,
    .run = run_export};
