/** The hopper as SUNDIALS' callbacks. */
#pragma once

#include "flight.h"
#include <nvector/nvector_serial.h>

static int rhs(realtype t, N_Vector y, N_Vector dy, void *user)
{
  (void)t;
  hopper_rhs(user, N_VGetArrayPointer_Serial(y), N_VGetArrayPointer_Serial(dy));
  return 0;
}

static int gap(realtype t, N_Vector y, realtype *g, void *user)
{
  (void)t, (void)user;
  g[0] = N_VGetArrayPointer_Serial(y)[0];
  return 0;
}

enum { NO_STEP_LIMIT = 100000000 };
