/** Memory is zeroed, aligned and counted, and goes with the block that owns it. */
#include "memory.h"
#include "sal_test.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static void memory_is_zero_and_aligned(void)
{
  for (size_t n = 1; n < 300; n += 7) {
    unsigned char *dirty = sal_alloc(n, 3);
    memset(dirty, 0xff, 3 * n);
    sal_free(dirty);
    unsigned char *memory = sal_alloc(n, 3);
    size_t sum = 0;
    for (size_t i = 0; i < 3 * n; ++i) sum += memory[i];
    CU_ASSERT_EQUAL(sum, 0);
    CU_ASSERT_EQUAL((uintptr_t)memory % 64, 0);
    sal_free(memory);
  }
}

static void live_pieces_are_counted(void)
{
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
  void *a = sal_alloc(1, 1), *b = sal_alloc(0, 8);
  CU_ASSERT_PTR_NOT_NULL(b);
  CU_ASSERT_EQUAL(sal_memory_live(), 2);
  sal_free(a);
  sal_free(NULL);
  CU_ASSERT_EQUAL(sal_memory_live(), 1);
  sal_free(b);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void bytes_and_the_most_of_them_are_counted(void)
{
  const size_t before = sal_memory_bytes();

  sal_memory_watch();
  void *a = sal_alloc(1000, 8);
  void *b = sal_alloc(1000, 4);
  CU_ASSERT(sal_memory_bytes() - before >= 12000 && sal_memory_bytes() - before < 12400);
  sal_free(a);
  CU_ASSERT(sal_memory_bytes() - before < 4200);
  CU_ASSERT(sal_memory_most() - before >= 12000);
  sal_free(b);
  CU_ASSERT_EQUAL(sal_memory_bytes(), before);
  sal_memory_watch();
  CU_ASSERT_EQUAL(sal_memory_most(), before);
}

/* Two pieces, the second handed on unless the caller wants to leave early. */
static char *leave(bool early)
{
  SAL_OWN char *scratch = sal_alloc(8, 1);
  SAL_OWN char *result = sal_alloc(8, 1);
  if (early || !scratch || !result) return NULL;
  char *handed_on = result;
  result = NULL;
  return handed_on;
}

typedef struct {
  char *inside;
} holder;

static void holder_free(holder *h) { sal_free(h->inside); }

static void what_a_block_owns_goes_with_it(void)
{
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
  CU_ASSERT_PTR_NULL(leave(true));
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
  char *kept = leave(false);
  CU_ASSERT_PTR_NOT_NULL(kept);
  CU_ASSERT_EQUAL(sal_memory_live(), 1);
  sal_free(kept);
  for (int i = 0; i < 3; ++i) {
    SAL_OWN_BY(holder_free) holder h = {sal_alloc(8, 1)};
    CU_ASSERT_EQUAL(sal_memory_live(), 1);
    if (i == 1) continue; /* leaves the block, too */
    CU_ASSERT_PTR_NOT_NULL(h.inside);
  }
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void what_cannot_be_had_is_null(void)
{
  volatile size_t huge = SIZE_MAX;
  CU_ASSERT_PTR_NULL(sal_alloc(huge, 2));
  CU_ASSERT_PTR_NULL(sal_alloc(huge / 2, 8));
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("memory", NULL, {"memory is zero and aligned", memory_is_zero_and_aligned},
              {"live pieces are counted", live_pieces_are_counted},
              {"bytes, and the most of them, are counted", bytes_and_the_most_of_them_are_counted},
              {"what a block owns goes with it", what_a_block_owns_goes_with_it},
              {"what cannot be had is NULL", what_cannot_be_had_is_null})
