/** saltus solver: what can be said of a solver from a text. */
#include "base.h"
#include "command.h"
#include "model_source.h"
#include "report.h"
#include "solver_orders.h"
#include "tableau_text.h"

typedef struct {
  const char *action, *file;
  bool json;
} options;

enum { ROUNDED = 7 }; /* orders from here on are noted, whatever is measured */

#define OPTIONS_OF_solver
#include "options.def"

static const char *const actions[] = {"check", NULL};

static sal_err check_action(void *given)
{
  const options *o = given;

  return strcmp(o->action, actions[0]) == 0
             ? SAL_OK
             : sal_text_unknown(SAL_ERR_USAGE, "saltus solver", "action", o->action, actions);
}

static void print_tableau(sal_report *r, const sal_method *m, const sal_tableau_facts *f)
{
  sal_json_members(&r->json,
                   "solver %s, stages %d, slopes %d, order %d, embedded_order %d, dense_order %d",
                   m->name, f->stages, f->slopes, m->order, m->embedded,
                   m->dense_order ? m->dense_order : m->order);
  sal_report_say(r, "%s: %s\n", m->name, m->title);
  sal_report_say(r,
                 "fine   tableau   %d stages, %d evaluations of f a step; order %d, embedded %d\n",
                 f->stages, f->slopes, m->order, m->embedded);
  if (!m->implicit) return;
  sal_json_members(&r->json, "w_order %d, at_infinity %g", f->w_order, f->at_infinity);
  sal_report_say(r,
                 "fine   stiff     order %d with any matrix for the Jacobian (looked at to %d); "
                 "stability function at infinity %.3g\n",
                 f->w_order, SAL_TABLEAU_W_ORDER, f->at_infinity);
}

/* Is the measured order the one that is stated?  High orders meet rounding after few steps. */
static const char *judge_order(const sal_solver_order *o)
{
  const double off = o->measured - o->stated;

  if (fabs(off) <= SAL_SOLVER_ORDER_SLACK) return "fine";
  return off < 0 && o->stated < ROUNDED ? "wrong" : "note";
}

static bool print_order(sal_report *r, const sal_solver_order *o)
{
  const char *verdict = judge_order(o);

  sal_json_object_of(&r->json, NULL, "problem %s, verdict %s, stated %d, measured %g", o->what,
                     verdict, o->stated, o->measured);
  if (isnan(o->measured))
    sal_report_say(r, "%-5s  %-8s  order %d: too few steps above rounding to measure it\n", verdict,
                   o->what, o->stated);
  else
    sal_report_say(r, "%-5s  %-8s  order %d: measured %.2f, with %d to %d steps\n", verdict,
                   o->what, o->stated, o->measured, o->steps[0], o->steps[1]);
  return strcmp(verdict, "wrong") == 0;
}

static sal_err run_solver(void *given, sal_command_call *call)
{
  const options *o = given;
  sal_solver_order order[SAL_N_SOLVER_ORDER];
  sal_provided *solver;

  SAL_TRY(sal_solver_source_read(o->file, &solver));
  const sal_method *m = solver->method;
  const sal_err err = sal_solver_orders(m, order);
  if (err == SAL_OK) {
    sal_report r = sal_report_begin(stdout, o->json);
    const sal_tableau_text *text = sal_provided_made(solver, &sal_tableau_text_provider);
    print_tableau(&r, m, &text->facts);
    sal_json_array(&r.json, "orders");
    for (int i = 0; i < SAL_N_SOLVER_ORDER; ++i)
      if (print_order(&r, &order[i])) call->status = SAL_FINDING_FLAW;
    sal_json_end(&r.json);
    sal_report_end(&r);
  }
  sal_provided_free(solver);
  return err;
}

const sal_command_code sal_cmd_solver = {
    .table = {{rows, 0}}, .size = sizeof(options), .check = check_action, .run = run_solver};
