/** A row for each line of providers.def, of the wing or of what stands for one that is left out. */
#include "wings.h"

#define SAL_PROVIDER(wing, row, ...) extern const sal_provider row;
#include "providers.def"
#undef SAL_PROVIDER

#define PICK_1(row, ...) &row
#define PICK_0(row, gives_, name_, key_, missing_)                                                 \
  &(const sal_provider) { SAL_PROVIDES_##gives_, .name = name_, .key = key_, .missing = missing_ }
#define PICK(has, ...) PICK_##has(__VA_ARGS__)
#define PICK_BY(has, ...) PICK(has, __VA_ARGS__)

const sal_provider *const sal_wings[] = {
#define SAL_PROVIDER(wing, ...) PICK_BY(SAL_HAS_##wing, __VA_ARGS__),
#include "providers.def"
    NULL};
