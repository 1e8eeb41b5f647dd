/** Properties of a machine on which the last digits of results may depend, as text. */
#pragma once

#include "sweep.h"
#include "text.h"
#include <mpi.h>

/** Between two machines of a set: "x86_64, 4 lanes, glibc 2.36 fma; x86_64, ..". */
#define SAL_MACHINE_AND "; "

/** Adds this machine to an empty set: its architecture and widest lanes, the C library and the variant of its
 *  mathematical functions that it has chosen for the CPU, and the kernels of the BLAS that the sweep's methods use. */
sal_err sal_machine_describe(const sal_sweep *sweep, sal_text *set);

/** Adds the machines of n bytes that the set lacks; it is in the order of words. */
sal_err sal_machine_join(sal_text *set, const char *machines, size_t n);

/** Collective.  Adds the machines of all ranks to a set, which is the same on all of them. */
sal_err sal_machine_gather(MPI_Comm comm, const sal_text *mine, sal_text *set);

/** How many there are in a set. */
int sal_machine_count(const sal_text *set);

/** May last digits of a sweep's results differ between the machines of a set?  Its own solvers have the same bits on all CPUs of an
 *  architecture; those of other libraries and models in C may not. */
bool sal_machine_differ(const sal_sweep *sweep, const sal_text *set);

/** The failure of --same-cpu where a set has several that differ; `where` are its journals. */
sal_err sal_machine_refuse(const char *where, const sal_text *set);
