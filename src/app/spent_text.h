/** Amounts in words: bytes and times, and work as evaluations of f or as a time. */
#pragma once

#include "performance_table.h"
#include "report.h"
#include "step_cost.h"

enum { SAL_SPENT_TEXT = 32 };

/** "1234", or "0.8 ms": four significant digits, of times three. */
const char *sal_spent_text(const sal_performance_table *table, double work,
                           char text[SAL_SPENT_TEXT]);

/** Time of one evaluation of f: members `f_costs` in s, null where work is in evaluations, `lanes` and `steps_of` (a machine), and a
 *  sentence. */
void sal_spent_text_put(sal_report *report, const sal_performance_table *table);

/* ---- Bytes and times for people: in the unit that gives a number from 1 on. ---- */

/** Room of a text: "9.9 years". */
typedef struct {
  char text[24];
} sal_amount;

/** "-" for NaN. */
sal_amount sal_amount_of_bytes(double bytes);
sal_amount sal_amount_of_seconds(double seconds);
/** "8.0-14 h": two times in the unit of a third that lies between them. */
sal_amount sal_amount_of_range(double middle, double low, double high);
