/** @file src/app/amount.h
 *  Bytes and times for people: in the unit that gives a number from 1 on.
 */
#ifndef SAL_AMOUNT_H
#define SAL_AMOUNT_H

/** Room of a text: "9.9 years". */
typedef struct {
  char text[24];
} sal_amount;

/** "-" for NaN. */
sal_amount sal_amount_of_bytes(double bytes);
sal_amount sal_amount_of_seconds(double seconds);
/** "8.0-14 h": two times in the unit of a third that lies between them. */
sal_amount sal_amount_of_range(double middle, double low, double high);

#endif
