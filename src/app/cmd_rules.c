/** @file src/app/cmd_rules.c
 *  saltus rules: a few if-then rules in place of a map.
 */
#include "cli_performance.h"
#include "command.h"
#include "rules_print.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
  const char            *path;
  double                 depth, leaf, gain, miss;
  bool                   json;
  sal_cli_question_words words;
  sal_performance_words  table;
} options;

enum { LEAF = 256, GAIN, MISS };

static const struct argp_option option_table[] = {
    {"depth", 'd', "N", 0, "questions on the way to an answer, at most (3)", 0},
    {"leaf", LEAF, "N", 0, "cells that a rule must cover at least (1 % of them)", 0},
    {"gain", GAIN, "SHARE", 0,
     "of what one answer for all costs, what a rule must save to be there (0.01)", 0},
    {"miss", MISS, "PRICE", 0, "what a missed error counts, in units of the least work (10)", 0},
    {"json", 'j', NULL, 0, "print one line of JSON", 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->words;
    state->child_inputs[1] = &o->table;
    break;
  case 'd':
    o->depth = sal_option_number(state, "depth", arg);
    break;
  case LEAF:
    o->leaf = sal_option_number(state, "leaf", arg);
    break;
  case GAIN:
    o->gain = sal_option_number(state, "gain", arg);
    break;
  case MISS:
    o->miss = sal_option_number(state, "miss", arg);
    break;
  case 'j':
    o->json = true;
    break;
  default:
    return sal_option_cube(key, arg, state, &o->path);
  }
  return 0;
}

static const char doc[] =
    "Say by a few if-then rules which method, strategy and tolerance to use where, and what it "
    "costs to follow them instead of the map."
    "\vThe rules are a decision tree over what the axes of the cube vary; each leaf names one "
    "contender for all its cells.  By error the cost of a cell is the work of that contender "
    "beyond "
    "the least that reaches the error there, in units of that least work.  An error that is not "
    "reached, or a failure, is a miss: it counts as --miss, and no cost is larger.  By points the "
    "cost is the points below those of the best, and a failure counts as 9 points for each unit of "
    "weight.  The tree has the least sum of costs: of all trees up to depth 2 exactly, beyond that "
    "by looking two questions ahead (a policy tree; Athey and Wager, Econometrica 89, 2021).\n"
    "Cross-validation measures the rules in cells they were not fitted to: a fifth of the cells is "
    "left out, five times.  Cells in which no contender answers do not count.\n\n"
    "Example:\n"
    "  saltus rules atlas.h5 --error 1e-2,1e-4 --depth 2\n"
    "  saltus rules atlas.h5 --tol 1e-6 --weights sd=2,dt=0,iae=1\n"
    "  saltus rules atlas.h5 > rules.txt; analysis/report.py atlas.h5 --rules rules.txt";
static const struct argp_child children[] = {
    {.argp = &sal_cli_question_argp}, {.argp = &sal_cli_performance_argp}, {0}};
static const struct argp argp = {.options  = option_table,
                                 .parser   = parse_option,
                                 .children = children,
                                 .args_doc = "CUBE.h5",
                                 .doc      = doc};

static sal_err settle(const options *o, sal_rules_setting *out)
{
  if (o->depth != rint(o->depth) || o->depth < 1 || o->depth > SAL_POLICY_TREE_DEPTH)
    return sal_fail(SAL_ERR_USAGE, "--depth: %g is not allowed; allowed: 1 to %d", o->depth,
                    SAL_POLICY_TREE_DEPTH);
  if (!isnan(o->leaf) && (o->leaf != rint(o->leaf) || o->leaf < 1 || o->leaf > INT32_MAX))
    return sal_fail(SAL_ERR_USAGE, "--leaf: %g is not allowed; allowed: whole numbers from 1",
                    o->leaf);
  if (o->gain < 0 || o->gain > 1)
    return sal_fail(SAL_ERR_USAGE, "--gain: %g is not allowed; allowed: from 0 to 1", o->gain);
  if (!(o->miss > 0))
    return sal_fail(SAL_ERR_USAGE, "--miss: %g is not allowed; allowed: greater than 0", o->miss);
  *out = (sal_rules_setting){
      .limits = {(int)o->depth, isnan(o->leaf) ? 0 : (int64_t)o->leaf, o->gain}, .miss = o->miss};
  return SAL_OK;
}

static sal_err answer(const options *o, const sal_rules_setting *set,
                      const sal_performance_table *a, const sal_cli_questions *asked, FILE *out)
{
  if (o->json) fprintf(out, "{");
  (o->json ? sal_rules_json_head : sal_rules_print_head)(out, a, set);
  if (o->json) fprintf(out, ", \"questions\": [");
  for (int i = 0; i < asked->n; ++i) {
    const sal_question *q = &asked->question[i];
    sal_policy          policy;
    SAL_TRY(sal_policy_make(a, q, set->miss, &set->limits, &policy));
    if (o->json && i > 0) fprintf(out, ", ");
    (o->json ? sal_rules_json : sal_rules_print)(out, a, q, &policy);
    const bool answered = policy.costs.n > 0;
    sal_policy_free(&policy);
    if (!answered && !asked->preset) return sal_cli_question_unanswered(o->path, a, q);
  }
  if (o->json) fprintf(out, "]}\n");
  return SAL_OK;
}

sal_err sal_cmd_rules(int argc, char *argv[], int *status)
{
  options              o   = {.depth = 3, .leaf = NAN, .gain = 0.01, .miss = 10};
  sal_rules_setting    set = {.miss = o.miss};
  sal_cli_questions    asked;
  sal_performance_cube cube;
  char                *text = NULL;
  size_t               length;

  *status = 0;
  sal_parse(&argp, argc, argv, &o);
  SAL_TRY(settle(&o, &set));
  SAL_TRY(sal_cli_question_open(o.path, &o.words, &o.table, &cube, &asked));
  FILE   *out = open_memstream(&text, &length); /* nothing is printed unless all is well */
  sal_err err = out ? answer(&o, &set, &cube.table, &asked, out)
                    : sal_fail(SAL_ERR_MEMORY, "no memory for rules");
  if (out) fclose(out);
  if (err == SAL_OK) fwrite(text, 1, length, stdout);
  free(text);
  sal_performance_cube_free(&cube);
  return err;
}
