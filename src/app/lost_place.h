/** Which expression of a model's text makes the value that is not finite and ended a run. */
#pragma once

#include "cli_run.h"
#include "lost.h"

enum { SAL_LOST_PLACE = 512 };

/** "FILE:LINE: KEY: sqrt(-1)" into out; "" for a model that is not a text of equations. */
sal_err sal_lost_place(const sal_lost *lost, const sal_cli_run *run, const char *path,
                       char out[SAL_LOST_PLACE]);
