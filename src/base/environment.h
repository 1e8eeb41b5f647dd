/** The surroundings of the process: variables of the environment with units, ranges and presets, cores, stack, its program file,
 *  and folders of the user's own.
 */
#pragma once

#include "err.h"
#include <limits.h>
#include <stddef.h>

typedef enum {
  SAL_ENVIRONMENT_ROWS_MEMORY, /* [B] SALTUS_ROWS_MEMORY */
  SAL_ENVIRONMENT_CC_SECONDS,  /* SALTUS_CC_SECONDS */
  SAL_N_ENVIRONMENT
} sal_environment;

/** Fails (SAL_ERR_USAGE) with the first variable that is set to anything else than its table allows. */
sal_err sal_environment_check(void);

/** Its value, or its preset where it is not set, or to nothing, or to what sal_environment_check refuses. */
double sal_environment_number(sal_environment which);

/* ---- The cores that this process may run on. ---- */

enum { SAL_CORES_BYTES = 1024 }; /* of a set: a bit a core */

/** The set of cores that the system lets this process run on; empty where that is not known. */
void sal_cores_allowed(unsigned char set[SAL_CORES_BYTES]);

/** How many cores a set has. */
int sal_cores_count(const unsigned char set[SAL_CORES_BYTES]);

/* ---- Room on the stacks of threads. ---- */

/** Bytes that the stack of the first thread may have (ulimit -s). */
size_t sal_stack_limit(void);

/** Fails where a stack with so many bytes left has too little room for a run, or where threads > 1 and those that OpenMP
 *  starts would have too small ones. */
sal_err sal_stack_check(size_t left, int threads);

/* ---- Programs that a user has. ---- */

/** Where a program is: at a name with a folder in it, or else in the first folder of PATH that has it, as a shell looks for it,
 *  but that folders which depend on where one is are passed over.  False: nowhere. */
bool sal_program_path(const char *name, char path[PATH_MAX]);

/* Folders to work in, which go when their process ends.
 *
 * Such a folder has a file `made-by-saltus`, on which its process holds a lock.  One that a killed process has left is removed by the
 * next that makes one of that kind in the same place: where the file is there, is this user's, has our words and is not locked.  Names,
 * ages and links say nothing. */

typedef struct {
  int lock;            /* on the file; -1: none */
  char path[PATH_MAX]; /* "": none */
} sal_own_folder;

/** Makes the folder `in`/PREFIXxxxxxx, this user's alone, and removes those that have been left. */
sal_err sal_own_folder_open(const char *in, const char *prefix, sal_own_folder *f);
/** Removes it with all that is in it, also after a failure. */
void sal_own_folder_close(sal_own_folder *f);
