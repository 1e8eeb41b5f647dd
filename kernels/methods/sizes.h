/** The operations of implicit methods for numbers of states that are known when they are compiled
 *  (lane half): loops unroll, and what a step computes stays in registers.
 */
#pragma once

/** f(n, ...) of an always inlined function whose first argument is the number of states: compiled for
 *  the usual numbers, and for any other. */
#define SAL_SIZES_CALL(f, n, ...)                                                                  \
  ((n) == 4   ? f(4, __VA_ARGS__)                                                                  \
   : (n) == 2 ? f(2, __VA_ARGS__)                                                                  \
   : (n) == 6 ? f(6, __VA_ARGS__)                                                                  \
              : f(n, __VA_ARGS__))
