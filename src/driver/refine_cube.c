/** @file src/driver/refine_cube.c
 *  From chosen points to a sweep, and from an old cube to a journal.
 */
#include "refine_cube.h"
#include "collective_error.h"
#include "contender.h"
#include "cube_file.h"
#include "cube_read.h"
#include "document.h"
#include "document_edit.h"
#include "memory.h"
#include "parameter_column.h"
#include "parameter_point.h"
#include "text.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 64 };

/* ---- the sweep ---- */

/* An option by its word, a number with all its digits. */
static void add_value(sal_text *text, const sal_model *m, int column, double value)
{
  const int option = column - m->n_param;

  if (option >= 0 && option < m->n_option)
    sal_text_add(text, "%s", m->option[option].choice[(int)value]);
  else
    sal_text_add(text, "%.17g", value);
}

/* All scattered cells, those there were and the new ones, as a value for the key. */
static char *scattered_text(const sal_sweep *s, int64_t n, const sal_refine_point point[])
{
  const sal_axis *old  = &s->scattered.point;
  sal_text        text = {0};

  sal_text_add(&text, "cells.scattered=\n  columns: [");
  for (int a = 0; a < s->n_axis; ++a)
    sal_text_add(&text, "%s%s", a ? ", " : "",
                 sal_parameter_column_name(s->model, s->axis[a].column[0]));
  sal_text_add(&text, "]\n  rows:\n");
  for (int64_t i = 0; i < old->n_point + n; ++i)
    for (int a = 0; a < s->n_axis; ++a) {
      const double value =
          i < old->n_point
              ? sal_axis_value(old, i, sal_scattered_column(&s->scattered, &s->axis[a]))
              : point[i - old->n_point].value[a];
      sal_text_add(&text, a ? ", " : "    - [");
      add_value(&text, s->model, s->axis[a].column[0], value);
      if (a == s->n_axis - 1) sal_text_add(&text, "]\n");
    }
  return sal_text_take(&text);
}

char *sal_refine_text(const sal_sweep *s, int64_t n, const sal_refine_point point[])
{
  sal_document document;
  char        *set  = scattered_text(s, n, point);
  char        *text = NULL;

  if (set && sal_document_parse(s->path, s->text, &document) == SAL_OK) {
    if (sal_document_override(&document, 1, (const char *const[]){set}) == SAL_OK)
      text = sal_document_emit(&document);
    sal_document_free(&document);
  }
  sal_free(set);
  return text;
}

/* Does the file say just that? */
static bool says(FILE *file, const char *text)
{
  int c;

  while ((c = fgetc(file)) != EOF && *text && c == (unsigned char)*text) ++text;
  return c == EOF && !*text;
}

static sal_err write_text(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");

  if (!file) return sal_fail(SAL_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
  const bool put = fputs(text, file) >= 0, closed = fclose(file) == 0;
  return put && closed ? SAL_OK
                       : sal_fail(SAL_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
}

sal_err sal_refine_save(const char *path, const char *text, bool force)
{
  char  part[PATH_MAX];
  FILE *old  = fopen(path, "r");
  bool  same = old && says(old, text);

  if (old) fclose(old);
  if (same) return SAL_OK;
  if (old && !force)
    return sal_fail(SAL_ERR_EXISTS, "%s: exists and says something else; --force overwrites it",
                    path);
  if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
    return sal_fail(SAL_ERR_IO, "%s: the name is too long", path);
  SAL_TRY(write_text(part, text));
  if (rename(part, path))
    return sal_fail(SAL_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
  return SAL_OK;
}

/* ---- the journal ---- */

/* Cells that are measured, not points: journals have none (journal.h). */
static sal_err copy_run(sal_cube_file *file, sal_tile run, sal_tile_result *result,
                        sal_journal_writer *w)
{
  int metric[SAL_N_METRIC];

  for (int m = 0; m < SAL_N_METRIC; ++m) metric[m] = m;
  for (int64_t at = run.first; at < run.first + run.count; at += result->count) {
    const int64_t left = run.first + run.count - at;
    result->first      = at;
    result->count      = left < BLOCK ? left : BLOCK;
    SAL_TRY(sal_cube_file_read(file, SAL_N_METRIC, metric, result));
    SAL_TRY(sal_journal_append(w, result));
  }
  return SAL_OK;
}

/* On one rank: what lies before cell `end` of the runs. */
static sal_err copy(const sal_refine_old *old, int64_t n, const sal_tile run[], int n_contender,
                    sal_journal_writer *w)
{
  sal_tile_result result = {
      .cell   = sal_alloc(BLOCK, sizeof *result.cell),
      .record = sal_alloc((size_t)BLOCK * (size_t)n_contender, sizeof *result.record)};
  sal_cube_file *file = NULL;
  sal_cube       frame;

  sal_err err = result.cell && result.record ? sal_cube_file_open(old->cube, &file, &frame)
                                             : sal_fail(SAL_ERR_MEMORY, "no memory for cells");
  for (int64_t i = 0; err == SAL_OK && i < n && run[i].first < old->n_cell; ++i) {
    const int64_t  room  = old->n_cell - run[i].first;
    const sal_tile known = {run[i].first, run[i].count < room ? run[i].count : room};
    err                  = copy_run(file, known, &result, w);
  }
  if (file) {
    sal_cube_file_close(&file);
    sal_cube_free(&frame);
  }
  sal_free(result.cell);
  sal_free(result.record);
  return err;
}

static sal_err seed_missing(const sal_refine_old *old, sal_journal *j, int64_t n,
                            const sal_tile run[])
{
  sal_journal_writer w = {.fd = -1};
  int                rank;

  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &rank));
  sal_err err = sal_journal_begin(j, 10, j->sweep->n_cell, &w);
  if (err == SAL_OK && rank == 0) err = copy(old, n, run, sal_contender_count(j->sweep), &w);
  const sal_err ended = sal_journal_end(&w);
  SAL_TRY(sal_collective_error(j->comm, err == SAL_OK ? ended : err));
  return sal_journal_scan(j);
}

sal_err sal_refine_seed(void *with, sal_journal *j)
{
  const sal_refine_old *old = with;
  sal_tile             *run = NULL;
  int64_t               n   = 0;

  SAL_TRY(sal_collective_error(j->comm, sal_journal_missing(j, &run, &n)));
  const sal_err err = n > 0 && run[0].first < old->n_cell ? seed_missing(old, j, n, run) : SAL_OK;
  sal_free(run);
  return err;
}

/* ---- for people ---- */

void sal_refine_print(FILE *out, const sal_sweep *s, int64_t n, const sal_refine_point point[])
{
  fprintf(out, "%10s %9s %9s ", "score", "cell", "and cell");
  for (int a = 0; a < s->n_axis; ++a)
    fprintf(out, " %12s", sal_parameter_column_name(s->model, s->axis[a].column[0]));
  fprintf(out, "\n");
  for (int64_t i = 0; i < n; ++i) {
    fprintf(out, "%10.4g %9lld %9lld ", point[i].score, (long long)point[i].a + 1,
            (long long)point[i].b + 1);
    for (int a = 0; a < s->n_axis; ++a) {
      sal_text  value  = {0};
      const int column = s->axis[a].column[0], option = column - s->model->n_param;
      if (option >= 0 && option < s->model->n_option)
        add_value(&value, s->model, column, point[i].value[a]);
      else
        sal_text_add(&value, "%.6g", point[i].value[a]);
      fprintf(out, " %12s", value.string ? value.string : "");
      sal_text_free(&value);
    }
    fprintf(out, "\n");
  }
}
