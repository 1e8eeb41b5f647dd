/** The sweep of a larger cube as a file, and an old cube as a journal. */
#include "refine_cube.h"
#include "atomic_file.h"
#include "base.h"
#include "collective_error.h"
#include "cube_read.h"
#include "extension.h"
#include "journal.h"
#include "journal_write.h"
#include "performance_cube.h"

static sal_err pass_over(void *with, int64_t first, const sal_performance_table *rows)
{
  (void)with, (void)first, (void)rows;
  return SAL_OK;
}

sal_err sal_refine_plan_make(const sal_refine_request *request, sal_refine_plan *plan)
{
  SAL_OWN_BY(sal_performance_cube_free) sal_performance_cube cube = {.rows = NULL};

  *plan = (sal_refine_plan){.text = NULL};
  SAL_TRY(sal_performance_cube_begin(request->cube, NULL, SAL_PERFORMANCE_ERRORS, &cube));
  plan->others = !cube.same_program && !request->dry && !request->any;
  if (plan->others)
    return sal_fail(
        SAL_ERR_EXISTS,
        "%s: made by another version of this program, or with other options for libraries; "
        "its cells may differ from new ones",
        request->cube);
  /* damage is reported before anything is written */
  if (!request->dry) SAL_TRY(sal_performance_rows_each(cube.rows, pass_over, NULL));
  plan->n_cell = cube.sweep.n_cell;
  return sal_extension_text(&cube.sweep, request->cells, &plan->text, &plan->added);
}

/* Does the file say just that? */
static bool says_just(FILE *file, const char *text)
{
  int c;

  while ((c = fgetc(file)) != EOF && *text && c == (unsigned char)*text) ++text;
  return c == EOF && !*text;
}

sal_err sal_refine_save(const char *path, const char *text, bool force)
{
  FILE *old = fopen(path, "r");
  const bool same = old && says_just(old, text);

  if (old) fclose(old);
  if (same) return SAL_OK;
  if (old && !force)
    return sal_fail(SAL_ERR_EXISTS, "%s: exists and has other contents; --force overwrites it",
                    path);
  SAL_TRY(sal_atomic_file_begin(path, text, strlen(text), 0));
  return sal_atomic_file_commit(path);
}

/* Points come along, but are made anew with the cube. */
static sal_err copy_run(sal_cube_file *file, sal_tile run, sal_tile_result *result,
                        sal_journal_writer *w)
{
  const sal_cube_file_metrics all = sal_cube_file_all();
  const int64_t most = sal_cube_file_block(file, &all);

  for (int64_t at = run.first; at < run.first + run.count; at += result->count) {
    const int64_t left = run.first + run.count - at;
    result->first = at;
    result->count = left < most ? left : most;
    SAL_TRY(sal_cube_file_read(file, &all, result));
    SAL_TRY(sal_journal_append(w, result));
  }
  return SAL_OK;
}

/* On one rank: what lies before cell `end` of the runs. */
static sal_err copy_cells(const sal_refine_old *old, sal_cube_file *file, int64_t n,
                          const sal_tile run[], sal_journal_writer *w)
{
  const sal_cube_file_metrics all = sal_cube_file_all();
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  SAL_TRY(sal_cube_file_room(file, &all, sal_cube_file_block(file, &all), &result));
  for (int64_t i = 0; i < n && run[i].first < old->n_cell; ++i) {
    const int64_t room = old->n_cell - run[i].first;
    const sal_tile known = {run[i].first, run[i].count < room ? run[i].count : room};
    SAL_TRY(copy_run(file, known, &result, w));
  }
  return SAL_OK;
}

static sal_err seed_missing(const sal_refine_old *old, sal_journal *j, int64_t n,
                            const sal_tile run[])
{
  SAL_OWN_BY(sal_journal_writer_free) sal_journal_writer w = {.fd = -1};
  SAL_OWN_BY(sal_cube_file_close) sal_cube_file *file = NULL;
  SAL_OWN_BY(sal_cube_free) sal_cube frame = {0};

  const int rank = sal_collective_rank(j->comm);
  SAL_TRY(sal_collective_first(j->comm, sal_cube_file_open(old->cube, &file, &frame)));
  sal_err err = sal_journal_begin(j, 10, j->sweep->n_cell, frame.machine, &w);
  if (err == SAL_OK && rank == 0) err = copy_cells(old, file, n, run, &w);
  const sal_err ended = sal_journal_end(&w);
  SAL_TRY(sal_collective_error(j->comm, err == SAL_OK ? ended : err));
  return sal_journal_scan_add(j, &w.list, &w.held);
}

sal_err sal_refine_seed(void *with, sal_journal *j)
{
  const sal_refine_old *old = with;
  SAL_OWN sal_tile *run = NULL;
  int64_t n = 0;

  SAL_TRY(sal_collective_error(j->comm, sal_journal_missing(j, &run, &n)));
  return n > 0 && run[0].first < old->n_cell ? seed_missing(old, j, n, run) : SAL_OK;
}
