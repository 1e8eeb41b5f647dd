/** @file src/io/trajectory_write.h
 *  One trajectory as a file of its own.
 */
#ifndef SAL_TRAJECTORY_WRITE_H
#define SAL_TRAJECTORY_WRITE_H

#include "err.h"
#include "integrate.h"
#include <stdint.h>

/** Writes one trajectory as HDF5 (serial), replacing `path`.  Along t [n]: the states [n][n_state]
 *  and mode [n], left out when closed is NULL.  Along event_t [n_event]: event_name, event_contact,
 *  and event_<state>, the states after each event.  The parameters are single values; setup and
 *  program are attributes. */
SAL_MUST_CHECK sal_err sal_trajectory_write(const char *path, const sal_setup *setup,
                                            const double param[], int64_t n, const double t[],
                                            const double state[], const uint8_t closed[],
                                            int64_t n_event, const sal_event event[]);

#endif
