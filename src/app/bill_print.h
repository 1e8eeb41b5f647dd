/** @file src/app/bill_print.h
 *  A bill as text and as JSON.
 */
#ifndef SAL_BILL_PRINT_H
#define SAL_BILL_PRINT_H

#include "bill.h"
#include "report.h"

/** The phases in a table, one row each; as JSON what sal_bill_json writes. */
void sal_bill_print(sal_report *report, const sal_bill *bill);

/** "phases": an object each; files: opened, made or removed; memory of the first rank and of each
 *  other. */
void sal_bill_json(sal_json *json, const sal_bill *bill);

#endif
