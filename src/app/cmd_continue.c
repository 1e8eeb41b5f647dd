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

/* Both files appear, or neither. */
static sal_err write_both(const sal_continue_words *w, const sal_branch_record *record)
{
  char text[SAL_CONTINUE_PATH];

  sal_continue_request_text_path(w->out, text);
  SAL_TRY(sal_branch_write_text(text, record));
  const sal_err err = sal_branch_write(w->out, record);
  if (err != SAL_OK) remove(text);
  return err;
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
  SAL_TRY(write_both(w, &record));
  sal_branch_print(&record);
  printf("\n%s written\n", w->out);
  return SAL_OK;
}

static sal_err run_continue(void *given, sal_command_call *call)
{
  const sal_continue_words *w = given;
  char text[SAL_CONTINUE_PATH];

  (void)call;
  sal_continue_request_text_path(w->out, text);
  SAL_TRY(sal_atomic_file_claim(w->out, "the output", w->force));
  SAL_TRY(sal_atomic_file_claim(text, "the output", w->force));
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
