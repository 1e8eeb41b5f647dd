/** @file src/libs/sundials/sundials_methods.h
 *  The integrators of SUNDIALS as methods: one row each in sundials_methods.def.
 *
 *  Hindmarsh et al., ACM Trans. Math. Softw. 31 (2005) 363-396, doi:10.1145/1089014.1089020;
 *  Gardner et al., ACM Trans. Math. Softw. 48 (2022) 31, doi:10.1145/3539801.
 */
#ifndef SAL_SUNDIALS_METHODS_H
#define SAL_SUNDIALS_METHODS_H

#include "provider.h"

/** All of them, ended by NULL. */
extern const sal_method *const sal_sundials_methods[];
extern const sal_provider sal_sundials_provider;

#endif
