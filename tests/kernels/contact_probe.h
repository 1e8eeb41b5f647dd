/** sal_contact_lanes, callable at every width. */
#pragma once

#include <stdbool.h>

/** Problems W [count][m][m], q [count][m], count a multiple of 8; z [count][m], solved [count]. */
typedef void contact_probe(int m, int count, const double W[], const double q[], double z[],
                           bool solved[]);
contact_probe contact_probe_w1, contact_probe_w4, contact_probe_w8;
