/** @file src/ensemble/certificate.h
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
#ifndef SAL_CERTIFICATE_H
#define SAL_CERTIFICATE_H

#include "integrate.h"

enum { SAL_CERTIFICATE_STEPS = 1000 };

/** The setup with steps of at most t_end / SAL_CERTIFICATE_STEPS; a cap on its attempts leaves room
 *  for them. */
sal_setup sal_certificate_close(sal_setup setup);

#endif
