/** @file src/sweep/schema.h
 *  From the table of keys and a model's descriptor to a libcyaml schema, and through it from text
 *  to C values.
 *
 *  To add a key, put a line in keys.def, a member in sal_raw, and its use in validate.c.
 */
#ifndef SAL_SCHEMA_H
#define SAL_SCHEMA_H

#include "document.h"
#include "enum_words.h"
#include "sweep.h"
#include <cyaml/cyaml.h>
#include <stdint.h>

/** What libcyaml reads of an axis.  The document tells which of it is there; axis_read.c takes the
 * ranks from here, and the numbers, whose ranges depend on them, from their nodes. */
typedef struct {
  int32_t name, *columns;           /* ranks in SAL_ENUM_NAMES, SAL_ENUM_COLUMNS */
  double  linear[2], log[2];        /* lo, hi */
  double (*random)[2], (*sobol)[2]; /* lo, hi of each column */
  double   points, seed;
  uint32_t n_columns, n_random, n_sobol;
} sal_raw_axis;

/** What libcyaml reads: numbers as they are, words by their rank in sal_enum_words_gather. */
typedef struct {
  char   *title;
  int32_t model, jacobian, reference, measure, unsupported, contacts, points, width;
  int32_t option[SAL_MAX_OPTION];
  double  param[SAL_MAX_PARAM], initial[SAL_MAX_STATE]; /* 0 where not given */
  double  t_end, reference_tolerance, mesh, floor, max_step, max_attempts, zone, step, repeats,
      every;
  int32_t      *columns, *scattered, *methods, *strategies;
  double       *tolerances, *epsilon;
  sal_raw_axis *axes;
  uint32_t      n_columns, n_scattered, n_methods, n_strategies, n_tolerances, n_epsilon, n_axes;
} sal_raw;

/** What kind of value a key has. */
typedef enum {
  SAL_KEY_TEXT,
  SAL_KEY_NUMBER,
  SAL_KEY_WHOLE,
  SAL_KEY_WORD,
  SAL_KEY_WORDS,
  SAL_KEY_NUMBERS,
  SAL_KEY_RANGE,
  SAL_KEY_RANGES,
  SAL_KEY_VALUES, /* of a length, or a kind, that other keys decide: axis_read.c reads these */
  SAL_KEY_ROWS,
  SAL_KEY_CELLS, /* settle_stored.c reads these */
  SAL_KEY_GROUP, /* mapping of keys that have lines of their own */
  SAL_KEY_AXES,  /* list of such mappings */
  SAL_KEY_OPTIONS,
  SAL_KEY_PARAMETERS,
  SAL_KEY_INITIAL,
} sal_key_kind;

/** The half of a key that only this folder needs, by the rank of the key in sal_sweep_keys. */
typedef struct {
  sal_key_kind   kind;
  sal_enum_words words;
  uint32_t       offset, count_offset; /* in sal_raw, sal_raw_axis */
} sal_key_slot;
extern const sal_key_slot sal_key_slots[];

/** The key of this dotted name, or NULL. */
const sal_sweep_key *sal_key_named(const char *name);
/** Is this preset what happens without the key, rather than a value? */
bool sal_key_described(const sal_sweep_key *key);

enum { SAL_MAX_FIELD = 128, SAL_MAX_ENTRY = 32, SAL_MAX_STRVAL = 512 };

/** A schema with all it points to; not to be copied. */
typedef struct {
  cyaml_schema_value_t top;
  cyaml_schema_field_t field[SAL_MAX_FIELD];
  cyaml_schema_value_t entry[SAL_MAX_ENTRY];
  cyaml_strval_t       word[SAL_MAX_STRVAL];
  int                  n_field, n_entry, n_word;
} sal_schema;

/** The schema for a model; NULL, while it is not known, lets no model-dependent key pass. */
void sal_schema_build(const sal_model *model, sal_schema *schema);

/** Fails because a mapping lacks the key of this dotted name. */
sal_err sal_schema_missing(const sal_document *document, int mapping, const char *name);

/** Reads the document into *raw, which sal_schema_free frees; fails with one message. */
SAL_MUST_CHECK sal_err sal_schema_load(const sal_schema *schema, const sal_document *document,
                                       sal_raw **raw);
void                   sal_schema_free(const sal_schema *schema, sal_raw *raw);

#endif
