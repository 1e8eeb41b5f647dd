/** Sweeps that must be refused: lines appended to the smallest valid sweep, and what the one
 *  message must say.
 */
#pragma once

#include "memory.h"
#include "sal_test.h"
#include "sweep.h"
#include "sweep_read.h"
#include <string.h>

/* Five lines: what is appended begins in line 6. */
#define SMALLEST                                                                                   \
  "model: monopod\n"                                                                               \
  "t_end: 5\n"                                                                                     \
  "solvers: [ode45]\n"                                                                             \
  "strategies: [event]\n"                                                                          \
  "rtol: [1e-3]\n"

/** Parses a text and asserts that it is refused at `place` ("s.yaml:6"), with all fragments
 *  (NULL-terminated) in one line, and that nothing leaks. */
static inline void refuse_with(const char *text, int n_set, const char *const set[],
                               const char *place, const char *const fragment[])
{
  sal_sweep sweep;
  const long live = sal_memory_live();
  sal_err_clear();
  const sal_err err = sal_sweep_parse("s.yaml", text, n_set, set, &sweep);
  const char *message = sal_err_message();
  bool right = err == SAL_ERR_INPUT && sal_err_exit(err) == 2 &&
               strncmp(message, place, strlen(place)) == 0 &&
               strncmp(message + strlen(place), ": ", 2) == 0 && !strchr(message, '\n');
  for (int i = 0; fragment[i]; ++i) right = right && strstr(message, fragment[i]);
  if (!right) fprintf(stderr, "\n    %s\n    must be at %s: %s\n", message, place, fragment[0]);
  CU_ASSERT_TRUE(right);
  CU_ASSERT_PTR_NULL(sweep.axis);
  CU_ASSERT_PTR_NULL(sweep.text);
  if (err == SAL_OK) sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), live);
}

#define FRAGMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})
/** refuse("lines\n", "s.yaml:6", "what it must say", "and this", ...) */
#define refuse(tail, place, ...) refuse_with(SMALLEST tail, 0, NULL, place, FRAGMENTS(__VA_ARGS__))
#define refuse_text(text, place, ...) refuse_with(text, 0, NULL, place, FRAGMENTS(__VA_ARGS__))
#define refuse_set(key_value, place, ...)                                                          \
  refuse_with(SMALLEST, 1, (const char *const[]){key_value}, place, FRAGMENTS(__VA_ARGS__))

/** Parses the smallest sweep with more lines; it must be valid.  The caller frees. */
static inline sal_sweep accept_with(const char *text, int n_set, const char *const set[])
{
  sal_sweep sweep;
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_sweep_parse("s.yaml", text, n_set, set, &sweep), SAL_OK);
  if (sal_err_message()[0]) fprintf(stderr, "\n    %s\n", sal_err_message());
  return sweep;
}
#define accept(tail) accept_with(SMALLEST tail, 0, NULL)
