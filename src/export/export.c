/** @file src/export/export.c
 *  The parts of a program in their order: numbers of the run, functions of the model, the loop.
 */
#include "export.h"
#include "dialect.h"
#include "registry.h"
#include "solver_home.h"
#include <ctype.h>
#include <string.h>

static const sal_export_dialect *const dialects[] = {&sal_export_scipy, &sal_export_octave,
                                                     &sal_export_c, NULL};
const char *const sal_export_programs[] = {"scipy", "octave", "c", NULL};

/* Text of a model that becomes a part of a program is letters and digits, whatever it was: it ends no string and no comment. */
static void add_name(sal_text *out, const char *name)
{
  for (; *name; ++name)
    sal_text_add(out, "%c", isalnum((unsigned char)*name) || strchr(" _-.", *name) ? *name : '_');
}

static void begin_list(const sal_export_list *list, sal_text *out, const char *name)
{
  sal_text_add(out, "%s%s%s", list->name, name, list->open);
}

static void end_list(const sal_export_list *list, sal_text *out, int n)
{
  sal_text_add(out, "%s%s", n ? "" : list->none, list->close);
}

void sal_export_numbers(const sal_export_list *list, const sal_program_source *w, const char *name,
                        int n, const double value[])
{
  begin_list(list, w->out, name);
  for (int i = 0; i < n; ++i) {
    sal_text_add(w->out, "%s", i ? list->between : "");
    sal_program_source_number(w, value[i]);
  }
  end_list(list, w->out, n);
}

/* ---- numbers and names of the run ---- */

typedef const char *name_of(const sal_model *m, int i);
static const char *state(const sal_model *m, int i) { return m->state[i].name; }
static const char *closes(const sal_model *m, int k) { return sal_model_contact(m, k)->closes; }
static const char *opens(const sal_model *m, int k) { return sal_model_contact(m, k)->opens; }

static void add_words(const sal_export_dialect *d, const sal_model *m, const char *name, int n,
                      name_of *of, sal_text *out)
{
  begin_list(&d->words, out, name);
  for (int i = 0; i < n; ++i) {
    sal_text_add(out, i ? "%s\"" : "\"", d->words.between);
    add_name(out, of(m, i));
    sal_text_add(out, "\"");
  }
  end_list(&d->words, out, n);
}

static void add_scalar(const sal_export_dialect *d, const sal_program_source *w, const char *name,
                       double value)
{
  sal_text_add(w->out, "%s%s%s", d->scalar[0], name, d->scalar[1]);
  sal_program_source_number(w, value);
  sal_text_add(w->out, "%s", d->scalar[2]);
}

static void add_whole(const sal_export_dialect *d, const sal_program_source *w, const char *name,
                      int value)
{
  sal_text_add(w->out, "%s%s%s%d%s", d->whole[0], name, d->whole[1], value, d->whole[2]);
}

static void add_parameters(const sal_export_dialect *d, const sal_export_run *run,
                           const sal_program_source *w)
{
  double p[SAL_MAX_P] = {0};
  const sal_model *m = run->model;

  sal_model_fill(m, run->param, p);
  sal_text_add(w->out, "%sparameters", d->comment);
  for (int i = 0; i < m->n_param; ++i) {
    sal_text_add(w->out, i ? ", " : " ");
    add_name(w->out, m->param[i].name);
  }
  sal_text_add(w->out, ", options as numbers, and what is made of them once\n");
  sal_export_numbers(&d->numbers, w, "P", sal_model_words(m), p);
}

static void add_run(const sal_export_dialect *d, const sal_export_run *run,
                    const sal_program_source *w)
{
  const sal_model *m = run->model;
  double ends[SAL_MAX_GUARD];

  for (int k = 0; k < m->n_guard; ++k) ends[k] = sal_model_contact(m, k)->ends;
  add_whole(d, w, "N_STATE", m->n_state);
  add_whole(d, w, "N_CONTINUOUS", sal_model_continuous(m));
  add_whole(d, w, "N_CONTACT", m->n_guard);
  add_words(d, m, "STATES", m->n_state, state, w->out);
  add_words(d, m, "CLOSES", m->n_guard, closes, w->out);
  add_words(d, m, "OPENS", m->n_guard, opens, w->out);
  sal_export_numbers(&d->numbers, w, "ENDS", m->n_guard, ends);
  add_parameters(d, run, w);
  sal_export_numbers(&d->numbers, w, "START", m->n_state, run->initial);
  add_scalar(d, w, "T_END", run->t_end);
  add_scalar(d, w, "RTOL", run->rtol);
  add_scalar(d, w, "ATOL", run->atol);
  add_whole(d, w, "EVENTS", run->events);
  sal_text_add(w->out, "%sSOLVER%s%s%s", d->word[0], d->word[1], d->solver(run->solver),
               d->word[2]);
  if (d->add_solver) d->add_solver(w, run->solver);
  sal_text_add(w->out, "\n");
}

/* ---- functions of the model ---- */

static void add_results(const sal_export_list *list, const sal_program_source *w, int n)
{
  begin_list(list, w->out, "");
  for (int i = 0; i < n; ++i) {
    sal_text_add(w->out, "%s", i ? list->between : "");
    sal_program_source_register(w, w->program->out[i]);
  }
  end_list(list, w->out, n);
}

/* New values and modes are made of what was before, so they have names of their own. */
static void add_jump(const sal_export_dialect *d, sal_program_source *w, int k)
{
  const sal_jump_program *j = &w->flow->jump[k];

  sal_program_source_begin(w, &j->program, true);
  sal_text_add(w->out, "%s%d%s", d->jump[0], k, d->jump[1]);
  sal_program_source_element(w, "mode", k);
  sal_text_add(w->out, "%s", d->jump[2]);
  sal_program_source_code(w);
  for (int i = 0; i < j->n_value + j->n_mode; ++i) {
    sal_text_add(w->out, "%s%d%s", d->fresh[0], i, d->fresh[1]);
    sal_program_source_register(w, j->program.out[i]);
    sal_text_add(w->out, "%s", d->fresh[2]);
  }
  for (int i = 0; i < j->n_value + j->n_mode; ++i) {
    const bool mask = i >= j->n_value;
    sal_text_add(w->out, "    ");
    sal_program_source_element(w, mask ? "mode" : "y",
                               mask ? j->mode[i - j->n_value] : j->value[i]);
    sal_text_add(w->out, " = %snew_%d%s%s", mask ? d->mode[0] : "", i, mask ? d->mode[1] : "",
                 d->source.end);
  }
  sal_text_add(w->out, "%s", d->end_of_jump);
}

static void add_functions(const sal_export_dialect *d, sal_program_source *w)
{
  const sal_flow_programs *f = w->flow;

  sal_text_add(w->out, "%s", d->f);
  sal_program_source_begin(w, &f->rhs, false);
  sal_program_source_code(w);
  add_results(&d->slope, w, f->n_continuous);
  sal_text_add(w->out, "%s", d->gaps);
  sal_program_source_begin(w, &f->guard, false);
  sal_program_source_code(w);
  add_results(&d->gap, w, f->n_guard);
  for (int k = 0; k < f->n_guard; ++k) add_jump(d, w, k);
  begin_list(&d->jumps, w->out, "");
  for (int k = 0; k < f->n_guard; ++k)
    sal_text_add(w->out, "%s%sjump_%d", k ? d->jumps.between : "", d->function, k);
  end_list(&d->jumps, w->out, f->n_guard);
}

/* ---- what cannot be written ---- */

static bool can_write(const sal_export_dialect *d, const sal_program *program)
{
  for (const sal_instruction *i = program->code; i && i->op != SAL_PROGRAM_end; ++i)
    if (!d->source.operation[i->op]) return false;
  return true;
}

static sal_err check_flow(const sal_export_dialect *d, const sal_export_run *run)
{
  const sal_flow_programs *f = run->flow;
  bool can = can_write(d, &f->rhs) && can_write(d, &f->guard);

  for (int k = 0; k < f->n_guard; ++k) can = can && can_write(d, &f->jump[k].program);
  return can ? SAL_OK
             : sal_fail(SAL_ERR_USAGE, "%s needs a table, which is not written out",
                        run->model->name);
}

static sal_err check_solver(const sal_export_dialect *d, const sal_method *solver)
{
  sal_text names = {0};

  if (d->solver(solver)) return SAL_OK;
  for (int i = 0; sal_registry_methods[i]; ++i)
    if (d->solver(sal_registry_methods[i]))
      sal_text_add(&names, "%s%s", names.length ? ", " : "", sal_registry_methods[i]->name);
  const sal_err err = sal_fail(SAL_ERR_USAGE, "%s has no %s; allowed: %s", d->title, solver->name,
                               names.string ? names.string : "");
  sal_text_free(&names);
  return err;
}

static void add_loop(const sal_export_dialect *d, sal_text *out)
{
  for (int i = 0; sal_export_loops[i].name; ++i)
    if (strcmp(sal_export_loops[i].name, d->loop) == 0)
      sal_text_append(out, sal_export_loops[i].text, sal_export_loops[i].bytes);
}

sal_err sal_export_write(const char *program, const sal_export_run *run, sal_text *out)
{
  const sal_export_dialect *d = NULL;

  for (int i = 0; dialects[i]; ++i)
    if (strcmp(dialects[i]->program, program) == 0) d = dialects[i];
  if (!d) return sal_text_unknown(SAL_ERR_USAGE, "export", "program", program, sal_export_programs);
  SAL_TRY(check_flow(d, run));
  SAL_TRY(check_solver(d, run->solver));
  sal_program_source w = {.in = &d->source, .flow = run->flow, .out = out};
  sal_text_add(out, "%s", d->head[0]);
  add_name(out, run->model->name);
  sal_text_add(out, " for %s%s", d->title, d->head[1]);
  add_run(d, run, &w);
  add_functions(d, &w);
  add_loop(d, out);
  return out->lost ? sal_fail(SAL_ERR_MEMORY, "no memory for a program") : SAL_OK;
}
