/** @file src/base/cores.h
 *  The cores that this process may run on.
 */
#ifndef SAL_CORES_H
#define SAL_CORES_H

enum { SAL_CORES_BYTES = 1024 }; /* of a set: a bit a core */

/** The set of cores that the system lets this process run on; empty where that is not known. */
void sal_cores_allowed(unsigned char set[SAL_CORES_BYTES]);

/** How many cores a set has. */
int sal_cores_count(const unsigned char set[SAL_CORES_BYTES]);

#endif
