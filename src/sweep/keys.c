/** The table of keys. */
#include "keys.h"
#include "base.h"
#include "sweep.h"
#include "value.h"
#include <float.h>

#define POSITIVE DBL_MIN
#define UNBOUNDED INFINITY

#define SAL_KEY(member, name, kind, words, preset, least, most, what)                              \
  {name, preset, what, least, most},
#define SAL_KEY_CHECKED(...) SAL_KEY(, __VA_ARGS__)
#define SAL_KEY_GROUP(name, kind, preset, what) SAL_KEY(, name, kind, , preset, 0, 0, what)
const sal_key sal_keys[] = {
#include "keys.def"
    {NULL, NULL, NULL, 0, 0}};
#undef SAL_KEY
#undef SAL_KEY_CHECKED
#undef SAL_KEY_GROUP

/* By the type of a member, or of the first one of an array. */
#define MEMBER(member) (((sal_sweep *)NULL)->member)
#define STORE(member)                                                                              \
  _Generic(MEMBER(member), double                                                                  \
           : SAL_KEY_STORE_DOUBLE, double *                                                        \
           : SAL_KEY_STORE_DOUBLE, int                                                             \
           : SAL_KEY_STORE_INT, unsigned                                                           \
           : SAL_KEY_STORE_INT, int64_t                                                            \
           : SAL_KEY_STORE_INT64, bool                                                             \
           : SAL_KEY_STORE_BOOL, char *                                                            \
           : SAL_KEY_STORE_TEXT, const sal_strategy **                                             \
           : SAL_KEY_STORE_STRATEGY, const sal_error_metric *                                      \
           : SAL_KEY_STORE_ERROR)
#define SAL_KEY(member, name, kind, words, preset, least, most, what)                              \
  {SAL_KEY_##kind, SAL_ENUM_##words, STORE(member), offsetof(sal_sweep, member)},
#define SAL_KEY_CHECKED(name, kind, words, preset, least, most, what)                              \
  {SAL_KEY_##kind, SAL_ENUM_##words, SAL_KEY_STORE_NONE, 0},
#define SAL_KEY_GROUP(name, kind, preset, what)                                                    \
  {SAL_KEY_##kind, SAL_ENUM_NONE, SAL_KEY_STORE_NONE, 0},
const sal_key_slot sal_key_slots[SAL_N_KEY] = {
#include "keys.def"
};
#undef SAL_KEY
#undef SAL_KEY_CHECKED
#undef SAL_KEY_GROUP

const char *sal_key_type(const sal_key *key)
{
#define SAL_KEY_KIND(id, type) type
  static const char *const type[] = {SAL_KEY_KINDS(SAL_KEY_KIND)};
#undef SAL_KEY_KIND

  return type[sal_key_slots[key - sal_keys].kind];
}

const sal_key *sal_key_named(const char *name)
{
  for (const sal_key *key = sal_keys; key->name; ++key)
    if (strcmp(key->name, name) == 0) return key;
  return NULL;
}

bool sal_key_described(const sal_key *key) { return key->preset[0] == '('; }

const char *sal_key_allowed(const sal_key *key, size_t size, char text[])
{
  const sal_key_slot *slot = &sal_key_slots[key - sal_keys];
  const char *names[SAL_MAX_WORD + 1];
  char range[SAL_ALLOWED] = "";
  const bool is_number =
      slot->kind == SAL_KEY_NUMBER || slot->kind == SAL_KEY_WHOLE || slot->kind == SAL_KEY_NUMBERS;
  if (is_number) sal_value_allowed(key->least, key->most, range);
  int n = snprintf(text, size, "%s", range);
  if (slot->words < SAL_ENUM_JACOBIANS) return text;
  sal_enum_words_gather(slot->words, NULL, names);
  for (int i = 0; names[i] && (size_t)n < size; ++i)
    n += snprintf(text + n, size - (size_t)n, "%s%s", i ? ", " : "", names[i]);
  return text;
}
