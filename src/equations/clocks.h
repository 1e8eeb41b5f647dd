/** Times in expressions.  A comparison of t with parameters and a step of a function of t change at stops alone
 *  (sal_model.next_stop), so in each of them t is sal_phase.since, the operation `clock`.
 *
 *  They are clocks where a quantity has no state in it and is a + b t between stops: it is 0 at -a / b, where its sign
 *  is that after the stop.  Else they stay what they are: operations that change anywhere in a step.
 */
#pragma once

#include "scope.h"

/** a < b, a <= b, .. of two numbers. */
int sal_clocks_compare(sal_scope *scope, sal_program_op op, int a, int b);
/** min, max of a and b, or abs of a. */
int sal_clocks_bend(sal_scope *scope, sal_program_op op, int a, int b);
/** The largest whole number that is not above x / y / x - y times it. */
int sal_clocks_floor(sal_scope *scope, int x, int y);
int sal_clocks_modulo(sal_scope *scope, int x, int y);
/** The gap of a timed contact (sal_contact.timed) that fires at T, 2 T, ..: between T and 2 T, so that it is open; NaN
 *  where T is not above 0. */
int sal_clocks_every(sal_scope *scope, int T);

/** Does it grow as t, or as -t, between stops, without states? */
bool sal_clocks_runs(sal_graph *graph, int node);
/** Do the roots [n_root] depend on t? */
bool sal_clocks_drives(sal_graph *graph, int n_root, const int root[]);
/** The clocks that the roots [n_root] are made of: when each changes next, then the sizes, in out [2 SAL_SCOPE_STOPS]; gives
 *  their number, which is larger than SAL_SCOPE_STOPS where there were more. */
int sal_clocks_stops(const sal_scope *scope, int n_root, const int root[], int out[]);
/** Is it made of numbers and parameters alone? */
bool sal_clocks_is_fixed(sal_graph *graph, int node);
