/** A few contacts without friction as one problem, in all lanes (lane half); see contact_solve.h.
 */
#pragma once

#include "lane.h"

enum { SAL_TOUCH_LANES = 8 };

/** 0 <= z _|_ W z + q >= 0 in `lanes`; W [m][m], q, z, active [m] as in contact_solve.h.  A lane's iteration ends by itself; lanes
 *  in which rows are redundant are solved one by one.  Returns the lanes that are solved. */
sal_m SAL_FN(sal_contact_lanes)(int m, const sal_v W[], const sal_v q[], sal_m lanes,
                                sal_m active[], sal_v z[]);
#define sal_contact_lanes SAL_FN(sal_contact_lanes)
