/** The first orbit of a branch. */
#include "argument.h"
#include "base.h"
#include "continue_request.h"
#include "orbit_print.h"
#include "parameter_column.h"
#include "registry.h"
#include "stop.h"
#include "table_file.h"

static sal_err split(const char *text, char path[], size_t size, int *label)
{
  const char *colon = strrchr(text, ':');
  char *end = NULL;
  const long value = colon ? strtol(colon + 1, &end, 10) : 0;

  if (!colon || colon == text || !end || *end || value < 1 || (size_t)(colon - text) >= size)
    return sal_fail(SAL_ERR_USAGE,
                    "--restart: '%s': expected FILE:LABEL of a branch, such as branch.h5:3", text);
  memcpy(path, text, (size_t)(colon - text));
  path[colon - text] = '\0';
  *label = (int)value;
  return SAL_OK;
}

static sal_err find_label(const sal_table_file *f, const char *path, int label, int64_t *at)
{
  const int64_t n = sal_table_size(f);
  SAL_OWN double *value = sal_alloc((size_t)n, sizeof *value);
  int most = 0;

  if (!value) return sal_fail(SAL_ERR_MEMORY, "no memory to read %s", path);
  SAL_TRY(sal_table_column_read(f, "label", n, value));
  *at = -1;
  for (int64_t i = 0; i < n; ++i) {
    if ((int)value[i] == label) *at = i;
    if (value[i] > most) most = (int)value[i];
  }
  if (*at >= 0) return SAL_OK;
  return sal_fail(SAL_ERR_USAGE, "--restart: %s has no label %d; allowed: 1 .. %d", path, label,
                  most);
}

static sal_err read_point(const sal_table_file *f, int64_t at, sal_branch_start *s)
{
  const sal_model *m = s->run.setup.model;
  const int n = m->n_param + m->n_option;

  const int64_t last = sal_table_size(f) - 1, to = at < last ? at + 1 : at,
                from = at > 0 ? at - 1 : 0;

  s->n_param = n;
  for (int k = 0; k < sal_parameter_column_count(m); ++k) {
    const char *name = sal_parameter_column_name(m, k);
    double before;
    SAL_TRY(sal_table_row_read(f, name, at, k < n ? &s->run.param[k] : &s->run.initial[k - n]));
    SAL_TRY(sal_table_row_read(f, name, from, &before));
    SAL_TRY(sal_table_row_read(f, name, to, &s->along[k]));
    s->along[k] -= before;
  }
  return SAL_OK;
}

static sal_err read_model(const sal_table_file *f, const char *path, const sal_cli_run_words *words,
                          sal_branch_start *s)
{
  sal_cli_run_words known = *words;
  SAL_OWN char *model = NULL;
  SAL_OWN char *text = NULL;

  SAL_TRY(sal_table_text(f, "model", &model));
  if (!sal_registry_model(model)) SAL_TRY(sal_table_lines(f, "model_text", &text));
  known.model = model;
  known.text = text;
  known.param = NULL;
  known.initial = NULL;
  SAL_TRY(sal_cli_run_check(&known, &s->run));
  s->run.setup.t_end = isnan(s->run.t_end) ? 0 : s->run.t_end;
  if (!words->model || strcmp(words->model, model) == 0) return SAL_OK;
  return sal_fail(SAL_ERR_USAGE, "--model %s: %s is a branch of %s", words->model, path, model);
}

static sal_err read_start(const sal_table_file *f, const char *path, const sal_cli_run_words *words,
                          sal_branch_start *s)
{
  double code = 0, returns = 1;
  int64_t at = -1;

  SAL_TRY(read_model(f, path, words, s));
  SAL_TRY(find_label(f, path, s->label, &at));
  SAL_TRY(sal_table_row_read(f, "type", at, &code));
  SAL_TRY(sal_table_number(f, "returns", &returns));
  SAL_TRY(read_point(f, at, s));
  s->returns = (int)returns;
  for (int i = 0; i < SAL_N_BRANCH_TYPE; ++i)
    if (sal_branch_kinds[i].code == (int)lrint(code)) s->type = (sal_branch_type)i;
  for (int i = 0; i < s->run.setup.model->n_param; ++i) s->given[i] = true;
  return words->param
             ? sal_argument_param("--param", s->run.setup.model, words->param, s->run.param)
             : SAL_OK;
}

sal_err sal_branch_start_read(const char *file_and_label, const sal_cli_run_words *words,
                              sal_branch_start *out)
{
  char path[1024];
  sal_table_file *file = NULL;

  *out = (sal_branch_start){.type = SAL_BRANCH_REGULAR};
  SAL_TRY(split(file_and_label, path, sizeof path, &out->label));
  sal_err err = sal_table_open(path, SAL_BRANCH_CONTENT, &file);
  if (err == SAL_OK) err = read_start(file, path, words, out);
  sal_table_close(file);
  return err;
}

/* Which parameters does a list NAME=VALUE,.. name? */
static sal_err see_given(const sal_model *m, const char *text, bool given[])
{
  while (text) {
    char name[SAL_MAX_ITEM] = "", value[SAL_MAX_ITEM] = "";
    SAL_TRY(sal_argument_item("--param", &text, name, value));
    for (int i = 0; i < m->n_param; ++i) given[i] = given[i] || strcmp(name, m->param[i].name) == 0;
  }
  return SAL_OK;
}

static sal_err no_orbit(const sal_orbit_search *search, const char *guess)
{
  SAL_OWN_BY(sal_text_free) sal_text why = {0};

  sal_orbit_print_why(search, &why);
  return sal_fail(SAL_ERR_INPUT, "no orbit at the start: %s%s", why.string ? why.string : "",
                  guess ? "" : "; give a start by --guess, or by --initial and other parameters");
}

static sal_err search_orbit(const char *guess, int returns, sal_branch_start *out,
                            sal_orbit_search *search)
{
  const sal_orbit_request request = {.setup = &out->run.setup,
                                     .param = out->run.param,
                                     .initial = out->run.initial,
                                     .guessed = guess ? "--guess" : NULL,
                                     .returns = returns,
                                     .visits = 500,
                                     .points = 16};

  SAL_TRY(sal_orbit_search_run(&request, search));
  const bool found = search->cycle.why == SAL_CYCLE_FOUND;
  if (found) {
    memcpy(out->run.initial, search->y, sizeof search->y);
    out->returns = search->map.setup.returns;
  }
  return found ? SAL_OK : no_orbit(search, guess);
}

sal_err sal_branch_start_prepare(const sal_cli_run_words *words, const char *guess,
                                 sal_branch_start *out)
{
  *out = (sal_branch_start){.type = SAL_BRANCH_REGULAR, .returns = 1};
  SAL_TRY(sal_cli_run_check(words, &out->run));
  const sal_model *m = out->run.setup.model;
  out->run.setup.t_end = isnan(out->run.t_end) ? 0 : out->run.t_end;
  if (words->param) SAL_TRY(see_given(m, words->param, out->given));
  return guess ? sal_measure_initial("--guess", guess, &out->run.measure, out->run.initial)
               : SAL_OK;
}

sal_err sal_branch_start_find(const char *guess, int returns, sal_branch_start *out)
{
  SAL_OWN sal_orbit_search *search = sal_alloc(1, sizeof *search);

  if (!search) return sal_fail(SAL_ERR_MEMORY, "no memory for an orbit");
  const sal_err err = search_orbit(guess, returns, out, search);
  sal_orbit_search_free(search);
  if (err == SAL_OK || !sal_stop_late()) return err;
  sal_err_clear(); /* of what was cut short */
  return sal_fail(SAL_ERR_INPUT, "no orbit at the start: the time is spent (--seconds)");
}
