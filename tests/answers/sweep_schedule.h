/** @file tests/answers/sweep_schedule.h
 *  A sweep from its text, and the schedule of its tolerances.
 */
#ifndef SWEEP_SCHEDULE_H
#define SWEEP_SCHEDULE_H

#include "memory.h"
#include "reader_schedule.h"
#include "sal_test.h"
#include "sweep_read.h"

static sal_sweep sweep;
static sal_reader_schedule schedule;

/* end() frees them. */
static void begin(const char *text)
{
  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", text, 0, NULL, &sweep), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_reader_schedule_create(&sweep, &schedule), SAL_OK);
}

static void end(void)
{
  sal_reader_schedule_free(&schedule);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

#endif
