/** Recorded trajectories as a method: an engine (kernels/engine.h) that replays what another program
 *  has integrated, so that its runs are scored like any other ones.
 *
 *  A run is looked up by its parameters, initial state, strategy and tolerance.  One that the file lacks
 *  ends with the outcome LIBRARY, one that failed with the outcome in the file.  Counts are those
 *  of the file.  Values between the recorded points are the polynomial through the points of the
 *  step, or, where it has only its ends, a cubic by f.
 */
#pragma once

#include "provider.h"
#include "recorded_file.h"

/** Any file of recorded trajectories. */
extern const sal_provider sal_recorded_provider;
/** Frees a method that was made here; NULL is nothing. */
void sal_recorded_drop(sal_method *method);

/** Makes the method of a file, which it then owns and frees whether it succeeds or not. */
sal_err sal_recorded_method(const char *name, sal_recorded_file *file, sal_method **out);

/** NULL when a method that replays a file has runs for this setup's model, interval, and mesh of n_mesh
 *  intervals (0: none is scored), else a sentence about what does not fit, written into `text`. */
enum { SAL_RECORDED_TEXT = 512 };
const char *sal_recorded_flaw(const sal_setup *setup, int64_t n_mesh, char text[SAL_RECORDED_TEXT]);

/** Has it a run of this strategy and tolerance at that cell?  opened: by the engine's `open`. */
bool sal_recorded_has(void *opened, const sal_setup *setup, const double param[],
                      const double initial[]);
