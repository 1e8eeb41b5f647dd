/** @file src/driver/rules_policy.h
 *  The policy of a question about a cube: by the costs that the reader of its map expects, or by those that
 *  were measured.
 */
#ifndef SAL_RULES_POLICY_H
#define SAL_RULES_POLICY_H

#include "map_rows.h"
#include "performance_cube.h"
#include "policy.h"
#include <mpi.h>

/** What is wanted. */
typedef struct {
  sal_policy_tree_limits limits;
  double miss;   /* price of a miss by error */
  bool measured; /* by error: the costs of the run in each cell */
  int64_t cells; /* that the reader is asked about, at most; 0: all */
} sal_rules_request;

/** Where costs come from. */
typedef enum {
  SAL_RULES_BY_READER,
  SAL_RULES_MEASURED, /* as the question or the request says */
  SAL_RULES_TOO_FEW,  /* measured, since there are too few cells for a reader */
} sal_rules_origin;

/** A cube that is asked for policies; sal_rules_policy_close frees it, also after a failure. */
typedef struct {
  sal_rules_request request;
  sal_rules_origin origin;
  sal_performance_cube *cube; /* the caller's */
  sal_binning edges;          /* by error */
  MPI_Comm comm;
  int rank, n_rank;
  sal_map_rows *rows;            /* of all cells */
  sal_row_store *store;          /* where the ranks have room for them; or NULL */
  sal_performance_source source; /* of the reader */
  sal_reader *reader;
} sal_rules_policy;

/** Collective.  For questions of the kind of `question`.  It must not be moved.  A reader reads what it needs in any order,
 *  so that all cells are verified beforehand. */
SAL_MUST_CHECK sal_err sal_rules_policy_open(MPI_Comm comm, sal_performance_cube *cube,
                                             const sal_rules_request *request,
                                             const sal_question *question, sal_rules_policy *out);
/** Collective.  The policies of questions [n], which differ in their errors alone, each to be freed with sal_policy_free, also after
 *  a failure: by the reader on all ranks, but for the costs, of which each has those of its cells; else on rank 0 alone.
 *  The reader is asked all questions at once.  The same bits for any number of ranks. */
SAL_MUST_CHECK sal_err sal_rules_policy_make(sal_rules_policy *rules, int n,
                                             const sal_question question[], sal_policy policy[]);
/** How many of n questions are to be asked at once, for the memory that their costs take. */
int sal_rules_policy_together(const sal_rules_policy *rules, int n);
/** Cells that policies are made from. */
int64_t sal_rules_policy_cells(const sal_rules_policy *rules);
/** Collective. */
void sal_rules_policy_close(sal_rules_policy *rules);

#endif
