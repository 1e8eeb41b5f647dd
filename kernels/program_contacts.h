/** Contacts of a mechanical system whose terms are a program, as one problem of any size: that of the contacts which take part in
 *  an event, and of the coordinates that they move.
 */
#pragma once

#include "contact_motion.h"
#include "program.h"

/** A system at a state, and where its values come from. */
typedef struct {
  const sal_flow_programs *f;
  const sal_contact_program *c;
  const double *words;
  double t, *y;
  const bool *closed;
  sal_contact_motion motion;
  int n, *coordinate, *rank; /* those of the problem [n], ascending / their places there [of all] */
  int m, *pick;              /* the contacts of the problem [m] */
  int *of, *soft; /* [m] contacts with laws that are rigid / soft ones whose friction holds */
  double *gap;    /* [of all] of contacts with laws */
  double *out, *gradient;            /* results of the terms / [2 n] of a soft contact */
  double mark[SAL_PROGRAM_CONTACTS]; /* gaps of contacts without a law */
  const double
      *before;    /* and those ahead of the event, whose sides follow the states; NULL: they stay */
  bool *sides;    /* [n_guard] `closed`, where they do */
  double *memory; /* of the motion */
} sal_program_contacts;

/** Doubles for a system / the system in them, in a mode, with all contacts in its problem. */
size_t sal_program_contacts_words(const sal_contact_program *contacts);
sal_program_contacts sal_program_contacts_open(const sal_flow_programs *of,
                                               const sal_contact_program *contacts,
                                               const double words[], const bool closed[],
                                               double memory[]);
/** Leaves those in the problem at y [n_state] that are closed, and where fired is given those that have fired or are near their
 *  surfaces. */
void sal_program_contacts_choose(sal_program_contacts *s, double t, double y[], const bool fired[]);
/** Doubles of s->memory, which is 0. */
size_t sal_program_contacts_motion_words(const sal_program_contacts *s);
/** As sal_model.jump_together, where at least this many contacts are closed, have changed or touch. */
sal_together sal_program_contacts_change(sal_program_contacts *s, double t, double y[],
                                         bool closed[], bool fired[], const bool rests[],
                                         int least);
/** gap [n_guard] of closed contacts, below 0 while the least forces hold them; false: not solved. */
bool sal_program_contacts_margins(sal_program_contacts *s, double t, double y[], double gap[]);
/** Has a contact with a law, or friction of one, fired? */
bool sal_program_contacts_fired(const sal_contact_program *contacts, const bool fired[]);
