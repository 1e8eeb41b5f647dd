/** Random numbers without a state: each is a function of where it stands.
 *
 *  Philox4x32-10: Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3,
 *  SC'11, section 3.3.
 */
#pragma once

#include <stdint.h>

/** Ten rounds of Philox: four words that look random from a counter and a key. */
void sal_random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/** Uniform in [0, 1), a multiple of 2^-53; depends on its three arguments and on nothing else. */
double sal_random(uint64_t seed, uint64_t index, uint32_t component);
