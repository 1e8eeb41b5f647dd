/** @file src/driver/rules_policy.c
 *  Costs from the cells of a cube, a policy from costs.
 */
#include "rules_policy.h"
#include "memory.h"
#include <math.h>

enum { CELLS = 256 }; /* of a block, by the reader */

static sal_err pass_over(void *with, int64_t first, const sal_performance_table *table)
{
  (void)with, (void)first, (void)table;
  return SAL_OK;
}

sal_err sal_rules_policy_open(sal_performance_cube *cube, const sal_rules_request *request,
                              const sal_question *question, sal_rules_policy *out)
{
  sal_reader_fit fit;
  bool there, possible;

  *out = (sal_rules_policy){.request = *request, .origin = SAL_RULES_MEASURED, .cube = cube};
  if (!sal_question_by_error(question) || request->measured) return SAL_OK;
  out->origin = SAL_RULES_TOO_FEW;
  SAL_TRY(sal_reader_possible(&cube->sweep, &possible));
  if (!possible) return SAL_OK;
  out->origin = SAL_RULES_BY_READER;
  out->source = sal_performance_cube_source(cube);
  SAL_TRY(sal_performance_cube_each(cube, pass_over, NULL));
  SAL_TRY(sal_performance_cube_fit(cube, &fit, &there));
  return sal_reader_open(&out->source, there ? &fit : NULL, &out->reader);
}

void sal_rules_policy_close(sal_rules_policy *rules) { sal_reader_close(&rules->reader); }

/* Costs from the rows of a cube. */
typedef struct {
  const sal_question *question;
  sal_cost_matrix *costs;
} measuring;

static sal_err add_measured(void *with, int64_t first, const sal_performance_table *table)
{
  const measuring *m = with;

  return sal_cost_matrix_add(m->costs, first, table, m->question);
}

/* Costs as the reader expects them. */
static sal_err add_expected(const sal_rules_policy *rules, const sal_question *q,
                            sal_cost_matrix *costs)
{
  const sal_reader_question asked = {
      .error = q->error, .confidence = NAN, .method = q->method, .strategy = q->strategy};
  const size_t room = CELLS * (size_t)rules->cube->table.n_contender;
  SAL_OWN double *total = sal_alloc(room, sizeof *total);
  SAL_OWN double *probability = sal_alloc(room, sizeof *probability);
  const int64_t n = rules->cube->sweep.n_cell;

  if (!total || !probability) return sal_fail(SAL_ERR_MEMORY, "no memory for costs");
  for (int64_t first = 0; first < n; first += CELLS) {
    const int64_t count = n - first < CELLS ? n - first : CELLS;
    SAL_TRY(sal_reader_contenders(rules->reader, &asked, first, count, total, probability));
    SAL_TRY(sal_cost_matrix_add_totals(costs, first, count, total, probability));
  }
  return SAL_OK;
}

/* By error costs are made block by block, which takes less memory than a table of all cells. */
sal_err sal_rules_policy_make(const sal_rules_policy *rules, const sal_question *question,
                              sal_policy *policy)
{
  const sal_performance_table *table = &rules->cube->table;
  const sal_policy_tree_limits *limits = &rules->request.limits;
  const double miss = rules->request.miss;
  sal_cost_matrix costs;
  measuring m = {question, &costs};

  if (!sal_question_by_error(question))
    return sal_policy_make(table, question, miss, limits, policy);
  SAL_TRY(sal_cost_matrix_begin(table->n_cell, table->n_contender, question, miss, &costs));
  const sal_err err = rules->reader ? add_expected(rules, question, &costs)
                                    : sal_performance_cube_each(rules->cube, add_measured, &m);
  if (err != SAL_OK) {
    sal_cost_matrix_free(&costs);
    return err;
  }
  sal_cost_matrix_end(&costs);
  return sal_policy_of_costs(&rules->cube->sweep, &costs, limits, policy);
}
