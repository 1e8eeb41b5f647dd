/** @file tests/made_up_sweep.h
 *  A sweep of a model that no registry has.
 */
#ifndef SAL_TEST_MADE_UP_SWEEP_H
#define SAL_TEST_MADE_UP_SWEEP_H

#include "memory.h"
#include "schema.h"
#include "schema_load.h"
#include "sweep_read.h"
#include "text.h"
#include "validate.h"
#include "validate_methods.h"

/** Reads a text, whose `model` is any name of the registry, for this model.  The caller frees the
 *  sweep when that is SAL_OK. */
static inline sal_err made_up_sweep(const sal_model *model, const char *text, sal_sweep *sweep)
{
  sal_schema *schema = sal_alloc(1, sizeof *schema);
  sal_document document;
  sal_raw *raw = NULL;

  *sweep = (sal_sweep){0};
  sal_err err = sal_document_parse("s.yaml", text, &document);
  if (err == SAL_OK) err = sal_sweep_presets(&document);
  sal_schema_build(model, schema);
  if (err == SAL_OK) err = sal_schema_load(schema, &document, &raw);
  if (err == SAL_OK) err = sal_validate_methods(&document, sweep);
  if (err == SAL_OK) err = sal_validate(&document, model, raw, sweep);
  sal_schema_free(schema, raw);
  sal_document_free(&document);
  sal_free(schema);
  if (err != SAL_OK) sal_sweep_free(sweep);
  return err;
}

#endif
