/** @file src/driver/performance_uncapped.c
 *  Seconds of cells whose runs were stopped, and a cube without caps.
 */
#include "performance_uncapped.h"
#include "contender.h"
#include "cube_read.h"
#include "memory.h"
#include "performance_rows.h"
#include "text.h"
#include "uncapped.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 512 };

/* Evenly spaced cells, and what they took. */
typedef struct {
  int64_t n, cell[SAMPLE];
  double seconds[SAMPLE];
} sample;

static sal_err open_file(const char *path, sal_cube_file **file)
{
  SAL_OWN_BY(sal_cube_free) sal_cube frame = {0};

  return sal_cube_file_open(path, file, &frame);
}

static sal_err read_seconds(const sal_sweep *s, sample *of)
{
  static const sal_cube_file_metrics seconds = {.n_of_cell = 1, .of_cell = {SAL_CELL_SECONDS}};
  SAL_OWN_BY(sal_cube_file_close) sal_cube_file *file = NULL;
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  SAL_TRY(open_file(s->path, &file));
  SAL_TRY(sal_cube_file_room(file, &seconds, of->n, &result));
  SAL_TRY(sal_cube_file_read_cells(file, &seconds, of->n, of->cell, &result));
  for (int64_t i = 0; i < of->n; ++i) of->seconds[i] = result.cell[i].value[SAL_CELL_SECONDS];
  return SAL_OK;
}

static sal_err read_rows(const sal_performance_table *like, const sample *of,
                         sal_performance_table *rows)
{
  const sal_performance_rows_of wanted = {
      .sweep = like->sweep, .by = sal_error_metrics, .weights = like->weights};
  SAL_OWN_BY(sal_performance_rows_close) sal_performance_rows *open = NULL;
  sal_cube_file *file;

  SAL_TRY(open_file(like->sweep->path, &file));
  SAL_TRY(sal_performance_rows_open(file, &wanted, &open));
  SAL_TRY(sal_performance_create(like->sweep, of->n, &like->weights, false, false, rows));
  rows->by = sal_error_metrics;
  const sal_performance_source source = sal_performance_rows_source(open);
  return source.read(source.with, of->n, of->cell, rows);
}

static sal_err estimate_seconds(const sal_performance_table *of, const bool counts[],
                                double *seconds)
{
  const int64_t n = of->sweep->n_cell;
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};
  sample s = {.n = n < SAMPLE ? n : SAMPLE};

  for (int64_t i = 0; i < s.n; ++i) s.cell[i] = i * n / s.n;
  SAL_TRY(read_seconds(of->sweep, &s));
  SAL_TRY(read_rows(of, &s, &rows));
  *seconds = 0;
  for (int64_t i = 0; i < s.n; ++i)
    *seconds += s.seconds[i] * sal_uncapped_more(&rows, i, counts) * (double)n / (double)s.n;
  return SAL_OK;
}

/* A file beside the cube, as a shell takes its name. */
static void add_file(sal_text *text, const char *cube, const char *ending)
{
  const size_t n = strlen(cube), stem = n > 3 && strcmp(cube + n - 3, ".h5") == 0 ? n - 3 : n;

  sal_text_add(text, "'");
  for (size_t i = 0; i < (ending[0] ? stem : n); ++i)
    if (cube[i] == '\'')
      sal_text_add(text, "'\\''");
    else
      sal_text_append(text, &cube[i], 1);
  sal_text_add(text, "%s'", ending);
}

/* As short as it can be. */
static void add_tolerance(sal_text *text, double tolerance)
{
  char word[32];

  snprintf(word, sizeof word, "%g", tolerance);
  sal_text_add(text, strtod(word, NULL) == tolerance ? "%g" : "%.17g", tolerance);
}

static void add_commands(const sal_sweep *s, const bool counts[], sal_text *text)
{
  const char *between = "[";

  sal_text_add(text, "saltus info --sweep ");
  add_file(text, s->path, "");
  sal_text_add(text, " >");
  add_file(text, s->path, "-whole.yaml");
  sal_text_add(text, " && saltus run ");
  add_file(text, s->path, "-whole.yaml");
  sal_text_add(text, " --set 'cap={}' --set 'scouts={}' --set 'rtol=");
  for (int t = 0; t < s->n_tolerance; ++t) {
    if (!counts[t]) continue;
    sal_text_add(text, "%s", between);
    add_tolerance(text, s->tolerance[t]);
    between = ", ";
  }
  sal_text_add(text, "]' -o ");
  add_file(text, s->path, "-whole.h5");
}

sal_err sal_performance_second_of(const sal_performance_table *of, const bool counts[],
                                  sal_performance_second *out)
{
  const sal_sweep *s = of->sweep;
  bool withheld[SAL_MAX_LIST] = {false}, any = false;
  sal_text text = {0};

  *out = (sal_performance_second){0};
  for (int t = 0; t < s->n_tolerance; ++t) {
    withheld[t] = (!counts || counts[t]) && of->n_withheld[t] > 0;
    any = any || withheld[t];
  }
  if (!any) return SAL_OK;
  SAL_TRY(estimate_seconds(of, withheld, &out->seconds));
  add_commands(s, withheld, &text);
  out->commands = sal_text_take(&text);
  return out->commands ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for commands");
}

void sal_performance_second_free(sal_performance_second *second)
{
  sal_free(second->commands);
  *second = (sal_performance_second){0};
}

sal_err sal_performance_withheld(const sal_performance_table *of, int tolerance)
{
  const int64_t n = of->n_withheld[tolerance];
  bool counts[SAL_MAX_LIST] = {false};
  SAL_OWN_BY(sal_performance_second_free) sal_performance_second second = {0};

  counts[tolerance] = true;
  SAL_TRY(sal_performance_second_of(of, counts, &second));
  return sal_fail(
      SAL_ERR_INPUT,
      "%s: points at rtol %g are not known, since %lld run%s of it %s stopped at caps, "
      "or not begun; a cube without caps has them, in about %.2g minutes of one core: %s",
      of->sweep->path, of->sweep->tolerance[tolerance], (long long)n, sal_text_plural(n),
      n == 1 ? "was" : "were", second.seconds / 60, second.commands ? second.commands : "");
}
