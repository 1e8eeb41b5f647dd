/** A test-only model whose Jacobian is a band once its states are ordered: masses between two walls, joined by springs
 *  and dampers, positions before velocities.  It has no Jacobian of its own.
 */
#pragma once

#include "model.h"

enum { CHAIN_MOST = 150, CHAIN_LOWER = 3, CHAIN_UPPER = 2 };

/** With the parameters stiffness and damping, described as a band in the order that it fills, or as full. */
typedef struct {
  int masses; /* at most CHAIN_MOST */
  uint16_t order[2 * CHAIN_MOST];
  sal_model model;
} damped_chain;
void damped_chain_make(damped_chain *chain, int masses, bool as_band);

/** Its state [2 masses] at t in a motion from rest that is its first mode and half as much of its third one, for a
 *  damping that both swing with. */
void damped_chain_exact(const damped_chain *chain, const double param[], double t, double y[]);
