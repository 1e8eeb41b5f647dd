/** @file src/multibody/partition.h
 *  Which coordinates are independent.
 */
#ifndef SAL_PARTITION_H
#define SAL_PARTITION_H

/** Gauss-Jordan elimination with full pivoting of A [m][n], which is overwritten: the columns of the
 *  pivots are dependent, dependent [m], the other ones independent [n - m], both in ascending order.
 *  Returns the rank; below m the rows without a pivot come first in row [m], by number, and the
 *  partition is not filled. */
int sal_partition_choose(int m, int n, double A[], int dependent[], int independent[], int row[]);

/** The dependent coordinates [n - n_v] beside given independent ones [n_v]. */
void sal_partition_complement(int n, int n_v, const int independent[], int dependent[]);

#endif
