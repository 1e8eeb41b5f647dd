/** The kernels that an OpenBLAS has chosen for this CPU. */
#pragma once

enum { SAL_CPU_KERNELS = 64 };

/** Fills text [SAL_CPU_KERNELS] with "OpenBLAS Haswell" where what is loaded, a handle of the loader or NULL, has one; it
 *  stays as it is elsewhere. */
void sal_cpu_kernels_name(void *loaded, char text[]);
/** The same of the program; "": it has none. */
const char *sal_cpu_kernels_own(void);
