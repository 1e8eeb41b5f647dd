/** Measures that a model has, and those of a single run. */
#pragma once

#include "cli_run.h"

/** The measures of a model's text, NULL: none, and by_name those that any model has by their names alone.  NULL: there are none, or
 *  too many.  sal_providers_drop_measures frees it. */
const sal_measured_list *sal_measure_print_of(const sal_model *model, const char *text,
                                              bool by_name);
/** "NAME: TEXT [UNIT]" of column i into out; false: it goes on with the measure of the column before. */
enum { SAL_MEASURE_PRINT = 1024 };
bool sal_measure_print_column(const sal_measured_list *list, int i, char out[SAL_MEASURE_PRINT]);

/** The measures of the run's text and of `given`, as saltus_measures_open takes them; NULL: none.  where: heads messages. */
sal_err sal_measure_print_open(const char *where, const char *given, const sal_cli_run *run,
                               const sal_measured_list **out);
/** Runs it and prints "NAME = VALUE UNIT" of each; list NULL: nothing. */
sal_err sal_measure_print_run(const sal_cli_run *run, const sal_measured_list *list);
