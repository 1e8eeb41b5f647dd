/** Aligned, zeroed, counted. */
#include "memory.h"
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static atomic_long live;
static atomic_size_t given, most;

/* Counts a piece, and with it the most. */
static void count(size_t bytes)
{
  const size_t now = atomic_fetch_add(&given, bytes) + bytes;
  size_t before = atomic_load(&most);

  while (now > before && !atomic_compare_exchange_weak(&most, &before, now)) {
  }
  atomic_fetch_add(&live, 1);
}

void *sal_alloc(size_t n, size_t size)
{
  if (size && n > (PTRDIFF_MAX - ALIGNMENT) / size) return NULL;
  /* aligned_alloc wants whole multiples of the alignment. */
  const size_t lines = (n * size + ALIGNMENT - 1) / ALIGNMENT;
  const size_t bytes = ALIGNMENT * (lines ? lines : 1);
  void *memory = aligned_alloc(ALIGNMENT, bytes);
  if (!memory) return NULL;
  count(malloc_usable_size(memory));
  return memset(memory, 0, bytes);
}

void sal_free(void *memory)
{
  if (!memory) return;
  atomic_fetch_sub(&live, 1);
  atomic_fetch_sub(&given, malloc_usable_size(memory));
  free(memory);
}

const char sal_memory_end = 0;

void sal_memory_free_all(const void *const memory[])
{
  for (; *memory != &sal_memory_end; memory++) sal_free((void *)*memory);
}

void sal_memory_drop(void *pointer)
{
  void *memory;

  memcpy(&memory, pointer, sizeof memory); /* whatever type it points to */
  sal_free(memory);
}

long sal_memory_live(void) { return atomic_load(&live); }

size_t sal_memory_bytes(void) { return atomic_load(&given); }

size_t sal_memory_most(void) { return atomic_load(&most); }

void sal_memory_watch(void) { atomic_store(&most, atomic_load(&given)); }
