/** From the values of a sweep file to a sweep that can be run. */
#pragma once

#include "design.h"
#include "sweep.h"

/** Writes out the words for many methods in `solvers`; *changed where there are any. */
sal_err sal_validate_settle_methods(sal_document *document, bool *changed);

/** Reads `libraries` and `solvers`; without the latter nothing.  Where the sweep is read for its results
 *  alone (sweep->results), methods of libraries that are not in this build, or that options select,
 *  are known by name. */
sal_err sal_validate_methods(const sal_document *document, sal_sweep *sweep);

/** Reads the document, whose model is known or NULL, into the sweep, by the table of keys (keys.def): kinds, words, lengths
 *  and ranges are checked.  On failure the caller frees what has been filled; that the model is missing or unknown is
 *  one. */
sal_err sal_keys_read(const sal_document *document, const sal_model *model, sal_sweep *sweep);
/** Fails because a mapping lacks the key of this dotted name. */
sal_err sal_key_missing(const sal_document *document, int mapping, const char *name);

/** Checks values against each other, and fills the rest of the sweep but for its strings.  On failure
 *  the caller frees what has been filled. */
sal_err sal_validate(const sal_document *document, const sal_model *model, sal_sweep *sweep);

/* Data that all steps from a sweep file to a sweep share, and the steps that have files of their own: each
 * uses the members that steps above it have filled. */

typedef struct {
  const sal_document *document;
  const sal_model *model;
  sal_sweep *sweep; /* filled step by step */
} sal_validation;

/** Fills the roles of sweep->cutoff, and sweep->budget; methods and left-out pairs are there already. */
sal_err sal_validate_cutoff(const sal_validation *context);
/** Fills axes and cells, and checks all cells.  Scattered cells are among them. */
sal_err sal_validate_cells(const sal_validation *context);
/** Adds the cells of cells.scattered after those of the axes, which are there already.  Sets
 *  n_cell. */
sal_err sal_scattered_validate(const sal_validation *context);
/** Checks sweep->pilots; the cells are there already. */
sal_err sal_validate_pilots(const sal_validation *context);
/** Fills the rest of sweep->orbit; the fixed values of the cells are known. */
sal_err sal_validate_orbit(const sal_validation *context);
/** To be called last: it takes cells, configurations and mesh from the sweep. */
sal_err sal_validate_stored(const sal_validation *context);

/** The cells of a word, "17" or "20-29", out of n_cell. */
sal_err sal_stored_word(sal_err code, const char *where, const char *word, int64_t n_cell,
                        sal_tile *run);
/** Lists the cells of runs, which it sorts; none may be there twice.  Replaces the list in *out. */
sal_err sal_stored_cells(sal_err code, const char *where, int64_t n, sal_tile run[],
                         sal_stored_trajectories *out);

/* ---- One axis as the sweep file has it. ---- */

/** Where an axis stands, and what to call it. */
typedef struct {
  const sal_validation *context;
  int node;          /* the mapping */
  const char *label; /* "entry 2 of cells.axes", "cells" */
} sal_axis_entry;

/** Reads and checks an axis, but does not make the values of one that has a formula.  On failure
 *  the caller frees axis->value. */
sal_err sal_axis_read(const sal_axis_entry *entry, sal_axis *axis);

/** Reads `rows` for `columns`, which may be options here: an axis of kind rows.  On failure as above. */
sal_err sal_axis_read_rows(const sal_axis_entry *entry, sal_axis *axis);

/** Makes those values, and refuses points that are the same. */
sal_err sal_axis_read_fill(const sal_axis_entry *entry, sal_axis *axis);

/* ---- Reading cells from a file. ---- */

/** The largest values of the model's counts in `cells.file`, most [n_count]; -infinite where it has none. */
sal_err sal_design_counts(const sal_document *document, bool named, const sal_model *model,
                          double most[]);

/** The design of a sweep's `cells.file`, *design NULL where there is none: from the file beside the sweep, if the sweep may
 *  name files (`named`), else one that was given.  Puts columns, points and sum into the document and sets *changed.
 *  The file is a table (table_source.h) whose names are those of parameters and initial states of the model, with a unit
 *  in brackets or without; `cells.columns` chooses some of them, or names all of a file without names. */
sal_err sal_design_load(sal_document *document, bool named, const sal_model *model,
                        sal_design **design, bool *changed);
