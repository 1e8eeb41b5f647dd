/** A provider of models and solvers: one kind of text, or one library.  A row of the table of providers (src/sweep/providers.h).
 *
 *  To add one, define such a row in a folder of its own and put a line in src/wings/providers.def.
 */
#pragma once

#include "engine.h"
#include "err.h"
#include "measured.h"

typedef struct sal_provider sal_provider;

/** A model or a solver, and the text that it was made of; sal_provided_free (src/sweep/providers.h) frees it. */
typedef struct {
  const sal_provider *provider; /* that made it; NULL: a model in C */
  char *text;
  void *made;               /* the provider's */
  const sal_model *model;   /* NULL: it is a solver */
  const sal_method *method; /* NULL: it is a model */
  const char *note; /* what of the text is not taken as it stands, as a sentence; NULL: all is */
} sal_provided;

typedef enum { SAL_PROVIDES_MODELS, SAL_PROVIDES_SOLVERS, SAL_PROVIDES_LIBRARY } sal_provides;

/** Members that a row does not need are NULL. */
struct sal_provider {
  sal_provides gives; /* models of texts, solvers of texts, or solvers of a library */
  const char *name;   /* "equations"; "PETSc" */
  const char
      *missing; /* what to do about a build without it: "configure with -DSALTUS_SUNDIALS=ON" */

  /* ---- texts: `parse` is NULL where this build lacks them ---- */
  const char *
      key; /* that begins a line of these texts alone; NULL: they are all that no other row reads */
  /** The text with what it needs of files that it names beside `path`, to be freed by sal_free; NULL: it needs none. */
  sal_err (*keep)(const char *path, const char *text, char **kept);
  /** Differences between the text and what this thread's last `keep` took, as a sentence; "": none. */
  const char *(*kept_note)(void);
  /** Reads and checks a text; `path` heads the messages.  Fills made, model or method, and note.  count: of the members
   *  of families (sal_model.n_count), NULL: the text's presets. */
  sal_err (*parse)(const char *path, const char *text, const double count[], sal_provided *out);
  void (*free)(void *made);
  /** Measures of runs of a model: those that its text has, of this provider (NULL: it is of another kind), then those given.
   *  `drop_measures` frees *out, which is NULL where there are none.  NULL: another row has both. */
  sal_err (*measure)(const sal_measured_text given[], int n, const sal_model *model,
                     const char *text, const double count[], const sal_measured_list **out);
  void (*drop_measures)(const sal_measured_list *list);
  const char *(*engine)(const void *made); /* "interpreted", "compiled" */

  /* ---- a library, whose methods' names begin with its own in small letters and '-': "petsc-bdf" ---- */
  const sal_method *const *methods; /* ended by NULL; NULL: this build has none of them */
  /** A method that its own options select, called `name`; both texts are copied.  Fails with one message on an option
   *  that the library does not know or that selects no integrator.  `drop` frees it.  NULL: the library takes no options. */
  sal_err (*make)(const char *where, const char *name, const char *options, sal_method **out);
  void (*drop)(sal_method *method);
  /** Options that name a file to be read: the same with another file in the place of that one, to be freed by
   *  sal_free; NULL: no memory.  NULL: options of this library name none. */
  char *(*elsewhere)(const char *options, const char *file);
  const char *environment; /* variable by which the user gives it more than a sweep may */
  sal_err (*start)(void);  /* loads it, as its first run does; NULL: it is linked, or left out */
  void (*finalize)(
      void); /* frees what it keeps for the process, by the thread that ran its methods, before MPI_Finalize */
};
