/** @file src/answers/local_points.h
 *  Points of contenders at a place: a plane through their points at the nearest cells.
 */
#ifndef SAL_LOCAL_POINTS_H
#define SAL_LOCAL_POINTS_H

#include "local_plane.h"
#include "performance_source.h"
#include "question.h"
#include "reader_types.h"

/** Ranks the pairs that a question by points allows, at the cells of a plane; out [pairs]. */
SAL_MUST_CHECK sal_err sal_local_points(sal_local_plane *plane, const sal_nearest *list,
                                        const sal_performance_source *scored,
                                        const sal_question *question, int *n,
                                        sal_reader_points out[]);

#endif
