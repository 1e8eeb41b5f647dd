/** @file src/app/published.h
 *  The figures printed in Dallas, Machairas, Papadopoulos, "A Comparison of ODE Solvers for
 *  Dynamical Systems with Impacts", Tables 2-5, to stand beside ours.
 */
#ifndef SAL_PUBLISHED_H
#define SAL_PUBLISHED_H

enum {
  SAL_PUBLISHED_SETS = 13,
  SAL_PUBLISHED_METHODS = 7,
  SAL_PUBLISHED_TOLERANCES = 3,
  SAL_PUBLISHED_STRATEGIES = 2
};
enum { SAL_PUBLISHED_SD, SAL_PUBLISHED_DT, SAL_PUBLISHED_IAE, SAL_PUBLISHED_CRITERIA };

/** Table 2: b, m1, k, f and the stiffness ratio. */
extern const double sal_published_sets[SAL_PUBLISHED_SETS][5];

extern const double sal_published_tolerance[SAL_PUBLISHED_TOLERANCES];
extern const char *const sal_published_method[SAL_PUBLISHED_METHODS];
/** Table 3 is `switch`, Table 4 is `event`. */
extern const char *const sal_published_strategy[SAL_PUBLISHED_STRATEGIES];

/** Points of Tables 3 and 4: [strategy][tolerance][method][criterion]. */
extern const double sal_published_points[SAL_PUBLISHED_STRATEGIES][SAL_PUBLISHED_TOLERANCES]
                                        [SAL_PUBLISHED_METHODS][SAL_PUBLISHED_CRITERIA];

/** Table 5: p_tot of (36) for `switch`, 1e-6, weights SD 2, DT 0, IAE 1. */
extern const double sal_published_total[SAL_PUBLISHED_METHODS];

/** Their places in the tables, or -1. */
int sal_published_find_method(const char *name);
int sal_published_find_strategy(const char *name);
int sal_published_find_tolerance(double tolerance);
/** The set of Table 2 with these n parameters, names included, 0-based, or -1. */
int sal_published_find_set(int n, const char *const name[], const double param[]);

#endif
