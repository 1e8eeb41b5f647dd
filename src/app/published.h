/** @file src/app/published.h
 *  The figures printed in Dallas, Machairas, Papadopoulos, "A Comparison of ODE Solvers for
 * Dynamical Systems with Impacts", Tables 2-5, to stand beside ours.
 */
#ifndef SAL_PUBLISHED_H
#define SAL_PUBLISHED_H

enum { SAL_PUB_SETS = 13, SAL_PUB_METHODS = 7, SAL_PUB_TOLERANCES = 3, SAL_PUB_STRATEGIES = 2 };
enum { SAL_PUB_SD, SAL_PUB_DT, SAL_PUB_IAE, SAL_PUB_CRITERIA };

/** Table 2: b, m1, k, f and the stiffness ratio. */
extern const double sal_pub_sets[SAL_PUB_SETS][5];

extern const double      sal_pub_tolerance[SAL_PUB_TOLERANCES];
extern const char *const sal_pub_method[SAL_PUB_METHODS];
/** Table 3 is `switch`, Table 4 is `event`. */
extern const char *const sal_pub_strategy[SAL_PUB_STRATEGIES];

/** Points of Tables 3 and 4: [strategy][tolerance][method][criterion]. */
extern const double sal_pub_points[SAL_PUB_STRATEGIES][SAL_PUB_TOLERANCES][SAL_PUB_METHODS]
                                  [SAL_PUB_CRITERIA];

/** Table 5: p_tot of (36) for `switch`, 1e-6, weights SD 2, DT 0, IAE 1. */
extern const double sal_pub_total[SAL_PUB_METHODS];

/** Their places in the tables, or -1. */
int sal_pub_find_method(const char *name);
int sal_pub_find_strategy(const char *name);
int sal_pub_find_tolerance(double tolerance);
/** The set of Table 2 with these n parameters, names included, 0-based, or -1. */
int sal_pub_find_set(int n, const char *const name[], const double param[]);

#endif
