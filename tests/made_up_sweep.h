/** A sweep of a model that no registry has. */
#pragma once

#include "keys.h"
#include "memory.h"
#include "sweep_read.h"
#include "text.h"
#include "validate.h"

/** Reads a text, whose `model` is any name of the registry, for this model.  The caller frees the
 *  sweep when that is SAL_OK. */
static inline sal_err made_up_sweep(const sal_model *model, const char *text, sal_sweep *sweep)
{
  sal_document document;

  *sweep = (sal_sweep){0};
  sal_err err = sal_document_parse("s.yaml", text, &document);
  if (err == SAL_OK) err = sal_sweep_presets(&document);
  if (err == SAL_OK) err = sal_validate_methods(&document, sweep);
  if (err == SAL_OK) err = sal_keys_read(&document, model, sweep);
  if (err == SAL_OK) err = sal_validate(&document, model, sweep);
  sal_document_free(&document);
  if (err != SAL_OK) sal_sweep_free(sweep);
  return err;
}
