/** @file src/io/cube/word_count.c
 *  Words counted.
 */
#include "word_count.h"
#include "dataset.h"
#include "text.h"
#include <assert.h>

enum { MOST = 256 };

static void tell(const sal_word_count *of, int64_t all, const int64_t count[MOST], sal_json *json,
                 FILE *out)
{
  int                    n;
  const sal_metric_word *word = sal_metric_words(of->metric->kind, &n);

  if (json)
    sal_json_object(json, of->member);
  else
    fprintf(out, "\n%s: %lld %s%s\n", of->heading, (long long)all, of->noun, sal_text_plural(all));
  for (int w = of->first; w < n; ++w) {
    if (!count[w]) continue;
    if (json)
      sal_json_whole(json, word[w].label, count[w]);
    else
      fprintf(out, "  %-16s %10lld  %s\n", word[w].label, (long long)count[w], word[w].what);
  }
  if (json) sal_json_end(json);
}

sal_err sal_word_count_tell(const sal_h5 *file, const sal_word_count *of, sal_json *json, FILE *out)
{
  int64_t count[MOST] = {0}, all = 0;
  int     n_word;
  double *value;
  bool    there;

  SAL_TRY(sal_h5_has(file, of->metric->name, &there));
  if (!there) return SAL_OK;
  sal_metric_words(of->metric->kind, &n_word);
  assert(n_word <= MOST);
  SAL_TRY_ROOM(file, value, of->n);
  const sal_err err = sal_dataset_read_column(file, of->metric->name, of->n, 1, value);
  for (int64_t i = 0; i < of->n && err == SAL_OK; ++i)
    if (value[i] >= of->first && value[i] < n_word) {
      ++count[(int)value[i]];
      ++all;
    }
  sal_free(value);
  if (err == SAL_OK && all > 0) tell(of, all, count, json, out);
  return err;
}
