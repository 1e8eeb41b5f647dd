/** @file tests/kernels/contact_probe.h
 *  sal_contact_lanes, callable at every width.
 */
#ifndef CONTACT_PROBE_H
#define CONTACT_PROBE_H

#include <stdbool.h>

/** Problems W [count][m][m], q [count][m], count a multiple of 8; z [count][m], solved [count]. */
typedef void contact_probe(int m, int count, const double W[], const double q[], double z[],
                           bool solved[]);
contact_probe contact_probe_w1, contact_probe_w4, contact_probe_w8;

#endif
