/** Reading a sweep file. */
#pragma once

#include "sweep.h"

/** Reads and checks a sweep file, with n_set overrides "key=value" (value in YAML; dots reach into
 *  mappings: "options.adhesion=clamp").  On failure *sweep is empty and the message names file,
 *  line, what was found, what is allowed and the nearest valid name. */
sal_err sal_sweep_read(const char *path, int n_set, const char *const set[], sal_sweep *sweep);
/** The same from text; `path` is used in messages only. */
sal_err sal_sweep_parse(const char *path, const char *text, int n_set, const char *const set[],
                        sal_sweep *sweep);

/** Parses a sweep's text out of a cube or a journal, to be run.  Files that it names are not read, except the files in
 *  `trust`; each of these must be of a configuration that is recorded in a file. */
sal_err sal_sweep_parse_stored(const char *path, const char *text, int n_set,
                               const char *const set[], const sal_sweep_trust *trust,
                               sal_sweep *sweep);

/** A sweep's text for its results, as a cube or a journal holds it.  Methods that this build lacks are
 *  known by name, and none is made: such a sweep is not to be run. */
sal_err sal_sweep_parse_results(const char *path, const char *text, sal_sweep *sweep);

/** Gives absent keys their presets, but for those in a mapping that the document does without. */
sal_err sal_sweep_presets(sal_document *document);
