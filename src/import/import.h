/** Descriptions of robots, URDF or MJCF, as texts of bodies (sweeps/models/README.md). */
#pragma once

#include "err.h"

/** The text of bodies for a robot; `path` heads the messages.  *notes: a line about each part of the description that the text
 *  does not have, NULL: there are none.  Both are the caller's (sal_free), and NULL on failure. */
sal_err sal_import_robot(const char *path, const char *xml, char **text, char **notes);
