/** @file src/libs/library_methods.c
 *  The libraries, in one table.
 */
#include "library_methods.h"
#include <stddef.h>

const sal_library sal_libraries[] = {{.name = NULL}};
