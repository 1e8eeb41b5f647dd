/** @file src/driver/rules_policy.c
 *  Costs from the cells of a cube, a policy from costs.
 */
#include "rules_policy.h"
#include "memory.h"
#include "random.h"
#include "row_store.h"
#include <math.h>

enum { CELLS = 256 }; /* of a block, by the reader */

/* Cells are verified as they are read; they are read once where rows are kept. */
static sal_err keep_rows(void *with, int64_t first, const sal_performance_table *table)
{
  sal_rules_policy *rules = with;

  for (int64_t i = 0; i < table->n_cell && rules->kept.n_cell > 0; ++i)
    sal_performance_copy_row(table, i, &rules->kept, first + i);
  return SAL_OK;
}

static sal_err read_rows(sal_rules_policy *rules)
{
  sal_performance_cube *cube = rules->cube;
  const int64_t n = cube->sweep.n_cell;
  const double bytes = sal_row_store_bytes(n, 1, n, cube->table.n_contender, false);

  if (bytes <= sal_row_store_memory)
    SAL_TRY(
        sal_performance_create(&cube->sweep, n, &cube->table.weights, false, false, &rules->kept));
  rules->kept.by = cube->table.by;
  SAL_TRY(sal_performance_cube_each(cube, keep_rows, rules));
  rules->source = rules->kept.n_cell > 0 ? sal_performance_source_of(&rules->kept)
                                         : sal_performance_cube_source(cube);
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
  SAL_TRY(read_rows(out));
  SAL_TRY(sal_performance_cube_fit(cube, &fit, &there));
  return sal_reader_open(&out->source, there ? &fit : NULL, &out->reader);
}

void sal_rules_policy_close(sal_rules_policy *rules)
{
  sal_reader_close(&rules->reader);
  sal_performance_free(&rules->kept);
}

int64_t sal_rules_policy_cells(const sal_rules_policy *rules)
{
  const int64_t n = rules->cube->sweep.n_cell, most = rules->request.cells;

  return rules->reader && most > 0 && most < n ? most : n;
}

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

/* Of n cells in k runs of nearly equal length, a random one of run i. */
static int64_t cell_of_sample(int64_t n, int64_t k, int64_t i)
{
  const double length = (double)n / (double)k;
  const int64_t cell = (int64_t)(length * ((double)i + sal_random(0, (uint64_t)i, 0)));

  return cell < n ? cell : n - 1;
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
  const int64_t n = rules->cube->sweep.n_cell, k = sal_rules_policy_cells(rules);

  if (!total || !probability) return sal_fail(SAL_ERR_MEMORY, "no memory for costs");
  for (int64_t i = 0; i < k; i += k < n ? 1 : CELLS) {
    const int64_t first = k < n ? cell_of_sample(n, k, i) : i;
    const int64_t count = k < n ? 1 : n - first < CELLS ? n - first : CELLS;
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
  SAL_TRY(sal_cost_matrix_begin(sal_rules_policy_cells(rules), table->n_contender, question, miss,
                                &costs));
  const sal_err err = rules->reader ? add_expected(rules, question, &costs)
                                    : sal_performance_cube_each(rules->cube, add_measured, &m);
  if (err != SAL_OK) {
    sal_cost_matrix_free(&costs);
    return err;
  }
  sal_cost_matrix_end(&costs);
  return sal_policy_of_costs(&rules->cube->sweep, &costs, limits, policy);
}
