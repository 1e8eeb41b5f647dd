/** @file src/app/cli_quantity.h
 *  Options whose value has a unit: parse functions for their rows, each for a double in base units.
 */
#ifndef SAL_CLI_QUANTITY_H
#define SAL_CLI_QUANTITY_H

#include "cli_option.h"

/** "2us" in seconds; 0 needs no unit. */
sal_cli_parser sal_cli_quantity_time;
/** "1GB/s" in bytes per second. */
sal_cli_parser sal_cli_quantity_rate;
/** "256GB" in bytes. */
sal_cli_parser sal_cli_quantity_size;

#endif
