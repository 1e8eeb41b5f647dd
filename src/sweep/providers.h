/** The table of what gives models and solvers in this program, which its main or its library's first call sets; models and methods found
 *  by it, and their names.
 */
#pragma once

#include "provider.h"

/** Rows, ended by NULL, borrowed until the process ends; to be called before there are threads that read sweeps.
 *  Without a call the table is empty: models and methods of the kernels alone. */
void sal_providers_set(const sal_provider *const rows[]);

/** Library i, from 0, built in or not; NULL after the last. */
const sal_provider *sal_providers_library(int i);
/** The library called `name`, however it is spelt in capitals; NULL: there is none. */
const sal_provider *sal_providers_named(const char *name);
/** The library whose name a method's name begins with, be there such a method or not; NULL: none. */
const sal_provider *sal_providers_of(const char *method);
/** The row whose key begins a line of a text of a model or of a solver; NULL: the text has none. */
const sal_provider *sal_providers_keyed(sal_provides gives, const char *text);
/** The same, else the row that reads texts without a key, else one whose message names what lacks; NULL without such rows. */
const sal_provider *sal_providers_reader(sal_provides gives, const char *text);

/** Differences between this thread's last text and what was kept of it, as a sentence; "": none. */
const char *sal_providers_note(void);
/** Measures of runs of a model (provider.h): those that its text has, NULL for none, and those given.
 *  sal_providers_drop_measures frees *out, which is NULL where there are none. */
sal_err sal_providers_measure(const sal_measured_text given[], int n, const sal_model *model,
                              const char *text, const double count[],
                              const sal_measured_list **out);
/** Refuses measures at or from a time that a run to t_end does not have, but for those of the model's text.  list: may be NULL. */
sal_err sal_providers_measure_within(const sal_measured_list *list, double t_end);
void sal_providers_drop_measures(const sal_measured_list *list);
/** At the end of the process: `finalize` of each. */
void sal_providers_finalize(void);

/* Models and solvers of texts, which the table of providers reads, and models in C with their texts. */

/** *kept: a text of a model, with all that it needs of files which it names beside `path`; the caller frees it by sal_free, and it is
 *  NULL on failure. */
sal_err sal_provided_keep(const char *path, const char *text, char **kept);
/** Reads and checks a text of a model, or of a solver; `path` heads the messages.  sal_provided_free frees it; *out is NULL on
 *  failure. */
sal_err sal_provided_parse(sal_provides gives, const char *path, const char *text,
                           sal_provided **out);
/** The model of the same text with other counts, param [model->n_count]. */
sal_err sal_provided_counted(const sal_provided *provided, const char *path, const double param[],
                             sal_provided **out);
/** A model that is there already, borrowed, with the text that it was compiled from. */
sal_err sal_provided_of(const sal_model *model, const char *text, sal_provided **out);
void sal_provided_free(sal_provided *provided);

/** The result of that provider for the text; NULL: another one read it, or there is none. */
void *sal_provided_made(const sal_provided *provided, const sal_provider *by);
/** How a text is computed, "interpreted" or "compiled"; NULL: there is one way. */
const char *sal_provided_engine(const sal_provided *provided);

/* Every method that a user can name: ours, of the kernels' registry, then those of other libraries
 * in this build.  A sweep may bring further ones (sweep.h). */

/** Words for many methods at once in a list of methods: ours, and those of other libraries. */
#define SAL_METHOD_NAMES_OURS "all"
#define SAL_METHOD_NAMES_OTHERS "libraries"

enum { SAL_METHOD_NAMES_MOST = SAL_MAX_QUANTITY };
/** Method i of all, from 0; NULL after the last. */
const sal_method *sal_method_names_at(int i);
/** Their names, ended by NULL; returns how many there are. */
int sal_method_names_gather(const char *names[SAL_METHOD_NAMES_MOST + 1]);
/** The method of that name, or NULL. */
const sal_method *sal_method_names_find(const char *name);

enum { SAL_METHOD_NAMES_TEXT = 256 };
/** Where a name is that of a method of a library that this build lacks: a sentence with that reason and
 *  the remedy; else NULL. */
const char *sal_method_names_missing(const char *name, char text[SAL_METHOD_NAMES_TEXT]);
/** The same sentence, of `what` that needs a library. */
const char *sal_method_names_lacks(const char *what, const sal_provider *library,
                                   char text[SAL_METHOD_NAMES_TEXT]);
