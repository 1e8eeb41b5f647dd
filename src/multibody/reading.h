/** A system while its file is read: numbers, vectors, names and keys, each with its line.
 *
 *  A number is written as a number, as the name of a parameter, or as NUMBER * NAME; the latter
 *  become bindings of the system.
 */
#pragma once

#include "document.h"
#include "model.h"
#include "reduced.h"
#include "system.h"

enum { SAL_MAX_ENTRY_KEY = 16 };

/** State of the reading. */
typedef struct {
  const sal_document *document;
  sal_system *system;
  int64_t room_value, room_binding;
  int n_param;
  const char *param[SAL_MAX_PARAM + 1]; /* names, NULL-terminated */
  double preset[SAL_MAX_PARAM];
} sal_reading;

/** Typical sizes of states, by which their absolute tolerances are scaled: the key `scale`. */
sal_err sal_reading_scales(const sal_reading *r, sal_model *m);
/** A text that must be there: letters, digits, - and _ where `plain`. */
sal_err sal_reading_name(const sal_reading *r, int mapping, const char *what, bool plain,
                         char name[SAL_LABEL]);
/** A number of the system, that may follow a parameter; *at: which value it is. */
sal_err sal_reading_number(sal_reading *r, int node, const char *what, int *at);
/** Makes a value follow a parameter. */
sal_err sal_reading_follow(sal_reading *r, int at, int param, double factor);
/** A number by key; `preset` where the key is absent, unless that is NaN. */
sal_err sal_reading_entry(sal_reading *r, int mapping, const char *what, const char *key,
                          double preset, int *at);
/** Numbers of a list of least .. most of them, the rest 0; absent (node 0): all 0. */
sal_err sal_reading_vector(sal_reading *r, int node, const char *what, int least, int most,
                           int *at);
/** A body by its name, -1 for `ground`. */
sal_err sal_reading_body(const sal_reading *r, int node, const char *what, int *body);
/** The two bodies of an entry, which differ. */
sal_err sal_reading_pair(const sal_reading *r, int mapping, const char *what, int *i, int *j);
/** A body-fixed vector by key. */
sal_err sal_reading_arm(sal_reading *r, int mapping, const char *what, const char *key, int body,
                        bool placed, sal_arm *arm);

/** The equations e . e = 1, after those of the joints. */
void sal_reading_norms(sal_reading *r);
/** The parts of a system. */
sal_err sal_reading_bodies(sal_reading *r);
sal_err sal_reading_joints(sal_reading *r);
sal_err sal_reading_forces(sal_reading *r);
/** Reads the list `contacts` (0: none): those without a law first, then those with one. */
sal_err sal_reading_contacts(sal_reading *r, int list);
/** The names of the two events of a contact, `closes` and `opens`. */
sal_err sal_reading_labels(const sal_reading *r, int mapping, const char *closes, const char *opens,
                           sal_ground *g);
/** Fails where there are such names without the key that makes a contact. */
sal_err sal_reading_no_labels(const sal_reading *r, int mapping, const char *what, const char *key);
sal_err sal_reading_road(sal_reading *r);

/* Can a system that has been read be run?  Its constraints are independent, its initial state keeps
 * to them, the reduced mass matrix is regular; and its independent coordinates. */

/** Chooses the independent coordinates, by the file's list or by pivoting, puts the initial state on
 *  the constraints to rounding, and fails with the line of what is wrong. */
sal_err sal_settle_system(sal_reading *r);

/* ---- start_velocity.c ----
 *  Initial velocities that keep to the joints, as close to those of the file as there are.
 */

/** Sets qd0 of the system, whose solver is at the initial positions and has factors there.  Velocities
 *  that satisfy the joints stay.  Else the independent ones stay and the others follow, where that gives
 *  all those of the file; else those of the file stay and the least others are added; else all
 *  change as by an impact that makes the joints hold.  Fails with the joint that allows none. */
sal_err sal_start_velocity_settle(const sal_reading *r, sal_reduced *solver);

/** The sentence about velocities that differ from those of the file, NULL where none does; the
 *  caller frees it. */
char *sal_start_velocity_note(const sal_system *system, const char *path);

/* Allowed numbers of contact laws, and whether closing a contact brings energy. */

/** sal_model.flaw, whose inner is the functions' of state_space.h: a sentence about the first body or law
 *  whose numbers make no sense, NULL: all do. */
const char *sal_contact_law_flaw(const void *functions, const double param[]);

/** The sentence for one contact with these numbers of a system; NULL: they make sense. */
const char *sal_contact_law_check(const sal_system *system, const sal_ground *g,
                                  const double value[]);

/** A note on springs that get energy from nowhere where the contact of their other law closes; NULL:
 *  none can.  The caller frees. */
char *sal_contact_law_note(const sal_system *system, const char *path);
