/** The trajectory that errors are measured against, one per cell, shared by all configurations.
 *
 *  `certified`: the model's method of reference with `event` at the reference tolerance; its error
 *  is estimated by the largest difference to a run at ten times that tolerance, with steps that leap
 *  over nothing (certificate.c), and is no less than what some spacings of time make of it where
 *  impacts meet what depends on time.  Where that method fails, those of a table are tried in turn
 *  (sal_registry_reference_at), and the first whose run reaches the end takes its place.  `paper`: the mean of ode23, ode45, ode113 and ode15s with
 *  `event` (Dallas et al., section V); its error is the largest distance from it of one of the four,
 *  run once more with such steps.
 */
#pragma once

#include "sweep.h"

/** The watched state on the mesh, and what is known of it. */
typedef struct {
  double *watch;         /* [n_mesh + 8], NaN after the end of a failed run */
  double *state;         /* [n_mesh + 1][n_state] */
  double *measure;       /* [sal_measured_words] values first (kernels/measured.h); NULL: none */
  double *measure_apart; /* [columns] differences to those of the run that it is compared with */
  double error;          /* estimated largest error of any state */
  double error_watched;  /* and of watch */
  double reached;        /* time; after it the state of a run that a contact ended is held */
  sal_outcome outcome;
  const sal_method *method; /* whose run it is; NULL: the mean of several */
  sal_outcome first;        /* how the run of the model's own solver of reference ended */
  double first_reached;     /* and when */
  int64_t events;
  double work; /* evaluations of f it took, of the last run */
} sal_reference;

/** Arrays for one reference on the sweep's mesh; false when memory is short. */
bool sal_reference_alloc(const sal_sweep *sweep, sal_reference *reference);
/** Bytes of those arrays. */
size_t sal_reference_size(const sal_sweep *sweep);
void sal_reference_free(sal_reference *reference);

/** Bytes of work space, aligned to 64, that sal_reference_run needs. */
size_t sal_reference_bytes(const sal_sweep *sweep, int width);

/** Runs the references of `count` cells, whose parameters [count][n_param + n_option] and initial
 *  states [count][n_state] are given, with `width` lanes.  spare: as many sal_reference again, for
 *  the comparison.  use: receives the lane-turns, or NULL. */
void sal_reference_run(const sal_sweep *sweep, int width, int64_t count, const double param[],
                       const double initial[], sal_reference reference[], sal_reference spare[],
                       void *work, sal_lane_use *use);

/** Copies its measures and their errors into the row of its cell (tile_rows.h). */
void sal_reference_put_measures(const sal_sweep *sweep, const sal_reference *reference,
                                double row[]);

/* ---- certificate.c ----
 *  What makes a certificate one: of two runs that are compared, one cannot leap over what the other
 *  may.
 *
 *  A bump of f that is narrower than a step may lie between all its stages, where no error test sees
 *  it.  Two runs that leap over the same bump agree, and would certify a wrong trajectory.  So one of
 *  them takes steps of at most a thousandth of the span: its stages then lie at most half a bump of
 *  that width apart (c of radau5: 0.155, 0.645, 1; of dop853 at most 0.27 apart), so that one of them
 *  is well inside it wherever it lies, and the distance of the two runs is what the other has missed.
 *  Methods that look at the end of a step alone, such as ode15s, need a bump of twice that width.
 */

enum { SAL_CERTIFICATE_STEPS = 1000 };

/** The setup with steps of at most t_end / SAL_CERTIFICATE_STEPS; a cap on its attempts leaves room
 *  for them. */
sal_setup sal_certificate_close(sal_setup setup);
