/** The cells of a sweep as a whole. */
#pragma once

#include "compatibility.h"
#include "sweep.h"

/** Bytes of a sentence. */
enum { SAL_CELLS_TEXT = 256 };

/** Contacts of the cell with most of them. */
int sal_cells_guards(const sal_sweep *sweep);

/** The first cell whose parameters make no sense together, and why (static storage); NULL: none. */
const char *sal_cells_flaw(const sal_sweep *sweep, int64_t *cell, char text[SAL_CELLS_TEXT]);

/** NULL where the field may have this value, else a sentence in text that lists what is allowed. */
const char *sal_cells_stray(const sal_field *field, double value, char text[SAL_CELLS_TEXT]);

/** The first cell whose start lies in the zone of a projecting strategy, and what is wrong, written
 *  into text; NULL: none. */
const char *sal_cells_zone_flaw(const sal_sweep *sweep, int64_t *cell,
                                char text[SAL_COMPATIBILITY_TEXT]);

/** "n = 4, z = 2.5": what the axes set in a cell, cut off at the size. */
void sal_cells_describe(const sal_sweep *sweep, int64_t cell, size_t size, char text[]);
