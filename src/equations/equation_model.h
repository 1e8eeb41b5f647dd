/** A model that a text describes by its equations.
 *
 *  See sweeps/models/README.md for the language.
 */
#pragma once

#include "program.h"
#include "provider.h"

typedef struct sal_equation_model sal_equation_model;

/** Bytes of a text. */
enum { SAL_EQUATION_BYTES = 1 << 18 };

/** Reads and checks a text; `path` heads the messages, which name line, what was found and what is
 *  allowed.  The model is the caller's, sal_equation_model_free frees it; *out is NULL on failure. */
sal_err sal_equation_model_parse(const char *path, const char *text, sal_equation_model **out);
/** The same with counts of the members of families, NULL: those of the text. */
sal_err sal_equation_model_parse_counted(const char *path, const char *text, const double count[],
                                         sal_equation_model **out);
void sal_equation_model_free(sal_equation_model *model);

/** Texts of equations, by their key `equations`. */
extern const sal_provider sal_equation_model_provider;

/** The model / the text that it was made from, which live as long as it. */
const sal_model *sal_equation_model_get(const sal_equation_model *model);
const char *sal_equation_model_text(const sal_equation_model *model);
/** Pivots of the mass matrix of a text by energies, by coordinate, at (t, y), up to the first that is not above 0; returns their
 *  number, 0 for other texts. */
int sal_equation_model_masses(const sal_equation_model *model, const double param[], double t,
                              const double y[], double pivot[]);

/** Its programs, which live as long as it. */
const sal_flow_programs *sal_equation_model_programs(const sal_equation_model *model);
/** The model with these flows in place of those that run its programs: NULL leaves one.  They work on the same phase, and
 *  the caller keeps them as long as the model. */
void sal_equation_model_put_flows(sal_equation_model *model, const struct sal_flow_w1 *w1,
                                  const struct sal_flow_w4 *w4, const struct sal_flow_w8 *w8);
/** Has it such flows? */
bool sal_equation_model_is_compiled(const sal_equation_model *model);
