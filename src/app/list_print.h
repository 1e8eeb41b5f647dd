/** The lists of `saltus list`, from the registries of the kernels and of other libraries, and how a library's method is selected.
 */
#pragma once

#include "engine.h"
#include "enum_words.h"
#include "report.h"

/** A list: the names of its entries, and all of entry i, as lines and an object. */
typedef struct {
  sal_enum_words words;               /* the names, where a sweep may have them, too */
  int (*gather)(const char *names[]); /* else they, and how many */
  void (*print)(sal_report *report, int i);
  void (*print_end)(sal_report *report); /* follows the whole list; NULL: nothing */
} sal_list_source;

/** Any model, with its text or NULL; any method. */
void sal_list_print_model(sal_report *report, const sal_model *model, const char *text);
void sal_list_print_method(sal_report *report, const sal_method *method);

extern const sal_list_source sal_list_models, sal_list_methods, sal_list_strategies,
    sal_list_metrics, sal_list_grounds;

/* ---- Lines that select a solver of another library. ---- */

/** "PETSc 3.18.5: rosw ra34pw2", and below it the lines that select it, indented; nothing for a solver
 *  of ours.  tolerance: what stands where the lines say TOL; NaN: TOL. */
void sal_library_select_say(const sal_report *report, const sal_method *method, double tolerance,
                            const char *indent);

/** Members `library`, `version`, `type` and `select`, the latter a list of lines; null for ours. */
void sal_library_select_json(sal_json *json, const sal_method *method, double tolerance);
