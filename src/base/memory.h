/** Memory for arrays: zeroed, aligned to a cache line (and so to the widest lanes), and counted, so
 *  that a test can see that all of it came back.  Thread-safe.
 */
#pragma once

#include <stddef.h>

/** count * size zeroed bytes, aligned to 64; NULL without memory, or where the product
 *  overflows.  A product of 0 gives a pointer that must be freed, too. */
void *sal_alloc(size_t count, size_t size) __attribute__((alloc_size(1, 2), malloc));
/** Frees what sal_alloc gave; NULL is nothing. */
void sal_free(void *memory);
/** sal_free of each of these pointers. */
#define sal_free_all(...) sal_memory_free_all((const void *const[]){__VA_ARGS__, &sal_memory_end})
extern const char sal_memory_end;
void sal_memory_free_all(const void *const memory[]);

/** Before the declaration of a pointer: sal_free takes it when its block ends, on every way out.  A pointer
 *  that is handed on from there is set to NULL. */
#define SAL_OWN __attribute__((cleanup(sal_memory_drop)))
/** The same for a value of a type of its own, by the function that frees what it holds. */
#define SAL_OWN_BY(free) __attribute__((cleanup(free)))
/** Calls sal_free with the pointer that lies at this address. */
void sal_memory_drop(void *pointer);

/** Pieces of sal_alloc not yet freed. */
long sal_memory_live(void);
/** Their bytes, what the allocator adds to each included; and the most that they were since the last
 *  call of sal_memory_watch, or the beginning. */
size_t sal_memory_bytes(void);
size_t sal_memory_most(void);
void sal_memory_watch(void);
