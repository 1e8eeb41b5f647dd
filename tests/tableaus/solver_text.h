/** Texts of solvers for tests: those of sweeps/solvers, whole or with something in place of something else.
 */
#pragma once

#include "memory.h"
#include "plain_file.h"
#include "sal_test.h"
#include "tableau_text.h"
#include "text.h"
#include <string.h>

static inline char *solver_text(const char *name)
{
  char path[1024], *text = NULL;

  snprintf(path, sizeof path, "%s/solvers/%s.yaml", SAL_SWEEPS, name);
  CU_ASSERT_EQUAL_FATAL(sal_text_file_read(path, "a solver", &text), SAL_OK);
  return text;
}

/** NULL where it is refused: sal_err_message. */
static inline sal_tableau_text *solver_of(const char *text)
{
  sal_tableau_text *solver;

  sal_err_clear();
  const sal_err err = sal_tableau_text_parse("s.yaml", text, &solver);
  CU_ASSERT_EQUAL(err == SAL_OK, solver != NULL);
  return solver;
}

static inline sal_tableau_text *solver_named(const char *name)
{
  SAL_OWN char *text = solver_text(name);
  sal_tableau_text *solver = solver_of(text);

  if (!solver) fprintf(stderr, "%s\n", sal_err_message());
  CU_ASSERT_PTR_NOT_NULL_FATAL(solver);
  return solver;
}

/** The text with n bytes from `at` on replaced. */
static inline sal_tableau_text *solver_with(const char *text, const char *at, size_t n,
                                            const char *instead)
{
  sal_text all = {0};

  sal_text_append(&all, text, (size_t)(at - text));
  sal_text_add(&all, "%s%s", instead, at + n);
  sal_tableau_text *solver = solver_of(all.string);
  sal_text_free(&all);
  return solver;
}
