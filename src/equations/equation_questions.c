/** The questions in a table, and names without use. */
#include "base.h"
#include "equation_inquiry.h"
#include "members.h"

/* Contacts, states and rates act by themselves. */
static sal_err ask_names(sal_equation_inquiry *q)
{
  static const char *const asked[] = {"parameter", "let", "option", "discrete state", "table"};
  const sal_scope *scope = &q->r->scope;
  int n = 0;

  for (int i = 0; i < scope->n; ++i) {
    const sal_scope_name *name = &scope->name[i];
    n += name->text != 0;
    for (size_t k = 0; k < sizeof asked / sizeof *asked && !name->used; ++k)
      if (strcmp(name->what, asked[k]) == 0)
        sal_equation_inquiry_put(q, SAL_EQUATION_NOTE, name->text, "%s %s is not used", name->what,
                                 name->name);
  }
  if (q->n == 0)
    sal_equation_inquiry_put(q, SAL_EQUATION_FINE, 0,
                             "%d names, each of them used, none defined by itself", n);
  return SAL_OK;
}

static const struct {
  const char *name;
  sal_err (*ask)(sal_equation_inquiry *q);
} questions[] = {{"names", ask_names},
                 {"units", sal_equation_inquiry_units},
                 {"kinks", sal_equation_inquiry_kinks}};

static void drop_trace(sal_scope_trace *trace) { sal_free(trace->span); }

sal_err sal_equation_findings(const char *path, const char *text, sal_equation_finding_take *take,
                              void *with)
{
  SAL_OWN_BY(drop_trace) sal_scope_trace trace = {0};
  SAL_OWN sal_model *model = sal_alloc(1, sizeof *model);
  SAL_OWN_BY(sal_equation_reading_drop) sal_equation_reading *r = sal_alloc(1, sizeof *r);

  if (!r || !model) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  r->model = model;
  r->scope.trace = &trace;
  SAL_TRY(sal_document_parse(path, text, &r->document));
  SAL_TRY(sal_members_expand(&r->document, NULL));
  SAL_TRY(sal_equation_read(r));
  for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
    sal_equation_inquiry q = {
        .r = r, .trace = &trace, .question = questions[i].name, .take = take, .with = with};
    SAL_TRY(questions[i].ask(&q));
  }
  return SAL_OK;
}
