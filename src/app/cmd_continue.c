/** saltus continue: a branch of periodic orbits in a parameter, with its special points. */
#include "atomic_file.h"
#include "base.h"
#include "command.h"
#include "continue_request.h"
#include "progress.h"

static const sal_continue_words presets = {.run = {SAL_CLI_RUN_PRESETS("dop853", "event", 1e-12)},
                                           .from = {NAN, NAN},
                                           .to = {NAN, NAN},
                                           .points = 1000,
                                           .ds = 0.02,
                                           .ds_min = 1e-7,
                                           .ds_max = 0.05};

#define AT(member) .offset = offsetof(sal_continue_words, member)
#define ANY .least = SAL_CLI_ANY
#define POSITIVE .least = SAL_CLI_POSITIVE

/* In the order of sal_continuation_way, and of sal_fixed. */
static const char *const ways[] = {"both", "up", "down", NULL};
static const char *const curves[] = {"branch", "lp", "pd", "ad", "tr", "gr", NULL};

#define OPTIONS_OF_continue
#include "options.def"

static sal_err check_words(void *given) { return sal_continue_request_check(given); }

static void show(void *listener, const sal_branch_point *point, int64_t n)
{
  (void)point;
  sal_progress_update(listener, n);
}

/* Where a multiplier is on the unit circle, rounding alone would say on which side. */
static const char *verdict(const sal_branch_point *p)
{
  const bool neutral = p->type == SAL_BRANCH_LIMIT || p->type == SAL_BRANCH_DOUBLING ||
                       p->type == SAL_BRANCH_TORUS || p->type == SAL_BRANCH_CUSP ||
                       p->type == SAL_BRANCH_CROSSING;

  return neutral ? "neutral" : p->stable ? "stable" : "unstable";
}

static void print_row(const sal_branch_record *r, int64_t i)
{
  const sal_branch *b = r->branch;
  const sal_branch_layout *l = &b->layout;
  const sal_branch_point *p = &b->point[i];
  const double *row = sal_branch_row(b, i);

  printf("%5d  %-4s", p->label, sal_branch_kinds[p->type].name);
  for (int k = 0; k < r->n_free; ++k) printf("  %17.11g", p->lambda[k]);
  printf("  %14.10g", p->period);
  if (l->n_contact > 0) printf("  %14.10g", row[l->open]);
  printf("  %14.10g", row[l->re]);
  if (row[l->im] != 0) printf(" +- %.6gi", fabs(row[l->im]));
  printf("  %8.1e  %-8s %s\n", p->residual, verdict(p), p->words);
}

/* The special points, and why it ends where it does. */
static void print_branch(const sal_branch_record *r)
{
  const sal_branch *b = r->branch;
  const sal_model *m = r->setup->model;
  int64_t n_stable = 0;

  for (int64_t i = 0; i < b->n; ++i) n_stable += b->point[i].stable;
  printf("%s of %s: %lld points, %lld of them stable\n\nlabel  type",
         r->n_free > 1 ? "Curve" : "Branch", m->name, (long long)b->n, (long long)n_stable);
  for (int k = 0; k < r->n_free; ++k) printf("  %17s", m->param[r->free_param[k]].name);
  printf("  %14s", "period");
  if (b->layout.n_contact > 0) printf("  %s%s", "open until ", sal_model_contact(m, 0)->closes);
  printf("  %14s  %8s\n", "multiplier", "residual");
  for (int64_t i = 0; i < b->n; ++i)
    if (b->point[i].label > 0) print_row(r, i);
}

static sal_err follow(const sal_continue_words *w, sal_continue_request *r)
{
  SAL_OWN_BY(sal_branch_free) sal_branch branch = {0};
  sal_progress progress;

  sal_progress_start(&progress, "points", w->points * (w->way == SAL_CONTINUATION_BOTH ? 2 : 1));
  r->c.report = show;
  r->c.listener = &progress;
  SAL_TRY(sal_continuation_run(&r->c, &branch));
  sal_progress_stop(&progress, branch.n);
  branch.number = r->number;
  const sal_branch_record record = sal_continue_request_record(r, &branch);
  SAL_TRY(sal_branch_write(w->out, &record));
  print_branch(&record);
  printf("\n%s written\n", w->out);
  return SAL_OK;
}

static sal_err run_continue(void *given, sal_command_call *call)
{
  const sal_continue_words *w = given;

  (void)call;
  SAL_TRY(sal_atomic_file_claim(w->out, "the output", w->force));
  SAL_OWN sal_continue_request *r = sal_alloc(1, sizeof *r);
  if (!r) return sal_fail(SAL_ERR_MEMORY, "no memory for a continuation");
  sal_err err = sal_continue_request_create(w, r);
  if (err == SAL_OK) err = follow(w, r);
  sal_continue_request_free(r);
  return err;
}

const sal_command_code sal_cmd_continue = {
    .table = {{rows, 0},
              {sal_cli_run_options, offsetof(sal_continue_words, run)},
              {sal_cli_run_visit_budget, offsetof(sal_continue_words, run)}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_words,
    .run = run_continue};
