/** A sweep from its text, and the steps of its tolerances. */
#pragma once

#include "between_levels.h"
#include "memory.h"
#include "sal_test.h"
#include "sweep_read.h"

static sal_sweep sweep;
static sal_surrogate_steps steps;

/* end() frees them. */
static void begin(const char *text)
{
  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", text, 0, NULL, &sweep), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_steps_create(&sweep, &steps), SAL_OK);
}

static void end(void)
{
  sal_surrogate_steps_free(&steps);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}
