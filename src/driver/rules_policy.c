/** @file src/driver/rules_policy.c
 *  Costs from the cells of a cube, a policy from costs.
 *
 *  Where the reader is asked, ranks share the cells: each has some in boxes of neighbours, whose rows it has for the most part.  Costs
 *  stay where they are made; what is decided from them is decided by sums of whole numbers over all ranks, which change no bit.
 */
#include "rules_policy.h"
#include "collective_error.h"
#include "memory.h"
#include "random.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double costs_memory = 1e9; /* of a rank, for questions that are asked together [B] */

enum { CELLS = 256 }; /* of a block that the reader is asked about */

/* ---- Rows of all cells ---- */

/* Of n things those of this rank are first .. first_of(rank + 1) - 1. */
static int64_t first_of(const sal_rules_policy *r, int64_t n, int rank)
{
  return n * rank / r->n_rank;
}

/* Collective.  Cells are verified as they are read; they are read once where the ranks have room for rows. */
static sal_err read_rows(sal_rules_policy *r)
{
  sal_performance_cube *cube = r->cube;
  const sal_performance_rows_of of = {
      .sweep = &cube->sweep, .by = cube->table.by, .weights = cube->table.weights};
  sal_map_census sum;
  bool points;

  SAL_TRY(sal_map_rows_create(r->comm, &of, false, &r->rows));
  SAL_TRY(sal_map_rows_read(r->rows, cube->rows));
  SAL_TRY(sal_map_rows_count(r->rows, &sum));
  r->store = sal_map_rows_store(r->rows);
  r->source = r->store ? sal_row_store_source(r->store) : sal_performance_cube_source(cube);
  return sal_performance_cube_surveyed(cube, &sum.of, NULL, &points);
}

/* ---- The reader ---- */

/* Collective.  Where the map does not keep what a reader has estimated, rank 0 learns for all. */
static sal_err open_reader(sal_rules_policy *r)
{
  sal_reader_fit fit;
  bool there;

  sal_err err = sal_performance_cube_fit(r->cube, &fit, &there);
  SAL_TRY(sal_map_rows_agree(r->rows, err));
  if (!there) {
    SAL_TRY(sal_map_rows_agree(r->rows, r->rank == 0 ? sal_reader_open(&r->source, NULL, &r->reader)
                                                     : SAL_OK));
    if (r->rank == 0) fit = *sal_reader_fit_of(r->reader);
    SAL_TRY_MPI(MPI_Bcast(&fit, (int)sizeof fit, MPI_BYTE, 0, r->comm));
  }
  if (!r->reader) err = sal_reader_open(&r->source, &fit, &r->reader);
  return sal_map_rows_agree(r->rows, err);
}

sal_err sal_rules_policy_open(MPI_Comm comm, sal_performance_cube *cube,
                              const sal_rules_request *request, const sal_question *question,
                              sal_rules_policy *out)
{
  bool possible;

  *out = (sal_rules_policy){
      .request = *request, .origin = SAL_RULES_MEASURED, .cube = cube, .comm = comm};
  SAL_TRY_MPI(MPI_Comm_rank(comm, &out->rank));
  SAL_TRY_MPI(MPI_Comm_size(comm, &out->n_rank));
  if (!sal_question_by_error(question)) return SAL_OK;
  SAL_TRY(sal_collective_error(comm, sal_binning_edges(&cube->sweep, &out->edges)));
  if (request->measured) return SAL_OK;
  out->origin = SAL_RULES_TOO_FEW;
  SAL_TRY(sal_collective_error(comm, sal_reader_possible(&cube->sweep, &possible)));
  if (!possible) return SAL_OK;
  out->origin = SAL_RULES_BY_READER;
  SAL_TRY(read_rows(out));
  return open_reader(out);
}

void sal_rules_policy_close(sal_rules_policy *rules)
{
  sal_reader_close(&rules->reader);
  sal_map_rows_free(&rules->rows);
}

int64_t sal_rules_policy_cells(const sal_rules_policy *rules)
{
  const int64_t n = rules->cube->sweep.n_cell, most = rules->request.cells;

  return rules->reader && most > 0 && most < n ? most : n;
}

/* ---- Costs ---- */

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

/* Of n cells in k runs of nearly equal length, a random one of run i; all where there are as many. */
static int64_t cell_of_sample(int64_t n, int64_t k, int64_t i)
{
  const double length = (double)n / (double)k;
  const int64_t cell = (int64_t)(length * ((double)i + sal_random(0, (uint64_t)i, 0)));

  if (k == n) return i;
  return cell < n ? cell : n - 1;
}

/* What the reader is asked in a block of cells, and what it says, [n][CELLS][n_contender]. */
typedef struct {
  int n;
  sal_reader_question *question; /* [n] */
  double *total, *probability;
} asking;

static void end_asking(asking *a)
{
  sal_free(a->question);
  sal_free(a->total);
  sal_free(a->probability);
}

static sal_err begin_asking(const sal_rules_policy *r, int n, const sal_question question[],
                            asking *a)
{
  const size_t room = (size_t)n * CELLS * (size_t)r->cube->table.n_contender;

  *a = (asking){.n = n,
                .question = sal_alloc((size_t)n, sizeof *a->question),
                .total = sal_alloc(room, sizeof *a->total),
                .probability = sal_alloc(room, sizeof *a->probability)};
  if (!a->question || !a->total || !a->probability)
    return sal_fail(SAL_ERR_MEMORY, "no memory for costs");
  for (int q = 0; q < n; ++q)
    a->question[q] = (sal_reader_question){.error = question[q].error,
                                           .confidence = NAN,
                                           .method = question[q].method,
                                           .strategy = question[q].strategy};
  return SAL_OK;
}

static sal_err ask_block(const sal_rules_policy *r, const asking *a, int64_t count,
                         const int64_t cell[], sal_cost_matrix costs[])
{
  const int64_t each = count * r->cube->table.n_contender;
  const sal_sweep *s = &r->cube->sweep;
  const int n_param = s->model->n_param + s->model->n_option;
  SAL_OWN double(*value)[SAL_MAX_QUANTITY] = sal_alloc(CELLS, sizeof *value);

  if (!value) return sal_fail(SAL_ERR_MEMORY, "no memory for costs");
  for (int64_t i = 0; i < count; ++i) sal_sweep_cell(s, cell[i], value[i], value[i] + n_param);
  SAL_TRY(
      sal_reader_contenders(r->reader, a->n, a->question, count, value, a->total, a->probability));
  for (int q = 0; q < a->n; ++q)
    SAL_TRY(sal_cost_matrix_add_totals(&costs[q], count, cell, a->total + q * each,
                                       a->probability + q * each));
  return SAL_OK;
}

/* Cells by their places, so that neighbours follow each other. */
typedef struct {
  int64_t place, cell;
} placed;

static int compare_places(const void *left, const void *right)
{
  const placed *a = left, *b = right;

  return (a->place > b->place) - (a->place < b->place);
}

/* This rank's part of a sample, in the order of places. */
static sal_err list_sample(const sal_rules_policy *r, int64_t k, int64_t n, int64_t cell[])
{
  const sal_cell_order *order = sal_map_rows_order(r->rows);
  const int64_t first = first_of(r, k, r->rank);
  SAL_OWN placed *all = sal_alloc((size_t)k, sizeof *all);

  if (!all) return sal_fail(SAL_ERR_MEMORY, "no memory for costs");
  for (int64_t i = 0; i < k; ++i) {
    all[i].cell = cell_of_sample(r->cube->sweep.n_cell, k, i);
    all[i].place = sal_cell_order_place(order, all[i].cell);
  }
  qsort(all, (size_t)k, sizeof *all, compare_places);
  for (int64_t i = 0; i < n; ++i) cell[i] = all[first + i].cell;
  return SAL_OK;
}

/* This rank's cells [n] of those that the reader is asked about. */
static sal_err list_cells(const sal_rules_policy *r, int64_t n, int64_t cell[])
{
  const int64_t k = sal_rules_policy_cells(r), first = first_of(r, k, r->rank);

  if (k < r->cube->sweep.n_cell) return list_sample(r, k, n, cell);
  for (int64_t i = 0; i < n; ++i)
    cell[i] = sal_cell_order_cell(sal_map_rows_order(r->rows), first + i);
  return SAL_OK;
}

static int64_t own_cells(const sal_rules_policy *r)
{
  const int64_t k = sal_rules_policy_cells(r);

  return first_of(r, k, r->rank + 1) - first_of(r, k, r->rank);
}

/* Costs [n] as the reader expects them, in this rank's part of the cells. */
static sal_err add_expected(const sal_rules_policy *r, int n_question,
                            const sal_question question[], sal_cost_matrix costs[])
{
  const int64_t n = own_cells(r);
  SAL_OWN_BY(end_asking) asking a;
  SAL_OWN int64_t *cell = sal_alloc((size_t)n + 1, sizeof *cell);

  SAL_TRY(begin_asking(r, n_question, question, &a));
  if (!cell) return sal_fail(SAL_ERR_MEMORY, "no memory for costs");
  SAL_TRY(list_cells(r, n, cell));
  for (int64_t i = 0; i < n; i += CELLS)
    SAL_TRY(ask_block(r, &a, n - i < CELLS ? n - i : CELLS, &cell[i], costs));
  return SAL_OK;
}

/* Room for this rank's part of the cells. */
static sal_err begin_own(const sal_rules_policy *r, int n, const sal_question question[],
                         sal_cost_matrix costs[])
{
  for (int q = 0; q < n; ++q) {
    SAL_TRY(sal_cost_matrix_begin(own_cells(r), r->cube->table.n_contender, &question[q],
                                  r->request.miss, &costs[q]));
    SAL_TRY(sal_cost_matrix_add_totals(&costs[q], 0, NULL, NULL, NULL)); /* also without cells */
  }
  return SAL_OK;
}

/* Collective.  Contenders that answer somewhere answer on all ranks. */
static sal_err end_costs(const sal_rules_policy *r, sal_cost_matrix *costs)
{
  SAL_TRY_MPI(
      MPI_Allreduce(MPI_IN_PLACE, costs->contender, costs->n_choice, MPI_INT, MPI_MAX, r->comm));
  sal_cost_matrix_end(costs);
  return SAL_OK;
}

/* Collective.  Costs [n], which are empty, of this rank's cells. */
static sal_err find_expected(const sal_rules_policy *r, int n, const sal_question question[],
                             sal_cost_matrix costs[])
{
  sal_err err = begin_own(r, n, question, costs);

  if (err == SAL_OK) err = add_expected(r, n, question, costs);
  SAL_TRY(sal_map_rows_agree(r->rows, err));
  for (int q = 0; q < n; ++q) SAL_TRY(end_costs(r, &costs[q]));
  return SAL_OK;
}

/* ---- Policies ---- */

enum { SUMS = 1 << 24 }; /* numbers of a message */

/* Collective.  Of sal_policy_parts. */
static sal_err add_parts(void *with, int64_t n, uint64_t sum[])
{
  const sal_rules_policy *r = with;

  for (int64_t i = 0; i < n; i += SUMS)
    SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, &sum[i], (int)(n - i < SUMS ? n - i : SUMS),
                              MPI_UINT64_T, MPI_SUM, r->comm));
  return SAL_OK;
}

static sal_err agree_parts(void *with, sal_err here)
{
  const sal_rules_policy *r = with;

  return sal_collective_error(r->comm, here);
}

/* On rank 0.  By error costs are made block by block, which takes less memory than a table of all cells. */
static sal_err find_measured(const sal_rules_policy *r, const sal_question *q,
                             sal_cost_matrix *costs)
{
  measuring m = {q, costs};

  SAL_TRY(sal_cost_matrix_begin(sal_rules_policy_cells(r), r->cube->table.n_contender, q,
                                r->request.miss, costs));
  return sal_performance_cube_each(r->cube, add_measured, &m);
}

/* Takes over the costs: of all cells, or collective. */
static sal_err make_policy(const sal_rules_policy *r, sal_cost_matrix *costs,
                           const sal_policy_parts *parts, sal_policy *policy)
{
  const sal_cost_matrix taken = *costs;

  *costs = (sal_cost_matrix){0};
  return sal_policy_of_costs(&r->cube->sweep, &r->edges, &taken, &r->request.limits, parts, policy);
}

/* Collective. */
static sal_err make_expected(sal_rules_policy *r, int n, const sal_question question[],
                             sal_cost_matrix costs[], sal_policy policy[])
{
  const sal_policy_parts parts = {add_parts, agree_parts, r};

  SAL_TRY(find_expected(r, n, question, costs));
  for (int q = 0; q < n; ++q) SAL_TRY(make_policy(r, &costs[q], &parts, &policy[q]));
  return SAL_OK;
}

/* On rank 0. */
static sal_err make_measured(const sal_rules_policy *r, const sal_question *question,
                             sal_cost_matrix *costs, sal_policy *policy)
{
  if (!sal_question_by_error(question))
    return sal_policy_make(&r->cube->table, question, r->request.miss, &r->request.limits, policy);
  SAL_TRY(find_measured(r, question, costs));
  sal_cost_matrix_end(costs);
  return make_policy(r, costs, NULL, policy);
}

int sal_rules_policy_together(const sal_rules_policy *r, int n)
{
  const double cells = ceil((double)sal_rules_policy_cells(r) / r->n_rank);
  const double bytes =
      cells * r->cube->table.n_contender * (double)(sizeof(uint32_t) + sizeof(uint16_t));
  const double fit = costs_memory / bytes;

  return !r->reader || fit < 1 ? 1 : fit < n ? (int)fit : n;
}

sal_err sal_rules_policy_make(sal_rules_policy *r, int n, const sal_question question[],
                              sal_policy policy[])
{
  SAL_OWN sal_cost_matrix *costs = sal_alloc((size_t)n, sizeof *costs);
  sal_err err = costs ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for costs");

  SAL_TRY(sal_collective_error(r->comm, err));
  assert(costs);
  for (int q = 0; q < n; ++q) policy[q] = (sal_policy){0};
  if (r->reader)
    err = make_expected(r, n, question, costs, policy);
  else if (r->rank == 0)
    for (int q = 0; q < n && err == SAL_OK; ++q)
      err = make_measured(r, &question[q], &costs[q], &policy[q]);
  for (int q = 0; q < n; ++q) sal_cost_matrix_free(&costs[q]);
  return sal_collective_error(r->comm, err);
}
