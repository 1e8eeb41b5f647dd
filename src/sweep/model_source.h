/** Models and solvers in files of their own, `model: vehicle.yaml`, by their texts; and the identity of a sweep with such texts.
 */
#pragma once

#include "sweep.h"

/** A model in C that the user has had compiled: from here on `name`, its file, stands for it in a sweep of the user's own that this thread
 *  reads.
 *  A text out of a cube may name it too, where it holds the same C.  All of it is borrowed until the program ends. */
void sal_model_source_give(const char *name, const char *text, const sal_model *model);

/** NULL, or a sentence about a name that is a file of C or a shared object and was not given: nothing that a sweep or a
 *  cube names is compiled or loaded. */
const char *sal_model_source_flaw(const char *name);

/** Is the name that of a file: does it end with .yaml or .yml, or was it given? */
bool sal_model_source_is_file(const char *name);

/** Reads the file of that path; sal_provided_free frees it.  *source is NULL on failure. */
sal_err sal_model_source_read(const char *path, sal_provided **source);

/** Reads the model of a sweep where that is a file: from the key model_text, as a cube holds it, or
 *  else, if the sweep may name files (`named`), from beside the sweep, and then puts the text there and sets
 *  *changed.  *source is NULL for any other model. */
sal_err sal_model_source_load(sal_document *document, bool named, sal_provided **source,
                              bool *changed);

/** Are two sweeps of the same model, by values? */
bool sal_model_source_same(const sal_sweep *a, const sal_sweep *b);

/* Solvers that stand in files of their own, `solvers: [ode45, my-pair.yaml]`: texts of solvers. */

/** Reads a text, whose name has to be a new one; `path` heads the messages.  sal_provided_free frees it; *solver
 *  is NULL on failure. */
sal_err sal_solver_source_parse(const char *path, const char *text, sal_provided **solver);
/** Is the file of that path one of a solver, by the key that begins a line of it?  false, and no message, where it
 *  cannot be read. */
bool sal_solver_source_is_of(const char *path);
/** Reads the file of that path, as sal_solver_source_parse. */
sal_err sal_solver_source_read(const char *path, sal_provided **solver);

/** Reads the solvers of a sweep that are texts: those of the key solver_texts, as a cube holds them, and those of
 *  the files in `solvers`, from beside the sweep, if it may name files (`named`).  The texts of these are put
 *  into solver_texts and their names take the place of the files', which sets *changed.  The sweep owns them,
 *  also on failure. */
sal_err sal_solver_source_load(sal_document *document, bool named, sal_sweep *sweep, bool *changed);

/** Is solver i of sweep a the same as solver k of sweep b: of the same name and, where it is from a text, of the same one? */
bool sal_solver_source_same(const sal_sweep *a, int i, const sal_sweep *b, int k);

/* The values that results depend on: one line for each key whose value is not its preset.
 *
 *     model.parameters.k.preset: 4
 *     rtol: [1e-06, 1e-08]
 *
 * Numbers stand in one way, whatever they are written as, and no line has titles, descriptions, sources, comments or
 * line ends.  Two sweeps with the same lines have the same results. */

/** Fills sweep->settled and ->settled_line from the document that the sweep, which is checked, was read from. */
sal_err sal_identity_settle(const sal_document *document, sal_sweep *sweep);

/** The lines of the text of a model or a solver; the caller frees them by sal_free, NULL: memory ran out. */
char *sal_identity_of_model(const sal_provided *model);
char *sal_identity_of_solver(const sal_provided *solver);
