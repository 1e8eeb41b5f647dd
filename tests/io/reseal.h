/** New seals for a cube that a test has changed. */
#pragma once

#include "err.h"
#include <hdf5.h>

/** Seals all groups of a cube that is open for writing, as they are. */
sal_err test_reseal(hid_t file);
