/** The parts of a measure's text: "last(v, blow, 50) from 2 in mm/s". */
#pragma once

#include "err.h"
#include "measured.h"
#include "provider.h"

enum {
  SAL_MEASURE_ARGUMENTS = 3,
  SAL_MEASURE_BYTES = 1024, /* of an argument */
  SAL_MEASURE_KEY = 96,
  SAL_MEASURE_PLACE = 384
};

/** Which arguments a function takes, in this order. */
typedef struct {
  const char *name;
  bool expression, contact, number;
  const char *form;
} sal_measure_function;

typedef struct {
  const char *where, *name;
  sal_measured_kind kind;
  const sal_measure_function *function;
  int n; /* arguments, as many as the function takes */
  char argument[SAL_MEASURE_ARGUMENTS][SAL_MEASURE_BYTES];
  char from[SAL_MEASURE_KEY], unit[SAL_MEASURE_KEY]; /* "": not given */
} sal_measure_text;

sal_err sal_measure_text_split(const sal_measured_text *given, sal_measure_text *out);
/** Fails with "WHERE: measure NAME: MESSAGE" / the head of such a message alone. */
sal_err sal_measure_text_fail(const sal_measure_text *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *sal_measure_text_place(const sal_measure_text *c, char place[SAL_MEASURE_PLACE]);

/* Measures that go by a name alone, of any model: "peak" for the largest value of each position. */

/** Passes the measures for which the name given stands to `take`, one after the other.  has_kinetic: expressions may have the word
 *  kinetic.  Fails where the name is none of these, or the model has no part that it is of. */
sal_err sal_measure_presets(const sal_measured_text *given, const sal_model *model,
                            bool has_kinetic,
                            sal_err (*take)(void *with, const sal_measured_text *measure),
                            void *with);
