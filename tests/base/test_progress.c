/** The progress line: its content, and how often it is printed. */
#include "progress.h"
#include "sal_test.h"
#include <string.h>

enum { SIZE = 4096 };

/* Everything a progress of 1000 cells writes while 0 .. 1000 are done. */
static void play(bool rewrites, double pause, char text[SIZE])
{
  sal_progress p;
  FILE *out = tmpfile();
  sal_progress_start(&p, "cells", 1000);
  p.out = out;
  p.rewrites = rewrites;
  p.pause = pause;
  for (int done = 0; done <= 1000; done += 250) sal_progress_update(&p, done);
  sal_progress_stop(&p, 1000);
  rewind(out);
  const size_t n = fread(text, 1, SIZE - 1, out);
  text[n] = '\0';
  fclose(out);
}

static int count(const char *text, char c)
{
  int n = 0;
  for (; *text; ++text) n += *text == c;
  return n;
}

static void a_line_says_part_rate_and_time_left(void)
{
  const sal_progress p = {.what = "cells", .total = 1000};
  char line[160];
  sal_progress_line(&p, 250, 5, sizeof line, line);
  CU_ASSERT_STRING_EQUAL(line, "cells 250/1000  25 %  50/s  0:15 left");
  sal_progress_line(&p, 1, 10, sizeof line, line);
  CU_ASSERT_STRING_EQUAL(line, "cells 1/1000  0 %  0.1/s  2:46:30 left");
  sal_progress_line(&p, 1000, 65, sizeof line, line);
  CU_ASSERT_STRING_EQUAL(line, "cells 1000/1000  100 %  15.4/s  in 1:05");

  const sal_progress resumed = {.what = "cells", .total = 1000, .before = 200};
  sal_progress_line(&resumed, 250, 5, sizeof line, line);
  CU_ASSERT_STRING_EQUAL(line, "cells 250/1000  25 %  10/s  1:15 left");

  const sal_progress counted = {
      .what = "cells", .total = 42000, .each = 42, .units = 50, .rated = "trajectories"};
  sal_progress_line(&counted, 2100, 5, sizeof line, line);
  CU_ASSERT_STRING_EQUAL(line, "cells 50/1000  5 %  420 trajectories/s  1:35 left");
  sal_progress_line(&counted, 21000, 1, sizeof line, line); /* half of the work, 50 cells whole */
  CU_ASSERT_STRING_EQUAL(line, "cells 50/1000  50 %  21000 trajectories/s  0:01 left");
}

/* Slow progress of long ago is forgotten, and the current rate does not jump. */
static void the_rate_is_that_of_the_last_half_minute(void)
{
  sal_progress p;
  char line[160];

  sal_progress_start(&p, "cells", 1000000);
  p.out = NULL;
  const double t = p.began;
  CU_ASSERT_DOUBLE_EQUAL(sal_progress_rate(&p, 500, 10), 50, 1e-9); /* nothing measured: all */
  p.began = t - 100;
  sal_progress_update(&p, 1000); /* 10/s for 100 s */
  CU_ASSERT_DOUBLE_EQUAL(sal_progress_rate(&p, 1000, 100), 10, 0.1);
  int64_t done = 1000;
  for (int i = 1; i <= 60; ++i) { /* 100/s for 120 s */
    p.began -= 2;
    p.measured -= 2;
    sal_progress_update(&p, done += 200);
    if (i == 1) CU_ASSERT(p.rate > 12 && p.rate < 20);
  }
  CU_ASSERT(p.rate > 95 && p.rate < 100.1);
  CU_ASSERT(sal_progress_rate(&p, done, 220) == p.rate);
  sal_progress_line(&p, done, 220, sizeof line, line);
  CU_ASSERT_PTR_NOT_NULL(strstr(line, "2:4")); /* 987000 at 98/s: 2:47:52 or so, not 5:00:00 */
  CU_ASSERT_DOUBLE_EQUAL(sal_progress_rate(&p, 1000000, 1000), 1000, 1e-9); /* in the end all */
}

static void nothing_done_and_nothing_to_do_are_no_trouble(void)
{
  const sal_progress none = {.what = "cells", .total = 0}, some = {.what = "cells", .total = 9};
  char line[160];
  sal_progress_line(&some, 0, 3, sizeof line, line);
  CU_ASSERT_STRING_EQUAL(line, "cells 0/9  0 %  0/s");
  sal_progress_line(&none, 0, 0, sizeof line, line);
  CU_ASSERT_STRING_EQUAL(line, "cells 0/0  100 %  0/s  in 0:00");
}

/* No time left is printed while nothing moves, or when something else is printed. */
static void a_standstill_has_no_time_left(void)
{
  sal_progress p;
  char line[160];

  sal_progress_start(&p, "cells", 1000);
  p.out = NULL;
  sal_progress_update(&p, 250);
  sal_progress_line(&p, 250, 5, sizeof line, line);
  CU_ASSERT_STRING_EQUAL(line, "cells 250/1000  25 %  50/s  0:15 left");
  CU_ASSERT_FALSE(sal_progress_stands(&p));
  p.moved -= 72;
  sal_progress_update(&p, 250);
  CU_ASSERT(sal_progress_stands(&p));
  p.rate = 0; /* that of all the time */
  sal_progress_line(&p, 250, 5, sizeof line, line);
  CU_ASSERT_STRING_EQUAL(line, "cells 250/1000  25 %  50/s  nothing finished for 1:12");
  sal_progress_update(&p, 251);
  CU_ASSERT_FALSE(sal_progress_stands(&p));
  p.trouble = "nothing from h2 for 20 s";
  CU_ASSERT(sal_progress_stands(&p));
  sal_progress_line(&p, 500, 5, sizeof line, line);
  CU_ASSERT_PTR_NOT_NULL(strstr(line, "/s  nothing from h2 for 20 s"));
  CU_ASSERT_PTR_NULL(strstr(line, "left"));
}

static void a_bar_fills_on_a_terminal(void)
{
  const sal_progress p = {.what = "cells", .total = 1000, .rewrites = true};
  char line[160];
  sal_progress_line(&p, 500, 5, sizeof line, line);
  CU_ASSERT_NSTRING_EQUAL(line, "[############............] cells 500/1000", 40);
}

static void a_log_gets_lines_a_terminal_one_line(void)
{
  char text[SIZE];
  play(false, 0, text);
  CU_ASSERT_EQUAL(count(text, '\n'), 5); /* four updates, and the end printed once */
  CU_ASSERT_EQUAL(count(text, '\r'), 0);
  play(true, 0, text);
  CU_ASSERT_EQUAL(count(text, '\n'), 1);
  CU_ASSERT_EQUAL(count(text, '\r'), 5);
}

static void lines_wait_for_the_pause(void)
{
  char text[SIZE];
  play(false, 100, text);
  CU_ASSERT_EQUAL(count(text, '\n'), 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "1000/1000"));
}

static void a_shorter_line_covers_the_longer_one(void)
{
  sal_progress p;
  char text[SIZE] = "";
  FILE *out = tmpfile();
  sal_progress_start(&p, "cells", 10);
  p.out = out;
  p.rewrites = true;
  p.width = 300; /* as if a long line stood there */
  sal_progress_stop(&p, 10);
  rewind(out);
  const size_t n = fread(text, 1, SIZE - 1, out);
  fclose(out);
  CU_ASSERT_EQUAL(n, 1 + 300 + 1); /* return, padded line, newline */
}

SAL_TEST_MAIN("progress", NULL,
              {"a line shows part, rate and time left", a_line_says_part_rate_and_time_left},
              {"the rate is that of the last half minute",
               the_rate_is_that_of_the_last_half_minute},
              {"nothing done and nothing to do are allowed",
               nothing_done_and_nothing_to_do_are_no_trouble},
              {"a standstill has no time left", a_standstill_has_no_time_left},
              {"a bar fills on a terminal", a_bar_fills_on_a_terminal},
              {"a log gets lines, a terminal one line", a_log_gets_lines_a_terminal_one_line},
              {"lines wait for the pause", lines_wait_for_the_pause},
              {"a shorter line covers the longer one", a_shorter_line_covers_the_longer_one})
