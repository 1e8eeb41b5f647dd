/** Lists of cells, and the size of their trajectories. */
#include "base.h"
#include "quantiles.h"
#include "validate.h"
#include "value.h"

#define MAX_POINT 1e8  /* as of a mesh */
#define MAX_BYTES 1e12 /* of a group in one file */

enum { WORD = 64 };

void sal_stored_free(sal_stored_trajectories *stored)
{
  sal_free(stored->cell);
  *stored = (sal_stored_trajectories){0};
}

/* A whole number from 1 on that ends at `end`. */
static bool read_cell_number(const char *text, const char **end, double *value)
{
  const size_t n = strspn(text, "0123456789");
  char digits[WORD];

  if (n == 0 || n >= sizeof digits) return false;
  memcpy(digits, text, n);
  digits[n] = '\0';
  *end = text + n;
  return sal_value_read(digits, value);
}

sal_err sal_stored_word(sal_err code, const char *where, const char *word, int64_t n_cell,
                        sal_tile *run)
{
  const char *end = word;
  double first = 0, last = 0;
  bool is_one = read_cell_number(word, &end, &first);

  last = first;
  if (is_one && *end == '-') is_one = read_cell_number(end + 1, &end, &last);
  if (!is_one || *end)
    return sal_fail(code,
                    "%s: '%.40s' is not a cell; allowed: numbers like 17, and runs such as 20-29",
                    where, word);
  if (first < 1 || last > (double)n_cell)
    return sal_fail(code, "%s: cell %.0f is not there; allowed: from 1 to %lld", where,
                    first < 1 ? first : last, (long long)n_cell);
  if (first > last)
    return sal_fail(code, "%s: '%.40s' ends before it begins; allowed: %.0f-%.0f", where, word,
                    last, first);
  *run = (sal_tile){(int64_t)first - 1, (int64_t)(last - first) + 1};
  return SAL_OK;
}

sal_err sal_stored_cells(sal_err code, const char *where, int64_t n, sal_tile run[],
                         sal_stored_trajectories *out)
{
  int64_t total = 0, k = 0;

  sal_quantiles_sort_wholes(n, sizeof *run, run);
  for (int64_t i = 0; i < n; total += run[i++].count)
    if (i > 0 && run[i].first < run[i - 1].first + run[i - 1].count)
      return sal_fail(code, "%s: cell %lld is there twice", where, (long long)run[i].first + 1);
  sal_free(out->cell);
  out->n_cell = 0;
  out->cell = sal_alloc((size_t)total, sizeof *out->cell);
  if (!out->cell) return sal_fail(SAL_ERR_MEMORY, "%s: no memory for a list of cells", where);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < run[i].count; ++j) out->cell[k++] = run[i].first + j;
  out->n_cell = total;
  return SAL_OK;
}

/* Cuts the list into words, and these into runs [commas + 1]. */
static sal_err read_cell_list(sal_err code, const char *where, const char *list, int64_t n_cell,
                              sal_tile run[], int64_t *n)
{
  for (*n = 0; list; ++*n) {
    char word[WORD];
    list = sal_text_item(list, sizeof word, word);
    SAL_TRY(sal_stored_word(code, where, word, n_cell, &run[*n]));
  }
  return SAL_OK;
}

sal_err sal_stored_parse(sal_err code, const char *where, const char *list, int64_t n_cell,
                         sal_stored_trajectories *out)
{
  size_t most = 1;
  int64_t n = 1;

  for (const char *c = list; *c; ++c) most += *c == ',';
  SAL_OWN sal_tile *run = sal_alloc(most, sizeof *run);
  if (!run) return sal_fail(SAL_ERR_MEMORY, "%s: no memory for a list of cells", where);
  if (strcmp(list, "all") == 0)
    run[0] = (sal_tile){0, n_cell};
  else
    SAL_TRY(read_cell_list(code, where, list, n_cell, run, &n));
  return sal_stored_cells(code, where, n, run, out);
}

sal_err sal_stored_points(sal_err code, const char *where, double every, double t_end,
                          sal_stored_trajectories *out)
{
  const double wanted = t_end / every;

  if (!(every > 0)) return sal_value_range(code, where, "spacing", every, 0x1p-1022, INFINITY);
  if (every > t_end)
    return sal_fail(code, "%s: a spacing of %g is wider than t_end = %g", where, every, t_end);
  if (!(wanted <= MAX_POINT))
    return sal_fail(code, "%s: a spacing of %g and t_end = %g make %.3g points; allowed: to %g",
                    where, every, t_end, wanted, MAX_POINT);
  out->n_mesh = (int64_t)ceil(wanted * (1 - 1e-12)); /* the slack of the mesh in validate.c */
  return SAL_OK;
}

double sal_stored_bytes(const sal_stored_trajectories *s, int configs, int n_state)
{
  const double each = (double)(s->n_mesh + 1) * (n_state * 8.0 + 1);

  return (double)s->n_cell * (configs + 1) * each;
}

sal_err sal_stored_fits(sal_err code, const char *where, const sal_stored_trajectories *s,
                        int configs, int n_state)
{
  const double bytes = sal_stored_bytes(s, configs, n_state);

  if (bytes <= MAX_BYTES) return SAL_OK;
  return sal_fail(
      code,
      "%s: trajectories of %lld cells, %d configurations and the reference at %lld points "
      "take %.3g GB; allowed: to %g GB",
      where, (long long)s->n_cell, configs, (long long)s->n_mesh + 1, bytes / 1e9, MAX_BYTES / 1e9);
}
