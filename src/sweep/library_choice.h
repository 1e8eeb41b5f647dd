/** @file src/sweep/library_choice.h
 *  Methods that are in no list of this build, of which a sweep owns what there is: those of a library
 *  that options select, and those that are known by name alone.
 *
 *  The results of a method can be read without it, and by a build that lacks its library.  A method
 *  that is known by name alone stands for it there: it has a name and a library, and is not to be run.
 */
#ifndef SAL_LIBRARY_CHOICE_H
#define SAL_LIBRARY_CHOICE_H

#include "provider.h"

/** All zero is none; `method` points into it. */
typedef struct {
  const sal_method *method; /* to be named by a sweep */
  sal_method *made;         /* by the library; NULL: known by name alone */
  sal_method stand_in;
  sal_engine engine; /* of stand_in */
  char *name, *options;
} sal_library_choice;

/** The method `name` of a library that `options` select; `where` heads the message. */
SAL_MUST_CHECK sal_err sal_library_choice_make(const char *where, const sal_provider *library,
                                               const char *name, const char *options,
                                               sal_library_choice *choice);
/** A method that is known by name alone; options NULL: they are not known. */
SAL_MUST_CHECK sal_err sal_library_choice_know(const sal_provider *library, const char *name,
                                               const char *options, sal_library_choice *choice);
void sal_library_choice_free(sal_library_choice *choice);

/** Is it one that is known by name alone?  Its runs end at once with the outcome LIBRARY. */
bool sal_library_choice_is_stand_in(const sal_method *method);

#endif
