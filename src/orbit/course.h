/** @file src/orbit/course.h
 *  The course of an orbit over its period, on a uniform mesh.
 */
#ifndef SAL_COURSE_H
#define SAL_COURSE_H

#include "cycle_record.h"

/** Follows the orbit from the cell's point over `period`, cut into n_mesh parts: state [n_mesh + 1][n_state];
 *  mode [n_mesh + 1], may be NULL: is contact 0 closed?  Fails only for want of memory. */
SAL_MUST_CHECK sal_err sal_course_sample(const sal_return_map *map, const sal_cycle *cell,
                                         double period, int64_t n_mesh, double state[],
                                         uint8_t mode[]);

#endif
