/** A small sweep made by hand, with results that no sweep would give but a cube must keep. */
#pragma once

#include "cube_write.h"
#include <hdf5.h>

enum { SAMPLE_CELLS = 11, SAMPLE_CONFIGS = 2 * 2 * 3 };

extern const sal_model sample_model;
extern const sal_origin sample_origin;

/** A sweep over n_cell cells with sample_model; sample_free frees it. */
sal_sweep sample_sweep(int64_t n_cell);
void sample_free(sal_sweep *sweep);

/** Value of metric m of a configuration on a cell; missing here and there. */
double sample_value(int64_t cell, int config, int m);
double sample_cell_value(int64_t cell, int m);

/** The results of cells first .. first + count - 1; sample_slab_free frees them. */
sal_tile_result sample_slab(const sal_sweep *sweep, int64_t first, int64_t count);
void sample_slab_free(sal_tile_result *result);

/** Bit by bit, any NaN like any other. */
bool sample_same(double a, double b);

/** Writes all cells from this rank alone. */
sal_err sample_write(const char *path, const sal_sweep *sweep, const sal_tile_result *result);
