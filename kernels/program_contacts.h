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
  double *gap;    /* [of all] */
  double *out, *gradient; /* results of the terms / [2 n] of a soft contact */
  const double *
      before; /* those of marks ahead of the event, whose sides follow the states; NULL: they stay */
  bool *sides; /* [n_guard] `closed`, where they do */
  const double
      *was;   /* y ahead of the event of contacts without a law; NULL: it is one of rigid ones */
  bool alone; /* contacts that touch have no part */
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
/** Doubles of s->memory, of which the first *zero are 0 at first (NULL: all are). */
size_t sal_program_contacts_motion_words(const sal_program_contacts *s, size_t *zero);
/** As sal_model.jump_together. */
sal_together sal_program_contacts_change(sal_program_contacts *s, double t, double y[],
                                         bool closed[], bool fired[], const bool rests[]);
/** The event of `of`, after its change, with the same contacts at work at a y [n_state] nearby; false: not solved. */
bool sal_program_contacts_near(sal_program_contacts *s, double t, double y[],
                               const sal_program_contacts *of);
/** gap [n_guard] of closed contacts, below 0 while the least forces hold them; false: not solved. */
bool sal_program_contacts_margins(sal_program_contacts *s, double t, double y[], double gap[]);
/** Has a rigid contact, or friction of one, fired? */
bool sal_program_contacts_fired(const sal_contact_program *contacts, const bool fired[]);
