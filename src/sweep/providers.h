/** @file src/sweep/providers.h
 *  The table of what gives models and solvers in this program, which its main or its library's first call sets.
 */
#ifndef SAL_PROVIDERS_H
#define SAL_PROVIDERS_H

#include "provider.h"

/** Rows, ended by NULL, borrowed until the process ends; to be called before there are threads that read sweeps.
 *  Without a call the table is empty: models and methods of the kernels alone. */
void sal_providers_set(const sal_provider *const rows[]);

/** Library i, from 0, built in or not; NULL after the last. */
const sal_provider *sal_providers_library(int i);
/** The library called `name`, however it is spelt in capitals; NULL: there is none. */
const sal_provider *sal_providers_named(const char *name);
/** The library whose name a method's name begins with, be there such a method or not; NULL: none. */
const sal_provider *sal_providers_of(const char *method);
/** The row whose key begins a line of a text of a model or of a solver; NULL: the text has none. */
const sal_provider *sal_providers_keyed(sal_provides gives, const char *text);
/** The same, else the row that reads texts without a key, else one whose message names what lacks; NULL without such rows. */
const sal_provider *sal_providers_reader(sal_provides gives, const char *text);

/** Differences between this thread's last text and what was kept of it, as a sentence; "": none. */
const char *sal_providers_note(void);
/** At the end of the process: `finalize` of each. */
void sal_providers_finalize(void);

#endif
