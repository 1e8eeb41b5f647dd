/** A mechanical system with rigid contacts at one state, and their modes: plain numbers for contact_jump.h.
 */
#pragma once

#include <stdbool.h>

enum { SAL_TOUCH_MOST = 32 };

/** A rigid contact at a state: its gap's rate is normal v + drift, and its second derivative normal v' + turn; the
 *  same along it. */
typedef struct {
  double gap, restitution, mu, hold; /* mu: while it slides, hold: while it sticks */
  double normal[SAL_TOUCH_MOST], drift, turn;
  double along[SAL_TOUCH_MOST], slide_drift, slide_turn;
} sal_contact_terms;

/** Its mode; the first three become that after the event. */
typedef struct {
  bool closed, sticks;
  double sense;
  bool rubs;          /* it has friction */
  bool lands, opens;  /* in this event it has closed, its force has released it */
  bool stops, breaks; /* in this event sliding has come to an end, sticking has */
  bool rests;         /* impacts without end are over: no rebound */
  double force, pull; /* of sal_contact_jump_margins: above 0 while it holds, sticks */
} sal_contact_mode;

/** M v' = load, with n coordinates q, and m contacts. */
typedef struct {
  int n, m;
  double moment; /* some roundings of time */
  double mass[SAL_TOUCH_MOST * SAL_TOUCH_MOST], load[SAL_TOUCH_MOST];
  double q[SAL_TOUCH_MOST], v[SAL_TOUCH_MOST];
  sal_contact_terms terms[SAL_TOUCH_MOST];
} sal_contact_motion;
