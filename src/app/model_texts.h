/** @file src/app/model_texts.h
 *  Texts of models to begin with.
 */
#ifndef SAL_MODEL_TEXTS_H
#define SAL_MODEL_TEXTS_H

enum { SAL_MODEL_TEXTS = 5 };

/** A text that describes a model and runs as it stands. */
typedef struct {
  const char *kind, *text;
} sal_model_text_kind;

extern const sal_model_text_kind sal_model_texts[SAL_MODEL_TEXTS];

#endif
