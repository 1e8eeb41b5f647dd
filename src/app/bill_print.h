/** @file src/app/bill_print.h
 *  A bill as text and as JSON.
 */
#ifndef SAL_BILL_PRINT_H
#define SAL_BILL_PRINT_H

#include "bill.h"
#include "json.h"
#include <stdio.h>

/** The phases in a table, one row each. */
void sal_bill_print(FILE *out, const sal_bill *bill);

/** "phases": an object each; files: opened, made or removed; memory of the first rank and of each
 *  other. */
void sal_bill_json(sal_json *json, const sal_bill *bill);

#endif
