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
  int n;
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

/* Words seen so far. */
typedef struct {
  int first, n_word;
  int64_t all, count[MOST];
} tally;

static void take_words(void *with, int64_t first, int64_t n, const double value[])
{
  tally *t = with;

  (void)first;
  for (int64_t i = 0; i < n; ++i)
    if (value[i] >= t->first && value[i] < t->n_word) {
      ++t->count[(int)value[i]];
      ++t->all;
    }
}

sal_err sal_word_count_tell(const sal_h5 *file, const sal_word_count *of, sal_json *json, FILE *out)
{
  tally t = {.first = of->first};
  bool there;

  SAL_TRY(sal_h5_has(file, of->metric->name, &there));
  if (!there) return SAL_OK;
  sal_metric_words(of->metric->kind, &t.n_word);
  assert(t.n_word <= MOST);
  SAL_TRY(sal_dataset_walk(file, of->metric->name, of->n, take_words, &t));
  if (t.all > 0) tell(of, t.all, t.count, json, out);
  return SAL_OK;
}
