/** saltus score: trajectories that other programs have integrated, as configurations of a sweep. */
#include "atomic_file.h"
#include "base.h"
#include "cli_compile.h"
#include "cli_sweep.h"
#include "collective_error.h"
#include "plain_file.h"
#include "recorded_file.h"
#include "recorded_method.h"
#include "sweep_read.h"

typedef struct {
  const char *sweep, *tasks;
  sal_cli_texts set, recorded;
  sal_run_options run;
} options;
static const options presets = {.run = {SAL_CLI_SWEEP_PRESETS}};

#define OPTIONS_OF_score
#include "options.def"

static sal_err check_options(void *given)
{
  const options *o = given;

  if (o->tasks && o->recorded.n > 0)
    return sal_fail(SAL_ERR_USAGE, "--export and --recorded: one at a time");
  if (o->tasks) return SAL_OK;
  if (o->recorded.n == 0)
    return sal_fail(SAL_ERR_USAGE, "nothing to score: --recorded NAME=FILE names trajectories, "
                                   "--export TASKS.yaml writes the runs to be done");
  if (o->set.n + 2 > SAL_CLI_MAX_TEXTS)
    return sal_fail(SAL_ERR_USAGE, "--set: given %d times; allowed: to %d", o->set.n,
                    SAL_CLI_MAX_TEXTS - 2);
  return o->run.out ? SAL_OK
                    : sal_fail(SAL_ERR_USAGE, "-o FILE is required; it names the cube to write");
}

/* A YAML string in single quotes. */
static void add_quoted(sal_text *text, const char *word, size_t n)
{
  sal_text_add(text, "'");
  for (size_t i = 0; i < n; ++i)
    sal_text_append(text, word[i] == '\'' ? "''" : word + i, word[i] == '\'' ? 2 : 1);
  sal_text_add(text, "'");
}

/* The libraries that the sweep's text brings itself. */
static sal_err add_own_libraries(sal_text *text, const sal_sweep *sweep)
{
  static const char *const keys[] = {"name", "library", "options"};
  sal_document document;

  SAL_TRY(sal_document_parse(sweep->path, sweep->text, &document));
  const int list = sal_document_find(&document, "libraries");
  for (int i = 0; list && i < sal_document_count(&document, list); ++i) {
    const int item = sal_document_item(&document, list, i);
    for (int k = 0; k < 3; ++k) {
      const char *word = sal_document_text(&document, sal_document_child(&document, item, keys[k]));
      sal_text_add(text, k == 0 ? "{%s: " : ", %s: ", keys[k]);
      add_quoted(text, word, strlen(word));
    }
    sal_text_add(text, "}, ");
  }
  sal_document_free(&document);
  return SAL_OK;
}

/* {name: NAME, library: recorded, options: FILE checksum=..}: another file is another sweep. */
static sal_err add_recorded(sal_text *text, const char *pair)
{
  const char *equals = strchr(pair, '=');
  char *file;
  sal_text how = {0};

  SAL_TRY(sal_text_file_read(equals + 1, "a file of recorded trajectories", &file));
  sal_text_add(&how, "%s checksum=%016llx", equals + 1,
               (unsigned long long)sal_recorded_checksum(file));
  sal_free(file);
  sal_text_add(text, "{name: ");
  add_quoted(text, pair, (size_t)(equals - pair));
  sal_text_add(text, ", library: recorded, options: ");
  if (how.string) add_quoted(text, how.string, how.length);
  text->lost |= how.lost;
  sal_text_free(&how);
  sal_text_add(text, "}, ");
  return SAL_OK;
}

/* The two keys that bring the configurations, as overrides. */
static sal_err compose_keys(const options *o, const sal_sweep *sweep, sal_text *libraries,
                            sal_text *methods)
{
  sal_text_add(libraries, "libraries=[");
  SAL_TRY(add_own_libraries(libraries, sweep));
  sal_text_add(methods, "solvers=[");
  for (int i = 0; i < sweep->n_method; ++i) sal_text_add(methods, "%s, ", sweep->method[i]->name);
  for (int i = 0; i < o->recorded.n; ++i) {
    const char *pair = o->recorded.text[i];
    SAL_TRY(add_recorded(libraries, pair));
    add_quoted(methods, pair, strcspn(pair, "="));
    sal_text_add(methods, ", ");
  }
  sal_text_add(libraries, "]");
  sal_text_add(methods, "]");
  return libraries->lost || methods->lost
             ? sal_fail(SAL_ERR_MEMORY, "no memory for the keys of a sweep")
             : SAL_OK;
}

/* Counts the runs of a recorded solver in the sweep, and how many of them its file lacks. */
static sal_err count_runs(const sal_sweep *s, sal_setup setup, int method, int64_t *asked,
                          int64_t *missing)
{
  const sal_engine *engine = setup.method->engine;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  void *opened = engine->open(&setup, s->model->n_state);

  *asked = *missing = 0;
  if (!opened) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", setup.method->name);
  for (int64_t cell = 0; cell < s->n_cell; ++cell) {
    sal_sweep_cell(s, cell, param, initial);
    for (int k = 0; k < s->n_strategy * s->n_tolerance; ++k) {
      setup.strategy = s->strategy[k / s->n_tolerance];
      setup.rtol = setup.atol = s->tolerance[k % s->n_tolerance];
      if (s->incompatible[k / s->n_tolerance][method]) continue;
      ++*asked;
      *missing += !sal_recorded_has(opened, &setup, param, initial);
    }
  }
  engine->close(opened);
  return SAL_OK;
}

/* Some may be missing, but not all. */
static sal_err check_runs(const sal_sweep *s, const sal_setup *setup, int method, bool warns)
{
  int64_t asked, missing;

  SAL_TRY(count_runs(s, *setup, method, &asked, &missing));
  if (missing == asked)
    return sal_fail(
        SAL_ERR_INPUT,
        "%s: none of the %lld runs of the sweep is in the file of %s; expected: runs of "
        "its cells, strategies and rtol",
        setup->method->source, (long long)asked, setup->method->name);
  if (warns && missing > 0)
    fprintf(stderr,
            "saltus score: %s: %lld of %lld runs of the sweep are in its file, %lld are missing\n",
            setup->method->name, (long long)(asked - missing), (long long)asked,
            (long long)missing);
  return SAL_OK;
}

/* The files must have the runs of the sweep. */
static sal_err check_fit(const sal_sweep *sweep, bool warns)
{
  char text[SAL_RECORDED_TEXT];

  for (int i = 0; i < sweep->n_method; ++i) {
    const sal_setup setup = {
        .model = sweep->model, .method = sweep->method[i], .t_end = sweep->t_end};
    if (!setup.method->engine || !setup.method->engine->replays) continue;
    const char *flaw = sal_recorded_flaw(&setup, sweep->n_mesh, text);
    if (flaw) return sal_fail(SAL_ERR_INPUT, "%s", flaw);
    SAL_TRY(check_runs(sweep, &setup, i, warns));
  }
  return SAL_OK;
}

static sal_err read_with_recorded(const options *o, const sal_sweep *plain, bool warns,
                                  sal_sweep *sweep)
{
  const char *set[SAL_CLI_MAX_TEXTS];
  SAL_OWN_BY(sal_text_free) sal_text libraries = {0};
  SAL_OWN_BY(sal_text_free) sal_text methods = {0};
  int n = 0;

  SAL_TRY(compose_keys(o, plain, &libraries, &methods));
  for (; n < o->set.n; ++n) set[n] = o->set.text[n];
  set[n++] = libraries.string;
  set[n++] = methods.string;
  SAL_TRY(sal_sweep_read(o->sweep, n, set, sweep));
  return check_fit(sweep, warns);
}

static sal_err read_sweep(const options *o, bool warns, sal_sweep *sweep)
{
  SAL_OWN_BY(sal_sweep_free) sal_sweep plain = {0};

  SAL_TRY(sal_sweep_read(o->sweep, o->set.n, o->set.text, &plain));
  return read_with_recorded(o, &plain, warns, sweep);
}

static void print_number(FILE *out, double value)
{
  char text[SAL_TEXT_NUMBER];

  fputs(sal_text_number(value, text), out);
}

static void print_fields(FILE *out, int n, const sal_field field[], const double value[])
{
  for (int i = 0; i < n; ++i) {
    fprintf(out, "%s: ", field[i].name);
    print_number(out, value[i]);
    fputs(i + 1 < n ? ", " : "", out);
  }
}

static void print_cell(const sal_sweep *sweep, int64_t cell, FILE *out)
{
  const sal_model *m = sweep->model;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  sal_sweep_cell(sweep, cell, param, initial);
  fputs("  - {", out);
  print_fields(out, m->n_param, m->param, param);
  if (m->n_param > 0) fputs(", ", out);
  for (int i = 0; i < m->n_option; ++i)
    fprintf(out, "%s: %s, ", m->option[i].name, m->option[i].choice[(int)param[m->n_param + i]]);
  print_fields(out, m->n_state, m->state, initial);
  fputs("}\n", out);
}

/* Tasks of a sweep for solvers that other programs run (sweeps/recorded.md). */
static void print_tasks(const sal_sweep *sweep, FILE *out)
{
  fprintf(out, SAL_RECORDED_KEY ": 1\nmodel: %s\nstates: [", sweep->model->name);
  for (int i = 0; i < sweep->model->n_state; ++i)
    fprintf(out, "%s%s", i ? ", " : "", sweep->model->state[i].name);
  fputs("]\nt_end: ", out);
  print_number(out, sweep->t_end);
  fprintf(out, "\nmesh: %lld\nstrategies: [", (long long)sweep->n_mesh);
  for (int i = 0; i < sweep->n_strategy; ++i)
    fprintf(out, "%s%s", i ? ", " : "", sweep->strategy[i]->name);
  fputs("]\nrtol: [", out);
  for (int i = 0; i < sweep->n_tolerance; ++i) {
    fputs(i ? ", " : "", out);
    print_number(out, sweep->tolerance[i]);
  }
  fputs("]\ncells:\n", out);
  for (int64_t cell = 0; cell < sweep->n_cell; ++cell) print_cell(sweep, cell, out);
}

static sal_err export_tasks(const options *o)
{
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};
  FILE *out;

  SAL_TRY(sal_sweep_read(o->sweep, o->set.n, o->set.text, &sweep));
  if (sweep.n_variant > 0)
    return sal_fail(SAL_ERR_INPUT, "%s: tasks need the same states in all cells, and %s varies",
                    o->sweep, sweep.model->param[0].name);
  SAL_TRY(sal_atomic_file_claim(o->tasks, "the tasks", o->run.force));
  SAL_TRY(sal_atomic_file_open(o->tasks, &out));
  print_tasks(&sweep, out);
  return sal_atomic_file_close(o->tasks, out);
}

static sal_err run_score(void *given, sal_command_call *call)
{
  options *o = given;
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};

  if (o->tasks) return sal_collective_first(call->comm, export_tasks(o));
  o->run.command = call->line;
  SAL_TRY(
      sal_collective_error(call->comm, read_sweep(o, call->rank == 0 && !o->run.quiet, &sweep)));
  return sal_run_sweep(call->comm, call->began, &o->run, &sweep);
}

const sal_command_code sal_cmd_score = {.table = {{rows, 0},
                                                  {sal_cli_sweep_options, offsetof(options, run)},
                                                  {sal_cli_petsc_options, 0}},
                                        SAL_COMMAND_OPTIONS(presets),
                                        .check = check_options,
                                        .run = run_score};
