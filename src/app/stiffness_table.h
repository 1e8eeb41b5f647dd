/** @file src/app/stiffness_table.h
 *  Stiffness of the cells of a cube: what Table 2 of the paper prints, and the corrected figures.
 */
#ifndef SAL_STIFFNESS_TABLE_H
#define SAL_STIFFNESS_TABLE_H

#include "cube.h"
#include "json.h"
#include <stdio.h>

/** Table 2: stiffness of the first `most` cells, published and corrected. */
void sal_stiffness_table_print(FILE *out, const sal_cube *cube, int64_t most);

/** The same of all cells, with all their metrics: an array of that name in an object. */
void sal_stiffness_table_json(sal_json *json, const char *name, const sal_cube *cube);

#endif
