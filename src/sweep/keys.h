/** The keys of a sweep file, made from keys.def: for the parser, help texts and the README.
 *
 *  To add a key, put a line in keys.def; one that fills sal_sweep needs the member there.
 */
#pragma once

#include "enum_words.h"

/** One key. */
typedef struct {
  const char *name;   /* dotted where it lies in a mapping */
  const char *preset; /* YAML text, or in brackets: "(required)", or what happens without it */
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

/** Kinds of values, and their types in words.  axis_read.c reads VALUES (of a length, or a kind, that other keys decide) and
 *  LOG (ends, or what a box is drawn by), validate_orbit.c FIELDS, validate_stored.c CELLS, validate_methods.c METHODS and
 *  LIBRARIES, solver_source.c TEXTS, validate_cutoff.c NAMES (of the sweep's own methods), validate.c MEASURES; GROUP is a mapping of keys that
 *  have lines of their own, AXES a list of such mappings. */
#define SAL_KEY_KINDS(K)                                                                           \
  K(TEXT, "text"), K(NUMBER, "number"), K(WHOLE, "whole number"), K(WORD, "word"),                 \
      K(WORDS, "list of words"), K(NUMBERS, "list of numbers"), K(RANGE, "two numbers"),           \
      K(RANGES, "list of two numbers each"), K(VALUES, "list"),                                    \
      K(LOG, "two numbers, or word, or list of words"), K(ROWS, "list of lists of numbers"),       \
      K(FIELDS, "mapping of numbers"), K(CELLS, "list of cells, or word"),                         \
      K(METHODS, "list of words"), K(LIBRARIES, "list of mappings"), K(TEXTS, "list of texts"),    \
      K(NAMES, "list of words"), K(GROUP, "mapping"), K(AXES, "list of mappings"),                 \
      K(OPTIONS, "mapping of words"), K(PARAMETERS, "mapping of numbers"),                         \
      K(INITIAL, "mapping of numbers"), K(MEASURES, "mapping of texts, or list of names"),         \
      K(SCALES, "mapping of numbers")
#define SAL_KEY_KIND(id, type) SAL_KEY_##id
typedef enum { SAL_KEY_KINDS(SAL_KEY_KIND), SAL_N_KEY_KIND } sal_key_kind;
#undef SAL_KEY_KIND

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

/** Its type in words. */
const char *sal_key_type(const sal_key *key);
/** The key of this dotted name, or NULL. */
const sal_key *sal_key_named(const char *name);
/** Is this preset what happens without the key, rather than a value? */
bool sal_key_described(const sal_key *key);
/** Allowed values of a key: "from 1e-14 to 0.1", "certified, paper"; "" where the registries or the model
 *  decide, or anything goes. */
const char *sal_key_allowed(const sal_key *key, size_t size, char text[]);
