/** @file src/sweep/design_read.h
 *  Reading cells from a file.
 */
#ifndef SAL_DESIGN_READ_H
#define SAL_DESIGN_READ_H

#include "design.h"
#include "document.h"
#include "model.h"

/** The design of a sweep's `cells.file`, *design NULL where there is none: from the file beside the sweep, if the sweep may
 *  name files (`named`), else one that was given.  Puts columns, points and sum into the document and sets *changed.
 *  The file is a table (table_source.h) whose names are those of parameters and initial states of the model, with a unit
 *  in brackets or without; `cells.columns` chooses some of them, or names all of a file without names. */
SAL_MUST_CHECK sal_err sal_design_load(sal_document *document, bool named, const sal_model *model,
                                       sal_design **design, bool *changed);

#endif
