/** @file src/app/box_print.h
 *  Who answers where in a box of points.
 */
#ifndef SAL_BOX_PRINT_H
#define SAL_BOX_PRINT_H

#include "ask.h"
#include "report.h"

/** After the answer at its middle; advice->box is there. */
void sal_box_print(sal_report *report, const sal_advice *advice);

#endif
