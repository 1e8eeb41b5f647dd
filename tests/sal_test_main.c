/** The program of a folder of tests: runs the one whose name comes first, with the arguments after it.
 *  tests.def names them all: tests/CMakeLists.txt writes it.
 */
#ifdef SAL_TEST_WINGS
#include "providers.h"
#include "wings.h"
#endif
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SAL_TEST(name) int test_main_##name(int argc, char *argv[]);
#include "tests.def"
#undef SAL_TEST

static const struct {
  const char *name;
  int (*run)(int argc, char *argv[]);
} tests[] = {
#define SAL_TEST(name) {#name, test_main_##name},
#include "tests.def"
#undef SAL_TEST
};

int main(int argc, char *argv[])
{
  const size_t n = sizeof tests / sizeof *tests;

#ifdef SAL_TEST_WINGS
  sal_providers_set(sal_wings);
#endif
  for (size_t i = 0; i < n && argc > 1; ++i)
    if (strcmp(argv[1], tests[i].name) == 0) return tests[i].run(argc - 1, argv + 1);
  fprintf(stderr, "usage: %s TEST [ARGUMENT]..; one of\n", argv[0]);
  for (size_t i = 0; i < n; ++i) fprintf(stderr, "  %s\n", tests[i].name);
  return 2;
}
