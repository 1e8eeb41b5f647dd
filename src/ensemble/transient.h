/** @file src/ensemble/transient.h
 *  How a system that loses energy comes to rest: hop by hop, from one closing of a contact to the next.
 *
 *  Of the map from closing to closing each hop has a derivative DP; products of them say how fast
 *  neighbours part, (1/N) ln sigma_max(DP_N .. DP_1), while the energy that a hop leaves says how fast
 *  the system settles: two different things.  No such map has a fixed point but rest.
 */
#ifndef SAL_TRANSIENT_H
#define SAL_TRANSIENT_H

#include "err.h"
#include "sweep.h"

/** Room and work space of one thread; sal_transient_destroy frees it. */
typedef struct sal_transient sal_transient;

SAL_MUST_CHECK sal_err sal_transient_create(const sal_sweep *sweep, int width, sal_transient **out);
void sal_transient_destroy(sal_transient **transient);

/** Follows `count` <= SAL_TILE_MOST cells, whose parameters [count][n_param + n_option] and initial
 *  states [count][n_state] are given, and fills the metrics of hops in out [count], but for those of
 *  adhesion.  Fails for want of memory only. */
SAL_MUST_CHECK sal_err sal_transient_run(sal_transient *transient, int64_t count,
                                         const double param[], const double initial[],
                                         sal_cell_record out[]);

#endif
