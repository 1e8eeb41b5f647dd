/** The heap gives its elements back in order, all of them, whatever is put in between. */
#include "heap.h"
#include "memory.h"
#include "sal_test.h"
#include <string.h>

enum { N = 5000, KEYS = 50 };

typedef struct {
  double key;
  int number;
  char rest[7]; /* a size that is not a power of two */
} item;

static bool is_before(const void *a, const void *b)
{
  const item *x = a, *y = b;

  return x->key != y->key ? x->key < y->key : x->number < y->number;
}

static uint64_t state = 12345;

static int drawn(int n)
{
  state = state * 6364136223846793005U + 1442695040888963407U;
  return (int)((state >> 33) % (uint64_t)n);
}

static item item_of(int number)
{
  item i = {drawn(KEYS), number, ""};

  snprintf(i.rest, sizeof i.rest, "%d", number);
  return i;
}

static void elements_come_out_in_order(void)
{
  sal_heap heap = {.size = sizeof(item), .before = is_before};
  bool seen[N] = {false};
  item last = {.key = -1}, one;
  char number[16];
  int n = 0;

  for (int i = 0; i < N; ++i) {
    one = item_of(i);
    CU_ASSERT_FATAL(sal_heap_put(&heap, &one));
  }
  CU_ASSERT(heap.n == N);
  for (; sal_heap_take(&heap, &one); ++n) {
    CU_ASSERT(is_before(&last, &one) && !seen[one.number]);
    snprintf(number, sizeof number, "%d", one.number);
    CU_ASSERT_STRING_EQUAL(one.rest, number); /* all of the element has moved */
    seen[one.number] = true;
    last = one;
  }
  CU_ASSERT(n == N && last.key == KEYS - 1 && heap.n == 0);
  sal_heap_free(&heap);
}

/* Against a list that is searched from end to end. */
static void puts_and_takes_may_mix(void)
{
  sal_heap heap = {.size = sizeof(item), .before = is_before};
  item list[N];
  int n = 0;

  for (int i = 0; i < N; ++i)
    if (n == 0 || drawn(5) < 3) {
      list[n] = item_of(i);
      CU_ASSERT_FATAL(sal_heap_put(&heap, &list[n++]));
    } else {
      int first = 0;
      item one;
      for (int k = 1; k < n; ++k)
        if (is_before(&list[k], &list[first])) first = k;
      CU_ASSERT(memcmp(&list[first], heap.element, sizeof(item)) == 0); /* a look without taking */
      CU_ASSERT_FATAL(sal_heap_take(&heap, &one));
      CU_ASSERT(one.number == list[first].number);
      list[first] = list[--n];
    }
  CU_ASSERT(heap.n == n && n > 100);
  sal_heap_free(&heap);
}

static void an_empty_heap_gives_nothing(void)
{
  sal_heap heap = {.size = sizeof(item), .before = is_before};
  item one;

  CU_ASSERT(!sal_heap_take(&heap, &one));
  one = item_of(1);
  CU_ASSERT(sal_heap_put(&heap, &one) && sal_heap_take(&heap, &one));
  CU_ASSERT(!sal_heap_take(&heap, &one));
  sal_heap_free(&heap);
  sal_heap_free(&heap);
  CU_ASSERT(sal_memory_live() == 0);
}

SAL_TEST_MAIN("heap", NULL, {"elements come out in order", elements_come_out_in_order},
              {"puts and takes may mix", puts_and_takes_may_mix},
              {"an empty heap gives nothing", an_empty_heap_gives_nothing})
