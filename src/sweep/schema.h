/** @file src/sweep/schema.h
 *  From the table of keys and a model's descriptor to a libcyaml schema.
 */
#ifndef SAL_SCHEMA_H
#define SAL_SCHEMA_H

#include "enum_words.h"
#include "keys.h"
#include "raw.h"
#include "sweep.h"
#include <cyaml/cyaml.h>

/** Room for all keys and for the largest model: each key is a field, and each mapping ends with one;
 *  a list has an entry, one of ranges two; a key that takes words has at most all of them. */
enum {
  SAL_MAX_FIELD = 2 * SAL_N_KEY + 1 + SAL_MAX_QUANTITY,
  SAL_MAX_ENTRY = 2 * SAL_N_KEY,
  SAL_MAX_STRVAL = SAL_N_KEY * SAL_MAX_WORD + SAL_MAX_OPTION * SAL_MAX_CHOICE
};

/** A schema with all it points to; not to be copied. */
typedef struct {
  cyaml_schema_value_t top;
  cyaml_schema_field_t field[SAL_MAX_FIELD];
  cyaml_schema_value_t entry[SAL_MAX_ENTRY];
  cyaml_strval_t word[SAL_MAX_STRVAL];
  int n_field, n_entry, n_word;
} sal_schema;

/** The schema for a model; NULL, while it is not known, lets no model-dependent key pass. */
void sal_schema_build(const sal_model *model, sal_schema *schema);

#endif
