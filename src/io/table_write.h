/** Parts of small files that tables and trajectories share. */
#pragma once

#include "h5.h"
#include "table_file.h"

/** The parameters and options that have no column, each a single value. */
sal_err sal_table_parameters_write(const sal_h5 *file, const sal_table *table);
/** Attributes of the root group [n]. */
sal_err sal_table_attributes_write(const sal_h5 *file, int n,
                                   const sal_table_attribute attribute[]);
