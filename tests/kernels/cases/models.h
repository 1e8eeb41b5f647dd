/** Test-only models of the cases: each has a closed form and one trait that event handling trips
 *  over elsewhere.  Contacts close where their gap is <= 0, as everywhere.
 */
#pragma once

#include "model.h"

/** rotor.c: state (c, s) on a circle, turning at ROTOR_RATE [rad/time].  The gap of contact k is
 *  ROTOR_SCALE (s - level k), or with ROTOR_BOOLEAN > 0 only its sign.  A ROTOR_RESIDUE other than
 *  0 is what a jump leaves of s - level; with 0 it leaves the state alone. */
enum { ROTOR_LEVELS = 3 };
enum {
  ROTOR_RATE,
  ROTOR_LEVEL,
  ROTOR_SCALE = ROTOR_LEVEL + ROTOR_LEVELS,
  ROTOR_BOOLEAN,
  ROTOR_RESIDUE,
  ROTOR_PARAMS
};
extern const sal_model rotor;

/** pulse.c: y' = 1 while |t - PULSE_MIDDLE| <= PULSE_HALF, else 0; the gap is a parabola of t. */
enum { PULSE_MIDDLE, PULSE_HALF, PULSE_PARAMS };
extern const sal_model pulse;

/** dominoes.c: each stone that changes sides makes the next one change at once; the one parameter
 *  is 1 for a ring, 0 for a row. */
enum { DOMINOES = 5 };
extern const sal_model dominoes;

/** twin_ground.c: linear-ground (g, k, d) with two contacts of one and the same gap. */
extern const sal_model twin_ground;

/** ball_offset.c: bouncing-ball with its floor at BALL_FLOOR; a jump puts the ball BALL_RESIDUE
 *  over it. */
enum { BALL_GRAVITY, BALL_RESTITUTION, BALL_FLOOR, BALL_RESIDUE, BALL_PARAMS };
extern const sal_model ball_offset;
