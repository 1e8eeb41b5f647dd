/** Where a file comes from, as attributes of its root group. */
#pragma once

#include "build.h"
#include "h5.h"
#include "sweep.h"

/** Value of the attribute `layout`: the version of the layout of written files. */
enum { SAL_PROVENANCE_LAYOUT = 4 };

/** Values of the attribute `content`. */
#define SAL_PROVENANCE_CUBE "saltus cube"
#define SAL_PROVENANCE_TRAJECTORY "saltus trajectory"

/** Opens a file for reading, `access` a list of sal_h5_access, and makes sure that it is one of `content`;
 *  `what` it should be ("a cube") is for messages.  The caller closes it. */
sal_err sal_provenance_open(const char *path, const char *what, const char *content, hid_t access,
                            sal_h5 *file);

/** Writes the attributes of every file of saltus: content, layout, conventions, title, model, and the program,
 *  machine and libraries it was made with. */
sal_err sal_provenance_of_build(const sal_h5 *file, const char *content, const char *title,
                                const sal_model *model);

/** Writes the further attributes of a cube: the sweep, its settings, and the run. */
sal_err sal_provenance_of_sweep(const sal_h5 *file, const sal_sweep *sweep,
                                const sal_origin *origin);
