/** @file src/io/cube/word_count.h
 *  How many values of a metric are each word of its kind, told as text or as JSON.
 */
#ifndef SAL_WORD_COUNT_H
#define SAL_WORD_COUNT_H

#include "h5.h"
#include "json.h"
#include "metric.h"

typedef struct {
  const sal_metric *metric;   /* of a kind of words */
  int64_t n;                  /* its values */
  int first;                  /* words below this number are passed over */
  const char *member;         /* of the JSON object */
  const char *heading, *noun; /* "Verdicts", "cell": of what is counted */
} sal_word_count;

/** Counts and tells; nothing where the cube does not have the metric, or no value has such a word. */
SAL_MUST_CHECK sal_err sal_word_count_tell(const sal_h5 *file, const sal_word_count *of,
                                           sal_json *json, FILE *out);

#endif
