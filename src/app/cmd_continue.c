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
static const char *const curves[] = {"branch", "lp", "pd", "ad", NULL};

static const sal_cli_option rows[] = {
    {"in", 0, "NAME", "the parameter along which to continue; required", SAL_CLI_TEXT, AT(in[0]),
     .missing = "--in NAME is required"},
    {"from", 0, "A", "its range begins there (the range of studies, see `saltus list models`)",
     SAL_CLI_NUMBER, AT(from[0]), ANY},
    {"to", 0, "B", "and ends there", SAL_CLI_NUMBER, AT(to[0]), ANY},
    {"guess", 'g', "NAME=VALUE,..",
     "where on the section the first orbit begins, about; else simulate", SAL_CLI_TEXT, AT(guess)},
    {"restart", 0, "FILE:LABEL", "begin at a labelled point of a stored branch", SAL_CLI_TEXT,
     AT(restart)},
    {"switch", 0, NULL, "at a period doubling (--restart): the branch of twice the period",
     SAL_CLI_FLAG, AT(switches)},
    {"curve", 0, "WORD", "two parameters, along lp, pd or ad points (--restart, --and)",
     SAL_CLI_WORD, AT(curve), .words = curves},
    {"and", 0, "NAME", "the second parameter of a curve", SAL_CLI_TEXT, AT(in[1])},
    {"and-from", 0, "A", "its range", SAL_CLI_NUMBER, AT(from[1]), ANY},
    {"and-to", 0, "B", "", SAL_CLI_NUMBER, AT(to[1]), ANY},
    {"returns", 'k', "K", "visits of the section in a period (what the simulation finds, or 1)",
     SAL_CLI_WHOLE, AT(returns), .least = 1, .most = 1000},
    {"mark", 0, "NAME=VALUE,..", "locate points with these values (type UZ)", SAL_CLI_TEXT,
     AT(mark)},
    {"stop-at", 0, "NAME=VALUE,..", "the same, and end there", SAL_CLI_TEXT, AT(stop)},
    {"way", 0, "WORD", "both (preset), up or down the parameter from the start", SAL_CLI_WORD,
     AT(way), .words = ways},
    {"ds", 0, "D", "first step (0.02), in units of the range and of the orbit's size",
     SAL_CLI_NUMBER, AT(ds), POSITIVE},
    {"ds-min", 0, "D", "smallest step (1e-7)", SAL_CLI_NUMBER, AT(ds_min), POSITIVE},
    {"ds-max", 0, "D", "largest step (0.05)", SAL_CLI_NUMBER, AT(ds_max), POSITIVE},
    {"points", 0, "N", "points each way at most (1000)", SAL_CLI_WHOLE, AT(points), .least = 1,
     .most = 1000000},
    {"output", 'o', "FILE.h5", "the branch; the same as a text beside it, FILE.dat; required",
     SAL_CLI_TEXT, AT(out), .missing = "-o FILE.h5 is required"},
    {"force", 'f', NULL, "overwrite existing files", SAL_CLI_FLAG, AT(force)},
    {.help = NULL}};

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

const sal_command sal_cmd_continue = {
    .name = "continue",
    .group = SAL_COMMAND_STUDY,
    .table = {{rows, 0},
              {sal_cli_run_options, offsetof(sal_continue_words, run)},
              {sal_cli_run_visit_budget, offsetof(sal_continue_words, run)}},
    SAL_COMMAND_OPTIONS(presets),
    .watched = true,
    .check = check_words,
    .run = run_continue};
