/** saltus run: the whole way from a sweep file to a cube, on MPI ranks and threads. */
#include "base.h"
#include "cli_compile.h"
#include "cli_sweep.h"
#include "collective_error.h"
#include "plan_print.h"
#include "sweep_read.h"

enum { MAX_PART = 1000000 };

typedef struct {
  const char *sweep;
  sal_cli_texts set;
  sal_run_options run;
  sal_cli_compile compile;
  double memory;             /* of a node [B]; 0: as it is */
  char out[PATH_MAX];        /* the output when none is named */
  char model[PATH_MAX + 16]; /* the override that names the model in C */
} options;
static const options presets = {.run = {SAL_CLI_SWEEP_PRESETS}};

static sal_err parse_part(const char *where, const char *text, void *value)
{
  char *slash, *end;
  const long index = strtol(text, &slash, 10), of = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;

  if (of < 1 || of > MAX_PART || *end || index < 1 || index > of)
    return sal_fail(SAL_ERR_USAGE, "%s: '%s': expected I/N, 1 <= I <= N <= %d, like 2/8", where,
                    text, MAX_PART);
  *(sal_job_part *)value = (sal_job_part){(int)index, (int)of};
  return SAL_OK;
}

#define OPTIONS_OF_run
#include "options.def"

/* Words that go together; without -o the cube has the name of the sweep file, in the current folder. */
static sal_err check_words(void *given)
{
  options *o = given;
  const char *slash = strrchr(o->sweep, '/'), *name = slash ? slash + 1 : o->sweep;
  const char *dot = strrchr(name, '.');
  const int n = dot && dot > name ? (int)(dot - name) : (int)strlen(name);

  if (o->memory > 0 && o->run.part.of > 1)
    return sal_fail(SAL_ERR_USAGE,
                    "--memory or --part, not both: a part makes no cube, whose memory "
                    "this is");
  if (o->run.out) return SAL_OK;
  if (n == 0) return sal_fail(SAL_ERR_USAGE, "-o FILE is required; it names the cube to write");
  if (snprintf(o->out, sizeof o->out, "%.*s.h5", n, name) >= (int)sizeof o->out)
    return sal_fail(SAL_ERR_USAGE, "%s: the name is too long", o->sweep);
  o->run.out = o->out;
  return SAL_OK;
}

/* Says where the cube will be, unless -o did, or that it cannot be there. */
static sal_err announce_output(const options *o, const sal_command_call *call)
{
  const bool first = call->rank == 0;

  if (o->run.out != o->out) return SAL_OK;
  SAL_TRY(sal_collective_first(call->comm, sal_run_claim(&o->run)));
  if (first && !o->run.quiet)
    fprintf(stderr, "the cube will be %s in this folder; -o FILE names another\n", o->out);
  return SAL_OK;
}

/* Prints the note on a model's file, on rank 0. */
static void print_note(const sal_sweep *sweep, const sal_command_call *call)
{
  const char *note = sweep->source ? sweep->source->note : NULL;

  if (note && call->rank == 0) fprintf(stderr, "%s\n", note);
}

/* A part without cells would only wait for its turn; cells are numbered by the sweep alone. */
static sal_err check_part(const options *o, const sal_sweep *sweep)
{
  if (o->run.part.of <= sweep->n_cell) return SAL_OK;
  return sal_fail(SAL_ERR_USAGE, "--part: %d/%d of %lld cell%s; allowed: to %lld parts",
                  o->run.part.index, o->run.part.of, (long long)sweep->n_cell,
                  sal_text_plural(sweep->n_cell), (long long)sweep->n_cell);
}

/* The model in C stands in place of that of the sweep. */
static sal_err take_model(options *o, const sal_command_call *call)
{
  const char *path = o->compile.model;

  if (!path) return SAL_OK;
  SAL_TRY(sal_cli_compile_given(&o->compile, call));
  if (o->set.n == SAL_CLI_MAX_TEXTS || strpbrk(path, "\"\\\n\r") ||
      snprintf(o->model, sizeof o->model, "model=\"%s\"", path) >= (int)sizeof o->model)
    return sal_fail(
        SAL_ERR_USAGE,
        "--model-c %s: the name is too long, or has a quotation mark, \\ or a line feed", path);
  o->set.text[o->set.n++] = o->model;
  return SAL_OK;
}

/* Reads the sweep on every rank and runs it. */
static sal_err run_run(void *given, sal_command_call *call)
{
  options *o = given;
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};

  o->run.command = call->line;
  SAL_TRY(take_model(o, call));
  SAL_TRY(
      sal_collective_error(call->comm, sal_sweep_read(o->sweep, o->set.n, o->set.text, &sweep)));
  print_note(&sweep, call);
  SAL_TRY(sal_collective_error(call->comm, check_part(o, &sweep)));
  if (o->run.part.of == 1)
    SAL_TRY(sal_plan_layout_check(call->comm, &sweep, o->memory, o->run.map));
  SAL_TRY(announce_output(o, call));
  SAL_TRY(sal_cli_compile_sweep(&o->compile, call, o->run.quiet, &sweep, NAN));
  return sal_run_sweep(call->comm, call->began, &o->run, &sweep);
}

const sal_command_code sal_cmd_run = {
    .table = {{rows, 0},
              {sal_cli_sweep_options, offsetof(options, run)},
              {sal_cli_compile_options, offsetof(options, compile)},
              {sal_cli_petsc_options, 0}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_words,
    .run = run_run};
