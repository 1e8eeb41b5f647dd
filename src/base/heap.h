/** A binary heap of elements of one size: the first in order can be looked at and taken out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** {.size = sizeof element, .before = ..} is an empty heap; sal_heap_free frees it. */
typedef struct {
  size_t size;                                /* bytes of an element */
  bool (*before)(const void *, const void *); /* is a to be taken out before b? strict */
  int64_t n, room;
  char *element; /* [n] of size bytes; the first one is element 0 */
} sal_heap;

/** Copies an element into the heap; false: no memory, and the heap is as it was. */
bool sal_heap_put(sal_heap *heap, const void *element);
/** Moves the first element to *element; false when there is none. */
bool sal_heap_take(sal_heap *heap, void *element);
void sal_heap_free(sal_heap *heap);
