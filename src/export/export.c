/** The parts of a program in their order: numbers of the run, functions of the model, the loop. */
#include "export.h"
#include "base.h"
#include "capture.h"
#include "dialect.h"
#include "model_point.h"
#include "registry.h"
#include "setup.h"

static const sal_export_dialect *const dialects[] = {&sal_export_scipy,   &sal_export_octave,
                                                     &sal_export_c,       &sal_export_julia,
                                                     &sal_export_siconos, NULL};
const char *const sal_export_programs[] = {"scipy", "octave", "c", "julia", "siconos", NULL};

typedef const char *name_of(const sal_model *m, int i);
static const char *state(const sal_model *m, int i) { return m->state[i].name; }
static const char *closes(const sal_model *m, int k) { return sal_model_contact(m, k)->closes; }
static const char *opens(const sal_model *m, int k) { return sal_model_contact(m, k)->opens; }

static void add_words(const sal_export_dialect *d, const sal_model *m, sal_export_piece name, int n,
                      name_of *of, sal_text *out)
{
  sal_dialect_list_begin(&d->words, out, name);
  for (int i = 0; i < n; ++i) {
    if (i) ADD(out, d->words.between);
    ADD(out, CODE("\""));
    sal_pieces_add_word(out, sal_pieces_clean(of(m, i)));
    ADD(out, CODE("\""));
  }
  sal_dialect_list_end(&d->words, out, n);
}

static void add_scalar(const sal_export_dialect *d, const sal_program_source *w,
                       sal_export_piece name, double value)
{
  ADD(w->out, d->named[0], name, d->named[1]);
  sal_program_source_number(w, value);
  ADD(w->out, d->named[2]);
}

static void add_whole(const sal_export_dialect *d, const sal_program_source *w,
                      sal_export_piece name, int value)
{
  ADD(w->out, d->named[0], name, d->named[1]);
  sal_pieces_add_whole(w->out, value);
  ADD(w->out, d->named[2]);
}

static void add_parameters(const sal_export_dialect *d, const sal_export_run *run,
                           const sal_program_source *w)
{
  double p[SAL_MAX_P] = {0};
  const sal_model *m = run->model;

  sal_model_fill(m, run->param, p);
  ADD(w->out, d->comment, CODE("parameters"));
  for (int i = 0; i < m->n_param; ++i) {
    ADD(w->out, i ? NAME(", ") : NAME(" "));
    sal_pieces_add_word(w->out, sal_pieces_clean(m->param[i].name));
  }
  ADD(w->out, CODE(", options as numbers, and what is made of them once\n"));
  sal_dialect_numbers(&d->numbers, w, NAME("P"), sal_model_words(m), p);
}

/* That of the model, and that of the run: a tenth of it unless one is given. */
static double longest_step(const sal_export_run *run)
{
  const double most = run->max_step > 0 ? run->max_step : 0.1 * run->t_end;

  return fmin(most, sal_model_longest_step(run->model, run->param, run->initial));
}

static void add_run(const sal_export_dialect *d, const sal_export_run *run, bool mechanics,
                    const sal_program_source *w)
{
  const sal_model *m = run->model;
  const sal_setup tolerances = {.model = m, .atol = run->atol};
  double ends[SAL_MAX_GUARD], kind[SAL_MAX_GUARD], atol[SAL_MAX_STATE];

  for (int i = 0; i < sal_model_continuous(m); ++i) atol[i] = sal_setup_atol(&tolerances, i);
  for (int k = 0; k < m->n_guard; ++k) {
    ends[k] = sal_model_contact(m, k)->ends;
    kind[k] = sal_model_contact(m, k)->kind;
  }
  add_whole(d, w, NAME("N_STATE"), m->n_state);
  add_whole(d, w, NAME("N_CONTINUOUS"), sal_model_continuous(m));
  add_whole(d, w, NAME("N_CONTACT"), m->n_guard);
  add_words(d, m, NAME("STATES"), m->n_state, state, w->out);
  add_words(d, m, NAME("CLOSES"), m->n_guard, closes, w->out);
  add_words(d, m, NAME("OPENS"), m->n_guard, opens, w->out);
  sal_dialect_numbers(&d->numbers, w, NAME("ENDS"), m->n_guard, ends);
  if (!mechanics) sal_dialect_numbers(&d->numbers, w, NAME("KIND"), m->n_guard, kind);
  if (!mechanics) add_whole(d, w, NAME("RESETS"), m->resets);
  add_parameters(d, run, w);
  sal_dialect_numbers(&d->numbers, w, NAME("START"), m->n_state, run->initial);
  add_scalar(d, w, NAME("T_END"), run->t_end);
  add_scalar(d, w, NAME("MAX_STEP"), longest_step(run));
  add_scalar(d, w, NAME("RTOL"), run->rtol);
  sal_dialect_numbers(&d->numbers, w, NAME("ATOL"), sal_model_continuous(m), atol);
  if (!mechanics) add_whole(d, w, NAME("EVENTS"), run->events);
  ADD(w->out, d->named[0], CODE("SOLVER"), d->named[1], CODE("\""));
  sal_pieces_add_word(w->out, sal_pieces_clean(d->solver(run->solver)));
  ADD(w->out, CODE("\""), d->named[2]);
  if (d->add_solver) d->add_solver(w, run->solver);
  ADD(w->out, CODE("\n"));
}

/* New values and modes are made of what was before, so they have names of their own. */
static void add_jump(const sal_export_dialect *d, sal_program_source *w, int k)
{
  const sal_jump_program *j = &w->flow->jump[k];

  sal_program_source_begin(w, &j->program, true);
  ADD(w->out, d->jump[0]);
  sal_pieces_add_whole(w->out, k);
  ADD(w->out, d->jump[1]);
  sal_program_source_element(w, "mode", k);
  ADD(w->out, d->jump[2]);
  sal_program_source_code(w);
  for (int i = 0; i < j->n_value + j->n_mode; ++i) {
    ADD(w->out, d->fresh[0]);
    sal_pieces_add_whole(w->out, i);
    ADD(w->out, d->fresh[1]);
    sal_program_source_register(w, j->program.out[i]);
    ADD(w->out, d->fresh[2]);
  }
  for (int i = 0; i < j->n_value + j->n_mode; ++i) {
    const bool mask = i >= j->n_value;
    ADD(w->out, CODE("    "));
    sal_program_source_element(w, mask ? "mode" : "y",
                               mask ? j->mode[i - j->n_value] : j->value[i]);
    ADD(w->out, CODE(" = "), mask ? d->mode[0] : NAME(""), CODE("new_"));
    sal_pieces_add_whole(w->out, i);
    ADD(w->out, mask ? d->mode[1] : NAME(""), d->fresh[2]);
  }
  ADD(w->out, d->end_of_jump);
}

/* Does result i of the terms (program.h) begin a row: of the mass, the load, a contact, what slides along it? */
static bool begins_row(const sal_contact_program *c, int i)
{
  const int n = c->n, k = i - n * n - n, of = k % (2 * n + 8);

  return k < 0 ? i % n == 0 : of == 0 || of == 6 + n;
}

/* The end of a function; rows: of its results, or NULL. */
static void add_results(const sal_export_dialect *d, const sal_program_source *w, int n,
                        const sal_contact_program *rows)
{
  sal_dialect_list_begin(&d->slope, w->out, NAME(""));
  for (int i = 0; i < n; ++i) {
    if (i) ADD(w->out, rows && begins_row(rows, i) ? d->next_line : d->slope.between);
    sal_program_source_register(w, w->program->out[i]);
  }
  sal_dialect_list_end(&d->slope, w->out, n);
}

/* Mass, load and contacts, and which of the model's contacts these are. */
static void add_terms(const sal_export_dialect *d, const sal_export_run *run, sal_program_source *w)
{
  const sal_contact_program *c = w->flow->motion;
  double of[4][SAL_MAX_CONTACT];

  for (int i = 0; i < c->m; ++i) {
    of[0][i] = c->of[i].rigid;
    of[1][i] = c->of[i].guard;
    of[2][i] = c->of[i].stick;
    of[3][i] = c->of[i].sense;
  }
  if (!d->loop) /* time stepping */
    add_scalar(d, w, NAME("CAPTURE_UNIT"), sal_capture_unit(run->model));
  sal_dialect_numbers(&d->numbers, w, NAME("RIGID"), c->m, of[0]);
  sal_dialect_numbers(&d->numbers, w, NAME("GUARD"), c->m, of[1]);
  sal_dialect_numbers(&d->numbers, w, NAME("STICK"), c->m, of[2]);
  sal_dialect_numbers(&d->numbers, w, NAME("SENSE"), c->m, of[3]);
  ADD(w->out, d->terms);
  sal_program_source_begin(w, &c->terms, false);
  sal_program_source_code(w);
  add_results(d, w, c->terms.n_out, c);
}

/* All jumps, or beside mechanics those that are not of the problem of all contacts, and of each guard the number of its own (0: it
 * has none); returns how many. */
static int add_jumps(const sal_export_dialect *d, sal_program_source *w, bool mechanics)
{
  const sal_flow_programs *f = w->flow;
  double own[SAL_MAX_GUARD] = {0};
  int n = 0;

  for (int k = 0; k < f->n_guard; ++k) {
    if (mechanics && (f->jump[k].joint || f->jump[k].n_value + f->jump[k].n_mode == 0)) continue;
    own[k] = ++n;
    add_jump(d, w, k);
  }
  if (mechanics && n == 0) return 0;
  if (mechanics) sal_dialect_numbers(&d->numbers, w, NAME("OWN"), f->n_guard, own);
  sal_dialect_list_begin(&d->jumps, w->out, NAME(""));
  for (int k = 0; k < f->n_guard; ++k) {
    if (own[k] == 0) continue;
    ADD(w->out, own[k] > 1 ? d->jumps.between : NAME(""), CODE("jump_"));
    sal_pieces_add_whole(w->out, k);
  }
  sal_dialect_list_end(&d->jumps, w->out, n);
  return n;
}

static void add_functions(const sal_export_dialect *d, sal_program_source *w)
{
  const sal_flow_programs *f = w->flow;

  ADD(w->out, d->f);
  sal_program_source_begin(w, &f->rhs, false);
  sal_program_source_code(w);
  add_results(d, w, f->n_continuous, NULL);
  ADD(w->out, d->gaps);
  sal_program_source_begin(w, &f->guard, false);
  sal_program_source_code(w);
  add_results(d, w, 2 * f->n_guard, NULL);
  (void)add_jumps(d, w, false);
}

static bool can_write(const sal_export_dialect *d, const sal_program *program)
{
  for (const sal_instruction *i = program->code; i && i->op != SAL_PROGRAM_end; ++i)
    if (!d->source.operation[i->op]) return false;
  return true;
}

static bool has_operation(const sal_program *program, int op)
{
  for (const sal_instruction *i = program->code; i && i->op != SAL_PROGRAM_end; ++i)
    if (i->op == op) return true;
  return false;
}

/* Are mass, load and contacts written, for a problem of all contacts of an event, or time stepping? */
static bool is_mechanics(const sal_export_dialect *d, const sal_export_run *run)
{
  return !d->loop || (run->flow->contacts && run->events);
}

/* Contacts without a law change where their gaps do, and do not come to rest. */
static bool changes_at_gaps(const sal_flow_programs *f)
{
  bool rests = false;

  for (int i = 0; i < f->contacts->m; ++i)
    rests |= f->contacts->of[i].mark &&
             has_operation(&f->jump[f->contacts->of[i].guard].program, SAL_PROGRAM_rests);
  return f->contacts->plain && !rests;
}

static sal_err check_flow(const sal_export_dialect *d, const sal_export_run *run)
{
  const sal_flow_programs *f = run->flow;
  bool can = can_write(d, &f->rhs) && can_write(d, &f->guard);

  if (f->scalar.rhs)
    return sal_fail(SAL_ERR_USAGE,
                    "%s has more than %d coordinates, or contacts with friction counted twice: its "
                    "accelerations are solved for at run time, which is not written out",
                    run->model->name, SAL_PROGRAM_CONTACTS);
  if (!d->loop && !(run->model->motion && f->motion))
    return sal_fail(SAL_ERR_USAGE,
                    "%s has no mass, load and rigid contacts with laws apart: the script needs "
                    "energies",
                    run->model->name);
  if (f->contacts && run->events && !changes_at_gaps(f))
    return sal_fail(SAL_ERR_USAGE,
                    "%s has rigid contacts beside ones without a law that come to rest or have the "
                    "key release, whose events are not written out",
                    run->model->name);
  if (sal_model_special_impacts(run->model))
    return sal_fail(SAL_ERR_USAGE, "%s has %s, which is not written out", run->model->name,
                    sal_model_special_impacts(run->model));
  /* a step of another program leaps over stops */
  if (has_operation(&f->rhs, SAL_PROGRAM_clock) || has_operation(&f->guard, SAL_PROGRAM_clock))
    return sal_fail(SAL_ERR_USAGE,
                    "%s has stops, times at which its flow changes, which are not "
                    "written out",
                    run->model->name);
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
    if (d->solver(sal_registry_methods[i])) {
      if (names.length) ADD(&names, CODE(", "));
      sal_pieces_add_word(&names, sal_pieces_clean(sal_registry_methods[i]->name));
    }
  const sal_err err =
      sal_fail(SAL_ERR_USAGE, "%s has no %s; allowed: %s", d->title.code, solver->name,
               names.string ? names.string : "moreau, with strategy capture");
  sal_text_free(&names);
  return err;
}

/* Lines that begin with + are for programs with own jumps (add_jumps), those with - for the others. */
static void add_loop(const char *loop, bool own, sal_text *out)
{
  int length;

  for (int i = 0; sal_export_loops[i].name; ++i) {
    const char *at = sal_export_loops[i].text;
    if (strcmp(sal_export_loops[i].name, loop) != 0) continue;
    for (const char *end = at + sal_export_loops[i].bytes; at < end; at += length) {
      const int marked = *at == '+' || *at == '-';
      length = (int)strcspn(at, "\n") + 1;
      if (!marked || (*at == '+') == own) ADD(out, {length - marked, at + marked});
    }
  }
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
  ADD(out, d->head[0]);
  sal_pieces_add_word(out, sal_pieces_clean(run->model->name));
  ADD(out, CODE(" for "), d->title, d->head[1]);
  const bool mechanics = is_mechanics(d, run);
  add_run(d, run, mechanics, &w);
  if (mechanics)
    add_terms(d, run, &w);
  else
    add_functions(d, &w);
  const bool own = mechanics && d->loop && add_jumps(d, &w, true) > 0;
  add_loop(mechanics ? d->mechanics : d->loop, own, out);
  if (d->steps) add_loop(d->steps, own, out);
  sal_program_source_begin(&w, NULL, false);
  return out->lost ? sal_fail(SAL_ERR_MEMORY, "no memory for a program") : SAL_OK;
}
