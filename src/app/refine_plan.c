/** @file src/app/refine_plan.c
 *  Cells where the answers of a cube change.
 */
#include "refine_plan.h"
#include "atomic_file.h"
#include "map_cube.h"
#include "memory.h"
#include "parameter_column.h"
#include "recommend.h"
#include "refine_cube.h"
#include "refine_print.h"
#include "text.h"
#include <string.h>

/* Axes of several quantities, or none that can be divided, leave nothing to add. */
static sal_err check_axes(const char *path, const sal_sweep *s)
{
  bool divides = false;

  for (int a = 0; a < s->n_axis; ++a) {
    const sal_axis *axis = &s->axis[a];
    if (sal_axis_joint(axis))
      return sal_fail(
          SAL_ERR_INPUT,
          "%s: one of its axes is %s, whose points have no neighbours; allowed: linear, "
          "log, list",
          path, sal_axis_kind_name(axis->kind));
    divides |= axis->n_point > 1 && !axis->whole[0] &&
               !sal_parameter_column_is_discrete(s->model, axis->column[0]);
  }
  return divides ? SAL_OK
                 : sal_fail(SAL_ERR_INPUT,
                            "%s: has no axis of numbers with two points or more; nothing lies "
                            "between its cells",
                            path);
}

/* Prints the points, or makes the text. */
static sal_err write_plan(const sal_refine_request *o, const sal_sweep *s, int64_t n,
                          const sal_refine_point point[], sal_refine_plan *p)
{
  if (n == 0)
    return sal_fail(SAL_ERR_INPUT, "%s: no neighbouring cells differ in an answer", o->cube);
  if (o->dry) {
    sal_refine_print(stdout, s, n, point);
    return SAL_OK;
  }
  if (!o->run.quiet && n < o->budget)
    fprintf(stderr, "%s: there %s only %lld cell%s worth adding\n", o->cube, n == 1 ? "is" : "are",
            (long long)n, sal_text_plural(n));
  p->n_cell = s->n_cell;
  p->text   = sal_refine_text(s, n, point);
  return p->text ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a sweep");
}

static sal_err choose_cells(const sal_refine_request *o, sal_performance_cube *cube, sal_map *map,
                            sal_refine_plan *p)
{
  sal_refine_point *point = sal_alloc((size_t)o->budget, sizeof *point);
  int64_t           n     = 0;

  if (!point) return sal_fail(SAL_ERR_MEMORY, "no memory for %lld cells", (long long)o->budget);
  memcpy(map->method, cube->method, sizeof map->method);
  memcpy(map->strategy, cube->strategy, sizeof map->strategy);
  sal_err err = sal_recommend(&cube->table, map);
  if (err == SAL_OK) err = sal_refine_choose(&cube->table, map, o->budget, point, &n);
  if (err == SAL_OK) err = write_plan(o, &cube->sweep, n, point, p);
  sal_free(point);
  return err;
}

sal_err sal_refine_plan_make(const sal_refine_request *o, sal_refine_plan *p)
{
  sal_performance_cube cube;
  sal_map              map = {0};

  if (o->error) SAL_TRY(sal_performance_errors(o->error, &map.n_error, map.error));
  if (!o->dry) SAL_TRY(sal_atomic_file_claim(o->run.out, o->run.force));
  SAL_TRY(sal_performance_cube_open(o->cube, &o->table, SAL_PERFORMANCE_ERRORS, &cube));
  sal_map_presets(cube.table.by, false, &map);
  map.n_weights = 0;
  sal_err err   = check_axes(o->cube, &cube.sweep);
  if (err == SAL_OK && !cube.same_program && !o->dry && !o->run.force)
    err = sal_fail(SAL_ERR_EXISTS,
                   "%s: another version of this program made it, and its cells may differ from new "
                   "ones; --force takes them as they are",
                   o->cube);
  if (err == SAL_OK) err = choose_cells(o, &cube, &map, p);
  sal_map_free(&map);
  sal_performance_cube_free(&cube);
  return err;
}
