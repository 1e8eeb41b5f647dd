/** An array that grows keeps what it has, and its room when memory is short. */
#include "array.h"
#include "memory.h"
#include "sal_test.h"
#include <string.h>

typedef struct {
  int64_t number;
  char name[24];
} item;

static void items_stay_where_they_are(void)
{
  enum { N = 5000 };
  item *list = NULL;
  int64_t n = 0, room = 0;

  for (; n < N; ++n) {
    item *longer = sal_array_grow(list, n, 1, &room, sizeof *longer);
    CU_ASSERT_PTR_NOT_NULL_FATAL(longer);
    CU_ASSERT_FATAL(room > n);
    list = longer;
    list[n] = (item){.number = 7 * n, .name = "seven times"};
  }
  for (int64_t i = 0; i < N; ++i) {
    CU_ASSERT_EQUAL(list[i].number, 7 * i);
    CU_ASSERT_STRING_EQUAL(list[i].name, "seven times");
  }
  for (int64_t i = N; i < room; ++i) CU_ASSERT_EQUAL(list[i].number, 0);
  sal_free(list);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* A thousand items take few moves. */
static void an_array_moves_seldom(void)
{
  double *list = NULL;
  int64_t room = 0;
  int moves = 0;

  for (int64_t n = 0; n < 1000; ++n) {
    const int64_t before = room;
    list = sal_array_grow(list, n, 1, &room, sizeof *list);
    CU_ASSERT_PTR_NOT_NULL_FATAL(list);
    moves += room != before;
  }
  CU_ASSERT(moves > 0 && moves <= 10);
  sal_free(list);
}

static void many_items_come_at_once(void)
{
  char *text = sal_array_grow(NULL, 0, 1000, &(int64_t){0}, 1);
  int64_t room = 0;

  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  memset(text, 'x', 1000);
  sal_free(text);
  text = sal_array_grow(NULL, 0, 3, &room, 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  memcpy(text, "abc", 3);
  text = sal_array_grow(text, 3, 5000, &room, 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CU_ASSERT(room >= 5003);
  CU_ASSERT_NSTRING_EQUAL(text, "abc", 3);
  memset(text + 3, 'x', 5000);
  sal_free(text);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void without_memory_the_array_is_as_it_was(void)
{
  int64_t room = 0;
  double *list = sal_array_grow(NULL, 0, 4, &room, sizeof *list);

  CU_ASSERT_PTR_NOT_NULL_FATAL(list);
  list[3] = 3;
  const int64_t before = room, too_many[] = {INT64_MAX / 8, INT64_MAX};
  for (int i = 0; i < 2; ++i) {
    CU_ASSERT_PTR_NULL(sal_array_grow(list, 4, too_many[i], &room, sizeof *list));
    CU_ASSERT_EQUAL(room, before);
  }
  CU_ASSERT_EQUAL(list[3], 3);
  CU_ASSERT_EQUAL(sal_memory_live(), 1);
  sal_free(list);
}

SAL_TEST_MAIN("array", NULL, {"items stay where they are", items_stay_where_they_are},
              {"an array moves seldom", an_array_moves_seldom},
              {"many items come at once", many_items_come_at_once},
              {"without memory the array is as it was", without_memory_the_array_is_as_it_was})
