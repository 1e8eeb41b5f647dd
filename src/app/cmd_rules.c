/** @file src/app/cmd_rules.c
 *  saltus rules: a few if-then rules in place of a map.
 */
#include "cli_compile.h"
#include "cli_performance.h"
#include "collective_error.h"
#include "command.h"
#include "memory.h"
#include "rules_print.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
  const char *path;
  int64_t depth, leaf; /* leaf 0: a hundredth of the cells */
  int64_t cells;
  double gain, miss;
  bool measured, json;
  sal_cli_question_words words;
  sal_cli_performance_words table;
  sal_cli_compile compile;
} options;
static const options presets = {
    .depth = 3, .cells = 16384, .gain = 0.01, .miss = 10, .words = {SAL_CLI_QUESTION_PRESETS}};

#define AT(member) .offset = offsetof(options, member)

static const sal_cli_option rows[] = {
    {"cube", 0, "CUBE.h5", "the cube", SAL_CLI_ARGUMENT, AT(path), .missing = "which cube?"},
    {"depth", 'd', "N", "questions on the way to an answer, at most (3)", SAL_CLI_WHOLE, AT(depth),
     .least = 1, .most = SAL_POLICY_TREE_DEPTH},
    {"leaf", 0, "N", "cells that a rule must cover at least (1 % of them)", SAL_CLI_WHOLE, AT(leaf),
     .least = 1, .most = INT32_MAX},
    {"cells", 0, "N",
     "by the reader: from so many cells, spread over all (16384); 0: from all of them",
     SAL_CLI_WHOLE, AT(cells), .most = INT32_MAX},
    {"gain", 0, "SHARE",
     "of what one answer for all costs, what a rule must save to be there (0.01)", SAL_CLI_NUMBER,
     AT(gain), .most = 1},
    {"miss", 0, "PRICE", "what a missed error counts, in units of the least work (10)",
     SAL_CLI_NUMBER, AT(miss), .least = SAL_CLI_POSITIVE},
    {"measured", 0, NULL, "by error: costs of the run in each cell, and not those of the reader",
     SAL_CLI_FLAG, AT(measured)},
    {"json", 'j', NULL, "print one line of JSON", SAL_CLI_FLAG, AT(json)},
    {.help = NULL}};

static sal_err check_rules(void *given)
{
  const options *o = given;

  return sal_cli_question_check(&o->words);
}

static sal_err print_rules(const sal_rules_policy *rules, const sal_question *q, bool preset,
                           const sal_policy *policy, sal_report *r)
{
  sal_rules_print(r, &rules->cube->table, q, policy);
  return policy->answered > 0 || preset ? SAL_OK : sal_cli_question_unanswered(rules->cube, q);
}

/* Collective.  Questions [n] that are asked at once; policy: room for as many. */
static sal_err ask_together(sal_rules_policy *rules, int n, const sal_question question[],
                            bool preset, sal_policy policy[], sal_report *r)
{
  sal_err err = sal_rules_policy_make(rules, n, question, policy);

  for (int i = 0; i < n && rules->rank == 0 && err == SAL_OK; ++i)
    err = print_rules(rules, &question[i], preset, &policy[i], r);
  for (int i = 0; i < n; ++i) sal_policy_free(&policy[i]);
  return sal_collective_error(rules->comm, err);
}

/* Collective. */
static sal_err ask_all(sal_rules_policy *rules, const sal_cli_questions *asked, sal_report *r)
{
  const int most = sal_rules_policy_together(rules, asked->n);
  SAL_OWN sal_policy *policy = sal_alloc((size_t)most, sizeof *policy);

  SAL_TRY(sal_collective_error(rules->comm,
                               policy ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for rules")));
  for (int i = 0; i < asked->n; i += most) {
    const int n = asked->n - i < most ? asked->n - i : most;
    SAL_TRY(ask_together(rules, n, &asked->question[i], asked->preset, policy, r));
  }
  return SAL_OK;
}

/* Collective. */
static sal_err print_all_rules(const options *o, MPI_Comm comm, sal_performance_cube *cube,
                               const sal_cli_questions *asked, FILE *out)
{
  const sal_rules_request request = {
      {(int)o->depth, o->leaf, o->gain}, o->miss, o->measured, o->cells};
  SAL_OWN_BY(sal_rules_policy_close) sal_rules_policy rules = {0};
  sal_report r;

  SAL_TRY(sal_rules_policy_open(comm, cube, &request, &asked->question[0], &rules));
  sal_report_begin(&r, out, o->json);
  if (rules.rank == 0) sal_rules_print_head(&r, &cube->table, &rules);
  SAL_TRY(ask_all(&rules, asked, &r));
  if (rules.rank == 0) sal_rules_print_end(&r);
  sal_report_end(&r);
  return SAL_OK;
}

/* The cube on each rank, but where rank 0 does all by itself: points are of a table of all cells. */
static sal_err open_cube(const options *o, int rank, sal_performance_cube *cube,
                         sal_cli_questions *asked)
{
  *asked = (sal_cli_questions){.n = 1, .question = {{.error = NAN}}};
  if (rank > 0 && o->words.weights) return SAL_OK;
  return sal_cli_question_open(o->path, &o->words, &o->table, cube, asked);
}

static sal_err run_rules(void *given, sal_command_call *call)
{
  const options *o = given;
  sal_cli_questions asked;
  SAL_OWN_BY(sal_performance_cube_free) sal_performance_cube cube = {.rows = NULL};
  char *text = NULL;
  size_t length;

  SAL_TRY(sal_cli_compile_given(&o->compile, call));
  SAL_TRY(sal_collective_error(call->comm, open_cube(o, call->rank, &cube, &asked)));
  FILE *out = open_memstream(&text, &length); /* nothing is printed unless all is well */
  sal_err err = sal_collective_error(
      call->comm, out ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for rules"));
  if (err == SAL_OK) err = print_all_rules(o, call->comm, &cube, &asked, out);
  if (out && fclose(out) && err == SAL_OK) err = sal_fail(SAL_ERR_MEMORY, "no memory for rules");
  if (err == SAL_OK && call->rank == 0) fwrite(text, 1, length, stdout);
  free(text);
  return err;
}

const sal_command sal_cmd_rules = {
    .name = "rules",
    .group = SAL_COMMAND_ASK,
    .summary = "say by if-then rules which solver, strategy and rtol to use where",
    .description =
        "Say by a few if-then rules which solver, strategy and rtol to use where, "
        "and what it costs to follow them instead of the map.  May run under mpirun: all "
        "ranks ask the reader, each about a part of the cells.",
    .notes = "The rules are a decision tree over what the axes of the cube vary; each leaf names "
             "one contender for all its cells, and what to try there after a miss.  By error the "
             "cost of a contender in a cell is the "
             "total work that the reader of the map expects of it there, with what follows a miss, "
             "beyond the least of all contenders, in units of that; no cost is larger than --miss. "
             " So a run that is exact by chance wins no cell.  Where a sweep has too few cells for "
             "a reader, and "
             "with --measured, it is the work of the contender's run in the cell beyond the least "
             "that reaches the error there.  An error that is not reached, or a failure, is a "
             "miss: it counts as --miss.  By points the cost is the points below those of the "
             "best, and a failure counts as 9 points for each unit of weight.  The tree has the "
             "least sum of costs: of all trees up to depth 2 exactly, beyond that by looking two "
             "questions ahead (a policy tree; Athey and Wager, Econometrica 89, 2021).\n"
             "Cross-validation measures the rules in cells they were not fitted to: a fifth of the "
             "cells is left out, five times.  Where the rules are no better there than one answer "
             "for all cells, that answer is printed first.  Cells in which no contender answers do "
             "not count.  A map of more cells than --cells is asked about a random one of each "
             "16384th of them, which is enough for a few rules: their mean cost is known to a "
             "hundredth or so.",
    .examples =
        "  saltus rules atlas.h5 --error 1e-2,1e-4 --depth 2\n"
        "  saltus rules atlas.h5 --rtol 1e-6 --weights sd=2,dt=0,iae=1\n"
        "  saltus rules atlas.h5 > rules.txt; analysis/report.py atlas.h5 --rules rules.txt",
    .table = {{rows, 0},
              {sal_cli_question_options, offsetof(options, words)},
              {sal_cli_performance_options, offsetof(options, table)},
              {sal_cli_given_options, offsetof(options, compile)}},
    .size = sizeof(options),
    .presets = &presets,
    .parallel = true,
    .check = check_rules,
    .run = run_rules};
