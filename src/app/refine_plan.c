/** @file src/app/refine_plan.c
 *  More cells for a cube.
 */
#include "refine_plan.h"
#include "atomic_file.h"
#include "extension.h"
#include "memory.h"
#include "performance_cube.h"
#include "refine_print.h"
#include "sweep_read.h"
#include "text.h"
#include "unsealed.h"

static sal_err print_plan(const sal_refine_request *o, const char *text, int64_t n_cell)
{
  sal_sweep refined;

  SAL_TRY(sal_sweep_parse_results(o->cube, text, &refined));
  sal_refine_print(stdout, &refined, n_cell);
  sal_sweep_free(&refined);
  return SAL_OK;
}

/* Prints the cells, or keeps the text. */
static sal_err make_plan(const sal_refine_request *o, const sal_sweep *s, sal_refine_plan *p)
{
  char *text;
  int64_t added;

  SAL_TRY(sal_extension_text(s, o->cells, &text, &added));
  if (!o->run.quiet && added < o->cells)
    fprintf(stderr, "%s: %lld cell%s can be added, not %lld\n", o->cube, (long long)added,
            sal_text_plural(added), (long long)o->cells);
  p->n_cell = s->n_cell;
  if (!o->dry) {
    p->text = text;
    return SAL_OK;
  }
  const sal_err err = print_plan(o, text, s->n_cell);
  sal_free(text);
  return err;
}

static sal_err pass_over(void *with, int64_t first, const sal_performance_table *rows)
{
  (void)with, (void)first, (void)rows;
  return SAL_OK;
}

/* Damage is told before anything is written. */
static sal_err check_cells(const sal_refine_request *o, sal_performance_cube *cube)
{
  return o->dry ? SAL_OK : sal_performance_rows_each(cube->rows, pass_over, NULL);
}

sal_err sal_refine_plan_make(const sal_refine_request *o, sal_refine_plan *p)
{
  sal_performance_cube cube;

  if (!o->dry) SAL_TRY(sal_atomic_file_claim(o->run.out, o->run.force));
  SAL_TRY(sal_performance_cube_begin(o->cube, NULL, SAL_PERFORMANCE_ERRORS, &cube));
  sal_err err = SAL_OK;
  if (!cube.same_program && !o->dry && !o->run.force)
    err =
        sal_fail(SAL_ERR_EXISTS,
                 "%s: another version of this program, or one with other options for libraries, "
                 "made it, and its cells may differ from new ones; --force takes them as they are",
                 o->cube);
  if (err == SAL_OK) err = check_cells(o, &cube);
  if (err == SAL_OK) err = make_plan(o, &cube.sweep, p);
  if (err == SAL_OK && !o->dry && !o->run.quiet) sal_unsealed_tell("refine", o->cube, cube.sealed);
  sal_performance_cube_free(&cube);
  return err;
}
