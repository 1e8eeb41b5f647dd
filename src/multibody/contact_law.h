/** Allowed numbers of contact laws, and whether closing a contact brings energy. */
#pragma once

#include "system.h"

/** sal_model.flaw, whose inner is the functions' of state_space.h: a sentence about the first body or law
 *  whose numbers make no sense, NULL: all do. */
const char *sal_contact_law_flaw(const void *functions, const double param[]);

/** The sentence for one contact with these numbers of a system; NULL: they make sense. */
const char *sal_contact_law_check(const sal_system *system, const sal_ground *g,
                                  const double value[]);

/** A note on springs that get energy from nowhere where the contact of their other law closes; NULL:
 *  none can.  The caller frees. */
char *sal_contact_law_note(const sal_system *system, const char *path);
