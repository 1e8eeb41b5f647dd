/** From a text to a descriptor that everything else can use. */
#include "equation_model.h"
#include "base.h"
#include "energy.h"
#include "equation_lost.h"
#include "equation_programs.h"
#include "members.h"
#include "model_point.h"

struct sal_equation_model {
  char *path, *text;
  sal_document document; /* names are its texts */
  sal_model model;
  sal_physical physical;
  const char *state_unit[SAL_MAX_STATE];
  sal_equation_programs programs;
  char **made; /* [n_made] names that are none of the text's */
  int n_made;
};

/* The node of the document that a sentence is of. */
static int find_flaw(const sal_equation_model *e, const char *sentence)
{
  for (int i = 0; i < e->programs.flaws.n_out; ++i)
    if (e->programs.sentence[i] == sentence) return e->programs.flaw_node[i];
  return 1;
}

int sal_equation_model_masses(const sal_equation_model *e, const double param[], double t,
                              const double y[], double pivot[])
{
  const sal_equation_programs *p = &e->programs;
  double words[SAL_MAX_P];

  sal_model_fill(&e->model, param, words);
  if (p->flow.scalar.rhs) return sal_energy_flow_masses(&p->flow, words, t, y, pivot);
  if (p->pivots.n_out > 0) sal_program_run(&p->flow, &p->pivots, words, t, y, NULL, pivot);
  return p->pivots.n_out;
}

/* Checks a model by energies: a direction without mass has no acceleration. */
static sal_err check_mass(const sal_equation_model *e, const double param[], const double y[])
{
  double pivot[SAL_MAX_STATE];
  const int n = sal_equation_model_masses(e, param, 0, y, pivot);

  for (int i = 0; i < n; ++i)
    if (!(pivot[i] > 0))
      return sal_document_fail(&e->document, sal_document_find(&e->document, "kinetic"),
                               "kinetic: at the preset the mass of %s is %g, what moves with "
                               "coordinates before it taken off; it has to be above 0",
                               e->model.state[i].name, pivot[i]);
  return SAL_OK;
}

static sal_err fail_at_preset(const sal_equation_model *e, int node, const char *what,
                              const char *name, double value, sal_equation_lost lost)
{
  bool closed[SAL_MAX_GUARD];
  char from[512];

  sal_model_mode(&e->model, lost.words, 0, lost.y, closed);
  lost.closed = closed;
  SAL_TRY(sal_equation_lost_find(e->path, e->text, &lost, sizeof from, from));
  return sal_document_fail(&e->document, node, "%s%s is %g at the preset and t = 0: %s", what, name,
                           value, from[0] ? from : "a function where it has no value");
}

/* Checks that need numbers: f and the gaps at the preset. */
static sal_err check_preset(const sal_equation_model *e)
{
  const sal_model *m = &e->model;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0}, y[SAL_MAX_STATE], f[SAL_MAX_STATE];
  double gap[SAL_MAX_GUARD];
  const int flow = sal_document_find(&e->document, "flow");

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
  SAL_TRY(check_mass(e, param, y));
  const char *flaw = sal_model_flaw(m, param);
  if (flaw)
    return sal_document_fail(&e->document, find_flaw(e, flaw), "flaws: the preset has one: %s",
                             flaw);
  sal_model_rhs(m, param, 0, y, f);
  sal_model_gaps(m, param, 0, y, gap);
  for (int i = 0; i < sal_model_continuous(m); ++i)
    if (!isfinite(f[i]))
      return fail_at_preset(e, flow ? flow : 1, "flow: ", m->state[i].name, f[i],
                            (sal_equation_lost){.state = i, .contact = -1, .words = param, .y = y});
  for (int k = 0; k < m->n_guard; ++k)
    if (!isfinite(gap[k]))
      return fail_at_preset(e, sal_document_find(&e->document, "contacts"), "contacts: the gap of ",
                            m->contact[k].closes, gap[k],
                            (sal_equation_lost){.state = -1, .contact = k, .words = param, .y = y});
  return SAL_OK;
}

/* Takes from the reading what the descriptor points to. */
static void finish(sal_equation_model *e, sal_equation_reading *r)
{
  e->document = r->document;
  r->document = (sal_document){0};
  e->made = r->made;
  e->n_made = r->n_made;
  r->made = NULL;
  r->n_made = 0;
  e->physical = r->conversion;
  memcpy(e->state_unit, r->state_unit, sizeof e->state_unit);
  e->physical.state_unit = e->state_unit;
  if (e->physical.n_quantity > 0) e->model.physical = &e->physical;
  e->model.inner = &e->programs;
  const bool wide = e->programs.flow.n_jac == 0;
  e->programs.flow.w1 = wide ? &sal_program_flow_wide_w1 : &sal_program_flow_w1;
  e->programs.flow.w4 = wide ? SAL_W4(&sal_program_flow_wide_w4) : SAL_W4(&sal_program_flow_w4);
  e->programs.flow.w8 = wide ? SAL_W8(&sal_program_flow_wide_w8) : SAL_W8(&sal_program_flow_w8);
  sal_equation_model_put_flows(e, e->programs.flow.w1, e->programs.flow.w4, e->programs.flow.w8);
  if (r->energy && r->energy->at_run) sal_energy_flow(&e->programs.flow, &e->model);
  sal_equation_functions(&e->programs, &e->model);
}

static sal_err read_text(sal_equation_model *e, const double count[])
{
  SAL_OWN_BY(sal_equation_reading_drop) sal_equation_reading *r = sal_alloc(1, sizeof *r);

  if (!r) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", e->path);
  const char *rows = strstr(e->text, "\ntable_rows:");
  const size_t own = rows ? (size_t)(rows - e->text) : strlen(e->text);
  if (own > SAL_EQUATION_BYTES)
    return sal_fail(SAL_ERR_INPUT, "%s: a text of %zu bytes; allowed: %d", e->path, own,
                    SAL_EQUATION_BYTES);
  r->model = &e->model;
  r->count = count;
  SAL_TRY(sal_document_parse(e->path, e->text, &r->document));
  SAL_TRY(sal_members_expand(&r->document, count));
  SAL_TRY(sal_equation_read(r));
  SAL_TRY(sal_equation_programs_make(r, &e->programs));
  finish(e, r);
  return check_preset(e);
}

/* Checks the measures of the text, which are made anew for each set of runs. */
static sal_err check_measures(const sal_equation_model *e, const double count[])
{
  const sal_measured_list *list;

  if (!sal_document_find(&e->document, "measure")) return SAL_OK;
  SAL_TRY(sal_measures_make(NULL, 0, &e->model, e->text, count, &list));
  sal_measures_free(list);
  return SAL_OK;
}

sal_err sal_equation_model_parse(const char *path, const char *text, sal_equation_model **out)
{
  return sal_equation_model_parse_counted(path, text, NULL, out);
}

sal_err sal_equation_model_parse_counted(const char *path, const char *text, const double count[],
                                         sal_equation_model **out)
{
  sal_equation_model *e = sal_alloc(1, sizeof *e);

  *out = NULL;
  if (!e) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  e->path = sal_text_copy(path);
  e->text = sal_text_copy(text);
  sal_err err = e->path && e->text ? read_text(e, count)
                                   : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  if (err == SAL_OK) err = check_measures(e, count);
  if (err == SAL_OK)
    *out = e;
  else
    sal_equation_model_free(e);
  return err;
}

void sal_equation_model_free(sal_equation_model *e)
{
  if (!e) return;
  sal_equation_programs_free(&e->programs);
  sal_document_free(&e->document);
  for (int i = 0; i < e->n_made; ++i) sal_free(e->made[i]);
  sal_free_all(e->made, e->text, e->path, e);
}

const sal_model *sal_equation_model_get(const sal_equation_model *e) { return &e->model; }
const char *sal_equation_model_text(const sal_equation_model *e) { return e->text; }

const sal_flow_programs *sal_equation_model_programs(const sal_equation_model *e)
{
  return &e->programs.flow;
}

void sal_equation_model_put_flows(sal_equation_model *e, const struct sal_flow_w1 *w1,
                                  const struct sal_flow_w4 *w4, const struct sal_flow_w8 *w8)
{
  if (w1) e->model.w1 = w1;
  if (w4) e->model.w4 = w4;
  if (w8) e->model.w8 = w8;
}

bool sal_equation_model_is_compiled(const sal_equation_model *e)
{
  return e->model.w1 != e->programs.flow.w1 && !e->programs.flow.scalar.rhs;
}

static sal_err provide(const char *path, const char *text, const double count[], sal_provided *out)
{
  sal_equation_model *e;

  SAL_TRY(sal_equation_model_parse_counted(path, text, count, &e));
  out->made = e;
  out->model = &e->model;
  return SAL_OK;
}
static void drop(void *made) { sal_equation_model_free(made); }
static const char *engine(const void *made)
{
  return sal_equation_model_is_compiled(made) ? "compiled" : "interpreted";
}

const sal_provider sal_equation_model_provider = {.gives = SAL_PROVIDES_MODELS,
                                                  .name = "equations",
                                                  .key = "equations",
                                                  .keep = sal_table_rows_keep,
                                                  .kept_note = sal_table_rows_note,
                                                  .parse = provide,
                                                  .free = drop,
                                                  .measure = sal_measures_make,
                                                  .drop_measures = sal_measures_free,
                                                  .engine = engine};
