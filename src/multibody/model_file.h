/** A model of constrained bodies that a file describes: bodies, joints, forces, road, initial state.
 *
 *  See sweeps/models/README.md for the format.
 */
#pragma once

#include "provider.h"
#include "system.h"

typedef struct sal_model_file sal_model_file;

/** Reads and checks a text; `path` heads the messages, which name line, what was found and what is
 *  allowed.  The model is the caller's, sal_model_file_free frees it; *out is NULL on failure. */
sal_err sal_model_file_parse(const char *path, const char *text, sal_model_file **out);
/** The same with counts of the members of families, NULL: those of the text. */
sal_err sal_model_file_parse_counted(const char *path, const char *text, const double count[],
                                     sal_model_file **out);
void sal_model_file_free(sal_model_file *file);

/** Texts of bodies: all that no other kind reads. */
extern const sal_provider sal_model_file_provider;

/** The model and its system, which live as long as the file. */
const sal_model *sal_model_file_model(const sal_model_file *file);
const sal_system *sal_model_file_system(const sal_model_file *file);
/** The text that it was made from. */
const char *sal_model_file_text(const sal_model_file *file);
/** A sentence about input that is not used as it stands; NULL: all is. */
const char *sal_model_file_note(const sal_model_file *file);
/** How its accelerations are found, as a sentence; *recurs: along the joints. */
const char *sal_model_file_way(const sal_model_file *file, bool *recurs);

/* ---- The coordinates of all bodies, of which the states are the independent ones. ---- */

/** Names of coordinates in the order of the system; sal_coordinates_free frees. */
typedef struct {
  sal_field *field;             /* [n_q] */
  char (*label)[2 * SAL_LABEL]; /* [n_q] the names in it */
} sal_coordinates;

sal_err sal_coordinates_describe(const sal_system *system, sal_coordinates *out);
void sal_coordinates_free(sal_coordinates *coordinates);

/** sal_model.coordinates, whose inner is the functions' (state_space.h). */
bool sal_coordinates_at(const void *functions, const double param[], const double y[],
                        double memory[], double q[]);
