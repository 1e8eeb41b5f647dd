/** Measures in words and in numbers. */
#include "measure_print.h"
#include "base.h"
#include "integrate.h"
#include "measured_texts.h"
#include "parameter_column.h"
#include "providers.h"

const sal_measured_list *sal_measure_print_of(const sal_model *m, const char *text, bool by_name)
{
  const sal_measured_text all = {m->name, "all", NULL};
  const sal_measured_list *list = NULL;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  sal_parameter_presets(m, param, initial);
  if (sal_providers_measure(&all, by_name, m, text, param, &list) != SAL_OK) sal_err_clear();
  return list;
}

bool sal_measure_print_column(const sal_measured_list *list, int i, char out[SAL_MEASURE_PRINT])
{
  const sal_measured_column *c = &list->column[i];
  const bool bare = strcmp(c->unit, "1") == 0;

  snprintf(out, SAL_MEASURE_PRINT, "%s: %s%s%s%s", c->name, c->what, bare ? "" : " [",
           bare ? "" : c->unit, bare ? "" : "]");
  return i == 0 || c->what != c[-1].what;
}

sal_err sal_measure_print_open(const char *where, const char *given, const sal_cli_run *run,
                               const sal_measured_list **out)
{
  SAL_OWN char *lines = sal_text_copy(given ? given : "");
  sal_measured_texts t;

  *out = NULL;
  if (!lines) return sal_fail(SAL_ERR_MEMORY, "no memory for measures");
  SAL_TRY(sal_measured_texts_split(where, lines, &t));
  return sal_providers_measure(t.given, t.n, run->setup.model, run->file ? run->file->text : NULL,
                               run->param, out);
}

sal_err sal_measure_print_run(const sal_cli_run *run, const sal_measured_list *list)
{
  if (!list) return SAL_OK;
  SAL_OWN double *value = sal_alloc(sal_measured_words(list), sizeof *value);
  SAL_OWN void *work = sal_alloc(sal_integrate_bytes(&run->setup, 1), 1);
  const sal_measured measured = {.list = list, .param = run->param, .value = value};
  const sal_job job = {.param = run->param, .initial = run->initial, .measured = &measured};
  sal_record record;

  if (!work || !value) return sal_fail(SAL_ERR_MEMORY, "no memory for measures");
  sal_integrate(&run->setup, 1, 1, &job, &record, work);
  for (int i = 0; i < list->n_column; ++i) {
    const sal_measured_column *c = &list->column[i];
    const bool bare = strcmp(c->unit, "1") == 0;
    printf("%s = %.9g%s%s\n", c->name, value[i], bare ? "" : " ", bare ? "" : c->unit);
  }
  return SAL_OK;
}
