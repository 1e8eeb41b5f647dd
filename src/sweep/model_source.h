/** @file src/sweep/model_source.h
 *  A model that stands in a file of its own, `model: vehicle.yaml`: a text of bodies or of equations.
 */
#ifndef SAL_MODEL_SOURCE_H
#define SAL_MODEL_SOURCE_H

#include "document.h"
#include "err.h"
#include "provided.h"
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
SAL_MUST_CHECK sal_err sal_model_source_read(const char *path, sal_provided **source);

/** Reads the model of a sweep where that is a file: from the key model_text, as a cube holds it, or
 *  else, if the sweep may name files (`named`), from beside the sweep, and then puts the text there and sets
 *  *changed.  *source is NULL for any other model. */
SAL_MUST_CHECK sal_err sal_model_source_load(sal_document *document, bool named,
                                             sal_provided **source, bool *changed);

/** Are two sweeps of the same model, by values (identity.h)? */
bool sal_model_source_same(const sal_sweep *a, const sal_sweep *b);

#endif
