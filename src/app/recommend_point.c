/** @file src/app/recommend_point.c
 *  Finding an answer at a point.
 */
#include "recommend_point.h"
#include "contender.h"
#include "memory.h"
#include <math.h>

static int pair_of_candidate(const sal_recommend_point *a, const sal_choose_candidate *c)
{
  return sal_contender_pair(&a->cube.sweep, c->contender);
}

/* In how many of the cells around the point does the pair win that wins at the point? */
static void count_agreement(sal_recommend_point *a, sal_choose_candidate list[])
{
  const double one = 1;

  for (int i = 0; i < a->stencil.n; ++i) {
    const int n = sal_choose(&a->cube.table, 1, &a->stencil.cell[i], &one, &a->question, list);
    if (n > 0 && pair_of_candidate(a, &list[0]) == pair_of_candidate(a, &a->list[0])) ++a->n_agree;
  }
}

/* Why is there no answer? */
static sal_err fail_unanswered(const sal_recommend_point *a, sal_choose_candidate list[])
{
  const sal_sweep *s   = &a->cube.sweep;
  sal_question     any = a->question;
  char             name[SAL_CONTENDER_NAME];

  if (!sal_question_by_error(&a->question))
    return sal_fail(SAL_ERR_INPUT, "%s: no contender has points there at a tolerance of %g",
                    a->path, s->tolerance[a->question.tolerance]);
  any.error = INFINITY;
  const int n =
      sal_choose(&a->cube.table, a->stencil.n, a->stencil.cell, a->stencil.weight, &any, list);
  if (n == 0)
    return sal_fail(SAL_ERR_INPUT, "%s: no contender %s in all cells around the point", a->path,
                    a->cube.table.by->reached);
  const sal_choose_candidate *least = sal_choose_most_accurate(n, list);
  return sal_fail(
      SAL_ERR_INPUT, "%s: no contender reaches an error of %g there; the least is %.2g, by %s",
      a->path, a->question.error, least->bound, sal_contender_name(s, least->contender, name));
}

static sal_err rank_candidates(sal_recommend_point *a, sal_choose_candidate spare[])
{
  SAL_TRY(sal_stencil_find(&a->cube.sweep, a->value, &a->stencil));
  a->n = sal_choose(&a->cube.table, a->stencil.n, a->stencil.cell, a->stencil.weight, &a->question,
                    a->list);
  if (a->n == 0) return fail_unanswered(a, spare);
  count_agreement(a, spare);
  return SAL_OK;
}

sal_err sal_recommend_point_find(sal_recommend_point *a)
{
  const size_t          room  = (size_t)a->cube.table.n_contender;
  sal_choose_candidate *spare = sal_alloc(room, sizeof *spare);

  a->list           = sal_alloc(room, sizeof *a->list);
  const sal_err err = a->list && spare ? rank_candidates(a, spare)
                                       : sal_fail(SAL_ERR_MEMORY, "no memory for an answer");
  sal_free(spare);
  return err;
}

void sal_recommend_point_free(sal_recommend_point *a)
{
  sal_stencil_free(&a->stencil);
  sal_free(a->list);
  sal_performance_cube_free(&a->cube);
  *a = (sal_recommend_point){0};
}
