/** The keys of a sweep file, made from keys.def: for the parser, help texts and the README.
 *
 *  To add a key, put a line in keys.def; one that fills sal_sweep needs the member there.
 */
#pragma once

#include "enum_words.h"

/** One key. */
typedef struct {
  const char *name, *type; /* dotted where it lies in a mapping; type in words */
  const char *preset;      /* YAML text, or in brackets: "(required)", or what happens without it */
  const char *what;
  double least, most; /* of numbers */
} sal_key;
extern const sal_key sal_keys[]; /* ends with name NULL */

#define SAL_KEY(...) +1
#define SAL_KEY_CHECKED(...) +1
#define SAL_KEY_GROUP(...) +1
enum {
  SAL_N_KEY = 0
#include "keys.def"
};
#undef SAL_KEY
#undef SAL_KEY_CHECKED
#undef SAL_KEY_GROUP

/** Kinds of values. */
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
  SAL_KEY_LOG,    /* ends, or what a box is drawn by: axis_read.c reads these */
  SAL_KEY_ROWS,
  SAL_KEY_FIELDS,  /* validate_orbit.c reads these */
  SAL_KEY_CELLS,   /* validate_stored.c reads these */
  SAL_KEY_METHODS, /* validate_methods.c reads these */
  SAL_KEY_LIBRARIES,
  SAL_KEY_TEXTS, /* solver_source.c reads these */
  SAL_KEY_NAMES, /* validate_cutoff.c reads these: names of the sweep's own methods */
  SAL_KEY_GROUP, /* mapping of keys that have lines of their own */
  SAL_KEY_AXES,  /* list of such mappings */
  SAL_KEY_OPTIONS,
  SAL_KEY_PARAMETERS,
  SAL_KEY_INITIAL,
  SAL_KEY_SCALES,
  SAL_KEY_MEASURES, /* validate.c reads these */
} sal_key_kind;

/** The type of the member of sal_sweep that a key fills: words by their rank, or what has that rank. */
typedef enum {
  SAL_KEY_STORE_NONE,
  SAL_KEY_STORE_DOUBLE,
  SAL_KEY_STORE_INT,
  SAL_KEY_STORE_INT64,
  SAL_KEY_STORE_BOOL, /* is it the second word? */
  SAL_KEY_STORE_TEXT, /* a copy */
  SAL_KEY_STORE_STRATEGY,
  SAL_KEY_STORE_ERROR
} sal_key_store;

/** The half of a key that only this folder needs, by the rank of the key in sal_keys. */
typedef struct {
  sal_key_kind kind;
  sal_enum_words words;
  sal_key_store store;
  uint32_t offset; /* in sal_sweep; of lists: of the first value */
} sal_key_slot;
extern const sal_key_slot sal_key_slots[SAL_N_KEY];

/** The key of this dotted name, or NULL. */
const sal_key *sal_key_named(const char *name);
/** Is this preset what happens without the key, rather than a value? */
bool sal_key_described(const sal_key *key);
/** Allowed values of a key: "from 1e-14 to 0.1", "certified, paper"; "" where the registries or the model
 *  decide, or anything goes. */
const char *sal_key_allowed(const sal_key *key, size_t size, char text[]);
