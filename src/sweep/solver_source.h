/** @file src/sweep/solver_source.h
 *  Solvers that stand in files of their own, `solvers: [ode45, my-pair.yaml]`: texts of solvers.
 */
#ifndef SAL_SOLVER_SOURCE_H
#define SAL_SOLVER_SOURCE_H

#include "document.h"
#include "err.h"
#include "sweep.h"

/** Reads a text, whose name has to be a new one; `path` heads the messages.  sal_provided_free frees it; *solver
 *  is NULL on failure. */
SAL_MUST_CHECK sal_err sal_solver_source_parse(const char *path, const char *text,
                                               sal_provided **solver);
/** Is the file of that path one of a solver, by the key that begins a line of it?  false, and no message, where it
 *  cannot be read. */
bool sal_solver_source_is_of(const char *path);
/** Reads the file of that path, as sal_solver_source_parse. */
SAL_MUST_CHECK sal_err sal_solver_source_read(const char *path, sal_provided **solver);

/** Reads the solvers of a sweep that are texts: those of the key solver_texts, as a cube holds them, and those of
 *  the files in `solvers`, from beside the sweep, if it may name files (`named`).  The texts of these are put
 *  into solver_texts and their names take the place of the files', which sets *changed.  The sweep owns them,
 *  also on failure. */
SAL_MUST_CHECK sal_err sal_solver_source_load(sal_document *document, bool named, sal_sweep *sweep,
                                              bool *changed);

/** Is solver i of sweep a the same as solver k of sweep b: of the same name and, where it is from a text, of the same one? */
bool sal_solver_source_same(const sal_sweep *a, int i, const sal_sweep *b, int k);

#endif
