/** @file src/base/memory.c
 *  Aligned, zeroed, counted.
 */
#include "memory.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static atomic_long live;

void *sal_alloc(size_t count, size_t size)
{
  if (size && count > (PTRDIFF_MAX - ALIGNMENT) / size) return NULL;
  /* aligned_alloc wants whole multiples of the alignment. */
  const size_t lines = (count * size + ALIGNMENT - 1) / ALIGNMENT;
  const size_t bytes = ALIGNMENT * (lines ? lines : 1);
  void *memory = aligned_alloc(ALIGNMENT, bytes);
  if (!memory) return NULL;
  atomic_fetch_add(&live, 1);
  return memset(memory, 0, bytes);
}

void sal_free(void *memory)
{
  if (!memory) return;
  atomic_fetch_sub(&live, 1);
  free(memory);
}

void sal_memory_drop(void *pointer)
{
  void *memory;

  memcpy(&memory, pointer, sizeof memory); /* whatever type it points to */
  sal_free(memory);
}

long sal_memory_live(void) { return atomic_load(&live); }
