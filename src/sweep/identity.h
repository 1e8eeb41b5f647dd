/** @file src/sweep/identity.h
 *  What results depend on, by values: one line for each key whose value is not its preset.
 *
 *      model.parameters.k.preset: 4
 *      rtol: [1e-06, 1e-08]
 *
 *  Numbers stand in one way, whatever they are written as, and no line has titles, descriptions, sources, comments or
 *  line ends.  Two sweeps with the same lines have the same results.
 */
#ifndef SAL_IDENTITY_H
#define SAL_IDENTITY_H

#include "document.h"
#include "sweep.h"

/** Fills sweep->settled and ->settled_line from the document that the sweep, which is checked, was read from. */
SAL_MUST_CHECK sal_err sal_identity_settle(const sal_document *document, sal_sweep *sweep);

/** The lines of the text of a model or a solver; the caller frees them by sal_free, NULL: memory ran out. */
char *sal_identity_of_model(const sal_provided *model);
char *sal_identity_of_solver(const sal_provided *solver);

#endif
